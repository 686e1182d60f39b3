"""What wounds do round by round: bleeding and closing (woa.bleeding.order, woa.bleeding.stop-save)."""

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.conditions.durations import a_minute
from affray.engine.dialects.woa.damage.bleeding import (
    ease_wound,
    exertion,
    severity_topic,
    stop_mildest_wounds,
    wound_held,
    wounds,
)
from affray.engine.dialects.woa.damage.fallen import die
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import Step
from affray.engine.rules.classes.ability_modifiers import ability_modifier, score_of
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import AbilityChanged
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Affliction, Combatant


def round_begins(fight: Fight) -> Steps[None]:
    """At the start of a round let wounds close, then bleed (woa.bleeding.order).

    It is asked before the budgets of the last round are renewed: what was done in it decides about the saves.
    """
    for victim in list(fight.state.combatants.values()):
        if victim.afflictions and "dead" not in victim.conditions and wounds(victim):
            yield from bleed(fight, victim, exertion(fight, victim))


def bleed(fight: Fight, victim: Combatant, effort: str) -> Steps[None]:
    """Save for each wound unless strenuous effort forbids it, then let each wound bleed."""
    several = len(wounds(victim)) > 1
    if effort == "strenuous":
        what = f"bleeds on: strenuous activity (strenuous: {fight.option('strenuous')})"
        topic = "woa.bleeding.strenuous-definition"
        if fight.option("strenuous") == "zero-hp":
            topic = "woa.zero-hp.strenuous-definition"
        yield RuleApplied(who=victim.id, what=what, cites=fight.rules("woa.bleeding.strenuous", topic))
    else:
        for wound in wounds(victim):
            yield from stanch(fight, victim, wound, effort)
    more = fight.rules("woa.bleeding.order") if effort != "strenuous" else ()
    more = (*more, *(fight.rules("woa.bleeding.multiple") if several else ()))
    for wound in wounds(victim):
        if "dead" not in victim.conditions:
            yield from lose_blood(fight, victim, wound, *more)


def stanch(fight: Fight, victim: Combatant, wound: Affliction, effort: str) -> Steps[None]:
    """Save to make a wound milder, by a step and one more for each 5 above the DC (.stop-save-margin)."""
    topic = "woa.bleeding.stop-save"
    extra: list[Modifier] = []
    cites = fight.rules(topic)
    if effort:
        light = "woa.bleeding.light-movement"
        cites = (*cites, fight.rule(light))
        extra.append(fight.modifier(light, "save", kind="penalty", source="moved last round"))
    if wound.treated > 0:
        rule = fight.rule("woa.bleeding.heal-skill")
        cites = (*cites, rule)
        extra.append(Modifier(wound.treated, "treatment", "the wound is tended", rule))
    dc = fight.figure(topic, "dc")
    saved = yield from saving_throw(fight, victim, "fort", dc, "bleeding", *cites, extra=tuple(extra))
    if not saved.success:
        if wound.treated > 0:
            yield wound_held(
                victim, wound.id, wound.rider.effect, wound.by, -1, fight.rule("woa.bleeding.heal-skill")
            )
        return
    words = str(fight.figure("woa.bleeding.stop-save-margin", "steps_on_success"))
    least, per = int(words.split()[0]), int(words.rpartition("/")[2].rstrip(")"))
    more = max(0, saved.margin) // per
    cites = fight.rules(topic, *(("woa.bleeding.stop-save-margin",) if more else ()))
    yield from ease_wound(fight, victim, wound, least + more, "closed", *cites)


def lose_blood(fight: Fight, victim: Combatant, wound: Affliction, *cites: str) -> Steps[None]:
    """Let a wound bleed for one round: its number of steps, or one on a 1 of its die."""
    severity = wound.rider.effect
    rule = fight.rule(severity_topic(severity))
    if severity.isdigit():
        yield from advance_damage_track(
            fight, victim, int(severity), f"a wound of severity {severity}", rule, *cites
        )
        return
    rolled = yield Roll(victim.id, "bleeding", severity)
    if rolled.total == 1:
        yield from advance_damage_track(fight, victim, 1, f"a {severity} wound bleeds", rule, *cites)
    else:
        yield RuleApplied(who=victim.id, what=f"the {severity} wound does not bleed", cites=(rule, *cites))


def advance_damage_track(fight: Fight, victim: Combatant, steps: int, why: str, *cites: str) -> Steps[None]:
    """Go so many steps along the Constitution damage track, to the death (woa.bleeding.con-damage).

    The track is a chapter of its own that the text does not print: see the table of that rule.
    """
    topic = "woa.bleeding.con-damage"
    each = cell(fight, topic, "name=each step", "con")
    fatal = cell(fight, topic, "name=death", "con")
    score = score_of(victim.sheet, "con")
    cites = (*cites, fight.rule(topic))
    if each is None or fatal is None or score is None:
        what = f"{why}: {steps} further on the Constitution damage track"
        yield RuleApplied(who=victim.id, what=what, cites=cites)
        return
    damage = victim.losses.get("con", 0) + steps * each.value
    left = max(0, score - damage)
    yield AbilityChanged(
        who=victim.id, ability="con", damage=damage, drain=0, score=left, why=why, cites=cites
    )
    if left <= fatal.value:
        yield from die(fight, victim, "bled to death", fight.rule(topic))


def score_steps(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return what lost points make of an ability."""
    lost = combatant.losses.get(name, 0)
    score = score_of(combatant.sheet, name)
    if not lost or score is None:
        return ()
    left = max(0, score - lost)
    rule = fight.rule("woa.bleeding.con-damage")
    return (Step(ability_modifier(score), ability_modifier(left), left, f"{lost} lost", rule),)


def rest_with_wounds(fight: Fight, victim: Combatant, rounds: int) -> Steps[None]:
    """Let rounds of rest go by: the mildest wounds stop within the minute, others go on as in combat."""
    words = str(fight.figure("woa.bleeding.out-of-combat", "rest"))
    least = int(words.split()[0]) * a_minute(fight)
    while rounds > 0 and wounds(victim) and "dead" not in victim.conditions:
        if rounds >= least:
            yield from stop_mildest_wounds(fight, victim)
        if wounds(victim):
            yield from bleed(fight, victim, "")
        rounds -= 1
