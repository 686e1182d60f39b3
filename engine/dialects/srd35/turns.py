"""Turns: the flow of rounds, initiative, actions and what they allow, delaying and readying."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd35 import gear
from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.gear import HANDLING, action_to_load
from affray.engine.dialects.srd35.grapple.grapple import option_action
from affray.engine.dialects.srd35.magic import has_used_next_swift, swift_in_play
from affray.engine.fight.fight import Fight, has_effects, moments_of_expiry
from affray.engine.fight.memory import per_company
from affray.engine.kernel import durations as kernel_durations
from affray.engine.record.chapters import NO_ACTION, SEVERAL, Allowance
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear import splash_weapons
from affray.engine.rules.gear.handling import kind_of_handling
from affray.engine.rules.gear.nets import is_unfolded
from affray.engine.rules.magic.concentration import CONCENTRATING
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.turns import actions, delay_and_ready, initiative
from affray.engine.rules.turns.actions import (
    COMMON,
    FREE,
    FULL_ROUND,
    MOVE,
    STANDARD,
    ActionType,
    of_guiding,
    of_touching,
)
from affray.engine.rules.turns.flow import with_own_initiative
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    InitiativeChanged,
    ReadyEnded,
    RoundBegan,
    RuleApplied,
)
from affray.projections.state import Combatant

# --- The actions of a turn in srd35: halves of a full round, free actions, and which actions provoke
# srd35.action.*, srd35.actions-table.*.

#: The actions of most turns, with the rules by which a move action replaces something else.
USUAL = replace(
    actions.FULL,
    swap="srd35.action.move-for-standard",
    break_off="srd35.full-attack.decide",
    swift_topic="srd35.action.swift-immediate",
)


#: A turn without restricting conditions, while no swift actions are in play.
UNHINDERED = (
    "fight.state.round and not conditions"
    " and 'swift_actions' not in fight.state.options and fight.dialect.options['swift_actions'] == 'none'"
)


def unrestricted_allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return the actions of an unrestricted turn."""
    return USUAL


def restricted(fight: Fight, combatant: Combatant, allowed: Allowance) -> Allowance:
    """Return the actions of this turn, with the possible replacements.

    In the surprise round perhaps no move (surprise_round_action), perhaps one swift action a turn, which the
    core rules lack (swift_actions).
    """
    if (
        fight.state.round == 0
        and allowed == actions.SINGLE
        and fight.option("surprise_round_action") == "standard-only"
    ):
        return Allowance(1, 0, 1, False, 0, 1, "srd35.surprise.round")
    usual = USUAL if allowed == actions.FULL else allowed
    if allowed == actions.SINGLE:
        usual = replace(allowed, total=fight.formula("srd35.action.restricted", "budget"))
    return with_swift_action(fight, combatant, usual) if allowed.total and swift_in_play(fight) else usual


def with_swift_action(fight: Fight, combatant: Combatant, allowed: Allowance) -> Allowance:
    """Return the actions of a turn, with a swift action unless an immediate one has used it up."""
    if has_used_next_swift(combatant):
        return allowed
    return replace(allowed, swift=fight.figure("srd35.action.swift-immediate", "swift_per_turn"))


