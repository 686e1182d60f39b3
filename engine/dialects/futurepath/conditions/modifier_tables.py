"""The two tables of modifiers: of attack rolls by the attacker, of Defense by the defender, new and old.

The figure of each row stands under the rule of that row (futurepath.modifier.*); the tables say which rows
there are.
"""

from collections.abc import Sequence
from typing import Final

from affray.engine.dialects.futurepath.conditions.degrees import declared_degree
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier

#: Rows that come of where the two stand, or lie.
BY_POSITION: Final = frozenset(
    {
        "futurepath.attack.flanking",
        "futurepath.modifier.attacker-flanking",
        "futurepath.modifier.attacker-higher-ground",
        "futurepath.modifier.attacker-prone",
        "futurepath.modifier.attacker-squeezing",
        "futurepath.modifier.defender-behind-cover",
        "futurepath.modifier.defender-kneeling-or-sitting",
        "futurepath.modifier.defender-prone",
        "futurepath.modifier.defender-squeezing",
        "futurepath.table.cover",
    }
)


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table where they are rows of it.

    futurepath.table.attack-roll-modifiers, futurepath.table.attack-roll-modifiers.legacy.
    """
    cite_table(fight, blow, parts, "futurepath.table.attack-roll-modifiers", "attacker-")
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Defense, citing the table where they are rows of it.

    futurepath.table.defense-modifiers, futurepath.table.defense-modifiers.legacy.
    """
    cite_table(fight, blow, parts, "futurepath.table.defense-modifiers", "defender-")
    return parts


def cite_table(fight: Fight, blow: Blow, parts: Sequence[Modifier], table: str, of: str) -> None:
    """Cite a table whose rows have a part, on whose roll they count, and what position is good for.

    futurepath.modifier.attacker-vs-defender, futurepath.modifier.scope.
    """
    if has_row(parts, of):
        blow.cites += fight.rules(table, "futurepath.modifier.attacker-vs-defender")
    if any(part.rule in BY_POSITION and not part.denied for part in parts):
        blow.cites.append(fight.rule("futurepath.modifier.scope"))


def has_row(parts: Sequence[Modifier], of: str) -> bool:
    """Say whether one of the parts that count comes from a row of a table: of attackers or of defenders."""
    rows = (part.rule.split(".") for part in parts if not part.denied)
    return any(row[1:2] == ["modifier"] and row[-1].startswith(of) for row in rows)


def cite_hampering_cover(fight: Fight, blow: Blow) -> None:
    """Cite that cover may hamper who stands behind it, as the game master has declared.

    futurepath.cover.gm-extra-restrictions.
    """
    held = blow.attacker.conditions
    if declared_degree(blow.attacker, "cover") and any("attack disadvantage" in one for one in held):
        blow.cites.append(fight.rule("futurepath.cover.gm-extra-restrictions"))
