"""The names in an act that is to be carried out later: somebody and something must bear them."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.wands import wands_of
from affray.engine.rules.turns.subjects import rule_about
from affray.engine.steps import Refusal, unknown_word
from affray.events.facts import acts
from affray.projections.state import Combatant

#: What is done to a friend, a mount or a thing, which has to be named.
CARE = (acts.Stabilize, acts.Treat, acts.TendFeet, acts.Rouse, acts.Mount, acts.Burst)


#: What is done with a thing of one's own.
ITEMS = (acts.Draw, acts.Drop, acts.Sheathe, acts.Activate, acts.Grip, acts.Load, acts.Don, acts.Doff)


def refuse_unknown_names(fight: Fight, combatant: Combatant, *parts: Any) -> None:
    """Refuse acts, strikes and triggers that name a combatant, weapon, item or spell that there is not.

    Whether they can be carried out shows when their time comes: only who is not in the fight, and what is not
    on the sheet, is refused at once.
    """
    sheet = combatant.sheet
    arms = {"", "unarmed strike", *(one.name for one in sheet.weapons)}
    spells = {"", *(one.name for one in sheet.spells)}
    for part in parts:
        named = (getattr(part, field, "") for field in ("target", "who", "friend", "opponent"))
        for name in (*getattr(part, "targets", ()), *named):
            if name:
                fight.combatant(name)
        if isinstance(part, CARE) and not part.target:
            tag = str(part.__struct_config__.tag).replace("-", " ")
            raise Refusal(f"{tag}: no target is named", fight.dialect.turns.readiable(fight)[1])
        weapon = getattr(part, "weapon", "")
        if weapon not in arms and not isinstance(part, acts.Grapple):
            raise unknown_word(
                "weapon",
                weapon,
                (one.name for one in sheet.weapons),
                fight.rule("weapon.in-hand"),
                combatant.id,
            )
        if (spell := getattr(part, "spell", "")) not in spells:
            raise unknown_word(
                "spell",
                spell,
                (one.name for one in sheet.spells),
                rule_about(fight, type(part)),
                combatant.id,
            )
        if isinstance(part, ITEMS):
            refuse_unknown_item(fight, combatant, part)
        within = (part.then,) if isinstance(part, acts.Split) else getattr(part, "strikes", ())
        refuse_unknown_names(fight, combatant, *within)


def refuse_unknown_item(fight: Fight, combatant: Combatant, act: Any) -> None:
    """Refuse to draw, drop, load or use later what a combatant neither holds nor has on its sheet."""
    postures = fight.dialect.gear.postures if isinstance(act, acts.Drop) else frozenset[str]()
    sheet = combatant.sheet
    things = (
        *(one.name for one in sheet.weapons),
        *(one.name for one in sheet.worn),
        *(one.name for one in sheet.spells if isinstance(act, acts.Activate)),
        *wands_of(combatant),
        *combatant.held,
    )
    if act.item not in (*postures, *things, *combatant.items):
        cast = {one.name for one in sheet.spells if not one.item}
        known = dict.fromkeys(one for one in things if one not in cast)
        raise unknown_word("item", act.item, known, fight.rule("weapon.in-hand"), combatant.id)
