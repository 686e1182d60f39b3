"""Delivering a spell by a touch attack."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance, reaches
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.record.chapters import ReactionBlow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.damage.damage import NO_DAMAGE
from affray.engine.rules.gear.hands import longer_reach
from affray.engine.rules.magic import concentration
from affray.engine.rules.magic.spell_effects import targets_of_spell
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import (
    anybody_ready,
    attack_is_lost,
    is_permitted,
    refuse_impeded,
    standing,
    triggered,
)
from affray.engine.steps import Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

# --- The held charge of a touch spell: which spell it is, and how it is lost

CHARGED = "holding a charge"


def get_held_spell(fight: Fight, combatant: Combatant) -> Spell:
    """Return the spell whose charge is held. Refuses without one."""
    held = combatant.conditions.get(CHARGED)
    if held is None:
        raise Refusal(f"{combatant.id} holds no charge", fight.rule("cast.hold-charge"))
    return concentration.spell_known(combatant, held.source)


def discharge_into_object(fight: Fight, combatant: Combatant, item: str) -> Steps[None]:
    """Discharge a held charge into an object that is touched."""
    if CHARGED in combatant.conditions:
        spell = get_held_spell(fight, combatant)
        cites = fight.rules("cast.hold-charge-discharge")
        yield RuleApplied(who=combatant.id, what=f"{spell.name} goes off into the {item}", cites=cites)
        yield ConditionLost(who=combatant.id, condition=CHARGED, why="discharged", cites=cites)


def dissipate(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose a held charge by casting another spell (srd35.cast.hold-charge, woa.spell.hold-charge-lost)."""
    if CHARGED in combatant.conditions:
        rule = fight.rule("cast.hold-charge-lost")
        yield ConditionLost(who=combatant.id, condition=CHARGED, why="another spell is cast", cites=(rule,))


def provoke_by_touching_many(fight: Fight, caster: Combatant, row: str, touching: Steps[None]) -> Steps[None]:
    """Touch; several friends in one full round provoke by a row of the table of actions."""
    spent = next(touching)
    yield spent
    if isinstance(spent, ActionSpent) and spent.kind == "full-round":
        cites = fight.dialect.turns.table_rules(fight, "full-round", row)
        enemies, reason = threatening(fight, caster) if cites else [], "touches its friends"
        name = f"touch:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(fight, caster, enemies, reason, name, *cites)
        if is_down(fight, caster):
            return
    yield from touching


# --- Touch spells and rays: the touch as part of the casting, and holding the charge after it


