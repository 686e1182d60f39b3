"""The two tables of favorable and unfavorable conditions (srd35.modifiers.overview).

The figure of each row stands under the rule of that row; the tables say which rows there are, and that each
has a column for melee and one for ranged attacks (srd35.attack-mod.table, srd35.ac-mod.table).
"""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import flanking_partner, increments, is_higher
from affray.events.facts.modifier import Modifier


def rules_of_table(fight: Fight, table: str, parts: Sequence[Modifier]) -> tuple[str, ...]:
    """Return the rules to cite where modifiers come from the rows of a table.

    `table` is its topic. The overview too, where melee and ranged attacks have different figures and the
    column decided.
    """
    rule = fight.rule(table)
    rows = rule.removesuffix("table")
    found = [part.rule for part in parts if part.rule.startswith(rows) and not part.denied]
    if not found:
        return ()
    columns = any(differs_at_range(fight, row) for row in found)
    return (rule, *(fight.rules("srd35.modifiers.overview") if columns else ()))


def differs_at_range(fight: Fight, row: str) -> bool:
    """Say whether a row has another figure for ranged attacks than for those in melee."""
    figures = fight.book[row].figures
    return isinstance(figures, dict) and figures.get("melee") != figures.get("ranged")


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table where they are rows of it (srd35.attack-mod.table)."""
    blow.cites += rules_of_table(fight, "srd35.attack-mod.table", parts)
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a defense, citing the table where they are rows of it (srd35.ac-mod.table)."""
    blow.cites += rules_of_table(fight, "srd35.ac-mod.table", parts)
    return parts


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment (srd35.attack-action.range-increment)."""
    increment = fight.dialect.attacks.range_increment(fight, blow)
    full = increments(blow.distance, increment) if increment else 0
    if not full or "entangle" in blow.weapon.traits:  # how far a net reaches is no increment
        return []
    topic = "srd35.attack-action.range-increment"
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def higher_ground_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what higher ground gives to a missile, as the table has it (srd35.attack-mod.higher-ground)."""
    if not is_higher(fight, blow):
        return []
    topic = "srd35.attack-mod.higher-ground"
    return [fight.modifier(topic, "ranged", kind="circumstance", source="higher ground")]


def flanking_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what flanking gives to a missile where blank cells read as melee (attack_table_slips).

    srd35.attack-mod.flanking.
    """
    friend = flanking_partner(fight, blow) if fight.option("attack_table_slips") == "as-melee" else None
    if friend is None:
        return []
    source = f"flanking with {friend.id}"
    return [fight.modifier("srd35.attack-mod.flanking", "melee", kind="flanking", source=source)]
