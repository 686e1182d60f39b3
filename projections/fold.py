"""The fold: facts in, state out. No rules, no dice, no clock.

Every fact carries the resulting state, so a log reads the same whatever version of the rules is installed.
Facts that only explain (rolls, resolved attacks and checks) change nothing and are not even decoded.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeVar

from msgspec import UNSET, msgpack
from msgspec.structs import replace

from affray.events.codec import TAG_OF, decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.facts import combat, flow
from affray.events.facts.base import MOST_COMBATANTS, Square
from affray.events.facts.combat import ItemChanged, Until
from affray.events.facts.sheet import Sheet
from affray.events.facts.words import NO_WORDS
from affray.projections.state import (
    Affliction,
    Area,
    Brewing,
    Chain,
    Combatant,
    Condition,
    Effect,
    Encounter,
    Question,
    printed_sheet,
    without_feats,
)

# --- The parts of the state that each kind of fact changes, for the caches

Touches = Literal["nothing", "places", "combatants", "everything", "map", "plan", "round"]
"""The part of the state that a fact changes, for cached answers that depend on it.

"places": the squares of combatants. "combatants": anything else about them and around them. "everything": the
list of combatants, and the rules. "map": a door, and so everything that depends on the lines between squares.
"plan": a combatant's plan for the round. "round": the end of all plans, if there were any. "nothing": hit
points, action budgets, rounds and turns, on which cached answers do not depend.
The beginning of a turn ends being flat-footed: a cached answer about that must depend on `acted`. The
beginning of a round ends the surprise round: a cached answer about that must depend on the round.
"""

TOUCHES: Final[dict[type, Touches]] = {}
"""The part that each kind of fact changes, registered with its fold function."""


# --- The fold functions of facts, and their registration

Handler = Callable[[Encounter, Any], None]


HANDLERS: dict[type, Handler] = {}
"""The fold function of each kind of fact that changes the state."""

H = TypeVar("H", bound=Handler)


def folds(*kinds: type, touches: Touches) -> Callable[[H], H]:
    """Register the fold function of these kinds of facts, and the parts they change."""

    def registered(handler: H) -> H:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        TOUCHES.update(dict.fromkeys(kinds, touches))
        return handler

    return registered


# --- Checks that facts are about combatants that have entered


def there(state: Encounter, *several: tuple[str, ...]) -> None:
    """Raise LookupError for the id of a combatant that never entered."""
    for ids in several:
        for id in ids:
            if id not in state.combatants:
                raise LookupError(f"{id!r} has never entered")


def in_order(state: Encounter, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return an order of turns. Raises LookupError unless it names combatants that entered, each once."""
    once = set(order)
    if not once <= state.combatants.keys():
        there(state, order)
    if len(once) < len(order):
        raise LookupError("the order names a combatant twice")
    return order


def new(state: Encounter, id: str) -> None:
    """Raise LookupError for the id of a combatant that has already entered, and for too many combatants."""
    if len(state.combatants) >= MOST_COMBATANTS:
        raise LookupError(f"a fight holds at most {MOST_COMBATANTS} combatants")
    if id in state.combatants:
        raise LookupError(f"{id!r} has entered already")


# --- Equal sheets are one object, so that cached answers about a sheet apply to all equal ones

MOST: Final = 2048
"""The most sheets known; then all are forgotten."""

_KNOWN: Final[dict[bytes, Sheet]] = {}
_written: Final = msgpack.Encoder().encode


def intern_sheet(sheet: Sheet) -> Sheet:
    """Return the first of equal sheets, or the given one if it is new. O(size of the sheet)."""
    said = _written(sheet)
    known = _KNOWN.get(said)
    if known is None:
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        known = _KNOWN[said] = sheet
    return known


# --- The items of a combatant: in hand, put away, on the ground, unloaded


