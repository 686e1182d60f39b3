"""The cycle: awareness and ambushes once; each round declarations, initiative, turns, end (woa.flow.*)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.conditions import flight_from_fear
from affray.engine.dialects.woa.damage import blood_loss
from affray.engine.dialects.woa.damage.injury import save_at_zero
from affray.engine.dialects.woa.environment import swim_and_drown
from affray.engine.dialects.woa.gear import missiles
from affray.engine.dialects.woa.grapple import grab_strength_checks, grapple_round, grapple_state
from affray.engine.dialects.woa.magic.spell_effects import TURN_START, come_due
from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import fly
from affray.engine.dialects.woa.turns import declared_actions as plans
from affray.engine.dialects.woa.turns import ready, triggers
from affray.engine.dialects.woa.turns.declared_actions import undeclared
from affray.engine.dialects.woa.turns.initiative import group_of, share_roll, wait_for
from affray.engine.dialects.woa.turns.special_actions import declared_defense
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.weapon_blow import strike_and_settle
from affray.engine.rules.conditions import condition_rules
from affray.engine.rules.conditions.condition_rules import bars_all_action
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.rider_and_mount import is_guided, mount_of
from affray.engine.rules.turns import expiry, flow
from affray.engine.rules.turns.delay_and_ready import refuse_ready
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, Until
from affray.events.facts.flow import (
    AwarenessSettled,
    BudgetRenewed,
    InitiativeRolled,
    OrderSet,
    PhaseChanged,
    PlanMade,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
)
from affray.projections.state import Combatant, Effect
from affray.projections.view import VIEW

#: What the rules of conditions begin with that something gives for a number of rounds.
GIVEN = ("woa.condition.", "woa.spell.haste", "woa.spell.component", "woa.zero-hp")


def settle_awareness(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Settle awareness, resolve ambushes against the unaware, and open the first round.

    The victim of an ambush is no longer surprised afterwards; who stays unaware is flat-footed until its
    first turn (woa.surprise.*, woa.condition.flat-footed; option `ambush_initiative`). A fight that starts
    in the middle of a round (`turn`) goes straight to the turns, without plans.
    """
    everybody = tuple(fight.state.combatants)
    unaware = tuple(id for id in everybody if id in act.unaware)
    if len(unaware) == len(everybody):
        unaware = ()
    blows = [ambush(fight, *named, unaware) for named in act.ambushes]
    rule = fight.rule("woa.surprise.definition")
    yield AwarenessSettled(
        aware=tuple(id for id in everybody if id not in unaware), surprised=unaware, cites=(rule,)
    )
    for id in unaware:
        yield ConditionGained(
            who=id,
            condition="flat-footed",
            source="surprise",
            until=Until("turn-start", id, act.round),
            cites=(fight.rule("woa.condition.flat-footed"),),
        )
    if blows:
        yield from ambushes(fight, blows, unaware)
    yield from open_round(fight, act.round)
    if act.turn and fight.state.phase == "declare":
        yield from open_turns(fight)


def ambush(fight: Fight, combatant_id: str, target: str, weapon: str, unaware: tuple[str, ...]) -> Blow:
    """Return the blow that opens the fight. Refuses one at the aware, and by who is not or cannot act."""
    attacker, victim = fight.combatant(combatant_id), fight.combatant(target)
    rule = fight.rule("woa.surprise.surprise-attack-timing")
    if combatant_id in unaware:
        raise Refusal(f"{combatant_id} is unaware itself and cannot surprise {target}", rule)
    if not condition_rules.can_act(fight, attacker):
        raise Refusal(f"{combatant_id} can do nothing and cannot surprise {target}", rule)
    if target not in unaware:
        raise Refusal(f"{target} is not among the unaware and cannot be surprised", rule)
    blow = fight.dialect.attacks.prepare(
        fight, attacker, victim, find_weapon(fight, attacker, weapon), "ambush"
    )
    blow.cites.append(rule)
    return blow


