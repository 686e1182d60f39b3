"""What explains a printed figure beyond what the rules make of the sheet.

The difference to the printed figure is explained where a rule explains it, and kept as an untyped part,
with a note, where none does.
"""

from typing import Final

from msgspec import Struct

from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.statblock.printed_attack import PRINTED, Attack
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.facts.sheet_parts import Bonus

#: What throwers by nature or training have for one kind of missile.
_RACIAL: Final = {("rock", 1): ("racial", "rock throwing"), ("bomb", 1): ("untyped", "Throw Anything")}


class Explained(Struct, frozen=True, gc=False):
    """The parts that explain a difference; `left` of it no rule explains, and the last part holds it."""

    parts: tuple[Bonus, ...] = ()
    left: int = 0
    secondary: bool = False


def explain_attack(
    sheet: Sheet, attack: Attack, weapon: Weapon, missing: int, beside: bool = False
) -> Explained:
    """Return what the sheet lacks of the printed attack bonus, and whether it is a secondary attack.

    `beside` says that another hand strikes too, which no rule of the dialect has taken into account.
    """
    if not missing:
        return Explained()
    melee = attack.mode == "melee"
    focused = any(feat.startswith("weapon focus (") and _alike(feat, attack.name) for feat in sheet.feats)
    for focus in (0, 1) if focused and f"weapon focus ({weapon.name})" not in sheet.feats else (0,):
        parts: tuple[Bonus, ...] = (Bonus(1, "untyped", "Weapon Focus"),) * focus
        rest = missing - focus
        if not rest:
            return Explained(parts)
        if weapon.wield == "natural" and melee:
            if rest == -5:
                return Explained((*parts, Bonus(-5, "penalty", "secondary natural attack")), secondary=True)
            if rest == -2 and any(feat.startswith("multiattack") for feat in sheet.feats):
                part = Bonus(-2, "penalty", "secondary natural attack, Multiattack")
                return Explained((*parts, part), secondary=True)
        dexterity = ability(sheet, "dex")
        if sheet.abilities.str is None and melee and rest == dexterity:
            return Explained((*parts, Bonus(dexterity, "ability", "Dexterity, having no Strength")))
        racial = _RACIAL.get((weapon.name, rest))
        if racial is not None and not melee:
            return Explained((*parts, Bonus(rest, *racial)))
        if rest == -2 and beside and not melee and "rapid shot" in sheet.feats:
            return Explained((*parts, Bonus(rest, "penalty", "Rapid Shot")))
        if rest in (-2, -4) and beside and any("two-weapon" in feat for feat in sheet.feats):
            return Explained((*parts, Bonus(rest, "penalty", "two weapons")))
    return Explained((Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED),), missing)


def _alike(feat: str, name: str) -> bool:
    """Say whether a feat's weapon is this one by another form of its name: claws, tail slap."""
    meant = feat.partition("(")[2].rstrip(")")
    words, own = set(meant.split()), name.split()
    return bool(words & {word.rstrip("s") for word in own} | words & set(own)) or meant == "".join(own)


def explain_damage(sheet: Sheet, attack: Attack, weapon: Weapon, missing: int) -> Explained:
    """Return what sheet and weapon do not say of the printed damage bonus."""
    if not missing:
        return Explained()
    strength = ability(sheet, "str")
    if weapon.family == "spell" or (attack.mode != "melee" and not weapon.thrown):
        shares = {strength: "Strength", strength * 3 // 2: "Strength, half again"}
    elif weapon.off_hand:
        half = strength // 2
        shares = {
            strength * 3 // 2 - half: "Strength, half again",
            strength - half: "Strength, all of it",
            half - strength: "Strength, half of it",
            -half: "no Strength",
        }
    else:
        shares = {
            strength * 3 // 2 - strength: "Strength, half again",
            strength // 2 - strength: "Strength, half of it",
            -strength: "no Strength",
        }
    if missing in shares and strength:
        return Explained((Bonus(missing, "ability", shares[missing]),))
    return Explained((Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED),), missing)
