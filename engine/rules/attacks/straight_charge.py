"""Charging, on foot and mounted, by the rulebook (srd35.charge.*, srd35.mount.charge)."""

from functools import partial
from itertools import product

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft, obstructed
from affray.engine.kernel.places import reaches_from
from affray.engine.record.chapters import Attempt, Substitute
from affray.engine.rules.attacks.charge import (
    attack_of_charge,
    begin_charge,
    carry_out,
    refuse_hindered_line,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.classes.sheets import has_feat, has_trait
from affray.engine.rules.gear.hands import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.mounted_combat import (
    lower_riders_guard,
    multiply_mounted_charge,
    record_rider_attacks,
    refuse_ride_on,
    ride_by_spares,
)
from affray.engine.rules.mounted.riding import find_rider, is_guided, mount_of, refuse_both_hands
from affray.engine.rules.movement.movement import continue_walk, known_occupants, refuse_crooked, refuse_path
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def charge_straight(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Rush straight at an opponent and attack once at +2, at -2 to AC until the next turn.

    A rider has its mount rush, at the mount's speed, and attacks at the end; a mount may be sent to attack on
    its own. With Ride-By Attack the path may lead straight on past the place of the attack (srd35.charge.*,
    srd35.charge.move-first, srd35.charge.no-five-foot-step, srd35.mount.charge, srd35.feat.ride-by-attack,
    pf1.charge, pf1.mount.attack, pf1.feat.mounted).
    """
    striker, target = fight.combatant(act.actor), fight.combatant(act.target)
    mover = mount_of(fight, striker) or striker
    rider = find_rider(fight, mover) if is_guided(fight, mover) else None
    if mover.spent.get("step"):
        raise Refusal(
            f"{mover.id} has taken a 5-foot step this round", fight.rule("charge.no-five-foot-step")
        )
    if rider is not None:
        refuse_ride_on(fight, rider, mover, len(act.path), True)
    kind, rule, feet = refuse_to_charge(fight, mover)
    if striker is rider:
        refuse_unless_allowed(fight, striker, "standard")
    weapon, drawing = fight.dialect.attacks.weapon_of_charge(fight, striker, mover, act)
    if not strikes_in_melee(weapon):
        raise Refusal(
            f"the {weapon.name} is no melee weapon: a charge ends with one", fight.rule("charge.attack")
        )
    if striker is rider:
        refuse_both_hands(fight, striker, [weapon])
    refuse_unseen(fight, striker, target)
    strike_at = place_of_attack(fight, striker, mover, target, act.path, weapon)
    refuse_path(fight, mover, act.path, feet, rule)
    refuse_short_or_rough(fight, mover, act.path)
    refuse_hindered_line(fight, mover, target, act.path[: strike_at + 1])
    plan = fight.dialect.maneuvers.substitutes[act.special] if act.special else None
    if plan is not None:
        foreseen_attempt(fight, mover, act, plan, act.path[strike_at], drawing is not None)
    past = act.path[strike_at + 1 :]
    if past:
        refuse_crooked(mover, act.path, fight.rule("feat.ride-by-attack"))
    pledged = fight.dialect.attacks.declared_feats(fight, striker, act, ())
    yield from begin_charge(fight, mover, target, rule, kind)
    if drawing is not None:
        yield from drawing
    yield from pledged
    if rider is not None:
        yield from lower_riders_guard(fight, rider, target)
    spare = ride_by_spares(past, target)
    if past and any(endangers(fight, target, mover, at) for at in (mover.at, *act.path[:-1])):
        rules = fight.rules("feat.ride-by-attack")
        yield RuleApplied(who=target.id, what=f"may not strike as {mover.id} rides by", cites=rules)
    cites = dict.fromkeys((rule, fight.rule("charge.move-first")))
    if not (
        yield from fight.dialect.movement.walk(
            fight, mover, act.path[: strike_at + 1], "charge", *cites, spare=spare, onward=bool(past)
        )
    ):
        return
    if is_down(fight, striker) or (striker is rider and striker.mount != mover.id):
        return
    yield from blow_of_charge(fight, striker, target, act, weapon, plan, rider)
    if striker.mount == mover.id:
        ride_by = fight.rule("feat.ride-by-attack")
        yield from continue_walk(fight, mover, past, "charge", ride_by, here=act.path[strike_at], spare=spare)


def foreseen_attempt(
    fight: Fight, mover: Combatant, act: acts.Charge, plan: Substitute, at: Square, draws: bool
) -> Attempt:
    """Return the special attack at the end of a charge, as possible from there now; refuses others.

    With `draws` the named weapon is in hand by then.

    srd35.aoo.substitutes, futurepath.action.disarm-grapple-trip-replace-attack.
    """
    there = fight.apart()
    striker = there.combatant(act.actor)
    for one in (striker, there.combatant(mover.id)):
        one.at = at
    if draws:
        striker.held = (*striker.held, act.weapon)
    return plan.prepare(there, striker, there.combatant(act.target), act.weapon, act.item, "charge")


def refuse_unseen(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse a charge at a target out of sight as it begins (srd35.charge.line-of-sight)."""
    hidden = "invisible" in target.conditions and not has_trait(attacker, "see invisibility")
    if hidden or "blinded" in attacker.conditions or not sees(fight, attacker, target):
        raise Refusal(
            f"{attacker.id} does not see {target.id} as the charge begins",
            fight.rule("charge.line-of-sight"),
        )


def weapon_in_hand(
    fight: Fight, striker: Combatant, mover: Combatant, act: acts.Charge
) -> tuple[Weapon, Steps[None] | None]:
    """Return the weapon of a charge, which must be in hand as it begins: none is drawn on the way."""
    return find_weapon(fight, striker, act.weapon), None


def place_of_attack(
    fight: Fight,
    striker: Combatant,
    mover: Combatant,
    target: Combatant,
    path: tuple[Square, ...],
    weapon: Weapon,
) -> int:
    """Return the number of squares of the path before the blow: the first and closest in reach.

    Refuses a path that ends short of it, or beyond it without Ride-By Attack, and a charge whose closest
    space is taken or blocked (srd35.charge.closest-space).
    """
    rule = fight.rule("charge.closest-space")
    least, most = melee_band(striker, weapon)

    def reaches(at: Square) -> bool:
        return reaches_from(mover, at, target, least, most)

    first = next((n for n, at in enumerate(path) if reaches(at)), None)
    if first is None:
        raise Refusal(f"the charge does not end within reach of {target.id}", rule)
    ride_by = striker.mount == mover.id and has_feat(striker, "ride-by attack")
    if first < len(path) - 1 and not ride_by:
        raise Refusal(f"the charge must end at the first square in reach of {target.id}", rule)
    near = distance_ft(mover.at, path[first])
    around = most // 5 + mover.space
    x, y = target.at
    nearer = [
        at
        for at in product(
            range(x - around, x + target.space + around), range(y - around, y + target.space + around)
        )
        if distance_ft(mover.at, at) < near and reaches(at) and not overlaps(at, mover.space, target)
    ]
    hindered = partial(explain_blocked_charge_end, fight, mover)
    if nearer or hindered(path[first]):
        closest = min(
            nearer or (path[first],), key=lambda at: (distance_ft(mover.at, at), bool(hindered(at)))
        )
        where = f"the closest space to strike from, {closest[0]},{closest[1]}"
        why = hindered(closest)
        raise Refusal(f"{where}, is {why}" if why else f"the charge must end at {where}", rule)
    return first


def explain_blocked_charge_end(fight: Fight, mover: Combatant, at: Square) -> str:
    """Return what keeps a charge from ending at a space, "" for nothing; the helpless do not."""
    if obstructed(fight.field, at, at, mover.space):
        return "blocked"
    taken = any(not is_helpless(fight, one) for one in known_occupants(fight, mover, at))
    return "occupied" if taken else ""


def overlaps(at: Square, side: int, target: Combatant) -> bool:
    """Return whether a space at `at` would overlap that of the target."""
    return distance_ft(at, target.at, side, target.space) == 0


def blow_of_charge(
    fight: Fight,
    striker: Combatant,
    target: Combatant,
    act: acts.Charge,
    weapon: Weapon,
    plan: Substitute | None,
    rider: Combatant | None,
) -> Steps[None]:
    """Make the one attack at the end of a charge (srd35.charge.attack, srd35.charge.single-attack)."""
    if striker is rider:
        rules = fight.rules("mount.charge", "charge.attack")
        yield ActionSpent(who=striker.id, kind="standard", what="attack at the end", cites=rules)
    attempt = yield from attack_of_charge(fight, striker, target, act, weapon, plan)
    if attempt is None:
        return
    blow = attempt.blow
    if len(fight.dialect.attacks.attack_series(fight, striker, acts.FullAttack(actor=striker.id))) > 1:
        blow.cites.append(fight.rule("charge.single-attack"))
    if striker is rider:
        blow.cites.append(fight.rule("mount.charge"))
        yield from multiply_mounted_charge(fight, blow)
    yield from carry_out(fight, attempt, plan)
    if striker is rider:
        yield from record_rider_attacks(fight, striker, 1, 0)
