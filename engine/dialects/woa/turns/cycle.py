"""Run the cycle: awareness and ambushes once; each round declarations, initiative, turns, end.

woa.flow.*
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks.called_shots import DEADLY, refuse_unknown_part
from affray.engine.dialects.woa.classes.abilities import general_bonus, passing_save_parts, refuse_unlearned
from affray.engine.dialects.woa.classes.special_abilities import KI_MOVE, ability_kind
from affray.engine.dialects.woa.conditions import impediments
from affray.engine.dialects.woa.damage import injury
from affray.engine.dialects.woa.damage.healing import refuse_patient, rounds_out, rule_of_timing, treat
from affray.engine.dialects.woa.damage.injury import make_wound_fact, save_at_zero, worst_wound, wounds
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.gear import objects
from affray.engine.dialects.woa.gear.draw_and_sheathe import (
    LONG,
    get_taking_mode,
    is_hurled,
    refuse_unheld,
    way_of_drawing,
)
from affray.engine.dialects.woa.gear.objects import hurl
from affray.engine.dialects.woa.grapple import grab_modifiers, grapple_checks, grapple_round
from affray.engine.dialects.woa.grapple.grapple_checks import action_to_grapple, grab_kinds
from affray.engine.dialects.woa.magic.spells import TURN_START, come_due
from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import flight
from affray.engine.dialects.woa.opportunity.reaction_budget import BARRED_BY_PLAN
from affray.engine.dialects.woa.position import posture
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.dialects.woa.turns import declared_actions
from affray.engine.dialects.woa.turns.declared_actions import (
    MEANT,
    allowance,
    intent_of_device,
    intent_of_dismissal,
    is_long,
    undeclared,
)
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.kernel import durations as kernel_durations
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import refuse_apart
from affray.engine.modifiers import effect_parts, ruled_out
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import NO_ACTION, SEVERAL
from affray.engine.rules.attacks.attack_roll import strike_and_settle
from affray.engine.rules.classes.checks import make_skill_check, skill_parts
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions import conditions
from affray.engine.rules.conditions.conditions import bars_all_action, condition_parts, refuse_down
from affray.engine.rules.gear.hands import UNLOADED, lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, loads_slowly, weapon_to_load
from affray.engine.rules.magic.concentration import named_spell
from affray.engine.rules.mounted.riding import is_guided, mount_of
from affray.engine.rules.turns import flow
from affray.engine.rules.turns.actions import (
    COMMON,
    FREE,
    FULL_ROUND,
    MOVE,
    STANDARD,
    SWIFT,
    ActionType,
    begun_effect,
    is_reasonable,
    name_of,
    of_touching,
    refuse_no_half,
    refuse_unless_allowed,
    spend_half,
    spending,
)
from affray.engine.rules.turns.delay_and_ready import refuse_ready
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    BudgetRenewed,
    InitiativeChanged,
    InitiativeRolled,
    OrderSet,
    PhaseChanged,
    PlanMade,
    RoundBegan,
    RoundEnded,
    RuleApplied,
    TurnBegan,
    TurnEnded,
)
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect
from affray.projections.view import VIEW

# --- The type of action that each declaration takes in woa, independent of the plan
#
# The five types are those of woa.action-type.enumeration (woa.action-type.*).


def of_attack(fight: Fight, attacker: Combatant, act: acts.Attack) -> str:
    """Return the action of an attack; taking 10 takes the full round."""
    return FULL_ROUND if act.take else STANDARD


def of_called_shot(fight: Fight, attacker: Combatant, act: acts.CalledShot) -> str:
    """Return the action of a called shot: a full round, less with a feat. Refuse a part the target lacks.

    woa.called-shot.action-cost, .deadly-feats, .difficulty-table
    """
    refuse_unknown_part(fight, act.target, act.part)
    shot = act.thrown or find_weapon(fight, attacker, act.weapon).wield == "projectile"
    return STANDARD if has_feat(attacker, DEADLY[not shot]) else FULL_ROUND


def of_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> str:
    """Return the action of casting: the spell's casting time."""
    spell = named_spell(caster, act.spell)
    if spell is None:
        return STANDARD
    return FULL_ROUND if spell.casting == "one-round" else spell.casting


def of_device(fight: Fight, user: Combatant, act: acts.Activate) -> str:
    """Return the action of using a device, by its kind. Refuse a short command word out of turn.

    woa.device.potion-drink, .potion-administer, .scroll-time, .command-word-short
    """
    item = named_spell(user, act.item)
    if item is None:
        return STANDARD
    topic = "woa.device.command-word-short"
    if item.item == "command" and item.casting == "free" and fight.figure(topic, "own_turn_only"):
        raise Refusal(f"{user.id} can speak a command word only on its own turn", fight.rule(topic))
    return intent_of_device(fight, user, act)[1][0]


