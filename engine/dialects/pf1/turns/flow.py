"""What Pathfinder does differently about rounds and turns: surprise, swift and immediate actions."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.pf1.senses.notice import AWARENESS, settle_awareness
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.turns import allowance
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.flow import with_own_initiative
from affray.engine.steps import Refusal, Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    InitiativeRolled,
    ReadyEnded,
    RoundBegan,
    RuleApplied,
)
from affray.projections.state import Combatant


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Roll everybody's initiative, then settle awareness; if it is mixed, a surprise round comes first.

    In it only the aware act, in the order that holds for the whole fight; mounts that are guided have their
    riders' place in it (pf1.flow.sequence, pf1.surprise-round.*, pf1.mount.control). Of those who come in
    secret checks decide who is aware of them (pf1.surprise.awareness-checks).
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
    """Return what a turn allows that allows anything, with a swift action among it (pf1.action.swift).

    A move action may take the place of the standard one, and of what is left of a full attack
    (pf1.action.move-for-standard, pf1.full-attack.stop). The surprise round is of restricted activity
    (pf1.action.restricted). The nauseated have a move action
    alone (pf1.cond.nauseated).
    """
    topic = allowed.topic
    if "nauseated" in combatant.conditions:
        return replace(allowed, swift_topic="pf1.cond.nauseated")
    if fight.state.round == 0 and topic == allowance.SINGLE.topic:
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

    On the own turn it is the turn's swift action; out of turn it uses up that of the coming turn. Never
    while flat-footed (pf1.action.immediate).
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
    """Return the rule of a step by whoever covers no distance (pf1.action.five-foot-when-still)."""
    return fight.rules("pf1.action.five-foot-when-still")


def cite_free_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Let a 5-foot step be a free action, by the diagram's caption (five_foot_step_action)."""
    if fight.option("five_foot_step_action") == "free-action":
        rule = fight.rule("pf1.aoo.diagram-five-foot-step")
        yield ActionSpent(who=act.actor, kind="free", what="5-foot step", cites=(rule,))
        yield RuleApplied(who=act.actor, what="five_foot_step_action: free-action", cites=(rule,))


def opportunities_unaware(fight: Fight, combatant: Combatant, found: tuple[int, str]) -> tuple[int, str]:
    """Return how many opportunities there are before the first turn: none but by uncanny dodge.

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
    """Return how many times its speed a combatant runs in any armor, 0 if it matters (run_heavy_armor)."""
    if fight.option("run_heavy_armor") != "times-four":
        return 0
    return int(fight.figure("pf1.speed.run", "multiplier"))


def cite_disturbed_caster(
    fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready, taking: Steps[None]
) -> Steps[None]:
    """Take what was readied; what disturbs a casting does so by a rule of its own.

    Damage by it calls for a concentration check (pf1.ready.caster, pf1.ready.counterspell).
    """
    if plan.trigger.what != "casts":
        return taking
    counters = type(plan.then) is acts.Counter
    rule = fight.rule("pf1.ready.counterspell" if counters else "pf1.ready.caster")

    def cited(fact: Any) -> Any:
        if not isinstance(fact, ReadyEnded):
            return fact
        return replace(fact, cites=(*fact.cites, rule))

    return altered(taking, cited)
