"""Rending whom enough blows of a round have hit (pf1.constrict-rend-rake, pf1.feat.double-slice)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, BlowDamage, Intent
from affray.engine.rules.attacks.rend import HOLDS, natural_weapon_as_printed, tear
from affray.engine.rules.classes.ability_modifiers import trait_detail
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.steps import Steps
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What a round has used once somebody was rent, by limbs and by a weapon in each hand.
RENT: Final = "rend"
FEAT: Final = "two-weapon rend"
TOPIC: Final = "pf1.feat.double-slice"
#: The hits that it takes: "several".
SEVERAL: Final = 2
HANDS: Final = ("main hand", "off hand")


def counted_hit(blow: Blow, kind: str, rule: str) -> Steps[int]:
    """Note a hit on the target of a blow for the rest of the round; return how many it has had."""
    name = f"{kind} hits on {blow.target.id}"
    yield ActionSpent(who=blow.attacker.id, kind=name, what="", cites=(rule,))
    return blow.attacker.spent[name]


def rend_with_limbs(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with a natural weapon that rends, tear whom several of them have hit, once a round.

    The creature's trait says how badly: "rend 2d6+9" (pf1.constrict-rend-rake).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(HOLDS)
    dice = trait_detail(attacker, "rend")
    if not dice or attacker.spent.get(RENT):
        return
    hits = yield from counted_hit(blow, "rending", rule)
    if hits < SEVERAL or "dead" in target.conditions:
        return
    yield ActionSpent(who=attacker.id, kind=RENT, what=f"rends {target.id}", cites=(rule,))
    yield from tear(fight, attacker, target, dice)


def rend_with_both_hands(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """After a hit in a full attack, tear whom a weapon of each hand has hit, once a round.

    Dice and one and a half times Strength, by Two-Weapon Rend (pf1.feat.double-slice).
    """
    attacker, target = blow.attacker, blow.target
    if not masters(fight, attacker, FEAT) or attacker.spent.get(FEAT) or blow.weapon.wield == "natural":
        return
    hand, other = HANDS[::-1] if blow.weapon.off_hand else HANDS
    rule = fight.rule(TOPIC)
    yield from counted_hit(blow, hand, rule)
    if not attacker.spent.get(f"{other} hits on {target.id}") or "dead" in target.conditions:
        return
    yield ActionSpent(who=attacker.id, kind=FEAT, what=f"rends {target.id}", cites=(rule,))
    yield RuleApplied(who=attacker.id, what=f"rends {target.id}", cites=(rule,))
    weapon = natural_weapon_as_printed(FEAT, rent_figures(fight)[0], blow.weapon.damage_type)
    damage = BlowDamage(extra=(strength_behind(fight, attacker, rule),))
    torn = Blow(attacker, target, weapon, True, 0, Intent("full", nonlethal=blow.intent.nonlethal))
    torn.damage = damage
    yield from fight.dialect.damage.deal(fight, torn, False)


def rent_figures(fight: Fight) -> tuple[str, float]:
    """Return dice and share of Strength of Two-Weapon Rend, which stand as "1d10 + 1.5 Str"."""
    dice, _, strength = str(fight.figure(TOPIC, "rend")).partition(" + ")
    return dice, float(strength.removesuffix(" Str"))


def strength_behind(fight: Fight, attacker: Combatant, rule: str) -> Modifier:
    """Return what Strength adds to Two-Weapon Rend: one and a half times a bonus, a penalty as it is."""
    strength = ability_now(fight, attacker, "str")
    value = max(strength, int(strength * rent_figures(fight)[1]))
    return Modifier(value, "ability", "Strength (one and a half)", rule)
