"""The difficulty of an encounter: the XP of its monsters against the budget of the characters."""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.dialects.srd52.classes import fields_of, level_of
from affray.engine.fight.fight import Fight
from affray.engine.record.chapters import Difficulty, Worth
from affray.engine.steps import Refusal
from affray.events.errors import counted
from affray.projections.state import Combatant

XP: Final = "monster.xp-by-cr"
GRADES: Final = ("low", "moderate", "high")
BEYOND: Final = "more than high"


def difficulty(fight: Fight, party: Sequence[Combatant], foes: Sequence[Combatant]) -> Difficulty:
    """Return how hard the foes are for the party. Refuses those without a level or a Challenge Rating."""
    table, rule = fight.figure(XP, "budget"), fight.rule(XP)
    most = len(table[GRADES[0]])
    if levelless := [one.id for one in party if not 1 <= level_of(one.sheet) <= most]:
        reason = f"no class level of 1 to {most} on the sheet (classes = {{fighter = 3}}): no budget"
        raise Refusal(f"{', '.join(levelless)}: {reason}", rule)
    prices = {rating: xp for rating, xp in fight.figure(XP).items() if rating != "budget"}
    rated = {one.id: fields_of(fight, one).challenge for one in foes}
    if unrated := [id for id, rating in rated.items() if rating not in prices]:
        reason = 'no Challenge Rating from 0 to 30 on the sheet (custom = {challenge = "1/4"})'
        raise Refusal(f"{', '.join(unrated)}: {reason}, so there is no XP value", rule)
    levels = [level_of(one.sheet) for one in party]
    budgets = {grade: sum(table[grade][level - 1] for level in levels) for grade in GRADES}
    # Of "0 or 10" the 10: a creature of CR 0 that can fight.
    worth = tuple(Worth(id, rating, int(str(prices[rating]).split()[-1])) for id, rating in rated.items())
    total = sum(one.points for one in worth)
    grade = next((grade for grade in GRADES if total <= budgets[grade]), BEYOND)
    members = tuple(zip((one.id for one in party), levels, strict=True))
    notes = tuple(warnings(levels, list(rated.values()), table["creatures_per_character"]))
    return Difficulty(members, worth, budgets, total, grade, notes, (rule,))


def warnings(levels: Sequence[int], ratings: Sequence[str], most: int) -> Iterator[str]:
    """Yield what the text warns of: many creatures, and powerful ones."""
    if len(ratings) > most * len(levels):
        yield f"more than {counted(most, 'creature')} per character: beware of their luck"
    strong = max((int(one) for one in ratings if one.isdecimal()), default=0)
    if strong > min(levels):
        yield f"CR {strong} is above level {min(levels)}: one action may take a character out"
