"""Combatants from another fight, in the state in which they left it: nothing is rolled or computed again."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import explain_bad_rider, score_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionHeld,
    ConditionGained,
    CounterChanged,
    EffectGained,
    HitPointsChanged,
    InjurySuffered,
    ItemChanged,
    ResourceSpent,
    SideChanged,
    Until,
)
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.sheet import SCORES, Carried, Origin, Sheet, beyond_bounds
from affray.projections.state import Combatant
from affray.projections.view import viewed

HEX_DIGITS: Final = frozenset("0123456789abcdef")
DIGEST_LENGTH: Final = 64
UNSAID: Final = acts.Enter()
#: The states of an item that is brought along, apart from in hand.
ITEM_STATES: Final = ("stowed", "broken", "gone", "doffed", "loaded", "unloaded")


#: The fields of an entry that a combatant from another fight brings along instead.
SAID_ANEW: Final = (
    *("hp", "nonlethal", "held", "conditions", "by", "levels", "losses", "used", "unloaded", "acted"),
    *("grapples", "grip"),
)


def state_code(sheet: Sheet, carried: Carried) -> str:
    """Return the sha256 (hex) of a combatant as brought along, the same in every release."""
    return sha256(viewed(sheet) + viewed(carried)).hexdigest()


def refuse_strange_origin(
    fight: Fight, act: acts.Enter, sheet: Sheet, barred: Callable[[str, str], str]
) -> tuple[Origin, Carried]:
    """Return where a combatant comes from and its state. Refuses what does not fit together."""
    rule = fight.rule("encounter")
    origin, carried = act.origin, act.carried
    if not isinstance(origin, Origin) or not isinstance(carried, Carried):
        raise Refusal(f"{act.id} comes from another fight: that requires origin and state", rule)
    for name in SAID_ANEW:
        if getattr(act, name) != getattr(UNSAID, name):
            raise Refusal(
                f"{act.id} comes as it left: {name!r} cannot be given together with 'carried'", rule
            )
    if fault := beyond_bounds(sheet):
        raise Refusal(f"{act.id}: {fault}", rule)
    if fault := fault_of_origin(origin) or fault_of_state(act, carried, barred):
        raise Refusal(f"{act.id}: {fault}", rule)
    if origin.state != state_code(sheet, carried):
        raise Refusal(f"{act.id}: the state it brings along does not match the digest in its origin", rule)
    return origin, carried


def entered(
    act: acts.Enter, sheet: Sheet, carried: Carried, space: int, reach: int, *cites: str
) -> CombatantEntered:
    """Return the fact that a combatant is on the map in the state in which it left another fight."""
    return CombatantEntered(
        id=act.id,
        side=carried.own_side or act.side,
        sheet=sheet,
        at=act.at,
        space=space,
        reach=reach,
        hp=carried.hp,
        max_hp=carried.max_hp,
        nonlethal=carried.nonlethal,
        held=carried.held,
        acted=False,
        policy=act.policy,
        initiative=act.initiative,
        cites=cites,
    )


def bring_along(fight: Fight, act: acts.Enter, origin: Origin, carried: Carried) -> Steps[None]:
    """Yield what a newcomer brings besides its hit points: side, temporary hit points, harm, supplies."""
    newcomer, why = fight.state.combatants[act.id], f"as it left {origin.fight or 'another fight'}"
    if carried.own_side:
        yield SideChanged(who=act.id, side=act.side, why=why)
    if carried.temporary:
        yield HitPointsChanged(
            who=act.id,
            hp=carried.hp,
            nonlethal=carried.nonlethal,
            temporary=carried.temporary,
            change=carried.temporary,
            why=why,
        )
    yield from belongings_brought(newcomer, carried)
    yield from harm_brought(fight, newcomer, carried, why)
    yield from lasting_brought(fight, newcomer, carried)


def belongings_brought(
    newcomer: Combatant, carried: Carried
) -> Iterator[ItemChanged | ResourceSpent | CounterChanged]:
    """Yield the states of a newcomer's items, the resources it has used up, and its counters."""
    for name, state in carried.items:
        yield ItemChanged(who=newcomer.id, item=name, state=state, unloaded=name in carried.unloaded)
    for name, amount in carried.used:
        yield ResourceSpent(who=newcomer.id, resource=name, amount=amount)
    for name, value in carried.counters:
        yield CounterChanged(who=newcomer.id, counter=name, value=value)


