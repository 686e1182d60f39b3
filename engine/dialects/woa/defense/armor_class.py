"""Armor Class: worn or natural armor, what touch attacks pass, what the unaware lose (woa.ac.*)."""

from msgspec import Struct

from affray.engine.dialects.woa.conditions.states import SURPRISE
from affray.engine.dialects.woa.grapple.grapple_modifiers import why_no_active_defense
from affray.engine.dialects.woa.position import size_difference
from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.fight.memory import Same, per_fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability, has_trait
from affray.engine.rules.defense.armor_class import capped_dexterity
from affray.engine.rules.gear.held_weapons import OFF
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The parts of Armor Class that a shield gives.
SHIELD = ("shield", "shield enhancement")

#: Why a shield protects no longer, by its state, with the rule that says so.
WITHOUT_SHIELD = {
    "doffed": "not strapped on (woa.items.shield-ready-loose)",
    "broken": "the {} is broken (woa.object.state.broken)",
    "dropped": "the {} is dropped (woa.items.drop)",
    "gone": "the {} is gone (woa.items.drop)",
}

#: The topics of the rules that give the kinds of parts of Armor Class.
GRANTING = {
    "armor": "woa.ac.armor-shield-bonus",
    "shield": "woa.ac.armor-shield-bonus",
    "natural": "woa.ac.natural-armor",
    "enhancement": "woa.ac.superior-armor",
    "shield enhancement": "woa.ac.superior-armor",
    "deflection": "woa.ac.deflection-bonus",
    "dodge": "woa.ac.dodge-bonus",
}


def armor_against(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the target's AC against this attack, the denied ones marked; no size in it.

    Of worn and natural armor the larger counts; a touch attack passes both but not the shield; who does not
    expect the attack loses shield, dodge and Dexterity bonus (woa.ac.*, woa.surprise.ac-against-unexpected).
    """
    target = blow.target
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    off = tuple((item, state) for item, state in target.items.items() if state in OFF) if target.items else ()
    unshielded = next((name for name in target.conditions if rule_of(fight, name).shieldless), "")
    exposure = Exposure(reason, topic, is_helpless(fight, target), off, unshielded)
    return armor_class_parts(fight, blow, exposure)


class Exposure(Struct, frozen=True, gc=False):
    """What changes a target's defense beyond its sheet.

    Why its Dexterity bonus is denied, and the topic of the rule; whether it is helpless; what it wears no
    longer, each with its state; the condition that bars its shield.
    """

    reason: str
    topic: str
    helpless: bool
    off: tuple[tuple[str, str], ...]
    unshielded: str


@per_fight(Same("blow.target.sheet"), "blow.intent.touch", "exposure")
def armor_class_parts(fight: Fight, blow: Blow, exposure: Exposure) -> tuple[Modifier, ...]:
    """Return the parts of the target's AC as it lies open to such an attack."""
    reason, topic, helpless = exposure.reason, exposure.topic, exposure.helpless
    off, unshielded = dict(exposure.off), exposure.unshielded
    sheet = blow.target.sheet
    rule = fight.rule("woa.ac.formula")
    parts = [Modifier(fight.figure("woa.ac.formula", "base"), "base", "base", rule)]
    worn = sum(part.value for part in sheet.armor if part.kind == "armor")
    natural = sum(part.value for part in sheet.armor if part.kind == "natural")
    for bonus in sheet.armor:
        denied = ""
        lost = bonus.value > 0  # what denies bonuses leaves penalties
        if lost and blow.intent.touch and bonus.kind in ("armor", "natural", "enhancement"):
            denied = f"touch attack: {bonus.kind} does not count ({fight.rule('woa.ac.touch-ac')})"
        elif bonus.kind == "natural" and worn >= natural > 0:
            denied = f"overruled by worn armor {worn:+d} ({fight.rule('woa.ac.natural-armor-no-stack')})"
        elif bonus.kind == "armor" and natural > worn > 0:
            denied = (
                f"overruled by natural armor {natural:+d} ({fight.rule('woa.ac.natural-armor-no-stack')})"
            )
        elif bonus.kind in SHIELD and (shield := bonus.source or "shield") in off:
            denied = WITHOUT_SHIELD[off[shield]].format(shield)
        elif lost and reason and bonus.kind in LOST:
            denied = f"{reason}: {bonus.kind} bonus denied ({fight.rule(LOST[bonus.kind])})"
        elif lost and unshielded and bonus.kind in SHIELD:
            denied = f"{unshielded}: no shield ({fight.rule('woa.water.swimming.no-shield')})"
        granted = GRANTING.get(bonus.kind, "woa.ac.other-modifiers")
        source = bonus.source or bonus.kind
        parts.append(Modifier(bonus.value, bonus.kind, source, fight.rule(granted), denied))
    dexterity = ability(sheet, "dex")
    if helpless:
        topic, source = "woa.condition.paralyzed", "Dexterity counts as 0"
        parts.append(fight.modifier(topic, "dex_modifier", kind="ability", source=source))
    elif dexterity > 0 and reason:
        denied = f"{reason}: Dexterity bonus denied ({fight.rule(topic)})"
        value = capped_dexterity(dexterity, sheet.max_dex)
        parts.append(Modifier(value, "ability", "Dexterity", fight.rule("woa.ac.dexterity-modifier"), denied))
    elif sheet.max_dex is not None and dexterity > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {dexterity})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("woa.ac.armor-max-dexterity")))
    elif dexterity > 0:
        parts.append(Modifier(dexterity, "ability", "Dexterity", fight.rule("woa.ac.dexterity-modifier")))
    elif dexterity < 0:
        penalty = fight.rule("woa.ac.dexterity-penalty-always")
        parts.append(Modifier(dexterity, "ability", "Dexterity", penalty))
    return tuple(parts)


