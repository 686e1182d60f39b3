"""The game master's rulings on state: hit points, conditions, a place, an initiative.

Earlier decisions stay. A ruling sets the state: no save, no immunity to damage, no cost, no attack of
opportunity. The new state has its usual consequences: a combatant without hit points falls, one that regains
some is up; a condition brings all its effects, and immunities keep it off as usual. A loss is no damage: no
massive damage, no random injury, no concentration check. A gain is no healing: it ends no bleeding.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel.sheets import fault_of
from affray.engine.kernel.turns import refuse_newcomer
from affray.engine.record.acts import SAID, Under
from affray.engine.rules.conditions.conditions import (
    find_condition_immunities,
    immunity_to,
    rule_on_condition,
    yield_immunities,
)
from affray.engine.rules.damage.injury import AT_THE_START, hit_points_set
from affray.engine.rules.gear.hands import drop_all
from affray.engine.rules.position.places import occupants
from affray.engine.steps import Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved, ResourceSpent
from affray.events.facts.flow import InitiativeChanged
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

# --- The state in which a combatant enters: the causes and levels of its conditions, its used resources

GRIPS: Final = ("", "pins", "pinned")
"""An entry's role in a grapple: the newcomer pins its opponent, or is pinned by it."""


#: Conditions between two combatants that do not follow from a grapple as such.
BY_DEEDS: Final = ("swallowed", "tied up")
#: Fields about conditions require conditions; origin and state require each other.
OF_CONDITIONS: Final[Under] = {
    "by": {"conditions": SAID},
    "levels": {"conditions": SAID},
    "origin": {"carried": SAID},
    "carried": {"origin": SAID},
}
#: Fields about a grapple also require an opponent.
OF_CONDITIONS_AND_GRAPPLE: Final[Under] = {**OF_CONDITIONS, "grip": {"grapples": SAID}}


def refuse_who(fight: Fight, act: acts.Enter) -> Sheet:
    """Return the sheet of a newcomer. Refuses one without id, side or sheet, or whose id is taken.

    srd35.flow.sequence, pf1.flow.sequence, futurepath.flow.cycle, woa.flow.round-structure.
    """
    sheet, rule = refuse_newcomer(fight, act), fight.rule("encounter")
    if fault := fault_of(sheet):
        raise Refusal(f"{act.id}: {fault}", rule)
    if act.riding and acts.Mount not in fight.dialect.acts:
        raise Refusal(f"{fight.dialect.name} knows no riding", rule)
    return sheet


def refuse_start_place(fight: Fight, act: acts.Enter, sheet: Sheet, side: int) -> None:
    """Refuse an entry at a place where no creature with that `side` fits, or that is occupied.

    srd35.size.table-space-reach.
    """
    if not fight.field.passable(act.at, side):
        reason = f"{act.id} cannot enter at {act.at[0]},{act.at[1]}: there is a wall, or the map ends"
        raise Refusal(reason, fight.rule("size.table-space-reach"))
    if not (act.riding or act.grapples):
        fight.dialect.position.refuse_taken(fight, sheet, act.at, side)


def refuse_start(fight: Fight, act: acts.Enter, sheet: Sheet) -> None:
    """Refuse an entry's details of conditions that it does not name, and of pools that its sheet lacks."""
    rule = fight.rule("encounter")
    for name in dict((*act.by, *act.levels)):
        if name not in act.conditions:
            raise Refusal(f"{name!r} is not among the conditions of {act.id}", rule)
    for name in act.conditions:
        refuse_without_degree(fight, name)
        if name in fight.dialect.conditions.paired:
            raise Refusal(why_paired(fight, act, name), rule_on_condition(fight, name, "encounter"))
        if name in fight.dialect.conditions.cast:
            reason = f"{name} takes a spell: {act.id} has to cast it"
            raise Refusal(reason, rule_on_condition(fight, name, "encounter"))
    refuse_contrary_health(fight, act, sheet)
    refuse_spared_conditions(fight, act, sheet)
    for _, other in act.by:
        fight.combatant(other)
    for name, level in act.levels:
        if name not in fight.dialect.conditions.leveled:
            raise Refusal(f"{name!r} has no level", rule_on_condition(fight, name, "encounter"))
        if level < 1:
            reason = f"{act.id} cannot be {name!r} {level} times over"
            raise Refusal(reason, rule_on_condition(fight, name, "encounter"))
    pools = dict(fight.dialect.classes.pools(fight, newcomer(fight, act, sheet))) if act.used else {}
    for name, amount in act.used:
        if name not in pools:
            known = ", ".join(sorted(pools)) or "nothing"
            raise Refusal(f"{act.id} has no {name!r} to use up; there is {known}", rule)
        if not 0 < amount <= pools[name]:
            raise Refusal(f"{act.id} has {pools[name]} of {name!r} and cannot have used {amount}", rule)


