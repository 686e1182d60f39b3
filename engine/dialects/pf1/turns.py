"""Turns: the flow of rounds, initiative, actions and what they allow, delaying and readying."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import abilities
from affray.engine.dialects.pf1.grapple import TIED, action_of
from affray.engine.dialects.pf1.maneuvers.trip_and_disarm import feint_action, recovering_action
from affray.engine.dialects.pf1.senses import AWARENESS, settle_awareness
from affray.engine.fight.fight import Fight
from affray.engine.record.chapters import NO_ACTION, SEVERAL, Allowance
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.gear.handling import kind_of_handling
from affray.engine.rules.gear.nets import is_in_net, is_to_be_folded
from affray.engine.rules.magic.concentration import named_spell
from affray.engine.rules.turns import actions
from affray.engine.rules.turns.actions import (
    COMMON,
    FREE,
    FULL_ROUND,
    IMMEDIATE,
    MOVE,
    STANDARD,
    ActionType,
    of_guiding,
    of_touching,
    refuse_unless_allowed,
)
from affray.engine.rules.turns.flow import with_own_initiative
from affray.engine.steps import Refusal, Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    InitiativeChanged,
    InitiativeRolled,
    OrderSet,
    ReadyEnded,
    RoundBegan,
    RuleApplied,
    TurnEnded,
)
from affray.projections.state import Combatant, Effect

# --- The action type of each declaration in pf1
# pf1.action.types, pf1.actions-table.*, pf1.maneuver.modes.


def of_activating(fight: Fight, user: Combatant, act: acts.Activate) -> str:
    """Return a standard action for using a magic item, unless it says otherwise (pf1.cast.items)."""
    item = named_spell(user, act.item)
    return STANDARD if item is None else str(fight.dialect.magic.casting_action(fight, user, item)[0])


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """Return the action type of a special ability; refuse one that the combatant does not have."""
    abilities.refuse_ability(fight, replace(act, actor=combatant.id))
    return abilities.OF[act.ability][2]


#: Modes of movement that take the full round: the minimum movement, and into a space tighter than the body.
WHOLE_WAYS: Final = ("minimum", "wriggle")


def of_move(fight: Fight, mover: Combatant, act: acts.Move) -> str:
    """Return the action type of a mode of movement: some take the full round, a double move two moves."""
    if act.how == "double":
        return SEVERAL
    return FULL_ROUND if act.how in WHOLE_WAYS else MOVE


def of_getting_free(fight: Fight, captive: Combatant, act: acts.GetFree) -> str:
    """Return a standard action for getting out of ropes, full rounds for a net (pf1.gear.splash-ref)."""
    return FULL_ROUND if is_in_net(captive) and TIED not in captive.conditions else STANDARD


def of_attack(fight: Fight, attacker: Combatant, act: acts.Attack) -> str:
    """Return a standard action for an attack, a full round for one lined up at an object (pf1.object.ac)."""
    return FULL_ROUND if act.aim else STANDARD


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """Return the action type of loading: by the crossbow; folding a net takes full rounds
    (pf1.gear.splash-ref).
    """
    if is_to_be_folded(fight, replace(act, actor=combatant.id)):
        return FULL_ROUND
    usual = COMMON[acts.Load]
    return usual if isinstance(usual, str) else usual(fight, combatant, act)


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: of_activating,
    acts.Attack: of_attack,
    acts.Counter: STANDARD,
    acts.Dismiss: STANDARD,
    acts.Demoralize: STANDARD,
    acts.Handle: kind_of_handling,
    acts.Load: of_loading,
    acts.LowerResistance: STANDARD,
    acts.Maintain: STANDARD,
    acts.Redirect: MOVE,
    acts.Burst: STANDARD,
    acts.BullRush: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.DirtyTrick: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Drag: STANDARD,
    acts.Extinguish: FULL_ROUND,
    acts.Envenom: STANDARD,
    acts.Feint: lambda fight, combatant, act: feint_action(combatant),
    acts.BreakFree: STANDARD,
    acts.GetFree: of_getting_free,
    acts.Grapple: action_of,
    acts.Guide: lambda fight, rider, act: IMMEDIATE if act.what == "cover" else of_guiding(fight, rider, act),
    acts.Mount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path or act.how == "snipe" else NO_ACTION,
    acts.Jump: MOVE,
    acts.Seek: lambda fight, combatant, act: NO_ACTION if act.reactive else MOVE,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Recover: lambda fight, combatant, act: recovering_action(combatant, act.condition) or MOVE,
    acts.Reposition: STANDARD,
    acts.Move: of_move,
    acts.Prepare: FULL_ROUND,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Shelter: STANDARD,
    acts.Skirmish: FULL_ROUND,
    acts.Split: STANDARD,
    acts.Trample: FULL_ROUND,
    acts.TendFeet: STANDARD,
    acts.Touch: of_touching,
    acts.TurnUndead: STANDARD,
    acts.UseAbility: of_ability,
    acts.Steal: STANDARD,
    acts.Sunder: STANDARD,
    acts.Trip: STANDARD,
}


# --- Pathfinder's differences in rounds and turns: surprise, swift and immediate actions


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Roll all initiatives, then determine awareness; if it is mixed, a surprise round comes first.

    In it only the aware act, in the order that holds for the whole fight; guided mounts have their riders'
    place in it (pf1.flow.sequence, pf1.surprise-round.*, pf1.mount.control). Checks decide who notices the
    stealthy (pf1.surprise.awareness-checks).
    """
    noticing = settle_awareness(fight, act)
    everybody = tuple(fight.state.combatants)
    own = with_own_initiative(fight, everybody)
    for id in own:
        rolling = fight.dialect.turns.initiative(fight, fight.state.combatants[id])
        yield from reciting(rolling, InitiativeRolled, fight.rule("pf1.flow.step-roll-initiative"))
    yield from fight.dialect.turns.order(fight, own)
    found = yield from noticing
    unaware = tuple(id for id in everybody if id in found)
    aware = tuple(id for id in everybody if id not in found)
    mixed = any(id in unaware for id in own) and any(id in aware for id in own)
    why = "pf1.surprise.per-combatant" if mixed else "pf1.surprise-round.none-if-uniform"
    by_checks = (AWARENESS,) if act.stealthy else ()
    topics = fight.rules("pf1.flow.step-awareness", "pf1.surprise.definition", why, *by_checks)
    yield AwarenessSettled(aware=aware, surprised=unaware if mixed else (), cites=topics)
    if mixed:
        cites = fight.rules("pf1.surprise-round.trigger", "pf1.surprise-round.who-and-order")
        yield RoundBegan(number=0, cites=(*cites, fight.rule("pf1.surprise-round.unaware-cannot-act")))
    else:
        yield from fight.dialect.turns.open_round(fight, act.round)


