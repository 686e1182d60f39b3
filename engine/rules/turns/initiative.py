"""Initiative: the roll, its modifiers, and the resulting order."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, moments_of_expiry
from affray.engine.kernel.durations import START
from affray.engine.kernel.sheets import explain_bad_rider, score_of
from affray.engine.modifiers import effect_parts, ruled_out
from affray.engine.record.chapters import known_conditions
from affray.engine.rules.classes.abilities import lowered, roll_parts
from affray.engine.rules.classes.checks import find_feats_without_effect
from affray.engine.rules.classes.sheets import ability
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.turns.fiat import refuse_start_place, refuse_who
from affray.engine.steps import MOST_TIES, EndlessTie, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionHeld,
    ConditionGained,
    ConditionLost,
    CounterChanged,
    EffectEnded,
    EffectGained,
    HitPointsChanged,
    InjurySuffered,
    ItemChanged,
    ResourceSpent,
    SideChanged,
    Until,
)
from affray.events.facts.flow import CombatantEntered, InitiativeRolled, OrderSet
from affray.events.facts.sheet import SCORES, Carried, Modifier, Origin, Sheet, beyond_bounds
from affray.projections.state import Combatant, Effect
from affray.projections.view import viewed

# --- Combatants from another fight, in the state in which they left it

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


def arrive(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map in the state in which it left another fight: nothing is rolled or computed
    again.

    Hit points, losses, conditions and everything else are unchanged; the size of its place follows from its
    sheet (srd35.size.table-space-reach). Remaining rounds count from now.
    """
    sheet = refuse_who(fight, act)
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
    if fault := fault_of_origin(origin) or fault_of_state(fight, act, sheet, carried):
        raise Refusal(f"{act.id}: {fault}", rule)
    if origin.state != state_code(sheet, carried):
        raise Refusal(f"{act.id}: the state it brings along does not match the digest in its origin", rule)
    space, reach = fight.dialect.position.space_and_reach(fight, sheet)
    refuse_start_place(fight, act, sheet, space)
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
        unusable=find_feats_without_effect(fight, sheet) or UNSET,
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