def why_paired(fight: Fight, act: acts.Enter, name: str) -> str:
    """Return why a combatant cannot enter with this condition between two by its name alone.

    If both sides of a grapple are "grappling", only an improved grab leaves one of them "holding".
    """
    grabs = name == "holding" and "grappling" in fight.dialect.conditions.paired
    if grabs or name in BY_DEEDS:
        return f"{act.id} is {name} only by what an opponent does in the fight"
    return f"{name} takes an opponent: name it in `grapples` of {act.id}"


def refuse_without_degree(fight: Fight, condition: str) -> None:
    """Refuse a condition by its name alone that needs a degree: an exposure gives it."""
    if to := fight.dialect.conditions.degrees.get(condition):
        reason = f"{condition!r} needs a degree: `expose` to {to!r} gives it"
        raise Refusal(reason, rule_on_condition(fight, condition, "fiat"))


def refuse_contrary_health(fight: Fight, act: acts.Enter, sheet: Sheet) -> None:
    """Refuse an entry as dying, stable or disabled with hit points that do not allow it."""
    hp = sheet.hp if act.hp is None else act.hp
    below = hp <= fight.dialect.damage.dying_from(fight)
    disabled = hp <= fight.dialect.damage.disabled_from(fight)
    for name, fits in (("dying", below), ("stable", below), ("disabled", disabled)):
        if name in act.conditions and name in fight.dialect.conditions.table and not fits:
            reason = f"{act.id} cannot be {name} at {counted(hp, 'hit point')}"
            raise Refusal(reason, fight.rule(rule_of(fight, name).topic))


def refuse_spared_conditions(fight: Fight, act: acts.Enter, sheet: Sheet) -> None:
    """Refuse an entry under a condition that an immunity prevents, except for the dead (a destroyed
    creature).

    srd35.creature-immunities, srd35.class.divine-grace, pf1.immunity, futurepath.assumed.immunity,
    woa.immunity.
    """
    victim = newcomer(fight, act, sheet)
    for name in (one for one in act.conditions if one != "dead"):
        immunity = immunity_to(fight, victim, *find_condition_immunities(name))
        if immunity is not None:
            raise Refusal(f"{act.id} cannot be {name}: immunity to {immunity.kind}", immunity.rule)
        if rules := fight.dialect.conditions.immune_mind(fight, victim, name):
            raise Refusal(f"{act.id} cannot be {name}: immune to fear", rules[0])


