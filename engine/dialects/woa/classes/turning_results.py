"""What a turning does to undead: the save and its degrees, backing away, the harm (woa.turn-undead.*)."""

import re
from typing import Any

from affray.engine.dialects.woa.classes.saves import Saved, saving_throw
from affray.engine.dialects.woa.conditions.durations import last_round
from affray.engine.dialects.woa.conditions.gained_conditions import bring_consequences
from affray.engine.dialects.woa.damage.fallen import die
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.turning_power import turn_resistance
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.immunities import (
    Immunity,
    immunities_to_condition,
    immunity_to,
    unaffected_fact,
)
from affray.engine.rules.movement.flee import feet_apart, flight_path, reachable
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, DamageResolved, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect

ATTEMPT, MET = "turning attempt", "turning met"
"""Stats of the effects that keep in mind an attempt of a turner, and that an undead has met one."""
WITHSTOOD, FAILED = "withstood", "failed"
#: The minute that undead flee lasts so many seconds; a round's length is in the catalogue.
MINUTE = 60


def numbers_in_figure(text: Any) -> list[int]:
    """Return the numbers in a figure such as "10 + 1/2 cleric level"."""
    return [int(number) for number in re.findall(r"\d+", str(text))]


def is_fearless(fight: Fight, one: Combatant) -> bool:
    """Say whether an immunity keeps off an undead what a turning does by fear.

    woa.immunity, option `turning_and_fear`.
    """
    return fight.option("turning_and_fear") == "immunity" and spared_fear(fight, one) is not None


def spared_fear(fight: Fight, one: Combatant) -> Immunity | None:
    """Return the immunity of a creature to being shaken, frightened or panicked, None for none."""
    return immunity_to(fight, one, *immunities_to_condition("shaken"))


def shake_undead(fight: Fight, turner: Combatant, one: Combatant, *topics: str) -> Steps[None]:
    """Let an undead that has withstood a turning be shaken while it is in there."""
    until = Until("concentration", turner.id)
    cites = fight.rules(*topics)
    fact = ConditionGained(who=one.id, condition="shaken", source=turner.id, until=until, cites=cites)
    if spared_fear(fight, one) is not None and not is_fearless(fight, one):
        yield from come_over(fight, fact)
    else:
        yield from fight.dialect.conditions.gain(fight, fact)


def save_against_turning(
    fight: Fight, turner: Combatant, mark: Effect, one: Combatant, feet: int, *cites: str
) -> Steps[None]:
    """Let one undead save against a turning of so many feet, and do to it what the table of results says."""
    dc, ids = mark.modifier.value, [fight.rule("woa.turn-undead.area-and-dc"), *cites]
    if not turner.sheet.classes.get("cleric"):
        ids[0] = fight.rule("woa.turn-undead.non-cleric")
    again = earlier_attempts(fight, turner, mark, one)
    if again:
        topic = "woa.turn-undead.repeat-attempts"
        dc += again * fight.figure(topic, "dc_change_per_additional_attempt")
        ids.append(fight.rule(topic))
    resistance = turn_resistance(one)
    extra: tuple[Modifier, ...] = ()
    if resistance:
        rule = fight.rule("woa.turn-undead.turn-resistance")
        extra = (Modifier(resistance, "resistance to turning", "turn resistance", rule),)
    kind = str(fight.figure("woa.turn-undead.area-and-dc", "save")).lower()
    saved = yield from saving_throw(
        fight, one, kind, dc, f"{turner.id}'s turning ({feet} ft.)", *ids, extra=extra
    )
    rule = fight.rule("woa.turn-undead.one-save" if saved.success else "woa.turn-undead.results-table")
    yield EffectGained(
        who=one.id,
        id=f"{mark.id}:{one.id}",
        stat=MET,
        modifier=Modifier(fight.state.minutes, WITHSTOOD if saved.success else FAILED, mark.id, rule),
        until=Until(),
        against=turner.id,
        cites=(rule,),
    )
    yield from release_turned(fight, turner, one)
    yield from RESULTS[mark.modifier.kind](fight, turner, one, turning_result(fight, saved))


