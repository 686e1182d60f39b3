"""Delivering a spell by a touch attack."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE
from affray.engine.rules.magic.spell_effects import give_spell_condition
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant


def deliver_by_touch(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Deliver a spell by a touch attack; a ranged touch attack follows the rules of shooting.

    It threatens on 20 for double damage (srd35.crit.spells).
    """
    target = targets[0]
    blow = spell_blow(fight, caster, spell, target)
    if spell.touch == "ranged" and fight.dialect.opportunity.ranged_touch_provokes:
        rule = fight.rule("cast.provokes")
        yield from fight.dialect.opportunity.provoke(
            fight, caster, threatening(fight, caster), f"aims {spell.name}", f"ray:{fight.declaration}", rule
        )
        if is_down(fight, caster):
            return
    if not (yield from strike(fight, blow)):
        return
    if spell.condition and "dead" not in target.conditions:
        yield from give_spell_condition(fight, caster, spell, target)


def spell_blow(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Blow:
    """Return the touch attack of a spell with its critical hits (srd35.crit.spells)."""
    return touch_blow(
        caster,
        spell,
        target,
        fight.rule("ac.touch"),
        threat=fight.figure("crit.spells", "threat", 0),
        multiplier=fight.figure("crit.spells", "multiplier"),
    )


def touch_blow(
    caster: Combatant, spell: Spell, target: Combatant, *cites: str, threat: int = 20, multiplier: int = 2
) -> Blow:
    """Return the touch attack that delivers a spell; it counts as armed."""
    weapon = Weapon(
        spell.name,
        spell.damage or NO_DAMAGE,
        spell.damage_type,
        "projectile" if spell.touch == "ranged" else "unarmed",
        threat=threat,
        multiplier=multiplier,
        range=max(spell.range, 5),
        traits=("armed", "spell"),
        family="spell",
        riders=spell.riders,
    )
    return Blow(
        caster,
        target,
        weapon,
        spell.touch == "melee",
        distance(caster, target),
        Intent("spell", against=TOUCH_ARMOR_CLASS),
        cites=list(cites),
    )
