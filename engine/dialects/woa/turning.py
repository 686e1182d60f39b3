"""Turning and rebuking undead: the attempt, who is in it, what becomes of them (woa.turn-undead.*)."""

import re
from typing import Any

from affray.engine.dialects.woa import magic, movement
from affray.engine.dialects.woa.concentration import keep_up, refuse_unsettled
from affray.engine.dialects.woa.damage import suffer
from affray.engine.dialects.woa.injury import last_round
from affray.engine.dialects.woa.magic import own_spell
from affray.engine.dialects.woa.saves import Saved, save
from affray.engine.dialects.woa.turned import (
    TURNING,
    direction_of,
    in_area,
    refuse_direction,
    turning_of,
)
from affray.engine.fight import Fight
from affray.engine.rules.abilities import ability, has_trait
from affray.engine.rules.blow import Harm
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.conditions import is_down, rule_of
from affray.engine.rules.flight import feet_apart, reachable, way_out
from affray.engine.rules.magic.long import CONCENTRATING, let_lapse
from affray.engine.rules.movement import SQUARE_FT
from affray.engine.rules.place import distance, occupants
from affray.engine.rules.turning_power import LOST, SYMBOL, of_kind, turn_resistance
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
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect

Square = tuple[int, int]
ATTEMPT, MET = "turning attempt", "turning met"
"""Stats of the effects that keep in mind an attempt of a turner, and that an undead has met one."""
WITHSTOOD, FAILED = "withstood", "failed"
#: The minute that undead flee lasts so many seconds; a round's length is in the catalogue.
MINUTE = 60


def numbers(text: Any) -> list[int]:
    """Return the numbers in a figure such as "10 + 1/2 cleric level"."""
    return [int(number) for number in re.findall(r"\d+", str(text))]