def deliver_or_hold(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Deliver a spell by ray or touch; a touch that is not made now, or is impossible, can be made later.

    srd35.cast.touch, srd35.cast.hold-charge, srd35.cast.ray.
    """
    if spell.touch == "ranged":
        for target in targets:
            yield from shoot_ray(fight, caster, spell, target)
        return
    rule = fight.rule("cast.touch")
    yield ConditionGained(
        who=caster.id,
        condition=CHARGED,
        source=spell.name,
        level=count_held_touches(spell.touches),
        cites=(rule,),
    )
    # During this turn the touches are part of the casting.
    yield ActionSpent(who=caster.id, kind="charge", what=f"bear the charge of {spell.name}", cites=(rule,))
    for target in targets:
        if CHARGED not in caster.conditions:
            return
        try:
            refuse_to_touch(fight, caster, target)
        except Refusal as refused:  # by intervening events
            yield attack_is_lost(caster, refused, "the touch")
            continue
        yield from touch_with_spell(fight, caster, spell, target)


def refuse_to_touch(fight: Fight, caster: Combatant, target: Combatant) -> None:
    """Refuse to touch a target that is out of reach, behind total cover, or dead."""
    reach = caster.reach + (longer_reach(caster) if target.side != caster.side else 0)
    if distance(caster, target) > reach:
        raise Refusal(f"{target.id} is out of {caster.id}'s reach", fight.rule("cast.range"))
    if not sees(fight, caster, target):
        raise Refusal(
            f"{caster.id} has no line of effect to {target.id}", fight.rule("cover.total-no-attack")
        )
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))


def shoot_ray(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Shoot a ray: a ranged touch attack without range increments (srd35.cast.ray)."""
    blow = fight.dialect.magic.spell_blow(fight, caster, spell, target)
    blow.weapon = replace(blow.weapon, range=0)
    blow.cites.append(fight.rule("cast.ray"))
    if (yield from strike(fight, blow, harm=False)):
        yield from fight.dialect.magic.discharge(fight, caster, spell, target, blow, blow.outcome.critical)


def touch_with_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Touch a target with the charge: friends without a roll, others by a melee touch attack.

    The charge counts as a weapon, so the touch itself does not provoke; a miss keeps it
    (woa.spell.touch-friend-or-self).
    """
    if target.side == caster.side:
        friendly = (fight.rule("cast.touch-friend"),)
        yield RuleApplied(who=caster.id, what=f"touches {target.id}", cites=friendly)
        yield from use_charge(fight, caster, spell)
        yield from fight.dialect.magic.discharge(fight, caster, spell, target, None, False)
        return
    yield from touch_opponent(fight, spell, fight.dialect.magic.spell_blow(fight, caster, spell, target))


def touch_opponent(fight: Fight, spell: Spell, blow: Blow) -> Steps[bool]:
    """Touch an opponent by a melee touch attack; return whether the charge was discharged."""
    caster = blow.attacker
    blow.cites += [rule for rule in fight.rules("cast.touch") if rule not in blow.cites]
    if not (yield from strike(fight, blow, harm=False)):
        held = fight.rule("cast.hold-charge")
        yield RuleApplied(who=caster.id, what=f"still holds the charge of {spell.name}", cites=(held,))
        return False
    yield from use_charge(fight, caster, spell)
    yield from fight.dialect.magic.discharge(fight, caster, spell, blow.target, blow, blow.outcome.critical)
    return True


def count_held_touches(touches: int) -> int:
    """Return the level of a held charge: how many touches it has, 0 for a single one."""
    return touches if touches > 1 else 0


def use_charge(
    fight: Fight, caster: Combatant, spell: Spell, topic: str = "cast.hold-charge-discharge"
) -> Steps[None]:
    """Use up one touch of the charge, by the rule on a topic (woa.spell.hold-charge-discharge)."""
    held = caster.conditions.get(CHARGED)
    if held is None:
        return
    cites = (fight.rule(topic),)
    if held.level:
        yield ConditionGained(
            who=caster.id,
            condition=CHARGED,
            source=spell.name,
            level=count_held_touches(held.level - 1),
            cites=cites,
        )
    else:
        yield ConditionLost(who=caster.id, condition=CHARGED, why="discharged", cites=cites)


def discharge(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow | None, critical: bool
) -> Steps[None]:
    """Apply a spell that has touched its target.

    Damage without a saving throw is that of a weapon; all of it may be critical (srd35.crit.spells).
    """
    dialect = fight.dialect
    if blow is None or spell.save or not spell.damage:
        yield from dialect.magic.affect(fight, caster, spell, target, None, critical, None)
        return
    if (yield from dialect.magic.withstands(fight, caster, spell, target)):
        return
    yield from dialect.damage.deal(fight, blow, critical)
    if "dead" not in target.conditions:
        if spell.condition:
            yield from dialect.magic.afflict(fight, caster, spell, target)
        # The touch has applied the spell's riders, as a weapon does.
        yield from dialect.magic.bestow(fight, caster, replace(spell, riders=()), target, False)


def touch(fight: Fight, act: acts.Touch) -> Steps[None]:
    """Touch with a held charge: part of the casting in the same turn, otherwise a separate action.

    An opponent takes a standard action, so does one friend; two to six friends take the full round
    (woa.spell.hold-charge-friends).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.hold-charge")
    spell = get_held_spell(fight, caster)
    targets = [fight.combatant(id) for id in act.targets]
    if not targets:
        raise Refusal("no target is named to touch", rule)
    left = max(1, caster.conditions[CHARGED].level)
    if len(targets) > left:
        raise Refusal(f"{spell.name} has {counted(left, 'touch', 'touches')} left, not {len(targets)}", rule)
    friends = all(one.side == caster.side for one in targets)
    if len(targets) > 1 and not friends:
        raise Refusal("several are touched at once only if all are friends", rule)
    most = fight.figure("cast.hold-charge-friends", "friends_per_full_round")
    if len(targets) > most:
        few = fight.rule("cast.hold-charge-friends")
        raise Refusal(f"{len(targets)} friends are too many for one round: {most} can be touched", few)
    for one in targets:
        refuse_to_touch(fight, caster, one)
    fresh = caster.spent.get("charge", 0) > 0 and fight.readied != caster.id
    kind = "free" if fresh else "full-round" if len(targets) > 1 else "standard"
    friendly = fight.rule("cast.hold-charge-friends") if friends else rule
    cited = fight.rule("cast.touch") if fresh else friendly
    yield spending(fight, caster, kind, f"touch with {spell.name}", cited)
    for one in targets:
        if CHARGED in caster.conditions:
            yield from touch_with_spell(fight, caster, spell, one)


def discharge_by_strike(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Let an unarmed or natural attack that hit discharge the spell that the attacker holds.

    woa.spell.hold-charge-attack.
    """
    attacker = blow.attacker
    if not hit or CHARGED not in attacker.conditions or blow.weapon.wield not in ("unarmed", "natural"):
        return
    spell = next(
        (one for one in attacker.sheet.spells if one.name == attacker.conditions[CHARGED].source), None
    )
    if spell is None:
        return
    topic = "cast.hold-charge-discharge" if blow.intent.maneuver else "cast.hold-charge-attack"
    yield from use_charge(fight, attacker, spell, topic)
    if "dead" not in blow.target.conditions:
        yield from fight.dialect.magic.affect(fight, attacker, spell, blow.target, None, False, None)


# --- The held charge of a touch spell as a weapon: its holder counts as armed, out of turn too
# srd35.unarmed.armed, pf1.unarmed.provokes.


def bands_of_charge(
    fight: Fight, combatant: Combatant, found: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens, with the touch of its charge too."""
    if not is_weapon(fight, combatant):
        return found
    return tuple(dict.fromkeys((*found, band(combatant))))


def is_weapon(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the charge is that of a harmful touch, not one meant for friends."""
    spell = get_held_spell(fight, combatant)
    return bool(spell.damage or spell.condition or spell.riders or spell.ongoing or spell.save)


def band(combatant: Combatant) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which an opponent is touched."""
    return 0, combatant.reach + longer_reach(combatant)


def charge_at_hand(
    fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]
) -> list[Weapon]:
    """Return the weapons with which a combatant attacks out of turn, the touch of its charge last."""
    if not is_weapon(fight, combatant) or not reaches(combatant, target, *band(combatant)):
        return found
    return [*found, touch_out_of_turn(fight, combatant, target).weapon]


def touch_by_charge(
    fight: Fight, combatant: Combatant, target: Combatant, weapon: Weapon
) -> ReactionBlow | None:
    """Return the touch with the charge out of turn, if it is the weapon; an energy weapon may be equal to
    it.
    """
    if CHARGED not in combatant.conditions:
        return None
    blow = touch_out_of_turn(fight, combatant, target)
    return ReactionBlow(blow, touch_with_charge) if blow.weapon == weapon else None


def touch_with_charge(fight: Fight, blow: Blow) -> Steps[bool]:
    """Touch an opponent with the held charge; return whether it was discharged."""
    return (yield from touch_opponent(fight, get_held_spell(fight, blow.attacker), blow))


def touch_out_of_turn(fight: Fight, combatant: Combatant, target: Combatant) -> Blow:
    """Return the touch with the charge as the blow of an attack of opportunity."""
    spell = get_held_spell(fight, combatant)
    blow = fight.dialect.magic.spell_blow(fight, combatant, spell, target)
    blow.intent = replace(blow.intent, kind="opportunity")
    blow.cites.append(fight.rule("unarmed.armed"))
    return blow


def still_delivered(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    targets: Sequence[Combatant],
    reacting: Steps[None],
    again: Callable[[], object],
) -> Steps[bool]:
    """Run other combatants' reactions before a touch or a ray; return whether it can be delivered afterwards.

    A touch or ray is an attack: `reacting` lets those with an act readied for one act. If it has become
    impossible, as `again` refuses it, the touch or the ray is reported as lost, but not the held charge.
    """
    doing, stood = fight.doing, [standing(caster, one) for one in targets]
    permitted = is_permitted(fight, caster)
    fight.doing = None  # the delivery checks for itself
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
    """Let those with an act readied for an attack act before a spell hits an enemy; return whether it still
    can.

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

    It threatens on 20 for double damage (srd35.crit.spells); a touched target has the spell's saving throw.
    Each of several targets is attacked separately.
    """
    if not (yield from let_ready_act(fight, caster, spell, targets)):
        return
    for target in targets:
        if "dead" in target.conditions:
            continue
        blow = fight.dialect.magic.spell_blow(fight, caster, spell, target)
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


# --- Events before a touch or a ray, discharging a held charge into an object, and its end
# srd35.cast.hold-charge, srd35.ready.trigger, pf1.cast.touch.


def discharge_into_drawn_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Discharge a held charge into the weapon that is drawn (srd35.cast.hold-charge, pf1.cast.touch)."""
    return discharge_into_object(fight, fight.combatant(act.actor), act.item)


def lost_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Lose a held charge as another spell is cast (srd35.cast.hold-charge)."""
    if not spell.ability and not spell.item:
        yield from dissipate(fight, caster)


def deliver_or_hold_charge(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]
) -> Steps[None]:
    """Deliver a spell by ray or touch, after acts readied for an attack; or hold its charge.

    srd35.cast.touch, srd35.cast.hold-charge, srd35.cast.ray, pf1.cast.touch, pf1.cast.ranged-touch.
    """
    able = yield from let_ready_act(fight, caster, spell, targets)
    yield from deliver_or_hold(fight, caster, spell, targets if able else [])


def set_about_touch(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Touch with a held charge, after acts readied for an attack (srd35.ready.interrupt)."""
    first = next(touching)
    caster = fight.combatant(act.actor)
    yield first
    targets = [fight.combatant(id) for id in act.targets]
    able = yield from let_ready_act(fight, caster, get_held_spell(fight, caster), targets)
    if able and CHARGED in caster.conditions:
        yield from touching
