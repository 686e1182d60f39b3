"""What the game master decides to be so from now on: hit points, conditions, a place, an initiative.

Nothing that was decided is decided again. What is set is set: no save, no immunity to damage, no cost, no
attack of opportunity. What the rules say of the new state comes about as it would after any other change:
who has no hit points left falls, who has some again is up; a condition comes over its bearer with all that
follows from it, and what keeps it off keeps it off here too. A loss is no damage: no massive damage, no
random injury, no concentration check. A gain is no healing: it ends no bleeding.
"""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import rule_on_condition
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.start_states import refuse_without_degree
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved
from affray.events.facts.flow import InitiativeChanged
from affray.events.wording import counted
from affray.projections.state import Combatant

TOPIC: Final = "fiat"
WORD: Final = "the game master's word"
LOWEST: Final = -1000
"""The least hit points that the game master can set: far below any death line."""


def fiat(fight: Fight, act: acts.Fiat) -> Steps[None]:
    """Let be so from now on what the game master says.

    srd35.fiat, pf1.fiat, futurepath.assumed.fiat, woa.fiat.
    """
    target = fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    if fight.state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if act == acts.Fiat(target=act.target, text=act.text):
        raise Refusal("a fiat sets hit points, a condition, a place or an initiative: say which", rule)
    refuse_hit_points(fight, act, target)
    for name in act.loses:
        refuse_loss(fight, act, target, name)
    for name in act.gains:
        refuse_gain(fight, act, target, name)
    refuse_place(fight, act, target)
    order = order_with(fight, act, target)
    return set_by_fiat(fight, act, target, order, rule)


def set_by_fiat(
    fight: Fight, act: acts.Fiat, target: Combatant, order: tuple[str, ...], rule: str
) -> Steps[None]:
    """Set what is said: hit points, what ends, what both bring about, what begins, place, initiative."""
    why, before = act.text or WORD, target.hp
    if act.hp is not None:
        yield hit_points_set(target, act.hp, why, rule)
    for name in act.loses:
        held = target.conditions[name]
        yield ConditionLost(who=target.id, condition=name, why=why, cites=(rule,))
        yield from fight.dialect.conditions.over(fight, target, name, held)
    if act.hp is not None or act.loses:
        yield from fight.dialect.damage.settle(fight, target, before)
    for name in sorted(act.gains, key=lambda name: name == "dead"):  # nothing comes over the dead
        if name in target.conditions:
            continue  # the hit points, or another condition, have brought it about
        if (yield from fight.dialect.damage.set_state(fight, target, name, why)):
            continue
        fact = ConditionGained(who=target.id, condition=name, source=why, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, fact)
    if act.at is not None:
        yield Moved(
            who=target.id, start=target.at, path=(act.at,), feet=0, diagonals=0, how="fiat", cites=(rule,)
        )
    if act.initiative is not None:
        place = order.index(target.id) + 1
        yield InitiativeChanged(
            who=target.id,
            value=act.initiative,
            order=order,
            before=order[place] if place < len(order) else "",
            cites=(rule,),
        )


def refuse_hit_points(fight: Fight, act: acts.Fiat, target: Combatant) -> None:
    """Refuse hit points above all that the target has, below any death line, and those that it has already.

    srd35.hp.thresholds, pf1.damage.reduces-hp, futurepath.damage.on-hit, woa.hp.total.
    """
    if act.hp is None:
        return
    rule = fight.rule("hp.thresholds")
    if act.hp > target.max_hp:
        reason = f"{target.id} cannot have {counted(act.hp, 'hit point')}: full ones are {target.max_hp}"
        raise Refusal(reason, rule)
    if act.hp < LOWEST:
        raise Refusal(f"{target.id} cannot have {act.hp} hit points: {LOWEST} is the least", rule)
    if act.hp == target.hp:
        raise Refusal(f"{target.id} has {counted(act.hp, 'hit point')} already", fight.rule(TOPIC))


def refuse_loss(fight: Fight, act: acts.Fiat, target: Combatant, name: str) -> None:
    """Refuse to end what the target is not under, and what its hit points call for or others hold."""
    rule = fight.rule(TOPIC)
    if name not in target.conditions:
        raise Refusal(f"{target.id} is not {name}", rule)
    if name in act.gains:
        raise Refusal(f"{name!r} cannot end and begin at once", rule)
    refuse_joint(fight, target, name)
    hp = target.hp if act.hp is None else act.hp
    fight.dialect.damage.refuse_state(fight, target, hp, name, ends=True)


