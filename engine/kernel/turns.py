"""The flow of a fight: entering, beginning, rounds, turns, the end."""

from collections.abc import Sequence
from typing import Final

from affray.engine.fight.fight import Fight, is_down, leaves_nothing, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.durations import end_at_count, expire
from affray.engine.steps import MOST_TIES, NOTHING, EndlessTie, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import MOST_COMBATANTS
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import (
    AwarenessSettled,
    BudgetRenewed,
    CombatantEntered,
    EncounterClosed,
    EncounterDecided,
    InitiativeRolled,
    OrderSet,
    RoundBegan,
    RoundEnded,
    RuleApplied,
    TurnBegan,
    TurnEnded,
)
from affray.events.facts.sheet import Modifier, Sheet, beyond_bounds
from affray.projections.state import Combatant
from affray.projections.view import VIEW

# --- Entering


def refuse_newcomer(fight: Fight, act: acts.Enter) -> Sheet:
    """Return the sheet of a newcomer. Refuses one without id, side or sheet, or whose id is taken."""
    state, sheet, rule = fight.state, act.sheet, fight.rule("encounter")
    if sheet is None or not act.id or not act.side:
        raise Refusal("a combatant needs an id, a side and a sheet", rule)
    if act.id in state.combatants:
        raise Refusal(f"there is a combatant {act.id!r} already", rule)
    if len(state.combatants) >= MOST_COMBATANTS:
        raise Refusal(f"a fight holds at most {MOST_COMBATANTS} combatants", rule)
    if (
        not all(part.isprintable() for part in (act.id, act.side, sheet.name))
        or "/" in act.id
        or len(act.id) > LONGEST_ID
    ):
        raise Refusal(f"an id is up to {LONGEST_ID} printable characters without a slash", rule)
    fight.dialect.custom_of(sheet)
    return sheet


LONGEST_ID: Final = 60
"""Characters in the id of a combatant."""


