"""What special attacks have in common: the target's opening, the touch, the opposed check."""

from collections.abc import Iterable, Sequence

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import ability, has_trait, size_step
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.saves_and_checks import check_parts, turned_around, use_up
from affray.engine.steps import Roll, Steps, judged
from affray.events.facts.combat import ContestResolved
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

MEDIUM = SIZES.index("medium")


def roll_opposed(
    fight: Fight,
    name: str,
    mine: Side,
    theirs: Side,
    *cites: str,
    rolled: Rolled | None = None,
    answer: str = "",
) -> Steps[int]:
    """Roll two opposed checks, the initiator's first, and return by how much it beats the other's.

    0 or less is no success: it must beat, not equal. A side whose penalties alone make it fail is beaten, and
    beats nobody (futurepath.disadvantage.auto-fail). `rolled` is a roll that is compared with several,
    `answer` what the other's roll is called where that is not `name`.
    """
    stack = fight.dialect.attacks.stack
    one, other = stack(fight, mine.parts), stack(fight, theirs.parts)
    first = rolled or (yield Roll(mine.who.id, name))
    along = () if rolled else (first.key,)

    def judge(_key: str, *faces: int) -> ContestResolved:
        total, against = opposed_results(one, other, first, faces)
        won = not one.failed and (other.failed or total > against)
        return contest_of(name, (mine, one, total), (theirs, other, against), won, *cites, *hopeless)

    hopeless = fight.rules("disadvantage.auto-fail") if one.failed or other.failed else ()
    fact: ContestResolved = yield from judged(theirs.who.id, answer or name, judge, along=along)
    yield from use_up_both(mine, theirs)
    margin = fact.total - fact.opposed
    return max(margin, 1) if fact.won else min(margin, 0)


def opposed_results(one: Tally, other: Tally, first: Rolled, faces: Sequence[int]) -> tuple[int, int]:
    """Return the results of two checks: `faces` are of both rolls, or of the second if the `first` stands."""
    *mine, theirs = faces
    return (mine[0] if mine else first.total) + one.total, theirs + other.total


def contest_of(
    name: str, mine: tuple[Side, Tally, int], theirs: tuple[Side, Tally, int], won: bool, *cites: str
) -> ContestResolved:
    """Return the fact of two opposed checks: of each side who it is, its modifiers, its result."""
    (one, own, total), (other, others, against) = mine, theirs
    return ContestResolved(
        who=one.who.id,
        against=other.who.id,
        contest=name,
        total=total,
        opposed=against,
        won=won,
        parts=own.parts,
        opposed_parts=others.parts,
        cites=tuple(dict.fromkeys(cites)),
    )


def footing_of(
    fight: Fight, combatant: Combatant, topic: str, *, nimble: bool = True, whole: bool = True
) -> Side:
    """Return the check with which a combatant keeps its feet, by the rule on `topic`.

    Strength, or Dexterity where that is `nimble` and better, and size; with `whole` also the stability of
    more than two legs and what conditions and passing effects do.
    """
    rule = fight.rule(topic)
    ways = (("str", "Strength"), ("dex", "Dexterity")) if nimble else (("str", "Strength"),)
    short, name = max(ways, key=lambda way: ability_now(fight, combatant, way[0]))
    parts = [
        Modifier(ability(combatant.sheet, short), "ability", name, rule),
        *lowered(fight, combatant, short),
    ]
    parts += size_part(fight, combatant, topic)
    if whole:
        many = combatant.sheet.legs > 2
        if many or has_trait(combatant, "stable"):
            source = f"{combatant.sheet.legs} legs" if many else "stable"
            parts.append(fight.modifier(topic, "stable_defender", kind="stability", source=source))
        return side_of(fight, combatant, name.lower(), parts)
    return Side(combatant, parts)


def trip_footing(fight: Fight, combatant: Combatant, topic: str, whole: bool) -> Side:
    """Return the check with which the target of a trip keeps its feet."""
    return footing_of(fight, combatant, topic, whole=whole)


def size_part(fight: Fight, combatant: Combatant, topic: str) -> list[Modifier]:
    """Return the special modifier for being bigger or smaller than Medium."""
    steps = size_step(combatant) - MEDIUM
    if not steps:
        return []
    per = fight.figure(topic, "per_size_above_medium" if steps > 0 else "per_size_below_medium")
    return [Modifier(per * abs(steps), "size", combatant.sheet.size, fight.rule(topic))]


def side_of(fight: Fight, combatant: Combatant, name: str, own: Iterable[Modifier], kind: str = "") -> Side:
    """Return a combatant's side of an opposed check: its `own` parts and what changes a check of that name.

    What the game master has found to change the DC counts the other way round: the other's result is the DC
    (srd35.check.circumstance).
    """
    parts = check_parts(fight, combatant, name, own, kind)
    parts += turned_around(combatant)
    return Side(combatant, parts, name)


def use_up_both(*sides: Side) -> Steps[None]:
    """End what counted for one check only, of each side that has made one."""
    for side in sides:
        if side.check_name and side.who.effects:
            yield from use_up(side.who, side.check_name)
