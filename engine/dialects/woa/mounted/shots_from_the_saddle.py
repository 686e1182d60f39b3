"""Shooting and casting on the way of a mount (woa.mount.combat.ranged, woa.mount.casting)."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted.mount_control import refuse_out_of_hand
from affray.engine.dialects.woa.mounted.mount_movement import SHOTS, STRUCK, refuse_ride_on
from affray.engine.dialects.woa.mounted.mounted_combat import refuse_both_hands
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.turns.keep_to_plan import use_up_planned
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.thrown_weapons import draw_between, plan_throws
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted import shots_from_the_saddle as shared
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.movement import refuse_crooked, refuse_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.named_in_acts import refuse_unknown_names
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

Shots = Sequence[acts.Attack | acts.Strike]
TOPIC = "woa.mount.combat.ranged"
PLAIN = "woa.mount.shared-initiative"
ROWS = {"double": "double move", "run": "run or charge"}


def ride(fight: Fight, act: acts.Ride) -> Steps[None]:
    """Ride on and act on the way: shots at half of it, a spell there or after so many squares.

    The mount spends a move, both its moves or a run; the rider what shooting or casting takes.
    """
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule(PLAIN))
    refuse_pace(fight, actor, steed, act)
    refuse_unknown_names(fight, actor, act.then)
    then = replace(act.then, actor=actor.id)
    permit(fight, then)
    refuse_place(fight, act, isinstance(then, acts.Cast))
    half = act.after[0] if act.after else shared.half_way(fight, steed, act.path)
    if isinstance(then, acts.Cast):
        spell = next(one for one in actor.sheet.spells if one.name == then.spell)
        refuse_unless_allowed(fight, actor, spell.casting)
    else:
        refuse_shots(fight, actor, then)
    if actor.plan and not (yield from use_up_planned(fight, actor, then)):
        return
    yield from set_off(fight, steed, act.pace)
    if not (yield from shared.ride_on(fight, actor, steed, act, (0, half), PLAIN)):
        return
    try:
        if isinstance(then, acts.Cast):
            yield from fight.dialect.magic.acts[acts.Cast].resolver(fight, then)
        else:
            yield from shoot_from_mount(fight, actor, then, act.pace)
    except Refusal as lost:
        yield RuleApplied(who=actor.id, what=f"that comes to nothing: {lost.reason}", cites=(lost.rule,))
    yield from shared.ride_on(fight, actor, steed, act, (half, len(act.path)), PLAIN)


def refuse_place(fight: Fight, act: acts.Ride, casts: bool) -> None:
    """Refuse another place for shots than half of the way, and one for a spell that is not on the way.

    woa.mount.combat.ranged, woa.mount.casting.
    """
    if act.after and not casts:
        raise Refusal("on the way one shoots at half of it: name no other place", fight.rule(TOPIC))
    if act.after and (len(act.after) > 1 or not 0 < act.after[0] < len(act.path)):
        reason = "the spell comes after one number of squares, between the first and the last"
        raise Refusal(reason, fight.rule("woa.mount.casting"))


def refuse_pace(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride) -> None:
    """Refuse a way that the mount cannot go at that pace now."""
    run = act.pace == "run"
    refuse_unless_allowed(fight, steed, "full-round" if run else "move")
    refuse_out_of_hand(fight, steed)
    movement.refuse_after_step(fight, steed)
    if act.pace == "double" and (steed.spent.get("move") or steed.spent.get("standard")):
        reason = f"{steed.id} has acted already and has no two moves left"
        raise Refusal(reason, fight.rule("woa.round.action-budget"))
    refuse_ride_on(fight, rider, steed, len(act.path), act.pace != "move")
    rule = fight.rule("woa.run.action" if run else PLAIN)
    times = fight.figure("woa.run.action", "multiplier") if run else 2 if act.pace == "double" else 1
    refuse_path(fight, steed, act.path, movement.speed_with_burdens(fight, steed) * times, rule)
    if run:
        refuse_crooked(steed, act.path, rule)


def refuse_shots(fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack) -> None:
    """Refuse on the way all that is no shot, and shots for which no hand or action is left."""
    whole = isinstance(then, acts.FullAttack)
    refuse_unless_allowed(fight, combatant, "full-round" if whole else "standard")
    strikes: Shots = then.strikes if isinstance(then, acts.FullAttack) else (then,)
    most = len(rows_of_shots(fight, combatant, then))
    if not 1 <= len(strikes) <= most:
        raise Refusal(
            f"{combatant.id} has {counted(most, 'shot')}, not {len(strikes)}",
            fight.rule("woa.attack.full-attack"),
        )
    weapons = [find_weapon(fight, combatant, one.weapon) for one in strikes]
    for one, weapon in zip(strikes, weapons, strict=True):
        if not (weapon.wield == "projectile" or (weapon.thrown and one.thrown)):
            topic = "woa.mount.combat.melee-while-moving"
            raise Refusal(
                f"{combatant.id} strikes in melee only where its mount has arrived", fight.rule(topic)
            )
    refuse_both_hands(fight, combatant, weapons)
    plan_throws(fight, combatant, [Blow(combatant, combatant, weapon, False, 0) for weapon in weapons])


def rows_of_shots(
    fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack
) -> list[list[Modifier]]:
    """Return what each shot on the way has more or less than the first, one row for each that is allowed."""
    if isinstance(then, acts.FullAttack):
        return fight.dialect.attacks.attack_series(fight, combatant, then)
    return [[]]


def set_off(fight: Fight, steed: Combatant, pace: str) -> Steps[None]:
    """Spend what the mount's pace takes; a running mount lowers its guard."""
    if pace == "run":
        rule = fight.rule("woa.run.action")
        yield ActionSpent(who=steed.id, kind="full-round", what="run", cites=(rule,))
        yield ActionSpent(
            who=steed.id, kind="rush", what="run", cites=fight.rules("woa.action-type.full-round-no-step")
        )
        yield movement.running(fight, steed)
        return
    rules = fight.rules(PLAIN, "woa.move.action")
    yield ActionSpent(
        who=steed.id, kind="move", what="move", amount=2 if pace == "double" else 1, cites=rules
    )


