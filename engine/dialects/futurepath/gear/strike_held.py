"""Implement attacks on items that an opponent holds, carries or wears.

futurepath.object.attack.held-provokes
"""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS, refuse_hopeless
from affray.engine.dialects.futurepath.attacks.ranged_attacks import prepare_declared
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.gear.objects import (
    HELD,
    LEAST,
    MADE,
    SHEETS_OF_THINGS_TABLE,
    WHOLE,
    defense_of_carried,
    is_effective,
    most,
    row_of_thing,
    rules_of_sizes,
    through_hardness,
    weapon_size,
)
from affray.engine.dialects.futurepath.turns.action_types import told_safe
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import reaches, refuse_apart
from affray.engine.record.blow import ARMOR_CLASS, Blow
from affray.engine.record.chapters import Attempt
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.damage.damage import ENERGY, NO_DAMAGE, damage_bonus, passing_damage_parts
from affray.engine.rules.damage.injury import hit_points_set
from affray.engine.rules.gear.hands import (
    held_weapons,
    is_lost,
    lose,
    melee_band,
    strikes_in_melee,
    weapon_named,
)
from affray.engine.rules.gear.objects import Battering, Durability, item_struck, roll_blow_at_item
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.trample import GONE, is_attempt_possible, melee_attempt, still_possible
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import ActionSnapshot, footing
from affray.engine.steps import Refusal, Roll, Steps, altered, onward
from affray.events.facts import acts
from affray.events.facts.combat import DamagePart, Provoked, ResourceSpent
from affray.events.facts.flow import TimePassed
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Attacks on unattended objects in Futurepath do not provoke

TABLE: Final = "futurepath.table.actions.attack"
TOPIC: Final = "futurepath.action.attack-object.provokes-if-attended"


def report_unattended(fight: Fight, act: acts.Attack, attacking: Steps[None]) -> Steps[None]:
    """Strike an unattended object, which does not provoke; shots at it provoke as usual.

    futurepath.action.attack-object.provokes-if-attended
    """
    first: object = next(attacking)
    # For an attack on a square the target is not known yet.
    actor, target = fight.combatant(act.actor), fight.state.combatants.get(act.target)
    alone = target is not None and (target.sheet.thing is not None or target.sheet.kind == "object")
    weapon = find_weapon(fight, actor, act.weapon)
    if (
        alone
        and not act.thrown
        and strikes_in_melee(weapon)
        and dict(fight.figure(TABLE))["attack an object"] == "maybe"
    ):
        what = f"an attack on {act.target}, which nobody holds,"
        yield from told_safe(fight, actor, what, fight.rules(TOPIC, TABLE))
    yield from onward(attacking, first)


# --- Repairing things between fights: an hour of work, then a check (futurepath.object.repair.*)

TIME: Final = "futurepath.object.repair.time"
CHECK: Final = "futurepath.object.repair.check"
MINUTES_AN_HOUR: Final = 60


def repair(fight: Fight, act: acts.Repair) -> Steps[None]:
    """Work for an hour on a damaged thing, or on a combatant's item, then make a Repair check.

    Without tools the check is harder; a success restores 2d6 hit points, up to the full total
    (futurepath.object.repair.time, futurepath.object.repair.check).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TIME)
    damage = damage_of(target, act.item)
    refuse_down(fight, actor, "repair anything")
    if fight.state.begun and are_enemies_up(fight):
        raise Refusal("things cannot be repaired while enemies fight", rule)
    if damage <= 0 or "dead" in target.conditions or target.items.get(act.item) == "broken":
        raise Refusal(f"the {act.item or target.id} has no damage that can be repaired", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    minutes = int(fight.figure(TIME, "hours")) * MINUTES_AN_HOUR
    yield TimePassed(minutes=minutes, what="repairs", cites=(rule,))
    checked = fight.rule(CHECK)
    parts = skill_parts(fight, actor, "repair", "int", checked)
    if not act.tools:
        parts.append(fight.modifier(TIME, "no_tools", kind="penalty", source="no tools"))
    dc = int(fight.figure(CHECK, "dc"))
    why = f"to repair the {act.item or target.id}"
    if not (yield from check(fight, actor, "repair", parts, dc, checked, why=why)):
        return
    rolled = yield Roll(actor.id, "repaired", str(fight.figure(CHECK, "restores")))
    restored = min(damage, rolled.total)
    if act.item:
        name = f"damage to {act.item}"
        yield ResourceSpent(who=target.id, resource=name, amount=-restored, cites=(checked,))
    else:
        yield hit_points_set(target, target.hp + restored, "repaired", checked)


def damage_of(target: Combatant, item: str) -> int:
    """Return the hit points lost by a thing, or by a combatant's item; 0 for a creature."""
    if item:
        return target.resources.get(f"damage to {item}", 0)
    return target.max_hp - target.hp if target.sheet.thing is not None else 0


