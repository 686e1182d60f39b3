"""Spells that deal damage or heal at once: attack rolls, saving throws, areas, smites."""

import re
from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import attacks, damage
from affray.engine.dialects.srd52.attacks import is_ranged
from affray.engine.dialects.srd52.classes import ability, level_of
from affray.engine.dialects.srd52.conditions import JUST_DEAD, gain, rounds_left
from affray.engine.dialects.srd52.features import (
    Blow,
    Casting,
    Dice,
    Feature,
    Held,
    Strike,
    ask,
    is_settled,
)
from affray.engine.dialects.srd52.gear import weapon_in_hand
from affray.engine.dialects.srd52.magic import (
    add_dice,
    by_level,
    casting_ability,
    dice_of_spell,
    end_on,
    expend,
    is_countered,
    last,
    range_of,
    row_of,
    unaffected,
    unwarded,
    upcast,
    upcast_of,
)
from affray.engine.dialects.srd52.position import push_away, within
from affray.engine.dialects.srd52.senses import sees
from affray.engine.dialects.srd52.spell_effects import (
    Then,
    attack_with,
    blast,
    hit_with,
    hurt,
    hurt_after_save,
    one_roll,
    react_with,
    reaction_casting,
    resist,
    roll_once,
    row,
    saved,
    topic,
)
from affray.engine.dialects.srd52.turns import next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import can_spend, spend
from affray.engine.steps import NOTHING, Choice, Refusal, Steps, reciting
from affray.events.facts.combat import (
    AttackResolved,
    ConditionLost,
    DamagePart,
    DamageResolved,
    MaximumChanged,
)
from affray.events.facts.sheet import ExtraDamage, Modifier
from affray.projections.state import Combatant


def kind_of(casting: Casting) -> str:
    """Return the type of a spell's damage, which may be its caster's choice."""
    return casting.choice or str(casting.row["damage"]["type"])


# --- Spell attacks


def bolt(fight: Fight, casting: Casting, then: Then | None = None) -> Steps[None]:
    """Make a spell attack against the target; a hit deals damage and what else the spell does."""
    for target in casting.targets:
        hit = yield from attack_with(fight, casting, target, dice_of_spell(casting), kind_of(casting))
        if hit and then is not None:
            yield from then(fight, casting, target)


def rays(fight: Fight, casting: Casting) -> Steps[None]:
    """Make a separate attack for each beam or ray, at its target."""
    for target in casting.targets:
        if "dead" not in target.conditions:
            yield from attack_with(fight, casting, target, casting.row["damage"]["dice"], kind_of(casting))


def number_of_rays(fight: Fight, casting: Casting) -> int:
    """Return how many beams, rays or darts a casting has, by level or slot."""
    if "beams" in casting.row:
        return int(by_level(casting.row["beams"], level_of(casting.caster.sheet)))
    return int(casting.row.get("rays", casting.row.get("darts", 0))) + int(upcast_of(casting)[0])


def darts(fight: Fight, casting: Casting) -> Steps[None]:
    """Let each dart hit its target at once, with damage of its own; a Shield stops those at its caster."""
    found = casting.row["damage"]
    for target in dict.fromkeys(one.id for one in casting.targets):
        victim = fight.combatant(target)
        if (yield from is_settled(fight, victim, "stops_darts", casting)):
            continue
        for _ in range(sum(one.id == target for one in casting.targets)):
            rolled = yield from roll_once(fight, casting, found["dice"].replace(" ", ""), found["type"])
            yield from hurt(fight, casting, victim, rolled)