def harm_brought(
    fight: Fight, newcomer: Combatant, carried: Carried, why: str
) -> Iterator[InjurySuffered | AbilityChanged | AfflictionHeld]:
    """Yield the injuries of a newcomer, its lost ability points, and its lasting afflictions."""
    for name in carried.injuries:
        yield InjurySuffered(who=newcomer.id, entry=0, name=name, key="")
    lost = dict(carried.losses)
    for score_name in dict.fromkeys(name.removesuffix(" drain") for name in lost):
        damage, drain = lost.get(score_name, 0), lost.get(f"{score_name} drain", 0)
        score = max(0, (score_of(newcomer.sheet, score_name) or 0) - damage - drain)
        yield AbilityChanged(
            who=newcomer.id, ability=score_name, damage=damage, drain=drain, score=score, why=why
        )
    now = fight.state
    for one in carried.afflictions:
        yield AfflictionHeld(
            who=newcomer.id,
            id=one.id,
            rider=one.rider,
            by=one.by,
            dc=one.dc,
            round=one.rounds if one.rounds < 0 else now.round + one.rounds,
            minute=one.minutes if one.minutes < 0 else now.minutes + one.minutes,
            treated=one.treated,
        )


def lasting_brought(
    fight: Fight, newcomer: Combatant, carried: Carried
) -> Iterator[ConditionGained | EffectGained]:
    """Yield the conditions and effects of a newcomer: remaining rounds count from now."""
    for condition in carried.conditions:
        yield ConditionGained(
            who=newcomer.id,
            condition=condition.condition,
            source=condition.source,
            until=from_now(fight, condition.until),
            level=condition.level,
            aloft=condition.aloft,
        )
    for effect in carried.effects:
        yield EffectGained(
            who=newcomer.id,
            id=effect.id,
            stat=effect.stat,
            modifier=effect.modifier,
            until=from_now(fight, effect.until),
            against=effect.against,
            uses=effect.uses,
        )


def from_now(fight: Fight, until: Until) -> Until:
    """Return the moment in this fight at which the remaining rounds of something are over."""
    return Until(until.when, until.who, fight.state.round + until.round) if until.round else until


def fault_of_origin(origin: Origin) -> str:
    """Return what is wrong with a combatant's origin, "" if it is possible."""
    for name, code in (("log", origin.log), ("digest", origin.digest), ("state", origin.state)):
        if len(code) != DIGEST_LENGTH or not HEX_DIGITS.issuperset(code):
            return f"the {name} of its origin must be a digest of {DIGEST_LENGTH} hexadecimal digits"
    if origin.seq < 1 or not origin.branch or not origin.id:
        return "its origin must name an event, the line of play, and its id there"
    return ""


def fault_of_state(act: acts.Enter, carried: Carried, barred: Callable[[str, str], str]) -> str:
    """Return the part of a state that no combatant can bring along, "" if everything is possible.

    `barred` returns why a combatant cannot bring a condition from its source, "" if it can.
    """
    lasting = next(filter(None, (barred(one.condition, one.source) for one in carried.conditions)), "")
    return (
        _fault_of_health(act, carried)
        or _fault_of_belongings(carried)
        or _fault_of_harm(carried)
        or lasting
        or _fault_of_lasting(carried)
    )


def _fault_of_health(act: acts.Enter, carried: Carried) -> str:
    if carried.hp > carried.max_hp:
        return f"it cannot have {carried.hp} hit points of {carried.max_hp}"
    if carried.nonlethal < 0 or carried.temporary < 0:
        return "nonlethal damage and temporary hit points cannot be negative"
    return "it fights for its own side" if carried.own_side == act.side else ""


def _fault_of_belongings(carried: Carried) -> str:
    for name, state in carried.items:
        if state not in ITEM_STATES:
            return f"no item can be {state!r}: {name!r} is {', '.join(ITEM_STATES)}"
    twice = _twice((*carried.held,)) or _twice(tuple(name for name, _ in carried.items))
    if twice:
        return f"{twice!r} is listed twice"
    at_hand = {name for name, state in carried.items if state in ("loaded", "unloaded")}
    away = {name for name, _ in carried.items} - at_hand
    if both := next((name for name in carried.held if name in away), ""):
        return f"{both!r} cannot be in hand and not"
    if loose := next((name for name in carried.unloaded if name not in away), ""):
        return f"{loose!r} is not out of hand"
    return ""


def _fault_of_harm(carried: Carried) -> str:
    for name, points in carried.losses:
        ability = name.removesuffix(" drain")
        if ability not in SCORES or points < 1:
            return f"no combatant loses {points} of {name!r}"
    for one in carried.afflictions:
        if fault := explain_bad_rider(one.rider):
            return fault
    twice = _twice(tuple(one.id for one in carried.afflictions))
    return f"{twice!r} is listed twice" if twice else ""


def _fault_of_lasting(carried: Carried) -> str:
    for one in carried.conditions:
        if one.until.round < 0:
            return f"no rounds are left of {one.condition!r}"
    if over := next((one.id for one in carried.effects if one.until.round < 0 or one.uses < 0), ""):
        return f"nothing is left of {over!r}"
    twice = _twice(tuple(one.condition for one in carried.conditions))
    return f"{twice!r} is listed twice" if twice else ""


def _twice(names: tuple[str, ...]) -> str:
    """Return a name that is listed twice, "" if there is none."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")
