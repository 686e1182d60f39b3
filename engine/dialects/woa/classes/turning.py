"""Implement turning and rebuking undead, and the effects on them."""

import re

from affray.engine.dialects.woa.classes.abilities import Saved, saving_throw
from affray.engine.dialects.woa.classes.turned_undead import (
    TURNING,
    direction_of,
    find_turning,
    in_area,
    refuse_direction,
)
from affray.engine.dialects.woa.conditions.conditions import bring_consequences, last_round
from affray.engine.dialects.woa.damage.fallen import die
from affray.engine.dialects.woa.magic import concentration
from affray.engine.dialects.woa.magic.concentration import (
    check_concentration,
    keep_concentrating,
    own_spell,
    refuse_unsettled,
)
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.feats import refuse_without_symbol, turn_resistance
from affray.engine.rules.classes.sheets import has_trait, is_a
from affray.engine.rules.conditions.conditions import (
    Immunity,
    apply_fear_condition,
    cannot_act,
    find_condition_immunities,
    immunity_to,
    make_unaffected_fact,
)
from affray.engine.rules.magic.concentration import CONCENTRATING, let_lapse
from affray.engine.rules.movement.movement import feet_apart, flight_path, reachable
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    DamageResolved,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant, Effect

# --- Effects of a turning on undead: the save and its degrees, backing away, damage (woa.turn-undead.*)

ATTEMPT, MET = "turning attempt", "turning met"
"""Stats of the effects that record a turner's attempt, and an undead's meeting with one."""
WITHSTOOD, FAILED = "withstood", "failed"
#: The seconds of the minute for which undead flee; the catalogue has the length of a round.
MINUTE = 60


def numbers_in_figure(text: object) -> list[int]:
    """Return the numbers in a figure such as "10 + 1/2 cleric level"."""
    return [int(number) for number in re.findall(r"\d+", str(text))]


def is_fearless(fight: Fight, one: Combatant) -> bool:
    """Return whether an immunity protects an undead from the fear effects of turning.

    woa.immunity, option `turning_and_fear`.
    """
    return fight.option("turning_and_fear") == "immunity" and spared_fear(fight, one) is not None


def spared_fear(fight: Fight, one: Combatant) -> Immunity | None:
    """Return a creature's immunity to being shaken, frightened or panicked, None if it has none."""
    return immunity_to(fight, one, *find_condition_immunities("shaken"))


def shake_undead(fight: Fight, turner: Combatant, one: Combatant, *topics: str) -> Steps[None]:
    """Shake an undead that has withstood a turning while it is in the area."""
    until = Until("concentration", turner.id)
    cites = fight.rules(*topics)
    fact = ConditionGained(who=one.id, condition="shaken", source=turner.id, until=until, cites=cites)
    if spared_fear(fight, one) is not None and not is_fearless(fight, one):
        yield from apply_fear_condition(fight, fact)
    else:
        yield from fight.dialect.conditions.gain(fight, fact)


def save_against_turning(
    fight: Fight, turner: Combatant, mark: Effect, one: Combatant, feet: int, *cites: str
) -> Steps[None]:
    """Make one undead save against a turning with a radius of `feet` feet, and apply the table of results."""
    dc, ids = mark.modifier.value, [fight.rule("woa.turn-undead.area-and-dc"), *cites]
    if not turner.sheet.classes.get("cleric"):
        ids[0] = fight.rule("woa.turn-undead.non-cleric")
    if not is_a(one, "undead"):
        ids.append(fight.rule("woa.turn-undead.other-creatures"))
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
    yield from end_earlier_turning(fight, turner, one)
    yield from RESULTS[mark.modifier.kind](fight, turner, one, turning_result(fight, saved))


def earlier_attempts(fight: Fight, turner: Combatant, mark: Effect, one: Combatant) -> int:
    """Return how many earlier attempts make this one less effective against an undead.

    Attempts of this encounter count, and those it has met within the last ten minutes
    (woa.turn-undead.repeat-attempts).
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


def end_earlier_turning(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """End the effects of the turner's earlier attempt on an undead that saves again."""
    rule = fight.rule("woa.turn-undead.repeat-attempts")
    for name in ("turned", "awed", "shaken", "frightened"):
        held = one.conditions.get(name)
        if held is not None and held.source == turner.id:
            yield ConditionLost(who=one.id, condition=name, why="saves anew", cites=(rule,))