def refuse_spared_nonlethal(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry with nonlethal damage of a creature that takes none.

    srd35.nonlethal.immune, pf1.nonlethal.immune, futurepath.assumed.nonlethal-immunity.
    """
    immune = fight.figure("nonlethal.immune")
    sheet = act.sheet
    natures = (sheet.kind, sheet.race, *sheet.traits) if sheet is not None else ()
    if spared := next((one for one in natures if one in immune), ""):
        reason = f"{act.id} is immune to nonlethal damage ({spared})"
        raise Refusal(reason, fight.rule("nonlethal.immune"))
    if "nonlethal" in yield_immunities(natures):
        raise Refusal(f"{act.id} is immune to nonlethal damage", fight.rule("immunity"))


def newcomer(fight: Fight, act: acts.Enter, sheet: Sheet) -> Combatant:
    """Return the combatant of an entry, before it is on the map."""
    side, reach = fight.dialect.position.space_and_reach(fight, sheet)
    return Combatant(act.id, act.side, sheet, act.at, side, reach, sheet.hp, sheet.hp)


def at_the_opponent(fight: Fight, act: acts.Enter) -> acts.Enter:
    """Return a grappler's entry with its opponent's space as place."""
    return replace(act, at=fight.combatant(act.grapples).at)


def start_conditions(fight: Fight, act: acts.Enter, sheet: Sheet) -> Steps[None]:
    """Give a newcomer its conditions, each with its level and cause.

    A condition that fells leaves it lying. One that empties the hands does so unless the entry gives the held
    items.
    """
    by, levels = dict(act.by), dict(act.levels)
    for name in (*act.conditions, *(("inanimate",) if sheet.thing is not None else ())):
        rule = rule_of(fight, name)
        cites = fight.rules(rule.topic) if name in fight.dialect.conditions.table else ()
        once = int(any(change.each for change in rule.changes))
        fact = ConditionGained(
            who=act.id,
            condition=name,
            source=by.get(name, AT_THE_START),
            level=levels.get(name, once),
            cites=cites,
        )
        yield from fight.dialect.conditions.start(fight, fact)
        fells = name in fight.dialect.conditions.felling
        if (fells or rule.empties) and act.held is None:
            yield from drop_all(fight, fight.combatant(act.id), cites)
        if fells:
            yield from lie_at_start(fight, act, name, cites)


def lie_at_start(fight: Fight, act: acts.Enter, condition: str, cites: tuple[str, ...]) -> Steps[None]:
    """Make a newcomer with a felling condition prone and limp; in the saddle it stays seated.

    srd35.cond.unconscious, pf1.cond.unconscious, futurepath.injury.dying-at-minus-1.
    """
    one = fight.combatant(act.id)
    if "prone" not in (*one.conditions, *act.conditions) and not act.riding:
        yield ConditionGained(who=act.id, condition="prone", source=condition, cites=cites)
    yield from fight.dialect.conditions.limp(fight, one)


def use_up(act: acts.Enter) -> Iterator[ResourceSpent]:
    """Yield the facts that a newcomer has used up part of its pools."""
    for name, amount in act.used:
        yield ResourceSpent(who=act.id, resource=name, amount=amount)


TOPIC: Final = "fiat"
WORD: Final = "the game master's word"
LOWEST: Final = -1000
"""The least hit points that the game master can set: far below any death line."""


def fiat(fight: Fight, act: acts.Fiat) -> Steps[None]:
    """Carry out a ruling of the game master on the state.

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
    """Set hit points, end conditions, apply the consequences, begin conditions, set place and initiative."""
    why, before = act.text or WORD, target.hp
    if act.hp is not None:
        yield hit_points_set(target, act.hp, why, rule)
    for name in act.loses:
        held = target.conditions[name]
        yield ConditionLost(who=target.id, condition=name, why=why, cites=(rule,))
        yield from fight.dialect.conditions.over(fight, target, name, held)
    if act.hp is not None or act.loses:
        yield from fight.dialect.damage.settle(fight, target, before)
    for name in sorted(act.gains, key=lambda name: name == "dead"):  # death comes last
        if name in target.conditions:
            continue  # the hit points, or another condition, have caused it
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
    """Refuse hit points above the target's maximum, below any death line, and the current ones.

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
    """Refuse to end a condition that the target does not have, or that its hit points or a grapple
    require.
    """
    rule = fight.rule(TOPIC)
    if name not in target.conditions:
        raise Refusal(f"{target.id} is not {name}", rule)
    if name in act.gains:
        raise Refusal(f"{name!r} cannot end and begin at once", rule)
    refuse_joint(fight, target, name)
    hp = target.hp if act.hp is None else act.hp
    fight.dialect.damage.refuse_state(fight, target, hp, name, ends=True)


def refuse_gain(fight: Fight, act: acts.Fiat, target: Combatant, name: str) -> None:
    """Refuse a condition that the target has already, or that it cannot have by itself or with its hit
    points.
    """
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
    """Refuse conditions between two combatants, or from a spell: a ruling on one combatant cannot change
    them.
    """
    conditions, cited = fight.dialect.conditions, rule_on_condition(fight, name, TOPIC)
    if name in conditions.paired:
        raise Refusal(f"{name} lasts between two: {target.id} is not {name} by itself", cited)
    if name in conditions.cast:
        raise Refusal(f"{name} depends on a spell of {target.id}'s", cited)


def refuse_place(fight: Fight, act: acts.Fiat, target: Combatant) -> None:
    """Refuse a place off the map, in a wall, or occupied, and one that would separate grapplers.

    The dead may stay in an occupied place, but not be put into one.

    srd35.size.table-space-reach, srd35.pass.ending-movement.
    """
    back = "dead" in act.loses
    if act.at is None and not back:
        return
    at = act.at or target.at
    rule, where = fight.rule(TOPIC), f"{at[0]},{at[1]}"
    if act.at == target.at:
        raise Refusal(f"{target.id} is at {where} already", rule)
    if act.at and target.mount:
        raise Refusal(f"{target.id} rides {target.mount}: set the place of the mount", rule)
    held = next((name for name in target.conditions if name in fight.dialect.conditions.paired), "")
    if act.at and held:
        raise Refusal(f"{target.id} is {held}: end that before you move it", rule)
    if not fight.field.passable(at, target.space):
        reason = f"{target.id} cannot be at {where}: there is a wall, or the map ends"
        raise Refusal(reason, fight.rule("size.table-space-reach"))
    if (back or "dead" not in target.conditions) and (there := occupants(fight, target, at)):
        raise Refusal(f"{there[0].id} is at {where} already", fight.rule("pass.ending-movement"))


def order_with(fight: Fight, act: acts.Fiat, target: Combatant) -> tuple[str, ...]:
    """Return the order with the target on its new count; behind all who are on it already.

    Refused before the fight, in the target's own turn, and if the target would lose its turn of the round or
    have a second one. srd35.initiative.kept, pf1.initiative.persists, futurepath.initiative.order-descending,
    woa.resolve.count-down.
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
    """Yield those at the head of an order up to the last with that count or a higher one."""
    at = max((n for n, id in enumerate(ids, 1) if fight.state.combatants[id].initiative >= count), default=0)
    yield from ids[:at]
