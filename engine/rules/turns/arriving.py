"""Who comes from another fight, in the state in which it left that one."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from msgspec import UNSET

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import known_conditions
from affray.engine.rules.classes.ability_modifiers import score_of
from affray.engine.rules.classes.feat_prerequisites import feats_without_effect
from affray.engine.rules.classes.sheet_faults import fault_of_rider
from affray.engine.rules.turns.start_states import refuse_place, refuse_who
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.carried import Carried, Origin
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionHeld,
    ConditionGained,
    EffectGained,
    HitPointsChanged,
    InjurySuffered,
    ItemChanged,
    ResourceSpent,
    SideChanged,
    Until,
)
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.sheet import SCORES, Sheet
from affray.events.facts.sheet_bounds import beyond_bounds
from affray.projections.state import Combatant
from affray.projections.view import viewed

HEX_DIGITS: Final = frozenset("0123456789abcdef")
DIGEST_LENGTH: Final = 64
UNSAID: Final = acts.Enter()
#: What may have become of an item that goes along, besides being in hand.
ITEM_STATES: Final = ("stowed", "broken", "gone", "doffed", "loaded", "unloaded")


#: What an entry may say of the state of somebody, who brings all of that along from another fight.
SAID_ANEW: Final = (
    *("hp", "nonlethal", "held", "conditions", "by", "levels", "losses", "used", "unloaded", "acted"),
    *("grapples", "grip"),
)


def state_code(sheet: Sheet, carried: Carried) -> str:
    """Return the sha256 (hex) of a combatant as it is brought along, the same in every release."""
    return sha256(viewed(sheet) + viewed(carried)).hexdigest()


def arrive(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map as it left another fight: nothing is rolled or reckoned anew.

    Hit points, losses, conditions and all else are what they were there; the size of the place that it takes
    up is that of its sheet (srd35.size.table-space-reach). Rounds that are left count from now.
    """
    sheet = refuse_who(fight, act)
    rule = fight.rule("encounter")
    origin, carried = act.origin, act.carried
    if not isinstance(origin, Origin) or not isinstance(carried, Carried):
        raise Refusal(f"{act.id} comes from another fight: that takes origin and state", rule)
    for name in SAID_ANEW:
        if getattr(act, name) != getattr(UNSAID, name):
            raise Refusal(f"{act.id} comes as it left: {name!r} is said together with 'carried'", rule)
    if fault := beyond_bounds(sheet):
        raise Refusal(f"{act.id}: {fault}", rule)
    if fault := fault_of_origin(origin) or fault_of_state(fight, act, sheet, carried):
        raise Refusal(f"{act.id}: {fault}", rule)
    if origin.state != state_code(sheet, carried):
        raise Refusal(f"{act.id}: what it brings along is not what its origin gives the digest of", rule)
    space, reach = fight.dialect.position.space_and_reach(fight, sheet)
    refuse_place(fight, act, sheet, space)
    yield CombatantEntered(
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
        unusable=feats_without_effect(fight, sheet) or UNSET,
        cites=(*fight.dialect.position.placed(fight, sheet, space, reach),),
    )
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


def belongings_brought(newcomer: Combatant, carried: Carried) -> Iterator[ItemChanged | ResourceSpent]:
    """Yield what has become of the items of a newcomer, and what it has used up."""
    for name, state in carried.items:
        yield ItemChanged(who=newcomer.id, item=name, state=state, unloaded=name in carried.unloaded)
    for name, amount in carried.used:
        yield ResourceSpent(who=newcomer.id, resource=name, amount=amount)