def rules_of_short_step(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rules that allow a 5-foot step: no distance covered, and the action it goes with.

    srd35.action.five-foot-when-no-distance, srd35.full-attack.step.
    """
    between = ("srd35.full-attack.step",) if combatant.spent.get("full-round") else ()
    return fight.rules("srd35.action.five-foot-when-no-distance", *between)


# --- The action type of each declaration in srd35 (srd35.action.types, srd35.actions-table.*)

#: Modes of movement that take the full round: the minimum movement, and into a space tighter than the body.
WHOLE_WAYS = ("minimum", "wriggle")

#: The action type of each use of a special ability.
OF_ABILITIES: Final[Mapping[str, str]] = {
    "rage": FREE,
    "end rage": FREE,
    abilities.SMITE: FREE,
    abilities.HANDS: STANDARD,
    abilities.INSPIRE: STANDARD,
    abilities.STOP: FREE,
}


def of_attack(fight: Fight, attacker: Combatant, act: acts.Attack) -> str:
    """Return the full round for lining up a blow, or throwing a two-handed weapon not made for it.

    srd35.weapon.thrown-unsuited.
    """
    name = act.weapon or next(iter(attacker.held), "")
    weapon = next((one for one in attacker.sheet.weapons if one.name == name), None)
    unwieldy = weapon is not None and not weapon.thrown and weapon.wield in HANDLING
    hurled = act.thrown and unwieldy and weapon is not None and weapon.wield == "two-handed"
    return FULL_ROUND if act.aim or hurled else STANDARD


def of_move(fight: Fight, mover: Combatant, act: acts.Move) -> str:
    """Return the action type of a mode of movement: some take the full round, a double move two moves."""
    if act.how == "double":
        return SEVERAL
    return FULL_ROUND if act.how in WHOLE_WAYS or (act.how == "swim" and act.fast) else MOVE


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """Return the action type by the kind of weapon and Rapid Reload; folding a net takes full rounds."""
    weapon = next((one for one in combatant.sheet.weapons if one.name == act.item), None)
    if weapon is None:
        return MOVE
    folding = "entangle" in weapon.traits and is_unfolded(combatant, weapon)
    return FULL_ROUND if folding else action_to_load(fight, combatant, weapon)[0]


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """Return the action type of a special ability; refuse one that the combatant does not have."""
    abilities.refuse_ability(fight, replace(act, actor=combatant.id))
    return OF_ABILITIES[act.ability]


def of_envenoming(fight: Fight, combatant: Combatant, act: acts.Envenom) -> str:
    """Return a standard action for applying poison; refuse one that the combatant does not have
    (srd35.poison).
    """
    if act.poison not in ("", *(one.name for one in combatant.sheet.poisons)):
        raise Refusal(f"{combatant.id} has no {act.poison}", fight.rule("srd35.poison"))
    return STANDARD


def of_feint(fight: Fight, combatant: Combatant, act: acts.Feint) -> str:
    """Return the action type of a feint, faster with Improved Feint (srd35.feint.improved)."""
    quick = has_feat(combatant, "improved feint")
    return str(fight.figure("srd35.feint.improved", "action_with_feat")) if quick else STANDARD


def of_dismissal(fight: Fight, caster: Combatant, act: acts.Dismiss) -> str:
    """Return a free action for ceasing to concentrate on a spell, a standard one for dismissing it."""
    kept = caster.conditions.get(CONCENTRATING)
    return FREE if kept is not None and kept.source == act.spell else STANDARD


def of_armor(fight: Fight, combatant: Combatant, act: acts.Don | acts.Doff) -> str:
    """Return a move action for a shield, full rounds for armor (srd35.armor.donning-table)."""
    shield = any(one.name == act.item and one.kind == "shield" for one in combatant.sheet.worn)
    return MOVE if shield else FULL_ROUND


def of_lifting(fight: Fight, combatant: Combatant, act: acts.Lift) -> str:
    """Return a free action for putting something down, the full round for lifting it."""
    return {"put": FREE, "ground": FULL_ROUND}.get(act.how, MOVE)


def of_seeking(fight: Fight, combatant: Combatant, act: acts.Seek) -> str:
    """Return a standard action for groping; none for noticing in reaction."""
    return STANDARD if act.sense == "grope" else NO_ACTION if act.reactive else MOVE


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: STANDARD,
    acts.Attack: of_attack,
    acts.AwesomeBlow: STANDARD,
    acts.Bind: FULL_ROUND,
    acts.BreakFree: STANDARD,
    acts.BullRush: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Burst: STANDARD,
    acts.Counter: STANDARD,
    acts.Demoralize: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismiss: of_dismissal,
    acts.Dismount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Doff: of_armor,
    acts.Don: of_armor,
    acts.Envenom: of_envenoming,
    acts.Extinguish: FULL_ROUND,
    acts.Feint: of_feint,
    acts.Flyby: SEVERAL,
    acts.Gather: FULL_ROUND,
    acts.GetFree: FULL_ROUND,
    acts.Grapple: lambda fight, grappler, act: option_action(fight, act),
    acts.Guide: of_guiding,
    acts.Handle: kind_of_handling,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path or act.how == "snipe" else NO_ACTION,
    acts.Identify: lambda fight, caster, act: FREE if act.spell else NO_ACTION,
    acts.Jump: MOVE,
    acts.Lift: of_lifting,
    acts.Load: of_loading,
    acts.LowerResistance: STANDARD,
    acts.Maintain: STANDARD,
    acts.Manyshot: STANDARD,
    acts.Mount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Move: of_move,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Pilfer: lambda fight, combatant, act: FREE if act.fast else STANDARD,
    acts.Prepare: FULL_ROUND,
    acts.Redirect: MOVE,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Seek: of_seeking,
    acts.Shelter: STANDARD,
    acts.Skirmish: SEVERAL,
    acts.Split: STANDARD,
    acts.Sunder: STANDARD,
    acts.TendFeet: STANDARD,
    acts.Touch: of_touching,
    acts.Trample: FULL_ROUND,
    acts.Treat: STANDARD,
    acts.Trip: STANDARD,
    acts.TurnUndead: lambda fight, channeler, act: FREE if act.what == "release" else STANDARD,
    acts.UseAbility: of_ability,
    acts.UseFeat: NO_ACTION,
}


# --- The course of a turn in srd35, step by step: its beginning, middle and end
# A turn of a combatant with only a budget takes the plain steps.


def is_uneventful(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a turn begins with only its budget.

    There is nothing lasting on the combatant, nothing on others until now, no effect on any combatant, no
    gaze.
    """
    if (
        combatant.conditions
        or combatant.mount
        or combatant.delaying
        or combatant.casting is not None
        or combatant.readied is not None
        or combatant.afflictions
    ):
        return False
    if combatant.sheet.fast_healing or combatant.sheet.regeneration:
        return False
    company = fight.memory.company
    if company[has_effects] or ("turn-start", combatant.id) in company[moments_of_expiry]:
        return False
    return not might_be_gazed_at(fight, combatant)


@per_company("combatant.side")
def might_be_gazed_at(fight: Fight, combatant: Combatant) -> bool:
    """Return whether any enemy has powers, of which a gaze would be one."""
    return any([one.sheet.spells for one in fight.enemies(combatant)])


# --- Delay and ready across rounds: changes of a combatant's place and turn

RESUMED = "resumed"


def cite_new_count(fight: Fight, act: acts.Resume, resuming: Steps[None]) -> Steps[None]:
    """Take the delayed turn right after the one that is running, and act on that count from then on.

    Before the regular turn of the next round it raises the initiative and replaces that turn
    (srd35.delay.initiative-result, srd35.delay.next-round).
    """
    actor = fight.combatant(act.actor)
    next_round = actor.waited is not None and actor.waited < fight.state.round
    count = "srd35.delay.next-round" if next_round else "srd35.delay.lower-initiative"
    cites = fight.rules("srd35.delay.initiative-result", count, "srd35.initiative-action.overview")
    tie = fight.rule("srd35.initiative.ties")

    def cited(fact: object) -> object:
        if not isinstance(fact, InitiativeChanged):
            return fact
        return replace(fact, cites=(*cites, tie) if tie in fact.cites else cites)

    return altered(resuming, cited)


def take_delayed_turn(fight: Fight, act: acts.Resume) -> Steps[None]:
    """Record that the delayed turn is taken: from now on it cannot be lost (srd35.delay.action)."""
    yield ActionSpent(
        who=act.actor, kind=RESUMED, what="takes the delayed turn", cites=fight.rules("srd35.delay.action")
    )


def lose_delayed_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose a turn that was delayed until the next one comes round (srd35.delay.lost)."""
    if combatant.delaying and not combatant.spent.get(RESUMED):
        rule = fight.rule("srd35.delay.lost")
        yield RuleApplied(who=combatant.id, what="the delayed turn is lost", cites=(rule,))
        yield from kernel_durations.expire(fight, combatant, "turn-end", rounds_ago=1)


def interrupt(fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready) -> Steps[None]:
    """Take the readied act just ahead of its trigger, perhaps with a 5-foot step before it.

    The triggering combatant is interrupted and goes on afterwards, if still able. The initiative becomes the
    count of the readied act; taken before the regular turn of the next round, it is that turn, and ends what
    lasts until its start (srd35.ready.interrupt, .initiative-result, .next-round).
    """
    topics = ["srd35.ready.trigger", "srd35.ready.interrupt"]
    if plan.trigger.what == "casts" and type(plan.then) is not acts.Counter:
        topics.append("srd35.ready.vs-caster")
    yield ReadyEnded(who=combatant.id, how="triggered", cites=fight.rules(*topics))
    yield from initiative.keep_counts(fight, combatant)
    next_round = delay_and_ready.before_own_turn(fight, combatant)
    if next_round:
        yield from delay_and_ready.begin_as_turn(fight, combatant)
    if plan.step is not None:
        yield from delay_and_ready.step_first(fight, combatant, plan.step)
    yield from delay_and_ready.out_of_turn(
        fight,
        combatant,
        delay_and_ready.aimed_at_actor(plan, combatant.id, actor.id),
    )
    topics = [
        "srd35.ready.initiative-change",
        "srd35.ready.initiative-result",
        "srd35.initiative-action.overview",
    ]
    if next_round:
        topics.append("srd35.ready.next-round")
    yield from delay_and_ready.move_ahead(fight, combatant, *fight.rules(*topics))


# --- The surprise round: the aware, and their actions (srd35.surprise.*)


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Determine the surprised and roll initiative; a surprise round comes first if there are any.

    Only the aware roll before the surprise round, the others before the first regular one (srd35.surprise.*,
    srd35.flow.sequence).
    """
    everybody = tuple(fight.state.combatants)
    unaware = tuple(id for id in everybody if id in act.unaware)
    aware = tuple(id for id in everybody if id not in act.unaware)
    some = bool(unaware) and bool(aware)
    yield AwarenessSettled(
        aware=aware, surprised=unaware if some else (), cites=(fight.rule("srd35.surprise.who"),)
    )
    first = with_own_initiative(fight, aware if some else everybody)
    for id in first:
        yield from fight.dialect.turns.initiative(fight, fight.state.combatants[id])
    yield from fight.dialect.turns.order(fight, first)
    if some:
        yield RoundBegan(number=0, cites=fight.rules("srd35.surprise.round", "srd35.surprise.unaware"))
    else:
        yield from fight.dialect.turns.open_round(fight, act.round)


# --- Attacks from the saddle, by the rider and by the mount (srd35.mount.combat-trained)


def attack_by_rider_or_mount(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    actor = fight.combatant(act.actor)
    if splash_weapons.is_thrown(fight, act) and not actor.rider:
        return splash_weapons.throw_flask(fight, act)
    if actor.mount:
        return mounted_combat.rider_attacks(fight, act, strike_or_hurl(fight, act))
    if actor.rider:
        mounted_combat.refuse_to_send(fight, act)
        return mounted_combat.mount_attacks(fight, act, strike_or_hurl(fight, act))
    return gear.attack_or_hurl(fight, act)


def strike_or_hurl(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make the attack, once the saddle is known to allow it."""
    yield from gear.attack_or_hurl(fight, act)
