"""A missile that misses may strike somebody else near its target (woa.attack.ranged-miss-wrong-target)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.position.place import distance, squares_of
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.flow import RuleApplied

#: The eight directions, clockwise from north.
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
ASTRAY = "astray"
"""The kind of a blow that has missed somebody else."""


def stray_near_target(fight: Fight, blow: Blow) -> Steps[None]:
    """Ask whether a missile that missed endangers those near its target, and where it goes.

    Whoever stands where it comes down is attacked with the same roll. The printed text leaves the
    procedure to a sidebar that is missing; it stands in a table.
    """
    topic = "woa.attack.ranged-miss-wrong-target"
    rule = fight.rule(topic)
    fumbled = blow.outcome.natural == fight.figure("woa.attack.natural-1", "face")
    if blow.intent.kind == ASTRAY or fumbled:
        return
    die, squares = cell(fight, topic, 0, "die"), cell(fight, topic, 0, "squares")
    near = [one for one in fight.state.combatants.values() if one is not blow.target]
    near = [one for one in near if one is not blow.attacker and side_by_side(fight, one, blow.target)]
    if die is None or squares is None or not near or "spell" in blow.weapon.traits:
        return
    question = f"the {blow.weapon.name} misses {blow.target.id}: may it strike somebody near?"
    if (yield Choice("", ASTRAY, question, ("no", "yes"), rule)) != "yes":
        return
    rolled = yield Roll(blow.attacker.id, ASTRAY, die.value)
    x, y = square_of_landing(blow, rolled.total, squares.value)
    blow.outcome.landed = x, y
    other = next((one for one in near if (x, y) in squares_of(one)), None)
    if other is None:
        yield RuleApplied(who=blow.target.id, what=f"the missile comes down at {x},{y}", cites=(rule,))
        return
    feet = distance(blow.attacker, other)
    past = build_blow(
        fight,
        blow.attacker,
        other,
        blow.weapon,
        ASTRAY,
        melee=False,
        feet=feet,
        nonlethal=blow.intent.nonlethal,
    )
    past.intent = replace(past.intent, taken=blow.outcome.natural)
    past.cites.append(rule)
    yield from strike(fight, past)


def square_of_landing(blow: Blow, direction: int, squares: int) -> tuple[int, int]:
    """Return the square where a missile comes down: direction 1 is back towards the attacker."""
    at, origin = blow.target.at, blow.attacker.at
    back = (sign(origin[0] - at[0]), sign(origin[1] - at[1]))
    first = AROUND.index(back) if back in AROUND else 0
    x, y = AROUND[(first + direction - 1) % len(AROUND)]
    return at[0] + x * squares, at[1] + y * squares


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)