def turning_result(fight: Fight, saved: Saved) -> tuple[str, str]:
    """Return the result of a save in the table of results, and the topic of the rule for that row.

    Of several rows the worst applies (woa.turn-undead.results-table).
    """
    row, topic = "save fails", "woa.turn-undead.turned-effects"
    if saved.success:
        row, topic = "save succeeds", "woa.turn-undead.on-success"
    elif saved.margin <= -fight.figure("woa.turn-undead.fail-by-20", "fail_margin"):
        row, topic = "fails utterly", "turn-undead.fail-by-20"
    elif saved.margin <= -fight.figure("woa.turn-undead.fail-by-10", "fail_margin"):
        row, topic = "fails badly", "turn-undead.fail-by-10"
    return str(fight.figure("woa.turn-undead.results-table", f"outcome={row}", "effect")), topic


def apply_turning_to_undead(
    fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]
) -> Steps[None]:
    """Apply the effect of a turning to an undead: shake it, turn it, panic it, destroy it."""
    state, topic = result
    cites = fight.rules(topic, "woa.turn-undead.results-table")
    if state == "panicked" and (immunity := spared_fear(fight, one)) and is_fearless(fight, one):
        yield make_unaffected_fact(fight, one, state, immunity)
        state, cites = (
            "turned",
            fight.rules("woa.turn-undead.turned-effects", "woa.turn-undead.results-table"),
        )
    if state == "shaken":
        yield from shake_undead(fight, turner, one, topic, "woa.turn-undead.results-table")
    elif state == "destroyed":
        yield from die(fight, one, f"destroyed by {turner.id}", *cites)
    elif state == "panicked":
        until = make_minute_duration(fight, one)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)
        yield from bring_consequences(fight, one, state)
        if not flight_path(fight, one, turner):
            rule = (fight.rule(topic),)
            cowed = ConditionGained(
                who=one.id, condition="cowering", source=turner.id, until=until, cites=rule
            )
            yield from apply_fear_condition(fight, cowed)
    else:
        until = Until("concentration", turner.id)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)


def rebuke_undead(fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]) -> Steps[None]:
    """Apply the effect of a rebuking to an undead: awe; it does not flee and is never destroyed."""
    state, topic = result
    if state == "shaken":
        yield from shake_undead(fight, turner, one, topic, "woa.turn-undead.results-table")
        return
    lasting = state in ("panicked", "destroyed")
    until = make_minute_duration(fight, one) if lasting else Until("concentration", turner.id)
    spared = ("woa.turn-undead.evil-no-destroy",) if state == "destroyed" else ()
    how_long = ("turn-undead.fail-by-10",) if lasting else ()
    cites = fight.rules("woa.turn-undead.evil-rebuke", *spared, *how_long)
    yield ConditionGained(who=one.id, condition="awed", source=turner.id, until=until, cites=cites)


RESULTS = {"turn": apply_turning_to_undead, "rebuke": rebuke_undead}


def make_minute_duration(fight: Fight, one: Combatant) -> Until:
    """Return the duration of the worst failures: the rounds of a minute (woa.turn-undead.fail-by-10)."""
    minutes = fight.figure("woa.turn-undead.fail-by-10", "duration_minutes")
    rounds = minutes * MINUTE // fight.figure("woa.round.duration", "seconds")
    return Until("round-end", "", last_round(fight, one, rounds))


