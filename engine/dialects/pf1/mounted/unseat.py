"""Unseat: a lance that hits in a mounted charge, and a bull rush with it (pf1.feat.mounted)."""

from typing import Final

from affray.engine.dialects.pf1.maneuvers.bull_rush import push_back
from affray.engine.dialects.pf1.maneuvers.forced_movement import choose_feet, feet_of
from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check, refuse_too_big, roll_maneuver
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.weapons_in_hand import is_lance, unarmed
from affray.engine.rules.maneuvers.bull_rush import straight_on
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.mounted.riding import landings, side_of
from affray.engine.rules.mounted.stay_mounted import fall_off_mount
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Refusal, Steps
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feat.mounted"
NAME: Final = "bull rush"
PUSH: Final = "pf1.bull-rush"


def unseat(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Offer a free bull rush to whose lance has hit: a rider is knocked out of the saddle by it.

    Anybody else is pushed back, and the attacker does not go along (pf1.feat.mounted, pf1.charge.attack).
    """
    attacker, target = blow.attacker, blow.target
    if not (has_feat(attacker, "unseat") and is_lance(blow.weapon)) or "dead" in target.conditions:
        return
    try:
        refuse_too_big(fight, attacker, target, NAME)
    except Refusal:
        return
    question = f"does {attacker.id} try to push {target.id} back with the {blow.weapon.name}?"
    if (yield Choice(attacker.id, "unseat", question, ("try", "decline"), fight.rule(TOPIC))) != "try":
        return
    intent = Intent("through", maneuver=NAME, against=f"CMD against {NAME}")
    rush = Blow(attacker, target, unarmed(fight, attacker), True, distance(attacker, target), intent)
    bonus = fight.modifier("charge.attack", "bull_rush", kind="circumstance", source="charging")
    rush.attack_extra.append(bonus)
    check = yield from roll_maneuver(fight, rush, PUSH, TOPIC)
    if not check.won:
        return
    steed = mount_of(fight, target)
    if steed is None:
        yield from push_on(fight, attacker, target, check)
        return
    yield from fall_off_mount(
        fight, target, steed, fight.rule(TOPIC), to=place_away(fight, attacker, target, steed)
    )


def push_on(fight: Fight, attacker: Combatant, target: Combatant, check: Check) -> Steps[None]:
    """Push back whoever stands on its own feet, as far as the check lets one (pf1.bull-rush)."""
    way = straight_on(attacker.at, attacker, target)
    question = f"how many feet does {attacker.id} push {target.id}?"
    feet = yield from choose_feet(fight, attacker, feet_of(fight, check, PUSH, "push_ft"), PUSH, question)
    yield from push_back(fight, attacker, target, way, feet)


def place_away(fight: Fight, attacker: Combatant, rider: Combatant, steed: Combatant) -> Square | None:
    """Return the free space beside a mount that lies directly away from an attacker; None without any."""
    (x, y), half = middle(steed.at, steed.space), side_of(fight, rider)
    across, down = (a - b for a, b in zip((x, y), middle(attacker.at, attacker.space), strict=True))

    def strays(at: Square) -> tuple[float, Square]:
        """Return how little a place lies the way that the blow goes, the places in order."""
        there = middle(at, half)
        ahead = (there[0] - x) * across + (there[1] - y) * down
        beside = abs((there[0] - x) * down - (there[1] - y) * across)
        return (beside - ahead, at)

    return min(landings(fight, rider, steed), key=strays, default=None)


def middle(at: Square, side: int) -> tuple[float, float]:
    """Return the middle of a space."""
    return (at[0] + side / 2, at[1] + side / 2)
