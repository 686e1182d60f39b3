"""Hide, Search and Study: who is hidden, what ends it, and who is found."""

from typing import Final, Literal

from msgspec.structs import replace

from affray.engine.dialects.srd52 import test
from affray.engine.dialects.srd52.classes import skill_parts
from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.gear import spend_bonus_first
from affray.engine.dialects.srd52.position import cover_of, is_ground
from affray.engine.dialects.srd52.senses import (
    HEAVILY,
    HIDING,
    LIGHTLY,
    could_see,
    in_sight,
    obscurement_of,
    sees,
    sight_topics,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel import checks
from affray.engine.kernel.actions import spend
from affray.engine.kernel.places import squares_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name, Number
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

HIDDEN: Final = "hidden"
"""The condition of a hidden combatant; its level is the DC of the check that finds it."""

COVERS: Final = ("three-quarters", "total")
"""Cover that is enough to hide behind."""


# --- Hiding


def hide(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide: an action and a Stealth check, out of every enemy's sight. The total is the DC to be found."""
    actor, rule = fight.combatant(act.actor), fight.rule("senses.hide-requirements")
    if HIDDEN in actor.conditions:
        raise Refusal(f"{actor.id} is hidden already", rule)
    for enemy in fight.enemies(actor):
        if incapacitating(enemy):
            continue
        covered = cover_of(fight, enemy, actor)[0] in COVERS or not in_sight(fight, enemy, actor)
        if not covered and obscurement_of(fight, enemy, actor) != HEAVILY:
            raise Refusal(f"nothing hides {actor.id} from {enemy.id}", rule)
        if sees(fight, enemy, actor):
            raise Refusal(f"{enemy.id} sees {actor.id}", rule)
    topic = "senses.hide-check"
    yield spend_bonus_first(fight, actor, "hide", "hide", rule)
    number, cites = fight.figure(topic, "dc"), (*fight.rules(topic), rule)
    if fight.option("hide_against") == "passive-perception":
        number = 0  # only the enemies that notice it decide
    if any("unconscious" in one.conditions for one in fight.enemies(actor)):
        cites = (*cites, fight.rule("conditions.unconscious-unaware"))
    total = yield from test.total_of_check(fight, actor, "stealth", number, why="hide", cites=cites)
    if total < number:
        return
    cites = fight.rules("senses.hide-result")
    yield ConditionGained(who=actor.id, condition=HIDDEN, source=HIDING, level=total, cites=cites)
    if "invisible" not in actor.conditions:
        yield from checks.gain(fight, actor, "invisible", HIDING)
    if fight.option("passive_finds_hidden") != "never":
        yield from notice(fight, actor)


def notice(fight: Fight, hidden: Combatant) -> Steps[None]:
    """Let an enemy find a hidden combatant whose passive Perception reaches the total."""
    for enemy in fight.enemies(hidden):
        if HIDDEN not in hidden.conditions:
            return
        passive = passive_perception(fight, enemy, hidden)
        if not incapacitating(enemy) and passive >= hidden.conditions[HIDDEN].level:
            why = f"{enemy.id} notices it (passive Perception {passive})"
            yield from reveal(fight, hidden, why, "senses.passive-perception")


def passive_perception(fight: Fight, combatant: Combatant, hidden: Combatant) -> int:
    """Return a combatant's passive Perception, as sight and conditions let it notice another."""
    topic = "senses.passive-perception"
    parts = [*skill_parts(fight, combatant, "perception"), *test.exhaustion(fight, combatant)]
    sources = [*parts, *test.sources_for_checks(fight, combatant), *obscured(fight, combatant, hidden)]
    kinds = {one.kind for one in sources}
    total: int = fight.formula(topic, "formula") + sum(one.value for one in parts)
    if test.ADVANTAGE in kinds and test.DISADVANTAGE in kinds:
        return total
    more = int(fight.figure(topic, "advantage"))
    return total + more * (test.ADVANTAGE in kinds) - more * (test.DISADVANTAGE in kinds)


def obscured(fight: Fight, viewer: Combatant, other: Combatant) -> list[Modifier]:
    """Return what dim light, fog and rain do to a check to see a creature, as a part or none."""
    if obscurement_of(fight, viewer, other) == LIGHTLY:
        rain = any(is_ground(fight, at, "environment.heavy-precipitation") for at in squares_of(other))
        topic = "environment.heavy-precipitation" if rain else "senses.lightly-obscured"
        return [test.source(fight, topic, "perception", "lightly obscured")]
    return []


# --- What ends hiding


def reveal(fight: Fight, combatant: Combatant, why: str, *topics: str) -> Steps[None]:
    """End hiding, and the Invisible condition that came with it; nothing if the combatant is not hidden."""
    if HIDDEN not in combatant.conditions:
        return
    cites = fight.rules("senses.hide-ends", *topics)
    yield ConditionLost(who=combatant.id, condition=HIDDEN, why=why, cites=cites)
    veil = combatant.conditions.get("invisible")
    if veil is not None and veil.source == HIDING:
        yield ConditionLost(who=combatant.id, condition="invisible", why=why, cites=cites)


def in_plain_view(fight: Fight, combatant: Combatant) -> str:
    """Return an enemy that would see a hidden combatant if it looked; "" for none."""
    if HIDDEN not in combatant.conditions:
        return ""
    veil = combatant.conditions.get("invisible")
    if veil is not None and veil.source != HIDING:
        return ""
    for enemy in fight.enemies(combatant):
        covered = cover_of(fight, enemy, combatant)[0] in COVERS
        if not incapacitating(enemy) and could_see(fight, enemy, combatant) and not covered:
            return str(enemy.id)
    return ""


def end_of_move(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End hiding where a move or turn ends in an enemy's clear view, unless only listed events end it."""
    if fight.option("hide_lost_on_exposure") == "only-listed-events":
        return
    if seen_by := in_plain_view(fight, combatant):
        yield from reveal(fight, combatant, f"{seen_by} sees it")


def is_shown_at_once(fight: Fight, mover: Combatant, there: Square) -> bool:
    """Return whether a hidden mover is seen as it comes to a square, by the reading in force."""
    if HIDDEN not in mover.conditions or fight.option("hide_lost_on_exposure") != "immediately-in-sight":
        return False
    return bool(in_plain_view(fight, replace(mover, at=there)))


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something, which costs nothing and is louder than a whisper, or give a sign, which is not."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.communicate")
    if not fight.dialect.kernel.can_act(fight, actor):
        raise Refusal(f"{actor.id} cannot speak now", rule)
    what = "gives a sign" if act.gesture else "says"
    yield RuleApplied(who=actor.id, what=f"{what}: {act.words}", cites=(rule,))
    if not act.gesture:
        yield from reveal(fight, actor, "it speaks aloud")


# --- Search and Study


class Search(acts.Act, frozen=True, gc=False, tag="srd52.search"):
    """Look for what is not obvious with a Wisdom check, a hidden combatant first of all.

    target: the hidden combatant that is looked for; empty for something else.
    skill: the skill of the check.
    sense: the sense that it relies on.
    dc: the DC of the check for something else.
    """

    target: Name = ""
    skill: Literal["perception", "insight", "medicine", "survival"] = "perception"
    sense: Literal["sight", "hearing"] = "sight"
    dc: Number = 0


def search(fight: Fight, act: Search) -> Steps[None]:
    """Make the check of the Search action; a success finds the hidden."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.search")
    hidden = fight.combatant(act.target) if act.target else None
    if hidden is not None and HIDDEN not in hidden.conditions:
        raise Refusal(f"{hidden.id} is not hidden", fight.rule("senses.find-hidden"))
    if hidden is not None and act.skill != "perception":
        raise Refusal("the hidden are found by perception", fight.rule("senses.find-hidden"))
    if hidden is None and not act.dc:
        raise Refusal("a search needs a target or a DC", rule)
    yield spend(fight, actor, "action", "search", rule)
    number = hidden.conditions[HIDDEN].level if hidden is not None else act.dc
    topics = ["senses.find-hidden", *sight_topics(fight, actor, hidden)] if hidden is not None else []
    cites = fight.rules("turns.search", *topics)
    sources = obscured(fight, actor, hidden) if hidden is not None and act.sense == "sight" else []
    found = yield from test.check(
        fight, actor, act.skill, number, *sources, why="search", sense=act.sense, cites=cites
    )
    if found and hidden is not None:
        yield from reveal(fight, hidden, f"{actor.id} finds it", "senses.find-hidden")


class Study(acts.Act, frozen=True, gc=False, tag="srd52.study"):
    """Recall or work something out with an Intelligence check.

    skill: the skill of the check.
    dc: the DC of the check.
    spell: an ongoing spell to be recognized by its effects, with arcana; then its DC is that of the rule.
    """

    skill: Literal["arcana", "history", "investigation", "nature", "religion"] = "investigation"
    dc: Number = 0
    spell: Name = ""


def study(fight: Fight, act: Study) -> Steps[None]:
    """Make the check of the Study action."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.study")
    skill, number, topics = act.skill, act.dc, ["turns.study"]
    if act.spell:
        topics.append("magic.identify-ongoing")
        skill, number = "arcana", fight.figure("magic.identify-ongoing", "dc")
        going_on = {
            effect.modifier.source for one in fight.state.combatants.values() for effect in one.effects
        }
        if act.spell not in going_on | {area.what for area in fight.state.areas.values()}:
            raise Refusal(f"no {act.spell} is going on", fight.rule("magic.identify-ongoing"))
    yield spend(fight, actor, "action", "study", rule)
    why = act.spell or "study"
    yield from test.check(fight, actor, skill, number, why=why, cites=fight.rules(*topics))
