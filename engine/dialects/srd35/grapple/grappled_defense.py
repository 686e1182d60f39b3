"""Being struck at in a grapple: what the held lose of their defense (srd35.grapple.*, srd35.ac-mod.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.defense.armor_class import without_dexterity
from affray.engine.rules.grapple.holds import opponents
from affray.events.facts.modifier import Modifier


def dexterity_in_grapple(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity: grappling, against outsiders; pinned, against all.

    srd35.grapple.no-dex, srd35.grapple.pinned-ac, srd35.ac-mod.pinned (pinned_ac).
    """
    if denied[0]:
        return denied
    conditions = blow.target.conditions
    if "pinned" in conditions:
        return "pinned", "srd35.ac-mod.pinned" if fight.option(
            "pinned_ac"
        ) == "table" else "srd35.grapple.pinned-ac"
    if "grappling" in conditions and blow.attacker not in opponents(fight, blow.target):
        return "grappling", "srd35.grapple.no-dex"
    return denied


def grappling_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the row of the table for a grappler who is attacked from outside its grapple.

    srd35.ac-mod.grappling.
    """
    if blow.attacker in opponents(fight, blow.target) or "pinned" in blow.target.conditions:
        return []
    way = "melee" if blow.melee else "ranged"
    return [fight.modifier("srd35.ac-mod.grappling", way, kind="penalty", source="grappling")]


def pinned_dexterity(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class of somebody pinned: by the table its Dexterity is 0, and that once.

    srd35.ac-mod.pinned (pinned_ac).
    """
    if fight.option("pinned_ac") != "table":
        return parts
    return without_dexterity(parts, f"pinned: Dexterity counts as 0 ({fight.rule('srd35.ac-mod.pinned')})")


def pinned_penalty(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense of somebody pinned (pinned_ac: the section, or the table and its -5).

    srd35.grapple.pinned-ac, srd35.ac-mod.pinned.
    """
    if fight.option("pinned_ac") == "table":
        way = "melee" if blow.melee else "ranged"
        topic, source = "srd35.ac-mod.pinned", "pinned: Dexterity 0"
        return [
            *parts,
            fight.modifier(topic, way, kind="penalty", source="pinned"),
            fight.modifier(topic, "dex_modifier", kind="ability", source=source),
        ]
    if blow.target.conditions["pinned"].source == blow.attacker.id:
        return parts
    return [*parts, fight.modifier("srd35.grapple.pinned-ac", "ac", kind="penalty", source="pinned")]
