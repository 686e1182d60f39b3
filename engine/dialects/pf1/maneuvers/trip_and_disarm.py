"""Trip, disarm, sunder, steal, feint and dirty trick, and the free maneuvers of monsters' hits."""

from collections.abc import Collection, Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1 import gear
from affray.engine.dialects.pf1.attacks.attack_roll import power_damage
from affray.engine.dialects.pf1.classes.abilities import guarded_weapon
from affray.engine.dialects.pf1.defense import goes_through, refuse_to_handle
from affray.engine.dialects.pf1.gear import no_longer_broken
from affray.engine.dialects.pf1.grapple import STURDY, TIED, bonds_of
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    GREATER,
    MARGIN,
    MODES,
    Check,
    attempt_maneuver,
    has_greater,
    maneuver_blow,
    roll_maneuver,
    try_maneuver,
)
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.kernel.places import distance
from affray.engine.record.acts import details_of
from affray.engine.record.blow import ARMOR_CLASS, Blow, Intent, varied
from affray.engine.record.chapters import Attempt, Substitute
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import check, masters, refuse_without, skill_parts
from affray.engine.rules.classes.sheets import FLYING, has_feat, is_a, nature_among, size_step
from affray.engine.rules.conditions.conditions import falls_prone
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.handling import GAUNTLET, is_locked
from affray.engine.rules.gear.hands import (
    LOST,
    count_hands_left,
    fights_unarmed,
    held_weapons,
    is_lost,
    lose,
    strikes_in_melee,
    weapon_named,
)
from affray.engine.rules.gear.objects import (
    Durability,
    batter,
    carry_over,
    durability,
    durability_of_armor,
    item_struck,
    shield_of,
)
from affray.engine.rules.gear.others_things import take_from_other
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.opposed_checks import (
    arms_of,
    drops_to_stay_up,
    is_walled_off,
    misled,
    penalty_by_kind,
    refuse_to_mislead,
    straight_on,
)
from affray.engine.rules.maneuvers.trample import melee_attempt
from affray.engine.rules.mounted.riding import BEHIND
from affray.engine.rules.movement.movement import displaced, fall_over, falls_at
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon, Worn
from affray.projections.state import Combatant

# --- Cutting a net or bonds (pf1.sunder, pf1.gear.splash-ref, pf1.object.tables-ref)

NET: Final = "net"


def is_bond(victim: Combatant, item: str) -> bool:
    """Return whether an item is the net that holds a combatant, or what binds it."""
    return (item == NET and nets.is_in_net(victim)) or (bool(item) and item == bonds_of(victim))


def sturdiness_of_bonds(fight: Fight, victim: Combatant, item: str) -> Durability | None:
    """Return the sturdiness of the net that holds a combatant, or of its named bonds; None for other items.

    pf1.gear.splash-ref, pf1.object.tables-ref.
    """
    if not is_bond(victim, item):
        return None
    if item == NET:
        return Durability(0, int(fight.figure(nets.TOPIC, "hp")), fight.rules(nets.TOPIC))
    if item not in STURDY:
        return None
    row = fight.figure("gear.restraints", STURDY[item])
    return Durability(int(row.get("hardness", 0)), int(row["hp"]), fight.rules(TABLES))


def cut_free(fight: Fight, victim: Combatant, item: str) -> Steps[None]:
    """Free a combatant whose net or bonds have been cut to pieces; another net or rope is whole again."""
    damage, how = f"damage to {item}", f"cut out of the {item}"
    rule = fight.rule(nets.TOPIC if item == NET else TABLES)
    lost = victim.resources.get(damage, 0)
    yield ResourceSpent(who=victim.id, resource=damage, amount=-lost, cites=(rule,))
    yield from no_longer_broken(fight, victim, item, "destroyed")
    if item == NET:
        yield from nets.end_net(victim, how, rule)
    else:
        yield ConditionLost(who=victim.id, condition=TIED, why=how, cites=(rule,))


# --- Dirty trick: hampering an opponent for a while, until it takes the time to recover (pf1.dirty-trick)

DIRTY_TRICK_TOPIC: Final = "pf1.dirty-trick"
#: The prefixes of the sources of a dirty trick's condition, and of a greater one's.
TRICK: Final = "dirty trick of"
GREATER_TRICK: Final = "greater dirty trick of"


def tricks(dialect: Dialect) -> Collection[str]:
    """Return the conditions that a dirty trick can cause."""
    found: Collection[str] = dialect.book.topic_figure(DIRTY_TRICK_TOPIC, "conditions")
    return found


