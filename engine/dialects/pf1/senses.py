"""Senses: light, sight, concealment, hiding and seeking."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.afflictions import SEEING_IN_THE_DARK
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Side
from affray.engine.rules.attacks.declared_blow import fight_defensively
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.classes.sheets import has_feat, has_trait, natures_of
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.gear.splash_weapons import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.opposed_checks import make_contest_fact, side_of
from affray.engine.rules.movement import movement
from affray.engine.rules.position.places import cover_between, sees
from affray.engine.rules.senses.hidden import (
    HIDDEN,
    hidden_from,
    is_hidden_from,
    knowledge_of_square,
    knows_square,
)
from affray.engine.rules.senses.senses import strike_nobody, unseen_in_square
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import ContestResolved, EffectEnded, EffectGained, Until
from affray.events.facts.flow import Rolled, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant, Effect

# --- Attacking a square where the attacker guesses an unseen enemy (pf1.concealment)

ATTACK_SQUARE_TOPIC: Final = "pf1.concealment"


def is_guess(fight: Fight, act: acts.Attack, *given: object) -> bool:
    """Return whether an attack is at a square: a splash weapon is thrown at its corner."""
    return act.at is not None and SPLASH not in weapon_of(fight, act).traits


def who_is_there(fight: Fight, act: acts.Attack) -> acts.Attack:
    """Return an attack on a square as one at its unseen occupant; unchanged if there is none."""
    if act.at is None or not is_guess(fight, act):
        return act
    actor = fight.combatant(act.actor)
    there = unseen_in_square(
        fight, actor, act.at, lambda one: is_unseen(fight, actor, one), fight.rule(ATTACK_SQUARE_TOPIC)
    )
    return act if there is None else replace(act, target=there.id, at=None)


def strike_at_nobody(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack a square without an unseen occupant: the wrong guess costs the attack."""
    actor, weapon = fight.combatant(act.actor), weapon_of(fight, act)
    meant = Blow(actor, actor, weapon, not act.thrown and weapon.wield != "projectile", 0)
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (meant,))
    striking = strike_nobody(fight, act, act.at or actor.at, fight.rule(ATTACK_SQUARE_TOPIC))
    yield next(striking)
    yield from pledged
    if act.defensively:
        yield from fight_defensively(fight, actor)
    yield from striking


def weapon_of(fight: Fight, act: acts.Attack) -> Weapon:
    """Return the weapon of an attack."""
    return find_weapon(fight, fight.combatant(act.actor), act.weapon)


