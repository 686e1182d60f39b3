"""Hits on the mount that its rider averts (srd35.feat.mounted-combat, pf1.feat.mounted)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.mounted.rider_and_mount import guides, rider_of
from affray.engine.rules.mounted.riding import ride_parts
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

FEAT, TOPIC = "mounted combat", "feat.mounted-combat"


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat undo a hit on the mount, once a round, by a Ride check.

    The check must beat the attack roll (srd35.feat.mounted-combat).
    """
    rider = rider_of(fight, blow.target)
    if rider is None or not (yield from tries_to_avert(fight, rider, blow)):
        return False
    return (yield from beats_attack_roll(fight, rider, blow))


def tries_to_avert(fight: Fight, rider: Combatant, blow: Blow) -> Steps[bool]:
    """Ask a rider who has the feat, and has not tried this round, whether it tries to avert a hit."""
    if not has_feat(rider, FEAT) or not guides(fight, rider):
        return False
    rule = fight.rule(TOPIC)
    if rider.reactions.get(FEAT, 0) >= fight.figure(TOPIC, "per_round"):
        yield RuleApplied(who=rider.id, what="has averted a blow this round already", cites=(rule,))
        return False
    question = f"{blow.attacker.id} hits {blow.target.id}: does {rider.id} try to avert the blow?"
    return bool((yield Choice(rider.id, "avert", question, ("try", "decline"), rule)) == "try")


def beats_attack_roll(fight: Fight, rider: Combatant, blow: Blow) -> Steps[bool]:
    """Spend the one attempt of the round; return whether the Ride check beats the attack roll."""
    rule = fight.rule(TOPIC)
    yield ReactionSpent(who=rider.id, kind=FEAT, against=blow.attacker.id, opportunity="", cites=(rule,))
    parts = ride_parts(fight, rider, blow.target, rule)
    # To beat the attack roll is to reach one more.
    done = yield from check(
        fight, rider, "ride", parts, blow.outcome.total + 1, rule, why="against the attack roll"
    )
    if done:
        yield RuleApplied(who=rider.id, what=f"averts the blow from {blow.target.id}", cites=(rule,))
    return done
