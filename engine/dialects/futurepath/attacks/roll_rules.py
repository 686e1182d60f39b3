"""The rules that an attack roll comes of: the abilities and size behind it, Defense, threats."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.events.facts.modifier import Modifier

MELEE: Final = "futurepath.attack.strength-modifier-melee"
RANGED: Final = "futurepath.attack.dexterity-modifier-ranged"


def by_ability(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return what the sheet gives to an attack, its ability under the rule on that ability.

    What a feat has put in the place of Strength stays under the feat's
    (futurepath.attack.strength-modifier-melee, futurepath.attack.dexterity-modifier-ranged).
    """
    formula = fight.rule("futurepath.attack.bonus.melee" if blow.melee else "futurepath.attack.bonus.ranged")
    rule = fight.rule(MELEE if blow.melee else RANGED)
    return tuple(
        replace(part, rule=rule) if part.kind == "ability" and part.rule == formula else part
        for part in parts
    )


def cite_sizes(fight: Fight, blow: Blow) -> None:
    """Cite what makes up for size: it is in the attack and in the Defense of both.

    Vehicles have the sizes of creatures; what is no creature has others of its own
    (futurepath.size.attack-and-defense, futurepath.size.compatible-with-vehicles).
    """
    sheets = blow.attacker.sheet, blow.target.sheet
    if all(sheet.size != "medium" for sheet in sheets):
        blow.cites.append(fight.rule("futurepath.size.attack-and-defense"))
    if any(sheet.size != "medium" and "vehicle" in sheet.traits for sheet in sheets):
        blow.cites.append(fight.rule("futurepath.size.compatible-with-vehicles"))


def rules_of_sum(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the rule on what the sum of a roll has to reach, where that decides.

    futurepath.defense.meaning.
    """
    return fight.rules("futurepath.defense.meaning") if topic == "attack.roll" else ()


def cite_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int, found: bool) -> bool:
    """Say whether a hit threatens a critical one; name what makes it so, or keeps it from being one.

    futurepath.attack.natural-20-threat, futurepath.critical.immunity, futurepath.assumed.spell-criticals.
    """
    twenty = natural == fight.figure("futurepath.attack.natural-20-threat", "face")
    if found and twenty:
        blow.cites.append(fight.rule("futurepath.attack.natural-20-threat"))
    elif not found and natural >= blow.weapon.threat and immune_to_criticals(fight, blow):
        blow.cites.append(fight.rule("futurepath.critical.immunity"))
    if found and blow.weapon.family == "spell":
        blow.cites.append(fight.rule("futurepath.assumed.spell-criticals"))
    return found
