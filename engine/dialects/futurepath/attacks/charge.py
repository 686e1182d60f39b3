"""Charging in Futurepath: the rush and the one attack at its end (futurepath.action.charge.*)."""

from functools import partial
from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.turns.action_budget import is_limited_to_one
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.attack_series import iteratives
from affray.engine.rules.attacks.charge import refuse_swerving
from affray.engine.rules.attacks.straight_charge import foreseen_attempt
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import melee_band, wields_two
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.special_attacks import charging_blow
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.position.place import in_band
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

BONUS: Final = "futurepath.action.charge.attack-bonus"


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Rush straight at an opponent, up to double speed, and attack once at +2; -2 Defense for a round.

    At least 10 feet, to the first square in reach; a special attack may take the place of the attack
    (futurepath.action.charge.*, futurepath.action.disarm-grapple-trip-replace-attack).
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    kind, rule, most = refuse_no_rush(fight, mover)
    weapon = find_weapon(fight, mover, act.weapon)
    refuse_path(fight, mover, act.path, most, rule)
    if act.special:
        plan = fight.dialect.maneuvers.substitutes[act.special]
        weapon = foreseen_attempt(fight, mover, act, plan, act.path[-1], False).blow.weapon
    refuse_no_charge(fight, mover, target, act.path, weapon)
    if not act.special:
        foresee_blow(fight, act, weapon)
    yield from begin_rush(fight, mover, target, kind, rule)
    if not (yield from fight.dialect.movement.walk(fight, mover, act.path, "charge", rule)):
        return
    attempt = yield from attack_at_end(fight, mover, target, act, weapon)
    if attempt is None:
        return
    source = "charging"
    attempt.blow.attack_extra.append(fight.modifier(BONUS, "attack", kind="moderate", source=source))
    if act.special:
        yield from fight.dialect.maneuvers.substitutes[act.special].carry_out(fight, attempt)
    else:
        yield from fight.dialect.attacks.deliver(fight, attempt.blow, fight.declaration)


def foresee_blow(fight: Fight, act: acts.Charge, weapon: Weapon) -> None:
    """Refuse a charge at whose end no attack could be tried, as things are now.

    futurepath.cover.total, futurepath.disadvantage.no-attack-at-minus-20.
    """
    there = fight.apart()
    striker = there.combatant(act.actor)
    striker.at = act.path[-1]
    blow_of_charge(there, striker, there.combatant(act.target), weapon)


def blow_of_charge(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the blow at the end of a charge. Refuses one that cannot be tried."""
    blow = charging_blow(fight, attacker, target, weapon)
    refuse_hopeless(fight, blow)
    return blow


def attack_at_end(
    fight: Fight, mover: Combatant, target: Combatant, act: acts.Charge, weapon: Weapon
) -> Steps[Attempt | None]:
    """Return the attack at the end of a charge, or the special one in its place; None if it is lost."""
    if not act.special:
        blow = yield from fight.dialect.attacks.blow_at_end(
            fight, mover, weapon, partial(blow_of_charge, fight, mover, target)
        )
        return None if blow is None else Attempt(blow)
    plan = fight.dialect.maneuvers.substitutes[act.special]
    try:
        return plan.prepare(fight, mover, target, act.weapon, act.item, "charge")
    except Refusal as lost:
        yield attack_is_lost(mover, lost)
        return None


def refuse_no_rush(fight: Fight, mover: Combatant) -> tuple[str, str, int]:
    """Return the action that a rush takes, its rule and how many feet it may cover; refuses who cannot.

    Whoever is limited to one action charges up to single speed (futurepath.action.charge.move-first,
    futurepath.action.charge.single-action-limit, futurepath.action.charge.no-5-foot-step).
    """
    restricted = is_limited_to_one(fight, mover)
    kind, topic = ("standard", "single-action-limit") if restricted else ("full-round", "move-first")
    if mover.spent.get("step") and not restricted:
        step = fight.rule("futurepath.action.charge.no-5-foot-step")
        raise Refusal(f"{mover.id} has taken a 5-foot step this round and cannot charge", step)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    multiple = int(fight.figure(f"action.charge.{topic}", "max_speed_multiple"))
    return kind, fight.rule(f"action.charge.{topic}"), speed(fight, mover) * multiple


def begin_rush(fight: Fight, mover: Combatant, target: Combatant, kind: str, rule: str) -> Steps[None]:
    """Spend the action of a charge and lower one's guard: -2 Defense until the next turn.

    futurepath.action.charge.full-round, futurepath.action.charge.defense-penalty,
    futurepath.action.single-action-restriction, futurepath.action.charge.one-attack.
    """
    cites = fight.rules(
        "futurepath.action.charge.full-round",
        "futurepath.action.charge.straight-line",
        "futurepath.action.charge.stop-in-reach",
        *(("futurepath.action.single-action-restriction",) if kind == "standard" else ()),
        *(("futurepath.action.charge.one-attack",) if has_several_attacks(fight, mover) else ()),
    )
    yield spending(fight, mover, kind, "charge", rule, *cites)
    penalty = "futurepath.action.charge.defense-penalty"
    until = Until("turn-start", mover.id, fight.state.round + int(fight.figure(penalty, "rounds")))
    yield EffectGained(
        who=mover.id,
        id=f"{fight.declaration}:charge",
        stat="defense",
        modifier=fight.modifier(penalty, "defense", kind="penalty", source="charging"),
        until=until,
        cites=fight.rules(penalty),
    )
    yield ConditionGained(who=mover.id, condition="charging", source=target.id, until=until, cites=cites[:1])


def has_several_attacks(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a full attack would give a combatant more than one attack."""
    many = old_only(fight) or has_feat(combatant, "extra attack")
    return wields_two(combatant) or (many and len(iteratives(fight, combatant.sheet.base_attack)) > 1)


def refuse_no_charge(
    fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...], weapon: Weapon
) -> None:
    """Refuse a charge that is too short, crooked, or does not stop at the first square in reach."""
    refuse_short_or_swerving(fight, mover, path)
    least, most = melee_band(mover, weapon)
    reach = fight.rule("futurepath.action.charge.stop-in-reach")
    if not in_band(path[-1], mover.space, target.at, target.space, least, most):
        raise Refusal(f"the charge does not end within reach of {target.id}", reach)
    for square in path[:-1]:
        if in_band(square, mover.space, target.at, target.space, least, most):
            raise Refusal(f"the charge must stop at the first square in reach of {target.id}", reach)


def refuse_short_or_swerving(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse a charge of less than 10 feet, and one that leaves its line.

    futurepath.action.charge.move-first, futurepath.action.charge.straight-line.
    """
    least = fight.figure("futurepath.action.charge.move-first", "min_ft")
    if len(path) * SQUARE_FT < least:
        raise Refusal(
            f"a charge covers at least {least} ft.", fight.rule("futurepath.action.charge.move-first")
        )
    refuse_swerving(mover, path, fight.rule("futurepath.action.charge.straight-line"))