def recoverable(dialect: Dialect) -> Collection[str]:
    """Return the conditions that a combatant can recover from: those of tricks, and hanging at the mount's
    side.
    """
    return (*tricks(dialect), BEHIND)


def dirty_trick(fight: Fight, act: acts.DirtyTrick) -> Steps[None]:
    """Hamper an opponent by a chosen condition, as a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if not act.condition:
        known = ", ".join(tricks(fight.dialect))
        raise Refusal(
            f"no condition is named that the trick causes; there are {known}", fight.rule(DIRTY_TRICK_TOPIC)
        )
    blow = maneuver_blow(fight, actor, target, "dirty trick")
    check = yield from try_maneuver(fight, blow, DIRTY_TRICK_TOPIC)
    if check.won:
        yield from hamper(fight, actor, target, act.condition, check)


def hamper(fight: Fight, attacker: Combatant, target: Combatant, condition: str, check: Check) -> Steps[None]:
    """Give the condition for a round, or by the Greater feat 1d4, and one more for each 5 over the CMD."""
    greater = has_greater(fight, attacker, "dirty trick")
    rounds = int(fight.figure(DIRTY_TRICK_TOPIC, "rounds"))
    if greater:
        rolled = yield Roll(attacker.id, "trick", str(fight.figure(DIRTY_TRICK_TOPIC, "greater_rounds")))
        rounds = rolled.total
    rounds += check.times(MARGIN) * int(fight.figure(DIRTY_TRICK_TOPIC, "per_5"))
    gained = ConditionGained(
        who=target.id,
        condition=condition,
        source=f"{GREATER_TRICK if greater else TRICK} {attacker.id}",
        until=for_rounds(fight, attacker, rounds),
        cites=fight.rules(DIRTY_TRICK_TOPIC, *((GREATER,) if greater else ())),
    )
    yield from fight.dialect.conditions.gain(fight, gained)


def recover(fight: Fight, act: acts.Recover) -> Steps[None]:
    """End the effect of a dirty trick: a move action, for a greater one a standard action."""
    actor, rule = fight.combatant(act.actor), fight.rule(DIRTY_TRICK_TOPIC)
    kind = recovering_action(actor, act.condition)
    if not kind:
        raise Refusal(f"no dirty trick has left {actor.id} {act.condition or 'in any state'}", rule)
    yield spending(fight, actor, kind, "recover", rule)
    yield ConditionLost(who=actor.id, condition=act.condition, why="has recovered", cites=(rule,))


def recovering_action(combatant: Combatant, condition: str) -> str:
    """Return the type of action that ends a condition, "" if no trick has caused it."""
    source = combatant.conditions[condition].source if condition in combatant.conditions else ""
    if source.startswith(GREATER_TRICK):
        return "standard"
    return "move" if source.startswith(TRICK) else ""


# --- Disarm: the opponent's held item falls to the ground, or the attacker's (pf1.disarm)

#: The eight directions, as a d8 counts them: from the north clockwise.
WAYS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def disarm(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent with the one attack of a standard action (pf1.disarm, pf1.maneuver.modes)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan_disarm(fight, actor, target, act.weapon, act.item, "attack")
    yield spending(fight, actor, "standard", "disarm", *fight.rules("pf1.disarm", "pf1.maneuver.modes"))
    yield from carry_out_disarm(fight, attempt)


def plan_disarm(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to disarm. Refuses items that the target does not hold."""
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "disarm", with_, kind)
    held = items_held(target)
    if not held:
        raise Refusal(f"{target.id} holds nothing to be disarmed of", fight.rule("pf1.disarm"))
    if item and item not in held:
        raise Refusal(f"{target.id} holds no {item}", fight.rule("pf1.disarm"))
    blow.attack_extra += handling(fight, with_)
    blow.defense_extra += guarded_weapon(fight, target, item or held[0])
    blow.defense_extra += fastened_weapon(fight, target, item or held[0])
    return Attempt(blow, item or held[0], name=fight.declaration)


def fastened_weapon(fight: Fight, target: Combatant, item: str) -> list[Modifier]:
    """Return the bonus to CMD of a weapon in a locked gauntlet (pf1.disarm)."""
    if not any(one.name == item and is_locked(target, one) for one in target.sheet.weapons):
        return []
    return [fight.modifier("pf1.disarm", "locked_gauntlet", kind="circumstance", source=GAUNTLET)]


def items_held(combatant: Combatant) -> list[str]:
    """Return the held items of a combatant, natural weapons excluded."""
    part_of_it = {one.name for one in combatant.sheet.weapons if one.wield in ("natural", "unarmed")}
    return [name for name in combatant.held if name not in part_of_it]


