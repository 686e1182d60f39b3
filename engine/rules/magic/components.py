"""Components: voice, gestures and materials, and what makes a spell that is cast fail."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.conditions.condition_rules import actions_of
from affray.engine.rules.gear.held_weapons import bears_shield
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Conditions that leave no voice, and those that leave no gestures.
MUTE = ("silenced", "gagged", "in silence")
BOUND = ("bound", "pinned")
HANDS = 2
POUCH = "spell component pouch"
#: What is in the hand of a caster who has taken components out of it, without a name of their own.
COMPONENTS = "components"


def attention_lost_by(fight: Fight, caster: Combatant) -> str:
    """Return the condition that leaves a caster nothing that takes attention, "" for none.

    What leaves no standard action leaves no room for it.
    """
    for name in caster.conditions:
        rule = rule_of(fight, name)
        if rule.down or actions_of(fight, rule) in ("none", "move"):
            return name
    return ""


def refuse_without_attention(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to the nauseated and the like also the spells that take no standard action.

    srd35.cond.nauseated, pf1.cond.nauseated.
    """
    name = attention_lost_by(fight, caster)
    if name:
        raise Refusal(
            f"{caster.id} is {name} and cannot cast {spell.name}", fight.rule(rule_of(fight, name).topic)
        )


def hands_in_use(caster: Combatant) -> int:
    """Return how many hands hold something, or bear a shield that is no buckler.

    A two-handed weapon can be held in one hand while one casts.
    """
    parts_of_body = [one.name for one in caster.sheet.weapons if one.wield in ("natural", "unarmed")]
    held = sum(1 for name in caster.held if name not in parts_of_body)
    return held + bears_shield(caster)