def of_dismissal(fight: Fight, caster: Combatant, act: acts.Dismiss) -> str:
    """Return the action of ending a spell: standard, but free for ceasing to concentrate."""
    return intent_of_dismissal(fight, caster, act)[1][0]


def of_drawing(fight: Fight, holder: Combatant, act: acts.Draw) -> str:
    """Return the action of drawing an item, by where it is stowed.

    woa.items.draw-stowed, .draw-hidden-weapon
    """
    return way_of_drawing(fight, holder, act.item)[1]


def of_handling(fight: Fight, holder: Combatant, act: acts.Handle) -> str:
    """Return the action of handling an item; some items take long to handle or retrieve.

    woa.items.manipulate-long, .retrieve-container
    """
    if act.what in ("pick-up", "grab", "retrieve"):
        return get_taking_mode(fight, holder, act)[0]
    return FULL_ROUND if act.what in LONG else MOVE


def of_grappling(fight: Fight, grappler: Combatant, act: acts.Grapple) -> str:
    """Return the action of grappling: a full round to grab and grapple, a standard action if already holding.

    Activities in a grapple take a standard action (woa.grapple.start.action-cost, .improved-grab).
    """
    target = fight.state.combatants.get(act.target)
    if act.what == "ease":
        return FREE
    if act.what != "start" or "grappling" in grappler.conditions or target is None:
        return STANDARD
    return action_to_grapple(fight, grappler, target)[0]


def of_grabbing(fight: Fight, grappler: Combatant, act: acts.Grab) -> str:
    """Return the action of each kind of grab (woa.grab.action, .escape-one, .escape-many)."""
    return grab_kinds(fight, grappler, act)[0]


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """Return the action of an ability: the sheet gives those that cost combat reactions, the description the
    rest.
    """
    if act.ability == KI_MOVE:
        return NO_ACTION
    return ability_kind(combatant, act.ability) or of_description(fight, combatant, act)


def of_description(
    fight: Fight, combatant: Combatant, act: acts.UseFeat | acts.UseSkill | acts.UseAbility
) -> str:
    """Return the action of a use without a rule, given by its description. Refuse one not on the sheet."""
    refuse_unlearned(fight, combatant, act)
    return STANDARD


def of_feint(fight: Fight, combatant: Combatant, act: acts.Feint) -> str:
    """Return the action of a feint: swift with Improved Feint (woa.feint.improved-feint)."""
    return SWIFT if has_feat(combatant, "improved feint") else MOVE


def of_standing(fight: Fight, combatant: Combatant, act: acts.Stand) -> str:
    """Return the action of standing up: free if done quickly (woa.posture.stand-free-acrobatics)."""
    return FREE if act.how == "quickly" else MOVE


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: of_device,
    acts.Attack: of_attack,
    acts.BreakFree: FULL_ROUND,
    acts.Burst: STANDARD,
    acts.CalledShot: of_called_shot,
    acts.Cast: of_casting,
    acts.Clamber: MOVE,
    acts.Counter: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismiss: of_dismissal,
    acts.Dismount: lambda fight, rider, act: SWIFT if act.fast else MOVE,
    acts.Draw: of_drawing,
    acts.Drop: lambda fight, holder, act: MOVE if is_hurled(holder, act) else FREE,
    acts.Feint: of_feint,
    acts.GetFree: FULL_ROUND,
    acts.Grab: of_grabbing,
    acts.Grapple: of_grappling,
    acts.Guide: lambda fight, rider, act: {"control": MOVE, "knees": FREE}.get(act.what, NO_ACTION),
    acts.Handle: of_handling,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path else FREE,
    acts.Ignore: NO_ACTION,
    acts.Maintain: STANDARD,
    acts.Mount: lambda fight, rider, act: SWIFT if act.fast else MOVE,
    acts.Move: lambda fight, mover, act: SEVERAL if act.how == "double" else MOVE,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge or act.whole else STANDARD,
    acts.Push: STANDARD,
    acts.Redirect: MOVE,
    acts.Refocus: STANDARD,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Seek: lambda fight, combatant, act: NO_ACTION if act.reactive else MOVE,
    acts.ShakeOff: STANDARD,
    acts.Skirmish: SEVERAL,
    acts.Speak: lambda fight, combatant, act: FULL_ROUND if is_long(fight, act) else FREE,
    acts.Split: STANDARD,
    acts.Stand: of_standing,
    acts.Stunt: STANDARD,
    acts.Sunder: STANDARD,
    acts.Touch: of_touching,
    acts.Treat: STANDARD,
    acts.Trip: STANDARD,
    acts.TurnUndead: STANDARD,
    acts.UseAbility: of_ability,
    acts.UseFeat: of_description,
    acts.UseSkill: of_description,
}


