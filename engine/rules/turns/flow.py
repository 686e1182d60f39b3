"""The flow of a fight: beginning, surprise, rounds, turns, the end."""

from collections.abc import Iterable

from affray.engine.fight.fight import COUNTED, Fight, moments_of_expiry, rule_of
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.durations import end_at_count, expire
from affray.engine.kernel.turns import next_in_order, predecessor, run_condition_steps, turns_are_over
from affray.engine.record.compose import asks, when
from affray.engine.rules.conditions.conditions import bars_all_action, can_act, refuse_down
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.mounted.riding import is_guided
from affray.engine.rules.turns.actions import UNAWARENESS, first_rule
from affray.engine.rules.turns.initiative import keep_counts
from affray.engine.steps import NOTHING, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import (
    BudgetRenewed,
    InitiativeChanged,
    ReadyEnded,
    RoundBegan,
    TurnBegan,
    TurnDelayed,
    TurnEnded,
)
from affray.projections.state import Combatant

LAST_ROUND = 10_000


def begin(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Start the fight: awareness, initiative, the surprise round if there is one, the first turn.

    futurepath.flow.cycle
    """
    state = fight.state
    if state.begun:
        raise Refusal("the fight has begun already", fight.rule("encounter"))
    if not state.combatants:
        raise Refusal("no combatant has entered", fight.rule("encounter"))
    for id in (*act.unaware, *act.stealthy, *filter(None, (act.turn,))):
        fight.combatant(id)
    for id in act.unaware:
        if state.combatants[id].acted:
            reason = f"{id} cannot be unaware: it has acted in this fight already"
            raise Refusal(reason, first_rule(fight, UNAWARENESS))
    if not 1 <= act.round <= LAST_ROUND:
        raise Refusal(
            f"a fight begins in round 1 to {LAST_ROUND}, not in {act.round}", fight.rule("encounter")
        )
    yield from fight.dialect.turns.surprise(fight, act)
    if state.phase == "turns":
        yield from advance(fight, predecessor(fight, act.turn))


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round; before the first one the surprised roll initiative and join the order.

    pf1.round.six-seconds.
    """
    everybody = with_own_initiative(fight, fight.state.combatants)
    late = [id for id in everybody if id not in fight.state.order]
    if late:
        for id in late:
            yield from fight.dialect.turns.initiative(fight, fight.state.combatants[id])
        yield from fight.dialect.turns.order(fight, everybody)
    # The rule that the order persists applies whenever a round begins with the order of the round before.
    kept = () if late else ("initiative.kept",)
    yield RoundBegan(number=number, cites=fight.rules("round.six-seconds", *kept))


def with_own_initiative(fight: Fight, ids: Iterable[str]) -> list[str]:
    """Return those with a separate initiative: no mounts that a rider guides, or that died while guided."""
    found = []
    for id in ids:
        one = fight.state.combatants[id]
        fallen = one.riderless and "dead" in one.conditions and id not in fight.state.order
        if not fallen and not (one.rider and is_guided(fight, one)):
            found.append(id)
    return found


def advance(fight: Fight, last: str = "", first: Steps[None] = NOTHING) -> Steps[None]:
    """Pass the turn on from `last` to the next combatant that can act, into the next round if necessary.

    `first` are steps to run before, such as those that end the turn of `last`. The dying and the unconscious
    have turns too, in which only their state has effects. Stops without an active combatant if none can act
    for a whole round, if a new round opens with a separate phase, or in a fight from an old log
    (`turns_are_over`).
    """
    yield from first
    state = fight.state
    dialect = fight.dialect
    rounds = 0
    while rounds < 2 and not turns_are_over(fight):
        following = next_in_order(fight, last)
        if following is None:
            waiting = yield from dialect.turns.last_turn(fight)
            if waiting:
                last = predecessor(fight, waiting)
                continue
            yield from end_at_count(fight, None)
            yield from dialect.turns.close_round(fight)
            yield from dialect.turns.open_round(fight, state.round + 1)
            if state.phase != "turns":
                return
            last = ""
            rounds += 1
            continue
        last = following.id
        if COUNTED in fight.memory.company[moments_of_expiry]:
            yield from end_at_count(fight, following)
        if "dead" in following.conditions:
            # What lasts until a dead combatant's turn ends when that turn would have come.
            yield from expire(fight, following, "turn-start")
            yield from expire(fight, following, "turn-end")
            continue
        if state.round == 0 and not following.aware:
            continue
        if following.rider and is_guided(fight, following):
            continue
        yield from dialect.turns.open_turn(fight, following)
        if not following.conditions or can_act(fight, following):
            return
        yield from dialect.turns.close_turn(fight, following)


#: A turn that was delayed earlier in this round resumes in its state then.
RESUMED = "delaying and waited == fight.state.round"


def end_what_lasts_until_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End what lasts until this turn."""
    return expire(fight, combatant, "turn-start")


def lapse_readied(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a readied act as the next turn comes (srd35.ready.action).

    futurepath.action.ready.unused-lost, srd35.ready.lost.
    """
    yield ReadyEnded(who=combatant.id, how="lapsed", cites=(fight.rule("ready.lost"),))


def begin_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn without pending events: only its budget is renewed.

    pf1.action.types, pf1.round.turn-all-actions, srd35.round.whole-turn.
    """
    yield TurnBegan(who=combatant.id, number=fight.state.turn + 1, cites=fight.rules("round.whole-turn"))
    yield BudgetRenewed(
        who=combatant.id, what=("actions", "reactions"), cites=fight.rules("action.types", "aoo.limit")
    )


def resume_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Resume a delayed turn: all of its actions are left, nothing else happens again.

    What lasts until the turn's start ended when it first came, and the reactions of this round stay spent
    (srd35.delay.action).
    """
    rule = fight.rule("delay.action")
    yield TurnBegan(
        who=combatant.id, number=fight.state.turn + 1, cites=(fight.rule("round.whole-turn"), rule)
    )
    yield BudgetRenewed(who=combatant.id, what=("actions",), cites=(rule,))


def conditions_of_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Run the effects that conditions have each turn."""
    return run_condition_steps(fight, combatant, "each_turn")


#: The steps at the beginning of a turn that was not delayed: what is over, the budget, what happens to the
#: combatant.
FRESH_TURN = (
    end_what_lasts_until_turn,
    when("readied is not None", lapse_readied),
    begin_turn,
    when("afflictions or sheet.fast_healing or sheet.regeneration", asks("turns.turn_onset")),
    when("'dying' in conditions", asks("damage.bleed_out")),
    when("conditions", conditions_of_turn),
)


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn: strain on the disabled, and the end of what lasts until now.

    A standard or strenuous act costs the disabled 1 hit point, unless it has raised them
    (srd35.injury.disabled).
    """
    spent = combatant.spent
    if "disabled" in combatant.conditions and spent.get("standard") and not spent.get("healed"):
        yield from lose_one(fight, combatant, "strain", "injury.disabled", "strain_damage")
    if combatant.conditions:
        yield from run_condition_steps(fight, combatant, "turn_over")
    if ("turn-end", combatant.id) in fight.memory.company[moments_of_expiry]:
        yield from expire(fight, combatant, "turn-end")
    reason, cites = "", fight.rules("round.whole-turn")
    for name in combatant.conditions:
        if bars_all_action(fight, combatant, name):
            reason, cites = name, fight.rules("round.whole-turn", rule_of(fight, name).topic)
            break
    yield TurnEnded(who=combatant.id, skipped=reason, cites=cites)


def end_turn(fight: Fight, act: acts.EndTurn) -> Steps[None]:
    """Finish the actor's turn and begin the next one.

    Without an actor, while no turn is running (no combatant could act, or in an old log one side was left and
    a combatant has entered since), the fight goes on: with a new round, if there was a turn in this one.
    """
    state = fight.state
    if not act.actor and not state.active and state.begun and not state.closed:
        return advance(fight, state.order[-1] if state.turn and state.order else "", without_turns(fight))
    actor = fight.combatant(act.actor)
    if state.active != actor.id:
        check_turn(fight, actor)
        refuse_borrowed(fight, actor)
    return advance(fight, actor.id, fight.dialect.turns.close_turn(fight, actor))


def without_turns(fight: Fight) -> Steps[None]:
    """Complete a round without turns: what would have ended in them ends now."""
    state = fight.state
    for id in state.order if state.turn else ():
        yield from expire(fight, state.combatants[id], "turn-start")
        yield from expire(fight, state.combatants[id], "turn-end")
    yield from end_at_count(fight, None)


def refuse_borrowed(fight: Fight, combatant: Combatant) -> None:
    """Refuse to end or delay a turn of a mount, which acts in its rider's turn."""
    if fight.state.active != combatant.id:
        raise Refusal(f"{combatant.id} acts in the turn of {combatant.rider}", fight.rule("encounter.turn"))


# --- Delaying: waiting with one's turn, and taking it later (srd35.delay.action)


def delay(fight: Fight, act: acts.Delay) -> Steps[None]:
    """Delay the whole turn and let the next combatant act, until a count named in advance or until resumed.

    futurepath.action.delay, futurepath.action.delay.declare-or-wait, futurepath.action.delay.max, pf1.delay,
    srd35.delay.action, srd35.delay.declare-or-wait.
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    refuse_down(fight, actor, "delay")
    refuse_borrowed(fight, actor)
    if actor.spent:
        raise Refusal(f"{actor.id} has begun to act and cannot delay", fight.rule("delay.action"))
    if act.count is not None and act.count >= actor.initiative:
        reason = f"{actor.id} acts on {actor.initiative}: {act.count} is no later count"
        raise Refusal(reason, fight.rule("delay.action"))
    last = predecessor(fight, actor.id)
    yield TurnDelayed(who=actor.id, cites=fight.rules("delay.action", "delay.limits"))
    yield TurnEnded(who=actor.id, skipped="delays", cites=(fight.rule("delay.declare-or-wait"),))
    if act.count is None:
        yield from advance(fight, actor.id)
        return
    others = [id for id in fight.state.order if id != actor.id]
    place = others.index(last) + 1 if last else 0
    for n, id in enumerate(others[place:], place + 1):
        if fight.state.combatants[id].initiative > act.count:
            place = n
    named = "delay.declare-or-wait"
    yield from keep_counts(fight, actor)
    yield act_at(fight, actor, act.count, others, place, named, "delay.lower-initiative")
    yield from advance(fight, last)


def resume(fight: Fight, act: acts.Resume) -> Steps[None]:
    """Take the delayed turn right after the one that is running.

    The initiative becomes that count for the rest of the fight; the running turn is not interrupted
    (srd35.delay.initiative-result, srd35.delay.limits, futurepath.action.delay.no-interrupt). In a later
    round it replaces the regular turn (srd35.delay.next-round, futurepath.action.delay.lost-action).
    """
    actor = fight.combatant(act.actor)
    state = fight.state
    if not actor.delaying:
        raise Refusal(f"{actor.id} is not delaying", fight.rule("delay.action"))
    if not state.active:
        raise Refusal("no turn is running after which to act", fight.rule("encounter.turn"))
    order = state.order
    if actor.waited == state.round and order.index(actor.id) > order.index(state.active):
        reason = f"{actor.id} takes its turn on {actor.initiative}, as declared"
        raise Refusal(reason, fight.rule("delay.declare-or-wait"))
    current = state.combatants[state.active]
    others = [id for id in order if id != actor.id]
    place = others.index(current.id) + 1
    later = "delay.lower-initiative" if actor.waited == state.round else "delay.next-round"
    yield from keep_counts(fight, actor)
    yield act_at(fight, actor, current.initiative, others, place, later)


def act_at(
    fight: Fight, actor: Combatant, count: int, others: list[str], place: int, *topics: str
) -> InitiativeChanged:
    """Return the fact that a delayed turn is taken on a count, after all from `place` on who act on it
    anyway.

    If several delayed to the same count the higher initiative modifier goes first, not the first declarer
    (futurepath.action.delay.multiple-delayers, srd35.initiative.ties, pf1.initiative.tie-by-modifier).
    """
    level: tuple[str, ...] = ()
    precedence = fight.dialect.turns.precedence
    for n, id in enumerate(others[place:], place + 1):
        other = fight.state.combatants[id]
        if other.initiative != count:
            break
        if other.delaying:
            level = ("delay.same-count",)
            if precedence(other) < precedence(actor):
                break
        place = n
    return InitiativeChanged(
        who=actor.id,
        value=count,
        order=(*others[:place], actor.id, *others[place:]),
        before=others[place] if place < len(others) else "",
        cites=fight.rules("delay.initiative-result", *topics, *level),
    )


def by_modifier(combatant: Combatant) -> tuple[int, ...]:
    """Return the value that orders combatants on the same count: the initiative modifier."""
    return (combatant.initiative_modifier,)
