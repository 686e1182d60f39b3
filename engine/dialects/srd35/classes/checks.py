"""Checks that the game master calls for, taking 10 and 20, demoralizing, picking pockets."""

from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import beats_opposed
from affray.engine.dialects.srd35.senses import look, spot_parts
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import next_to, refuse_no_opponent
from affray.engine.record.chapters import Side
from affray.engine.rules.classes.abilities import ability_now, lost_levels, lowered
from affray.engine.rules.classes.checks import (
    NEXT_CHECK,
    SKILLS,
    check,
    check_by,
    fails_unrolled,
    skill_parts,
)
from affray.engine.rules.classes.sheets import ability, size_step
from affray.engine.rules.gear.hands import lose
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.opportunity.threatened_squares import endangers, threatens
from affray.engine.rules.turns.actions import has_acted, spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant

# --- Checks that the game master calls for: of a skill, or of an ability by its name

#: The checks that the game master may call for: a skill, or an ability by its name.
CALLED = (*SKILLS, *(name.casefold() for name in SCORES.values()))

#: The conditions in which checks that rely on a sense fail.
SENSELESS = {"spot": "blinded", "listen": "deafened"}


def called_for(fight: Fight, combatant: Combatant, skill: str, dc: int, source: str) -> Steps[bool]:
    """Roll a check that the game master calls for, of one of `CALLED`, and return whether it succeeds.

    It includes the modifiers of conditions to all skill checks, to ability checks or to this one
    (srd35.cond.*). A `source` that is the id of a combatant makes the check one about it, which may be a
    favored enemy.
    """
    full = {name.casefold(): short for short, name in SCORES.items()}
    if skill in full:
        short = full[skill]
        parts = [
            Modifier(ability(combatant.sheet, short), "ability", SCORES[short], ""),
            *lowered(fight, combatant, short),
        ]
        name = short
    elif (lost := SENSELESS.get(skill, "")) and lost in combatant.conditions:
        why = f"against {source}: {lost}, fails unrolled"
        yield fails_unrolled(combatant, skill, dc, why, fight.rule(f"cond.{lost}"))
        return False
    else:
        topic = "srd35.skill.spot-listen" if skill in ("spot", "listen") else f"skill.{skill}"
        rule = fight.rule(topic) if fight.book.has(topic) else ""
        parts, name = skill_parts(fight, combatant, skill, SKILLS[skill], rule), skill
        if source in fight.state.combatants:
            parts += abilities.check_bonus_against(fight, combatant, fight.state.combatants[source], skill)
    return (yield from check(fight, combatant, name, parts, dc, why=f"against {source}"))


# --- Demoralizing an opponent (srd35.skill.intimidate)

FEAR = "srd35.skill.intimidate"


