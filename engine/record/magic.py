"""The record of the chapter on magic: magic, in the order of a casting."""

from collections.abc import Callable
from typing import Any

from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context, Square
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


class Magic(Chapter, frozen=True, kw_only=True):
    """Magic, in the order of a casting.

    components: what a casting may take, and what may be said of a spell beside it; patterns too: "costly *".
    stats: the numbers of a combatant that a spell may change, by name.
    casting_action: the action that a spell takes, and its rules.
    refuse_casting: refuse a casting.
    holds_charges: whether the charge of a touch spell can be held.
    strikes_again: whether a spell may have the same target several times, as missiles and rays may.
    passes_opening: whether an area spell must hit an opening.
    line_topic: the topic of the rule on a spell's line of effect.
    spell_range: the range of a spell in feet.
    in_area: whether an area from a square catches a combatant.
    prelude: what happens before a spell.
    casting_provokes: the topic of the rule, and whether a casting provokes.
    heard: what others make of a casting before it takes effect.
    hindrances: what disturbs a casting: topic, source and DC of each.
    hampered_dc: the DC of casting under a condition.
    concentration: the parts of a concentration check for a spell, by the rule on a topic.
    defensive_casting: the DC of casting defensively, and the topics of its rules.
    defense_fails: what follows as a spell is lost that was to be cast defensively.
    drawn_out: whether a casting goes on beyond this turn.
    spell_fails: whether a spell fails once it is cast.
    touching: deliver a touch spell.
    begin: what begins as a spell takes effect that is no touch.
    affected: whom an area affects, of those in it.
    withstands: whether a target withstands a spell altogether.
    spell_dc: the DC of a spell's save, and its rules.
    spell_blow: the blow that a spell's touch or ray is.
    affect: the save against a spell and its damage.
    on_critical: what a critical hit of its touch or ray makes of a spell.
    afflict: the condition that a spell brings.
    discharge: a spell's effect through a touch.
    bestow: what a spell gives or leaves besides damage and condition.
    """

    components: frozenset[str]
    stats: frozenset[str]
    casting_action: Callable[[Context, Combatant, Spell], tuple[str, tuple[str, ...]]]
    refuse_casting: Callable[[Context, Combatant, Spell, Any], None]
    holds_charges: bool
    strikes_again: Callable[[Spell], bool]
    passes_opening: Callable[[Context, Any], bool]
    line_topic: str
    spell_range: Callable[[Context, Combatant, Spell], int]
    in_area: Callable[[Context, Combatant, Spell, Square, Combatant], bool]
    prelude: Callable[[Context, Combatant, Spell], Steps[None]]
    casting_provokes: Callable[[Context, Combatant, Spell], tuple[str, bool]]
    heard: Callable[[Context, Combatant, Spell, Any], Steps[bool]]
    hindrances: Callable[[Context, Combatant, Spell], list[tuple[str, str, int]]]
    hampered_dc: Callable[..., int]
    concentration: Callable[[Context, Combatant, Spell, str], list[Modifier]]
    defensive_casting: Callable[[Context, Combatant, Spell], tuple[int, tuple[str, ...]]]
    defense_fails: Callable[[Context, Combatant, Spell], Steps[None]]
    drawn_out: Callable[[Context, Combatant, Spell, Any], Steps[bool]]
    spell_fails: Callable[[Context, Combatant, Spell], Steps[bool]]
    touching: Callable[[Context, Combatant, Spell, list[Combatant]], Steps[None]]
    begin: Callable[[Context, Combatant, Spell], Steps[None]]
    affected: Callable[[Context, Combatant, Spell, list[Combatant], Square | None], Steps[list[Combatant]]]
    withstands: Callable[[Context, Combatant, Spell, Combatant], Steps[bool]]
    spell_dc: Callable[[Context, Combatant, Spell], tuple[int, tuple[str, ...]]]
    spell_blow: Callable[[Context, Combatant, Spell, Combatant], Blow]
    affect: Callable[..., Steps[Rolled | None]]
    on_critical: Callable[[Context, Spell, Combatant], Steps[Spell]]
    afflict: Callable[[Context, Combatant, Spell, Combatant], Steps[None]]
    discharge: Callable[[Context, Combatant, Spell, Combatant, Blow | None, bool], Steps[None]]
    bestow: Callable[[Context, Combatant, Spell, Combatant, bool], Steps[None]]