def harm_brought(
    fight: Fight, newcomer: Combatant, carried: Carried, why: str
) -> Iterator[InjurySuffered | AbilityChanged | AfflictionHeld]:
    """Yield the injuries of a newcomer, the points its abilities have lost, and what works on in it."""
    for name in carried.injuries:
        yield InjurySuffered(who=newcomer.id, entry=0, name=name, key="")
    lost = dict(carried.losses)
    for ability in dict.fromkeys(name.removesuffix(" drain") for name in lost):
        damage, drain = lost.get(ability, 0), lost.get(f"{ability} drain", 0)
        score = max(0, (score_of(newcomer.sheet, ability) or 0) - damage - drain)
        yield AbilityChanged(
            who=newcomer.id, ability=ability, damage=damage, drain=drain, score=score, why=why
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
    """Yield the conditions and effects of a newcomer: what lasts some rounds more lasts those from now."""
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
    """Return the moment in this fight to which some rounds lead that are left of something."""
    return Until(until.when, until.who, fight.state.round + until.round) if until.round else until


def fault_of_origin(origin: Origin) -> str:
    """Return what is wrong with where somebody is said to come from, "" if it can be so."""
    for name, code in (("log", origin.log), ("digest", origin.digest), ("state", origin.state)):
        if len(code) != DIGEST_LENGTH or not HEX_DIGITS.issuperset(code):
            return f"the {name} of its origin is a digest of {DIGEST_LENGTH} hexadecimal digits"
    if origin.seq < 1 or not origin.branch or not origin.id:
        return "its origin names an event, the line of play, and who it was there"
    return ""


def fault_of_state(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    """Return what no combatant can have brought along, "" if everything is such as it can have."""
    faults: tuple[Callable[[Fight, acts.Enter, Sheet, Carried], str], ...] = (
        _fault_of_health,
        _fault_of_belongings,
        _fault_of_harm,
        _fault_of_lasting,
    )
    return next(filter(None, (fault(fight, act, sheet, carried) for fault in faults)), "")


def _fault_of_health(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    if carried.hp > carried.max_hp:
        return f"it cannot have {carried.hp} hit points of {carried.max_hp}"
    if carried.nonlethal < 0 or carried.temporary < 0:
        return "nonlethal damage and temporary hit points cannot be negative"
    return "it fights for its own side" if carried.own_side == act.side else ""


def _fault_of_belongings(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    for name, state in carried.items:
        if state not in ITEM_STATES:
            return f"nothing is {state!r}: {name!r} is {', '.join(ITEM_STATES)}"
    twice = _twice((*carried.held,)) or _twice(tuple(name for name, _ in carried.items))
    if twice:
        return f"{twice!r} comes twice"
    at_hand = {name for name, state in carried.items if state in ("loaded", "unloaded")}
    away = {name for name, _ in carried.items} - at_hand
    if both := next((name for name in carried.held if name in away), ""):
        return f"{both!r} cannot be in hand and not"
    if loose := next((name for name in carried.unloaded if name not in away), ""):
        return f"{loose!r} is not out of hand"
    return ""


def _fault_of_harm(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    for name, points in carried.losses:
        ability = name.removesuffix(" drain")
        if ability not in SCORES or points < 1:
            return f"nobody has lost {points} of {name!r}"
    for one in carried.afflictions:
        if fault := fault_of_rider(one.rider):
            return fault
    twice = _twice(tuple(one.id for one in carried.afflictions))
    return f"{twice!r} comes twice" if twice else ""


def _fault_of_lasting(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    known = known_conditions(fight.dialect)
    for one in carried.conditions:
        if one.condition not in known:
            return f"{fight.dialect.name} knows no condition {one.condition!r}"
        held = one.condition in fight.dialect.conditions.paired and not held_by_a_thing(fight, one.source)
        if held or one.condition in fight.dialect.conditions.cast:
            return f"nobody brings along being {one.condition}"
        if one.until.round < 0:
            return f"no rounds are left of {one.condition!r}"
    if over := next((one.id for one in carried.effects if one.until.round < 0 or one.uses < 0), ""):
        return f"nothing is left of {over!r}"
    twice = _twice(tuple(one.condition for one in carried.conditions))
    return f"{twice!r} comes twice" if twice else ""


def held_by_a_thing(fight: Fight, source: str) -> bool:
    """Say whether ropes or the like hold somebody, which go along: a thing, with the number to beat."""
    return source not in fight.state.combatants and source.rpartition(" ")[2].isdecimal()


def _twice(names: tuple[str, ...]) -> str:
    """Return a name that comes twice, "" if none does."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")
