"""Actions of a turn: their types and budget, prohibitions, subjects, and the smaller acts."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, has_effects, is_down, rule_of
from affray.engine.kernel.actions import check_turn, permit
from affray.engine.kernel.places import refuse_apart
from affray.engine.kernel.sheets import explain_bad_rider
from affray.engine.record.acts import SAID, Context, Under
from affray.engine.record.blow import Harm, SaveMade
from affray.engine.record.chapters import NO_ACTION, Allowance
from affray.engine.rules.classes.checks import check, find_feats_without_effect, saving_throw, skill_parts
from affray.engine.rules.conditions.conditions import (
    PARALYZED,
    THOUGHTS,
    actions_of,
    can_act_by_mind,
    is_mental,
    refuse_down,
)
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.gear.hands import SPIKES, UNLOADED, lose, wands_of
from affray.engine.rules.gear.weapons_in_hand import loads_slowly, refuse_unloaded, weapon_to_load
from affray.engine.rules.magic.concentration import named_spell
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening
from affray.engine.rules.turns.fiat import (
    refuse_start,
    refuse_start_place,
    refuse_who,
    start_conditions,
    use_up,
)
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import ActionSpent, CombatantEntered, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon, beyond_bounds
from affray.projections.state import Combatant, Effect, without_feats

# --- The running turn, what is left of it, and spending it

#: The names under which a turn's spending records the attacks used in an open full attack.
ATTACKS = "attacks"
OFF_HAND = "off-hand attacks"
#: The prefix of kinds that count the attacks with each natural weapon, which are among `ATTACKS` too.
LIMB = "attacks with the "

#: The kind of an action that takes nothing from a turn, and may be taken out of turn.
OUT_OF_TURN = "out of turn"


def refuse_unless_allowed(fight: Fight, combatant: Combatant, kind: str) -> None:
    """Refuse an action of `kind` that the rest of the turn does not allow."""
    if fight.readied == combatant.id or kind == OUT_OF_TURN:
        return
    state = fight.state
    if state.active != combatant.id:
        check_turn(fight, combatant)
    allowed = fight.dialect.turns.allowance(fight, combatant)
    spent = combatant.spent
    standard, move = spent.get("standard", 0), spent.get("move", 0)
    full = spent.get("full-round", 0)
    rule = fight.rule(allowed.topic)
    if allowed.extra:
        if kind == "move" and move < allowed.extra:
            return
        move = max(0, move - allowed.extra)
    if kind == "full-round":
        if not allowed.full:
            raise Refusal(f"{combatant.id} cannot take a full-round action now", rule)
        if standard or move or full:
            raise Refusal(f"{combatant.id} has already acted this turn", rule)
    elif kind in ("standard", "move"):
        if full and not (kind == "move" and breaks_off(combatant)):
            raise Refusal(f"{combatant.id} has spent the turn on a full-round action", rule)
        if kind == "standard" and standard >= allowed.standard:
            raise Refusal(f"{combatant.id} has no standard action left", rule)
        if standard + move >= allowed.total or (kind == "move" and move >= allowed.move):
            raise Refusal(f"{combatant.id} has no action left this turn", rule)
    elif kind == "swift" and spent.get("swift", 0) >= allowed.swift:
        topic = allowed.swift_topic or allowed.topic
        raise Refusal(f"{combatant.id} has no swift action left", fight.rule(topic))


def is_open(combatant: Combatant) -> bool:
    """Return whether a full attack of this turn has attacks left that were not given up."""
    spent = combatant.spent
    return bool(spent.get("full-round") and (spent.get(ATTACKS) or spent.get(OFF_HAND))) and not spent.get(
        "move"
    )


def breaks_off(combatant: Combatant) -> bool:
    """Return whether a full attack has made its first attack only, and the rest may be given up.

    A move action then replaces the rest (srd35.full-attack.decide).
    """
    return is_open(combatant) and combatant.spent.get(ATTACKS, 0) + combatant.spent.get(OFF_HAND, 0) == 1


def stands_for(fight: Fight, combatant: Combatant, kind: str) -> tuple[str, ...]:
    """Return the rule by which a move action replaces something else: the rest of a full attack, or the
    standard action (srd35.full-attack.decide, srd35.action.move-for-standard).
    """
    if kind != "move" or not combatant.spent:
        return ()
    allowed = fight.dialect.turns.allowance(fight, combatant)
    if allowed.extra and has_used_all(combatant, allowed):
        return (fight.rule(allowed.extra_topic),)
    topic = (
        allowed.break_off if breaks_off(combatant) else allowed.swap if combatant.spent.get("move") else ""
    )
    return (fight.rule(topic),) if topic else ()


def has_used_all(combatant: Combatant, allowed: Allowance) -> bool:
    """Return whether a turn has used everything except its extra actions."""
    spent = combatant.spent
    return bool(spent.get("full-round") or spent.get("standard", 0) + spent.get("move", 0) >= allowed.total)


def spending(fight: Fight, combatant: Combatant, kind: str, what: str, *cites: str) -> ActionSpent:
    """Return the fact that part of the turn is used, after checking that it may be."""
    refuse_unless_allowed(fight, combatant, kind)
    stands = () if fight.readied == combatant.id else stands_for(fight, combatant, kind)
    cites = (*(cites or (fight.rule("action.types"),)), *stands)
    return ActionSpent(who=combatant.id, kind=kind, what=what, cites=cites)


def has_acted(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has no turn left in this round: it is over, or there never was one."""
    order, now = fight.state.order, fight.state.active
    if combatant.id not in order:
        return fight.state.begun
    return now in order and order.index(combatant.id) < order.index(now)