def is_located(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant sees where another is, or has pinpointed it.

    pf1.concealment, pf1.skill.stealth, pf1.invisibility.perception-table.
    """
    if not (combatant.conditions or combatant.effects or other.conditions or other.effects):
        return not fight.field.concealing or not is_unseen(fight, combatant, other)
    return knows_square(combatant, other) or not is_unseen(fight, combatant, other)


def is_unseen(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Return whether a combatant has total concealment from another, or has hidden from it."""
    if is_hidden_from(other, viewer):
        return True
    feet = distance(viewer, other)
    blow = Blow(viewer, other, unarmed(fight, viewer), False, feet)
    percent, _, _ = fight.dialect.attacks.miss_chance(fight, blow)
    return bool(percent >= fight.figure(ATTACK_SQUARE_TOPIC, "total"))


# --- A coup de grace at a victim with total concealment takes two full rounds (pf1.coup-de-grace)

FINISHING_TOPIC: Final = "pf1.coup-de-grace"
#: The stat of the effect of a round spent on finding such a victim.
FOUND: Final = "located"


def find_victim_first(fight: Fight, act: acts.CoupDeGrace) -> Steps[None] | None:
    """Find a totally concealed victim of a coup de grace, None if it is seen or was found a round before."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    blow = Blow(actor, target, find_weapon(fight, actor, act.weapon), True, distance(actor, target))
    percent, _, _ = fight.dialect.attacks.miss_chance(fight, blow)
    concealed = percent >= fight.figure(ATTACK_SQUARE_TOPIC, "total")
    rounds = [one for one in actor.effects if one.stat == FOUND and one.against == target.id]
    if not concealed or len(rounds) >= fight.figure(FINISHING_TOPIC, "concealed_rounds") - 1:
        return None
    return find_victim(fight, actor, target)


def find_victim(fight: Fight, actor: Combatant, target: Combatant) -> Steps[None]:
    """Spend a full round on finding a helpless victim, which can be finished in the next one."""
    rule = fight.rule(FINISHING_TOPIC)
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    yield spending(fight, actor, "full-round", f"locates {target.id}", rule)
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{FOUND}",
        stat=FOUND,
        modifier=Modifier(0, FOUND, f"{target.id} located", rule),
        until=Until("turn-end", actor.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )


# --- Light: combatants hidden by dim light and darkness, and senses that ignore them (pf1.light.levels)
# pf1.concealment.ignore.

LIGHT_TOPIC, IGNORED = "pf1.light.levels", "pf1.concealment.ignore"
DIM, DARK = "in dim light", "in darkness"
#: The figure of each level of light that hides.
LEVELS: Final = {DARK: "dark", DIM: "dim"}
_FEET = re.compile(r"\d+")


def light_on(combatant: Combatant) -> str:
    """Return the level of light that hides a combatant, "" for clear light."""
    return next((level for level in LEVELS if level in combatant.conditions), "")


def darkvision(fight: Fight, combatant: Combatant) -> int:
    """Return how many feet a combatant sees in the dark; the usual range if the sheet names none."""
    for detail in details_of("darkvision", combatant.sheet.traits):
        found = _FEET.search(detail)
        return int(found.group()) if found else int(fight.figure(IGNORED, "darkvision_ft"))
    rule = rule_of_nature(combatant)
    return int(fight.figure(rule, "darkvision_ft")) if rule else 0


def rule_of_nature(combatant: Combatant) -> str:
    """Return the rule by which a combatant has darkvision by its nature, "" for none."""
    return next((SEEING_IN_THE_DARK[one] for one in natures_of(combatant) if one in SEEING_IN_THE_DARK), "")


def sees_through(fight: Fight, observer: Combatant, feet: int, level: str) -> bool:
    """Return whether a combatant sees that far in dim light or darkness: by darkvision.

    Low-light vision only sees a light from farther away; a target in dim light is hidden from it too
    (pf1.concealment.ignore, pf1.light.levels).
    """
    most = darkvision(fight, observer)
    return most > 0 and feet <= most


def hidden_by_light(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the greater of a miss chance and of the target's concealment by light (pf1.light.levels)."""
    level = light_on(blow.target)
    if not level or sees_through(fight, blow.attacker, distance(blow.attacker, blow.target), level):
        return found
    percent = int(fight.figure(LIGHT_TOPIC, LEVELS[level]))
    return max(found, (percent, f"{blow.target.id} is {level}", LIGHT_TOPIC), key=itemgetter(0))


def cite_keen_sight(fight: Fight, blow: Blow) -> list[Modifier]:
    """Cite the rule by which the light on the target does not hide it from its attacker."""
    level = light_on(blow.target)
    if level and sees_through(fight, blow.attacker, distance(blow.attacker, blow.target), level):
        blow.cites.append(fight.rule(IGNORED))
        if not tuple(details_of("darkvision", blow.attacker.sheet.traits)):
            blow.cites.append(fight.rule(rule_of_nature(blow.attacker)))
    return []


def blind_in_the_dark(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is in a darkness in which it sees nothing."""
    return DARK in combatant.conditions and not darkvision(fight, combatant)


def refuse_step_in_the_dark(fight: Fight, actor: Combatant, act: acts.Step) -> None:
    """Refuse a 5-foot step to whoever sees nothing in the dark (pf1.five-foot-step)."""
    if blind_in_the_dark(fight, actor):
        raise Refusal(f"{actor.id} cannot take a 5-foot step in the dark", fight.rule("five-foot-step"))


def sees_foe(fight: Fight, combatant: Combatant, enemy: Combatant) -> bool:
    """Return whether a combatant sees an opponent: not if that is invisible, in the dark, or behind a wall.

    Withdrawing is safe from those alone that are seen (pf1.withdraw).
    """
    if "invisible" in enemy.conditions and not has_trait(combatant, "see invisibility"):
        return False
    dark = DARK in enemy.conditions and not sees_through(fight, combatant, distance(combatant, enemy), DARK)
    return not dark and sees(fight, combatant, enemy)


def denied_in_the_dark(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity bonus: if it sees nothing in the dark.

    Uncanny dodge keeps it (pf1.light.levels, pf1.uncanny-dodge).
    """
    target = blow.target
    if denied[0] or not blind_in_the_dark(fight, target):
        return denied
    return denied if fight.dialect.defense.uncanny_dodge(fight, target) else (DARK, LIGHT_TOPIC)


def defense_in_the_dark(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty of darkness on the Armor Class of a target that sees nothing in it
    (pf1.light.levels).
    """
    if not blind_in_the_dark(fight, blow.target):
        return []
    return [fight.modifier(LIGHT_TOPIC, "ac", kind="penalty", source=DARK)]


# --- Stealth against Perception, and awareness of opponents
# pf1.skill.stealth, pf1.surprise.awareness-checks.

STEALTH: Final = "pf1.skill.stealth"
AWARENESS: Final = "pf1.surprise.awareness-checks"
#: The conditions that dull the senses, and their penalty on an opposed Perception check.
DULLED: Final = {"blinded": "skills", "deafened": "perception", "dazzled": "perception"}


def stealth_side(fight: Fight, hider: Combatant, more: Sequence[Modifier] = ()) -> Side:
    """Return the Stealth check of a combatant, with further modifiers (pf1.skill.stealth)."""
    parts = skill_parts(fight, hider, "stealth", "dex", fight.rule(STEALTH))
    return side_of(fight, hider, "stealth", [*parts, *more])


def perception_side(fight: Fight, watcher: Combatant) -> Side:
    """Return the Perception check of a combatant against Stealth, worse without a sense or with a weaker one.

    pf1.cond.blinded, pf1.cond.deafened, pf1.cond.dazzled.
    """
    parts = skill_parts(fight, watcher, "perception", "wis", fight.rule(STEALTH))
    for name, figure in DULLED.items():
        if name in watcher.conditions:
            parts.append(fight.modifier(f"pf1.cond.{name}", figure, kind="penalty", source=name))
    return side_of(fight, watcher, "perception", parts)


def judge_of_stealth(
    fight: Fight, mine: Side, rolled: Rolled, theirs: Side, *cites: str
) -> Callable[[str, int], ContestResolved]:
    """Return a judge of a Perception roll: it must beat the Stealth, not equal it."""
    stack = fight.dialect.attacks.stack
    own, other = stack(fight, mine.parts), stack(fight, theirs.parts)

    def judge(_key: str, face: int) -> ContestResolved:
        total, against = rolled.total + own.total, face + other.total
        return make_contest_fact(
            "stealth", (mine, own, total), (theirs, other, against), total >= against, *cites
        )

    return judge


def settle_awareness(fight: Fight, act: acts.Begin) -> Steps[tuple[str, ...]]:
    """Return the unaware: those that the game master names, and those that notice none of their opponents.

    A stealthy combatant rolls Stealth once; opponents without a visible enemy roll Perception once, against
    all of them (pf1.surprise.awareness-checks).
    """
    for id in act.stealthy:
        if id in act.unaware:
            raise Refusal(f"{id} is stealthy and aware of its opponents", fight.rule(AWARENESS))
    sides = {id: stealth_side(fight, fight.combatant(id)) for id in act.stealthy}
    return noticing_none(fight, act, sides)


def noticing_none(fight: Fight, act: acts.Begin, sides: dict[str, Side]) -> Steps[tuple[str, ...]]:
    """Roll the checks of both sides; return the unaware."""
    unaware = [id for id in fight.state.combatants if id in act.unaware]
    rolls: dict[str, Rolled] = {}
    for watcher in find_watchers(fight, act):
        foes = fight.enemies(watcher)
        if is_down(fight, watcher):
            unaware.append(watcher.id)
            continue
        for foe in foes:
            if foe.id not in rolls:
                rolls[foe.id] = yield Roll(foe.id, "stealth", "1d20")
        theirs = perception_side(fight, watcher)
        judging = partial(judge_of_stealth, fight)
        cites = fight.rules(AWARENESS, STEALTH)
        judges = {foe.id: judging(sides[foe.id], rolls[foe.id], theirs, *cites) for foe in foes}
        seen = yield Roll(watcher.id, "perception", "1d20", judges)
        facts = [judge(seen.key, seen.total) for judge in judges.values()]
        yield from facts
        if all(fact.won for fact in facts):
            unaware.append(watcher.id)
    return tuple(unaware)


def find_watchers(fight: Fight, act: acts.Begin) -> list[Combatant]:
    """Return those that must notice a combatant: all their opponents are stealthy."""
    everybody = fight.state.combatants.values()
    return [
        one
        for one in everybody
        if one.id not in act.unaware
        and (foes := fight.enemies(one))
        and all(foe.id in act.stealthy for foe in foes)
    ]


# --- Looking for the hidden or invisible, by Perception (pf1.invisibility.perception-table)

TABLE: Final = "pf1.invisibility.perception-table"
#: The ten feet by which distance is counted.
STRETCH: Final = 10
#: The longest reach of an invisible attacker whose square becomes known.
SHORT_REACH: Final = 5


def look_for(fight: Fight, act: acts.Seek) -> Steps[None]:
    """Try to notice a combatant: a move action, in reaction no action.

    An invisible target is noticed by the table's DC, and its square with 20 more; a hiding one by a result
    that beats its Stealth (pf1.invisibility.perception-table, pf1.skill.stealth).
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
    """Return whether a combatant is invisible to another."""
    return "invisible" in target.conditions and not has_trait(actor, "see invisibility")


def notice_unseen(
    fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek, hides: list[Effect]
) -> Steps[None]:
    """Notice an invisible combatant, or by a higher margin its square."""
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
    """Return the DC to notice an invisible creature: by its acts, its distance, and obstacles in between.

    If it uses Stealth its result plus 20 replaces the base.
    """
    dc = int(fight.figure(TABLE, "base"))
    if hides:
        dc = max(one.modifier.value for one in hides)
        dc += int(str(fight.figure(TABLE, "using Stealth")).rpartition("+")[2])
    dc += sum(int(fight.figure(TABLE, row)) for row in bearing(fight, target))
    dc += distance(actor, target) // STRETCH * int(fight.figure(TABLE, "per_10ft"))
    return dc + (int(fight.figure(TABLE, act.through)) if act.through else 0)


def bearing(fight: Fight, target: Combatant) -> list[str]:
    """Return the rows of the table for an invisible creature's behavior: its acts, and its pace."""
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
    """Notice a hiding combatant, by a result that beats its Stealth."""
    mine = perception_side(fight, actor)
    own = fight.dialect.attacks.stack(fight, mine.parts)
    well = max(one.modifier.value for one in hides)
    hider = fight.dialect.attacks.stack(fight, [])

    def judge(_key: str, face: int) -> ContestResolved:
        total = face + own.total
        theirs = Side(target, [])
        rule = fight.rule(STEALTH)
        return make_contest_fact("perception", (mine, own, total), (theirs, hider, well), total > well, rule)

    fact = yield from judged(actor.id, "perception", judge)
    for one in hides if fact.won else ():
        yield EffectEnded(who=target.id, id=one.id, why=f"{actor.id} has noticed", cites=fight.rules(STEALTH))


def locate_striker(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Reveal the square of an invisible attacker of a short reach to its target, until it moves."""
    attacker, target = blow.attacker, blow.target
    if not hit or not is_unseen_by(target, attacker) or not blow.melee:
        return
    if attacker.reach <= SHORT_REACH and not blow.weapon.reach and not knows_square(target, attacker):
        yield knowledge_of_square(fight, target, attacker, TABLE)


def cite_known_square(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the miss chance unchanged: it still applies against a found target that is invisible.

    pf1.invisibility.perception-table.
    """
    if knows_square(blow.attacker, blow.target):
        blow.outcome.miss_chance_cites += fight.rules(TABLE)
    return found


# --- Hiding by Stealth: places, enemies, the result, and how it ends (pf1.skill.stealth)

IMPROVED: Final = "pf1.cover.improved"
UNSEEN: Final = "pf1.concealment.ignore"
#: The stat of the effect of a combatant that has shot from hiding in this turn.
SHOT: Final = "shot from hiding"
SNIPE: Final = "snipe"
#: States that exclude hiding.
RUSHING: Final = ("running", "charging")


def hide_by_stealth(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide from every opponent: as part of a move along `path`, or as a move action after a shot.

    One Stealth check against the Perception of each that could see the place; it takes cover or concealment
    there (pf1.skill.stealth).
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
    """Refuse to hide while running or charging, and to snipe without a shot from hiding."""
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
    """Yield the modifiers of a Stealth check: the pace, a shot just before, invisibility.

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
    """Return the topics of what allows hiding from an enemy here, () for nothing; soft cover does not.

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
    """Yield the bonus of improved cover to a Stealth check (pf1.cover.improved)."""
    if "improved cover" in actor.conditions:
        yield fight.modifier(IMPROVED, "stealth", kind="circumstance", source="improved cover")


def shoot_from_hiding(fight: Fight, blow: Blow) -> Steps[None]:
    """Record a shot from hiding on the combatant's turn, which ends the hiding: it may snipe after it.

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


def explain_unnoticed(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why there is no attack of opportunity: the attacker has not noticed the target."""
    if blow.target.effects and is_hidden_from(blow.target, blow.attacker):
        return f"{blow.attacker.id} has not noticed {blow.target.id}", STEALTH
    return "", ""