def fault_of_state(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    """Return the part of a state that no combatant can bring along, "" if everything is possible."""
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


def _fault_of_harm(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    for name, points in carried.losses:
        ability = name.removesuffix(" drain")
        if ability not in SCORES or points < 1:
            return f"no combatant loses {points} of {name!r}"
    for one in carried.afflictions:
        if fault := explain_bad_rider(one.rider):
            return fault
    twice = _twice(tuple(one.id for one in carried.afflictions))
    return f"{twice!r} is listed twice" if twice else ""


def _fault_of_lasting(fight: Fight, act: acts.Enter, sheet: Sheet, carried: Carried) -> str:
    known = known_conditions(fight.dialect)
    for one in carried.conditions:
        if one.condition not in known:
            return f"{fight.dialect.name} knows no condition {one.condition!r}"
        held = one.condition in fight.dialect.conditions.paired and not held_by_a_thing(fight, one.source)
        if held or one.condition in fight.dialect.conditions.cast:
            return f"no combatant brings along being {one.condition}"
        if one.until.round < 0:
            return f"no rounds are left of {one.condition!r}"
    if over := next((one.id for one in carried.effects if one.until.round < 0 or one.uses < 0), ""):
        return f"nothing is left of {over!r}"
    twice = _twice(tuple(one.condition for one in carried.conditions))
    return f"{twice!r} is listed twice" if twice else ""


def held_by_a_thing(fight: Fight, source: str) -> bool:
    """Return whether ropes or the like, which are brought along, hold a combatant: an object, with the number
    to beat.
    """
    return source not in fight.state.combatants and source.rpartition(" ")[2].isdecimal()


def _twice(names: tuple[str, ...]) -> str:
    """Return a name that is listed twice, "" if there is none."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")


# --- A fight that one side has won goes on until the game master closes it


# --- Durations: until the start or end of a turn, or a count of the initiative, and how they end


def for_rounds(fight: Fight, maker: Combatant, rounds: int) -> Until:
    """Return the end of an effect of `maker`'s that lasts `rounds` rounds from now.

    They are over just before the count on which they began: that of the maker's own turn or, for acts out of
    turn, of the turn that is running. A readied act moves its maker to that count.

    srd35.round.duration-expiry, pf1.round.duration-expiry, futurepath.round.effect-expiry.
    """
    until = Until(START, maker.id, fight.state.round + rounds)
    active = fight.state.combatants.get(fight.state.active)
    if active is None or maker.id in (active.id, active.mount, active.rider, fight.readied):
        return until
    return replace(until, count=active.initiative)


def keep_counts(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make effects that last for rounds end on the count on which they began, before the combatant moves to
    another.

    The log records them as lasting until that count. What lasts until a combatant's next action is
    unaffected, whenever that is (srd35.round.duration-expiry, pf1.round.duration-expiry,
    futurepath.round.effect-expiry).
    """
    turns = {combatant.id, *filter(None, (combatant.mount,))}
    moments = fight.memory.company[moments_of_expiry]
    if any((START, id) in moments for id in turns):
        for holder in fight.state.combatants.values():
            if holder.conditions or holder.effects:
                yield from keep_counts_of_holder(fight, holder, turns, combatant.initiative)


def keep_counts_of_holder(
    fight: Fight, holder: Combatant, turns: set[str], count: int
) -> Iterator[ConditionGained | EffectEnded | EffectGained]:
    """Yield what lasts on one combatant until one of these turns, as lasting until a count."""
    for name, held in list(holder.conditions.items()):
        if in_rounds(fight, holder, held.until, held.source, turns):
            yield ConditionGained(
                who=holder.id,
                condition=name,
                source=held.source,
                until=replace(held.until, count=count),
                level=held.level,
                aloft=held.aloft,
                cites=(fight.dialect.turns.ending_rule(fight, name, None),),
            )
    for effect in holder.effects:
        if in_rounds(fight, holder, effect.until, effect.modifier.source, turns):
            cites = (fight.dialect.turns.ending_rule(fight, "", effect),)
            yield EffectEnded(who=holder.id, id=effect.id, why="", cites=cites)
            yield EffectGained(
                who=holder.id,
                id=effect.id,
                stat=effect.stat,
                modifier=effect.modifier,
                until=replace(effect.until, count=count),
                against=effect.against,
                uses=effect.uses,
                cites=cites,
            )


def in_rounds(fight: Fight, holder: Combatant, until: Until, source: str, turns: set[str]) -> bool:
    """Return whether something lasts for rounds until one of these turns, and not until the holder's next
    turn.
    """
    if until.when != START or until.who not in turns or until.count is not UNSET:
        return False
    if holder.id not in turns or until.round > fight.state.round + 1:
        return True
    return any(spell.name == source for spell in holder.sheet.spells)


def end_condition(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a condition whose duration is over."""
    cites, held = (fight.dialect.turns.ending_rule(fight, condition, None),), holder.conditions[condition]
    yield ConditionLost(who=holder.id, condition=condition, why="its time is over", cites=cites)
    yield from fight.dialect.conditions.over(fight, holder, condition, held)


def by_duration(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, otherwise an effect, is over now: the rule on durations.

    futurepath.round.effect-expiry, pf1.round.duration-expiry.
    """
    return fight.rule("round.duration-expiry")


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll initiative: d20 + Dexterity modifier + the sheet's bonuses (srd35.initiative.check).

    futurepath.initiative.order-persists, pf1.initiative.persists, srd35.initiative.kept.
    """
    parts = initiative_parts(fight, combatant)
    tally = fight.dialect.attacks.stack(fight, ruled_out(combatant, "initiative", parts))
    if combatant.fixed_initiative is not None:
        yield InitiativeRolled(
            who=combatant.id,
            key="",
            natural=0,
            total=combatant.fixed_initiative,
            modifier=tally.total,
            parts=tally.parts,
            cites=(fight.rule("initiative.kept"),),
        )
        return
    dice = fight.dialect.attacks.test_dice(fight, combatant, "initiative")
    rolled = yield Roll(combatant.id, "initiative", dice)
    yield InitiativeRolled(
        who=combatant.id,
        key=rolled.key,
        natural=rolled.total,
        total=rolled.total + tally.total,
        modifier=tally.total,
        parts=tally.parts,
        cites=(fight.rule("initiative.check"),),
    )


def initiative_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of an initiative check (futurepath.initiative.check, pf1.initiative.check).

    futurepath.initiative.misc-bonus
    """
    rule = fight.rule("initiative.check")
    parts = [Modifier(ability(combatant.sheet, "dex"), "ability", "Dexterity", rule)]
    misc = fight.rule("initiative.misc-bonus")
    for bonus in combatant.sheet.initiative:
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, misc))
    parts += lowered(fight, combatant, "dex")
    parts += condition_parts(fight, combatant, "initiative")
    parts += effect_parts(combatant, "initiative", "")
    return parts + roll_parts(fight, combatant, "initiative", "")


def set_order(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order: highest result first, ties by the higher modifier, then by a roll-off.

    srd35.initiative.ties, pf1.initiative.tie-by-modifier, pf1.initiative.tie-roll-off,
    futurepath.initiative.tie-break.legacy, woa.resolve.ties.
    """
    topics = ["initiative.kept"]
    combatants = [fight.state.combatants[id] for id in ids]
    why = []
    groups: dict[tuple[int, int], list[Combatant]] = {}
    for one in combatants:
        groups.setdefault((one.initiative, one.initiative_modifier), []).append(one)
    result: list[str] = []
    totals = [one.initiative for one in combatants]
    for rank in sorted(groups, reverse=True):
        tied = groups[rank]
        if totals.count(rank[0]) > len(tied):
            why.append(f"{', '.join(one.id for one in tied)} at {rank[0]} by modifier {rank[1]:+d}")
            topics.append("initiative.tie-by-modifier")
        result += yield from roll_off([one.id for one in tied])
        if len(tied) > 1:
            why.append(f"{', '.join(result[-len(tied) :])} at {rank[0]} by a roll-off")
            topics.append("initiative.tie-roll-off")
    yield OrderSet(order=tuple(result), why="; ".join(why), cites=fight.rules(*topics))


def roll_off(
    ids: Sequence[str], purpose: str = "roll-off", bonus: Callable[[str], int] = lambda _id: 0
) -> Steps[list[str]]:
    """Return tied combatants in the order of a roll-off, rolling again while any are tied.

    The `bonus` of each is added to its roll. Raises EndlessTie.
    """
    order: list[str] = []
    waiting = [(list(ids), 0)]
    while waiting:
        tied, ties = waiting.pop()
        if len(tied) < 2:
            order += tied
            continue
        if ties == MOST_TIES:
            raise EndlessTie(*tied)
        by_total: dict[int, list[str]] = {}
        for id in tied:
            rolled = yield Roll(id, purpose, "1d20")
            by_total.setdefault(rolled.total + bonus(id), []).append(id)
        again = ties + 1 if len(by_total) == 1 else 0
        waiting += [(by_total[total], again) for total in sorted(by_total)]
    return order