# --- The action type of a declaration: standard, move, full-round, free, or none
# Each dialect lists its declarations in a table, based on a common one. An entry is the name of a type, or a
# function that finds it if it depends on the declaration, the sheet, or a reading.

ActionType: TypeAlias = str | Callable[[Fight, Combatant, Any], str]
"""The type of action, or a function that returns it for a declaration and its actor."""

STANDARD, MOVE, FULL_ROUND, FREE = "standard", "move", "full-round", "free"
SWIFT, IMMEDIATE = "swift", "immediate"


def by_table(table: Mapping[type[acts.Act], ActionType]) -> Callable[[Fight, Combatant, acts.Act], str]:
    """Return a function that looks up the action type of a declaration in a dialect's table."""

    def action_type(fight: Fight, combatant: Combatant, act: acts.Act) -> str:
        """Return the type of action of a declaration that the dialect knows; "" for none."""
        found = table[type(act)]
        return found if isinstance(found, str) else found(fight, combatant, act)

    return action_type


def of_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> str:
    """Return the action type of a spell's casting time in the dialect; an immediate one is always
    immediate.
    """
    spell = named_spell(caster, act.spell)
    if spell is None:
        return STANDARD
    if spell.casting == IMMEDIATE:
        return IMMEDIATE
    return str(fight.dialect.magic.casting_action(fight, caster, spell)[0])


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """Return the full round for loading a slow weapon."""
    slow = any(one.name == act.item and loads_slowly(one) for one in combatant.sheet.weapons)
    return FULL_ROUND if slow else MOVE


def of_touching(fight: Fight, combatant: Combatant, act: acts.Touch) -> str:
    """Return the full round for touching several friends with one spell.

    srd35.cast.hold-charge, woa.spell.hold-charge-friends.
    """
    return FULL_ROUND if len(act.targets) > 1 else STANDARD


def of_guiding(fight: Fight, rider: Combatant, act: acts.Guide) -> str:
    """Return the action type of a use of the Ride skill: move, free or none (srd35.skill.ride-table)."""
    return {"control": MOVE, "spur": MOVE, "knees": FREE}.get(act.what, NO_ACTION)


#: The action types of the declarations that all dialects share.
COMMON: Final[Mapping[type[acts.Act], ActionType]] = {
    acts.Attack: STANDARD,
    acts.FullAttack: FULL_ROUND,
    acts.Charge: FULL_ROUND,
    acts.CoupDeGrace: FULL_ROUND,
    acts.Brace: STANDARD,
    acts.TotalDefense: STANDARD,
    acts.Aid: STANDARD,
    acts.Cast: of_casting,
    acts.Stand: MOVE,
    acts.Draw: MOVE,
    acts.Sheathe: MOVE,
    acts.Handle: MOVE,
    acts.Load: of_loading,
    acts.Drop: FREE,
    acts.Grip: FREE,
    acts.Speak: FREE,
    acts.Stabilize: STANDARD,
    acts.Move: MOVE,
    acts.Step: NO_ACTION,
    acts.Run: FULL_ROUND,
    acts.Withdraw: FULL_ROUND,
    acts.Delay: NO_ACTION,
    acts.Resume: NO_ACTION,
}


# --- The actions that a turn allows, by kind

FULL = Allowance()

