"""Using a special ability by name, and which there are."""

from affray.engine.dialects.srd35.classes import inspire_courage, paladin
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.learned_abilities import refuse_unlearned
from affray.events.facts import acts

#: Abilities by the name they are used under; the class that has them, and the name on the sheet.
OF = {
    "rage": ("barbarian", "rage"),
    "end rage": ("barbarian", "rage"),
    paladin.SMITE: ("paladin", paladin.SMITE),
    paladin.HANDS: ("paladin", paladin.HANDS),
    inspire_courage.INSPIRE: ("bard", inspire_courage.INSPIRE),
    inspire_courage.STOP: ("bard", inspire_courage.INSPIRE),
}


#: The rule of each ability.
RULES = {
    "rage": "srd35.class.rage",
    paladin.SMITE: "srd35.class.smite",
    paladin.HANDS: "srd35.class.lay-on-hands",
    inspire_courage.INSPIRE: "srd35.class.inspire-courage",
}


def refuse_ability(fight: Fight, act: acts.UseAbility) -> None:
    """Refuse an ability that the actor has neither of a class nor of the sheet."""
    refuse_unlearned(fight, act, OF, RULES, fight.combatant(act.actor).sheet.traits)