@folds(ItemChanged, touches="combatants")
def follow(state: Encounter, fact: ItemChanged) -> None:
    """Record that an item is held, stowed, dropped, loaded, unloaded, broken or gone, and its square."""
    combatant = state.combatants[fact.who]
    others = tuple(item for item in combatant.held if item != fact.item)
    if fact.state in ("loaded", "unloaded"):
        combatant.items[fact.item] = fact.state
        return
    combatant.held = (*others, fact.item) if fact.state == "held" else others
    if fact.at is not None:
        lay(state.combatants[fact.of] if fact.of else combatant, fact, fact.at)
    if fact.of:
        taken(state.combatants[fact.of], combatant, fact)
    if fact.unloaded:
        combatant.unloaded = (*combatant.unloaded, fact.item)
    if fact.state == "held" and fact.item in combatant.unloaded:
        combatant.unloaded = tuple(item for item in combatant.unloaded if item != fact.item)
        combatant.items[fact.item] = "unloaded"
    elif fact.state == "held":
        combatant.items.pop(fact.item, None)
    else:
        combatant.items[fact.item] = fact.state


def taken(owner: Combatant, taker: Combatant, fact: ItemChanged) -> None:
    """Record that another combatant has an item, and add the weapon to its sheet, a single one.

    Its missiles stay behind, it is held in one hand if that is enough, and keeps the size of its former
    owner.
    """
    if owner.items.get(fact.item) == "dropped" and fact.item not in owner.lying:
        owner.items[fact.item] = "gone"
    found = next((one for one in owner.sheet.weapons if one.name == fact.item), None)
    if found is None or fact.unwieldy or any(one.name == fact.item for one in taker.sheet.weapons):
        return
    size = found.size or (owner.sheet.size if owner.sheet.size != taker.sheet.size else "")
    left = 0 if found.wield == "projectile" and found.ammunition is not None else None
    hands = 1 if found.wield in ("light", "one-handed") else found.hands
    single = replace(found, size=size, ammunition=left, hands=hands, off_hand=False)
    taker.sheet = intern_sheet(replace(taker.sheet, weapons=(*taker.sheet.weapons, single)))


def lay(combatant: Combatant, fact: ItemChanged, at: Square) -> None:
    """Record where an item lies on the ground, or that it no longer does."""
    places = combatant.lying.pop(fact.item, ())
    if fact.state == "dropped":
        places = (*places, at)
    elif at in places:
        taken = places.index(at)
        places = (*places[:taken], *places[taken + 1 :])
    if places:
        combatant.lying[fact.item] = places


# --- Folding outcomes of combat


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


@folds(combat.Mounted, touches="combatants")
def _mounted(state: Encounter, fact: combat.Mounted) -> None:
    rider, mount = state.combatants[fact.who], state.combatants[fact.mount]
    rider.mount, rider.at, rider.space = fact.mount, fact.at, fact.space
    mount.rider, mount.riderless = fact.who, False


@folds(combat.Dismounted, touches="combatants")
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


@folds(combat.ConditionGained, touches="combatants")
def _gained(state: Encounter, fact: combat.ConditionGained) -> None:
    conditions = state.combatants[fact.who].conditions
    conditions[fact.condition] = Condition(fact.source, fact.until, fact.level, fact.aloft)


@folds(combat.ConditionLost, touches="combatants")
def _lost(state: Encounter, fact: combat.ConditionLost) -> None:
    state.combatants[fact.who].conditions.pop(fact.condition, None)


@folds(combat.EffectGained, touches="combatants")
def _effect(state: Encounter, fact: combat.EffectGained) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects += (Effect(fact.id, fact.stat, fact.modifier, fact.until, fact.against, fact.uses),)