def earlier_attempts(fight: Fight, turner: Combatant, mark: Effect, one: Combatant) -> int:
    """Return how many attempts before this one make it less effective against an undead.

    Those of the encounter, and those it has met within ten minutes before (woa.turn-undead.repeat-attempts).
    """
    now = fight.state.minutes
    most = fight.figure("woa.turn-undead.repeat-attempts", "lookback_minutes")
    met = {effect.modifier.source for effect in one.effects if effect.stat == MET}
    count = 0
    for effect in turner.effects:
        if effect.stat == ATTEMPT and effect.modifier.source != mark.id:
            ago = now - effect.modifier.value
            count += ago == 0 or (ago <= most and effect.modifier.source in met)
    return count


def release_turned(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """End what an earlier attempt of the turner has done to an undead that saves anew."""
    rule = fight.rule("woa.turn-undead.repeat-attempts")
    for name in ("turned", "awed", "shaken", "frightened"):
        held = one.conditions.get(name)
        if held is not None and held.source == turner.id:
            yield ConditionLost(who=one.id, condition=name, why="saves anew", cites=(rule,))


def turning_result(fight: Fight, saved: Saved) -> tuple[str, str]:
    """Return what the table of results makes of a save, and the topic of the rule on that row.

    Of several rows the worst (woa.turn-undead.results-table).
    """
    row, topic = "save fails", "woa.turn-undead.turned-effects"
    if saved.success:
        row, topic = "save succeeds", "woa.turn-undead.on-success"
    elif saved.margin <= -fight.figure("woa.turn-undead.fail-by-20", "fail_margin"):
        row, topic = "fails utterly", "turn-undead.fail-by-20"
    elif saved.margin <= -fight.figure("woa.turn-undead.fail-by-10", "fail_margin"):
        row, topic = "fails badly", "turn-undead.fail-by-10"
    return str(fight.figure("woa.turn-undead.results-table", f"outcome={row}", "effect")), topic


def turn_one(fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]) -> Steps[None]:
    """Do to an undead what a turning does: shake it, turn it, panic it, destroy it."""
    state, topic = result
    cites = fight.rules(topic, "woa.turn-undead.results-table")
    if state == "panicked" and (immunity := spared_fear(fight, one)) and is_fearless(fight, one):
        yield unaffected_fact(fight, one, state, immunity)
        state, cites = (
            "turned",
            fight.rules("woa.turn-undead.turned-effects", "woa.turn-undead.results-table"),
        )
    if state == "shaken":
        yield from shake_undead(fight, turner, one, topic, "woa.turn-undead.results-table")
    elif state == "destroyed":
        yield from die(fight, one, f"destroyed by {turner.id}", *cites)
    elif state == "panicked":
        until = for_a_minute(fight, one)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)
        yield from bring_consequences(fight, one, state)
        if not flight_path(fight, one, turner):
            rule = (fight.rule(topic),)
            cowed = ConditionGained(
                who=one.id, condition="cowering", source=turner.id, until=until, cites=rule
            )
            yield from come_over(fight, cowed)
    else:
        until = Until("concentration", turner.id)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)


def rebuke_one(fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]) -> Steps[None]:
    """Do to an undead what a rebuking does: it bows down in awe, does not flee, is never destroyed."""
    state, topic = result
    if state == "shaken":
        yield from shake_undead(fight, turner, one, topic, "woa.turn-undead.results-table")
        return
    lasting = state in ("panicked", "destroyed")
    until = for_a_minute(fight, one) if lasting else Until("concentration", turner.id)
    spared = ("woa.turn-undead.evil-no-destroy",) if state == "destroyed" else ()
    how_long = ("turn-undead.fail-by-10",) if lasting else ()
    cites = fight.rules("woa.turn-undead.evil-rebuke", *spared, *how_long)
    yield ConditionGained(who=one.id, condition="awed", source=turner.id, until=until, cites=cites)


