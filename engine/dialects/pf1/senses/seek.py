"""Looking for those who hide or are invisible, by Perception (pf1.invisibility.perception-table)."""

from typing import Final

from affray.engine.dialects.pf1.senses.notice import STEALTH, perception_side
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.maneuvers.opposed_checks import contest_of
from affray.engine.rules.movement import movement
from affray.engine.rules.position.place import distance
from affray.engine.rules.senses.hidden import HIDDEN, knowledge_of_square, knows_square
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import ContestResolved, EffectEnded
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant, Effect

TABLE: Final = "pf1.invisibility.perception-table"
#: Ten feet, by which distance is counted.
STRETCH: Final = 10
#: What an invisible attacker's reach may be at most for its square to be known.
SHORT_REACH: Final = 5


def look_for(fight: Fight, act: acts.Seek) -> Steps[None]:
    """Try to notice somebody: a move action, in reaction none at all.

    Who is invisible is noticed by the table's DC, and its square with 20 more; who hides by a result that
    beats its Stealth (pf1.invisibility.perception-table, pf1.skill.stealth).
    """
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target)
    rule = fight.rule(TABLE)
    refuse_down(fight, actor, "notice anything")
    unseen = is_unseen_by(actor, target)
    hides = [one for one in target.effects if one.stat == HIDDEN and one.against == actor.id]
    if not unseen and not hides:
        raise Refusal(f"{target.id} is neither invisible to {actor.id} nor hidden from it", rule)
    feet = distance(actor, target)
    if unseen and feet > fight.figure(TABLE, "within_ft"):
        raise Refusal(f"{target.id} is invisible {feet} ft. away", rule)
    if not act.reactive:
        yield spending(fight, actor, "move", f"looks for {target.id}", rule)
    if unseen:
        yield from notice_unseen(fight, actor, target, act, hides)
    else:
        yield from find_hidden(fight, actor, target, hides)


def is_unseen_by(actor: Combatant, target: Combatant) -> bool:
    """Say whether a combatant is invisible to another."""
    return "invisible" in target.conditions and not has_trait(actor, "see invisibility")


def notice_unseen(
    fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek, hides: list[Effect]
) -> Steps[None]:
    """Notice that somebody invisible is there, or by enough more in which square."""
    rule = fight.rule(TABLE)
    dc = dc_to_notice(fight, actor, target, act, hides)
    parts = skill_parts(fight, actor, "perception", "wis", rule)
    why = f"to notice {target.id}, invisible"
    by = yield from check_by(fight, actor, "perception", parts, dc, rule, why=why)
    if by < 0:
        return
    if by < fight.figure(TABLE, "pinpoint"):
        yield RuleApplied(who=actor.id, what=f"notices that {target.id} is there", cites=(rule,))
        return
    for one in hides:
        yield EffectEnded(who=target.id, id=one.id, why=f"{actor.id} has noticed", cites=(rule,))
    yield knowledge_of_square(fight, actor, target, TABLE)


def dc_to_notice(
    fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek, hides: list[Effect]
) -> int:
    """Return the DC to notice an invisible creature: by what it does, how far off it is, what is between.

    Who uses Stealth has its result and 20 in place of the base.
    """
    dc = int(fight.figure(TABLE, "base"))
    if hides:
        dc = max(one.modifier.value for one in hides)
        dc += int(str(fight.figure(TABLE, "using Stealth")).rpartition("+")[2])
    dc += sum(int(fight.figure(TABLE, row)) for row in bearing(fight, target))
    dc += distance(actor, target) // STRETCH * int(fight.figure(TABLE, "per_10ft"))
    return dc + (int(fight.figure(TABLE, act.through)) if act.through else 0)


def bearing(fight: Fight, target: Combatant) -> list[str]:
    """Return the rows of the table for how an invisible creature bears itself: what it does, and its pace."""
    rows = ["in combat or speaking"] if target.spent.get("standard") or target.spent.get("full-round") else []
    feet = target.spent.get("feet", 0)
    if "running" in target.conditions or "charging" in target.conditions:
        rows.append("running or charging")
    elif feet:
        rows.append("full speed" if 2 * feet > movement.speed(fight, target) else "half speed")
    else:
        rows.append("not moving")
    return rows


def find_hidden(fight: Fight, actor: Combatant, target: Combatant, hides: list[Effect]) -> Steps[None]:
    """Notice somebody who hides, by a result that beats the Stealth with which it did."""
    mine = perception_side(fight, actor)
    own = fight.dialect.attacks.stack(fight, mine.parts)
    well = max(one.modifier.value for one in hides)
    hider = fight.dialect.attacks.stack(fight, [])

    def judge(_key: str, face: int) -> ContestResolved:
        total = face + own.total
        theirs = Side(target, [])
        rule = fight.rule(STEALTH)
        return contest_of("perception", (mine, own, total), (theirs, hider, well), total > well, rule)

    fact = yield from judged(actor.id, "perception", judge)
    for one in hides if fact.won else ():
        yield EffectEnded(who=target.id, id=one.id, why=f"{actor.id} has noticed", cites=fight.rules(STEALTH))


def locate_striker(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Let whoever is struck at by an invisible creature of a short reach know its square until it moves."""
    attacker, target = blow.attacker, blow.target
    if not hit or not is_unseen_by(target, attacker) or not blow.melee:
        return
    if attacker.reach <= SHORT_REACH and not blow.weapon.reach and not knows_square(target, attacker):
        yield knowledge_of_square(fight, target, attacker, TABLE)


def cite_known_square(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the miss chance as it is; it stays what it was against whoever was found, invisible still.

    pf1.invisibility.perception-table.
    """
    if knows_square(blow.attacker, blow.target):
        blow.outcome.miss_chance_cites += fight.rules(TABLE)
    return found