SINGLE = Allowance(1, 1, 1, False, 0, 1, "action.restricted")


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return the actions of this turn: one standard and one move action, or a full-round one.

    A surprise round and some conditions leave one standard or move action (srd35.action.types,
    srd35.action.restricted).
    """
    if combatant.conditions:
        rules = [rule_of(fight, name) for name in combatant.conditions]
        left = {actions_of(fight, rule): rule.topic for rule in rules}
        if "none" in left:
            return Allowance(0, 0, 0, False, 0, 0, left["none"])
        if "mental" in left:
            return mental_allowance(combatant, left["mental"])
        if "move" in left:
            return Allowance(0, 1, 1, False, 0, 1, left["move"])
        if "single" in left:
            return Allowance(1, 1, 1, False, FULL.swift, 1, left["single"])
    if fight.state.round == 0:
        return SINGLE
    return FULL


def mental_allowance(combatant: Combatant, topic: str) -> Allowance:
    """Return the turn of a combatant that the rule on `topic` limits to purely mental acts."""
    return (
        Allowance(1, 0, 1, True, 0, 0, topic)
        if can_act_by_mind(combatant)
        else Allowance(0, 0, 0, False, 0, 0, topic)
    )


# --- Free actions: how they are described, and whether there is time for one more


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action, if one more is within reason; return whether it is."""
    if not (yield from fight.dialect.turns.free_action_limit(fight, combatant, what)):
        return False
    yield ActionSpent(who=combatant.id, kind="free", what=what, cites=cites)
    return True


def is_reasonable(fight: Fight, combatant: Combatant, what: str) -> Steps[bool]:
    """Ask the game master whether one more free action of a turn is reasonable; return the answer.

    The first one of a turn always is (srd35.action.free-limit, woa.action-type.free).
    """
    taken = combatant.spent.get("free", 0)
    if not taken:
        return True
    rule = fight.rule("action.free-limit")
    question = f"{combatant.id} has taken {counted(taken, 'free action')}: is it still free to {what}?"
    if (yield Choice("", "free-limit", question, ("allow", "refuse"), rule)) == "allow":
        return True
    yield RuleApplied(who=combatant.id, what=f"has no time left to {what}", cites=(rule,))
    return False


# --- The smaller acts: standing up, handling weapons, speaking, first aid, hazards, entering, rulings

#: The fields of a hazard that are read only if others have certain values.
HAZARD_UNDER: Under = {
    "dc": {"save|skill": SAID},
    "damage_type": {"damage": SAID},
    "on_save": {"save": SAID, "damage": SAID},
    "source": {"save|skill|damage|condition": SAID},
}


