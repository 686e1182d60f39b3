"""Getting out of a grapple, or on top of it, and out of ropes (pf1.grapple.grappled-options, .tie-escape)."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.grapple.bonds import bonds_of, burst_manacles, is_in_manacles
from affray.engine.dialects.pf1.grapple.grapple_checks import cmb_of, grapple_blow
from affray.engine.dialects.pf1.grapple.hold import (
    HOLDING,
    OPTIONS,
    PINNED,
    PINNING,
    TIED,
    end_grapple,
    holds,
    kept_up,
    opponent_of,
)
from affray.engine.dialects.pf1.grapple.swallow import TOPIC as SWALLOW
from affray.engine.dialects.pf1.grapple.swallow import back_into_mouth, is_inside
from affray.engine.dialects.pf1.maneuvers.combat_maneuver import combat_maneuver_bonus
from affray.engine.dialects.pf1.maneuvers.maneuver_check import roll_maneuver
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import sums_of_blow
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.conditions.condition_rules import number_of_condition
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost
from affray.projections.state import Combatant

TOPIC: Final = "pf1.grapple.grappled-options"
FLOW: Final = "pf1.grapple.pinned-flow"
TIES: Final = "pf1.grapple.tie-escape"
#: What the pinned and the bound may still declare: escapes, words, and what ends or waits for their turn.
STILL_FREE: Final = (acts.Cast, acts.Delay, acts.EndTurn, acts.GetFree, acts.Ready, acts.Resume, acts.Speak)


def get_out(fight: Fight, combatant: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Break free of who holds one, or take the grapple over, by CMB or Escape Artist against its CMD.

    The pinned get out of the pin, and are free then by option `pin_escape`; the swallowed are back in the
    mouth (pf1.swallow).
    """
    rule = fight.rule(TOPIC)
    inside = is_inside(combatant, target)
    if not (inside or holds(target, combatant)):
        raise Refusal(f"{target.id} does not hold {combatant.id}", rule)
    if inside and act.what != "escape":
        raise Refusal(f"{combatant.id} has been swallowed and can only get out", fight.rule(SWALLOW))
    pinned = PINNED in combatant.conditions
    topics = (TOPIC, FLOW) if pinned else (TOPIC, SWALLOW) if inside else (TOPIC,)
    yield spending(fight, combatant, "standard", f"grapple: {act.what}", *fight.rules(*topics))
    if not (yield from gets_out(fight, escaping(fight, combatant, target), act.skill, *topics)):
        return
    if inside:
        yield from back_into_mouth(fight, combatant, target)
    elif pinned and fight.option("pin_escape") == "still-grappled":
        cites = fight.rules(*topics)
        yield ConditionLost(who=combatant.id, condition=PINNED, why="escapes the pin", cites=cites)
        yield ConditionLost(who=target.id, condition=PINNING, why="escapes the pin", cites=cites)
    elif act.what == "escape":
        yield from end_grapple(fight, target, combatant, "breaks free", *fight.rules(*topics))
    else:
        yield ConditionLost(who=target.id, condition=HOLDING, why="loses the upper hand", cites=(rule,))
        yield kept_up(fight, combatant, target, fight.state.round, rule)


def escaping(fight: Fight, captive: Combatant, holder: Combatant) -> Blow:
    """Return the blow that carries a captive's check to escape."""
    blow = grapple_blow(captive, holder, unarmed(fight, captive))
    blow.intent = replace(blow.intent, maneuver="escape", against="CMD against escape")
    return blow


def gets_out(fight: Fight, blow: Blow, by_skill: bool, *topics: str) -> Steps[bool]:
    """Make the check to escape, by Escape Artist or as a maneuver, and say whether it succeeds."""
    if by_skill:
        return (yield from slips_out(fight, blow))
    return (yield from roll_maneuver(fight, blow, *topics)).won


