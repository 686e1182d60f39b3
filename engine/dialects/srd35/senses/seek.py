"""Finding who is not seen: by eye, ear, nose or hand (srd35.invisibility.*, srd35.scent)."""

import re
from collections.abc import Iterator

from affray.engine.dialects.srd35.classes import favored_enemy
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.dialects.srd35.position.inside_objects import on_other_planes, sees_across
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.dialects.srd35.senses.hide import STRETCH, spot_parts
from affray.engine.dialects.srd35.senses.special_senses import is_within_range
from affray.engine.fight.extent import NO_STRETCH
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks.attack_roll import attack_roll
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.movement import movement
from affray.engine.rules.position.line_of_effect import line_between
from affray.engine.rules.position.place import distance, footprint, squares_of
from affray.engine.rules.senses.hidden import HIDDEN, knowledge_of_square, knows_square
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

SPOT, LISTEN, SILENCE = (
    "srd35.invisibility.spot",
    "srd35.invisibility.listen-table",
    "srd35.skill.move-silently",
)
SENSES, GROPE, STRUCK, SCENT = (
    "srd35.skill.spot-listen",
    "srd35.invisibility.grope",
    "srd35.invisibility.struck",
    "scent",
)
UNLIVING = ("undead", "construct")
_OFFSET = re.compile(r"- (\d+)")


def seek(fight: Fight, act: acts.Seek) -> Steps[None]:
    """Try to notice somebody: a move action, groping a standard one, in reaction none at all."""
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else None
    if act.sense == "grope":
        yield from grope(fight, actor, act)
        return
    topic = SENSES if act.sense != "scent" else SCENT
    if target is None:
        raise Refusal("no target is named to look for", fight.rule(topic))
    if target is actor:
        raise Refusal(f"{actor.id} need not look for itself", fight.rule(topic))
    refuse_beyond(fight, actor, target, act)
    if not act.reactive:
        yield spending(fight, actor, "move", f"looks for {target.id}", fight.rule(topic))
    yield from {"spot": by_eye, "listen": by_ear, "scent": by_nose}[act.sense](fight, actor, target, act)