def enter(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map: a new id, a side, free squares (srd35.size.table-space-reach).

    It has its full hit points or fewer: any more are temporary ones from magic. Their consequences enter with
    it; its conditions may choose among the states that they allow (futurepath.table.time-and-actions).
    """
    rule = fight.rule("encounter")
    sheet = refuse_who(fight, act)
    sheet, arms = fight.dialect.gear.equip(fight, sheet)
    if act.nonlethal < 0:
        raise Refusal(f"{act.id} cannot have {act.nonlethal} nonlethal damage", rule)
    printed = sheet
    sheet, reckoned = fight.dialect.classes.derived_statistics(fight, printed)
    unusable = find_feats_without_effect(fight, sheet)
    if unusable:
        sheet, reckoned = fight.dialect.classes.derived_statistics(fight, without_feats(printed, unusable))
    if fault := beyond_bounds(sheet):  # after race, class and arms have been applied
        raise Refusal(f"{act.id}: {fault}", rule)
    if act.hp is not None and act.hp > sheet.hp:
        reason = f"{act.id} cannot have {counted(act.hp, 'hit point')}: full ones are {sheet.hp}"
        raise Refusal(reason, fight.rule("hp.thresholds"))
    side, reach = fight.dialect.position.space_and_reach(fight, sheet)
    refuse_start_place(fight, act, sheet, side)
    devices = {spell.name for spell in sheet.spells if spell.item}
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    for name in act.held or ():
        if name not in devices and name not in weapons:
            raise unknown_word("weapon", name, weapons, rule, act.id)
        if name in weapons and is_used_up(weapons[name], act):
            raise Refusal(f"{act.id} cannot hold the {name}: none is left", rule)
    held = act.held
    if held is None:
        carried = (weapon for weapon in sheet.weapons if weapon.wield not in ("natural", "unarmed"))
        there = (weapon for weapon in carried if weapon.table != SPIKES and not is_used_up(weapon, act))
        held = tuple(weapon.name for weapon in there)[:1]
    refuse_start(fight, act, sheet)
    refuse_unloaded(fight, act.unloaded, sheet, act.id)
    yield CombatantEntered(
        id=act.id,
        side=act.side,
        sheet=replace(sheet, feats=printed.feats) if unusable else sheet,
        at=act.at,
        space=side,
        reach=reach,
        hp=sheet.hp if act.hp is None else act.hp,
        max_hp=sheet.hp,
        nonlethal=act.nonlethal,
        held=held,
        acted=act.acted,
        policy=act.policy,
        initiative=act.initiative,
        unusable=unusable or UNSET,
        cites=(*arms, *reckoned, *fight.dialect.position.placed(fight, sheet, side, reach)),
    )
    yield from start_conditions(fight, act, sheet)
    yield from use_up(act)
    newcomer = fight.state.combatants[act.id]
    for name in act.unloaded:
        cites = fight.rules("weapons.reload")
        if name in newcomer.held:
            yield ItemChanged(who=act.id, item=name, state=UNLOADED, cites=cites)
        else:
            yield ItemChanged(who=act.id, item=name, state="stowed", unloaded=True, cites=cites)
    if (act.hp is not None or act.nonlethal) and sheet.thing is None:
        yield from fight.dialect.damage.start_hurt(fight, newcomer)
    yield from fight.dialect.movement.laden(fight, newcomer)


def is_used_up(weapon: Weapon, act: acts.Enter) -> bool:
    """Return whether a newcomer has no piece left of a counted weapon that is itself thrown."""
    if weapon.ammunition is None or weapon.wield == "projectile":
        return False
    return dict(act.used).get(weapon.name, 0) >= weapon.ammunition


def stand(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Stand up from prone: a move action that provokes while still prone (srd35.move-action.stand).

    futurepath.action.stand-up, pf1.move.stand.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.stand")
    if "prone" not in actor.conditions:
        raise Refusal(f"{actor.id} is not prone", rule)
    yield spending(fight, actor, "move", "stand up", rule)
    table = fight.dialect.turns.table_rules(fight, "move", "Stand up from prone")
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "stands up", f"stand:{fight.declaration}", rule, *table
    )
    if not is_down(fight, actor):
        yield ConditionLost(who=actor.id, condition="prone", why="stands up", cites=(rule,))


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop a held item, or drop prone: free actions (srd35.free.list, pf1.free.list)."""
    actor, dialect = fight.combatant(act.actor), fight.dialect
    check_turn(fight, actor)
    rule = fight.rule("free.drop")
    if act.item == "prone":
        if "prone" in actor.conditions:
            raise Refusal(f"{actor.id} is prone already", rule)
        if not (yield from dialect.turns.free_action_limit(fight, actor, "drop to the floor")):
            return
        yield from dialect.turns.told_safe(fight, actor, "free", "Drop to the floor", "dropping to the floor")
        yield ActionSpent(who=actor.id, kind="free", what="drop prone", cites=(rule,))
        yield ConditionGained(who=actor.id, condition="prone", source="by choice", cites=(rule,))
        return
    if act.item not in actor.held:
        raise unknown_word("item", act.item, actor.held, rule, actor.id, "in hand")
    if not (yield from dialect.turns.free_action_limit(fight, actor, f"drop the {act.item}")):
        return
    yield from dialect.turns.told_safe(fight, actor, "free", "Drop an item", f"dropping the {act.item}")
    yield ActionSpent(who=actor.id, kind="free", what="drop", cites=(rule,))
    yield from lose(fight, actor, act.item, "dropped", (rule,), act.to)


def load(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a crossbow or the like; it provokes (pf1.actions-table.move, pf1.actions-table.full-round)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("weapons.reload")
    weapon = weapon_to_load(fight, actor, act.item, rule)
    if actor.items.get(act.item) != UNLOADED:
        raise Refusal(f"{act.item!r} needs no loading", rule)
    slow = loads_slowly(weapon)
    rated = fight.rules("actions-table.full-round" if slow else "actions-table.move")
    kind = "full-round" if slow else "move"
    yield spending(fight, actor, kind, "load", *rated)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "loads a weapon", f"load:{fight.declaration}", *rated
    )
    if not is_down(fight, actor):
        yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=rated)


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: a free action, also out of turn (srd35.free.list, futurepath.action.speak)."""
    actor = fight.combatant(act.actor)
    refuse_down(fight, actor, "speak")
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=(fight.rule("free.speak"),))


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Give first aid: a Heal check against DC 15 stabilizes; it provokes (srd35.injury.stabilize-aid).

    pf1.injury.first-aid.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("injury.stabilize-aid")
    taking = fight.dialect.classes.take_10_20(fight, actor, act.take, "first aid")
    if "dying" not in target.conditions:
        raise Refusal(f"{target.id} is not dying", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", "first aid", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    taken = yield from taking
    parts = skill_parts(fight, actor, "heal", "wis", rule)
    dc = fight.figure("injury.stabilize-aid", "heal_dc")
    if (yield from check(fight, actor, "heal", parts, dc, rule, taken=taken)):
        yield from change_health(
            fight, target, "stable", f"first aid from {actor.id}", "injury.stabilize-aid"
        )


def hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Apply a game master's hazard to a combatant: a saving throw, damage or a condition."""
    target = fight.combatant(act.target)
    if act.rider is not None and (fault := explain_bad_rider(act.rider)):
        raise Refusal(fault, fight.rule("fiat"))
    if act.save and act.skill:
        raise Refusal("a hazard calls for a saving throw or for a check, not for both", fight.rule("fiat"))
    saved = False
    if act.save:
        wards = fight.dialect.classes.save_against_condition
        extra = tuple(wards(fight, target, act.condition, act.save)) if act.condition else ()
        saved = yield from saving_throw(fight, target, act.save, act.dc, act.source, extra=extra)
    elif act.skill:
        saved = yield from fight.dialect.classes.gm_check(fight, target, act.skill, act.dc, act.source)
    amount = 0
    # A successful check averts the danger; `on_save` is what a saving throw leaves of it.
    if act.damage and not (saved and act.skill):
        rolled = yield Roll("", "hazard", act.damage)
        amount = max(0, rolled.total)
        if saved and act.on_save == "negates":
            amount = 0
        elif act.save:
            amount, why, also = fight.dialect.classes.after_save(
                fight, target, SaveMade(act.save, act.on_save, saved, amount)
            )
            if also:
                yield RuleApplied(who=target.id, what=why, cites=also)
    if amount:
        harm = Harm(target, amount, act.damage_type, act.source, energy=bool(act.damage_type))
        harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
        yield from fight.dialect.damage.suffer(fight, harm)
    if act.condition and not saved and "dead" not in target.conditions:
        immune = fight.dialect.conditions.immune_mind(fight, target, act.condition)
        if immune:
            yield RuleApplied(who=target.id, what=f"immune: not {act.condition}", cites=immune)
        else:
            cites = (fight.rule("save.roll"),) if act.save else ()
            yield from fight.dialect.conditions.gain(
                fight, ConditionGained(who=target.id, condition=act.condition, source=act.source, cites=cites)
            )
    if act.rider is not None and "dead" not in target.conditions:
        yield from fight.dialect.conditions.take_rider(fight, target, act.rider)