def turn_undead(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Present the holy symbol towards one side: all undead there save against it.

    A standard action; evil clerics rebuke. Others than clerics need the game master's leave
    (woa.turn-undead.action-cost, .area-and-dc, .evil-rebuke, .non-cleric).
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("turn-undead.action-cost")
    if act.what not in ("turn", "rebuke") or act.kind != "undead":
        raise Refusal(f"nobody can {act.what} {act.kind} here", rule)
    if (act.what == "rebuke") != has_trait(who, "evil"):
        answer = "rebukes" if act.what == "turn" else "turns"
        raise Refusal(f"{who.id} {answer} undead", fight.rule("turn-undead.evil-rebuke"))
    refuse_without_symbol(fight, who)
    refuse_direction(fight, act.way, fight.rule("turn-undead.area-and-dc"))
    cleric = who.sheet.classes.get("cleric", 0)
    spell = boosting(fight, who, act) if act.boost else None
    refuse_unless_allowed(fight, who, "standard")
    if not cleric:
        non_cleric = fight.rule("turn-undead.non-cleric")
        question = f"{who.id} is no cleric: is it devout enough to {act.what} undead?"
        if (yield Choice("", "devotion", question, ("allow", "refuse"), non_cleric)) != "allow":
            yield RuleApplied(who=who.id, what="has not the faith for it", cites=(non_cleric,))
            return
    yield spending(fight, who, "standard", f"{act.what} undead", rule)
    cites: list[str] = []
    if spell is not None:
        cites = [boost_rule(fight, who)]
        yield ResourceSpent(who=who.id, resource=spell.name, amount=1, cites=tuple(cites))
    mark = yield from begin(fight, who, act, base_dc(fight, who), spell.level if spell else 0)
    yield from sweep(fight, who, mark, True, tuple(cites))
    if spell is not None and act.what == "turn":
        yield from scorch(fight, who, mark, spell)


def refuse_without_symbol(fight: Fight, who: Combatant) -> None:
    """Refuse somebody who has no holy symbol to present."""
    if who.items.get(SYMBOL) in LOST or has_trait(who, "no holy symbol"):
        raise Refusal(f"{who.id} has no holy symbol to present", fight.rule("turn-undead.action-cost"))


def boost_rule(fight: Fight, who: Combatant) -> str:
    """Return the rule by which somebody strengthens a turning with spells."""
    evil = has_trait(who, "evil")
    return fight.rule("turn-undead.evil-inflict-boost" if evil else "turn-undead.boost-with-cure")


def boosting(fight: Fight, who: Combatant, act: acts.TurnUndead) -> Spell:
    """Return the spell that goes into a turning: a cure spell, for the evil one that inflicts wounds.

    Refuses others, and any to somebody who is no cleric.
    """
    if not who.sheet.classes.get("cleric") and not fight.figure("turn-undead.non-cleric", "spell_boost"):
        raise Refusal(f"{who.id} is no cleric", fight.rule("turn-undead.non-cleric"))
    spell = own_spell(fight, who, act.boost)
    family = "inflict" if has_trait(who, "evil") else "cure"
    if not spell.name.startswith(family):
        raise Refusal(f"{spell.name} is no {family} spell", boost_rule(fight, who))
    return spell


def base_dc(fight: Fight, who: Combatant) -> int:
    """Return the DC before boosting: by cleric level and Charisma, for others by Charisma alone."""
    cleric = who.sheet.classes.get("cleric", 0)
    if not cleric:
        (base,) = numbers(fight.figure("turn-undead.non-cleric", "dc"))
        return base + ability(who.sheet, "cha")
    base, above, below = numbers(fight.figure("turn-undead.area-and-dc", "dc"))
    return base + cleric * above // below + ability(who.sheet, "cha")


def begin(fight: Fight, who: Combatant, act: acts.TurnUndead, dc: int, boost: int) -> Steps[Effect]:
    """Begin a turning and concentrate on it; an earlier one goes over into it. Return the turning."""
    rule = fight.rule("turn-undead.area-and-dc")
    kept = who.conditions.get(CONCENTRATING)
    if kept is not None and kept.source != TURNING:
        yield from let_lapse(fight, who, "now concentrates on turning", fight.rule("cast.maintain"))
    earlier = turning_of(who)
    if earlier is not None:
        yield EffectEnded(who=who.id, id=earlier.id, why="turns anew", cites=(rule,))
    attempt = f"{fight.declaration}:turning"
    yield EffectGained(
        who=who.id,
        id=f"{attempt}:attempt",
        stat=ATTEMPT,
        modifier=Modifier(fight.state.minutes, "turning", attempt, rule),
        until=Until(),
        cites=(rule,),
    )
    yield EffectGained(
        who=who.id,
        id=attempt,
        stat=TURNING,
        modifier=Modifier(dc + boost, act.what, f"{act.way[0]},{act.way[1]}", rule),
        until=Until("concentration", who.id),
        cites=(rule,),
    )
    topic = "turn-undead.concentration"
    yield ConditionGained(
        who=who.id,
        condition=CONCENTRATING,
        source=TURNING,
        until=Until("turn-end", who.id, fight.state.round + 1),
        level=fight.state.round + fight.figure(topic, "max_duration_rounds") - 1,
        cites=(fight.rule(topic),),
    )
    mark = turning_of(who)
    assert mark is not None
    return mark


def sweep(
    fight: Fight, turner: Combatant, mark: Effect, first: bool = False, cites: tuple[str, ...] = ()
) -> Steps[None]:
    """Go through the undead: who is newly in the turning saves, who is turned keeps off.

    Who has withstood it is shaken as long as it is in there, and saves no more (woa.turn-undead.new-undead,
    .one-save, .on-success).
    """
    where = ("turn-undead.area-and-dc", "range_ft") if first else ("turn-undead.new-undead", "radius_ft")
    feet = fight.figure(*where)
    for one in list(fight.state.combatants.values()):
        if one is turner or not of_kind(one, "undead") or "dead" in one.conditions:
            continue
        inside = in_area(fight, turner, direction_of(mark), one, feet)
        met = next(
            (effect for effect in one.effects if effect.stat == MET and effect.modifier.source == mark.id),
            None,
        )
        shaken = one.conditions.get("shaken")
        if inside and met is None:
            later = () if first else fight.rules("turn-undead.new-undead")
            yield from confront(fight, turner, mark, one, feet, *cites, *later)
        elif inside and met is not None and met.modifier.kind == WITHSTOOD and shaken is None:
            yield from shake(fight, turner, one, "turn-undead.on-success", "turn-undead.one-save")
        elif not inside and shaken is not None and shaken.source == turner.id:
            rule = fight.rule("turn-undead.on-success")
            yield ConditionLost(who=one.id, condition="shaken", why="is out of the turning", cites=(rule,))
        turned = one.conditions.get("turned")
        if turned is not None and turned.source == turner.id:
            yield from back_away(fight, turner, one)


def shake(fight: Fight, turner: Combatant, one: Combatant, *topics: str) -> Steps[None]:
    """Let an undead that has withstood a turning be shaken while it is in there."""
    until = Until("concentration", turner.id)
    cites = fight.rules(*topics)
    yield ConditionGained(who=one.id, condition="shaken", source=turner.id, until=until, cites=cites)


def confront(
    fight: Fight, turner: Combatant, mark: Effect, one: Combatant, feet: int, *cites: str
) -> Steps[None]:
    """Let one undead save against a turning of so many feet, and do to it what the table of results says."""
    dc, ids = mark.modifier.value, [fight.rule("turn-undead.area-and-dc"), *cites]
    if not turner.sheet.classes.get("cleric"):
        ids[0] = fight.rule("turn-undead.non-cleric")
    again = repeated(fight, turner, mark, one)
    if again:
        topic = "turn-undead.repeat-attempts"
        dc += again * fight.figure(topic, "dc_change_per_additional_attempt")
        ids.append(fight.rule(topic))
    resistance = turn_resistance(one)
    extra: tuple[Modifier, ...] = ()
    if resistance:
        rule = fight.rule("turn-undead.turn-resistance")
        extra = (Modifier(resistance, "resistance to turning", "turn resistance", rule),)
    kind = str(fight.figure("turn-undead.area-and-dc", "save")).lower()
    saved = yield from save(fight, one, kind, dc, f"{turner.id}'s turning ({feet} ft.)", *ids, extra=extra)
    rule = fight.rule("turn-undead.one-save")
    yield EffectGained(
        who=one.id,
        id=f"{mark.id}:{one.id}",
        stat=MET,
        modifier=Modifier(fight.state.minutes, WITHSTOOD if saved.success else FAILED, mark.id, rule),
        until=Until(),
        against=turner.id,
        cites=(rule,),
    )
    yield from release(fight, turner, one)
    yield from RESULTS[mark.modifier.kind](fight, turner, one, degree(fight, saved))


def repeated(fight: Fight, turner: Combatant, mark: Effect, one: Combatant) -> int:
    """Return how many attempts before this one make it less effective against an undead.

    Those of the encounter, and those it has met within ten minutes before (woa.turn-undead.repeat-attempts).
    """
    now = fight.state.minutes
    most = fight.figure("turn-undead.repeat-attempts", "lookback_minutes")
    met = {
        effect.modifier.source for effect in one.effects if effect.stat == MET and effect.against == turner.id
    }
    count = 0
    for effect in turner.effects:
        if effect.stat == ATTEMPT and effect.modifier.source != mark.id:
            ago = now - effect.modifier.value
            count += ago == 0 or (ago <= most and effect.modifier.source in met)
    return count


def release(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """End what an earlier attempt of the turner has done to an undead that saves anew."""
    rule = fight.rule("turn-undead.repeat-attempts")
    for name in ("turned", "awed", "shaken", "frightened"):
        held = one.conditions.get(name)
        if held is not None and held.source == turner.id:
            yield ConditionLost(who=one.id, condition=name, why="saves anew", cites=(rule,))


def degree(fight: Fight, saved: Saved) -> tuple[str, str]:
    """Return what the table of results makes of a save, and the topic of the rule on that row.

    Of several rows the worst (woa.turn-undead.results-table).
    """
    row, topic = "save fails", "turn-undead.turned-effects"
    if saved.success:
        row, topic = "save succeeds", "turn-undead.on-success"
    elif saved.margin <= -fight.figure("turn-undead.fail-by-20", "fail_margin"):
        row, topic = "fails utterly", "turn-undead.fail-by-20"
    elif saved.margin <= -fight.figure("turn-undead.fail-by-10", "fail_margin"):
        row, topic = "fails badly", "turn-undead.fail-by-10"
    return str(fight.figure("turn-undead.results-table", f"outcome={row}", "effect")), topic


def turn(fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]) -> Steps[None]:
    """Do to an undead what a turning does: shake it, turn it, panic it, destroy it."""
    state, topic = result
    cites = fight.rules(topic, "turn-undead.results-table")
    if state == "shaken":
        yield from shake(fight, turner, one, topic, "turn-undead.results-table")
    elif state == "destroyed":
        yield ConditionGained(who=one.id, condition="dead", source=f"destroyed by {turner.id}", cites=cites)
    elif state == "panicked":
        until = for_a_minute(fight, one)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)
        if not way_out(fight, one, turner):
            rule = (fight.rule(topic),)
            yield ConditionGained(who=one.id, condition="cowering", source=turner.id, until=until, cites=rule)
    else:
        until = Until("concentration", turner.id)
        yield ConditionGained(who=one.id, condition=state, source=turner.id, until=until, cites=cites)


