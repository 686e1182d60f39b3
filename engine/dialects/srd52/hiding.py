"""Hide, Search and Study: who is hidden, what ends it, and who is found."""

from typing import Final, Literal

from msgspec.structs import replace

from affray.engine.dialects.srd52 import test
from affray.engine.dialects.srd52.classes import fields_of, skill_parts
from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.features import parts_of
from affray.engine.dialects.srd52.gear import spend_bonus_first
from affray.engine.dialects.srd52.position import cover_of, distance, is_ground
from affray.engine.dialects.srd52.senses import (
    HEAVILY,
    HIDING,
    LIGHTLY,
    could_see,
    obscurement_of,
    sees,
    sight_topics,
)
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.kernel import checks
from affray.engine.kernel.actions import spend
from affray.engine.kernel.places import squares_of
from affray.engine.modifiers import affected_parts
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name, Number, Words
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
    """Hide: an action and a Stealth check, out of every enemy's sight. The total is the DC to be found.

    Who sees an enemy knows whether that one sees it; an enemy that watches unseen lets it hide in vain.
    """
    actor, rule = fight.combatant(act.actor), fight.rule("senses.hide-requirements")
    if HIDDEN in actor.conditions:
        raise Refusal(f"{actor.id} is hidden already", rule)
    watching: Combatant | None = None
    for enemy in fight.enemies(actor):
        if incapacitating(enemy):
            continue
        shown = cover_of(fight, enemy, actor)[0] not in COVERS
        shown = shown and obscurement_of(fight, enemy, actor) != HEAVILY
        if not shown and not sees(fight, enemy, actor):
            continue
        if not sees(fight, actor, enemy):
            watching = enemy
        elif shown:
            raise Refusal(f"nothing hides {actor.id} from {enemy.id}", rule)
        else:
            raise Refusal(f"{enemy.id} sees {actor.id}", fight.rule("senses.hide-awareness"))
    topic = "senses.hide-check"
    yield spend_bonus_first(fight, actor, "hide", "hide", rule)
    if watching is not None:
        cites = (rule, *fight.rules("senses.hide-awareness"))
        yield RuleApplied(who=actor.id, what=f"hides in vain: {watching.id} watches unseen", cites=cites)
        return
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
    parts = [
        *skill_parts(fight, combatant, "perception"),
        *test.exhaustion(fight, combatant),
        *test.sources_for_checks(fight, combatant),
        *parts_of(fight, combatant, "on_check", "perception"),
        *obscured(fight, combatant, hidden),
    ]
    counted = [one for one in affected_parts(combatant, "perception", parts) if not one.denied]
    kinds = {one.kind for one in counted}
    total: int = fight.formula(topic, "formula") + sum(one.value for one in counted)
    if test.ADVANTAGE in kinds and test.DISADVANTAGE in kinds:
        return total
    for name in (test.ADVANTAGE, test.DISADVANTAGE):
        total += fight.figure(topic, name) if name in kinds else 0
    return total


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


# --- Telepathy


class Contact(acts.Act, frozen=True, gc=False, tag="srd52.contact"):
    """Speak to a creature in its mind, by telepathy, or answer a telepath.

    target: the creature.
    words: the words.
    over: end the contact instead.
    """

    target: Name = ""
    words: Words = ""
    over: bool = False


CONTACT: Final = "in telepathic contact"
"""The condition of a creature that a telepath, its source, has contacted."""


def contact(fight: Fight, act: Contact) -> Steps[None]:
    """Speak without a sound to a creature within range, which needs no action; only one at a time."""
    actor, rule = fight.combatant(act.actor), fight.rule("senses.telepathy-incapacitated")
    if act.over:
        yield from hang_up(fight, actor, "it is over")
        return
    target = fight.combatant(act.target)
    for one in (actor, target):
        if name := incapacitating(one):
            raise Refusal(f"{one.id} is {name}", rule)
    answers = CONTACT in actor.conditions and actor.conditions[CONTACT].source == target.id
    if not answers:
        feet = fields_of(fight, actor).telepathy
        if not feet or target is actor:
            whom = "itself" if feet else "anybody in its mind: it has no telepathy"
            raise Refusal(f"{actor.id} cannot contact {whom}", rule)
        if distance(actor, target) > feet:
            raise Refusal(f"{target.id} is beyond the {feet} ft. of the telepathy of {actor.id}", rule)
        held = target.conditions.get(CONTACT)
        if held is None or held.source != actor.id:
            yield from hang_up(fight, actor, f"{target.id} is contacted")
            yield ConditionGained(who=target.id, condition=CONTACT, source=actor.id, cites=(rule,))
    yield RuleApplied(who=actor.id, what=f"says in the mind of {target.id}: {act.words}", cites=(rule,))


def hang_up(fight: Fight, telepath: Combatant, why: str) -> Steps[None]:
    """End the contact of a telepath with another creature, if there is one."""
    for one in list(fight.state.combatants.values()):
        if CONTACT in one.conditions and one.conditions[CONTACT].source == telepath.id:
            cites = fight.rules("senses.telepathy-incapacitated")
            yield ConditionLost(who=one.id, condition=CONTACT, why=why, cites=cites)


@per_scene()
def contacts_that_end(fight: Fight) -> tuple[ConditionLost, ...]:
    """Return the facts that telepathic contacts end: out of range, or either is Incapacitated."""
    made = []
    for one in fight.state.combatants.values():
        held = one.conditions.get(CONTACT)
        telepath = fight.state.combatants.get(held.source) if held is not None else None
        if telepath is None:
            continue
        name = incapacitating(one) or incapacitating(telepath)
        if name or distance(telepath, one) > fields_of(fight, telepath).telepathy:
            cites, why = fight.rules("senses.telepathy-incapacitated"), name or "it is out of range"
            made.append(ConditionLost(who=one.id, condition=CONTACT, why=why, cites=cites))
    return tuple(made)


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
    sources += parts_of(fight, actor, "on_search", hidden) if hidden is not None else []
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
