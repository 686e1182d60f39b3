"""The grapple check: who wins the round, who may act on it, who has the advantage next (woa.grapple.*)."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.dialects.woa.clinch import (
    AHEAD,
    IMMOBILE,
    LOCKS,
    able,
    began,
    holds_on,
    loosen,
    opponents,
    together,
)
from affray.engine.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.rules.abilities import size_step
from affray.engine.rules.attack import common_attack_situation
from affray.engine.rules.blow import Blow
from affray.engine.rules.checks import skill_parts
from affray.engine.rules.conditions import ruled_out
from affray.engine.rules.features import roll_parts
from affray.engine.rules.weapons import unarmed
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, ContestResolved, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

POSTURES = ("prone", "kneeling", "crouching")
#: What a grappler gives the other one up by, when it is all that it means to do.
YIELDING = ("escape", "escape-artist", "release", "nothing")
#: Under these names the round's check and a change of advantage stand among what a round has spent.
MARGIN, CHANGED = "grapple", "advantage"
HANDS = 2


class Wrestler(Struct):
    """One who takes part in a round's check: total and parts, and what came of it."""

    who: Combatant
    tally: Tally
    natural: int = 0
    cites: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The result of the check."""
        return self.natural + self.tally.total


def intent(who: Combatant) -> str:
    """Return what a grappler has declared for this round ("nothing" without a plan)."""
    return next((what for type_, what, _ in who.plan if type_ == "grapple"), "nothing")


def lets_go(fight: Fight, who: Combatant) -> bool:
    """Say whether a grappler simply releases opponents who are not trying to go on with it.

    woa.grapple.activity.release.
    """
    return intent(who) == "release" and all(
        intent(other) in YIELDING or not able(fight, other) for other in opponents(fight, who)
    )


def settle(fight: Fight, who: Combatant) -> Steps[None]:
    """Make the round's check of the grapple that `who` is in, unless it was made already.

    Afterwards all who took part know their margin (what they have spent on MARGIN); who may not act is
    "held in check" (woa.grapple.check, .outcome.*, .multiple.*).
    """
    members = [one for one in together(fight, who) if began(fight, one)]
    if any(MARGIN in one.spent for one in members) or who not in members:
        return
    wrestling = [one for one in members if able(fight, one) and not lets_go(fight, one)]
    pairs = {one.id: [other for other in opponents(fight, one) if other in wrestling] for one in wrestling}
    rolling = [one for one in wrestling if pairs[one.id]]
    checks = {}
    for one in rolling:
        checks[one.id] = yield from wrestle(fight, one, pairs[one.id], rolling)
    outcome = fight.rules("grapple.outcome.rule", "grapple.outcome-table")
    # Of two the one at an advantage is told of first, and the other's loss is the same check.
    order = sorted(rolling, key=lambda one: AHEAD not in one.conditions)
    for number, one in enumerate(order):
        if len(rolling) > HANDS or not number:
            yield resolved(fight, checks[one.id], [checks[other.id] for other in pairs[one.id]])
    margins = {
        one.id: margin(fight, checks[one.id], [checks[o.id] for o in pairs[one.id]]) for one in rolling
    }
    for one in rolling:
        yield from shift(fight, checks[one.id], [checks[other.id] for other in pairs[one.id]])
    for one in members:
        if one.id in margins:
            beaten = margins[one.id]
            topic = outcome_of(fight, beaten)
            acts = row(fight, beaten)["winner_action"] == "takes declared action" and beaten > 0
            said = "ties" if not beaten else f"{'wins' if beaten > 0 else 'loses'} by {abs(beaten)}"
            yield spent(one, said, beaten, *outcome, fight.rule(topic))
            if not acts and not speaks_freely(fight, one):
                until = Until("round-end", "", fight.state.round)
                yield ConditionGained(
                    who=one.id,
                    condition="held in check",
                    source="the grapple",
                    until=until,
                    cites=(*outcome, fight.rule(topic)),
                )
        elif able(fight, one):
            yield from unopposed(fight, one)


def unopposed(fight: Fight, who: Combatant) -> Steps[None]:
    """Let a grappler act whom nobody able keeps from it: it need win no check.

    woa.grapple.activity.release, woa.maneuver.helpless-auto.
    """
    released = any(lets_go(fight, other) for other in [who, *opponents(fight, who)])
    topic = "grapple.activity.release" if released else "maneuver.helpless-auto"
    won = fight.figure("grapple.outcome.win-by-5", "margin")
    yield spent(who, "meets no resistance", won, fight.rule(topic))


def spent(who: Combatant, said: str, amount: int, *cites: str) -> ActionSpent:
    """Return the fact that the check of this round is made, and by how much it was won."""
    return ActionSpent(who=who.id, kind=MARGIN, what=said, amount=amount, cites=cites)


def speaks_freely(fight: Fight, who: Combatant) -> bool:
    """Say whether a grappler means to cast, and has a spell for which no check need be won."""
    if intent(who) != "cast":
        return False
    return any(needs_no_win(spell) for spell in who.sheet.spells)


def needs_no_win(spell: Spell) -> bool:
    """Say whether a spell can be cast in a grapple without winning its check.

    woa.grapple.activity.cast-components
    """
    return set(spell.components) <= {"verbal"}


def wrestle(
    fight: Fight, who: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> Steps[Wrestler]:
    """Roll a grapple check, or Escape Artist in its place for who means to slip out.

    woa.grapple.check, woa.grapple.activity.escape (option `pinned_maneuvers`).
    """
    cites = [fight.rule("grapple.check")]
    if intent(who) == "escape-artist":
        rule = fight.rule("grapple.activity.escape")
        cites.append(rule)
        parts = skill_parts(fight, who, "escape artist", "dex", rule)
        parts += roll_parts(fight, who, "check", "escape artist")
    else:
        parts = grapple_parts(fight, who, against, rolling)
    tally = fight.dialect.points.stack(fight, ruled_out(who, "grapple", parts))
    if fight.option("pinned_maneuvers") == "all" and all(IMMOBILE in one.conditions for one in against):
        natural = fight.figure("attack.natural-20", "face")
        why = f"{against[0].id} is held immobile: as good as a {natural} (pinned_maneuvers: all)"
        yield RuleApplied(who=who.id, what=why, cites=fight.rules("maneuver.helpless-auto"))
        return Wrestler(who, tally, natural, tuple(cites))
    rolled = yield Roll(who.id, "grapple", "1d20")
    return Wrestler(who, tally, rolled.faces[0], tuple(cites))


def grapple_parts(
    fight: Fight, who: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> list[Modifier]:
    """Return the parts of a grapple check: the unarmed attack bonus and all that modifies attacks.

    Posture does not count. All but the smallest add the size modifier of maneuvers; the advantage counts,
    and every hand that holds something else (woa.grapple.check, .advantage, .activity.manipulate-item).
    """
    blow = Blow(who, against[0], unarmed(fight, who), True, 0, "grapple")
    parts = [*fight.dialect.points.attack_bonus(fight, blow)]
    parts += [part for part in common_attack_situation(fight, blow) if part.source not in POSTURES]
    larger = size_step(who) - min(size_step(one) for one in rolling)
    if larger:
        topic = "maneuver.size-modifier"
        per = fight.figure(topic, "per_category_attacker_larger")
        parts.append(Modifier(per * larger, "size", f"{larger} larger than the smallest", fight.rule(topic)))
    parts += advantage_parts(fight, who)
    busy = busy_hands(who)
    if busy:
        topic = "grapple.activity.manipulate-item"
        per = fight.figure(topic, "check_penalty_per_occupied_hand")
        source = f"{busy} hand{'s' if busy > 1 else ''} occupied"
        parts.append(Modifier(per * busy, "penalty", source, fight.rule(topic)))
    return parts + roll_parts(fight, who, "check", "grapple")


def busy_hands(who: Combatant) -> int:
    """Return how many of the two hands hold a weapon, an item or a shield; a buckler leaves its hand free."""
    busy = 0
    weapons = {weapon.name: weapon for weapon in who.sheet.weapons}
    for item in who.held:
        weapon = weapons.get(item)
        two = weapon is not None and (weapon.hands == HANDS or weapon.wield == "two-handed")
        busy += HANDS if two else 1
    busy += any(part.kind == "shield" and "buckler" not in part.source for part in who.sheet.armor)
    return min(HANDS, busy)


def advantage_parts(fight: Fight, who: Combatant) -> list[Modifier]:
    """Return what the advantage gives: more with a pin or a lock in place, less with a hand on a mouth.

    A hold counts if it was in place as the round began; of several each multiplies the plain advantage
    (woa.grapple.advantage, woa.grapple.hold.*).
    """
    if AHEAD not in who.conditions:
        return []
    held = [
        name
        for other in opponents(fight, who)
        for name in holds_on(fight, who, other)
        if other.conditions[name].level < fight.state.round
    ]
    if not held:
        return [fight.modifier("grapple.advantage", "bonus", kind="advantage", source="advantage")]
    source = f"advantage ({', '.join(held)})"
    if len(held) == 1:
        return [fight.modifier(LOCKS[held[0]], "advantage", kind="advantage", source=source)]
    topic = "grapple.hold.advantage-table"
    value = fight.figure("grapple.advantage", "bonus") * 100
    for name in held:
        value = value * int(fight.figure(topic, f"hold={name}", "factor") * 100) // 100
    return [Modifier(value // 100, "advantage", source, fight.rule(topic))]


def opposition(fight: Fight, others: Sequence[Wrestler]) -> tuple[Wrestler, list[Modifier]]:
    """Return the best of opposing checks, and what the others add to it (woa.grapple.multiple.check)."""
    best = max(others, key=lambda one: one.total)
    topic = "grapple.multiple.check"
    return best, [
        fight.modifier(topic, "aid_bonus_each", kind="aid", source=f"aid from {one.who.id}")
        for one in others
        if one is not best
    ]


def margin(fight: Fight, mine: Wrestler, others: Sequence[Wrestler]) -> int:
    """Return by how much a check beats all its opposition, below 0 what it falls short by."""
    best, aids = opposition(fight, others)
    exceeds: int = mine.total - best.total - sum(part.value for part in aids)
    if fight.option("pinned_maneuvers") == "all":
        sure: int = fight.figure("grapple.outcome.win-by-5", "margin")
        if all(IMMOBILE in one.who.conditions for one in others):
            return max(exceeds, sure)
        if IMMOBILE in mine.who.conditions:
            return min(exceeds, -sure)
    return exceeds


def row(fight: Fight, beaten: int) -> dict[str, str]:
    """Return the row of the outcome table for a margin (woa.grapple.outcome-table)."""
    clear = fight.figure("grapple.outcome.win-by-5", "margin")
    name = "tie" if not beaten else "a clear win" if abs(beaten) >= clear else "a narrow win"
    found: dict[str, str] = fight.figure("grapple.outcome-table", f"result={name}")
    return found


def outcome_of(fight: Fight, beaten: int) -> str:
    """Return the topic of the rule on an outcome."""
    if not beaten:
        return "grapple.outcome.tie"
    clear = abs(beaten) >= fight.figure("grapple.outcome.win-by-5", "margin")
    return "grapple.outcome.win-by-5" if clear else "grapple.outcome.win-by-4"


def resolved(fight: Fight, mine: Wrestler, others: Sequence[Wrestler]) -> ContestResolved:
    """Return the fact of a check against its opposition."""
    best, aids = opposition(fight, others)
    beaten = margin(fight, mine, others)
    parts = fight.dialect.points.stack(fight, [*best.tally.parts, *aids])
    cites = [*mine.cites, *best.cites, *(part.rule for part in aids)]
    cites += fight.rules("grapple.outcome.rule", outcome_of(fight, beaten))
    cites += [part.rule for part in (*mine.tally.parts, *best.tally.parts) if part.kind == "advantage"]
    return ContestResolved(
        who=mine.who.id,
        against=best.who.id,
        contest="grapple",
        total=mine.total,
        opposed=best.natural + parts.total,
        won=beaten > 0,
        parts=mine.tally.parts,
        opposed_parts=parts.parts,
        cites=tuple(dict.fromkeys(cites)),
    )


def shift(fight: Fight, mine: Wrestler, others: Sequence[Wrestler]) -> Steps[None]:
    """Give or take the advantage in the next round; without it no pin or lock lasts.

    Each compares its own result with the best of its opponents (woa.grapple.multiple.advantage,
    woa.grapple.hold.pin.duration).
    """
    who = mine.who
    best = max(others, key=lambda one: one.total)
    ahead = mine.total - best.total if len(others) > 1 else margin(fight, mine, others)
    winner = row(fight, ahead)["advantage_next_round"] == "winner"
    has, had = ahead > 0 and winner, AHEAD in who.conditions
    topics = [outcome_of(fight, ahead)]
    if len(others) > 1 or any(len(opponents(fight, one.who)) > 1 for one in others):
        topics.append("grapple.multiple.advantage")
    cites = fight.rules("grapple.advantage", *topics)
    if has == had:
        return
    if has:
        yield ConditionGained(who=who.id, condition=AHEAD, source="the grapple check", cites=cites)
    else:
        yield ConditionLost(who=who.id, condition=AHEAD, why="lost the check", cites=cites)
        rule = fight.rule("grapple.hold.pin.duration")
        for other in opponents(fight, who):
            if holds_on(fight, who, other):
                yield from loosen(fight, other, who, f"{who.id} has lost the advantage", rule)
    said = "gains the advantage" if has else "loses the advantage"
    yield ActionSpent(who=who.id, kind=CHANGED, what=said, cites=cites)


def to_the_ground(fight: Fight) -> Steps[None]:
    """At a round's end, let each grapple whose advantage has changed go to the ground perhaps.

    One that is there already stays there; so do pins (woa.grapple.going-to-ground).
    """
    seen: set[str] = set()
    topic = "grapple.going-to-ground"
    for one in list(fight.state.combatants.values()):
        if "grappling" not in one.conditions or one.id in seen:
            continue
        members = together(fight, one)
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


def grounded(who: Combatant) -> bool:
    """Say whether a grappler is on the ground."""
    return "prone" in who.conditions
