"""The rules that an attack roll of pf1 comes of: its formula, the weapon's use, size, touch, threats."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability


def rules_of_sum(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the rules on the sum of a roll and on what it has to reach, where these decide.

    pf1.attack.roll, pf1.ac.meaning.
    """
    return fight.rules("pf1.attack.roll", "pf1.ac.meaning") if topic == "attack.roll" else ()


def cite_use_of_weapon(fight: Fight, blow: Blow) -> None:
    """Cite that what is thrown as well attacks as it is used (pf1.attack-bonus.by-weapon-mode)."""
    blow.cites.append(fight.rule("pf1.attack-bonus.by-weapon-mode"))


def cite_size(fight: Fight, blow: Blow) -> None:
    """Cite that size is part of either attack bonus (pf1.size.to-attack)."""
    blow.cites.append(fight.rule("pf1.size.to-attack"))


def cite_touch(fight: Fight, blow: Blow) -> None:
    """Cite that a touch is enough, and that what is no armor counts against it too.

    pf1.touch.attack-roll, pf1.touch.ac-includes.
    """
    blow.cites.append(fight.rule("pf1.touch.attack-roll"))
    sheet = blow.target.sheet
    if (
        sheet.size != "medium"
        or ability(sheet, "dex")
        or any(one.kind == "deflection" for one in sheet.armor)
    ):
        blow.cites.append(fight.rule("pf1.touch.ac-includes"))


def cite_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int, found: bool) -> bool:
    """Say whether a hit threatens a critical one; name what makes it so, of 20 and of spells.

    pf1.attack.natural-20-threat, pf1.crit.not-multiplied.
    """
    if natural == fight.figure("pf1.attack.natural-20-threat", "face"):
        blow.cites.append(fight.rule("pf1.attack.natural-20-threat"))
    if blow.weapon.family == "spell":
        blow.cites.append(fight.rule("pf1.crit.not-multiplied"))
    return found


def rules_of_damage(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rule that a hit deals the damage of its weapon (pf1.damage.on-hit)."""
    return fight.rules("pf1.damage.on-hit")
