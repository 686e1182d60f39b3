"""What is traded before the first attack roll: Power Attack, Deadly Aim, Combat Expertise.

pf1.feat.power-attack, pf1.feat.deadly-aim, pf1.feat.combat-expertise.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.natural_weapons import is_secondary, is_single
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.steps import Refusal
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Stats of the effects on attacks in melee, and on shots and throws.
MELEE, RANGED = "melee-attack", "ranged-attack"
POWER: Final = "pf1.feat.power-attack"
AIM: Final = "pf1.feat.deadly-aim"
EXPERTISE: Final = "pf1.feat.combat-expertise"


def steps_of(fight: Fight, combatant: Combatant, topic: str) -> int:
    """Return how often the figures of a feat count: once, and once more for every so much base attack."""
    return int(1 + combatant.sheet.base_attack // fight.figure(topic, "per_bab"))


def pledge(
    fight: Fight, combatant: Combatant, power: int, expertise: int, blows: Sequence[Blow]
) -> list[EffectGained]:
    """Return the facts of what an attacker trades; the base attack bonus says how much, no more and no less.

    It holds until the next turn. What is traded in power is Power Attack in melee and Deadly Aim with what is
    shot or thrown, but for touches. Refuses what the attacker has not, and another number.
    """
    facts: list[EffectGained] = []
    if power and any(blow.melee for blow in blows):
        facts.append(traded(fight, combatant, "power attack", power, MELEE))
    if power and not all(blow.melee for blow in blows):
        if all(blow.melee or blow.intent.touch for blow in blows):
            raise Refusal("Deadly Aim is no use with touch attacks", fight.rule(AIM))
        facts.append(traded(fight, combatant, "deadly aim", power, RANGED))
    if expertise:
        if not all(blow.melee for blow in blows):
            raise Refusal("Combat Expertise goes with attacks in melee", fight.rule(EXPERTISE))
        facts.append(traded(fight, combatant, "combat expertise", expertise, MELEE))
        dodge = fight.figure(EXPERTISE, "ac") * expertise
        facts.append(
            effect_of(
                fight, combatant, "defense", Modifier(dodge, "dodge", NAMES[EXPERTISE], fight.rule(EXPERTISE))
            )
        )
    return facts


NAMES: Final = {POWER: "Power Attack", AIM: "Deadly Aim", EXPERTISE: "Combat Expertise"}


def traded(fight: Fight, combatant: Combatant, feat: str, points: int, stat: str) -> EffectGained:
    """Return the effect by which a feat takes its points off the attacks of a stat. Refuses other numbers."""
    rule = refuse_without(fight, combatant, feat)
    value = fight.figure(rule, "attack") * steps_of(fight, combatant, rule)
    if points != -value:
        bonus = f"base attack bonus {combatant.sheet.base_attack:+d}"
        raise Refusal(f"{NAMES[rule]} takes {-value} off at {bonus}, not {points}", rule)
    return effect_of(fight, combatant, stat, Modifier(value, "penalty", NAMES[rule], rule))


def effect_of(fight: Fight, combatant: Combatant, stat: str, modifier: Modifier) -> EffectGained:
    """Return the effect of what is traded, until the next turn."""
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{modifier.source.lower().replace(' ', '-')}:{stat}",
        stat=stat,
        modifier=modifier,
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        cites=(modifier.rule,),
    )


def parts_of_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what is traded off such an attack: in melee, or a shot that is no touch.

    pf1.feat.power-attack, pf1.feat.deadly-aim, pf1.feat.combat-expertise.
    """
    stat = MELEE if blow.melee else "" if blow.intent.touch else RANGED
    return [effect.modifier for effect in blow.attacker.effects if effect.stat == stat]


def power_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add what Power Attack gains: half again with both hands or a lone limb, half with the other one.

    Nothing to touches (pf1.feat.power-attack).
    """
    if not blow.melee or not is_pledged(blow.attacker, POWER) or blow.intent.touch:
        return
    gain = fight.figure(POWER, "damage") * steps_of(fight, blow.attacker, POWER)
    source = NAMES[POWER]
    if blow.weapon.off_hand or (blow.weapon.wield == "natural" and is_secondary(fight, blow)):
        gain, source = gain * fight.figure(POWER, "off_hand_multiplier"), f"{source} (off hand or secondary)"
    elif is_doubly_strong(blow):
        gain, source = gain * fight.figure(POWER, "two_handed_multiplier"), f"{source} (two hands)"
    yield Modifier(int(gain), "untyped", source, fight.rule(POWER))


def is_doubly_strong(blow: Blow) -> bool:
    """Say whether a blow has one and a half times its Strength: both hands, or the only natural weapon."""
    if blow.weapon.wield == "natural":
        return is_single(blow)
    return wielded_in_two_hands(blow.weapon) and blow.weapon.wield != "light"


def aim_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add what Deadly Aim gains to shots and throws that are no touches (pf1.feat.deadly-aim)."""
    if not blow.melee and not blow.intent.touch and is_pledged(blow.attacker, AIM):
        gain = fight.figure(AIM, "damage") * steps_of(fight, blow.attacker, AIM)
        yield Modifier(gain, "untyped", NAMES[AIM], fight.rule(AIM))


def is_pledged(combatant: Combatant, rule: str) -> bool:
    """Say whether a combatant has made the trade of a rule until its next turn."""
    return any(effect.modifier.rule == rule for effect in combatant.effects)
