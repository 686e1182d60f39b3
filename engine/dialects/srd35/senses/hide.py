"""Hiding from sight (srd35.skill.hide, srd35.cover.hide, srd35.concealment.hide)."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.classes import favored_enemy
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.dialects.srd35.senses import light
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.movement import movement
from affray.engine.rules.position.cover_between import cover_between
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.senses.hidden import hidden_from
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC, SPOT = "srd35.skill.hide", "srd35.skill.spot-listen"
IMPROVED_COVER = "behind improved cover"
#: Ten feet, by which distance is counted off from checks.
STRETCH = 10


def hide(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide from every opponent: as part of a move along `path`, or after a shot as a move action.

    One check against the Spot of each who could see the place; there it takes cover or concealment, or that
    attention is elsewhere (srd35.skill.hide).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    check_turn(fight, actor)
    refuse_down(fight, actor, "hide")
    if act.how == "snipe" and not actor.spent.get("standard"):
        raise Refusal(f"{actor.id} has not shot from hiding", rule)
    if act.path:
        movement.refuse_after_step(fight, actor)
        movement.refuse_prone(fight, actor)
        movement.refuse_path(fight, actor, act.path, movement.speed(fight, actor), rule)
    if act.path or act.how == "snipe":
        yield spending(fight, actor, "move", "hides", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, actor, act.path, "hiding", rule)):
        return
    hiding = side_of(fight, actor, "hide", hide_parts(fight, actor, act))
    watching = [one for one in fight.enemies(actor) if not is_down(fight, one) and sees(fight, one, actor)]
    rolled = None
    for enemy in watching:
        allowed = place_to_hide(fight, actor, enemy, act)
        near = act.how == "snipe" and distance(actor, enemy) < fight.figure(TOPIC, "snipe_min_ft")
        if not allowed or near:
            why = "is too near" if near else "sees the place"
            cites = (
                fight.rules(TOPIC) if near else fight.rules(TOPIC, *rules_of_exposure(fight, actor, enemy))
            )
            yield RuleApplied(who=actor.id, what=f"no hiding from {enemy.id}, who {why}", cites=cites)
            continue
        if "blinded" not in enemy.conditions:
            if rolled is None:
                rolled = yield Roll(actor.id, "hide", "1d20")
            mine = Side(actor, [*hiding.parts, *better_cover(fight, actor, enemy)], hiding.check_name)
            theirs = side_of(fight, enemy, "spot", spot_parts(fight, enemy, actor))
            cites = fight.rules(TOPIC, SPOT, *allowed)
            contest = yield from beats_opposed(fight, "hide", mine, theirs, *cites, rolled=rolled)
            if not contest.won:
                continue
        else:
            what = f"{enemy.id} sees nothing of {actor.id}"
            yield RuleApplied(who=enemy.id, what=what, cites=fight.rules("srd35.cond.blinded"))
        yield hidden_from(fight, actor, enemy, rule)


def hide_parts(fight: Fight, actor: Combatant, act: acts.Hide) -> Iterator[Modifier]:
    """Yield the parts of a Hide check: size where the sheet has no total, pace, what else is done."""
    rule = fight.rule(TOPIC)
    yield from skill_parts(fight, actor, "hide", "dex", rule)
    size = fight.figure("srd35.size.special-modifiers", "hide", actor.sheet.size.capitalize())
    if size and "hide" not in actor.sheet.skills:
        yield Modifier(size, "size", actor.sheet.size, fight.rule("srd35.size.special-modifiers"))
    if "invisible" in actor.conditions:
        moving = "hide_moving" if act.path else "hide_stationary"
        yield fight.modifier(
            "srd35.concealment.invisible-hide", moving, kind="circumstance", source="invisible"
        )
    rushing = next((name for name in ("running", "charging") if name in actor.conditions), "")
    if rushing or act.how == "attacking":
        source = rushing or "attacking"
        yield fight.modifier(TOPIC, "fast_or_attacking", kind="penalty", source=source)
    elif 2 * actor.spent.get("feet", 0) > movement.speed(fight, actor):
        yield fight.modifier(TOPIC, "over_half_speed", kind="penalty", source="over half speed")
    if act.how in ("snipe", "distraction"):
        yield fight.modifier(TOPIC, act.how, kind="penalty", source=act.how)


def place_to_hide(fight: Fight, actor: Combatant, enemy: Combatant, act: acts.Hide) -> tuple[str, ...]:
    """Return the topics of what lets one hide from an enemy here, () for nothing.

    Soft cover does not (srd35.cover.soft-limits).
    """
    if act.how == "distraction":
        return (TOPIC,)
    found = look(fight, enemy, actor, False)
    if found.veils:
        return ("srd35.concealment.hide",)
    cover = cover_between(fight, enemy, actor, False).kind
    soft = cover == "soft" and fight.figure("srd35.cover.soft-limits", "allows_hide")
    return ("srd35.cover.hide",) if cover == "cover" or soft else ()


def rules_of_exposure(fight: Fight, combatant: Combatant, enemy: Combatant) -> tuple[str, ...]:
    """Return the topics of what leaves no place to hide: soft cover, darkvision, plain light."""
    if cover_between(fight, enemy, combatant, False).kind == "soft":
        return ("srd35.cover.soft-limits",)
    return look(fight, enemy, combatant, False).through or (light.LEVELS,)


def better_cover(fight: Fight, combatant: Combatant, enemy: Combatant) -> Iterator[Modifier]:
    """Yield what cover better than normal adds to a Hide check (srd35.cover.improved-hide)."""
    if (
        IMPROVED_COVER in combatant.conditions
        and cover_between(fight, enemy, combatant, False).kind == "cover"
    ):
        yield fight.modifier(
            "srd35.cover.improved-hide", "hide", kind="circumstance", source="improved cover"
        )


def spot_parts(fight: Fight, combatant: Combatant, other: Combatant, far: bool = True) -> Iterator[Modifier]:
    """Yield the parts of a Spot check, with distance and distraction (srd35.skill.spot-listen)."""
    rule = fight.rule(SPOT)
    yield from skill_parts(fight, combatant, "spot", "wis", rule)
    yield from favored_enemy.check_bonus_against(fight, combatant, other, "spot")
    stretches = distance(combatant, other) // STRETCH if far else 0
    if stretches:
        value = fight.figure(SPOT, "per_10ft") * stretches
        yield Modifier(value, "distance", f"{distance(combatant, other)} ft. away", rule)
    if "distracted" in combatant.conditions:
        yield fight.modifier(SPOT, "distracted", kind="penalty", source="distracted")