RESULTS = {"turn": turn_one, "rebuke": rebuke_one}


def for_a_minute(fight: Fight, one: Combatant) -> Until:
    """Return the time that the worst failures last: the rounds of a minute (woa.turn-undead.fail-by-10)."""
    minutes = fight.figure("woa.turn-undead.fail-by-10", "duration_minutes")
    rounds = minutes * MINUTE // fight.figure("woa.round.duration", "seconds")
    return Until("round-end", "", last_round(fight, one, rounds))


def back_away(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """Let a turned undead back away at once until it is far enough; one that cannot is frightened.

    woa.turn-undead.turned-effects, .cannot-retreat.
    """
    topic = "woa.turn-undead.turned-effects"
    keep = fight.figure(topic, "keep_distance_ft")
    if distance(turner, one) >= keep or is_down(fight, one):
        return
    path = way_to_back_away(fight, turner, one, keep)
    if path:
        yield from fight.dialect.movement.walk(fight, one, path, "turned", fight.rule(topic))
    if is_fearless(fight, one):
        return
    if distance(turner, one) < keep and not is_down(fight, one) and "frightened" not in one.conditions:
        cites = fight.rules("woa.turn-undead.cannot-retreat")
        until = Until("concentration", turner.id)
        yield ConditionGained(who=one.id, condition="frightened", source=turner.id, until=until, cites=cites)


def way_to_back_away(fight: Fight, turner: Combatant, one: Combatant, keep: int) -> tuple[Square, ...]:
    """Return the shortest way to where an undead is far enough from a turner, else as far as it can go.

    It never leads nearer to the turner than the undead is, nor past the turner to the other side.
    """
    if any(not rule_of(fight, name).moves for name in one.conditions):
        return ()
    now = feet_apart(one, one.at, turner)
    behind = tuple(2 * one.at[i] + one.space - 2 * turner.at[i] - turner.space for i in (0, 1))

    def backwards(there: Square) -> bool:
        ahead = sum((2 * there[i] + one.space - 2 * turner.at[i] - turner.space) * behind[i] for i in (0, 1))
        return ahead > 0 and feet_apart(one, there, turner) >= now

    came = reachable(fight, one, 2 * keep // SQUARE_FT, backwards)
    ends = [
        (-min(keep, feet_apart(one, there, turner)), cost, there)
        for there, (cost, _, _) in came.items()
        if feet_apart(one, there, turner) > now and not occupants(fight, one, there)
    ]
    if not ends:
        return ()
    _, _, end = min(ends)
    path = [end]
    while (before := came[path[-1]][2]) != one.at:
        path.append(before)
    return tuple(reversed(path))


def harm_by_cure(fight: Fight, combatant: Combatant, mark: Effect, spell: Spell) -> Steps[None]:
    """Let the positive energy of a cure spell hurt all undead in the turning, whether they saved or not.

    Turn resistance takes off as much as a resistance to energy would (woa.turn-undead.boost-with-cure).
    """
    topic = "woa.turn-undead.boost-with-cure"
    (per,) = numbers_in_figure(fight.figure(topic, "damage"))
    amount = per * spell.level
    for one in list(fight.state.combatants.values()):
        met = any(effect.stat == MET and effect.modifier.source == mark.id for effect in one.effects)
        if not met or "dead" in one.conditions:
            continue
        resisted = min(amount, turn_resistance(one))
        why = f"turn resistance {resisted}" if resisted else ""
        cites = fight.rules(topic)
        yield DamageResolved(
            attacker=combatant.id,
            target=one.id,
            weapon=spell.name,
            dice=(),
            modifiers=(Modifier(amount, "positive energy", spell.name, fight.rule(topic)),),
            multiplier=1,
            total=amount,
            nonlethal=False,
            reduced=resisted,
            why=why,
            cites=cites,
        )
        yield from fight.dialect.damage.suffer(
            fight, Harm(one, amount - resisted, "positive energy", spell.name, combatant, energy=True)
        )
