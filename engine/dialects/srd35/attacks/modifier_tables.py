"""The two tables of favorable and unfavorable conditions (srd35.modifiers.overview).

The figure of each row stands under the rule of that row; the tables say which rows there are, and that each
has a column for melee and one for ranged attacks (srd35.attack-mod.table, srd35.ac-mod.table).
"""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier


def of_table(fight: Fight, table: str, parts: Sequence[Modifier]) -> tuple[str, ...]:
    """Return the rules to cite where modifiers come from the rows of a table.

    `table` is its topic. The overview too, where melee and ranged attacks have different figures and the
    column decided.
    """
    rule = fight.rule(table)
    rows = rule.removesuffix("table")
    found = [part.rule for part in parts if part.rule.startswith(rows) and not part.denied]
    if not found:
        return ()
    columns = any(by_column(fight, row) for row in found)
    return (rule, *(fight.rules("modifiers.overview") if columns else ()))


def by_column(fight: Fight, row: str) -> bool:
    """Say whether a row has another figure for ranged attacks than for those in melee."""
    figures = fight.book[row].figures
    return isinstance(figures, dict) and figures.get("melee") != figures.get("ranged")


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table where they are rows of it (srd35.attack-mod.table)."""
    blow.cites += of_table(fight, "attack-mod.table", parts)
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a defense, citing the table where they are rows of it (srd35.ac-mod.table)."""
    blow.cites += of_table(fight, "ac-mod.table", parts)
    return parts
