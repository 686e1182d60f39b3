"""The Defense score of Futurepath: the helpless, the pinned, the flat-footed, postures at close quarters."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.knockout_blow import KNOCKOUT
from affray.engine.dialects.futurepath.contested import grade_of, situational
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.defense.armor_class import without_dexterity
from affray.engine.rules.position.place import next_to
from affray.events.facts.modifier import Modifier

POSTURES = ("kneeling", "prone", "sitting")


def fixed_defense(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense of the helpless: only 5 + size is left, by the default reading.

    futurepath.attack.helpless.defense (helpless_defense).
    """
    base = fight.modifier("futurepath.attack.helpless.defense", "base", kind="base", source="helpless")
    left = [base]
    for part in parts:
        left.append(part if part.kind == "size" or part.denied else replace(part, denied=WHY_FLAT))
    return tuple(left)


def pinned_dexterity(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense of somebody pinned: its Dexterity is 0, and that once.

    futurepath.modifier.defender-pinned-dexterity-zero.
    """
    rule = fight.rule("futurepath.modifier.defender-pinned-dexterity-zero")
    return without_dexterity(parts, f"pinned: Dexterity counts as 0 ({rule})")


WHY_FLAT = "helpless: Defense is a fixed number and size"


def is_fixed(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> bool:
    """Say whether the target has the fixed Defense of the helpless, by any reading against a knockout blow.

    futurepath.attack.knockout-blow.defense.
    """
    if not is_helpless(fight, blow.target):
        return False
    return blow.intent.kind == KNOCKOUT or fight.option("helpless_defense") == "five-plus-size"


def has_table_row(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> bool:
    """Say whether the target has the row of the helpless in the table."""
    if blow.intent.kind == KNOCKOUT:
        return False
    return is_helpless(fight, blow.target) and fight.option("helpless_defense") == "table"


def no_posture_beside(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense; lying or kneeling does not help against a shot from the next square.

    futurepath.modifier.defender-sitting-kneeling-prone-adjacent.
    """
    if not next_to(blow.attacker, blow.target):
        return parts
    rule = fight.rule("futurepath.modifier.defender-sitting-kneeling-prone-adjacent")
    why = f"the attacker is adjacent ({rule})"
    if any(part.value > 0 and part.source in POSTURES for part in parts):
        blow.cites.append(rule)
    return [
        replace(part, denied=why) if part.value > 0 and part.source in POSTURES else part for part in parts
    ]


def flat_footed_row(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of the flat-footed, with their row of the table, which gives no figure.

    What is left without Dexterity is the flat-footed Defense that a sheet may note
    (futurepath.modifier.defender-flat-footed, futurepath.condition.flat-footed.stored-value).
    """
    if fight.dialect.defense.dexterity_denied(fight, blow)[0] != "flat-footed":
        return parts
    blow.cites.append(fight.rule("futurepath.condition.flat-footed.stored-value"))
    path = "melee" if blow.melee else "ranged"
    return [
        *parts,
        situational(fight, "futurepath.modifier.defender-flat-footed", path, source="flat-footed"),
    ]


def running_at_range(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of a runner, who is harder to shoot.

    futurepath.action.run.ranged-defense, futurepath.modifier.defender-running.
    """
    row, run = "futurepath.modifier.defender-running", "futurepath.action.run.ranged-defense"
    value = fight.figure(row, "ranged")
    blow.cites.append(fight.rule(row))
    return [*parts, Modifier(value, grade_of(fight, value), "running", fight.rule(run))]


def no_condition_beside(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense; no condition counts beside the fixed one of the helpless.

    futurepath.attack.helpless.defense.
    """
    conditions = blow.target.conditions
    return [replace(part, denied=WHY_FLAT) if part.source in conditions else part for part in parts]


def helpless_row(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of the helpless, with their row of the table.

    futurepath.modifier.defender-helpless.
    """
    path = "melee" if blow.melee else "ranged"
    return [*parts, situational(fight, "futurepath.modifier.defender-helpless", path, source="helpless")]


def helpless_dexterity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the Dexterity of the helpless: a bonus is lost, a penalty stays.

    futurepath.modifier.defender-helpless-loses-dex.
    """
    dexterity = ability(blow.target.sheet, "dex")
    lost = "helpless: Dexterity bonus denied" if dexterity > 0 else ""
    return [
        Modifier(
            dexterity,
            "ability",
            "Dexterity",
            fight.rule("futurepath.modifier.defender-helpless-loses-dex"),
            lost,
        )
    ]
