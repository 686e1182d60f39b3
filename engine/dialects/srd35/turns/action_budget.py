"""What a turn allows in srd35, and what stands for something else in it (srd35.action.*)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.magic.quickened_spells import anticipated, swift_in_play
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.rules.turns import allowance
from affray.projections.state import Combatant

#: What most turns allow, with the rules by which a move action stands for something else.
USUAL = replace(
    allowance.FULL,
    swap="action.move-for-standard",
    break_off="full-attack.decide",
    swift_topic="action.swift-immediate",
)


def allowance_by_options(fight: Fight, who: Combatant) -> Allowance:
    """Return what this turn allows.

    In the surprise round perhaps no move (surprise_round_action), perhaps one swift action a turn, which the
    core rules do not know (swift_actions).
    """
    if fight.state.round and not who.conditions and not swift_in_play(fight):
        return USUAL
    allowed = allowance.allowance(fight, who)
    if (
        fight.state.round == 0
        and allowed == allowance.SINGLE
        and fight.option("surprise_round_action") == "standard-only"
    ):
        return Allowance(1, 0, 1, False, 0, 1, "surprise.round")
    usual = USUAL if allowed == allowance.FULL else allowed
    if allowed == allowance.SINGLE:
        usual = replace(allowed, total=fight.formula("action.restricted", "budget"))
    if swift_in_play(fight) and allowed.total and not anticipated(who):
        return replace(usual, swift=fight.figure("action.swift-immediate", "swift_per_turn"))
    return usual
