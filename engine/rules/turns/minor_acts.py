"""The smaller acts: standing up, handling weapons, speaking, first aid, hazards, entering, rulings."""

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm, SaveMade
from affray.engine.record.other_fields import SAID, Under
from affray.engine.rules.classes.feat_prerequisites import feats_without_effect
from affray.engine.rules.classes.saves_and_checks import check, saving_throw, skill_parts
from affray.engine.rules.classes.sheet_faults import fault_of_rider
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.damage.weapon_damage import suffer
from affray.engine.rules.gear.held_weapons import SPIKES
from affray.engine.rules.gear.let_go import UNLOADED, lose
from affray.engine.rules.gear.loading import loads_slowly, refuse_unloaded
from affray.engine.rules.gear.weapons_in_hand import weapon_to_load
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.rules.turns.start_states import (
    refuse_place,
    refuse_start,
    refuse_who,
    start_conditions,
    use_up,
)
from affray.engine.steps import Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged
from affray.events.facts.flow import ActionSpent, CombatantEntered, RuleApplied
from affray.events.facts.sheet_bounds import beyond_bounds
from affray.events.wording import counted
from affray.projections.state import without_feats

#: What is read of a hazard only where it says something else.
HAZARD_UNDER: Under = {
    "dc": {"save|skill": SAID},
    "damage_type": {"damage": SAID},
    "on_save": {"save": SAID, "damage": SAID},
    "source": {"save|skill|damage|condition": SAID},
}


def enter(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map: a new id, a side, free squares (srd35.size.table-space-reach).

    It has all of its hit points or fewer: more are temporary ones, which magic lends. What follows from
    them comes with them; its conditions may say which of the states that they allow it is in
    (futurepath.table.time-and-actions).
    """
    rule = fight.rule("encounter")
    sheet = refuse_who(fight, act)
    sheet, arms = fight.dialect.gear.equip(fight, sheet)
    if act.nonlethal < 0:
        raise Refusal(f"{act.id} cannot have {act.nonlethal} nonlethal damage", rule)
    printed = sheet
    sheet, reckoned = fight.dialect.classes.derived_statistics(fight, printed)
    unusable = feats_without_effect(fight, sheet)
    if unusable:
        sheet, reckoned = fight.dialect.classes.derived_statistics(fight, without_feats(printed, unusable))
    if fault := beyond_bounds(sheet):  # what race, class and arms have made of it
        raise Refusal(f"{act.id}: {fault}", rule)
    if act.hp is not None and act.hp > sheet.hp:
        reason = f"{act.id} cannot have {counted(act.hp, 'hit point')}: full ones are {sheet.hp}"
        raise Refusal(reason, fight.rule("hp.thresholds"))
    side, reach = fight.dialect.position.space_and_reach(fight, sheet)
    refuse_place(fight, act, sheet, side)
    devices = {spell.name for spell in sheet.spells if spell.item}
    for name in act.held or ():
        if name not in devices and all(weapon.name != name for weapon in sheet.weapons):
            known = (weapon.name for weapon in sheet.weapons)
            raise unknown_word("weapon", name, known, rule, act.id)
    held = act.held
    if held is None:
        carried = (weapon for weapon in sheet.weapons if weapon.wield not in ("natural", "unarmed"))
        held = tuple(weapon.name for weapon in carried if weapon.table != SPIKES)[:1]
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
    """Drop a held item, or oneself prone: free actions (srd35.free.list, pf1.free.list)."""
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
    """Confront a combatant with a saving throw, damage or a condition, by the game master's word."""
    target = fight.combatant(act.target)
    if act.rider is not None and (fault := fault_of_rider(act.rider)):
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
    # A check that succeeds averts the danger; what a saving throw leaves of it stands in `on_save`.
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
        yield from suffer(fight, harm)
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