def handling(fight: Fight, weapon: Weapon) -> list[Modifier]:
    """Return the penalty of an attempt with bare hands, and the bonus of a weapon made for it.

    pf1.disarm, pf1.weapons.trip-disarm-quality.
    """
    if weapon.wield == "unarmed":
        return [fight.modifier("pf1.disarm", "unarmed", kind="penalty", source="unarmed")]
    if "disarm" not in weapon.traits:
        return []
    topic, source = "pf1.weapons.trip-disarm-quality", f"{weapon.name}: disarm"
    return [fight.modifier(topic, "disarm", kind="untyped", source=source)]


def carry_out_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt: the target loses the item, by a wide margin that of its other hand too.

    An attacker that fails by a wide margin drops its weapon (pf1.disarm).
    """
    blow = attempt.blow
    check = yield from attempt_maneuver(fight, attempt, "pf1.disarm")
    if check.won:
        yield from take_away(fight, attempt, check)
    elif -check.margin >= fight.figure("pf1.disarm", "fumble") and blow.weapon.name in blow.attacker.held:
        yield from lose(fight, blow.attacker, blow.weapon.name, "dropped", fight.rules("pf1.disarm"))
    return check.won


def take_away(fight: Fight, attempt: Attempt, check: Check) -> Steps[None]:
    """Make the target lose the named item, and by a wide margin one more."""
    blow, item = attempt.blow, attempt.item
    others = [name for name in items_held(blow.target) if name != item]
    if (yield from takes_it(fight, blow, item)):
        yield from lose(fight, blow.target, item, "gone", fight.rules("pf1.disarm"))
        yield from take_from_other(fight, blow.attacker, blow.target, item, fight.rules("pf1.disarm"))
    else:
        yield from fall_down(fight, blow, item)
    if others and check.margin >= fight.figure("pf1.disarm", "both_hands"):
        yield from fall_down(fight, blow, others[0])


def takes_it(fight: Fight, blow: Blow, item: str) -> Steps[bool]:
    """Ask an attacker that disarmed with a bare hand, and has one free, whether to take the item."""
    if blow.weapon.wield != "unarmed" or count_hands_left(blow.attacker, "") < 1:
        return False
    question = f"does {blow.attacker.id} take the {item}?"
    answer = yield Choice(
        blow.attacker.id, "take item", question, ("take", "leave"), fight.rule("pf1.disarm")
    )
    return bool(answer == "take")


def fall_down(fight: Fight, blow: Blow, item: str) -> Steps[None]:
    """Make an item fall to the ground, or by Greater Disarm fly off in a random direction."""
    if not has_greater(fight, blow.attacker, "disarm"):
        yield from lose(fight, blow.target, item, "dropped", fight.rules("pf1.disarm"))
        return
    rolled = yield Roll(blow.attacker.id, "direction", "1d8")
    feet = int(fight.figure(GREATER, "disarm_ft"))
    at = landing(fight, blow.target, WAYS[rolled.total - 1], feet)
    yield from lost_at(fight, blow.target, item, at)


def landing(fight: Fight, holder: Combatant, way: Square, feet: int) -> Square:
    """Return where an item lands that flies the given feet: a wall stops it earlier."""
    here = holder.at
    for _ in range(0, feet, SQUARE_FT):
        there = (here[0] + way[0], here[1] + way[1])
        if obstructed(fight.field, here, there, 1):
            break
        here = there
    return here


def lost_at(fight: Fight, holder: Combatant, item: str, at: Square) -> Iterator[object]:
    """Return the fact that an item is lost to its holder and lies at a square (pf1.feat.maneuver-greater)."""
    return iter(lose(fight, holder, item, "dropped", fight.rules("pf1.disarm", GREATER), at))


DISARM = Substitute(plan_disarm, carry_out_disarm, "pf1.maneuver.modes", ("pf1.disarm",))


# --- Feint: Bluff for one blow without the target's Dexterity (pf1.feint, pf1.feat.improved-feint)

FEINT_TOPIC: Final = "pf1.feint"
#: The condition of the target of a greater feint.
MISLED: Final = "misled"


#: The kinds of creatures without a mind.
MINDLESS: Final = ("ooze", "vermin")


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: a standard action, a move action with Improved Feint, which does not provoke.

    If it succeeds, the feinter's next melee attack on the target, until the end of its next turn, denies the
    target its Dexterity bonus; by Greater Feint all attacks do until its next turn begins.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(FEINT_TOPIC)
    refuse_to_mislead(fight, actor, target, rule, rule)
    if mindless := nature_among(target, MINDLESS):
        raise Refusal(f"{target.id} has no mind to mislead", fight.rule(f"pf1.creature.{mindless}"))
    feats = fight.rules("pf1.feat.improved-feint") if has_feat(actor, "improved feint") else ()
    yield spending(fight, actor, feint_action(actor), "feint", rule, *feats)
    strange = penalty_by_kind(fight, target, FEINT_TOPIC, "animal", ("humanoid",))
    parts = [*skill_parts(fight, actor, "bluff", "cha", rule), *strange]
    dc, why = hard_to_mislead(fight, target)
    if (yield from check(fight, actor, "bluff", parts, dc, rule, why=why)):
        yield from mislead(fight, actor, target)


def feint_action(combatant: Combatant) -> str:
    """Return the type of action that a feint takes (pf1.feint, pf1.feat.improved-feint)."""
    return "move" if has_feat(combatant, "improved feint") else "standard"


def hard_to_mislead(fight: Fight, target: Combatant) -> tuple[int, str]:
    """Return the DC of a feint, and its parts: the higher of two.

    Base attack bonus and Wisdom, or a trained Sense Motive.
    """
    base = fight.formula(FEINT_TOPIC, "dc")
    wisdom = base + target.sheet.base_attack + ability_now(fight, target, "wis")
    if "sense motive" not in target.sheet.skills:
        return wisdom, f"base attack bonus and Wisdom of {target.id}"
    parts = skill_parts(fight, target, "sense motive", "wis", fight.rule(FEINT_TOPIC))
    trained = base + fight.stack(parts).total
    if trained > wisdom:
        return trained, f"Sense Motive of {target.id}"
    return wisdom, f"base attack bonus and Wisdom of {target.id}"


def mislead(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Deny the target its Dexterity bonus against the next blow, by Greater Feint for a round."""
    yield misled(fight, attacker, target, fight.rule(FEINT_TOPIC))
    if masters(fight, attacker, "greater feint"):
        until = Until("turn-start", attacker.id, fight.state.round + 1)
        cites = fight.rules("pf1.feat.improved-feint")
        source = f"feint of {attacker.id}"
        yield ConditionGained(who=target.id, condition=MISLED, source=source, until=until, cites=cites)