@folds(combat.EffectEnded, touches="combatants")
def _effect_ended(state: Encounter, fact: combat.EffectEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects = tuple(effect for effect in combatant.effects if effect.id != fact.id)


@folds(combat.DoorMoved, touches="map")
def _door(state: Encounter, fact: combat.DoorMoved) -> None:
    found = {one.door for one in state.barriers}
    if not fact.door or fact.door not in found:
        raise KeyError(fact.door)
    state.barriers = tuple(
        replace(one, open=fact.open) if one.door == fact.door else one for one in state.barriers
    )


@folds(combat.AreaPlaced, touches="combatants")
def _area(state: Encounter, fact: combat.AreaPlaced) -> None:
    state.areas.pop(fact.id, None)
    state.areas[fact.id] = Area(
        fact.id, fact.what, fact.who, fact.squares, fact.around, fact.feet, fact.traits, fact.level
    )


@folds(combat.AreaEnded, touches="combatants")
def _area_ended(state: Encounter, fact: combat.AreaEnded) -> None:
    state.areas.pop(fact.id, None)


@folds(combat.SideChanged, touches="combatants")
def _side(state: Encounter, fact: combat.SideChanged) -> None:
    combatant = state.combatants[fact.who]
    own = combatant.own_side or combatant.side
    combatant.side, combatant.own_side = fact.side, "" if fact.side == own else own


@folds(combat.GripChanged, touches="combatants")
def _grip(state: Encounter, fact: combat.GripChanged) -> None:
    combatant = state.combatants[fact.who]
    sheet = combatant.sheet
    weapons = tuple(
        replace(one, hands=fact.hands, wield=fact.wield) if one.name == fact.item else one
        for one in sheet.weapons
    )
    combatant.sheet = intern_sheet(replace(sheet, weapons=weapons))


@folds(combat.ItemStruck, touches="combatants")
def _struck(state: Encounter, fact: combat.ItemStruck) -> None:
    resources = state.combatants[fact.bearer].resources
    place = f"damage to {fact.item}"
    resources[place] = resources.get(place, 0) + fact.dealt


@folds(combat.ResourceSpent, touches="combatants")
def _resource(state: Encounter, fact: combat.ResourceSpent) -> None:
    one, name = state.combatants[fact.who], fact.resource
    one.resources = {**one.resources, name: one.resources.get(name, 0) + fact.amount}


@folds(combat.CounterChanged, touches="combatants")
def _counter(state: Encounter, fact: combat.CounterChanged) -> None:
    one = state.combatants[fact.who]
    one.counters = {**one.counters, fact.counter: fact.value}
    if not fact.value:
        del one.counters[fact.counter]


@folds(combat.InjurySuffered, touches="combatants")
def _injury(state: Encounter, fact: combat.InjurySuffered) -> None:
    state.combatants[fact.who].injuries += (fact.name,)


@folds(combat.AbilityChanged, touches="combatants")
def _ability(state: Encounter, fact: combat.AbilityChanged) -> None:
    losses = state.combatants[fact.who].losses
    for name, points in ((fact.ability, fact.damage), (f"{fact.ability} drain", fact.drain)):
        losses.pop(name, None)
        if points:
            losses[name] = points


@folds(combat.FeatsChanged, touches="combatants")
def _feats(state: Encounter, fact: combat.FeatsChanged) -> None:
    one = state.combatants[fact.who]
    one.sheet = intern_sheet(without_feats(printed_sheet(one), fact.unusable))
    one.unusable = fact.unusable


@folds(combat.FormChanged, touches="combatants")
def _form(state: Encounter, fact: combat.FormChanged) -> None:
    one = state.combatants[fact.who]
    if not fact.shifted:
        one.true_form, one.melded = None, ()
    elif one.true_form is None:
        one.true_form, one.melded = one.sheet, one.held
    one.sheet, one.space, one.reach, one.held = intern_sheet(fact.sheet), fact.space, fact.reach, fact.held


@folds(combat.MaximumChanged, touches="combatants")
def _maximum(state: Encounter, fact: combat.MaximumChanged) -> None:
    state.combatants[fact.who].max_hp = fact.max_hp


@folds(combat.AfflictionHeld, touches="combatants")
def _afflicted(state: Encounter, fact: combat.AfflictionHeld) -> None:
    combatant = state.combatants[fact.who]
    held = Affliction(fact.id, fact.rider, fact.by, fact.dc, fact.round, fact.minute, fact.treated)
    combatant.afflictions = (*(one for one in combatant.afflictions if one.id != fact.id), held)


@folds(combat.AfflictionEnded, touches="combatants")
def _relieved(state: Encounter, fact: combat.AfflictionEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.afflictions = tuple(one for one in combatant.afflictions if one.id != fact.id)


# --- Folding declarations, turns and the course of the encounter


@folds(flow.EncounterOpened, touches="everything")
def _opened(state: Encounter, fact: flow.EncounterOpened) -> None:
    state.name, state.dialect, state.options = fact.name, fact.dialect, dict(fact.options)
    state.terrain, state.commitment = fact.terrain, fact.commitment
    state.barriers, state.tables = fact.barriers, fact.tables
    state.ground = fact.ground
    state.packages = fact.packages or ()
    state.until_closed, state.things_lie = fact.until_closed, fact.things_lie
    state.defaults = fact.defaults
    state.words = fact.words or NO_WORDS


@folds(flow.SeedContributed, touches="nothing")
def _contributed(state: Encounter, fact: flow.SeedContributed) -> None:
    state.contributions = (*state.contributions, (fact.by, fact.words))


@folds(flow.ChainBegun, touches="nothing")
def _chain_begun(state: Encounter, fact: flow.ChainBegun) -> None:
    # A chain that replaces a used-up one goes to the end: chains are in the order of their beginning.
    state.chains.pop(fact.by, None)
    state.chains[fact.by] = Chain(fact.anchor, fact.length, state.declarations, 0, fact.anchor)


@folds(flow.LinkGiven, touches="nothing")
def _link_given(state: Encounter, fact: flow.LinkGiven) -> None:
    chain = state.chains[fact.by]
    # If declarations were swapped, an earlier link may come after a later one.
    if fact.number > chain.number:
        state.chains[fact.by] = replace(chain, number=fact.number, last=fact.link)
    state.pending = None


@folds(flow.ChainLeft, touches="nothing")
def _chain_left(state: Encounter, fact: flow.ChainLeft) -> None:
    del state.chains[fact.by]
    state.pending = None


@folds(flow.OptionsChanged, touches="everything")
def _options(state: Encounter, fact: flow.OptionsChanged) -> None:
    state.options.update(fact.options)
    restores = fact.restores or {}
    for option in fact.options:
        if option in restores:
            state.restores.setdefault(option, restores[option])
        else:
            state.restores.pop(option, None)


@folds(flow.CombatantEntered, touches="everything")
def _entered(state: Encounter, fact: flow.CombatantEntered) -> None:
    new(state, fact.id)
    state.combatants[fact.id] = Combatant(
        id=fact.id,
        side=fact.side,
        sheet=intern_sheet(without_feats(fact.sheet, fact.unusable or ())),
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
        unusable=fact.unusable or (),
    )


@folds(flow.Declared, touches="nothing")
def _declared(state: Encounter, fact: flow.Declared) -> None:
    if fact.id.startswith(flow.REFUSED):
        state.refusals += 1
    else:
        state.declarations += 1


@folds(flow.Asked, touches="combatants")
def _asked(state: Encounter, fact: flow.Asked) -> None:
    state.pending = Question(
        fact.key, fact.who, fact.question, fact.options, fact.rule, fact.notation, fact.key.split("/")[0]
    )


@folds(flow.Chosen, flow.Rolled, touches="nothing")
@folds(flow.Ruled, touches="combatants")
def _answered(state: Encounter, fact: object) -> None:
    # For a roll too: a die that a player was asked to roll is an answer.
    state.pending = None


@folds(flow.AwarenessSettled, touches="combatants")
def _awareness(state: Encounter, fact: flow.AwarenessSettled) -> None:
    there(state, fact.aware, fact.surprised)
    state.begun = True
    for combatant in state.combatants.values():
        combatant.aware = combatant.id not in fact.surprised


@folds(flow.InitiativeRolled, touches="combatants")
def _initiative(state: Encounter, fact: flow.InitiativeRolled) -> None:
    combatant = state.combatants[fact.who]
    combatant.initiative, combatant.initiative_modifier = fact.total, fact.modifier


@folds(flow.OrderSet, touches="combatants")
def _order(state: Encounter, fact: flow.OrderSet) -> None:
    state.order = in_order(state, fact.order)


@folds(flow.RoundBegan, touches="round")
def _round_began(state: Encounter, fact: flow.RoundBegan) -> None:
    state.round, state.turn, state.active, state.phase = fact.number, 0, "", fact.phase
    for combatant in state.combatants.values():
        combatant.plan = ()


@folds(flow.PhaseChanged, touches="combatants")
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
    for kind in fact.also or ():
        spent[kind] = spent.get(kind, 0) + fact.amount


@folds(flow.ReactionSpent, touches="nothing")
def _reacted(state: Encounter, fact: flow.ReactionSpent) -> None:
    combatant = state.combatants[fact.who]
    combatant.reactions[fact.kind] = combatant.reactions.get(fact.kind, 0) + fact.amount
    if fact.opportunity:
        combatant.opportunities += (fact.opportunity,)


@folds(flow.PlanMade, touches="plan")
def _planned(state: Encounter, fact: flow.PlanMade) -> None:
    state.combatants[fact.who].plan = fact.actions


@folds(flow.TurnDelayed, touches="combatants")
def _delayed(state: Encounter, fact: flow.TurnDelayed) -> None:
    combatant = state.combatants[fact.who]
    combatant.delaying, combatant.waited = True, state.round


@folds(flow.InitiativeChanged, touches="combatants")
def _reordered(state: Encounter, fact: flow.InitiativeChanged) -> None:
    state.combatants[fact.who].initiative = fact.value
    state.order = in_order(state, fact.order)


@folds(flow.ActReadied, touches="combatants")
def _readied(state: Encounter, fact: flow.ActReadied) -> None:
    state.combatants[fact.who].readied = fact.act


@folds(flow.ReadyEnded, touches="combatants")
def _ready_ended(state: Encounter, fact: flow.ReadyEnded) -> None:
    state.combatants[fact.who].readied = None


@folds(flow.CastingBegan, touches="combatants")
def _casting_began(state: Encounter, fact: flow.CastingBegan) -> None:
    combatant = state.combatants[fact.who]
    if fact.when:
        combatant.brewing += (Brewing(fact.act, fact.due, fact.when),)
        return
    combatant.casting, combatant.casting_due = fact.act, fact.due


@folds(flow.CastingEnded, touches="combatants")
def _casting_ended(state: Encounter, fact: flow.CastingEnded) -> None:
    combatant = state.combatants[fact.who]
    if fact.spell:
        place = next(at for at, one in enumerate(combatant.brewing) if one.act.spell == fact.spell)
        combatant.brewing = (*combatant.brewing[:place], *combatant.brewing[place + 1 :])
        return
    combatant.casting, combatant.casting_due = None, 0


@folds(flow.EncounterClosed, touches="combatants")
def _closed(state: Encounter, fact: flow.EncounterClosed) -> None:
    state.closed, state.seed, state.active = fact.reason, fact.seed, ""


@folds(flow.TimePassed, touches="combatants")
def _time(state: Encounter, fact: flow.TimePassed) -> None:
    state.minutes += fact.minutes
    if fact.rounds is UNSET:
        return
    for one in state.combatants.values():
        for name, held in one.conditions.items():
            if held.until.round:
                one.conditions[name] = replace(held, until=sooner(held.until, fact.rounds))
        one.effects = tuple(
            replace(held, until=sooner(held.until, fact.rounds)) if held.until.round else held
            for held in one.effects
        )


def sooner(until: Until, rounds: int) -> Until:
    """Return a moment so many rounds earlier."""
    return replace(until, round=until.round - rounds)


CHANGING: frozenset[str] = frozenset(TAG_OF[fact] for fact in HANDLERS if fact is not flow.Rolled)
"""Types of events that change the state; a roll only does while the fight waits for it."""


def apply(state: Encounter, fact: object) -> None:
    """Apply `fact` to `state`. O(1) apart from the size of one combatant."""
    handler = HANDLERS.get(type(fact))
    if handler is not None:
        handler(state, fact)


def fold(events: Iterable[Event], state: Encounter | None = None) -> Encounter:
    """Return the state after `events`, continuing from `state` (which is changed) or from nothing.

    O(events). Raises BrokenLog or NewerLog as `decode` does, and BrokenLog for a fact that cannot follow its
    predecessors (about a combatant that never entered); never skips an event that changes the state, and
    never decodes one that does not.
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
                raise impossible_event_error(event, error) from None
    return state


def impossible_event_error(event: Event, error: Exception) -> BrokenLog:
    """Return the message about an event that cannot follow its predecessors.

    Its digest is right, but its content is nonsense: it was not written by the rules.
    """
    reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
    return BrokenLog(event.stream, event.seq, reason)


TAG_NAMES: frozenset[str] = frozenset(TAG_OF.values())