# --- Free actions and speech: on the fly, within reason, and when they are too long to be free
#
# woa.action-type.free, woa.speak.*


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> ActionSpent:
    """Return the fact of a free action, chosen at the moment that it is taken (woa.declare.on-the-fly)."""
    ids = (*cites, *fight.rules("woa.action-type.free", "woa.declare.on-the-fly"))
    return ActionSpent(who=combatant.id, kind="free", what=what, cites=tuple(dict.fromkeys(ids)))


def spend_free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action, if the game master allows the time for it; return whether it was allowed."""
    if not (yield from is_reasonable(fight, combatant, what)):
        return False
    yield free_action(fight, combatant, what, *cites)
    return True


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop a held item, or drop into another posture: free actions (woa.items.drop, woa.posture.drop).

    The item lands at the combatant's feet or within reach; hurling it farther is a move action
    (woa.items.hurl).
    """
    actor = fight.combatant(act.actor)
    if is_hurled(actor, act):
        yield from hurl(fight, actor, act)
        return
    check_turn(fight, actor)
    if act.item in posture.POSTURES:
        posture.refuse_down(fight, actor, act.item)
        if act.to is not None:
            reason = f"{actor.id} drops {act.item} in its own space: leave out the square"
            raise Refusal(reason, fight.rule("woa.posture.drop"))
        if (yield from is_reasonable(fight, actor, f"drop {act.item}")):
            yield free_action(
                fight, actor, f"drop {act.item}", *fight.rules("woa.posture.drop", "woa.posture.states")
            )
            yield from posture.drop_into_posture(fight, actor, act.item)
        return
    rule = fight.rule("woa.items.drop")
    refuse_unheld(actor, act.item, rule)
    if (yield from is_reasonable(fight, actor, f"drop the {act.item}")):
        yield free_action(fight, actor, "drop", rule)
        yield from lose(fight, actor, act.item, "dropped", (rule,), act.to)
        if act.to is not None:
            x, y = act.to
            yield RuleApplied(who=actor.id, what=f"the {act.item} lies at {x},{y}", cites=(rule,))


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: free and possible out of turn, but not while flat-footed.

    More than a sentence or two takes a whole round, or several; the game master decides when it is finished
    (woa.speak.free, .flat-footed, .long).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.speak.free")
    refuse_down(fight, actor, "speak")
    if "flat-footed" in actor.conditions:
        raise Refusal(f"{actor.id} is flat-footed and cannot speak", fight.rule("woa.speak.flat-footed"))
    if is_long(fight, act):
        yield from speak_long(fight, actor, act)
        return
    cites = [rule]
    if fight.state.begun and fight.state.active == actor.id:
        cites.append(fight.rule("woa.declare.on-the-fly"))
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=tuple(cites))


def speak_long(fight: Fight, actor: Combatant, act: acts.Speak) -> Steps[None]:
    """Spend a round on speaking; the game master decides whether the speech is finished by its end.

    woa.speak.long
    """
    rule = fight.rule("woa.speak.long")
    yield spending(fight, actor, "full-round", "speak at length", rule)
    question = f"{actor.id} makes a long speech: is this round enough for it?"
    answer = yield Choice("", "speech", question, ("said", "another round"), rule)
    what = f"says: {act.words}" if answer == "said" else "goes on speaking: it takes another round"
    yield RuleApplied(who=actor.id, what=what, cites=(rule,))


# --- Initiative, rolled every round: the check, one check for groups, waiting for others (woa.initiative.*)


def group_of(fight: Fight, combatant: Combatant) -> str:
    """Return the group with which a creature without class levels shares its check, "" for none.

    The group is its whole side, or the creatures of its kind on that side (option `monster_initiative`;
    woa.initiative.monsters, woa.initiative.monster-groups).
    """
    reading = fight.option("monster_initiative")
    if reading == "single" or combatant.sheet.classes:
        return ""
    return combatant.side if reading == "grouped" else f"{combatant.side}/{combatant.sheet.name}"