# --- Stand Still: an attack of opportunity that stops a mover (pf1.feat.stand-still)

NAME: Final = "stand still"
STAND_STILL_TOPIC: Final = "pf1.feat.stand-still"
#: The condition of combatants that were made to stand still: they do not move for the rest of the turn.
STOPPED: Final = "stopped"


def plan_to_stop(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to stop a mover. Refuses it without the feat, and against a mover that is not
    adjacent.
    """
    rule = refuse_without(fight, attacker, NAME)
    if distance(attacker, target) > SQUARE_FT:
        raise Refusal(f"{target.id} is not next to {attacker.id}", rule)
    blow = melee_attempt(fight, attacker, target, unarmed(fight, attacker), kind, rule)
    blow.intent = replace(blow.intent, maneuver=NAME, against=f"CMD against {NAME}", nonlethal=False)
    return Attempt(blow, name=fight.declaration)


def stop(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Roll the combat maneuver check; a stopped mover can no longer move in this turn, but may act."""
    target = attempt.blow.target
    check = yield from roll_maneuver(fight, attempt.blow, STAND_STILL_TOPIC)
    if check.won:
        yield ConditionGained(
            who=target.id,
            condition=STOPPED,
            source=attempt.blow.attacker.id,
            until=Until("turn-end", fight.state.active, fight.state.round),
            cites=fight.rules(STAND_STILL_TOPIC),
        )
    return check.won


STAND_STILL = Substitute(plan_to_stop, stop, STAND_STILL_TOPIC, of_movement=True)


# --- Steal: an opponent's item that it does not hold, taken with a free hand or a whip (pf1.steal)

STEAL_TOPIC: Final = "pf1.steal"


def steal(fight: Fight, act: acts.Steal) -> Steps[None]:
    """Take an item from an opponent as a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(STEAL_TOPIC)
    whip = find_weapon(fight, actor, act.weapon, is_whip) if act.weapon else None
    if whip is not None and not is_whip(whip):
        raise Refusal(f"the {whip.name} cannot steal: a whip or a free hand can", rule)
    if count_hands_left(actor, "") < 1:
        raise Refusal(f"{actor.id} has no hand free", rule)
    blow = maneuver_blow(fight, actor, target, "steal", whip)
    refuse_out_of_question(fight, target, act.item)
    if whip is not None:
        blow.attack_extra.append(fight.modifier(STEAL_TOPIC, "whip", kind="penalty", source=whip.name))
    blow.defense_extra += fastening(fight, target, act)
    check = yield from try_maneuver(fight, blow, STEAL_TOPIC, item=act.item)
    if not check.won:
        return
    yield from lose(fight, target, act.item, "gone", (rule,))
    yield from take_from_other(fight, actor, target, act.item, (rule,))
    if has_greater(fight, actor, "steal"):
        what = f"does not notice that the {act.item} is gone"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules(GREATER))


def is_whip(weapon: Weapon) -> bool:
    """Return whether a weapon is a whip, by its name or its row of the table."""
    return "whip" in (weapon.table or weapon.name).casefold().split()


def refuse_out_of_question(fight: Fight, target: Combatant, item: str) -> None:
    """Refuse items that are held, worn closely or gone, and a theft without a named item."""
    rule = fight.rule(STEAL_TOPIC)
    if not item:
        raise Refusal("no item to steal is named", rule)
    if item in target.held:
        raise Refusal(f"{target.id} holds the {item}: that takes a disarm", rule)
    parts = (part.source for part in target.sheet.armor if part.kind in ("armor", "shield"))
    natural = (one.name for one in target.sheet.weapons if one.wield in ("natural", "unarmed"))
    if item in (*parts, *natural, *(one.name for one in target.sheet.worn)):
        raise Refusal(f"the {item} is worn too closely", rule)
    if target.items.get(item) in LOST:
        raise Refusal(f"{target.id} has no {item} any more", rule)


def fastening(fight: Fight, target: Combatant, act: acts.Steal) -> list[Modifier]:
    """Return the bonus to the CMD of a fastened item, as is every weapon in its sheath."""
    sheathed = any(one.name == act.item for one in target.sheet.weapons)
    if not (act.fastened or sheathed):
        return []
    return [fight.modifier(STEAL_TOPIC, "fastened", kind="untyped", source=f"the {act.item} is fastened")]


# --- Sunder: attacks on a held or worn item (pf1.sunder)

SUNDER_TOPIC: Final = "pf1.sunder"
TABLES: Final = "pf1.object.tables-ref"
QUALITIES: Final = "pf1.weapons.trip-disarm-quality"
#: Weapons that are part of their bearer.
PART_OF_BODY: Final = ("natural", "unarmed")


def sunder(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Attack an item with the one attack of a standard action (pf1.sunder, pf1.maneuver.modes)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    given = Durability(act.hardness, act.hp, ()) if act.hp > 0 else None
    attempt = sunder_attempt(fight, actor, target, act.weapon, act.item, "attack")
    thing = what_is_struck(fight, target, attempt.item, given)
    yield spending(fight, actor, "standard", "sunder", *fight.rules(SUNDER_TOPIC, "pf1.maneuver.modes"))
    yield from strike_at(fight, attempt, thing)


def plan_sunder(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder in place of another attack. Refuses items that the tables do not list."""
    attempt = sunder_attempt(fight, attacker, target, weapon, item, kind)
    what_is_struck(fight, target, attempt.item, None)
    return attempt


def sunder_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to sunder an item, the weapon in hand if none is named. Refuses others."""
    with_ = find_weapon(fight, attacker, weapon)
    blow = maneuver_blow(fight, attacker, target, "sunder", with_, kind)
    rule = fight.rule(SUNDER_TOPIC)
    item = item or next((one.name for one in arms_of(target)), "")
    if not item:
        raise Refusal(f"{target.id} has no weapon in hand to strike at", rule)
    struck = weapon_named(target, item)
    if struck is not None and struck.wield in PART_OF_BODY:
        raise Refusal(f"the {item} is part of {target.id}", rule)
    if is_lost(target, item) or target.items.get(item) == "doffed":
        raise Refusal(f"{target.id} neither holds nor wears the {item}", rule)
    # Weapons that deal no lethal damage to creatures deal none to objects.
    subdues = "nonlethal" in with_.traits or (with_.wield == "unarmed" and not fights_unarmed(attacker))
    blow.intent = replace(blow.intent, nonlethal=subdues)
    blow.attack_extra += made_for_it(fight, with_, struck)
    blow.defense_extra += get_sunder_defense_bonus(fight, struck)
    blow.defense_extra += guarded_weapon(fight, target, item)
    return Attempt(blow, item, name=fight.declaration)


def made_for_it(fight: Fight, weapon: Weapon, struck: Weapon | None) -> list[Modifier]:
    """Return the bonus of a sai to an attempt to sunder a weapon (pf1.weapons.trip-disarm-quality)."""
    if struck is None or "sai" not in names_of(weapon):
        return []
    return [fight.modifier(QUALITIES, "sai_sunder", kind="untyped", source=weapon.name)]


def get_sunder_defense_bonus(fight: Fight, struck: Weapon | None) -> list[Modifier]:
    """Return the bonus of an elven curve blade against being sundered (pf1.weapons.trip-disarm-quality)."""
    if struck is None or not names_of(struck) & {"curve blade, elven", "elven curve blade"}:
        return []
    return [fight.modifier(QUALITIES, "curve_blade_cmd", kind="untyped", source=struck.name)]


def names_of(weapon: Weapon) -> set[str]:
    """Return the names of a weapon: its own and that of its row in the tables."""
    return {weapon.name.casefold(), weapon.table}


def what_is_struck(fight: Fight, target: Combatant, item: str, given: Durability | None) -> Durability:
    """Return an item's sturdiness: by the tables, or as declared for items that they do not list.

    Refuses items without either, and declarations that contradict the tables (pf1.object.tables-ref).
    """
    found = durability(fight, target, item) or of_armor(fight, target, item)
    found, rule = found or sturdiness_of_bonds(fight, target, item), fight.rule(TABLES)
    if found is None and given is None:
        raise Refusal(f"the hardness and hit points of the {item} are in no table: declare them", rule)
    if found is not None and given is not None and (found.hardness, found.hp) != (given.hardness, given.hp):
        raise Refusal(f"the {item} has hardness {found.hardness} and {counted(found.hp, 'hit point')}", rule)
    thing = found or given
    assert thing is not None
    lost = target.resources.get(f"damage to {item}", 0)
    if lost >= thing.hp:
        raise Refusal(f"the {item} has lost {counted(lost, 'hit point')} already", rule)
    return thing


def of_armor(fight: Fight, wearer: Combatant, item: str) -> Durability | None:
    """Return the sturdiness of a combatant's worn armor, given as such or as a part of Armor Class."""
    worn = next((one for one in wearer.sheet.worn if one.name == item and one.kind == "armor"), None)
    if worn is not None:
        return durability_of_armor(fight, wearer, worn)
    parts = (one for one in wearer.sheet.armor if one.kind == "armor" and (one.source or "armor") == item)
    part = next(parts, None)
    return durability_of_armor(fight, wearer, Worn(item, bonus=part.value)) if part is not None else None


def carry_out_sunder(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt in place of another attack."""
    thing = what_is_struck(fight, attempt.blow.target, attempt.item, None)
    return (yield from strike_at(fight, attempt, thing))


def strike_at(fight: Fight, attempt: Attempt, thing: Durability) -> Steps[bool]:
    """Roll CMB against CMD; a success deals the weapon's damage to the item (pf1.sunder)."""
    check = yield from attempt_maneuver(fight, attempt, SUNDER_TOPIC)
    if check.won:
        yield from damage_item(fight, attempt.blow, attempt.item, thing)
    return check.won


def damage_item(fight: Fight, blow: Blow, item: str, thing: Durability) -> Steps[None]:
    """Deal damage past hardness; the item is broken at half its hit points, at 0 destroyed if desired.

    Greater Sunder then passes the excess damage on to the bearer (pf1.sunder, pf1.cond.broken,
    pf1.feat.maneuver-greater).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(SUNDER_TOPIC)
    # This is no touch: Power Attack counts.
    weighty = varied(blow, intent=replace(blow.intent, against=ARMOR_CLASS))
    own = [*power_damage(fight, weighty, ""), *gear.on_damage(fight, blow)]
    found = yield from batter(fight, blow, item, thing, own)
    ruined = not found.left
    destroyed = False
    if ruined:
        question = f"does {attacker.id} destroy the {item}, or leave it broken at 1 hit point?"
        destroyed = (yield Choice(attacker.id, "destroy", question, ("destroy", "leave"), rule)) == "destroy"
    dealt = found.dealt if destroyed else min(found.dealt, found.before - 1)
    struck = item_struck(blow, item, found, dealt, rule, *thing.cites)
    yield struck
    if destroyed:
        passed_on = found.through - found.before
        yield from (cut_free if is_bond(target, item) else destroy)(fight, target, item)
        if passed_on > 0 and has_greater(fight, attacker, "sunder") and guards(target, item):
            yield from carry_over(fight, blow, item, passed_on, fight.rule(GREATER))
    elif ruined or gear.breaks(fight, struck.left, thing.hp):
        yield from gear.break_item(fight, target, item, SUNDER_TOPIC)


def destroy(fight: Fight, holder: Combatant, item: str) -> Iterator[object]:
    """Yield the facts that an item is destroyed."""
    yield from lose(fight, holder, item, "gone", fight.rules(SUNDER_TOPIC))
    yield from gear.no_longer_broken(fight, holder, item, "destroyed")


def guards(holder: Combatant, item: str) -> bool:
    """Return whether an item is a weapon, a shield or armor, which protects its bearer from blows."""
    armor = [one.source or "armor" for one in holder.sheet.armor if one.kind == "armor"]
    return weapon_named(holder, item) is not None or shield_of(holder, item) or item in armor


SUNDER: Final = Substitute(plan_sunder, carry_out_sunder, "pf1.maneuver.modes", (SUNDER_TOPIC,))


# --- Trip: the opponent falls prone, or the tripper (pf1.trip, pf1.trip.weapon)


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses targets that cannot be tripped, or are prone already."""
    refuse_untrippable(fight, target)
    blow = maneuver_blow(fight, attacker, target, "trip", tripping_weapon(fight, attacker, weapon), kind)
    blow.defense_extra += against_a_trip(fight, target)
    return Attempt(blow, name=fight.declaration)


def refuse_untrippable(fight: Fight, target: Combatant) -> None:
    """Refuse oozes, fliers, those without legs and those that are down already (pf1.trip)."""
    rule = fight.rule("pf1.trip")
    if is_a(target, "ooze") or is_a(target, FLYING) or target.sheet.legs == 0:
        raise Refusal(f"{target.id} cannot be tripped: no ooze, flier or creature without legs can", rule)
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", rule)


def tripping_weapon(fight: Fight, attacker: Combatant, name: str) -> Weapon:
    """Return the weapon to trip with: the named one, otherwise one made for it, any other, or the bare
    hand.
    """
    if name:
        return find_weapon(fight, attacker, name)
    ready = [one for one in held_weapons(attacker) if strikes_in_melee(one)]
    made_for_it = (one for one in ready if "trip" in one.traits)
    return next(made_for_it, None) or next(iter(ready), None) or unarmed(fight, attacker)


def against_a_trip(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the bonus of more than two legs to the CMD, and the extra of option `trip_equality`."""
    parts, legs = more_legs(fight, target, "pf1.trip"), fight.rule("pf1.trip")
    if fight.option("trip_equality") == "must-exceed":
        parts.append(Modifier(1, "untyped", "must be exceeded (trip_equality: must-exceed)", legs))
    return parts


def more_legs(fight: Fight, target: Combatant, topic: str) -> list[Modifier]:
    """Return the bonus of each leg after the second to the CMD (pf1.trip, pf1.overrun)."""
    more = target.sheet.legs - 2
    if more <= 0:
        return []
    value = more * int(fight.figure(topic, "per_leg"))
    return [Modifier(value, "untyped", f"{target.sheet.legs} legs", fight.rule(topic))]


def carry_out_trip(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt: the target falls; after a bad failure the attacker does, unless it drops the
    weapon.
    """
    check = yield from attempt_maneuver(fight, attempt, "pf1.trip")
    if check.won:
        yield from bring_down(fight, attempt)
    else:
        yield from trip_oneself(fight, attempt.blow, check)
    return check.won


def bring_down(fight: Fight, attempt: Attempt) -> Steps[None]:
    """Make the target fall prone; by Greater Trip it provokes from all who threaten it."""
    attacker, target = attempt.blow.attacker, attempt.blow.target
    yield from falls_prone(target, f"tripped by {attacker.id}", fight.rules("pf1.trip"))
    if has_greater(fight, attacker, "trip"):
        yield from fight.dialect.opportunity.provoke(
            fight, target, threatening(fight, target), "is tripped", f"tripped:{attempt.name}", GREATER
        )


def trip_oneself(fight: Fight, blow: Blow, check: Check) -> Steps[None]:
    """Make an attacker fall prone that has failed by a wide margin; it may drop a trip weapon instead.

    pf1.trip, pf1.trip.weapon, pf1.weapons.trip-disarm-quality.
    """
    attacker, weapon = blow.attacker, blow.weapon
    if -check.margin < fight.figure("pf1.trip", "fumble") or "prone" in attacker.conditions:
        return
    cites = fight.rules("pf1.trip.weapon", "pf1.weapons.trip-disarm-quality")
    if (yield from drops_to_stay_up(fight, attacker, weapon, *cites)):
        return
    yield from falls_prone(attacker, f"tripped over {blow.target.id}", fight.rules("pf1.trip"))


TRIP = Substitute(
    plan_trip,
    carry_out_trip,
    "pf1.maneuver.modes",
    listed=("pf1.trip",),
    declared=("pf1.trip", "pf1.maneuver.modes"),
)


# --- Free maneuvers of a monster's hit: a trip, a pull, a push (pf1.monster-trip)
# Natural weapons have the traits "trip", "pull 5" and "push 10": how many feet the target is moved.

PLUS_MANEUVERS_TOPIC: Final = "pf1.monster-trip"
PLUS_TRIP: Final = "trip"
#: The kinds of forced movement, and whether it leads away from the attacker.
SHOVES: Final = {"pull": False, "push": True}


def trip_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a natural weapon of the trait "trip" try to trip, free and without provoking.

    A failure never trips the attacker (pf1.monster-trip).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(PLUS_MANEUVERS_TOPIC)
    try:
        refuse_untrippable(fight, target)
        natural_weapons.refuse_hold(fight, attacker, target, PLUS_TRIP)
        refuse_to_handle(fight, attacker, target, blow.weapon)
    except Refusal:
        return
    most = fight.figure(MODES, f"maneuver={PLUS_TRIP}", "max_size")
    if "dead" in target.conditions or size_step(target) - size_step(attacker) > int(most):
        return
    question = f"the {blow.weapon.name} has hit: does {attacker.id} trip {target.id}?"
    if (yield Choice(attacker.id, PLUS_TRIP, question, (PLUS_TRIP, "decline"), rule)) != PLUS_TRIP:
        return
    yield ActionSpent(who=attacker.id, kind="free", what=PLUS_TRIP, cites=(rule,))
    tripping = carried_by(blow, PLUS_TRIP)
    tripping.defense_extra += against_a_trip(fight, target)
    if (yield from roll_maneuver(fight, tripping, PLUS_MANEUVERS_TOPIC, "pf1.trip")).won:
        yield from bring_down(fight, Attempt(tripping, name=fight.declaration))


def carried_by(blow: Blow, name: str) -> Blow:
    """Return the blow of a free maneuver that follows a hit."""
    intent = Intent("follow-up", maneuver=name, against=f"CMD against {name}")
    return Blow(blow.attacker, blow.target, blow.weapon, True, blow.distance, intent)


def feet_moved(blow: Blow, name: str) -> int:
    """Return how many feet a weapon pulls or pushes, 0 for none."""
    told = next((detail for detail in details_of(name, blow.weapon.traits) if detail.isdecimal()), "0")
    return int(told)


def shove_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a weapon that pulls or pushes move a target of the attacker's size or smaller.

    It goes straight on, until something is in the way, and does not provoke (pf1.monster-trip).
    """
    for name, away in SHOVES.items():
        feet = feet_moved(blow, name)
        attacker, target = blow.attacker, blow.target
        if feet < SQUARE_FT or "dead" in target.conditions or size_step(target) > size_step(attacker):
            continue
        if goes_through(fight, attacker, target, blow.weapon):
            continue
        rule = fight.rule(PLUS_MANEUVERS_TOPIC)
        question = f"the {blow.weapon.name} has hit: does {attacker.id} {name} {target.id}?"
        if (yield Choice(attacker.id, "shove", question, (name, "decline"), rule)) != name:
            continue
        yield ActionSpent(who=attacker.id, kind="free", what=name, cites=(rule,))
        if (yield from roll_maneuver(fight, carried_by(blow, name), PLUS_MANEUVERS_TOPIC)).won:
            yield from shove(fight, attacker, target, feet, name, away)


def shove(
    fight: Fight, attacker: Combatant, target: Combatant, feet: int, name: str, away: bool
) -> Steps[None]:
    """Move the target straight to the attacker or away from it, until something stops it."""
    rule = fight.rule(PLUS_MANEUVERS_TOPIC)
    dx, dy = straight_on(attacker.at, attacker, target)
    way = (dx, dy) if away else (-dx, -dy)
    for _ in range(feet // SQUARE_FT):
        there = (target.at[0] + way[0], target.at[1] + way[1])
        if not any(way) or is_walled_off(fight, target, there) or occupants(fight, target, there):
            what = f"the {name} ends: something is in the way of {target.id}"
            yield RuleApplied(who=target.id, what=what, cites=(rule,))
            break
        if falls_at(fight, target, target.at, there):
            yield from fall_over(fight, target, there, name, rule)
            return
        yield displaced(target, (there,), name, rule)
    yield from fight.dialect.grapple.parted(fight, target)
