"""Touch spells and rays: the touch that is part of the casting, and the charge that is held after it."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.gear.held_weapons import longer_reach
from affray.engine.rules.magic.lost_charge import CHARGED, held_spell
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Spell
from affray.events.wording import counted
from affray.projections.state import Combatant


def deliver_or_hold(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Deliver a spell by ray or touch; a touch that is not made now, or cannot be, can be made later.

    srd35.cast.touch, srd35.cast.hold-charge, srd35.cast.ray.
    """
    if spell.touch == "ranged":
        for target in targets:
            yield from shoot_ray(fight, caster, spell, target)
        return
    rule = fight.rule("cast.touch")
    yield ConditionGained(
        who=caster.id, condition=CHARGED, source=spell.name, level=touches_held(spell.touches), cites=(rule,)
    )
    # As long as this turn lasts the touches are part of the casting.
    yield ActionSpent(who=caster.id, kind="charge", what=f"bear the charge of {spell.name}", cites=(rule,))
    for target in targets:
        if CHARGED not in caster.conditions:
            return
        try:
            refuse_to_touch(fight, caster, target)
        except Refusal as refused:  # by what came between
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
    """Shoot a ray: a ranged touch attack that knows no range increments (srd35.cast.ray)."""
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
    """Touch an opponent by a melee touch attack; return whether the charge has gone off."""
    caster = blow.attacker
    blow.cites += [rule for rule in fight.rules("cast.touch") if rule not in blow.cites]
    if not (yield from strike(fight, blow, harm=False)):
        held = fight.rule("cast.hold-charge")
        yield RuleApplied(who=caster.id, what=f"still holds the charge of {spell.name}", cites=(held,))
        return False
    yield from use_charge(fight, caster, spell)
    yield from fight.dialect.magic.discharge(fight, caster, spell, blow.target, blow, blow.outcome.critical)
    return True


def touches_held(touches: int) -> int:
    """Return the level of a held charge: how many touches it is good for, 0 for a single one."""
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
            level=touches_held(held.level - 1),
            cites=cites,
        )
    else:
        yield ConditionLost(who=caster.id, condition=CHARGED, why="discharged", cites=cites)


def discharge(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow | None, critical: bool
) -> Steps[None]:
    """Let a spell that has touched its target work.

    Damage without a saving throw is that of a weapon; all that it deals may be critical (srd35.crit.spells).
    """
    dialect = fight.dialect
    if blow is None or spell.save or not spell.damage:
        yield from dialect.magic.affect(fight, caster, spell, target, None, critical)
        return
    if (yield from dialect.magic.withstands(fight, caster, spell, target)):
        return
    yield from dialect.damage.deal(fight, blow, critical)
    if "dead" not in target.conditions:
        if spell.condition:
            yield from dialect.magic.afflict(fight, caster, spell, target)
        # The touch has brought what the spell carries, as a weapon does.
        yield from dialect.magic.bestow(fight, caster, replace(spell, riders=()), target, False)


def touch(fight: Fight, act: acts.Touch) -> Steps[None]:
    """Touch with a held charge: part of the casting in the same turn, else an action of its own.

    An opponent takes a standard action, so does one friend; two to six friends take the full round
    (woa.spell.hold-charge-friends).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.hold-charge")
    spell = held_spell(fight, caster)
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
    """Let an unarmed or natural attack that hit discharge the spell that its maker holds.

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
        yield from fight.dialect.magic.affect(fight, attacker, spell, blow.target, None)
