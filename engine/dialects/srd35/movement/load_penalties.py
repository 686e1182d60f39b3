"""What armor and a load take from Dexterity and physical skills (srd35.armor.check-penalty, srd35.load.*)."""

from affray.engine.dialects.srd35.gear.worn_items import load_condition
from affray.engine.dialects.srd35.movement.load import load_row
from affray.engine.fight.fight import Fight
from affray.engine.rules.defense.armor_class import worn_cap
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def dexterity_cap(fight: Fight, mover: Combatant) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts, what allows no more and its rule: the worse of armor and load."""
    armor = worn_cap(mover)
    row = load_row(fight, mover) if mover.conditions else None
    if row is None or row["max_dex"] is None or (armor is not None and armor <= row["max_dex"]):
        return armor, "armor", ""
    return row["max_dex"], f"a {row['load']} load", fight.rule("srd35.load.effects-table")


def check_penalty(fight: Fight, mover: Combatant, skill: str) -> list[Modifier]:
    """Return what armor and shield together, or a load if that is worse, take off a physical skill.

    srd35.armor.check-penalty: double for Swim. srd35.load.effects-table: never both.
    """
    sheet = mover.sheet
    row = load_row(fight, mover) if mover.conditions else None
    if not sheet.check_penalties and row is None:
        return []
    times = 0
    for entry in fight.figure("srd35.armor.check-penalty"):
        name, _, factor = entry.partition(" x")
        if name.lower() == skill:
            times = int(factor or 1)
    if not times:
        return []
    load = row["check"] if row else 0
    armor = sum(one.value for one in sheet.check_penalties)
    over = "the load is worse" if load < armor or not sheet.check_penalties else ""
    rule = fight.rule("srd35.armor.check-penalty")
    parts = [
        Modifier(one.value * times, "check penalty", one.source or one.kind, rule, over)
        for one in sheet.check_penalties
    ]
    if load:
        denied = "" if over else "armor is worse"
        rule = fight.rule("srd35.load.effects-table")
        parts.append(Modifier(load * times, "check penalty", load_condition(mover), rule, denied))
    return parts