def breaks_free_of_harm(fight: Fight, captive: Combatant, holder: Combatant) -> Steps[bool]:
    """Let a captive who is put where harm waits try to break free, and say whether it does.

    The attempt takes no action and has +4 (pf1.grapple.options).
    """
    rule = fight.rule(OPTIONS)
    question = f"{holder.id} puts {captive.id} where harm waits: how does it try to break free?"
    how = yield Choice(captive.id, "hazard", question, ("escape", "escape artist", "decline"), rule)
    if how == "decline":
        return False
    blow = escaping(fight, captive, holder)
    source = "put where harm waits"
    blow.attack_extra.append(
        fight.modifier(OPTIONS, "option=move", "escape", kind="circumstance", source=source)
    )
    won = yield from gets_out(fight, blow, how == "escape artist", OPTIONS)
    if won:
        yield from end_grapple(fight, holder, captive, "breaks free", rule)
    return won


def slips_out(fight: Fight, blow: Blow) -> Steps[bool]:
    """Make an Escape Artist check against the holder's CMD (pf1.skill.escape)."""
    rule = fight.rule("pf1.skill.escape")
    parts = [*skill_parts(fight, blow.attacker, "escape artist", "dex", rule), *blow.attack_extra]
    dc = sums_of_blow(fight, blow).against.total
    why = f"CMD of {blow.target.id}"
    return (yield from check(fight, blow.attacker, "escape artist", parts, dc, rule, *blow.cites, why=why))


def release(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Let go of an opponent, which is free (pf1.grapple.maintain)."""
    rule = fight.rule("pf1.grapple.maintain")
    if not holds(grappler, target):
        raise Refusal(f"{grappler.id} keeps up no grapple with {target.id}", rule)
    yield spending(fight, grappler, "free", "grapple: release", rule)
    yield from end_grapple(fight, grappler, target, "lets go", rule)


def is_only_in_net(fight: Fight, act: acts.GetFree) -> bool:
    """Say whether it is a net, and no rope, that somebody would get out of."""
    actor = fight.combatant(act.actor)
    return TIED not in actor.conditions and nets.is_in_net(actor)


def get_free(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Try to get out of bonds, by CMB or Escape Artist, as a standard action; manacles are burst by Strength.

    What is past 20 and one's own bonus cannot be done, not even on a 20 (pf1.grapple.tie-escape).
    """
    actor, rule = fight.combatant(act.actor), fight.rule(TIES)
    if TIED not in actor.conditions:
        raise Refusal(f"{actor.id} is not tied up", rule)
    if not act.skill and is_in_manacles(actor):
        yield from burst_manacles(fight, actor)
        return
    dc, bonds = number_of_condition(actor, TIED), bonds_of(actor) or "ropes"
    if act.skill:
        name, skill = "escape artist", fight.rule("pf1.skill.escape")
        parts = skill_parts(fight, actor, name, "dex", skill)
        bonus = fight.stack(parts).total
    else:
        name, bonus = "escape", cmb_of(fight, actor, actor)
        blow = grapple_blow(actor, actor, unarmed(fight, actor))
        short = "dex" if fight.dialect.attacks.finesse(fight, blow) else "str"
        parts = [*combat_maneuver_bonus(fight, blow), *lowered(fight, actor, short)]
    most = fight.figure("attack.natural-20", "face") + bonus
    if dc > most:
        raise Refusal(f"{actor.id} cannot get out of the {bonds}: {dc} against {most} at best", rule)
    yield spending(fight, actor, "standard", "get free", rule)
    if (yield from check(fight, actor, name, parts, dc, rule, fight.rule("pf1.skill.escape"))):
        yield ConditionLost(who=actor.id, condition=TIED, why=f"slips the {bonds}", cites=(rule,))


def refuse_pinned(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the pinned and the bound all but getting free, and what takes words or the mind alone."""
    if isinstance(act, STILL_FREE) or (isinstance(act, acts.Grapple) and act.what == "escape"):
        return
    name = PINNED if PINNED in actor.conditions else TIED
    raise Refusal(f"{actor.id} is {name} and can only try to get free", fight.rule(FLOW))


def opponent_or_refuse(fight: Fight, combatant: Combatant, id: str) -> Combatant:
    """Return the one meant in a grapple, if none is named the opponent; refuses whoever has none."""
    if id:
        return fight.combatant(id)
    found = opponent_of(fight, combatant)
    if found is None:
        raise Refusal(f"{combatant.id} is in no grapple", fight.rule(TOPIC))
    return found
