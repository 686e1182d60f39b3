"""Hiding by Stealth: where, from whom, how well, and what ends it (pf1.skill.stealth)."""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.pf1.senses.notice import STEALTH, judge_of_stealth, perception_side, stealth_side
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement import movement
from affray.engine.rules.position.cover_between import cover_between
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.senses.hidden import HIDDEN, hidden_from, is_hidden_from
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Roll, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

IMPROVED: Final = "pf1.cover.improved"
UNSEEN: Final = "pf1.concealment.ignore"
#: The stat of the effect of who has shot from hiding in this turn.
SHOT: Final = "shot from hiding"
SNIPE: Final = "snipe"
#: What one does not hide while doing.
RUSHING: Final = ("running", "charging")


def hide_by_stealth(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide from every opponent: as part of a move along `path`, or as a move action after a shot.

    One Stealth check against the Perception of each who could see the place; there it takes cover or
    concealment (pf1.skill.stealth).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(STEALTH)
    check_turn(fight, actor)
    refuse_down(fight, actor, "hide")
    refuse_to_hide(fight, actor, act)
    if act.path:
        movement.refuse_after_step(fight, actor)
        movement.refuse_prone(fight, actor)
        movement.refuse_path(fight, actor, act.path, movement.speed(fight, actor), rule)
    if act.path or act.how == SNIPE:
        yield spending(fight, actor, "move", "hides", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, actor, act.path, "hiding", rule)):
        return
    sniping = act.how == SNIPE
    for effect in actor.effects:
        if effect.stat == SHOT:
            yield EffectEnded(who=actor.id, id=effect.id, why="hides again", cites=(rule,))
    watching = [one for one in fight.enemies(actor) if not is_down(fight, one) and sees(fight, one, actor)]
    rolled = None
    for enemy in watching:
        topics = place_to_hide(fight, actor, enemy)
        near = sniping and distance(actor, enemy) < fight.figure(STEALTH, "snipe_min_ft")
        if not topics or near:
            why = "is too near" if near else "sees the place"
            yield RuleApplied(who=actor.id, what=f"no hiding from {enemy.id}, who {why}", cites=(rule,))
            continue
        if rolled is None:
            rolled = yield Roll(actor.id, "stealth", "1d20")
        mine = stealth_side(
            fight, actor, [*parts_of_stealth(fight, actor, act), *better_cover(fight, actor, enemy)]
        )
        theirs = perception_side(fight, enemy)
        judge = judge_of_stealth(fight, mine, rolled, theirs, *fight.rules(STEALTH, *topics))
        fact = yield from judged(enemy.id, "perception", judge)
        if fact.won:
            yield hidden_from(fight, actor, enemy, rule, fact.total)


def refuse_to_hide(fight: Fight, actor: Combatant, act: acts.Hide) -> None:
    """Refuse to hide while running or charging, and to snipe without a shot out of hiding."""
    rule = fight.rule(STEALTH)
    rushing = next((name for name in RUSHING if name in actor.conditions), "")
    if rushing:
        raise Refusal(f"{actor.id} is {rushing} and cannot hide", rule)
    shot = any(effect.stat == SHOT for effect in actor.effects)
    if act.how == SNIPE and not shot:
        raise Refusal(f"{actor.id} has not shot from hiding", rule)
    if act.how != SNIPE and shot:
        raise Refusal(f"{actor.id} has attacked from hiding: only a sniper hides again so soon", rule)


def parts_of_stealth(fight: Fight, actor: Combatant, act: acts.Hide) -> Iterator[Modifier]:
    """Yield what changes a Stealth check: the pace, a shot just now, invisibility.

    pf1.skill.stealth, pf1.concealment.ignore.
    """
    if "invisible" in actor.conditions:
        moving = "stealth_moving" if actor.spent.get("feet") else "stealth_still"
        yield fight.modifier(UNSEEN, moving, kind="circumstance", source="invisible")
    if 2 * actor.spent.get("feet", 0) > movement.speed(fight, actor):
        yield fight.modifier(STEALTH, "over_half", kind="penalty", source="over half speed")
    if act.how == SNIPE:
        yield fight.modifier(STEALTH, SNIPE, kind="penalty", source="sniping")


def place_to_hide(fight: Fight, actor: Combatant, enemy: Combatant) -> tuple[str, ...]:
    """Return the topics of what lets one hide from an enemy here, () for nothing; soft cover does not.

    pf1.cover.ranged, pf1.cover.partial, pf1.cover.improved, pf1.concealment.
    """
    blow = Blow(enemy, actor, unarmed(fight, enemy), False, distance(enemy, actor))
    percent, _, topic = fight.dialect.attacks.miss_chance(fight, blow)
    if percent:
        return (topic,)
    for condition, cover in (("improved cover", IMPROVED), ("partial cover", "pf1.cover.partial")):
        if condition in actor.conditions:
            return (cover,)
    return ("pf1.cover.ranged",) if cover_between(fight, enemy, actor, False).kind == "cover" else ()


def better_cover(fight: Fight, actor: Combatant, enemy: Combatant) -> Iterator[Modifier]:
    """Yield what improved cover adds to a Stealth check (pf1.cover.improved)."""
    if "improved cover" in actor.conditions:
        yield fight.modifier(IMPROVED, "stealth", kind="circumstance", source="improved cover")


def shoot_from_hiding(fight: Fight, blow: Blow) -> Steps[None]:
    """Note that somebody shoots out of hiding on its turn, which the shot ends: it may snipe after it.

    pf1.skill.stealth.
    """
    attacker, rule = blow.attacker, fight.rule(STEALTH)
    if fight.state.active == attacker.id and any(effect.stat == HIDDEN for effect in attacker.effects):
        yield EffectGained(
            who=attacker.id,
            id=f"{fight.declaration}:{SHOT}",
            stat=SHOT,
            modifier=Modifier(0, SHOT, SHOT, rule),
            until=Until("turn-end", attacker.id, fight.state.round),
            cites=(rule,),
        )


def unnoticed_attacker(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity: it has not noticed the attacker (pf1.skill.stealth).

    Uncanny dodge keeps it, and in melee Blind-Fight does (pf1.uncanny-dodge, pf1.feat.blind-fight).
    """
    if denied[0] or not is_hidden_from(blow.attacker, blow.target):
        return denied
    if fight.dialect.defense.uncanny_dodge(fight, blow.target):
        return denied
    if blow.melee and has_feat(blow.target, "blind-fight"):
        return denied
    return "attacker hidden", STEALTH


def why_unnoticed(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that nobody takes an attack of opportunity against whom it has not noticed."""
    if blow.target.effects and is_hidden_from(blow.target, blow.attacker):
        return f"{blow.attacker.id} has not noticed {blow.target.id}", STEALTH
    return "", ""