def rebuke(fight: Fight, turner: Combatant, one: Combatant, result: tuple[str, str]) -> Steps[None]:
    """Do to an undead what a rebuking does: it bows down in awe, does not flee, is never destroyed."""
    state, topic = result
    if state == "shaken":
        yield from shake(fight, turner, one, topic, "turn-undead.results-table")
        return
    lasting = state in ("panicked", "destroyed")
    until = for_a_minute(fight, one) if lasting else Until("concentration", turner.id)
    spared = ("turn-undead.evil-no-destroy",) if state == "destroyed" else ()
    how_long = ("turn-undead.fail-by-10",) if lasting else ()
    cites = fight.rules("turn-undead.evil-rebuke", *spared, *how_long)
    yield ConditionGained(who=one.id, condition="awed", source=turner.id, until=until, cites=cites)


RESULTS = {"turn": turn, "rebuke": rebuke}


def for_a_minute(fight: Fight, one: Combatant) -> Until:
    """Return the time that the worst failures last: the rounds of a minute (woa.turn-undead.fail-by-10)."""
    minutes = fight.figure("turn-undead.fail-by-10", "duration_minutes")
    rounds = minutes * MINUTE // fight.figure("round.duration", "seconds")
    return Until("round-end", "", last_round(fight, one, rounds))


