"""Strong winds: what they do to missiles and to creatures by size (srd35.hazard.wind-table)."""

from typing import Any

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.movement.brink import fall_over, falls_at, is_barred
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.movement.fly import HEADINGS, NAMES
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

TABLE = "srd35.hazard.wind-table"
CHECKED = "checked"
#: Winds as conditions, with their rows in the table.
WINDS = {
    "in a strong wind": "wind=strong 21-30 mph",
    "in a severe wind": "wind=severe 31-50",
    "in a windstorm": "wind=windstorm 51-74",
    "in a hurricane": "wind=hurricane 75-174",
    "in a tornado": "wind=tornado 175+",
}
WAYS = dict(HEADINGS)
#: Where a wind blows that an entry or the game master gives by its name alone.
NOWHERE = (0, 0)


def into_wind(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Stand in a wind, which from now on pushes each turn; its first gust comes at once."""
    name = next((one for one in WINDS if act.degree and one.endswith(f" {act.degree}")), "")
    name = name or next((one for one in WINDS if act.degree and f" {act.degree} " in one), "")
    rule = fight.rule(TABLE)
    if not name:
        raise Refusal(f"no wind is {act.degree!r}", rule)
    if act.way not in NAMES:
        raise Refusal("a wind blows straight or diagonally, by one square each way", rule)
    for other in WINDS:
        if other in target.conditions:
            yield ConditionLost(who=target.id, condition=other, why="the wind turns", cites=(rule,))
    yield ConditionGained(who=target.id, condition=name, source=NAMES[act.way], cites=(rule,))
    yield from gust(fight, target)


def gust(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Save against the wind, or be checked, knocked down or blown away, by size."""
    name = next((name for name in WINDS if name in combatant.conditions), "")
    row = fight.figure(TABLE, WINDS[name])
    effect = effect_on(row, combatant.sheet.size)
    rule = fight.rule(TABLE)
    if effect == "-" or "dead" in combatant.conditions:
        return
    if (yield from saving_throw(fight, combatant, "fort", row["dc"], name.removeprefix("in "), rule)):
        return
    source = combatant.conditions[name].source
    way = WAYS.get(source, NOWHERE)
    if effect == "B":
        yield from blown_away(fight, combatant, way)
    elif effect == "D":
        yield from knocked_down(fight, combatant, way)
    else:
        until = Until("turn-start", combatant.id, fight.state.round)
        cites = fight.rules(TABLE, "srd35.cond.checked")
        yield ConditionGained(who=combatant.id, condition=CHECKED, source=source, until=until, cites=cites)


def effect_on(row: dict[str, Any], size: str) -> str:
    """Return what a wind does to a creature of a size: "B", "D", "C", or "-" for nothing."""
    step = SIZES.index(size)
    for sizes, effect in row["effect"].items():
        if sizes.endswith(" or smaller"):
            if step <= SIZES.index(sizes.removesuffix(" or smaller").lower()):
                return str(effect)
        elif size in sizes.lower().split(", "):
            return str(effect)
    return str(row["effect"]["bigger"])


def blown_away(fight: Fight, combatant: Combatant, way: Square) -> Steps[None]:
    """Roll along the ground, or tumble through the air (srd35.cond.blown-away)."""
    flying = FLYING in combatant.conditions
    cites = fight.rules(TABLE, "srd35.cond.blown-away")
    dice, harm_dice = dice_of(fight.figure("srd35.cond.blown-away", "air" if flying else "ground"))
    rolled = yield Roll("", "blown-away", dice)
    if not flying and "prone" not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition="prone", source="blown away", cites=cites)
    yield from be_driven(fight, combatant, way, rolled.total * 2, "blown away", cites)
    count = 1 if flying else rolled.total
    number, _, size = harm_dice.partition("d")
    hurt = yield Roll("", "blown-about", f"{count * int(number)}d{size}")
    harm = Harm(combatant, hurt.total, "bludgeoning", "blown away", nonlethal=True, cites=cites)
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    yield from fight.dialect.damage.suffer(fight, harm)


def dice_of(text: str) -> tuple[str, str]:
    """Return the dice of the distance, in tens of feet, and of the damage that a figure names."""
    distance, _, harm = text.partition(", ")
    return distance.split("x")[0], harm.split()[0]


def knocked_down(fight: Fight, victim: Combatant, way: Square) -> Steps[None]:
    """Fall prone, or in the air be driven back (srd35.cond.knocked-down)."""
    cites = fight.rules(TABLE, "srd35.cond.knocked-down")
    if FLYING in victim.conditions:
        dice = str(fight.figure("srd35.cond.knocked-down", "air")).split("x")[0]
        rolled = yield Roll("", "blown-back", dice)
        yield from be_driven(fight, victim, way, rolled.total * 2, "blown back", cites)
    elif "prone" not in victim.conditions and not is_down(fight, victim):
        yield ConditionGained(who=victim.id, condition="prone", source="the wind", cites=cites)


def be_driven(
    fight: Fight, combatant: Combatant, way: Square, squares: int, how: str, cites: tuple[str, ...]
) -> Steps[None]:
    """Be driven along by the wind until something stands in the way."""
    path: list[Square] = []
    over: Square | None = None
    here = combatant.at
    for _ in range(squares if way != NOWHERE else 0):
        there = (here[0] + way[0], here[1] + way[1])
        if is_barred(fight, combatant, here, there) or occupants(fight, combatant, there):
            break
        if falls_at(fight, combatant, here, there):
            over = there
            break
        path.append(there)
        here = there
    if path:
        yield displaced(combatant, path, how, *cites)
        yield from fight.dialect.grapple.parted(fight, combatant)
    if over is not None:
        yield from fall_over(fight, combatant, over, how, *cites)


def refuse_against(fight: Fight, combatant: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse steps against a wind that has checked somebody (srd35.cond.checked)."""
    if CHECKED not in combatant.conditions:
        return
    way = WAYS.get(combatant.conditions[CHECKED].source, NOWHERE)
    here = combatant.at
    for there in path:
        if (there[0] - here[0]) * way[0] + (there[1] - here[1]) * way[1] < 0:
            raise Refusal(f"{combatant.id} cannot go on against the wind", fight.rule("srd35.cond.checked"))
        here = there
