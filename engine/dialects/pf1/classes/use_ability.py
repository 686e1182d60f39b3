"""Using a special ability by name in pf1, which there are, and what each takes."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.sheet_names import details_of
from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.events.facts import acts

#: Abilities by the name they are used under: the class that has them, the name on the sheet, the action.
OF: Final = {
    "rage": ("barbarian", "rage", "free"),
    "end rage": ("barbarian", "rage", "free"),
    "smite evil": ("paladin", "smite evil", "swift"),
    "lunge": ("", "lunge", "free"),
    "dazzling display": ("", "dazzling display", "full-round"),
    "channel smite": ("", "channel smite", "swift"),
    "arcane strike": ("", "arcane strike", "swift"),
}


#: The rule of an ability that is one of a class, or a feat of its own.
RULES: Final = {
    "rage": "pf1.rage",
    "smite evil": "pf1.smite",
    "lunge": "pf1.feat.lunge",
    "dazzling display": "pf1.feat.dazzling-display",
}


def refuse_ability(fight: Fight, act: acts.UseAbility) -> None:
    """Refuse an ability that the actor has neither of a class nor of the sheet."""
    actor, rule = fight.combatant(act.actor), fight.rule("pf1.action.types")
    if act.ability not in OF:
        known = did_you_mean(act.ability, OF)
        raise Refusal(f"nobody knows how to use {act.ability!r}{known}", rule)
    name, listed, _ = OF[act.ability]
    entries = (*actor.sheet.traits, *actor.sheet.feats, *actor.unusable)
    if name not in actor.sheet.classes and not list(details_of(listed, entries)):
        raise Refusal(f"{actor.id} has no {listed}", fight.rule(RULES.get(listed, "pf1.action.types")))