def refuse_beyond(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> None:
    """Refuse what cannot be sensed: the blind see nothing, the ethereal not far, scent takes a nose.

    srd35.cond.blinded, srd35.cond.deafened, srd35.etherealness, srd35.scent, srd35.invisibility.spot.
    """
    feet = distance(actor, target)
    if "ethereal" in target.conditions and on_other_planes(actor, target) and not sees_across(actor):
        raise Refusal(
            f"nothing of {target.id}, who is ethereal, can be sensed", fight.rule("srd35.etherealness")
        )
    if act.sense == "scent":
        if not has_trait(actor, "scent"):
            raise Refusal(f"{actor.id} has no keen scent", fight.rule(SCENT))
        if not is_within_range(feet, scent_range(fight, target, act.wind)):
            raise Refusal(f"{target.id} is {feet} ft. away, too far to smell", fight.rule(SCENT))
    if act.sense == "listen" and "deafened" in actor.conditions:
        raise Refusal(f"{actor.id} is deafened and hears nothing", fight.rule("srd35.cond.deafened"))
    if act.sense != "spot":
        return
    if "blinded" in actor.conditions:
        raise Refusal(f"{actor.id} is blinded and sees nothing", fight.rule("srd35.cond.blinded"))
    if "ethereal" in actor.conditions and not is_within_range(
        feet, fight.figure("srd35.etherealness", "sight_ft")
    ):
        raise Refusal(f"{target.id} is {feet} ft. away, beyond the mist", fight.rule("srd35.etherealness"))
    if "invisible" in target.conditions and not is_within_range(feet, fight.figure(SPOT, "within_ft")):
        raise Refusal(f"{target.id} is unseen {feet} ft. away", fight.rule(SPOT))


def by_eye(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Look for somebody invisible, or for somebody who hides (srd35.invisibility.spot, srd35.skill.hide)."""
    parts = list(spot_parts(fight, actor, target, far="invisible" not in target.conditions))
    if "invisible" in target.conditions:
        dc = fight.figure(SPOT, activity_of_invisible(target))
        cites = fight.rules(SPOT, "srd35.concealment.invisible-spot")
        why = f"to notice {target.id}, invisible"
        by = yield from check_by(fight, actor, "spot", parts, dc, *cites, why=why)
        yield from tell_notice(fight, actor, target, by, SPOT)
        return
    hides = [one for one in target.effects if one.stat == HIDDEN and one.against == actor.id]
    if not hides:
        return
    hidden = skill_parts(fight, target, "hide", "dex", fight.rule("srd35.skill.hide"))
    mine, theirs = side_of(fight, actor, "spot", parts), side_of(fight, target, "hide", hidden)
    contest = yield from beats_opposed(fight, "spot", mine, theirs, *fight.rules(SENSES, "srd35.skill.hide"))
    if contest.won:
        for one in hides:
            why = f"{actor.id} has noticed"
            yield EffectEnded(who=target.id, id=one.id, why=why, cites=fight.rules("srd35.skill.hide"))


def activity_of_invisible(target: Combatant) -> str:
    """Return how an invisible creature bears itself: active, holding still, or quite immobile."""
    if "immobile" in target.conditions:
        return "immobile"
    if target.spent.get("feet") or target.spent.get("standard") or target.spent.get("full-round"):
        return "active"
    return "immobile" if nature_among(target, UNLIVING) else "still"


def tell_notice(fight: Fight, combatant: Combatant, target: Combatant, by: int, topic: str) -> Steps[None]:
    """Tell what a check has brought: that somebody is there, or by enough more in which square."""
    if by < 0:
        return
    rule = fight.rule(topic)
    if by < fight.figure(SPOT, "pinpoint"):
        yield RuleApplied(who=combatant.id, what=f"notices that {target.id} is there", cites=(rule,))
        return
    yield knowledge_of_square(fight, combatant, target, topic)


def by_ear(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Listen for somebody: distance, doors and walls, distraction and sleep make it harder.

    Who fights or speaks is heard; who moves in silence is as loud as its check and its pace
    (srd35.invisibility.listen-table, srd35.skill.move-silently, srd35.skill.spot-listen).
    """
    dc = listen_dc_row(fight, "fighting or speaking")
    cites = fight.rules(SENSES, LISTEN)
    if not (target.spent.get("standard") or target.spent.get("full-round")):
        dc = yield from dc_to_hear(fight, target)
        cites = fight.rules(SENSES, LISTEN, SILENCE)
    dc += distance(actor, target) // STRETCH * listen_dc_row(fight, "per 10 ft.")
    if act.through:
        dc += listen_dc_row(fight, f"{act.through} between")
    if "distracted" in actor.conditions:
        dc += fight.figure(SENSES, "listen_distracted")
    parts = skill_parts(fight, actor, "listen", "wis", cites[0])
    parts += favored_enemy.check_bonus_against(fight, actor, target, "listen")
    if "asleep" in actor.conditions:
        parts.append(fight.modifier(SENSES, "asleep", kind="penalty", source="asleep"))
    by = yield from check_by(fight, actor, "listen", parts, dc, *cites, why=f"to hear {target.id}")
    yield from tell_notice(fight, actor, target, by, LISTEN)


def listen_dc_row(fight: Fight, state: str) -> int:
    """Return the number in a row of the table of Listen DCs, what a pace takes off below 0."""
    rows = fight.figure(LISTEN)
    dc = next(one["dc"] for one in rows if one["state"] == state)
    if isinstance(dc, int):
        return dc
    found = _OFFSET.search(dc)
    return -int(found.group(1)) if found else 0


def dc_to_hear(fight: Fight, combatant: Combatant) -> Steps[int]:
    """Roll Move Silently for somebody and return the DC to hear it.

    An invisible creature's pace counts by the table, anybody else's by the skill.
    """
    tally = fight.stack(list(silence_parts(fight, combatant)))
    rolled = yield Roll(combatant.id, "move-silently", "1d20")
    dc = int(rolled.total + tally.total)
    if "invisible" in combatant.conditions:
        dc += listen_dc_row(fight, pace_row(fight, combatant))
    return dc


def pace_row(fight: Fight, combatant: Combatant) -> str:
    """Return the row of the table for how fast somebody has moved in its last turn."""
    if "running" in combatant.conditions or "charging" in combatant.conditions:
        return "running or charging"
    fast = 2 * combatant.spent.get("feet", 0) > movement.speed(fight, combatant)
    return "full speed" if fast else "half speed"


def silence_parts(fight: Fight, combatant: Combatant) -> Iterator[Modifier]:
    """Yield the parts of a Move Silently check (srd35.skill.move-silently)."""
    yield from skill_parts(fight, combatant, "move silently", "dex", fight.rule(SILENCE))
    if "invisible" not in combatant.conditions:
        figure = {"full speed": "over_half_speed", "running or charging": "running"}.get(
            pace_row(fight, combatant)
        )
        if figure:
            yield fight.modifier(SILENCE, figure, kind="penalty", source=pace_row(fight, combatant))
    for name, figure in (("on noisy ground", "noisy"), ("on very noisy ground", "very_noisy")):
        if name in combatant.conditions:
            yield fight.modifier(SILENCE, figure, kind="penalty", source=name)


def scent_range(fight: Fight, target: Combatant, wind: str) -> int:
    """Return how many feet away somebody can be smelt, by wind and strength of its odor."""
    feet = int(fight.figure(SCENT, wind or "ft"))
    for name, figure in (("strong scent", "strong"), ("overpowering scent", "overpowering")):
        if has_trait(target, name) or name in target.conditions:
            feet *= fight.figure(SCENT, figure)
    return feet


def by_nose(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Smell somebody: its presence, with a move action its direction, from close by its square."""
    if is_within_range(distance(actor, target), fight.figure(SCENT, "pinpoint_ft")):
        yield knowledge_of_square(fight, actor, target, SCENT)
        return
    what = f"smells that {target.id} is near"
    if not act.reactive:
        what = f"smells in which direction {target.id} is"
    yield RuleApplied(who=actor.id, what=what, cites=fight.rules(SCENT))


def grope(fight: Fight, actor: Combatant, act: acts.Seek) -> Steps[None]:
    """Feel about in two squares next to one: a touch that may miss, and finds the unseen.

    In the order in which the squares are named; whom one sees is passed over (srd35.invisibility.grope).
    """
    rule = fight.rule(GROPE)
    near = [square for square in act.at if feels_into(fight, actor, square)]
    if not act.at or near != list(act.at) or len(act.at) > fight.figure(GROPE, "squares"):
        raise Refusal(f"{actor.id} gropes in one or two squares (`at`) within its reach", rule)
    yield spending(fight, actor, "standard", "gropes about", rule)
    unseen = [one for one in fight.enemies(actor) if look(fight, actor, one, True).unseen]
    target = next((one for square in act.at for one in unseen if square in squares_of(one)), None)
    if target is None:
        yield RuleApplied(who=actor.id, what="touches nobody", cites=(rule,))
        return
    intent = Intent("grope", TOUCH_ARMOR_CLASS)
    blow = Blow(actor, target, unarmed(fight, actor), True, distance(actor, target), intent)
    if not (yield from attack_roll(fight, blow)):
        return
    percent = fight.figure(GROPE, "miss_pct")
    if not (yield from is_missed(actor, target, percent, "groping", rule)):
        yield knowledge_of_square(fight, actor, target, GROPE)


def feels_into(fight: Fight, combatant: Combatant, square: Square) -> bool:
    """Say whether a square is next to a combatant, with no wall between."""
    (x, y), side = combatant.at, combatant.space
    near = x - 1 <= square[0] <= x + side and y - 1 <= square[1] <= y + side
    return near and line_between(fight, *footprint(combatant), square, 1, NO_STRETCH)


def strikes_unseen(fight: Fight, blow: Blow, *given: object) -> bool:
    """Say whether a blow came out of nowhere for its target."""
    return look(fight, blow.target, blow.attacker, blow.melee).unseen


def locate_attacker(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a victim know where a blow out of nowhere came from: the square, or only the direction.

    srd35.invisibility.struck.
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and attacker.reach <= STRETCH // 2 and not blow.weapon.reach:
        if not knows_square(target, attacker):
            yield knowledge_of_square(fight, target, attacker, STRUCK)
        return
    what = f"knows from which direction {attacker.id} has struck"
    yield RuleApplied(who=target.id, what=what, cites=fight.rules(STRUCK))