def surprised_by_weapon(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a hidden weapon takes the target by surprise (woa.surprise.ac-against-unexpected)."""
    return (
        ("taken by surprise", "woa.surprise.ac-against-unexpected") if surprises_by_weapon(blow) else ("", "")
    )


def attacker_on_body(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that one side is on the other's body, and the rule's topic (woa.size.*)."""
    topic = size_difference.on_body(blow)
    return ("on its body", topic) if topic else ("", "")


def unaware_before_first_turn(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the target is unaware until its first turn, but for improved uncanny dodge.

    woa.surprise.ac-against-unexpected.
    """
    keeps = has_trait(blow.target, "improved uncanny dodge")
    return ("", "") if keeps else ("unaware", "woa.surprise.ac-against-unexpected")


def denied_by_condition(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return the condition by which the target loses what active defense gives, and the rule's topic.

    woa.ac.dexterity-bonus-denied.
    """
    for name in blow.target.conditions:
        rule = rule_of(fight, name)
        if name == "grappling":
            return why_no_active_defense(fight, blow)
        if not rule.dexterity:
            return name, rule.dexterity_topic or rule.topic
    return "", ""


def misled_by_feint(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the attacker has misled the target about this blow (woa.feint.success)."""
    return ("misled by a feint", "woa.feint.success") if misled(blow) else ("", "")


def surprises_by_weapon(blow: Blow) -> bool:
    """Say whether this is the first attack with a weapon that was hidden (woa.items.draw-hidden-weapon)."""
    return any(
        effect.stat == SURPRISE and effect.modifier.source == blow.weapon.name
        for effect in blow.attacker.effects
    )


def lost_items(combatant: Combatant) -> frozenset[str]:
    """Return the things of a combatant that protect it no longer: broken, off, dropped or taken away."""
    return frozenset(item for item, state in combatant.items.items() if state in OFF)


def misled(blow: Blow) -> bool:
    """Say whether the attacker has misled the target about this blow (woa.feint.success)."""
    attacker = blow.attacker
    return (
        blow.melee
        and bool(attacker.effects)
        and any(
            one.stat == "denies-dexterity" and one.against in ("", blow.target.id) for one in attacker.effects
        )
    )


#: Parts of Armor Class that worn things give, with the topic of the rule on what the unaware lose of them.
LOST = {
    "shield": "woa.ac.shield-denied",
    "shield enhancement": "woa.ac.shield-denied",
    "dodge": "woa.ac.dodge-bonus-denied",
}

#: The rules that are cited where a part of Armor Class does not count because of them.
DENYING = (
    *dict.fromkeys(LOST.values()),
    "woa.ac.touch-ac",
    "woa.ac.natural-armor-no-stack",
    "woa.water.swimming.no-shield",
)