# --- The subject of each declaration: the rule by which a dialect refuses unknown words

GENERAL: Final = "actions"
"""The topic of declarations without a rule in a dialect: the types of action."""

TOPICS: Final[dict[type[Act], str]] = {
    acts.Activate: "cast.activate-item device.other",
    acts.Aid: "aid.action",
    acts.Attack: "action.attack.definition attack-action.melee attack.single",
    acts.AwesomeBlow: "feat.awesome-blow",
    acts.Begin: "encounter",
    acts.Bind: "gear.restraints",
    acts.Brace: "ready.brace",
    acts.BreakFree: "gear.splash-table condition.entangled.escape",
    acts.BullRush: "bull-rush.action bull-rush bull-rush.when",
    acts.Burst: "object.break-table object.break object.state.broken",
    acts.CalledShot: "called-shot.definition",
    acts.Cast: "cast.provokes spell.casting-time assumed.casting",
    acts.Charge: "charge.distance action.charge.straight-line",
    acts.Circumstance: "check.circumstance modifiers.scope",
    acts.Clamber: "battlefield-monster.climb",
    acts.Close: "encounter.closed",
    acts.Counter: "ready.counterspell",
    acts.CoupDeGrace: "coup-de-grace.action",
    acts.Delay: "delay.action delay.rule",
    acts.Demoralize: "skill.intimidate",
    acts.DirtyTrick: "dirty-trick",
    acts.Disarm: "disarm.attack disarm disarm.action disarm.replaces-attack",
    acts.Dismiss: "spell.dismiss cast.maintain action.cease-concentration",
    acts.Dismount: "move-action.mount",
    acts.Doff: "armor.donning-table",
    acts.Don: "armor.donning-table",
    acts.Drag: "drag",
    acts.Draw: "weapon.in-hand",
    acts.Drop: "free.drop action.drop-object",
    acts.EndTurn: "encounter.turn",
    acts.Enter: "encounter",
    acts.Envenom: "poison",
    acts.Expose: "hazard.ref light.levels water.general",
    acts.Extinguish: "hazard.fire action.extinguish-flames",
    acts.Fall: "falling.damage injury.cause.fall",
    acts.Feint: "feint.action feint action.feint feint.action-cost",
    acts.Fiat: "fiat",
    acts.Flyby: "feat.flyby-attack",
    acts.FullAttack: "attack-action.multiple attack.full-attack",
    acts.Gather: "weapons.ammunition",
    acts.GetFree: "grapple.tie-escape gear.restraints condition.entangled.escape",
    acts.Grab: "grab.overview",
    acts.Grapple: "grapple.start grapple.start.action-cost",
    acts.Grip: "weapons.handed-use damage.two-handed",
    acts.Guide: "skill.ride-table mount.guide-with-knees",
    acts.Handle: "move-action.item items.manipulate-move weapon.in-hand",
    acts.Hazard: "fiat",
    acts.Hide: "skill.hide cover.stealth",
    acts.Identify: "skill.spellcraft",
    acts.Ignore: "flanking.ignore-opponent",
    acts.Jump: "skill.jump",
    acts.KnockoutBlow: "attack.knockout-blow.action",
    acts.Lift: "load.lift",
    acts.Load: "weapons.reload",
    acts.LowerResistance: "spell-resistance.lower",
    acts.Maintain: "cast.maintain spell.concentrate-maintain",
    acts.Manyshot: "feat.manyshot",
    acts.Mount: "move-action.mount",
    acts.Move: "move-action.move move.action",
    acts.Opening: "aoo.triggers",
    acts.Overrun: "overrun.action overrun overrun.when maneuver.overrun.definition",
    acts.Pilfer: "skill.sleight",
    acts.Plan: "declare.start-of-round",
    acts.Prepare: "gear.splash-table weapon.in-hand",
    acts.Push: "maneuver.push.definition",
    acts.Ready: "ready.action ready.declare",
    acts.Recover: "dirty-trick",
    acts.Redirect: "move-action.redirect spell.redirect actions-table.move",
    acts.Refocus: "refocus.rule",
    acts.Repair: "object.repair.check",
    acts.Reposition: "reposition",
    acts.Rest: "heal.natural round.duration",
    acts.Resume: "delay.action delay.rule",
    acts.Ride: "mount.speed mount.shared-initiative",
    acts.Rouse: "cond.fascinated nonlethal.rousing",
    acts.Run: "action.run.distance run.action",
    acts.Seek: "skill.spot-listen invisibility.perception-table concealment.total.locate",
    acts.ShakeOff: "battlefield-monster.buck-off",
    acts.Sheathe: "weapon.in-hand",
    acts.Shelter: "armor.tower-shield",
    acts.Skirmish: "feat.spring-attack",
    acts.Sleep: "armor.sleep",
    acts.Speak: "free.speak speak.free",
    acts.Split: (
        "action.full-round-split action.start-complete-full-round "
        "restricted-activity.start-complete-full-round"
    ),
    acts.Stabilize: "injury.stabilize-aid knocked-out.mod-treatment",
    acts.Stand: "move-action.stand posture.stand-cost",
    acts.Steal: "steal",
    acts.Step: "action.5-foot-step.once five-foot-step short-step.conditions",
    acts.Stunt: "maneuver.overview action.miscellaneous.gm-decides",
    acts.Sunder: "sunder.attack sunder object.attack-breaking maneuver.sunder.definition",
    acts.TendFeet: "gear.caltrops",
    acts.TotalDefense: "total-defense action.total-defense total-defense.bonus",
    acts.Touch: "cast.touch spell.touch-spell",
    acts.Trample: "trample-monster trample",
    acts.Treat: "skill.heal bleeding.heal-skill",
    acts.Trip: "trip.attack trip trip.attempt maneuver.trip.definition",
    acts.TurnUndead: "turn.action channel.action turn-undead.action-cost",
    acts.UseAbility: "use-special-ability action.use-feat-skill-talent actions-table.standard",
    acts.UseFeat: "use-feat action.use-feat-per-description actions-table.varies",
    acts.UseSkill: "use-skill action.skill-use-types",
    acts.Withdraw: "withdraw action.withdraw.distance",
}
"""The topics of a declaration, separated by blanks: the first of them in the dialect counts."""