STOP = "pf1.full-attack.stop"


def add_swift_action(fight: Fight, combatant: Combatant, allowed: Allowance) -> Allowance:
    """Return the actions of a turn that allows any, with a swift action among them (pf1.action.swift).

    A move action may replace the standard one, and the rest of a full attack (pf1.action.move-for-standard,
    pf1.full-attack.stop). The surprise round has restricted activity (pf1.action.restricted). The nauseated
    only have a move action (pf1.cond.nauseated).
    """
    topic = allowed.topic
    if "nauseated" in combatant.conditions:
        return replace(allowed, swift_topic="pf1.cond.nauseated")
    if fight.state.round == 0 and topic == actions.SINGLE.topic:
        topic = "pf1.surprise-round.actions"
        allowed = replace(allowed, total=fight.formula("pf1.action.restricted", "budget"))
    return replace(
        allowed,
        swift=fight.figure("pf1.action.swift", "per_turn"),
        topic=topic,
        swap="pf1.action.move-for-standard",
        break_off=STOP,
        swift_topic="pf1.action.swift",
    )


def count_immediate_action(fight: Fight, combatant: Combatant, opening: Steps[None]) -> Steps[None]:
    """Begin a turn; an immediate action taken since the last one has used its swift action."""
    advanced = combatant.spent.get("immediate", 0)
    yield from opening
    if advanced:
        rule = fight.rule("pf1.action.immediate")
        yield ActionSpent(who=combatant.id, kind="swift", what="taken as an immediate action", cites=(rule,))


def refuse_immediate(fight: Fight, combatant: Combatant) -> str:
    """Refuse an immediate action that may not be taken now; return the kind of action it uses up.

    In the combatant's own turn it is the turn's swift action; out of turn it uses up that of the coming turn.
    Never while flat-footed (pf1.action.immediate).
    """
    rule = fight.rule("pf1.action.immediate")
    allowed = fight.dialect.turns.allowance(fight, combatant)
    refuse_down(fight, combatant, "take an immediate action")
    if not allowed.swift:
        because = fight.rule(allowed.swift_topic) if allowed.swift_topic else rule
        raise Refusal(f"{combatant.id} can take no immediate action now", because)
    if not combatant.acted or "flat-footed" in combatant.conditions:
        raise Refusal(f"{combatant.id} is flat-footed and takes no immediate action", rule)
    if fight.state.active == combatant.id:
        refuse_unless_allowed(fight, combatant, "swift")
        return "swift"
    if not fight.state.begun or fight.state.closed:
        refuse_unless_allowed(fight, combatant, "swift")
    if combatant.spent.get("immediate"):
        raise Refusal(f"{combatant.id} has used the swift action of the coming turn already", rule)
    return "immediate"


