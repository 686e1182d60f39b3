"""Initiative: the roll, its modifiers, and the resulting order."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, moments_of_expiry
from affray.engine.kernel.arrival import bring_along, entered, refuse_strange_origin
from affray.engine.kernel.durations import START
from affray.engine.modifiers import effect_parts, ruled_out
from affray.engine.record.chapters import known_conditions
from affray.engine.rules.classes.abilities import lowered, roll_parts
from affray.engine.rules.classes.checks import find_feats_without_effect
from affray.engine.rules.classes.sheets import ability
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.turns.fiat import refuse_start_place, refuse_who
from affray.engine.steps import MOST_TIES, EndlessTie, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    Until,
)
from affray.events.facts.flow import InitiativeRolled, OrderSet
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect

# --- Combatants from another fight, in the state in which they left it


def arrive(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map in the state in which it left another fight: nothing is rolled or computed
    again.

    Hit points, losses, conditions and everything else are unchanged; the size of its place follows from its
    sheet (srd35.size.table-space-reach). Remaining rounds count from now.
    """
    sheet = refuse_who(fight, act)
    origin, carried = refuse_strange_origin(fight, act, sheet, partial(why_not_brought, fight))
    space, reach = fight.dialect.position.space_and_reach(fight, sheet)
    refuse_start_place(fight, act, sheet, space)
    cites = fight.dialect.position.placed(fight, sheet, space, reach)
    fact = entered(act, sheet, carried, space, reach, *cites)
    yield replace(fact, unusable=find_feats_without_effect(fight, sheet) or UNSET)
    yield from bring_along(fight, act, origin, carried)


def why_not_brought(fight: Fight, condition: str, source: str) -> str:
    """Return why no combatant brings a condition along, "" if it can."""
    if condition not in known_conditions(fight.dialect):
        return f"{fight.dialect.name} knows no condition {condition!r}"
    paired = condition in fight.dialect.conditions.paired and not held_by_a_thing(fight, source)
    barred = paired or condition in fight.dialect.conditions.cast
    return f"no combatant brings along being {condition}" if barred else ""


def why_left_behind(fight: Fight, condition: str, source: str) -> str:
    """Return why a condition stays behind as its bearer leaves for another fight, "" if it goes along."""
    conditions = fight.dialect.conditions
    if condition in conditions.local or condition in conditions.degrees:
        return "it belongs to that place and moment"
    if condition in conditions.paired and not held_by_a_thing(fight, source):
        return "it lasts between two combatants, and the other is not carried"
    return "a casting does not continue in the next fight" if condition in conditions.cast else ""


def held_by_a_thing(fight: Fight, source: str) -> bool:
    """Return whether ropes or the like, which are brought along, hold a combatant: an object, with the number
    to beat.
    """
    return source not in fight.state.combatants and source.rpartition(" ")[2].isdecimal()


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