def back_away(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """Make a turned undead back away at once until it is far enough; one that cannot is frightened.

    woa.turn-undead.turned-effects, .cannot-retreat
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
    """Return the shortest path to where an undead is far enough from a turner, or as far as it can go.

    The path never leads nearer to the turner, nor past it to the other side.
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


def damage_undead_by_cure(fight: Fight, combatant: Combatant, mark: Effect, spell: Spell) -> Steps[None]:
    """Damage all undead in the turning with the positive energy of a cure spell, whether they saved or not.

    Turn resistance reduces it like resistance to energy (woa.turn-undead.boost-with-cure).
    """
    topic = "woa.turn-undead.boost-with-cure"
    (per,) = numbers_in_figure(fight.figure(topic, "damage"))
    amount = per * spell.level
    for one in list(fight.state.combatants.values()):
        met = any(effect.stat == MET and effect.modifier.source == mark.id for effect in one.effects)
        if not met or "dead" in one.conditions or not is_a(one, "undead"):
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


# --- Turning and rebuking undead: the attempt, the undead in it, and maintaining it (woa.turn-undead.*)


def turn_undead(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Present the holy symbol in a direction: all undead there save against it.

    A standard action; evil clerics rebuke. Turners that are not clerics need the game master's permission
    (woa.turn-undead.action-cost, .area-and-dc, .evil-rebuke, .non-cleric).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.turn-undead.action-cost")
    if act.what not in ("turn", "rebuke") or act.kind != "undead":
        raise Refusal(f"undead can be turned or rebuked, but there is no way to {act.what} {act.kind}", rule)
    if (act.what == "rebuke") != has_trait(actor, "evil"):
        reason = (
            f"{actor.id} is evil and rebukes undead instead of turning them"
            if act.what == "turn"
            else f"{actor.id} is not evil and turns undead instead of rebuking them"
        )
        raise Refusal(reason, fight.rule("woa.turn-undead.evil-rebuke"))
    refuse_without_symbol(fight, actor, "woa.turn-undead.action-cost")
    refuse_direction(fight, act.way, fight.rule("woa.turn-undead.area-and-dc"))
    cleric = actor.sheet.classes.get("cleric", 0)
    spell = spell_to_boost(fight, actor, act) if act.boost else None
    refuse_unless_allowed(fight, actor, "standard")
    if not cleric:
        non_cleric = fight.rule("woa.turn-undead.non-cleric")
        question = f"{actor.id} is not a cleric: is it devout enough to {act.what} undead?"
        if (yield Choice("", "devotion", question, ("allow", "refuse"), non_cleric)) != "allow":
            yield RuleApplied(who=actor.id, what="has not the faith for it", cites=(non_cleric,))
            return
    yield spending(fight, actor, "standard", f"{act.what} undead", rule)
    if spell is not None and not (yield from cast_into_turning(fight, actor, spell)):
        spell = None
    if cannot_act(fight, actor):
        return
    cites = (boost_rule(fight, actor),) if spell is not None else ()
    mark = yield from begin_turning(fight, actor, act, base_dc(fight, actor), spell.level if spell else 0)
    yield from affect_undead(fight, actor, mark, True, cites)
    if spell is not None and act.what == "turn":
        yield from damage_undead_by_cure(fight, actor, mark, spell)


def cast_into_turning(fight: Fight, combatant: Combatant, spell: Spell) -> Steps[bool]:
    """Cast a spell into the turning, as one action with it; return whether the spell is not lost.

    woa.turn-undead.boost-with-cure, .evil-inflict-boost
    """
    yield ResourceSpent(
        who=combatant.id, resource=spell.name, amount=1, cites=(boost_rule(fight, combatant),)
    )
    yield from concentration.occupy(fight, combatant, spell.name, "woa.spell.no-combat-reactions")
    yield from triggered(fight, combatant, "casts")
    if not cannot_act(fight, combatant) and not (
        yield from check_concentration(fight, combatant, spell.level, spell.name)
    ):
        return True
    yield RuleApplied(who=combatant.id, what=f"{spell.name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return False


def boost_rule(fight: Fight, combatant: Combatant) -> str:
    """Return the rule by which a turner boosts a turning with spells."""
    evil = has_trait(combatant, "evil")
    return fight.rule("woa.turn-undead.evil-inflict-boost" if evil else "woa.turn-undead.boost-with-cure")


def spell_to_boost(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> Spell:
    """Return the spell that boosts a turning: a cure spell, or for an evil turner an inflict spell.

    Refuse other spells, and any boost by a turner that is not a cleric.
    """
    if not actor.sheet.classes.get("cleric") and not fight.figure(
        "woa.turn-undead.non-cleric", "spell_boost"
    ):
        reason = f"{actor.id} is not a cleric and cannot put a spell into a turning"
        raise Refusal(reason, fight.rule("woa.turn-undead.non-cleric"))
    spell = own_spell(fight, actor, act.boost)
    family = "inflict" if has_trait(actor, "evil") else "cure"
    if not spell.name.startswith(family):
        raise Refusal(
            f"{actor.id} puts {family} spells into a turning, not {spell.name}", boost_rule(fight, actor)
        )
    return spell


def base_dc(fight: Fight, combatant: Combatant) -> int:
    """Return the DC before boosting: by cleric level and Charisma, for non-clerics by Charisma alone."""
    cleric = combatant.sheet.classes.get("cleric", 0)
    if not cleric:
        (base,) = numbers_in_figure(fight.figure("woa.turn-undead.non-cleric", "dc"))
        return base + ability_now(fight, combatant, "cha")
    base, above, below = numbers_in_figure(fight.figure("woa.turn-undead.area-and-dc", "dc"))
    return base + cleric * above // below + ability_now(fight, combatant, "cha")


def begin_turning(fight: Fight, actor: Combatant, act: acts.TurnUndead, dc: int, boost: int) -> Steps[Effect]:
    """Begin a turning and concentrate on it; an earlier turning is replaced. Return the turning."""
    rule = fight.rule("woa.turn-undead.area-and-dc")
    kept = actor.conditions.get(CONCENTRATING)
    if kept is not None and kept.source != TURNING:
        yield from let_lapse(
            fight, actor, "now concentrates on turning", fight.rule("woa.spell.concentrate-maintain")
        )
    earlier = find_turning(actor)
    if earlier is not None:
        yield EffectEnded(who=actor.id, id=earlier.id, why="turns anew", cites=(rule,))
    attempt = f"{fight.declaration}:turning"
    yield EffectGained(
        who=actor.id,
        id=f"{attempt}:attempt",
        stat=ATTEMPT,
        modifier=Modifier(fight.state.minutes, "turning", attempt, rule),
        until=Until(),
        cites=(rule,),
    )
    yield EffectGained(
        who=actor.id,
        id=attempt,
        stat=TURNING,
        modifier=Modifier(dc + boost, act.what, f"{act.way[0]},{act.way[1]}", rule),
        until=Until("concentration", actor.id),
        cites=(rule,),
    )
    topic = "woa.turn-undead.concentration"
    yield ConditionGained(
        who=actor.id,
        condition=CONCENTRATING,
        source=TURNING,
        until=Until("turn-end", actor.id, fight.state.round + 1),
        level=fight.state.round + fight.figure(topic, "max_duration_rounds") - 1,
        cites=(fight.rule(topic),),
    )
    mark = find_turning(actor)
    assert mark is not None
    return mark


def affect_undead(
    fight: Fight, turner: Combatant, mark: Effect, first: bool = False, cites: tuple[str, ...] = ()
) -> Steps[None]:
    """Apply the turning to all undead: those newly in the area save, turned ones keep away.

    An undead that has withstood it is shaken while in the area, and does not save again
    (woa.turn-undead.new-undead, .one-save, .on-success).
    """
    where = (
        ("woa.turn-undead.area-and-dc", "range_ft") if first else ("woa.turn-undead.new-undead", "radius_ft")
    )
    feet = fight.figure(*where)
    others = [one for one in fight.state.combatants.values() if one is not turner and is_turnable(one)]
    later = () if first else fight.rules("woa.turn-undead.new-undead")
    for one in others:
        new = "dead" not in one.conditions and find_turning_met(one, mark) is None
        if new and in_area(fight, turner, direction_of(mark), one, feet):
            yield from save_against_turning(fight, turner, mark, one, feet, *cites, *later)
    for one in others:
        if "dead" not in one.conditions:
            yield from shake_or_repel_undead(fight, turner, mark, one, feet)


def is_turnable(one: Combatant) -> bool:
    """Return whether turning affects a creature: an undead, or any other that has turn resistance.

    What others add to their saves makes them harder to turn than undead (woa.turn-undead.other-creatures).
    """
    return is_a(one, "undead") or turn_resistance(one) > 0


def find_turning_met(one: Combatant, mark: Effect) -> Effect | None:
    """Return the effect that records how an undead met a turning, None if it has not."""
    return next(
        (effect for effect in one.effects if effect.stat == MET and effect.modifier.source == mark.id), None
    )


def shake_or_repel_undead(
    fight: Fight, turner: Combatant, mark: Effect, one: Combatant, feet: int
) -> Steps[None]:
    """Shake an undead that has withstood a turning while it is in the area; make a turned one keep away.

    One that was shaken before becomes frightened (woa.condition.fear.cumulative).
    """
    met = find_turning_met(one, mark)
    withstood = met is not None and met.modifier.kind == WITHSTOOD
    fears = {name: state.source for name, state in one.conditions.items() if name in ("shaken", "frightened")}
    fear = next((name for name, source in fears.items() if source == turner.id), "")
    if not in_area(fight, turner, direction_of(mark), one, feet):
        if fear and withstood:
            rule = fight.rule("woa.turn-undead.on-success")
            yield ConditionLost(who=one.id, condition=fear, why="is out of the turning", cites=(rule,))
    elif withstood and not fear and "panicked" not in one.conditions and not is_fearless(fight, one):
        yield from shake_undead(fight, turner, one, "woa.turn-undead.on-success", "woa.turn-undead.one-save")
    turned = one.conditions.get("turned")
    if turned is not None and turned.source == turner.id:
        yield from back_away(fight, turner, one)


def is_turning(fight: Fight, act: acts.Maintain) -> bool:
    """Return whether the spell that a combatant maintains is a turning."""
    return find_turning(fight.combatant(act.actor)) is not None


def maintain_turning(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Continue to concentrate on a turning, perhaps in another direction.

    woa.turn-undead.concentration, .new-undead
    """
    actor = fight.combatant(act.actor)
    mark = find_turning(actor)
    assert mark is not None
    topic = "woa.turn-undead.concentration"
    refuse_without_symbol(fight, actor, "woa.turn-undead.action-cost")
    refuse_unsettled(fight, actor)
    if act.way != (0, 0):
        refuse_direction(fight, act.way, fight.rule("woa.turn-undead.new-undead"))
    kind = str(fight.figure(topic, "action_per_round"))
    if not (yield from keep_concentrating(fight, actor, 0, TURNING, kind, topic)):
        return
    if act.way != (0, 0) and act.way != direction_of(mark):
        rule = fight.rule("woa.turn-undead.new-undead")
        yield EffectEnded(who=actor.id, id=mark.id, why="faces another way", cites=(rule,))
        faced = f"{act.way[0]},{act.way[1]}"
        yield EffectGained(
            who=actor.id,
            id=mark.id,
            stat=TURNING,
            modifier=Modifier(mark.modifier.value, mark.modifier.kind, faced, mark.modifier.rule),
            until=mark.until,
            cites=(rule,),
        )
    yield from affect_undead_of_all(fight)


def affect_undead_after_movement(fight: Fight, mover: Combatant) -> Steps[None]:
    """After any movement, apply every turning in progress to the undead."""
    return affect_undead_of_all(fight)


@per_company()
def list_turners(fight: Fight) -> list[str]:
    """Return the ids of combatants with a turning in progress."""
    return [one.id for one in fight.state.combatants.values() if find_turning(one) is not None]


def affect_undead_of_all(fight: Fight) -> Steps[None]:
    """Apply every turning in progress to the undead."""
    for id in list_turners(fight):
        turner = fight.state.combatants[id]
        mark = find_turning(turner)
        if mark is not None:
            yield from affect_undead(fight, turner, mark)
