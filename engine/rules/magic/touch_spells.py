"""Delivering a spell by a touch attack."""

from collections.abc import Callable, Sequence
from functools import partial

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.delay_and_ready import anybody_ready, triggered
from affray.engine.rules.turns.interruption import attack_is_lost, is_permitted, refuse_impeded, standing
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant


def still_delivered(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    targets: Sequence[Combatant],
    reacting: Steps[None],
    again: Callable[[], object],
) -> Steps[bool]:
    """Go through what others do before a touch or a ray; return whether that can be delivered afterwards.

    To strike so is to attack: `reacting` lets those act who readied for one. What has become impossible by
    it, which `again` refuses, is told to be lost: the touch or the ray, not the charge that is held.
    """
    doing, stood = fight.doing, [standing(caster, one) for one in targets]
    permitted = is_permitted(fight, caster)
    fight.doing = None  # what is delivered asks for itself
    try:
        yield from reacting
    finally:
        fight.doing = doing
    if is_down(fight, caster):
        return False
    if stood != [standing(caster, one) for one in targets]:
        try:
            refuse_impeded(fight, caster, permitted)
            again()
        except Refusal as refused:
            yield attack_is_lost(caster, refused, "the ray" if spell.touch == "ranged" else "the touch")
            return False
    return True


def let_ready_act(fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]) -> Steps[bool]:
    """Let those act who readied for an attack before a spell strikes an enemy; return whether it still can.

    srd35.ready.trigger, srd35.ready.interrupt, pf1.ready, futurepath.action.ready.before-trigger.
    """
    if not fight.memory.company[anybody_ready] or all(one.side == caster.side for one in targets):
        return True
    aim = acts.Cast(actor=caster.id, spell=spell.name, targets=tuple(one.id for one in targets))
    again = partial(targets_of_spell, fight, caster, spell, aim)
    return (
        yield from still_delivered(fight, caster, spell, targets, triggered(fight, caster, "attacks"), again)
    )


def deliver_by_touch(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Deliver a spell by a touch attack; a ranged touch attack follows the rules of shooting.

    It threatens on 20 for double damage (srd35.crit.spells); whom it touches has the spell's saving throw.
    Of several targets each is struck at by an attack of its own.
    """
    if not (yield from let_ready_act(fight, caster, spell, targets)):
        return
    for target in targets:
        if "dead" in target.conditions:
            continue
        blow = spell_blow(fight, caster, spell, target)
        if (yield from strike(fight, blow, harm=False)):
            critical = blow.outcome.critical
            yield from fight.dialect.magic.discharge(fight, caster, spell, target, blow, critical)


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