def ambushes(fight: Fight, blows: list[Blow], unaware: tuple[str, ...]) -> Steps[None]:
    """Resolve the attacks that open the fight; their targets are not surprised from then on.

    Whom the missile of another ambusher has felled strikes no more.
    """
    for number, blow in enumerate(blows, 1):
        fight.scope = f"ambush:{blow.attacker.id}#{number}"
        if not is_down(fight, blow.attacker):
            yield from missiles.take_missile(fight, blow)
            yield from strike_and_settle(fight, blow)
    fight.scope = ""
    struck = tuple(dict.fromkeys(blow.target.id for blow in blows))
    rule = fight.rule("woa.surprise.surprise-attack-timing")
    yield AwarenessSettled(
        aware=tuple(id for id in fight.state.combatants if id not in unaware or id in struck),
        surprised=tuple(id for id in unaware if id not in struck),
        cites=(rule,),
    )
    if fight.option("ambush_initiative") == "no-penalty-after-ambush":
        for id in struck:
            yield ConditionLost(
                who=id,
                condition="flat-footed",
                why="no longer surprised (ambush_initiative: no-penalty-after-ambush)",
                cites=(rule,),
            )


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round with its declarations; budgets are renewed for everybody (woa.declare.start-of-round)."""
    cites = fight.rules("woa.flow.round-structure", "woa.declare.start-of-round", "woa.round.duration")
    if fight.state.round:
        cites = (*cites, fight.rule("woa.flow.repeat-until-resolved"))
    yield RoundBegan(number=number, phase="declare", cites=cites)
    yield from blood_loss.round_begins(fight)
    budget = fight.rules("woa.round.action-budget", "woa.reaction.definition")
    for one in fight.state.combatants.values():
        if "dead" not in one.conditions and (one.spent or one.reactions or one.opportunities):
            yield BudgetRenewed(who=one.id, what=("actions", "reactions"), cites=budget)
    yield from grapple_state.settle_holds(fight)
    if not undeclared(fight):
        yield from open_turns(fight)


def cite_turn_order(fight: Fight, ids: Sequence[str], ordering: Steps[None]) -> Steps[None]:
    """Set the order of turns by the initiative results, highest first (woa.flow.turn-order)."""
    return reciting(ordering, OrderSet, fight.rule("woa.flow.turn-order"))


def delay(fight: Fight, act: acts.Delay) -> Steps[None]:
    """Refuse to wait on one's turn: who wants to time an action says so when declaring it.

    woa.resolve.simultaneity.
    """
    actor = fight.combatant(act.actor)
    raise Refusal(
        f"{actor.id} waits for nobody now: actions are timed when they are declared",
        fight.rule("woa.resolve.simultaneity"),
    )
    yield


def declare(fight: Fight, act: acts.Plan) -> Steps[None]:
    """Declare the standard, move and full-round actions of the round (woa.declare.required-types).

    When the last one has declared, initiative is rolled and the turns begin. A readied action that is
    not readied again lapses (woa.ready.multi-round).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.declare.start-of-round")
    state = fight.state
    if state.closed or not state.begun or state.phase != "declare":
        raise Refusal("actions are declared at the start of a round, and no round is being declared", rule)
    if actor.plan:
        raise Refusal(f"{actor.id} has declared already", rule)
    if actor not in undeclared(fight):
        raise Refusal(f"{actor.id} cannot act this round and declares nothing", rule)
    plans.refuse_plan(fight, actor, act)
    index = next((at for at, one in enumerate(act.actions) if one.what == "ready"), None)
    if act.ready is not None:
        if index is None:
            reason = f"{actor.id} says what to ready, but declares no readying"
            raise Refusal(reason, fight.rule("woa.ready.declare"))
        refuse_ready(fight, actor, act.ready)
    yield plans.plan_made(fight, actor, act)
    if act.ready is not None:
        yield from ready.announce(fight, actor, act.ready)
    elif actor.readied is not None and index is not None:
        yield from ready.keep_ready(fight, actor, index)
    elif actor.readied is not None:
        yield from triggers.end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
    if not undeclared(fight):
        yield from open_turns(fight)
        yield from flow.advance(fight)


