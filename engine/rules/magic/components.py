"""Components: voice, gestures and materials, and what makes a spell that is cast fail."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.conditions.condition_rules import actions_of
from affray.engine.rules.gear.held_weapons import bears_shield
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Conditions that leave no voice, and those that leave no gestures.
MUTE = ("silenced", "gagged", "in silence")
BOUND = ("bound", "pinned")
HANDS = 2
POUCH = "spell component pouch"
#: What is in the hand of a caster who has taken components out of it, without a name of their own.
COMPONENTS = "components"
#: Where things are that are not at hand.
AWAY = ("dropped", "gone", "broken", "stowed")


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


def refuse_without_voice(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a spell with words to a caster without a voice (srd35.cast.components, pf1.cast.components)."""
    if "verbal" in spell.components:
        mute = next((name for name in MUTE if name in caster.conditions), "")
        if mute:
            rule = fight.rule("cast.components")
            raise Refusal(f"{caster.id} is {mute} and cannot speak {spell.name}", rule)


def refuse_without_hand(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse the gestures of a spell to a caster in bonds or without a free hand.

    srd35.cast.components, pf1.cast.components.
    """
    rule = fight.rule("cast.components")
    bound = next((name for name in BOUND if name in caster.conditions), "")
    if bound:
        raise Refusal(f"{caster.id} is {bound} and cannot make the gestures of {spell.name}", rule)
    if hands_in_use(caster) >= HANDS:
        raise Refusal(f"{caster.id} has no hand free for the gestures of {spell.name}", rule)


def deafened_failure(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Return whether deafness spoils the words of a spell that has been cast.

    srd35.cast.components, pf1.cast.components.
    """
    topic = "cast.components"
    if spell.ability or spell.item or "verbal" not in spell.components or "deafened" not in caster.conditions:
        return False
    percent = fight.figure(topic, "deafened_failure_pct")
    return (yield from roll_spell_failure(fight, caster, spell, percent, "deafened", topic))


def roll_spell_failure(
    fight: Fight, caster: Combatant, spell: Spell, percent: int, why: str, topic: str
) -> Steps[bool]:
    """Roll whether a spell is lost to a chance in percent; return whether it is."""
    rule = fight.rule(topic)
    lost = yield from percent_roll(
        caster, "spell failure", percent, f"{percent}% for {why}", rule, hoped=False
    )
    if lost:
        yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(rule,))
    return lost
