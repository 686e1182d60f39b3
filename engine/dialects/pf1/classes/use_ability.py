"""Using a special ability by name in pf1, which there are, and what each takes."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.learned_abilities import refuse_unlearned
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
    "channel smite": "pf1.feat.extra-channel",
    "arcane strike": "pf1.feat.combat-casting",
}


def refuse_ability(fight: Fight, act: acts.UseAbility) -> None:
    """Refuse an ability that the actor has neither of a class nor of the sheet."""
    actor = fight.combatant(act.actor)
    entries = (*actor.sheet.traits, *actor.sheet.feats, *actor.unusable)
    refuse_unlearned(fight, act, {name: listed[:2] for name, listed in OF.items()}, RULES, entries)