AIM: Final = "cast.area-origin cast.range"
"""The topics of the origin of an area."""

TWO_MOVES: Final = "speed.double-move move.double-move"
"""The topics of moving twice in a turn."""

UNAWARENESS: Final = "surprise.unaware surprise.who surprise.definition"
"""The topics of being unaware of opponents."""


def rule_about(fight: Context, kind: type[Act]) -> str:
    """Return the id of the rule on declarations of a type, otherwise of the rule on types of action."""
    return first_rule(fight, f"{TOPICS.get(kind, '')} {GENERAL}")


def first_rule(fight: Context, topics: str) -> str:
    """Return the id of the dialect's rule on the first of several topics that it has a rule on."""
    rule: str = fight.rule(next(filter(fight.book.has, topics.split())))
    return rule


# --- Checking the names in an act that is to be carried out later

#: Acts on a friend, a mount or an object, which has to be named.
CARE = (acts.Stabilize, acts.Treat, acts.TendFeet, acts.Rouse, acts.Mount, acts.Burst)


#: Acts with an object of the actor.
ITEMS = (acts.Draw, acts.Drop, acts.Sheathe, acts.Activate, acts.Grip, acts.Load, acts.Don, acts.Doff)


def refuse_unknown_names(fight: Fight, combatant: Combatant, *parts: Any) -> None:
    """Refuse acts, strikes and triggers that name an unknown combatant, weapon, item or spell.

    Whether they can be carried out is decided when their time comes: only an id that is not in the fight, and
    an item that is not on the sheet, is refused at once.
    """
    sheet = combatant.sheet
    arms = {"", "unarmed strike", *(one.name for one in sheet.weapons)}
    spells = {"", *(one.name for one in sheet.spells)}
    for part in parts:
        named = (getattr(part, field, "") for field in ("target", "who", "friend", "opponent"))
        for name in (*getattr(part, "targets", ()), *named):
            if name:
                fight.combatant(name)
        if isinstance(part, CARE) and not part.target:
            tag = str(part.__struct_config__.tag).replace("-", " ")
            raise Refusal(f"{tag}: no target is named", fight.dialect.turns.readiable(fight)[1])
        weapon = getattr(part, "weapon", "")
        if weapon not in arms and not isinstance(part, acts.Grapple):
            raise unknown_word(
                "weapon",
                weapon,
                (one.name for one in sheet.weapons),
                fight.rule("weapon.in-hand"),
                combatant.id,
            )
        if (spell := getattr(part, "spell", "")) not in spells:
            raise unknown_word(
                "spell",
                spell,
                (one.name for one in sheet.spells),
                rule_about(fight, type(part)),
                combatant.id,
            )
        if isinstance(part, ITEMS):
            refuse_unknown_item(fight, combatant, part)
        within = (part.then,) if isinstance(part, acts.Split) else getattr(part, "strikes", ())
        refuse_unknown_names(fight, combatant, *within)


