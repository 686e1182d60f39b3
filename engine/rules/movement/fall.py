"""Falling onto the ground: the dice of it, what softens it, and how one lands.

srd35.falling.damage, srd35.falling.soften, pf1.falling.
"""

from typing import Final, NamedTuple

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

DAMAGE: Final = "falling.damage"
SOFTEN: Final = "falling.soften"


class Impact(NamedTuple):
    """The dice of a fall, lethal and nonlethal ones, "" for none, and the rules behind them."""

    lethal: str
    nonlethal: str
    cites: tuple[str, ...]


class Landing(NamedTuple):
    """How a leap of one's own will ends: the feet that then do nothing, and how many more do little."""

    free_ft: int = 0
    mild_ft: int = 0


def dice_onto_ground(fight: Fight, feet: int, landing: Landing | None, mild: int) -> Impact:
    """Return the dice of a fall onto the ground, so many of them nonlethal for what softens it.

    1d6 per 10 ft., at most 20d6. Of a leap (`landing`) the first die is nonlethal unless a check spares the
    first feet and makes the next ones nonlethal.
    """
    ten = fight.figure(DAMAGE, "per_ft")
    if feet < ten:
        return Impact("", "", fight.rules(DAMAGE))
    cites = [DAMAGE]
    mild_ft = 0
    if mild or landing is not None:
        cites.append(SOFTEN)
    if landing is not None:
        feet, mild_ft = max(0, feet - landing.free_ft), landing.mild_ft
        if not landing.free_ft:
            mild += fight.figure(SOFTEN, "jump_first_dice")
    gentle = min(feet, mild_ft) // ten
    count = min(max(0, feet - mild_ft) // ten, most_dice(fight))
    mild = min(mild, count)
    die = fight.figure(DAMAGE, "per_10ft")
    cited = tuple(dict.fromkeys(fight.rules(*cites)))
    return Impact(dice_notation(count - mild, die), dice_notation(gentle + mild, die), cited)


def most_dice(fight: Fight) -> int:
    """Return the most dice that a fall deals."""
    return int(str(fight.figure(DAMAGE, "max")).partition("d")[0])


def dice_notation(count: int, die: str) -> str:
    """Return the notation of so many of a die such as "1d6", "" for none of them."""
    number, _, size = die.partition("d")
    return f"{count * int(number)}d{size}" if count else ""


def suffer_fall(fight: Fight, mover: Combatant, feet: int, impact: Impact) -> Steps[int]:
    """Roll the dice of a fall and let it be suffered; return how much lethal damage it has dealt."""
    lethal = 0
    for notation, nonlethal in ((impact.nonlethal, True), (impact.lethal, False)):
        if notation:
            rolled = yield Roll(mover.id, "fall-nonlethal" if nonlethal else "fall", notation)
            kind = "bludgeoning"
            harm = Harm(mover, rolled.total, kind, f"a fall of {feet} ft.", nonlethal=nonlethal)
            harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
            harm.cites = (*impact.cites, *harm.reduced_by)
            lethal += 0 if nonlethal else harm.amount
            yield from fight.dialect.damage.suffer(fight, harm)
    if not (impact.lethal or impact.nonlethal):
        yield RuleApplied(who=mover.id, what=f"a fall of {feet} ft. does no harm", cites=impact.cites)
    return lethal


def lie_where_fallen(mover: Combatant, impact: Impact) -> Steps[None]:
    """Lie prone after a fall, whoever does not yet."""
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=impact.cites[:1])