def rules_of_short_step(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rule on a step without other movement (pf1.action.five-foot-when-still)."""
    return fight.rules("pf1.action.five-foot-when-still")


def cite_free_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Make a 5-foot step a free action, by the diagram's caption (five_foot_step_action)."""
    if fight.option("five_foot_step_action") == "free-action":
        rule = fight.rule("pf1.aoo.diagram-five-foot-step")
        yield ActionSpent(who=act.actor, kind="free", what="5-foot step", cites=(rule,))
        yield RuleApplied(who=act.actor, what="five_foot_step_action: free-action", cites=(rule,))


def opportunities_unaware(fight: Fight, combatant: Combatant, found: tuple[int, str]) -> tuple[int, str]:
    """Return how many attacks of opportunity there are before the first turn: none except by uncanny dodge.

    pf1.flat-footed.no-aoo, pf1.flat-footed.uncanny-dodge-aoo, pf1.aoo.one-per-round.
    """
    if fight.dialect.defense.uncanny_dodge(fight, combatant):
        return int(fight.figure("aoo.limit", "per_round")), "pf1.flat-footed.uncanny-dodge-aoo"
    return 0, "pf1.flat-footed.no-aoo"


def opportunities_by_feat(fight: Fight, combatant: Combatant, found: tuple[int, str]) -> tuple[int, str]:
    """Return the number of opportunities that Combat Reflexes gives, to the flat-footed too.

    pf1.aoo.combat-reflexes-count, pf1.feat.combat-reflexes.
    """
    return found[0], "pf1.aoo.combat-reflexes-count" if combatant.acted else "pf1.feat.combat-reflexes"


def once_a_move(fight: Fight, mover: Combatant) -> str:
    """Return the name of the opportunity that each move gives, "" if it is a round's (aoo_per_mover)."""
    each = fight.option("aoo_per_mover") == "once-per-move"
    return f"move:{mover.id}:{fight.declaration}" if each else ""


def run_four_times(fight: Fight, combatant: Combatant) -> int:
    """Return how many times its speed a combatant runs in any armor, 0 if armor matters (run_heavy_armor)."""
    if fight.option("run_heavy_armor") != "times-four":
        return 0
    return int(fight.figure("pf1.speed.run", "multiplier"))


def cite_disturbed_caster(
    fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready, taking: Steps[None]
) -> Steps[None]:
    """Take a readied act; if it disturbs a casting, cite the separate rule.

    Its damage takes a concentration check (pf1.ready.caster, pf1.ready.counterspell).
    """
    if plan.trigger.what != "casts":
        return taking
    counters = type(plan.then) is acts.Counter
    rule = fight.rule("pf1.ready.counterspell" if counters else "pf1.ready.caster")

    def cited(fact: object) -> object:
        if not isinstance(fact, ReadyEnded):
            return fact
        return replace(fact, cites=(*fact.cites, rule))

    return altered(taking, cited)


# --- Rounds, order and turns in pf1: the rules of the text behind each of their facts
# pf1.flow.*, pf1.round.*, pf1.initiative.*.


def set_order_by_result(fight: Fight, ids: Sequence[str], ordering: Steps[None]) -> Steps[None]:
    """Set the order of turns, the highest result first.

    pf1.initiative.order, pf1.flow.step-initiative-order.
    """
    return reciting(
        ordering, OrderSet, *fight.rules("pf1.initiative.order", "pf1.flow.step-initiative-order")
    )


def open_normal_round(fight: Fight, number: int, opening: Steps[None]) -> Steps[None]:
    """Begin a round in which every combatant has a turn: the first, or one more.

    pf1.round.everyone-acts, pf1.flow.step-first-normal-round, pf1.flow.cyclic-rounds.
    """
    which = "cyclic-rounds" if number > 1 else "step-first-normal-round"
    return reciting(opening, RoundBegan, *fight.rules("pf1.round.everyone-acts", f"pf1.flow.{which}"))


def keep_initiative_when_idle(fight: Fight, combatant: Combatant, closing: Steps[None]) -> Steps[None]:
    """End a turn; a combatant that could not act in it stays in the order
    (pf1.initiative.kept-when-unable-to-act).
    """
    rule = fight.rule("pf1.initiative.kept-when-unable-to-act")

    def cited(step: object) -> object:
        if not isinstance(step, TurnEnded) or not step.skipped:
            return step
        return replace(step, cites=(*step.cites, rule))

    return altered(closing, cited)


def change_place_by_resuming(fight: Fight, act: acts.Resume, resuming: Steps[None]) -> Steps[None]:
    """Take a delayed turn, which changes the place in the order (pf1.initiative.changed-by-action)."""
    return reciting(resuming, InitiativeChanged, fight.rule("pf1.initiative.changed-by-action"))


def change_place_by_readying(
    fight: Fight, combatant: Combatant, other: Combatant, plan: acts.Ready, taking: Steps[None]
) -> Steps[None]:
    """Take a readied action, which changes the place in the order (pf1.initiative.changed-by-action)."""
    return reciting(taking, InitiativeChanged, fight.rule("pf1.initiative.changed-by-action"))


def full_round_over(fight: Fight, condition: str, effect: Effect | None, rule: str) -> str:
    """Return the rule by which something is over: for effects from one turn to the next, the full round's.

    pf1.round.full-round-span.
    """
    to_next_turn = effect is not None and effect.until.when == "turn-start"
    return fight.rule("pf1.round.full-round-span") if to_next_turn else rule


def split_in_restricted_turn(fight: Fight, act: acts.Split, splitting: Steps[None]) -> Steps[None]:
    """Split a full-round action: the only access to it in a turn that allows less (pf1.action.restricted)."""
    if fight.dialect.turns.allowance(fight, fight.combatant(act.actor)).full:
        return splitting
    return reciting(splitting, ActionSpent, fight.rule("pf1.action.restricted"))