def refuse_unknown_item(fight: Fight, combatant: Combatant, act: Any) -> None:
    """Refuse to draw, drop, load or use later an item that a combatant neither holds nor has on its sheet."""
    postures = fight.dialect.gear.postures if isinstance(act, acts.Drop) else frozenset[str]()
    sheet = combatant.sheet
    things = (
        *(one.name for one in sheet.weapons),
        *(one.name for one in sheet.worn),
        *(one.name for one in sheet.spells if isinstance(act, acts.Activate)),
        *wands_of(combatant),
        *combatant.held,
    )
    if act.item not in (*postures, *things, *combatant.items):
        cast = {one.name for one in sheet.spells if not one.item}
        known = dict.fromkeys(one for one in things if one not in cast)
        raise unknown_word("item", act.item, known, fight.rule("weapon.in-hand"), combatant.id)


# --- Prohibitions: what a combatant's state or a rule forbids, asked before each declaration is resolved
# A dialect lists them in its record (`turns.prohibitions`). Each names the declarations it concerns, so a
# declaration is only checked against those.


def effect_on_anybody(fight: Fight, actor: Combatant, act: Act) -> bool:
    """Return whether an effect lasts on any combatant in the fight."""
    found: bool = fight.memory.company[has_effects]
    return found


def refuse_but_delay(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse the paralyzed all but purely mental acts; whether they may delay is contested.

    Option `paralyzed_delay` (srd35.cond.paralyzed, pf1.cond.paralyzed).
    """
    delays = isinstance(act, (acts.Delay, acts.Resume))
    if not delays or fight.option("paralyzed_delay") != "may":
        _refuse_unless_mental(fight, actor, act)


def refuse_bodily(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse the paralyzed all but purely mental acts."""
    _refuse_unless_mental(fight, actor, act)


def _refuse_unless_mental(fight: Fight, actor: Combatant, act: object) -> None:
    if isinstance(act, THOUGHTS):
        return
    meant = [spell for spell in actor.sheet.spells if isinstance(act, acts.Cast) and spell.name == act.spell]
    if not any(map(is_mental, meant)):
        reason = f"{actor.id} is paralyzed: purely mental acts alone are left"
        raise Refusal(reason, fight.rule(fight.dialect.conditions.table[PARALYZED].topic))


def refuse_change_of_initiative(fight: Fight, actor: Combatant, act: Act) -> None:
    """Refuse changes of initiative to combatants that are down.

    pf1.injury.no-initiative-change, srd35.injury.no-initiative-change.
    """
    if is_down(fight, actor):
        raise Refusal(
            f"{actor.id} is in no state to change its initiative", fight.rule("injury.no-initiative-change")
        )


# --- A full-round action in two halves, each a standard action (srd35.action.full-round-split)

HALF = "half-done"
"""The stat of the effect that records a begun act."""


def name_of(act: acts.Act) -> str:
    """Return the name of an act."""
    return str(act.__struct_config__.tag).replace("-", " ")


def refuse_no_half(fight: Fight, combatant: Combatant, then: acts.Act, rule: str) -> None:
    """Refuse to split an act that is no full-round action here, and halves without a standard action."""
    known = type(then) in fight.dialect.acts
    if not known or fight.dialect.turns.action_type(fight, combatant, then) != FULL_ROUND:
        raise Refusal(f"to {name_of(then)} is no full-round action", rule)
    refuse_unless_allowed(fight, combatant, "standard")


def begun_effect(combatant: Combatant, then: object) -> Effect | None:
    """Return the effect that records this same act as begun, None if it was not."""
    words = act_as_text(then)
    return next((one for one in combatant.effects if one.stat == HALF and one.modifier.source == words), None)


def act_as_text(then: object) -> str:
    """Return an act in the form in which the effect stores it."""
    return msgspec.json.encode(then).decode()


def spend_half(
    fight: Fight, combatant: Combatant, then: acts.Act, rule: str, first: Effect | None
) -> Steps[None]:
    """Spend a standard action on half an act; if its `first` half is done, carry it out with the other.

    Refuses what the act refuses.
    """
    permit(fight, then)
    steps = fight.dialect.acts[type(then)](fight, then)
    step = as_if_there_were_time(fight, combatant, steps)
    if first is None:
        steps.close()
        yield spending(fight, combatant, "standard", f"begin to {name_of(then)}", rule)
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{HALF}",
            stat=HALF,
            modifier=Modifier(0, "untyped", act_as_text(then), rule),
            until=Until("turn-end", combatant.id, fight.state.round + 1),
            cites=(rule,),
        )
        return
    # Questions to the game master before the action is spent are asked when the act is completed.
    while not isinstance(step, ActionSpent):
        answer = yield step
        try:
            step = as_if_there_were_time(fight, combatant, steps, answer)
        except StopIteration:
            return
    yield replace(step, kind="standard", what=f"complete: {name_of(then)}", cites=(*step.cites, rule))
    yield EffectEnded(who=combatant.id, id=first.id, why="completed", cites=(rule,))
    yield from steps