def shoot_from_mount(
    fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack, pace: str
) -> Steps[None]:
    """Shoot once or in full from where the mount is now, at what its pace takes off.

    Mounted Archery halves that (woa.mount.combat.ranged).
    """
    extra = penalty_of_pace(fight, combatant, pace)
    rule = fight.rule(TOPIC)
    whole = isinstance(then, acts.FullAttack)
    strikes: Shots = then.strikes if isinstance(then, acts.FullAttack) else (then,)
    blows = []
    for one, row in zip(strikes, rows_of_shots(fight, combatant, then), strict=False):
        weapon = find_weapon(fight, combatant, one.weapon)
        target = fight.combatant(one.target)
        blow = fight.dialect.attacks.prepare(
            fight, combatant, target, weapon, "ride", thrown=True, nonlethal=then.nonlethal
        )
        blow.attack_extra += [*row, *extra]
        blow.cites.append(rule)
        blows.append(blow)
    yield ActionSpent(
        who=combatant.id, kind="full-round" if whole else "standard", what="shoots on the way", cites=(rule,)
    )
    limits = fight.rules("woa.mount.combat.use-as-cover-limits")
    yield ActionSpent(who=combatant.id, kind=STRUCK, what="attacks from the saddle", cites=limits)
    for number, blow in enumerate(blows, 1):
        if "dead" not in blow.target.conditions:
            fight.scope = f"{combatant.id}#{number}" if whole else ""
            yield from draw_between(fight, combatant, blow.weapon.name)
            if number == 1 or (yield from fight.dialect.attacks.still_planned(fight, blow)) is blow:
                yield from fight.dialect.attacks.deliver(fight, blow)
            fight.scope = ""
    yield ActionSpent(who=combatant.id, kind=SHOTS, what="on the way", amount=len(blows), cites=(rule,))


def penalty_of_pace(fight: Fight, combatant: Combatant, pace: str) -> list[Modifier]:
    """Return what the mount's pace does to a shot."""
    if pace not in ROWS:
        return []
    archer = has_feat(combatant, "mounted archery")
    path = (f"mount_movement={ROWS[pace]}", "with_mounted_archery" if archer else "attack_penalty")
    source = f"{ROWS[pace]} of the mount" + (", Mounted Archery" if archer else "")
    return [fight.modifier(TOPIC, *path, kind="penalty", source=source)]
