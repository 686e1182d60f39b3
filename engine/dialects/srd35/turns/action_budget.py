"""What a turn allows in srd35: halves of a full round, free actions, and which actions provoke.

srd35.action.*, srd35.actions-table.*.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.magic.quickened_spells import has_used_next_swift, swift_in_play
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.turns import allowance
from affray.engine.rules.turns.split_full_round import begun_effect, name_of, refuse_no_half, spend_half
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: What most turns allow, with the rules by which a move action stands for something else.
USUAL = replace(
    allowance.FULL,
    swap="srd35.action.move-for-standard",
    break_off="srd35.full-attack.decide",
    swift_topic="srd35.action.swift-immediate",
)


#: A turn that no condition restricts, where no swift actions are in play.
UNHINDERED = (
    "fight.state.round and not conditions"
    " and 'swift_actions' not in fight.state.options and fight.dialect.options['swift_actions'] == 'none'"
)


def unrestricted_allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return what a turn allows that nothing restricts."""
    return USUAL


def restricted(fight: Fight, combatant: Combatant, allowed: Allowance) -> Allowance:
    """Return what this turn allows, with what stands for something else in it.

    In the surprise round perhaps no move (surprise_round_action), perhaps one swift action a turn, which the
    core rules do not know (swift_actions).
    """
    if (
        fight.state.round == 0
        and allowed == allowance.SINGLE
        and fight.option("surprise_round_action") == "standard-only"
    ):
        return Allowance(1, 0, 1, False, 0, 1, "srd35.surprise.round")
    usual = USUAL if allowed == allowance.FULL else allowed
    if allowed == allowance.SINGLE:
        usual = replace(allowed, total=fight.formula("srd35.action.restricted", "budget"))
    return with_swift_action(fight, combatant, usual) if allowed.total and swift_in_play(fight) else usual


def with_swift_action(fight: Fight, combatant: Combatant, allowed: Allowance) -> Allowance:
    """Return what a turn allows, with a swift action unless an immediate one has anticipated it."""
    if has_used_next_swift(combatant):
        return allowed
    return replace(allowed, swift=fight.figure("srd35.action.swift-immediate", "swift_per_turn"))


def rule_of_table(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Return the rule to cite where the table has an action of that column provoke, or not provoke.

    `column` is "move", "full-round", "free", "none" or "varies"; nothing where the table says otherwise.

    srd35.actions-table.free, srd35.actions-table.full-round, srd35.actions-table.none,
    srd35.actions-table.varies.
    """
    topic = f"actions-table.{column}"
    found = fight.figure(topic, f"action={action}", "provokes") == "yes"
    return (fight.rule(topic),) if found == provokes else ()


def tell_safe(fight: Fight, combatant: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Where enemies threaten, say of an action that the table calls safe that it gives them no opening."""
    cites = rule_of_table(fight, column, action, False)
    if cites and any(endangers(fight, enemy, combatant) for enemy in fight.enemies(combatant)):
        yield RuleApplied(who=combatant.id, what=f"{what} does not provoke", cites=cites)


def rules_of_short_step(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rules that leave room for a 5-foot step: no distance covered, and what it goes with.

    srd35.action.five-foot-when-no-distance, srd35.full-attack.step.
    """
    between = ("srd35.full-attack.step",) if combatant.spent.get("full-round") else ()
    return fight.rules("srd35.action.five-foot-when-no-distance", *between)


def is_reasonable(fight: Fight, combatant: Combatant, what: str) -> Steps[bool]:
    """Ask the game master whether a further free action of a turn is still reasonable; return the answer.

    The first one of a turn always is.
    """
    taken = combatant.spent.get("free", 0)
    if not taken:
        return True
    rule = fight.rule("srd35.action.free-limit")
    so_far = f"{taken} free {'action' if taken == 1 else 'actions'}"
    question = f"{combatant.id} has taken {so_far}: is it time to {what}?"
    if (yield Choice("", "free-limit", question, ("allow", "refuse"), rule)) == "allow":
        return True
    yield RuleApplied(who=combatant.id, what=f"no time is left to {what}", cites=(rule,))
    return False


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with a standard action, or complete what was begun last turn with another.

    Not a full attack, a charge, a run or a withdrawal.
    """
    actor = fight.combatant(act.actor)
    then = replace(act.then, actor=actor.id)
    rule = fight.rule("srd35.action.full-round-split")
    if name_of(then) in fight.figure("srd35.action.full-round-split", "excluded"):
        raise Refusal(f"a {name_of(then)} cannot be split", rule)
    refuse_no_half(fight, actor, then, rule)
    yield from spend_half(fight, actor, then, rule, begun_effect(actor, then))