def open_turns(fight: Fight) -> Steps[None]:
    """Roll initiative for everybody, set the order with those who wait for others, and begin the turns."""
    dialect = fight.dialect
    alive = [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
    rolled: dict[str, InitiativeRolled] = {}
    for one in alive:
        if is_down(fight, one) or "grappling" in one.conditions or is_guided(fight, one):
            continue
        group = group_of(fight, one)
        if group:
            yield from share_roll(fight, one, rolled, group)
        else:
            yield from dialect.turns.initiative(fight, one)
    acting = [one for one in alive if not is_down(fight, one) and not is_guided(fight, one)]
    awake = [one.id for one in acting if "grappling" not in one.conditions]
    if awake:
        yield from dialect.turns.order(fight, awake)
    yield from grapplers_last(fight, alive, awake)
    down = tuple(one.id for one in alive if is_down(fight, one))
    if down:
        yield OrderSet(
            order=(*(id for id in fight.state.order if id not in down), *down),
            why=f"{', '.join(down)} cannot act",
            cites=(fight.rule("woa.resolve.count-down"),),
        )
    for id in awake:
        yield from wait_for(fight, fight.state.combatants[id])
    yield PhaseChanged(phase="turns", cites=(fight.rule("woa.flow.round-structure"),))
    yield from declared_defense(fight)


def grapplers_last(fight: Fight, alive: list[Combatant], free: list[str]) -> Steps[None]:
    """Let those who grapple come after all who are free, without initiative.

    woa.grapple.no-initiative, woa.grapple.resolution-timing
    """
    names = tuple(one.id for one in alive if "grappling" in one.conditions and not is_down(fight, one))
    if names:
        verb = "are" if len(names) > 1 else "is"
        first = tuple(id for id in fight.state.order if id in free)
        yield OrderSet(
            order=(*first, *names),
            why=f"{', '.join(names)} {verb} grappling",
            cites=fight.rules("woa.grapple.no-initiative", "woa.grapple.resolution-timing"),
        )


def open_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn; what lasts until now ends. Budgets are the round's and stay (woa.resolve.count-down).

    In a grapple its check comes first, and who does not win it has no turn (woa.grapple.outcome.rule).
    """
    yield from expiry.expire(fight, combatant, "turn-start")
    if combatant.brewing:
        yield from come_due(fight, combatant, TURN_START)
    if "grappling" in combatant.conditions:
        yield from grapple_round.settle_grapple(fight, combatant)
        if not condition_rules.can_act(fight, combatant):
            return
    cites = fight.rules("woa.resolve.count-down", "woa.round.turn-at-once")
    yield TurnBegan(who=combatant.id, number=fight.state.turn + 1, cites=cites)
    if combatant.mount:
        yield from riding.direct_mount(fight, combatant)


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn: what lasts until now ends (woa.resolve.count-down)."""
    yield from expiry.expire(fight, combatant, "turn-end")
    steed = mount_of(fight, combatant)
    if steed is not None and is_guided(fight, steed):
        yield from expiry.expire(fight, steed, "turn-end")
    if "grappling" in combatant.conditions and fight.state.active != combatant.id:
        return
    barred = (name for name in combatant.conditions if bars_all_action(fight, combatant, name))
    reason = next((name for name in barred if name not in grapple_state.KEPT), "")
    yield TurnEnded(who=combatant.id, skipped=reason, cites=(fight.rule("woa.resolve.count-down"),))
    yield from flight_from_fear.calm_those_out_of_sight(fight)


def close_round(fight: Fight) -> Steps[None]:
    """End the round: those who hold on at 0 hit points or less save again, what lasts a round ends."""
    yield from grapple_round.to_the_ground(fight)
    yield from grapple_state.end_grapples_of_fallen(fight)
    yield from grab_strength_checks.end_holds_out_of_reach(fight)
    for one in list(fight.state.combatants.values()):
        yield from save_at_zero(fight, one)
    yield from swim_and_drown.end_round_in_water(fight)
    yield from fly.end_round_of_flyers(fight)
    yield from riding.end_round_of_mounts(fight)
    now = fight.state.round
    for one in fight.state.combatants.values():
        for name, condition in list(one.conditions.items()):
            if condition.until.when == "round-end" and now >= condition.until.round:
                cites = (ending_rule(fight, name, None),)
                yield ConditionLost(who=one.id, condition=name, why="its time is over", cites=cites)
        for effect in one.effects:
            if effect.until.when == "round-end" and now >= effect.until.round:
                cites = (ending_rule(fight, "", effect),)
                yield EffectEnded(who=one.id, id=effect.id, why="its time is over", cites=cites)
    yield RoundEnded(
        number=now,
        state=fight.digest(fight.state),
        view=VIEW,
        cites=(fight.rule("woa.flow.round-structure"),),
    )


def ending_rule(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, or else an effect, is over now.

    A condition that was given for some rounds ends as such effects do, one that goes with what somebody has
    done or not done yet by its own rule, an effect by that of what it adds (woa.round.effect-duration).
    """
    if effect is not None:
        return effect.modifier.rule or fight.rule("woa.round.effect-duration")
    topic = rule_of(fight, condition).topic
    rule = fight.rule(topic) if topic else ""
    return rule if rule and not rule.startswith(GIVEN) else fight.rule("woa.round.effect-duration")


#: While a round is being declared.
DECLARING = "fight.state.phase == 'declare' and not fight.state.closed"


def close_declarations(fight: Fight, act: acts.EndTurn) -> Steps[None]:
    """Close the declarations of a round, by the game master's word.

    Who has not declared by then does nothing this round.
    """
    rule = fight.rule("woa.declare.start-of-round")
    if act.actor:
        raise Refusal(f"no turn of {act.actor} is running: the round is still being declared", rule)
    for one in undeclared(fight):
        yield PlanMade(who=one.id, actions=(plans.NOTHING,), cites=(rule,))
    yield from open_turns(fight)
    yield from flow.advance(fight)