def refuse_gain(fight: Fight, act: acts.Fiat, target: Combatant, name: str) -> None:
    """Refuse what the target is under already, or cannot be under by itself or with its hit points."""
    rule = fight.rule(TOPIC)
    if name in target.conditions:
        raise Refusal(f"{target.id} is {name} already", rule)
    if target.sheet.thing is not None and name != "dead":
        raise Refusal(f"{target.id} is a thing and cannot be {name}", rule)
    refuse_without_degree(fight, name)
    refuse_joint(fight, target, name)
    if "dead" in target.conditions and "dead" not in act.loses:
        reason = f"{target.id} is dead: it cannot be {name}"
        raise Refusal(reason, fight.rule(fight.dialect.conditions.table["dead"].topic))
    hp = target.hp if act.hp is None else act.hp
    fight.dialect.damage.refuse_state(fight, target, hp, name, ends=False)


def refuse_joint(fight: Fight, target: Combatant, name: str) -> None:
    """Refuse what holds between two, or hangs on a spell: no word about one of them changes it."""
    conditions, cited = fight.dialect.conditions, rule_on_condition(fight, name, TOPIC)
    if name in conditions.paired:
        raise Refusal(f"{name} lasts between two: {target.id} is not {name} by itself", cited)
    if name in conditions.cast:
        raise Refusal(f"{name} hangs on a spell of {target.id}'s", cited)


def refuse_place(fight: Fight, act: acts.Fiat, target: Combatant) -> None:
    """Refuse a place off the map or in a wall, one that is taken, and to part those who hold each other.

    Who is dead no longer needs a place too: that where it lies, without another one.

    srd35.size.table-space-reach, srd35.pass.ending-movement.
    """
    back = "dead" in act.loses
    if act.at is None and not back:
        return
    at = act.at or target.at
    rule, where = fight.rule(TOPIC), f"{at[0]},{at[1]}"
    if act.at == target.at:
        raise Refusal(f"{target.id} stands at {where} already", rule)
    if act.at and target.mount:
        raise Refusal(f"{target.id} rides {target.mount}: set the place of the mount", rule)
    held = next((name for name in target.conditions if name in fight.dialect.conditions.paired), "")
    if act.at and held:
        raise Refusal(f"{target.id} is {held}: that ends before it is anywhere else", rule)
    if not fight.field.passable(at, target.space):
        reason = f"{target.id} cannot stand at {where}: there is a wall, or the map ends"
        raise Refusal(reason, fight.rule("size.table-space-reach"))
    if (back or "dead" not in target.conditions) and (there := occupants(fight, target, at)):
        raise Refusal(f"{there[0].id} stands at {where} already", fight.rule("pass.ending-movement"))


def order_with(fight: Fight, act: acts.Fiat, target: Combatant) -> tuple[str, ...]:
    """Return the order in which all act with the target on its new count; behind whoever is on it already.

    Refused before the fight, in the target's own turn, and where the target would lose its turn of the round
    or have a second one. srd35.initiative.kept, pf1.initiative.persists,
    futurepath.initiative.order-descending, woa.resolve.count-down.
    """
    state = fight.state
    if act.initiative is None:
        return state.order
    rule = fight.rule("initiative.kept")
    if target.id not in state.order:
        raise Refusal(f"{target.id} is not in the order of initiative", rule)
    if act.initiative == target.initiative:
        raise Refusal(f"{target.id} acts on {act.initiative} already", rule)
    if state.active == target.id:
        raise Refusal(f"it is the turn of {target.id}: its count changes before or after it", rule)
    if target.delaying:
        raise Refusal(f"{target.id} delays: it takes its count by resuming", rule)
    others = [id for id in state.order if id != target.id]
    place = sum(1 for _ in counts_from(fight, others, act.initiative))
    order = (*others[:place], target.id, *others[place:])
    if state.active in state.order:
        had = state.order.index(target.id) < state.order.index(state.active)
        if had != (place <= others.index(state.active)):
            what = "has had its turn" if had else "has yet to act"
            raise Refusal(
                f"{target.id} {what} in round {state.round}: {act.initiative} is on the other side of "
                f"{state.active}'s turn, which is running",
                rule,
            )
    return order


def counts_from(fight: Fight, ids: list[str], count: int) -> Iterator[str]:
    """Yield those at the head of an order up to the last who acts on that count or a higher one."""
    at = max((n for n, id in enumerate(ids, 1) if fight.state.combatants[id].initiative >= count), default=0)
    yield from ids[:at]
