"""The fold: facts in, state out. No rules, no dice, no clock.

Every fact carries what became of the state, so that a log reads the same whatever the rules code
has become. Facts that only explain (rolls, resolved attacks and checks) change nothing and need not
even be decoded.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from affray.events.codec import TAG_OF, decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.facts import combat, declared, flow, rolled
from affray.projections import items
from affray.projections.presence import in_order, new, there
from affray.projections.state import Affliction, Brewing, Combatant, Condition, Effect, Encounter, Question
from affray.projections.touches import TOUCHES, Touches

Handler = Callable[[Encounter, Any], None]

HANDLERS: dict[type, Handler] = {}
"""What each kind of fact that changes the state does to it."""

H = TypeVar("H", bound=Handler)


def folds(*kinds: type, touches: Touches) -> Callable[[H], H]:
    """Register what folds facts of these kinds, and what they change."""

    def registered(handler: H) -> H:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        TOUCHES.update(dict.fromkeys(kinds, touches))
        return handler

    return registered


@folds(flow.EncounterOpened, touches="everything")
def _opened(state: Encounter, fact: flow.EncounterOpened) -> None:
    state.name, state.dialect, state.options = fact.name, fact.dialect, dict(fact.options)
    state.terrain, state.commitment = fact.terrain, fact.commitment
    state.barriers, state.ground, state.tables = fact.barriers, fact.ground, fact.tables
    state.packages, state.until_closed = fact.packages or (), fact.until_closed
    state.things_lie = fact.things_lie


@folds(flow.OptionsChanged, touches="everything")
def _options(state: Encounter, fact: flow.OptionsChanged) -> None:
    state.options.update(fact.options)


@folds(flow.CombatantEntered, touches="everything")
def _entered(state: Encounter, fact: flow.CombatantEntered) -> None:
    new(state, fact.id)
    state.combatants[fact.id] = Combatant(
        id=fact.id,
        side=fact.side,
        sheet=fact.sheet,
        at=fact.at,
        space=fact.space,
        reach=fact.reach,
        hp=fact.hp,
        max_hp=fact.max_hp,
        nonlethal=fact.nonlethal,
        held=fact.held,
        acted=fact.acted,
        policy=fact.policy,
        fixed_initiative=fact.initiative,
    )


@folds(declared.Declared, touches="nothing")
def _declared(state: Encounter, fact: declared.Declared) -> None:
    counted = "refusals" if fact.id.startswith(declared.REFUSED) else "declarations"
    setattr(state, counted, getattr(state, counted) + 1)


@folds(declared.Asked, touches="everything")
def _asked(state: Encounter, fact: declared.Asked) -> None:
    state.pending = Question(
        fact.key, fact.who, fact.question, fact.options, fact.rule, fact.notation, fact.key.split("/")[0]
    )


@folds(declared.Chosen, rolled.Rolled, touches="nothing")
@folds(declared.Ruled, touches="everything")
def _answered(state: Encounter, fact: object) -> None:
    # For a roll too: a die that somebody was asked to throw is an answer.
    state.pending = None


@folds(flow.AwarenessSettled, touches="everything")
def _awareness(state: Encounter, fact: flow.AwarenessSettled) -> None:
    there(state, fact.aware, fact.surprised)
    state.begun = True
    for combatant in state.combatants.values():
        combatant.aware = combatant.id not in fact.surprised


@folds(flow.InitiativeRolled, touches="one")
def _initiative(state: Encounter, fact: flow.InitiativeRolled) -> None:
    combatant = state.combatants[fact.who]
    combatant.initiative, combatant.initiative_modifier = fact.total, fact.modifier


@folds(flow.OrderSet, touches="everything")
def _order(state: Encounter, fact: flow.OrderSet) -> None:
    state.order = in_order(state, fact.order)


@folds(flow.RoundBegan, touches="nothing")
def _round_began(state: Encounter, fact: flow.RoundBegan) -> None:
    state.round, state.turn, state.active, state.phase = fact.number, 0, "", fact.phase
    for combatant in state.combatants.values():
        combatant.plan = ()


@folds(flow.PhaseChanged, touches="everything")
def _phase(state: Encounter, fact: flow.PhaseChanged) -> None:
    state.phase = fact.phase


@folds(flow.RoundEnded, touches="nothing")
def _round_ended(state: Encounter, fact: flow.RoundEnded) -> None:
    state.active = ""


@folds(flow.TurnBegan, touches="nothing")
def _turn_began(state: Encounter, fact: flow.TurnBegan) -> None:
    state.turn, state.active = fact.number, fact.who
    combatant = state.combatants[fact.who]
    combatant.acted, combatant.delaying, combatant.waited = True, False, None


@folds(flow.TurnEnded, touches="nothing")
def _turn_ended(state: Encounter, fact: flow.TurnEnded) -> None:
    state.combatants[fact.who]  # raises KeyError for a ghost
    state.active = ""


@folds(flow.BudgetRenewed, touches="nothing")
def _renewed(state: Encounter, fact: flow.BudgetRenewed) -> None:
    combatant = state.combatants[fact.who]
    if "actions" in fact.what:
        combatant.spent = {}
    if "reactions" in fact.what:
        combatant.reactions, combatant.opportunities = {}, ()


@folds(flow.ActionSpent, touches="nothing")
def _spent(state: Encounter, fact: flow.ActionSpent) -> None:
    spent = state.combatants[fact.who].spent
    spent[fact.kind] = spent.get(fact.kind, 0) + fact.amount


@folds(flow.ReactionSpent, touches="nothing")
def _reacted(state: Encounter, fact: flow.ReactionSpent) -> None:
    combatant = state.combatants[fact.who]
    combatant.reactions[fact.kind] = combatant.reactions.get(fact.kind, 0) + fact.amount
    if fact.opportunity:
        combatant.opportunities += (fact.opportunity,)


@folds(flow.PlanMade, touches="nothing")
def _planned(state: Encounter, fact: flow.PlanMade) -> None:
    state.combatants[fact.who].plan = fact.actions


@folds(flow.TurnDelayed, touches="one")
def _delayed(state: Encounter, fact: flow.TurnDelayed) -> None:
    combatant = state.combatants[fact.who]
    combatant.delaying, combatant.waited = True, state.round


@folds(flow.InitiativeChanged, touches="one")
def _reordered(state: Encounter, fact: flow.InitiativeChanged) -> None:
    state.combatants[fact.who].initiative = fact.value
    state.order = in_order(state, fact.order)


@folds(flow.ActReadied, touches="one")
def _readied(state: Encounter, fact: flow.ActReadied) -> None:
    state.combatants[fact.who].readied = fact.act


@folds(flow.ReadyEnded, touches="one")
def _ready_ended(state: Encounter, fact: flow.ReadyEnded) -> None:
    state.combatants[fact.who].readied = None


@folds(flow.CastingBegan, touches="one")
def _casting_began(state: Encounter, fact: flow.CastingBegan) -> None:
    combatant = state.combatants[fact.who]
    if fact.when:
        combatant.brewing += (Brewing(fact.act, fact.due, fact.when),)
        return
    combatant.casting, combatant.casting_due = fact.act, fact.due


@folds(flow.CastingEnded, touches="one")
def _casting_ended(state: Encounter, fact: flow.CastingEnded) -> None:
    combatant = state.combatants[fact.who]
    if fact.spell:
        place = next(at for at, one in enumerate(combatant.brewing) if one.act.spell == fact.spell)
        combatant.brewing = (*combatant.brewing[:place], *combatant.brewing[place + 1 :])
        return
    combatant.casting, combatant.casting_due = None, 0


@folds(flow.EncounterClosed, touches="everything")
def _closed(state: Encounter, fact: flow.EncounterClosed) -> None:
    state.closed, state.seed, state.active = fact.reason, fact.seed, ""


@folds(combat.Moved, touches="places")
def _moved(state: Encounter, fact: combat.Moved) -> None:
    combatant = state.combatants[fact.who]
    if fact.path:
        combatant.at = fact.path[-1]
        if combatant.rider:
            state.combatants[combatant.rider].at = combatant.at
    if fact.space:
        combatant.space, combatant.stretch = fact.space, fact.stretch
    spent = combatant.spent
    spent["feet"] = spent.get("feet", 0) + fact.feet
    spent["diagonals"] = spent.get("diagonals", 0) + fact.diagonals


@folds(combat.Mounted, touches="everything")
def _mounted(state: Encounter, fact: combat.Mounted) -> None:
    rider, mount = state.combatants[fact.who], state.combatants[fact.mount]
    rider.mount, rider.at, rider.space = fact.mount, fact.at, fact.space
    mount.rider, mount.riderless = fact.who, False


@folds(combat.Dismounted, touches="everything")
def _dismounted(state: Encounter, fact: combat.Dismounted) -> None:
    rider, mount = state.combatants[fact.who], state.combatants[fact.mount]
    rider.mount, rider.at, rider.space = "", fact.at, fact.space
    mount.rider, mount.riderless = "", True


@folds(combat.MountDirected, touches="nothing")
def _directed(state: Encounter, fact: combat.MountDirected) -> None:
    state.combatants[fact.who]  # raises KeyError for a ghost
    mount = state.combatants[fact.mount]
    mount.acted, mount.spent = True, {}
    if fact.renewed:
        mount.reactions, mount.opportunities = {}, ()


@folds(combat.HitPointsChanged, touches="nothing")
def _hit_points(state: Encounter, fact: combat.HitPointsChanged) -> None:
    combatant = state.combatants[fact.who]
    combatant.hp, combatant.nonlethal, combatant.temporary = fact.hp, fact.nonlethal, fact.temporary


@folds(combat.ConditionGained, touches="one")
def _gained(state: Encounter, fact: combat.ConditionGained) -> None:
    conditions = state.combatants[fact.who].conditions
    conditions[fact.condition] = Condition(fact.source, fact.until, fact.level, fact.aloft)


@folds(combat.ConditionLost, touches="one")
def _lost(state: Encounter, fact: combat.ConditionLost) -> None:
    state.combatants[fact.who].conditions.pop(fact.condition, None)


@folds(combat.EffectGained, touches="one")
def _effect(state: Encounter, fact: combat.EffectGained) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects += (Effect(fact.id, fact.stat, fact.modifier, fact.until, fact.against, fact.uses),)


@folds(combat.EffectEnded, touches="one")
def _effect_ended(state: Encounter, fact: combat.EffectEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects = tuple(effect for effect in combatant.effects if effect.id != fact.id)


@folds(combat.SideChanged, touches="one")
def _side(state: Encounter, fact: combat.SideChanged) -> None:
    combatant = state.combatants[fact.who]
    own = combatant.own_side or combatant.side
    combatant.side, combatant.own_side = fact.side, "" if fact.side == own else own


folds(combat.ItemChanged, touches="one")(items.follow)


@folds(combat.GripChanged, touches="everything")
def _grip(state: Encounter, fact: combat.GripChanged) -> None:
    combatant = state.combatants[fact.who]
    weapons = tuple(
        replace(one, hands=fact.hands, wield=fact.wield) if one.name == fact.item else one
        for one in combatant.sheet.weapons
    )
    combatant.sheet = replace(combatant.sheet, weapons=weapons)


@folds(combat.ItemStruck, touches="everything")
def _struck(state: Encounter, fact: combat.ItemStruck) -> None:
    resources = state.combatants[fact.bearer].resources
    place = f"damage to {fact.item}"
    resources[place] = resources.get(place, 0) + fact.dealt


@folds(combat.ResourceSpent, touches="nothing")
def _resource(state: Encounter, fact: combat.ResourceSpent) -> None:
    one, name = state.combatants[fact.who], fact.resource
    one.resources = {**one.resources, name: one.resources.get(name, 0) + fact.amount}


@folds(combat.InjurySuffered, touches="one")
def _injury(state: Encounter, fact: combat.InjurySuffered) -> None:
    state.combatants[fact.who].injuries += (fact.name,)


@folds(combat.AbilityChanged, touches="one")
def _ability(state: Encounter, fact: combat.AbilityChanged) -> None:
    losses = state.combatants[fact.who].losses
    for name, points in ((fact.ability, fact.damage), (f"{fact.ability} drain", fact.drain)):
        losses.pop(name, None)
        if points:
            losses[name] = points


@folds(combat.MaximumChanged, touches="one")
def _maximum(state: Encounter, fact: combat.MaximumChanged) -> None:
    state.combatants[fact.who].max_hp = fact.max_hp


@folds(combat.AfflictionHeld, touches="one")
def _afflicted(state: Encounter, fact: combat.AfflictionHeld) -> None:
    combatant = state.combatants[fact.who]
    held = Affliction(fact.id, fact.rider, fact.by, fact.dc, fact.round, fact.minute, fact.treated)
    combatant.afflictions = (*(one for one in combatant.afflictions if one.id != fact.id), held)


@folds(combat.AfflictionEnded, touches="one")
def _relieved(state: Encounter, fact: combat.AfflictionEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.afflictions = tuple(one for one in combatant.afflictions if one.id != fact.id)


@folds(flow.TimePassed, touches="everything")
def _time(state: Encounter, fact: flow.TimePassed) -> None:
    state.minutes += fact.minutes


TAG_NAMES: frozenset[str] = frozenset(TAG_OF.values())
CHANGING: frozenset[str] = frozenset(TAG_OF[fact] for fact in HANDLERS if fact is not rolled.Rolled)
"""Types of events that change the state; a roll only does while the fight waits for it."""


def apply(state: Encounter, fact: Any) -> None:
    """Write into `state` what `fact` says became true. O(1) but for the size of one combatant."""
    handler = HANDLERS.get(type(fact))
    if handler is not None:
        handler(state, fact)


def fold(events: Iterable[Event], state: Encounter | None = None) -> Encounter:
    """Return the state after `events`, continuing from `state` (which is changed) or from nothing.

    O(events). Raises BrokenLog or NewerLog as `decode` does, BrokenLog also for a fact that cannot follow
    from those before (about somebody who never entered); never skips an event that changes
    something, and never decodes one that does not.
    """
    state = state if state is not None else Encounter()
    handlers = HANDLERS
    for event in events:
        kind = event.type
        if kind in CHANGING or kind not in TAG_NAMES or (kind == "rolled" and state.pending is not None):
            fact = decode(event)
            try:
                handlers[type(fact)](state, fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                # Good digests over nonsense: who wrote it could reckon, but not play.
                reason = f"{kind} does not fit the events before it ({type(error).__name__}: {error})"
                raise BrokenLog(event.stream, event.seq, reason) from None
    return state
