"""Strength against Strength in a grab: getting free, holding on, letting go (woa.grab.*)."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.action_types import escape_kind
from affray.engine.dialects.woa.grapple.grab_modifiers import HANDS, hands_free_in_grab
from affray.engine.dialects.woa.grapple.grab_state import (
    GRABBING,
    end_hold,
    hands_on,
    held_by,
    holding,
)
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.projections.state import Combatant

#: The passing effect on a holder whom its victim has struck: a penalty to hold on.
GRIP = "grip"
#: What has its own rule in a check to get free, by the kind of modifier.
TELLING = ("hand", "both hands", GRIP)


def strength_check_parts(fight: Fight, combatant: Combatant, topic: str) -> Side:
    """Return a Strength check, with what conditions, holds and feats do to it."""
    parts = [Modifier(ability(combatant.sheet, "str"), "ability", "Strength", fight.rule(topic))]
    return side_of(fight, combatant, "strength", [*parts, *lowered(fight, combatant, "str")])


def strongest(fight: Fight, among: Sequence[Combatant]) -> Combatant:
    """Return the strongest of several combatants, the first of equals."""
    return max(among, key=lambda one: ability_now(fight, one, "str"))


def escape_grab(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Try to get out of the grasp of one, as a move action, or of several, as a full-round action.

    One check against each holder's own, which it must beat (woa.grab.escape-one, .escape-many).
    """
    grappler = fight.combatant(act.actor)
    topic = escape_kind(act)
    rule = fight.rule(topic)
    holders = [fight.combatant(id) for id in act.targets or (act.target,)]
    for one in holders:
        if one not in held_by(fight, grappler):
            raise Refusal(f"{one.id} does not hold {grappler.id}", rule)
    kind = str(fight.figure(topic, "action"))
    yield spending(fight, grappler, kind, "get free", rule)
    rolled: Rolled | None = None
    for number, one in enumerate(holders):
        if one not in held_by(fight, grappler):
            continue
        mine = escape_check(fight, grappler, act.skill, topic, helped=not number)
        theirs = holding_check(fight, one, grappler, topic)
        if rolled is None:
            rolled = yield Roll(grappler.id, "escape")
        cites = [rule, *(part.rule for part in (*mine.parts, *theirs.parts) if part.kind in TELLING)]
        if act.skill:
            cites.append(fight.rule("woa.maneuver.grab.escape-with-escape-artist"))
        beaten = yield from roll_opposed(fight, "escape", mine, theirs, *cites, rolled=rolled)
        if beaten > 0:
            yield from end_hold(fight, one, grappler, "gets free", rule)


def escape_check(fight: Fight, combatant: Combatant, skill: bool, topic: str, helped: bool) -> Side:
    """Return the check of who tries to get free: Strength or Escape Artist, helped by a free hand.

    The hand helps against one holder only (woa.grab.escape-free-hand,
    woa.maneuver.grab.escape-with-escape-artist).
    """
    if skill:
        rule = fight.rule("woa.maneuver.grab.escape-with-escape-artist")
        parts = skill_parts(fight, combatant, "escape artist", "dex", rule)
        return side_of(fight, combatant, "escape artist", parts)
    mine = strength_check_parts(fight, combatant, topic)
    if helped and hands_free_in_grab(fight, combatant):
        mine.parts.append(
            fight.modifier("woa.grab.escape-free-hand", "bonus", kind="hand", source="a hand to pry with")
        )
    return mine


def holding_check(fight: Fight, combatant: Combatant, victim: Combatant, topic: str) -> Side:
    """Return the check with which a holder keeps its hold: both hands help, blows taken do not.

    All damage that the victim has dealt in this round and the last is one penalty.
    woa.grab.escape-both-hands, woa.grab.escape-strike
    """
    side = strength_check_parts(fight, combatant, topic)
    if hands_on(combatant, victim.id) >= HANDS:
        side.parts += table_modifier(
            fight, "woa.grab.escape-both-hands", "check=hold", "bonus", kind="both hands", source="both hands"
        )
    if struck := list(effect_parts(combatant, GRIP, victim.id)):
        side.parts.append(replace(struck[0], value=sum(part.value for part in struck)))
    return side


def weaken_grip(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit at the holder of the attacker, weaken its grip for this round and the next.

    woa.grab.escape-strike
    """
    attacker, holder = blow.attacker, blow.target
    if holder not in held_by(fight, attacker):
        return
    hurt = before[0] - holder.hp
    if hurt <= 0:
        return
    rule = fight.rule("woa.grab.escape-strike")
    yield EffectGained(
        who=holder.id,
        id=f"{fight.declaration}:{GRIP}:{attacker.id}:{len(holder.effects)}",
        stat=GRIP,
        modifier=Modifier(-hurt, "grip", f"struck by {attacker.id}", rule),
        until=Until("round-end", "", fight.state.round + 1),
        against=attacker.id,
        cites=(rule,),
    )


def release_grab(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Let go of a victim: a free action (woa.grab.release)."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("woa.grab.release")
    check_turn(fight, grappler)
    if target not in holding(fight, grappler):
        raise Refusal(f"{grappler.id} does not hold {target.id}", rule)
    kind = str(fight.figure("woa.grab.release", "action"))
    yield ActionSpent(who=grappler.id, kind=kind, what="let go", cites=(rule,))
    yield from end_hold(fight, grappler, target, "lets go", rule)


def falls_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the hands of a holder open who has just fallen."""
    for target in holding(fight, combatant):
        rule = fight.rule("woa.grab.success")
        yield from end_hold(fight, combatant, target, f"{combatant.id} is down", rule)


def end_holds_out_of_reach(fight: Fight) -> Steps[None]:
    """At a round's end, end the holds of those who are out of reach of whom they hold."""
    rule = fight.rule("woa.grab.success")
    for combatant in list(fight.state.combatants.values()):
        if GRABBING not in combatant.conditions:
            continue
        for target in holding(fight, combatant):
            if distance(combatant, target) > max(combatant.reach, SQUARE_FT):
                yield from end_hold(fight, combatant, target, "out of reach", rule)
