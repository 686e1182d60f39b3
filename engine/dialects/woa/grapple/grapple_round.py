"""A round of grappling: who may act, who is ahead next, whether it goes to the ground (woa.grapple.*)."""

from affray.engine.dialects.woa.grapple.grapple_check import declared_activity, grapple_side
from affray.engine.dialects.woa.grapple.grapple_outcomes import (
    Bout,
    outcome_of,
    outcome_row,
    roll_grapple_checks,
)
from affray.engine.dialects.woa.grapple.grapple_state import (
    AHEAD,
    can_wrestle,
    grappled_at_round_start,
    holds_and_locks,
    loosen,
    members_of_grapple,
    opponents,
)
from affray.engine.dialects.woa.grapple.grapple_words import CHANGED, MARGIN, needs_no_win
from affray.engine.fight.fight import Fight
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

#: What a grappler gives the other one up by, when it is all that it means to do.
YIELDING = ("escape", "escape-artist", "release", "nothing")


def lets_go(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a grappler simply releases opponents who are not trying to go on with it.

    woa.grapple.activity.release.
    """
    return declared_activity(combatant) == "release" and all(
        declared_activity(other) in YIELDING or not can_wrestle(fight, other)
        for other in opponents(fight, combatant)
    )


def settle_grapple(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make the round's check of the grapple that `combatant` is in, unless it was made already.

    Afterwards all who took part know their margin (what they have spent on MARGIN); who may not act is
    "held in check" (woa.grapple.check, .outcome.*, .multiple.*).
    """
    members = [one for one in members_of_grapple(fight, combatant) if grappled_at_round_start(fight, one)]
    if any(MARGIN in one.spent for one in members) or combatant not in members:
        return
    wrestling = [one for one in members if can_wrestle(fight, one) and not lets_go(fight, one)]
    pairs = {one.id: [other for other in opponents(fight, one) if other in wrestling] for one in wrestling}
    rolling = [one for one in wrestling if pairs[one.id]]
    bout = Bout(
        fight,
        {one.id: grapple_side(fight, one, pairs[one.id], rolling) for one in rolling},
        {one.id: [other.id for other in pairs[one.id]] for one in rolling},
    )
    yield from roll_grapple_checks(bout)
    outcome = fight.rules("woa.grapple.outcome.rule", "woa.grapple.outcome-table")
    margins = {one.id: bout.margin(one.id) for one in rolling}
    for one in rolling:
        yield from shift_advantage(bout, one)
    for one in members:
        if one.id in margins:
            beaten = margins[one.id]
            topic = outcome_of(fight, beaten)
            acts = outcome_row(fight, beaten)["winner_action"] == "takes declared action" and beaten > 0
            said = "ties" if not beaten else f"{'wins' if beaten > 0 else 'loses'} by {abs(beaten)}"
            yield check_of_round_made(one, said, beaten, *outcome, fight.rule(topic))
            if not acts and speaks_freely(one):
                what = "may cast with words alone all the same"
                rule = fight.rule("woa.grapple.activity.cast-components")
                yield RuleApplied(who=one.id, what=what, cites=(rule,))
            elif not acts:
                until = Until("round-end", "", fight.state.round)
                yield ConditionGained(
                    who=one.id,
                    condition="held in check",
                    source="the grapple",
                    until=until,
                    cites=(*outcome, fight.rule(topic)),
                )
        elif can_wrestle(fight, one):
            yield from act_unopposed(fight, one)


def act_unopposed(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a grappler act whom nobody able keeps from it: it need win no check.

    woa.grapple.activity.release, woa.maneuver.helpless-auto.
    """
    released = any(lets_go(fight, other) for other in [combatant, *opponents(fight, combatant)])
    topic = "woa.grapple.activity.release" if released else "woa.maneuver.helpless-auto"
    won = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    yield check_of_round_made(combatant, "meets no resistance", won, fight.rule(topic))


def check_of_round_made(combatant: Combatant, said: str, amount: int, *cites: str) -> ActionSpent:
    """Return the fact that the check of this round is made, and by how much it was won."""
    return ActionSpent(who=combatant.id, kind=MARGIN, what=said, amount=amount, cites=cites)


def speaks_freely(combatant: Combatant) -> bool:
    """Say whether a grappler means to cast, and has a spell for which no check need be won."""
    if declared_activity(combatant) != "cast":
        return False
    return any(needs_no_win(spell) for spell in combatant.sheet.spells)


def shift_advantage(bout: Bout, combatant: Combatant) -> Steps[None]:
    """Give or take the advantage in the next round; without it no pin or lock lasts.

    Each compares its own result with the best of its opponents (woa.grapple.multiple.advantage,
    woa.grapple.advantage, woa.grapple.hold.pin.duration).
    """
    fight, ahead = bout.fight, bout.lead(combatant.id)
    winner = outcome_row(fight, ahead)["advantage_next_round"] == "winner"
    has, had = ahead > 0 and winner, AHEAD in combatant.conditions
    topics = [outcome_of(fight, ahead)]
    others = [bout.wrestlers[other].who for other in bout.against[combatant.id]]
    if len(others) > 1 or any(len(opponents(fight, other)) > 1 for other in others):
        topics.append("woa.grapple.multiple.advantage")
    cites = fight.rules("woa.grapple.advantage", *topics)
    if has == had:
        return
    if has:
        yield ConditionGained(who=combatant.id, condition=AHEAD, source="the grapple check", cites=cites)
    else:
        yield ConditionLost(who=combatant.id, condition=AHEAD, why="lost the check", cites=cites)
        rule = fight.rule("woa.grapple.hold.pin.duration")
        for other in opponents(fight, combatant):
            if holds_and_locks(fight, combatant, other):
                yield from loosen(fight, other, combatant, f"{combatant.id} has lost the advantage", rule)
    said = "gains the advantage" if has else "loses the advantage"
    yield ActionSpent(who=combatant.id, kind=CHANGED, what=said, cites=cites)


def to_the_ground(fight: Fight) -> Steps[None]:
    """At a round's end, let each grapple whose advantage has changed go to the ground perhaps.

    One that is there already stays there; so do pins (woa.grapple.going-to-ground).
    """
    seen: set[str] = set()
    topic = "woa.grapple.going-to-ground"
    for one in list(fight.state.combatants.values()):
        if "grappling" not in one.conditions or one.id in seen:
            continue
        members = members_of_grapple(fight, one)
        seen.update(each.id for each in members)
        standing = [each for each in members if "prone" not in each.conditions]
        if not standing or not any(CHANGED in each.spent for each in members):
            continue
        rolled = yield Roll(one.id, "ground", "1d100")
        chance = fight.figure(topic, "chance_percent")
        falls = rolled.total <= chance
        where = "goes to the ground" if falls else "stays on its feet"
        what = f"{rolled.total} of {chance}: the grapple {where}"
        yield RuleApplied(who=one.id, what=what, cites=(fight.rule(topic),))
        for each in standing if falls else ():
            yield ConditionGained(
                who=each.id, condition="prone", source="the grapple", cites=(fight.rule(topic),)
            )