def share_initiative_roll(
    fight: Fight, combatant: Combatant, rolled: dict[str, InitiativeRolled], group: str
) -> Steps[None]:
    """Give a whole group the check made by its first member (woa.initiative.monsters, .monster-groups)."""
    leader = rolled.get(group)
    alike = fight.option("monster_initiative") == "alike"
    rule = fight.rule("woa.initiative.monster-groups" if alike else "woa.initiative.monsters")
    if leader is None:
        yield from fight.dialect.turns.initiative(fight, combatant)
        rolled[group] = InitiativeRolled(
            who=combatant.id,
            key="",
            natural=0,
            total=combatant.initiative,
            modifier=combatant.initiative_modifier,
            parts=(),
            cites=(rule,),
        )
        return
    yield InitiativeRolled(
        who=combatant.id,
        key="",
        natural=0,
        total=leader.total,
        modifier=leader.modifier,
        parts=(Modifier(leader.modifier, "group", f"one check with {leader.who}", rule),),
        cites=(rule,),
    )


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll initiative: d20 + the modifiers that apply to every Reflex save (woa.initiative.check).

    Resistance bonuses and those for some saves only do not count. A combatant that refocused counts as having
    rolled a 20 (woa.refocus.rule); a fixed initiative on the sheet needs no roll.
    """
    parts = ruled_out(combatant, "initiative", initiative_parts(fight, combatant))
    tally = fight.dialect.attacks.stack(fight, parts)
    cites = fight.rules("woa.initiative.check")
    key = ""
    if combatant.fixed_initiative is not None:
        natural, total = 0, combatant.fixed_initiative
        cites = fight.rules("woa.initiative.meaning")
    elif "refocused" in combatant.conditions:
        natural = fight.figure("woa.refocus.rule", "next_round_d20")
        total = natural + tally.total
        cites = (*cites, fight.rule("woa.refocus.rule"))
    else:
        die = fight.figure("woa.initiative.check", "formula", 0)
        rolled = yield Roll(combatant.id, "initiative", f"1{die}")
        key, natural = rolled.key, rolled.total
        total = natural + tally.total
    if any("excluded-modifiers" in part.denied for part in tally.parts):
        cites = (*cites, fight.rule("woa.initiative.excluded-modifiers"))
    if "flat-footed" in combatant.conditions:
        cites = (*cites, fight.rule("woa.initiative.surprised-penalty"))
    yield InitiativeRolled(
        who=combatant.id,
        key=key,
        natural=natural,
        total=total,
        modifier=tally.total,
        parts=tally.parts,
        cites=cites,
    )
    if "refocused" in combatant.conditions:
        yield ConditionLost(
            who=combatant.id, condition="refocused", why="used", cites=(fight.rule("woa.refocus.rule"),)
        )


def initiative_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of an initiative check, those excluded marked as denied.

    woa.initiative.*-modifiers
    """
    rule = fight.rule("woa.initiative.included-modifiers")
    parts = []
    for part in [*general_bonus(fight, combatant, "ref", rule), *passing_save_parts(fight, combatant, "ref")]:
        if part.kind == "resistance":
            denied = f"left out of initiative ({fight.rule('woa.initiative.excluded-modifiers')})"
            part = Modifier(part.value, part.kind, part.source, part.rule, denied)
        parts.append(part)
    for name, bonuses in combatant.sheet.save_bonuses.items():
        if name.startswith("ref "):
            left_out = fight.rule("woa.initiative.excluded-modifiers")
            denied = f"{name[4:]} only: left out of initiative ({left_out})"
            for bonus in bonuses:
                parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule, denied))
    for bonus in combatant.sheet.initiative:
        parts.append(
            Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, fight.rule("woa.initiative.check"))
        )
    parts += condition_parts(fight, combatant, "initiative")
    parts += effect_parts(combatant, "initiative", "")
    return parts


def wait_for(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Move a combatant that waits for a slower one directly behind it (woa.delay.*)."""
    named = next((aim for type_, _, aim in combatant.plan if type_ == declared_actions.AFTER), "")
    order = fight.state.order
    if named not in order:
        return
    if order.index(combatant.id) > order.index(named):
        what = f"is no faster than {named} and need not wait"
        yield RuleApplied(who=combatant.id, what=what, cites=(fight.rule("woa.delay.not-faster"),))
        return
    others = [id for id in order if id != combatant.id]
    place = others.index(named) + 1
    yield InitiativeChanged(
        who=combatant.id,
        value=fight.state.combatants[named].initiative,
        order=(*others[:place], combatant.id, *others[place:]),
        before=others[place] if place < len(others) else "",
        cites=(fight.rule("woa.delay.rule"),),
    )


# --- Total defense, refocusing, handling weapons, treatment


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend: +4 dodge bonus to AC, and no reactions except dodge and block (woa.total-defense.*).

    It lasts to the end of the round. In a further round it applies from the declaration on (see `defend`).
    """
    actor = fight.combatant(act.actor)
    yield spending(fight, actor, "standard", "total defense", fight.rule("woa.total-defense.bonus"))
    yield from defend(fight, actor, "woa.total-defense.bonus", "dodge_bonus")
    yield ConditionGained(
        who=actor.id,
        condition="defended",
        source="total defense",
        until=Until("round-end", "", fight.state.round + 1),
        cites=(fight.rule("woa.total-defense.consecutive"),),
    )


def defend(fight: Fight, combatant: Combatant, topic: str, path: str) -> Steps[None]:
    """Give the bonus and the limits of total defense until the end of the round, once a round."""
    if "total-defense" in combatant.conditions:
        return
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule(topic)
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{combatant.id}:defense",
        stat="defense",
        modifier=fight.modifier(topic, path, kind="dodge", source="total defense"),
        until=until,
        cites=(rule,),
    )
    yield ConditionGained(
        who=combatant.id,
        condition="total-defense",
        source="total defense",
        until=until,
        cites=(rule, fight.rule("woa.total-defense.reactions")),
    )