def until_caster_ends(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Put the target under the spell until the end of the caster's next turn."""
    yield from last(fight, casting, target, next_end(fight, casting.caster))


def until_caster_starts(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Put the target under the spell until the start of the caster's next turn."""
    yield from last(fight, casting, target, next_start(fight, casting.caster))


def until_target_starts(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Put the target under the spell until the start of its own next turn."""
    yield from last(fight, casting, target, next_start(fight, target))


def slower(fight: Fight, held: Held, feet: int) -> int:
    """Lower the Speed of a target of Ray of Frost."""
    return feet + int(fight.figure(held.feature.topic, "rider", "speed_ft"))


def sheds_light(fight: Fight, held: Held) -> tuple[int, int]:
    """Return the radius of the light that a spell lets a creature shed: bright, and dim beyond."""
    found = fight.figure(held.feature.topic)
    return found.get("bright_ft", 0), found.get("dim_ft", 0) or found["rider"]["dim_light_ft"]


def poison(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Poison the target until the end of the caster's next turn."""
    yield from last(fight, casting, target, next_end(fight, casting.caster))
    yield from gain(fight, target, "poisoned", casting.caster.id)


def guide(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Give the next attack roll against the target Advantage, until the end of the caster's next turn."""
    until = next_end(fight, casting.caster)
    yield from one_roll(fight, casting, target, attacks.ATTACKED, "advantage", until)


def leap(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with an orb that leaps to another target when two of its dice show the same number."""
    struck: list[Combatant] = []
    queue = list(casting.targets)
    dice = dice_of_spell(casting)
    while queue:
        target = queue.pop()
        struck.append(target)
        strike = yield from hit_with(fight, casting, target, dice, kind_of(casting))
        if strike is None:
            return
        alike = yield from leaping_damage(fight, casting, strike)
        if not alike or len(struck) > max(1, casting.slot):
            return
        near = [
            one
            for one in fight.state.combatants.values()
            if one.id not in [other.id for other in (*struck, casting.caster)]
            and "dead" not in one.conditions
            and within(target, one, casting.row["leap_ft"])
        ]
        if not near:
            return
        near.sort(key=lambda one: one.side == casting.caster.side)
        names = (*(one.id for one in near), "none")
        question = f"{casting.name} leaps: to which creature?"
        answer = yield Choice(casting.caster.id, "leap", question, names, fight.rule(casting.feature.topic))
        queue = [one for one in near if one.id == answer]


def leaping_damage(fight: Fight, casting: Casting, strike: Strike) -> Steps[bool]:
    """Roll the dice of an orb one by one and deal them; return whether two show the same number."""
    dice = strike.weapon.damage
    rolls = damage.multiplied(dice, damage.factor_of_critical(fight, "dice")) if strike.critical else dice
    many, _, faces = rolls.partition("d")
    rolled: list[DamagePart] = []
    for _ in range(int(many)):
        rolled += yield from roll_once(fight, casting, f"1d{faces}", kind_of(casting))
    answers = yield from attacks.answers_to_hit(fight, strike)
    share = Blow("", "", critical=strike.critical, attack=True, answers=answers)
    yield from hurt(fight, casting, strike.target, tuple(rolled), share)
    totals = [one.total for one in rolled]
    return len(set(totals)) < len(totals)


def arrow(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with an arrow that goes on burning; a miss still deals half of the first damage."""
    dice = add_dice(casting.row["damage"]["dice"], upcast_of(casting)[0])
    for target in casting.targets:
        if (yield from attack_with(fight, casting, target, dice, kind_of(casting))):
            yield from last(fight, casting, target, next_end(fight, target))
        else:
            rolled = yield from roll_once(fight, casting, dice, kind_of(casting))
            yield from hurt(fight, casting, target, rolled, Blow("", "", halved=True))


def burn_on(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Deal the later damage of Acid Arrow as the target's next turn has ended."""
    found = fight.figure(held.feature.topic)
    yield from burn(fight, held, found["delayed"]["dice"], found["damage"]["type"])


def burn(fight: Fight, held: Held, dice: str, kind: str) -> Steps[None]:
    """Deal the later damage of a spell to its target, with more dice for a higher slot."""
    dice = add_dice(dice, upcast(row_of(fight, held.feature), held.number)[0])
    blow = Blow(held.caster, held.name, magical=True)
    cites = fight.rules(held.feature.topic)
    yield from damage.deal(fight, held.holder, blow, [Dice(dice, kind, held.name)], cites=cites)


def knife(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with a shard of ice; hit or miss, it bursts at the target."""
    found = casting.row["burst"]
    for target in casting.targets:
        yield from attack_with(fight, casting, target, casting.row["damage"]["dice"], kind_of(casting))
        more = upcast_of(casting)[0]
        rolled = yield from roll_once(fight, casting, add_dice(found["dice"], more), found["type"])
        burst = replace(casting, row={**casting.row, "save": {"ability": found["save"], **found}})
        for one in list(fight.state.combatants.values()):
            if "dead" not in one.conditions and within(target, one, found["radius"]):
                success = yield from saved(fight, burst, one, origin=target.at)
                yield from hurt_after_save(fight, burst, one, rolled, success)


def drain(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with the touch of a vampire, as often as the spell lasts."""
    yield from last(fight, casting, casting.caster)
    yield from touch(fight, casting)


def range_of_touch(fight: Fight, casting: Casting) -> int:
    """Return the reach of the caster."""
    return casting.caster.reach


def touch(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with the touch, which heals half of the damage that it deals."""
    for target in casting.targets:
        before = target.hp + target.temporary
        if (yield from attack_with(fight, casting, target, dice_of_spell(casting), kind_of(casting))):
            dealt = before - target.hp - target.temporary
            yield from damage.heal(fight, casting.caster, dealt // 2, casting.name, casting.feature.topic)


def strike_true(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack with the weapon in hand by the spellcasting ability; it may deal Radiant damage."""
    weapon = weapon_in_hand(fight, casting.caster, "")
    for target in casting.targets:
        strike = attacks.prepare(fight, casting.caster, target, weapon, False)
        own = casting_ability(fight, casting.caster)
        kind = "radiant" if casting.choice == "radiant" else weapon.damage_type
        level, extra = level_of(casting.caster.sheet), casting.row["extra_damage"]
        made = replace(strike, ability=own, weapon=replace(weapon, damage_type=kind))
        if level >= min(int(one) for one in extra if one.isdigit()):
            more = ExtraDamage(by_level(extra, level), extra["type"], casting.name)
            made = replace(made, weapon=replace(made.weapon, extra=(*made.weapon.extra, more)))
        rule = fight.rule(casting.feature.topic)
        yield from reciting(attacks.strike_with(fight, made), (AttackResolved, DamageResolved), rule)


# --- Saving throws against damage


def push(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Push a creature away from the caster."""
    yield from push_away(fight, casting.caster, target, casting.row["push_ft"], casting.feature.topic)


def mock(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Give the target Disadvantage on its next attack roll before the end of its next turn."""
    yield from one_roll(fight, casting, target, "attack", "disadvantage", next_end(fight, target))


# --- Healing


def healing(fight: Fight, casting: Casting) -> Steps[None]:
    """Heal the targets: dice, more with a higher slot, and the spellcasting ability modifier."""
    dice = str(casting.row["healing"]).partition(" ")[0]
    more = upcast_of(casting)[0]
    own = ability(fight, casting.caster, casting_ability(fight, casting.caster))
    for target in casting.targets:
        total = yield from damage.roll_points(fight, casting.caster.id, add_dice(dice, more))
        more_of_feature, topics = extra_healing(fight, casting)
        whole = total + own.value + more_of_feature
        yield from damage.heal(fight, target, whole, casting.name, casting.feature.topic, *topics)


def extra_healing(fight: Fight, casting: Casting) -> tuple[int, list[str]]:
    """Return what features add to a healing spell that is cast with a slot, and their topics."""
    if not casting.slot or casting.free:
        return 0, []
    asked = [
        (function(fight, held, casting), held)
        for function, held in ask(fight, casting.caster, "more_healing")
    ]
    return sum(more for more, _ in asked), [held.feature.topic for _, held in asked]


def vigor(fight: Fight, casting: Casting) -> Steps[None]:
    """Give the caster temporary hit points."""
    found = re.sub(r"\s", "", casting.row["temp_hp"])
    more, _ = upcast_of(casting)
    total = yield from damage.roll_points(fight, casting.caster.id, found)
    rule = fight.rule(casting.feature.topic)
    yield from damage.grant_temporary(fight, casting.caster, total + int(more), casting.name, rule)


def bolster(fight: Fight, casting: Casting) -> Steps[None]:
    """Raise the targets' hit point maximum and their hit points."""
    more = casting.row["hp"] + int(upcast_of(casting)[0])
    for target in casting.targets:
        cites = fight.rules(casting.feature.topic)
        yield from last(fight, casting, target)
        yield MaximumChanged(who=target.id, max_hp=target.max_hp + more, why=casting.name, cites=cites)
        yield from damage.heal(fight, target, more, casting.name, casting.feature.topic)


def unbolster(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Take the raised hit point maximum of Aid back."""
    found = fight.figure(held.feature.topic)
    more = found["hp"] + int(upcast(found, held.number)[0])
    cites = fight.rules(held.feature.topic)
    who = held.holder
    yield MaximumChanged(who=who.id, max_hp=who.max_hp - more, why=why, cites=cites)
    if who.hp > who.max_hp:
        yield damage.set_hit_points(who, who.max_hp, why, *cites)


def spare(fight: Fight, casting: Casting) -> Steps[None]:
    """Make a creature at 0 hit points Stable."""
    for target in casting.targets:
        if target.hp:
            yield unaffected(fight, casting, target)
        else:
            yield from damage.become_stable(fight, target, casting.name)


def range_of_sparing(fight: Fight, casting: Casting) -> int:
    """Return the range of Spare the Dying by level."""
    return int(by_level(casting.row["range_by_level"], level_of(casting.caster.sheet)))


def revive(fight: Fight, casting: Casting) -> Steps[None]:
    """Return a creature that has died within the last minute to life."""
    for target in casting.targets:
        if "dead" in target.conditions:
            cites = fight.rules(casting.feature.topic)
            yield from damage.return_to_life(fight, target, casting.row["hp"], casting.name, *cites)
        else:
            yield unaffected(fight, casting, target)


def refuse_long_dead(fight: Fight, casting: Casting) -> None:
    """Refuse a creature that has been dead for more than a minute."""
    for target in casting.targets:
        if "dead" in target.conditions and rounds_left(fight, target, JUST_DEAD) < 0:
            reason = f"{target.id} has been dead for more than {casting.row['max_dead']}"
            raise Refusal(reason, fight.rule(casting.feature.topic))


def restore(fight: Fight, casting: Casting) -> Steps[None]:
    """End the chosen condition on the target."""
    for target in casting.targets:
        if casting.choice in target.conditions:
            cites = fight.rules(casting.feature.topic)
            yield ConditionLost(who=target.id, condition=casting.choice, why=casting.name, cites=cites)
        else:
            yield unaffected(fight, casting, target)


# --- Smites and rebukes


def by_trigger(fight: Fight, casting: Casting) -> Steps[None]:
    """Do nothing: the spell is cast in answer to its trigger, and takes effect there."""
    return NOTHING


def smite_of(
    name: str, fight: Fight, held: Held, strike: Strike, critical: bool
) -> Steps[list[Dice | Modifier]]:
    """Ask whether a smite is cast right after a hit, as a Bonus Action; return its extra dice."""
    attacker = strike.attacker
    if is_ranged(strike.weapon) or strike.spell or not can_spend(fight, attacker, "bonus"):
        return []
    casting = reaction_casting(fight, attacker, name, strike.target, bonus=True)
    if casting is None:
        return []
    question = f"{attacker.id} hits {strike.target.id}: does it cast {name}?"
    rule = fight.rule(casting.feature.topic)
    answer = yield Choice(attacker.id, "smite", question, ("decline", "cast"), rule)
    if answer == "decline":
        return []
    yield spend(fight, attacker, "bonus", f"cast {name}", rule)
    if (yield from is_countered(fight, casting)):
        return []
    yield from expend(fight, casting)
    found, more = casting.row["extra_damage"], upcast_of(casting)[0]
    dice = [Dice(add_dice(found["dice"], more), found["type"], name)]
    if "vs_fiend_undead" in found and strike.target.sheet.kind in ("fiend", "undead"):
        dice.append(Dice(found["vs_fiend_undead"].removeprefix("+"), found["type"], name))
    if "ongoing" in casting.row:
        yield from last(fight, casting, strike.target)
    return list(dice)


def sear(fight: Fight, held: Held) -> Steps[None]:
    """Burn a target of Searing Smite as its turn starts; then a save ends the spell."""
    found = fight.figure(held.feature.topic)
    caster = fight.combatant(held.caster)
    yield from burn(fight, held, found["ongoing"]["dice"], found["extra_damage"]["type"])
    name = found["ongoing"]["save"]
    if (yield from resist(fight, caster, held.feature, held.name, held.holder, name)):
        yield from end_on(fight, held, "a save ends it")


def rebuke(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Ask whether the damaged caster answers with Hellish Rebuke at the source of the damage."""
    attacker = fight.state.combatants.get(blow.attacker)
    caster = held.holder
    if attacker is None or attacker.side == caster.side or "dead" in attacker.conditions:
        return
    casting = reaction_casting(fight, caster, held.name, attacker)
    if casting is None or not within(caster, attacker, range_of(casting.row, caster)):
        return
    if not sees(fight, caster, attacker):
        return
    question = f"{attacker.id} has damaged {caster.id}: does it cast {held.name}?"
    if (yield from react_with(fight, casting, question, attacker, True)):
        yield from blast(fight, (yield from unwarded(fight, casting)))


SPELLS: Final[dict[str, Feature]] = {
    **row("acid splash", blast),
    **row("chill touch", partial(bolt, then=until_caster_ends), no_healing=True),
    **row("eldritch blast", rays, repeats=True, many=number_of_rays),
    **row("fire bolt", bolt),
    **row("poison spray", bolt),
    **row("ray of frost", partial(bolt, then=until_caster_starts), on_speed=slower),
    **row("sacred flame", blast, seen=True),
    **row("shocking grasp", partial(bolt, then=until_target_starts), no_opportunity_attacks=True),
    **row("spare the dying", spare, reach=range_of_sparing),
    **row("starry wisp", partial(bolt, then=until_caster_ends), reveals=True, sheds=sheds_light),
    **row("true strike", strike_true, chosen=True, choices=("normal", "radiant")),
    **row("vicious mockery", partial(blast, then=mock)),
    **row("burning hands", blast),
    **row("chromatic orb", leap, seen=True, choices="damage"),
    **row("cure wounds", healing),
    **row("false life", vigor),
    **row("guiding bolt", partial(bolt, then=guide)),
    **row("healing word", healing, seen=True),
    **row("hellish rebuke", blast),
    "prepared hellish rebuke": Feature(topic=topic("hellish rebuke"), after_damage=rebuke),
    **row("ice knife", knife),
    **row("inflict wounds", blast),
    **row("magic missile", darts, repeats=True, many=number_of_rays, seen=True),
    **row("ray of sickness", partial(bolt, then=poison)),
    **row("divine smite", by_trigger),
    "prepared divine smite": Feature(topic=topic("divine smite"), on_hit=partial(smite_of, "divine smite")),
    **row("searing smite", by_trigger, turn_start=sear),
    "prepared searing smite": Feature(
        topic=topic("searing smite"), on_hit=partial(smite_of, "searing smite")
    ),
    **row("thunderwave", partial(blast, then=push)),
    **row("acid arrow", arrow, over=burn_on),
    **row("aid", bolster, over=unbolster),
    **row("lesser restoration", restore, choices="ends_condition"),
    **row("scorching ray", rays, repeats=True, many=number_of_rays),
    **row("shatter", blast),
    **row("fireball", blast),
    **row("lightning bolt", blast),
    **row("mass healing word", healing, seen=True),
    **row("revivify", revive, dead=True, check=refuse_long_dead),
    **row("vampiric touch", drain, chosen=True, reach=range_of_touch, again="action", use=touch),
    **row("cone of cold", blast),
}