def as_if_there_were_time(
    fight: Fight, combatant: Combatant, steps: Steps[None], answer: object = None
) -> object:
    """Return the next step of an act up to the spending of its action, as if the whole round were available.

    Refuses what the act refuses.
    """
    outer, fight.readied = fight.readied, combatant.id
    try:
        return steps.send(answer)
    finally:
        fight.readied = outer


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with a standard action, or complete the one begun last turn with another.

    Not a full attack, a charge, a run or a withdrawal (srd35.action.full-round-split,
    pf1.action.split-full-round).
    """
    actor = fight.combatant(act.actor)
    then = replace(act.then, actor=actor.id)
    rule = fight.rule("action.full-round-split")
    if name_of(then) in fight.figure("action.full-round-split", "excluded"):
        raise Refusal(f"a {name_of(then)} cannot be split", rule)
    refuse_no_half(fight, actor, then, rule)
    yield from spend_half(fight, actor, then, rule, begun_effect(actor, then))


# --- The table of actions in combat: which of them provoke, and when that is reported


def rule_of_table(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Return the rule to cite if the table has an action of that column provoke, or not provoke.

    `column` is "move", "full-round", "free", "none" or "varies"; nothing if the table disagrees.

    srd35.actions-table.free, srd35.actions-table.full-round, srd35.actions-table.none,
    srd35.actions-table.varies, pf1.actions-table.free, pf1.actions-table.swift-immediate-none,
    pf1.actions-table.varies.
    """
    topic = f"actions-table.{column}"
    found = fight.figure(topic, f"action={action}", "provokes") == "yes"
    return (fight.rule(topic),) if found == provokes else ()


def report_safe_action(
    fight: Fight, combatant: Combatant, column: str, action: str, what: str
) -> Steps[None]:
    """Report that an action does not provoke by the table, if enemies threaten the combatant."""
    cites = fight.dialect.turns.table_rules(fight, column, action, False)
    if cites and any(endangers(fight, enemy, combatant) for enemy in fight.enemies(combatant)):
        yield RuleApplied(who=combatant.id, what=f"{what} does not provoke", cites=cites)