def apply_declared_defense(fight: Fight) -> Steps[None]:
    """Before the first turn, apply total defense for combatants that declared it in the previous round too.

    With the reading `whole-round` it also applies the first time (option `total_defense_span`).
    """
    whole = fight.option("total_defense_span") == "whole-round"
    for combatant in fight.state.combatants.values():
        if any(what == "total-defense" for _, what, _ in combatant.plan):
            if "defended" in combatant.conditions:
                yield from defend(fight, combatant, "woa.total-defense.consecutive", "ac")
            elif whole:
                yield from defend(fight, combatant, "woa.total-defense.bonus", "dodge_bonus")


def refocus(fight: Fight, act: acts.Refocus) -> Steps[None]:
    """Refocus: next round's initiative counts as a rolled 20 (woa.refocus.rule)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.refocus.rule")
    yield spending(fight, actor, "standard", "refocus", rule)
    until = Until("round-end", "", fight.state.round + 1)
    yield ConditionGained(who=actor.id, condition="refocused", source="refocus", until=until, cites=(rule,))


def load(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a weapon: a move action, a full-round one for the slow (woa.items.manipulate-move, -long)."""
    actor = fight.combatant(act.actor)
    weapon = weapon_to_load(fight, actor, act.item, fight.rule("woa.items.draw-sheathe"))
    slow = loads_slowly(weapon)
    rule = fight.rule("woa.items.manipulate-long" if slow else "woa.items.manipulate-move")
    if actor.items.get(act.item) != UNLOADED:
        raise Refusal(f"the {act.item} needs no loading", rule)
    kind = "full-round" if slow else "move"
    yield spending(fight, actor, kind, "load", rule)
    yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Treat an unconscious combatant with the Heal skill: its fate is settled now (woa.knocked-out.*)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.knocked-out.mod-treatment"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "standard")
    refuse_patient(actor, target, rule)
    yield spending(fight, actor, "standard", "treat", rule, fight.rule("woa.healing.assisted"))
    words = str(fight.figure(topic, "heal_skill"))
    least, per = int(words.split("-")[1].split(")")[0]), int(words.rsplit("/", 1)[1].strip(" )"))
    total = yield from heal_check(fight, actor, least, rule)
    if total >= least:
        bonus = int(words.split()[0]) + (total - least) // per
        treatment = Modifier(bonus, "treatment", f"treated by {actor.id}", rule)
        yield from treat(fight, target, treatment, rule_of_timing(fight, rounds_out(fight, target)))


def treat_wound(fight: Fight, act: acts.Treat) -> Steps[None]:
    """Tend a bleeding wound with the Heal skill, for a bonus on its next save (woa.bleeding.heal-skill).

    One wound a round, the worst that is not yet tended (woa.bleeding.one-wound-per-round).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.bleeding.heal-skill"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "standard")
    found = [one for one in wounds(target) if one.treated < 0]
    if not found:
        raise Refusal(f"{target.id} has no untended wound", rule)
    if actor is not target:
        refuse_apart(actor, target, rule)
    dc, bonus = cell(fight, topic, 0, "dc"), cell(fight, topic, 0, "bonus")
    if dc is None or bonus is None:
        reason = "the rules print no figures for Heal on a wound, and only printed figures are in force"
        raise Refusal(reason, rule)
    one_each = fight.rules("woa.bleeding.one-wound-per-round") if len(found) > 1 else ()
    yield spending(fight, actor, "standard", "tend a wound", rule, *one_each)
    total = yield from heal_check(fight, actor, dc.value, rule)
    if total >= dc.value:
        wound = worst_wound(fight, found)
        yield make_wound_fact(target, wound.id, wound.rider.effect, wound.by, bonus.value, rule, *one_each)


def heal_check(fight: Fight, combatant: Combatant, dc: int, rule: str) -> Steps[int]:
    """Roll Heal against the DC at which treatment succeeds; return the total."""
    return (
        yield from make_skill_check(
            fight, combatant, "heal", skill_parts(fight, combatant, "heal", "wis", rule), rule, dc=dc
        )
    )


#: Prefixes of the rules of conditions that are given for a number of rounds.
GIVEN = ("woa.condition.", "woa.spell.haste", "woa.spell.component", "woa.zero-hp")


def settle_awareness(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Settle awareness, resolve ambushes against the unaware, and open the first round.

    The victim of an ambush is no longer surprised afterwards; a combatant that stays unaware is flat-footed
    until its first turn (woa.surprise.*, woa.condition.flat-footed; option `ambush_initiative`). A fight that
    starts in the middle of a round (`turn`) goes straight to the turns, without plans.
    """
    everybody = tuple(fight.state.combatants)
    unaware = tuple(id for id in everybody if id in act.unaware)
    if len(unaware) == len(everybody):
        unaware = ()
    blows = [ambush(fight, *named, unaware) for named in act.ambushes]
    rule = fight.rule("woa.surprise.definition")
    yield AwarenessSettled(
        aware=tuple(id for id in everybody if id not in unaware), surprised=unaware, cites=(rule,)
    )
    for id in unaware:
        yield ConditionGained(
            who=id,
            condition="flat-footed",
            source="surprise",
            until=Until("turn-start", id, act.round),
            cites=(fight.rule("woa.condition.flat-footed"),),
        )
    if blows:
        yield from ambushes(fight, blows, unaware)
    yield from open_round(fight, act.round)
    if act.turn and fight.state.phase == "declare":
        yield from open_turns(fight)


