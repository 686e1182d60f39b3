"""The two tables of modifiers: of attack rolls by the attacker, of Defense by the defender, new and old.

The figure of each row stands under the rule of that row (futurepath.modifier.*); the tables say which rows
there are.
"""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table where they are rows of it.

    futurepath.table.attack-roll-modifiers, futurepath.table.attack-roll-modifiers.legacy.
    """
    if has_row(parts, "attacker-"):
        blow.cites += fight.rules("futurepath.table.attack-roll-modifiers")
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Defense, citing the table where they are rows of it.

    futurepath.table.defense-modifiers, futurepath.table.defense-modifiers.legacy.
    """
    if has_row(parts, "defender-"):
        blow.cites += fight.rules("futurepath.table.defense-modifiers")
    return parts


def has_row(parts: Sequence[Modifier], of: str) -> bool:
    """Say whether one of the parts that count comes from a row of a table: of attackers or of defenders."""
    rows = (part.rule.split(".") for part in parts if not part.denied)
    return any(row[1:2] == ["modifier"] and row[-1].startswith(of) for row in rows)