def demoralize(fight: Fight, act: acts.Demoralize) -> Steps[None]:
    """Shake an opponent within reach that sees the actor, for a round (srd35.skill.intimidate)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(FEAR)
    refuse_no_opponent(actor, target, rule, "to demoralize")
    if not threatens(fight, actor, target):
        raise Refusal(f"{actor.id} does not threaten {target.id}", rule)
    if look(fight, target, actor, True).unseen:
        raise Refusal(f"{target.id} does not see {actor.id}", rule)
    yield spending(fight, actor, "standard", "demoralize", rule)
    immune = fight.dialect.conditions.immune_mind(fight, target, "shaken")
    if immune:
        yield RuleApplied(who=target.id, what="immune: not shaken", cites=immune)
        return
    mine = skill_parts(fight, actor, "intimidate", "cha", rule)
    steps = size_step(actor) - size_step(target)
    if steps:
        source = "larger" if steps > 0 else "smaller"
        mine.append(Modifier(fight.figure(FEAR, "size") * steps, "size difference", source, rule))
    theirs = [
        Modifier(target.sheet.hit_dice, "level", "level or Hit Dice", rule),
        *lost_levels(fight, target),
        Modifier(max(0, ability_now(fight, target, "wis")), "ability", "Wisdom", rule),
        *fight.dialect.classes.save_against_condition(fight, target, "shaken", ""),
    ]
    daring = side_of(fight, actor, "intimidate", mine)
    contest = yield from beats_opposed(fight, "demoralize", daring, Side(target, theirs), rule)
    if contest.won:
        until = for_rounds(fight, actor, fight.figure(FEAR, "rounds"))
        daunted = ConditionGained(
            who=target.id, condition="shaken", source=actor.id, until=until, cites=(rule,)
        )
        yield from fight.dialect.conditions.gain(fight, daunted)


# --- Picking pockets (srd35.skill.sleight)

SLEIGHT = "srd35.skill.sleight"


def pick_pocket(fight: Fight, act: acts.Pilfer) -> Steps[None]:
    """Take an item from a target: a standard action, or in passing at a penalty (srd35.skill.sleight).

    One check decides whether it succeeds; whether the owner notices depends on its Spot.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(SLEIGHT)
    check_turn(fight, actor)
    if not next_to(actor, target):
        raise Refusal(f"{target.id} is out of {actor.id}'s reach", rule)
    if act.item in target.held:
        raise Refusal(f"{target.id} holds the {act.item}", rule)
    if not act.fast:
        yield spending(fight, actor, "standard", "sleight of hand", rule)
    parts = skill_parts(fight, actor, "sleight of hand", "dex", rule)
    if act.fast:
        parts.append(fight.modifier(SLEIGHT, "free_penalty", kind="penalty", source="as a free action"))
    lift = fight.figure(SLEIGHT, "lift")
    by = yield from check_by(
        fight, actor, "sleight of hand", parts, lift, rule, why=f"to take the {act.item}"
    )
    spotted = yield from check_by(
        fight,
        target,
        "spot",
        list(spot_parts(fight, target, actor)),
        lift + by,
        rule,
        why="to notice the theft",
    )
    if by >= 0:
        yield from lose(fight, target, act.item, "gone", (rule,))
    what = f"notices {actor.id}'s hand" if spotted >= 0 else "notices nothing"
    yield RuleApplied(who=target.id, what=what, cites=(rule,))


# --- Checks without a die, and checks made easier or harder (srd35.check.take-10-20, .circumstance)

CHECK, DC = CHANGES = ("check", "dc")
"""The possible effects of a circumstance: on the check itself, or on its DC."""


def number_taken(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Return the steps that decide the number that a check takes; 0 means a die roll.

    Refuses to take 10 while threatened and to take 20 in a fight, as it takes twenty times as long. The game
    master decides about other distractions: then the die is rolled (srd35.check.take-10-20).
    """
    topic = "srd35.check.take-10-20"
    rule = fight.rule(topic)
    if number == fight.figure(topic, "twenty"):
        times = fight.figure(topic, "times_as_long")
        raise Refusal(f"to take {number} on {what} takes {times} times as long, which no fight allows", rule)
    if number not in (0, fight.figure(topic, "ten")):
        raise Refusal(f"a check cannot take {number}", rule)
    if number and any(endangers(fight, enemy, combatant) for enemy in fight.enemies(combatant)):
        raise Refusal(f"{combatant.id} is threatened and cannot take {number}", rule)
    return ask_whether_distracted(fight, combatant, number, what)


def ask_whether_distracted(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Ask whether the fight distracts from a check on which a combatant would take 10; return the number."""
    if not number:
        return 0
    rule = fight.rule("srd35.check.take-10-20")
    question = f"{combatant.id} would take {number} on {what}: does the fight distract?"
    answer = yield Choice("", "distracted", question, ("distracted", "calm"), rule)
    calm = bool(answer == "calm")
    said = f"takes {number} on {what}" if calm else f"is distracted and has to roll for {what}"
    yield RuleApplied(who=combatant.id, what=f"{combatant.id} {said}", cites=(rule,))
    return number if calm else 0


def circumstance(fight: Fight, act: acts.Circumstance) -> Steps[None]:
    """Carry out the game master's ruling that a combatant's next check is easier or harder by 2.

    As a modifier of the check or, with the same result, of its DC (srd35.check.circumstance).
    """
    topic = "srd35.check.circumstance"
    rule = fight.rule(topic)
    actor = fight.combatant(act.target)
    path = ("dc", int(act.hampers)) if act.changes == DC else ("check", int(act.hampers))
    part = fight.modifier(topic, *path, kind="circumstance", source=act.why or "circumstances")
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{NEXT_CHECK}",
        stat=NEXT_CHECK if act.changes == CHECK else f"{NEXT_CHECK}-dc",
        modifier=part,
        until=Until("turn-end", actor.id, fight.state.round + has_acted(fight, actor)),
        uses=1,
        cites=(rule,),
    )