def ambush(fight: Fight, combatant_id: str, target: str, weapon: str, unaware: tuple[str, ...]) -> Blow:
    """Return the attack that opens the fight.

    Refuse aware targets, and attackers that are unaware or cannot act.
    """
    attacker, victim = fight.combatant(combatant_id), fight.combatant(target)
    rule = fight.rule("woa.surprise.surprise-attack-timing")
    if combatant_id in unaware:
        raise Refusal(f"{combatant_id} is unaware itself and cannot surprise {target}", rule)
    if not conditions.can_act(fight, attacker):
        raise Refusal(f"{combatant_id} can do nothing and cannot surprise {target}", rule)
    if target not in unaware:
        raise Refusal(f"{target} is not among the unaware and cannot be surprised", rule)
    blow = fight.dialect.attacks.prepare(
        fight, attacker, victim, find_weapon(fight, attacker, weapon), "ambush"
    )
    blow.cites.append(rule)
    return blow


def ambushes(fight: Fight, blows: list[Blow], unaware: tuple[str, ...]) -> Steps[None]:
    """Resolve the attacks that open the fight; their targets are no longer surprised afterwards.

    An ambusher felled by the missile of another one does not strike.
    """
    for number, blow in enumerate(blows, 1):
        fight.scope = f"ambush:{blow.attacker.id}#{number}"
        if not is_down(fight, blow.attacker):
            yield from objects.spend_missile(fight, blow)
            yield from strike_and_settle(fight, blow)
    fight.scope = ""
    struck = tuple(dict.fromkeys(blow.target.id for blow in blows))
    rule = fight.rule("woa.surprise.surprise-attack-timing")
    yield AwarenessSettled(
        aware=tuple(id for id in fight.state.combatants if id not in unaware or id in struck),
        surprised=tuple(id for id in unaware if id not in struck),
        cites=(rule,),
    )
    if fight.option("ambush_initiative") == "no-penalty-after-ambush":
        for id in struck:
            yield ConditionLost(
                who=id,
                condition="flat-footed",
                why="no longer surprised (ambush_initiative: no-penalty-after-ambush)",
                cites=(rule,),
            )


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round with its declarations and renew all budgets (woa.declare.start-of-round)."""
    cites = fight.rules("woa.flow.round-structure", "woa.declare.start-of-round", "woa.round.duration")
    if fight.state.round:
        cites = (*cites, fight.rule("woa.flow.repeat-until-resolved"))
    yield RoundBegan(number=number, phase="declare", cites=cites)
    yield from injury.bleed_at_round_start(fight)
    budget = fight.rules("woa.round.action-budget", "woa.reaction.definition")
    for one in fight.state.combatants.values():
        if "dead" not in one.conditions and (one.spent or one.reactions or one.opportunities):
            yield BudgetRenewed(who=one.id, what=("actions", "reactions"), cites=budget)
    yield from grapple_checks.immobilize_pinned(fight)
    if not undeclared(fight):
        yield from open_turns(fight)


def cite_turn_order(fight: Fight, ids: Sequence[str], ordering: Steps[None]) -> Steps[None]:
    """Set the turn order by the initiative results, highest first (woa.flow.turn-order)."""
    return reciting(ordering, OrderSet, fight.rule("woa.flow.turn-order"))


def delay(fight: Fight, act: acts.Delay) -> Steps[None]:
    """Refuse to delay in a turn: actions are timed when they are declared (woa.resolve.simultaneity)."""
    actor = fight.combatant(act.actor)
    raise Refusal(
        f"{actor.id} cannot delay now: actions are timed when they are declared",
        fight.rule("woa.resolve.simultaneity"),
    )
    yield


def declare(fight: Fight, act: acts.Plan) -> Steps[None]:
    """Declare the standard, move and full-round actions of the round (woa.declare.required-types).

    After the last declaration, initiative is rolled and the turns begin. A readied action that is not readied
    again lapses (woa.ready.multi-round).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.declare.start-of-round")
    state = fight.state
    if state.closed or not state.begun or state.phase != "declare":
        raise Refusal("actions are declared at the start of a round, and no round is being declared", rule)
    if actor.plan:
        raise Refusal(f"{actor.id} has declared already", rule)
    if actor not in undeclared(fight):
        raise Refusal(f"{actor.id} cannot act this round and declares nothing", rule)
    declared_actions.refuse_plan(fight, actor, act)
    index = next((at for at, one in enumerate(act.actions) if one.what == "ready"), None)
    if act.ready is not None:
        if index is None:
            reason = f"{actor.id} names an act to ready, but does not declare 'ready'"
            raise Refusal(reason, fight.rule("woa.ready.declare"))
        refuse_ready(fight, actor, act.ready)
    yield declared_actions.make_plan_fact(fight, actor, act)
    if act.ready is not None:
        yield from declared_actions.announce(fight, actor, act.ready)
    elif actor.readied is not None and index is not None:
        yield from declared_actions.keep_ready(fight, actor, index)
    elif actor.readied is not None:
        yield from declared_actions.end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
    if not undeclared(fight):
        yield from open_turns(fight)
        yield from flow.advance(fight)