def enter(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map: a new id, a side, free squares, its hit points and conditions.

    If it names no weapons in hand, it holds the first that is not natural.
    """
    rule = fight.rule("encounter")
    sheet = refuse_newcomer(fight, act)
    if fault := beyond_bounds(sheet):
        raise Refusal(f"{act.id}: {fault}", rule)
    if act.hp is not None and act.hp > sheet.hp:
        raise Refusal(f"{act.id} cannot have {act.hp} hit points: full ones are {sheet.hp}", rule)
    side, reach = fight.dialect.kernel.space(fight, sheet)
    if not fight.field.passable(act.at, side):
        reason = f"{act.id} cannot enter at {act.at[0]},{act.at[1]}: there is a wall, or the map ends"
        raise Refusal(reason, rule)
    newcomer = Combatant(act.id, act.side, sheet, act.at, side, reach, sheet.hp, sheet.hp)
    if there := fight.dialect.kernel.occupants(fight, newcomer, act.at):
        raise Refusal(f"{act.id} cannot enter at {act.at[0]},{act.at[1]}: {there[0].id} is there", rule)
    usable = [one.name for one in sheet.weapons if one.wield not in ("natural", "unarmed")]
    for name in act.held or ():
        if name not in usable:
            raise unknown_word("weapon", name, usable, rule, act.id)
    for name in act.conditions:
        if name not in fight.dialect.kernel.conditions:
            raise unknown_word("condition", name, fight.dialect.kernel.conditions, rule)
    yield CombatantEntered(
        id=act.id,
        side=act.side,
        sheet=sheet,
        at=act.at,
        space=side,
        reach=reach,
        hp=sheet.hp if act.hp is None else act.hp,
        max_hp=sheet.hp,
        nonlethal=0,
        held=tuple(usable[:1]) if act.held is None else act.held,
        acted=False,
        policy=act.policy,
        initiative=act.initiative,
    )
    for name in act.conditions:
        cites = (fight.rule(rule_of(fight, name).topic),)
        yield ConditionGained(who=act.id, condition=name, source="the start", cites=cites)
    if act.hp is not None and act.hp < sheet.hp:
        yield from fight.dialect.kernel.injured(fight, fight.combatant(act.id), sheet.hp)


# --- Beginning, rounds and turns


def begin(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Start the fight: everybody is aware of everybody, and the first round opens."""
    state, rule = fight.state, fight.rule("encounter")
    if state.begun:
        raise Refusal("the fight has begun already", rule)
    if not state.combatants:
        raise Refusal("no combatant has entered", rule)
    yield AwarenessSettled(aware=tuple(state.combatants), surprised=())
    yield from advance(fight)


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round; before it, those without a place in the order roll initiative and join it."""
    kernel, state = fight.dialect.kernel, fight.state
    if late := [id for id in state.combatants if id not in state.order]:
        for id in late:
            yield from kernel.initiative(fight, state.combatants[id])
        yield from kernel.order(fight, list(state.combatants))
    yield RoundBegan(number=number, cites=(fight.rule("round"),))


def roll_for_sides(fight: Fight, notation: str, rule: str) -> Steps[None]:
    """Roll initiative once for each side, again while any are tied, and set the order by it.

    The sides roll in the order of entry, which is also the order within a side.
    """
    sides = list(dict.fromkeys(one.side for one in fight.state.combatants.values()))
    rolls: dict[str, tuple[str, int]] = {}
    for _ in range(MOST_TIES):
        for side in sides:
            rolled = yield Roll("", "initiative", notation)
            rolls[side] = rolled.key, rolled.total
        if len({total for _, total in rolls.values()}) == len(sides):
            break
    else:
        raise EndlessTie(*sides)
    sides.sort(key=lambda side: -rolls[side][1])
    order = [one for side in sides for one in fight.state.combatants.values() if one.side == side]
    for one in order:
        key, total = rolls[one.side]
        parts = (Modifier(0, "group", f"the {one.side}", rule),)
        yield InitiativeRolled(
            who=one.id, key=key, natural=total, total=total, modifier=0, parts=parts, cites=(rule,)
        )
    yield OrderSet(order=tuple(one.id for one in order), cites=(rule,))


def order_by_total(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order of turns: the highest initiative first, the first to enter first among equals."""
    ranked = sorted(ids, key=lambda id: -fight.state.combatants[id].initiative)
    yield OrderSet(order=tuple(ranked), cites=(fight.rule("initiative"),))


def advance(fight: Fight, last: str = "", first: Steps[None] = NOTHING) -> Steps[None]:
    """Pass the turn on from `last` to the next combatant that can act, into the next round if necessary.

    `first` are steps to run before, such as those that end the turn of `last`. Combatants that are out of
    the fight have no turn, unless a condition of theirs has steps for it. Stops without an active combatant
    if none can act for a whole round.
    """
    yield from first
    state, kernel = fight.state, fight.dialect.kernel
    rounds = 0
    while rounds < 2:
        following = next_in_order(fight, last) if state.round else None
        if following is None:
            yield from end_at_count(fight, None)
            if state.round:
                yield from kernel.close_round(fight)
            yield from kernel.open_round(fight, state.round + 1)
            last = ""
            rounds += 1
            continue
        last = following.id
        if is_out(fight, following):
            # What lasts until its turn ends when that turn would have come.
            yield from expire(fight, following, "turn-start")
            yield from expire(fight, following, "turn-end")
            continue
        yield from kernel.open_turn(fight, following)
        if kernel.can_act(fight, following):
            return
        yield from kernel.close_turn(fight, following)


def is_out(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is out of the fight and nothing happens to it in its turn."""
    rules = [rule_of(fight, name) for name in combatant.conditions]
    return any(one.down for one in rules) and not any(one.each_turn for one in rules)


def can_act(fight: Fight, combatant: Combatant) -> bool:
    """Return whether no condition keeps a combatant from acting."""
    return not any(rule_of(fight, name).down or leaves_nothing(fight, name) for name in combatant.conditions)


def open_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: what lasts until then is over, actions and reactions are renewed, conditions take effect.

    Used actions are counted in `Combatant.spent`, reactions in `Combatant.reactions`, by kind.
    """
    yield from begin_turn(fight, combatant)
    yield from run_condition_steps(fight, combatant, "each_turn")


def begin_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn before any condition takes effect."""
    yield from expire(fight, combatant, "turn-start")
    cites = (fight.rule("turn"),)
    yield TurnBegan(who=combatant.id, number=fight.state.turn + 1, cites=cites)
    yield BudgetRenewed(who=combatant.id, what=("actions", "reactions"), cites=cites)


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn, with the steps of conditions, and what lasts until now."""
    yield from run_condition_steps(fight, combatant, "turn_over")
    yield from expire(fight, combatant, "turn-end")
    reason = next((name for name in combatant.conditions if leaves_nothing(fight, name)), "")
    yield TurnEnded(who=combatant.id, skipped=reason, cites=(fight.rule("turn"),))


def end_turn(fight: Fight, act: acts.EndTurn) -> Steps[None]:
    """Finish the actor's turn and begin the next one; without an actor, go on while no turn is running."""
    state = fight.state
    if not act.actor and not state.active and state.begun and not state.closed:
        return advance(fight, state.order[-1] if state.order else "")
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    return advance(fight, actor.id, fight.dialect.kernel.close_turn(fight, actor))


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something, at any time."""
    actor = fight.combatant(act.actor)
    if not fight.dialect.kernel.can_act(fight, actor):
        raise Refusal(f"{actor.id} cannot speak now", fight.rule("encounter"))
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=(fight.rule("encounter"),))


def close(fight: Fight, act: acts.Close) -> Steps[None]:
    """End the encounter and reveal the seed of its dice."""
    if fight.state.closed:
        raise Refusal("the encounter is over already", fight.rule("encounter.closed"))
    standing = tuple(one.id for one in fight.state.combatants.values() if not is_down(fight, one))
    yield EncounterClosed(reason=act.reason or "closed", standing=standing, seed=fight.seed)


# --- The state of a fight


@per_company()
def is_decided(fight: Fight) -> bool:
    """Return whether at most one side still has combatants up."""
    side = None
    for one in fight.state.combatants.values():
        if one.side != side and not (one.conditions and is_down(fight, one)):
            if side is not None:
                return False
            side = one.side
    return True


def turns_are_over(fight: Fight) -> bool:
    """Return whether there are no more turns, though the fight is not closed.

    In old logs this held once at most one side had combatants up, and they are replayed like that.
    """
    return not fight.state.until_closed and is_decided(fight)


def announcement(fight: Fight) -> EncounterDecided | None:
    """Return the announcement that at most one side has combatants up: the fight may be closed now.

    It forbids nothing: turns go on, and the dying bleed and are tended (srd35.flow.sequence,
    woa.flow.repeat-until-resolved, pf1.flow.step-repeat, futurepath.flow.end-of-combat). None before the
    fight has begun, once it is closed, and in an old log.
    """
    state = fight.state
    if not state.until_closed or not state.begun or state.closed:
        return None
    standing = [one for one in state.combatants.values() if not is_down(fight, one)]
    return EncounterDecided(
        side=standing[0].side if standing else "",
        standing=tuple(one.id for one in standing),
        cites=(fight.rule("encounter.decided"),),
    )


def predecessor(fight: Fight, combatant_id: str) -> str:
    """Return the combatant directly before `combatant_id` in the order, "" for none."""
    place = fight.state.order.index(combatant_id) if combatant_id in fight.state.order else 0
    return fight.state.order[place - 1] if place else ""


def close_round(fight: Fight) -> Steps[None]:
    """End the round and record the digest of the state."""
    yield RoundEnded(number=fight.state.round, state=fight.digest(fight.state), view=VIEW)


def next_in_order(fight: Fight, last: str) -> Combatant | None:
    """Return the combatant after `last` in the order of this round; None at the round's end."""
    order = fight.state.order
    place = order.index(last) + 1 if last in order else 0
    return fight.state.combatants[order[place]] if place < len(order) else None


def run_condition_steps(
    fight: Fight, victim: Combatant, when: str, names: Sequence[str] | None = None
) -> Steps[None]:
    """Run the steps of a combatant's conditions at this event: "each_turn", "turn_over", "hurt", "healed".

    The kernel itself runs those of turns; a dialect's rules on harm may run the others. `names` is another
    order of its conditions.
    """
    for name in list(victim.conditions) if names is None else names:
        steps = getattr(rule_of(fight, name), when)
        if steps is not None and name in victim.conditions:
            yield from steps(fight, victim)
