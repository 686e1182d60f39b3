"""What a turn allows in srd35: halves of a full round, free actions, and which actions provoke.

srd35.action.*, srd35.actions-table.*.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.magic.quickened_spells import has_used_next_swift, swift_in_play
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.rules.turns import allowance
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


def rules_of_short_step(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rules that leave room for a 5-foot step: no distance covered, and what it goes with.

    srd35.action.five-foot-when-no-distance, srd35.full-attack.step.
    """
    between = ("srd35.full-attack.step",) if combatant.spent.get("full-round") else ()
    return fight.rules("srd35.action.five-foot-when-no-distance", *between)