def open_turns(fight: Fight) -> Steps[None]:
    """Roll initiative for all, set the order including those that wait for others, and begin the turns."""
    dialect = fight.dialect
    alive = [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
    rolled: dict[str, InitiativeRolled] = {}
    for one in alive:
        if is_down(fight, one) or "grappling" in one.conditions or is_guided(fight, one):
            continue
        group = group_of(fight, one)
        if group:
            yield from share_initiative_roll(fight, one, rolled, group)
        else:
            yield from dialect.turns.initiative(fight, one)
    acting = [one for one in alive if not is_down(fight, one) and not is_guided(fight, one)]
    awake = [one.id for one in acting if "grappling" not in one.conditions]
    if awake:
        yield from dialect.turns.order(fight, awake)
    yield from grapplers_last(fight, alive, awake)
    down = tuple(one.id for one in alive if is_down(fight, one))
    if down:
        yield OrderSet(
            order=(*(id for id in fight.state.order if id not in down), *down),
            why=f"{', '.join(down)} cannot act",
            cites=(fight.rule("woa.resolve.count-down"),),
        )
    for id in awake:
        yield from wait_for(fight, fight.state.combatants[id])
    yield PhaseChanged(phase="turns", cites=(fight.rule("woa.flow.round-structure"),))
    yield from apply_declared_defense(fight)


def grapplers_last(fight: Fight, alive: list[Combatant], free: list[str]) -> Steps[None]:
    """Put grapplers after all other combatants in the order, without initiative.

    woa.grapple.no-initiative, woa.grapple.resolution-timing
    """
    names = tuple(one.id for one in alive if "grappling" in one.conditions and not is_down(fight, one))
    if names:
        verb = "are" if len(names) > 1 else "is"
        first = tuple(id for id in fight.state.order if id in free)
        yield OrderSet(
            order=(*first, *names),
            why=f"{', '.join(names)} {verb} grappling",
            cites=fight.rules("woa.grapple.no-initiative", "woa.grapple.resolution-timing"),
        )


def open_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn and end the effects that last until now.

    Budgets are those of the round (woa.resolve.count-down).

    In a grapple its check comes first, and a grappler that does not win it has no turn
    (woa.grapple.outcome.rule).
    """
    yield from kernel_durations.expire(fight, combatant, "turn-start")
    if combatant.brewing:
        yield from come_due(fight, combatant, TURN_START)
    if "grappling" in combatant.conditions:
        yield from grapple_round.settle_grapple(fight, combatant)
        if not conditions.can_act(fight, combatant):
            return
    cites = fight.rules("woa.resolve.count-down", "woa.round.turn-at-once")
    yield TurnBegan(who=combatant.id, number=fight.state.turn + 1, cites=cites)
    if combatant.mount:
        yield from riding.direct_mount(fight, combatant)


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn and the effects that last until now (woa.resolve.count-down)."""
    yield from kernel_durations.expire(fight, combatant, "turn-end")
    steed = mount_of(fight, combatant)
    if steed is not None and is_guided(fight, steed):
        yield from kernel_durations.expire(fight, steed, "turn-end")
    if "grappling" in combatant.conditions and fight.state.active != combatant.id:
        return
    barred = (name for name in combatant.conditions if bars_all_action(fight, combatant, name))
    reason = next((name for name in barred if name not in grapple_checks.KEPT), "")
    yield TurnEnded(who=combatant.id, skipped=reason, cites=(fight.rule("woa.resolve.count-down"),))
    yield from impediments.calm_those_out_of_sight(fight)


def close_round(fight: Fight) -> Steps[None]:
    """End the round: combatants holding on at 0 hit points or less save again, effects of a round end."""
    yield from grapple_round.roll_going_to_ground(fight)
    yield from grapple_checks.end_grapples_of_fallen(fight)
    yield from grab_modifiers.end_holds_out_of_reach(fight)
    for one in list(fight.state.combatants.values()):
        yield from save_at_zero(fight, one)
    yield from environment.end_round_in_water(fight)
    yield from flight.end_round_of_flyers(fight)
    yield from riding.end_round_of_mounts(fight)
    now = fight.state.round
    for one in fight.state.combatants.values():
        for name, condition in list(one.conditions.items()):
            if condition.until.when == "round-end" and now >= condition.until.round:
                cites = (ending_rule(fight, name, None),)
                yield ConditionLost(who=one.id, condition=name, why="its time is over", cites=cites)
        for effect in one.effects:
            if effect.until.when == "round-end" and now >= effect.until.round:
                cites = (ending_rule(fight, "", effect),)
                yield EffectEnded(who=one.id, id=effect.id, why="its time is over", cites=cites)
    yield RoundEnded(
        number=now,
        state=fight.digest(fight.state),
        view=VIEW,
        cites=(fight.rule("woa.flow.round-structure"),),
    )


def ending_rule(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, or otherwise an effect, has ended.

    A condition given for a number of rounds ends as effects of that kind do, one that depends on what a
    combatant has done ends by its own rule, an effect by the rule of its modifier
    (woa.round.effect-duration).
    """
    if effect is not None:
        return effect.modifier.rule or fight.rule("woa.round.effect-duration")
    topic = rule_of(fight, condition).topic
    rule = fight.rule(topic) if topic else ""
    return rule if rule and not rule.startswith(GIVEN) else fight.rule("woa.round.effect-duration")


#: Holds while a round is being declared.
DECLARING = "fight.state.phase == 'declare' and not fight.state.closed"


def close_declarations(fight: Fight, act: acts.EndTurn) -> Steps[None]:
    """Close the declarations of a round, by a ruling of the game master.

    A combatant that has not declared by then does nothing this round.
    """
    rule = fight.rule("woa.declare.start-of-round")
    if act.actor:
        raise Refusal(f"no turn of {act.actor} is running: the round is still being declared", rule)
    for one in undeclared(fight):
        yield PlanMade(who=one.id, actions=(declared_actions.NOTHING,), cites=(rule,))
    yield from open_turns(fight)
    yield from flow.advance(fight)


# --- A full-round action in two halves, for combatants without a full round (woa.restricted-activity.start-*)

#: The conditions that leave no combat reactions, by the name of the act in a plan.
TAKEN_UP = {
    "cast": "casting",
    "read": "casting",
    "administer": "drinking",
    "handle-long": "handling",
    "draw-stowed": "handling",
}


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with the only standard action of this round, or complete it in the next.

    Full attacks and acts that involve movement cannot be split
    (woa.restricted-activity.start-complete-full-round, .start-complete-limits).
    """
    actor = fight.combatant(act.actor)
    then = replace(act.then, actor=actor.id)
    rule = fight.rule("woa.restricted-activity.start-complete-full-round")
    limits = "woa.restricted-activity.start-complete-limits"
    if type(then) not in fight.dialect.acts:
        raise Refusal(f"{fight.dialect.name} knows no {name_of(then)!r}", rule)
    if name_of(then) in fight.figure(limits, "forbidden"):
        raise Refusal(f"a {name_of(then)} cannot be split", fight.rule(limits))
    refuse_no_half(fight, actor, then, rule)
    first = begun_effect(actor, then)
    if first is None and allowance(fight, actor).full:
        reason = f"{actor.id} has a full-round action this round and need not split it"
        raise Refusal(reason, rule)
    yield from spend_half(fight, actor, then, rule, first)
    if first is None:
        yield from give_up_reactions(fight, actor, then)


def give_up_reactions(fight: Fight, actor: Combatant, then: acts.Act) -> Steps[None]:
    """Remove the combat reactions of the round in which an act that allows none is begun.

    woa.spell.no-combat-reactions, woa.device.scroll-no-reactions, .potion-no-reactions,
    woa.items.manipulate-no-reactions
    """
    meant = MEANT.get(type(then))
    word = meant(fight, actor, then)[0] if meant is not None else ""
    if word in TAKEN_UP:
        yield ConditionGained(
            who=actor.id,
            condition=TAKEN_UP[word],
            source=str(getattr(then, "spell", "") or getattr(then, "item", "")),
            until=Until("round-end", "", fight.state.round),
            cites=fight.rules(BARRED_BY_PLAN[word]),
        )