def back_away(fight: Fight, turner: Combatant, one: Combatant) -> Steps[None]:
    """Let a turned undead back away at once until it is far enough; one that cannot is frightened.

    woa.turn-undead.turned-effects, .cannot-retreat.
    """
    topic = "turn-undead.turned-effects"
    keep = fight.figure(topic, "keep_distance_ft")
    if distance(turner, one) >= keep or is_down(fight, one):
        return
    path = retreat(fight, turner, one, keep)
    if path:
        yield from movement.walk(fight, one, path, "turned", fight.rule(topic))
    if distance(turner, one) < keep and not is_down(fight, one) and "frightened" not in one.conditions:
        cites = fight.rules("turn-undead.cannot-retreat")
        until = Until("concentration", turner.id)
        yield ConditionGained(who=one.id, condition="frightened", source=turner.id, until=until, cites=cites)


def retreat(fight: Fight, turner: Combatant, one: Combatant, keep: int) -> tuple[Square, ...]:
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


def scorch(fight: Fight, who: Combatant, mark: Effect, spell: Spell) -> Steps[None]:
    """Let the positive energy of a cure spell hurt all undead in the turning, whether they saved or not.

    Turn resistance takes off as much as a resistance to energy would (woa.turn-undead.boost-with-cure).
    """
    topic = "turn-undead.boost-with-cure"
    (per,) = numbers(fight.figure(topic, "damage"))
    amount = per * spell.level
    for one in list(fight.state.combatants.values()):
        met = any(effect.stat == MET and effect.modifier.source == mark.id for effect in one.effects)
        if not met or "dead" in one.conditions:
            continue
        resisted = min(amount, turn_resistance(one))
        why = ""
        also: tuple[str, ...] = ()
        if resisted:
            why, also = f"turn resistance {resisted}", fight.rules("turn-undead.turn-resistance")
        cites = (fight.rule(topic), *also)
        yield DamageResolved(
            attacker=who.id,
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
        yield from suffer(
            fight, Harm(one, amount - resisted, "positive energy", spell.name, who, energy=True)
        )


def maintain(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Go on concentrating on a turning, perhaps in another direction, or on a spell.

    woa.turn-undead.concentration, .new-undead.
    """
    who = fight.combatant(act.actor)
    mark = turning_of(who)
    if mark is None:
        yield from magic.maintain(fight, act)
        return
    topic = "turn-undead.concentration"
    refuse_without_symbol(fight, who)
    refuse_unsettled(fight, who)
    if act.way != (0, 0):
        refuse_direction(fight, act.way, fight.rule("turn-undead.new-undead"))
    kind = str(fight.figure(topic, "action_per_round"))
    refuse_unless_allowed(fight, who, kind)
    if not (yield from keep_up(fight, who, 0, TURNING, kind, topic)):
        return
    if act.way != (0, 0) and act.way != direction_of(mark):
        rule = fight.rule("turn-undead.new-undead")
        yield EffectEnded(who=who.id, id=mark.id, why="faces another way", cites=(rule,))
        faced = f"{act.way[0]},{act.way[1]}"
        yield EffectGained(
            who=who.id,
            id=mark.id,
            stat=TURNING,
            modifier=Modifier(mark.modifier.value, mark.modifier.kind, faced, mark.modifier.rule),
            until=mark.until,
            cites=(rule,),
        )
    yield from sweep_all(fight)


def sweep_all(fight: Fight) -> Steps[None]:
    """Go through the undead for every turning that goes on."""
    turners: list[str] | None = fight.scene.get("turners")
    if turners is None:
        turners = [one.id for one in fight.state.combatants.values() if turning_of(one) is not None]
        fight.scene["turners"] = turners
    for id in turners:
        turner = fight.state.combatants[id]
        mark = turning_of(turner)
        if mark is not None:
            yield from sweep(fight, turner, mark)


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement, let whoever readied for it act, and let turnings take hold of who came into them."""
    yield from movement.arrived(fight, who)
    yield from sweep_all(fight)