def are_enemies_up(fight: Fight) -> bool:
    """Return whether several sides still have a creature that is not down."""
    combatants = fight.state.combatants.values()
    return len({one.side for one in combatants if one.sheet.thing is None and not is_down(fight, one)}) > 1


BREAKING: Final = "futurepath.object.attack-breaking"
PROVOKES: Final = "futurepath.object.attack.held-provokes"
ATTACKS: Final = "futurepath.table.actions.attack"
#: The row of a firearm of Medium size.
FIREARM: Final = "firearm, medium"
#: Wield categories of body parts, which are not objects.
OF_THE_BODY: Final = ("natural", "unarmed")


def sunder_item(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Strike at a weapon or another object of an opponent, with an attack action.

    futurepath.object.attack-breaking, futurepath.object.defense.held-carried-worn
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(BREAKING)
    refuse_no_bearer(fight, actor, target)
    blow = melee_attempt(fight, actor, target, find_weapon(fight, actor, act.weapon), "attack", rule)
    refuse_hopeless(fight, blow)
    item, size, found = item_to_strike(fight, target, act)
    definition = fight.rule("futurepath.action.attack.definition")
    yield spending(fight, actor, "standard", "sunder", rule, definition)
    yield from strike_item(fight, Attempt(blow, item, name=fight.declaration), size, found)


def refuse_no_bearer(fight: Fight, actor: Combatant, target: Combatant) -> None:
    """Refuse to strike at items of the attacker itself or of a thing."""
    if target is actor or target.sheet.thing is not None:
        reason = f"{actor.id} can strike only at an opponent's items, not at those of {target.id}"
        raise Refusal(reason, fight.rule(BREAKING))


def item_to_strike(fight: Fight, target: Combatant, act: acts.Sunder) -> tuple[str, str, Durability]:
    """Return the name, size and sturdiness of the object to strike. Refuse missing objects."""
    rule = fight.rule(BREAKING)
    in_hand = (one.name for one in held_weapons(target) if one.wield not in OF_THE_BODY)
    item = act.item or next(in_hand, "")
    weapon = weapon_named(target, item)
    if not item or target.items.get(item) in GONE or is_lost(target, item):
        raise Refusal(f"{target.id} has no {item or 'weapon in hand'} to strike at", rule)
    if weapon is not None and weapon.wield in OF_THE_BODY:
        raise Refusal(f"the {item} is part of {target.id}", rule)
    size, found = what_is_struck(fight, target, weapon, act)
    if target.resources.get(f"damage to {item}", 0) >= found.hp:
        raise Refusal(f"the {item} is broken already", rule)
    return item, size, found


def what_is_struck(
    fight: Fight, target: Combatant, weapon: Weapon | None, act: acts.Sunder
) -> tuple[str, Durability]:
    """Return the size and sturdiness of an object from the table; the declaration may give higher figures.

    futurepath.table.object-hardness-hp-break, futurepath.object.manufactured-minimum-values,
    futurepath.assumed.weapon-size
    """
    size = weapon_size(fight, target, weapon) if weapon is not None else act.size
    if weapon is not None and act.size not in (acts.Sunder(act.actor).size, size):
        raise Refusal(f"the {weapon.name} is {size}, not {act.size}", fight.rule(SHEETS_OF_THINGS_TABLE))
    shoots = weapon is not None and weapon.family in FIREARMS and size == "medium"
    row = row_of_thing(fight, FIREARM if shoots else MADE, size)
    name = weapon.name if weapon is not None else act.item
    hardness = most(fight, name, "hardness", act.hardness, int(row["hardness"]))
    hp = most(fight, name, "hp", act.hp, int(row["hp"]))
    more = (hardness, hp) != (row["hardness"], row["hp"])
    topics = (SHEETS_OF_THINGS_TABLE, "futurepath.object.hit-points.source", *((LEAST,) if more else ()))
    sizes = rules_of_sizes(weapon) if weapon is not None else ()
    return size, Durability(hardness, hp, fight.rules(*topics, *sizes))


def strike_item(fight: Fight, attempt: Attempt, size: str, thing: Durability) -> Steps[None]:
    """Provoke, roll against the object's Defense, and damage it."""
    if not (yield from still_possible(fight, attempt)):
        return
    if not (yield from resolve_provocation(fight, attempt)):
        return
    blow, item = attempt.blow, attempt.item
    held = "futurepath.object.defense.held-carried-worn"
    defense = defense_of_carried(fight, blow.target, size)
    cites = fight.rules(BREAKING, held)
    if not (yield from roll_blow_at_item(fight, blow, item, defense, *cites)):
        return
    yield from damage_item(fight, blow, item, thing)


def damage_item(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[None]:
    """Damage an object of the target, if the weapon can; without hit points it is broken."""
    if not (yield from is_effective(fight, blow.weapon, item)):
        return
    found = yield from roll_against(fight, blow, item, thing)
    struck = item_struck(blow, item, found, found.dealt, *thing.cites)
    yield struck
    if not struck.left:
        yield from lose(fight, blow.target, item, "broken", struck.cites)


def resolve_provocation(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Resolve the attacks of opportunity against an attack on an item; return whether it goes on.

    With the feat Sunder there are none. By the new table an attack on a weapon provokes from all who
    threaten, one on another object from its holder, as in the old text
    (futurepath.object.attack.held-provokes, futurepath.action.attack-object.provokes-if-attended,
    futurepath.table.actions.attack).
    """
    blow, item = attempt.blow, attempt.item
    attacker, holder = blow.attacker, blow.target
    if has_feat(attacker, "sunder"):
        return True
    weapon = weapon_named(holder, item) is not None
    if weapon and not old_only(fight):
        enemies, topics = threatening(fight, attacker), (PROVOKES, ATTACKS)
    else:
        maybe = "futurepath.action.attack-object.provokes-if-attended"
        enemies = [holder] if threatens(fight, holder, attacker) else []
        topics = (PROVOKES, ATTACKS) if weapon else (PROVOKES, maybe)
    if not enemies:
        return True
    before = footing(fight, attacker, holder)
    why, name = f"strikes at the {item}", f"sunder:{attempt.name}"
    yield from fight.dialect.opportunity.provoke(fight, attacker, enemies, why, name, *fight.rules(*topics))
    return (yield from is_attempt_possible(fight, before, attempt))


def roll_against(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[Battering]:
    """Roll a weapon's damage to a combatant's item, reduced by its hardness.

    Objects take no critical hits and no nonlethal damage (futurepath.object.immunities,
    futurepath.object.hardness).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    strong = fight.dialect.damage.strength_damage(fight, blow, 0) is not None
    tally = fight.stack([*damage_bonus(fight, blow), *passing_damage_parts(fight, blow, strong)])
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    dice = [DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)]
    total = max(rolled.total + tally.total, int(fight.figure("damage.minimum", "min")))
    energies = {weapon.damage_type: total} if weapon.damage_type in ENERGY.union(WHOLE) else {}
    for extra in weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
    through, topics = through_hardness(fight, total, energies, thing.hardness, [])
    if blow.intent.nonlethal:
        through, topics = 0, ["futurepath.object.immunities"]
    before = thing.hp - target.resources.get(f"damage to {item}", 0)
    cites = fight.rules(*topics)
    return Battering(tuple(dice), tally, total, thing.hardness, before, through, cites)


# --- Shooting and throwing at items that an opponent holds, carries or wears
#
# futurepath.object.attack-breaking
# Such a shot is a usual ranged attack, with range, cover, concealment and provoking. But its roll is made
# against the Defense of the object, which takes the damage.

#: The condition of an attack being a shot or throw at an item of its target.
AT_ITEM: Final = "intent.item"


def is_shot(fight: Fight, act: acts.Sunder) -> bool:
    """Return whether an item is attacked from a distance: with a projectile or thrown weapon."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    in_reach = strikes_in_melee(weapon) and reaches(actor, target, *melee_band(actor, weapon))
    return act.thrown or (bool(weapon.range) and not in_reach)


def shoot_at_item(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Shoot or throw at an item of an opponent, with an attack action.

    futurepath.object.attack-breaking, futurepath.object.defense.held-carried-worn,
    futurepath.attack.ranged.range-and-los
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_no_bearer(fight, actor, target)
    item, size, _ = item_to_strike(fight, target, act)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(fight, actor, target, weapon, "attack", thrown=act.thrown)
    blow.intent = replace(blow.intent, item=item, against=f"the {item}")
    blow.defense_extra += defense_of_carried(fight, target, size)
    blow.cites += fight.rules(BREAKING, HELD)
    refuse_hopeless(fight, blow)
    shot = fight.rules(
        BREAKING, "futurepath.action.attack.definition", "futurepath.attack.ranged.range-and-los"
    )
    yield spending(fight, actor, "standard", "sunder", *shot)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def provoke_by_shot(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Resolve a shot at an item; it provokes from the holder for two reasons, with Sunder for one.

    The feat removes the opportunity for attacking the object, not the one for shooting
    (futurepath.object.attack.held-provokes).
    """
    rule, holder = fight.rule(PROVOKES), blow.target.id
    feat = has_feat(blow.attacker, "sunder")

    def cited(step: object) -> object:
        if isinstance(step, Provoked) and step.by == holder and not feat:
            return replace(step, cites=tuple(dict.fromkeys((*step.cites, rule))))
        return step

    return altered(delivering, cited)


def still_at_item(fight: Fight, before: ActionSnapshot, blow: Blow) -> Steps[Blow | None]:
    """Return the shot if it is still possible after an interruption and the object is still there."""
    goes_on = yield from is_attempt_possible(fight, before, Attempt(blow, blow.intent.item))
    return blow if goes_on else None


def strike_whom_it_meets(fight: Fight, blow: Blow) -> None:
    """Make a shot into a grapple that strikes another target a normal shot at that one.

    futurepath.modifier.defender-grappling-random-target
    """
    if blow.target.id != struck_at(fight).target:
        blow.intent = replace(blow.intent, item="", against=ARMOR_CLASS)
        blow.defense_extra = []
        spoken = fight.rules(BREAKING, HELD)
        blow.cites = [rule for rule in blow.cites if rule not in spoken]


def struck_at(fight: Fight) -> acts.Sunder:
    """Return the declaration in progress, by which an object is shot at."""
    act = fight.doing
    assert isinstance(act, acts.Sunder)
    return act


def no_defense_of_bearer(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return nothing: the bearer's Defense protects an object only as its own rule says."""
    return ()


def cover_of_item(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the further protection of an object: the cover of its bearer."""
    covered: list[Modifier] = fight.dialect.defense.cover(fight, blow)
    return covered


def deal_to_item(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Deal the damage of a shot to the object that it has hit; a splash weapon deals it when it breaks."""
    if blow.weapon.damage != NO_DAMAGE:
        yield from damage_item(fight, blow, blow.intent.item, durability(fight, blow))


def durability(fight: Fight, blow: Blow) -> Durability:
    """Return the sturdiness of the object that a shot is aimed at."""
    return item_to_strike(fight, blow.target, struck_at(fight))[2]
