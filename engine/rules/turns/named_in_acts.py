"""The names in an act that is to be carried out later: somebody and something must bear them."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.projections.state import Combatant


def refuse_unknown_names(fight: Fight, combatant: Combatant, *parts: Any) -> None:
    """Refuse acts, strikes and triggers that name a combatant, weapon or spell that there is not.

    Whether they can be carried out shows when their time comes: only who is not in the fight, and what is not
    on the sheet, is refused at once.
    """
    sheet = combatant.sheet
    arms = {"", "unarmed strike", *(one.name for one in sheet.weapons)}
    spells = {"", *(one.name for one in sheet.spells)}
    for part in parts:
        for name in (*getattr(part, "targets", ()), getattr(part, "target", ""), getattr(part, "who", "")):
            if name:
                fight.combatant(name)
        if (weapon := getattr(part, "weapon", "")) not in arms:
            known = did_you_mean(weapon, (one.name for one in sheet.weapons))
            raise Refusal(f"{combatant.id} has no weapon {weapon!r}{known}", fight.rule("weapon.in-hand"))
        if (spell := getattr(part, "spell", "")) not in spells:
            known = did_you_mean(spell, (one.name for one in sheet.spells))
            raise Refusal(f"{combatant.id} has no spell {spell!r}{known}", fight.rule("actions"))
        refuse_unknown_names(fight, combatant, *getattr(part, "strikes", ()))
