"""Casting a spell: the action, what disturbs it, and then what it does (srd35.cast.*)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.magic.concentration import (
    collect_distractions,
    keep_unprovoked,
    provoke_or_defend,
    soundness,
)
from affray.engine.rules.magic.known_spells import LONG, spell_of
from affray.engine.rules.magic.spell_effects import affect
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def cast_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet (srd35.cast.*).

    It provokes from all who threaten unless it is cast defensively (a concentration check, whose failure
    loses the spell); damage on the way calls for a check too (futurepath.assumed.casting).
    """
    caster = fight.combatant(act.actor)
    spell = known_spell(fight, caster, act.spell)
    yield from spend_and_cast(fight, caster, spell, act, f"cast {spell.name}", fight.rule("cast.provokes"))


def spend_and_cast(
    fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast, what: str, *cites: str
) -> Steps[None]:
    """Spend the action for a spell that may be cast now and cast it. Refuses before anything else."""
    kind, reasons = fight.dialect.magic.casting_action(fight, caster, spell)
    refuse_unless_allowed(fight, caster, kind)
    fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    targets = targets_of_spell(fight, caster, spell, act)
    yield spending(fight, caster, kind, what, *cites, *reasons)
    if act.opening:
        rule = fight.rule(fight.dialect.magic.line_topic)
        what = f"{spell.name} passes an opening of {act.opening} sq. ft"
        yield RuleApplied(who=caster.id, what=what, cites=(rule,))
    yield from finish_casting(fight, caster, spell, targets, act.defensively, act, act.at)


def printed_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the action that a spell takes, and the rules that make it so: the printed casting time."""
    return "full-round" if spell.casting == "one-round" else spell.casting, ()


def known_spell(fight: Fight, caster: Combatant, name: str) -> Spell:
    """Return the spell of that name. Refuses one that the caster has not, or has no longer."""
    return spell_of(caster, name, fight.rule("cast.provokes"))


def finish_casting(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    targets: list[Combatant],
    defensively: bool,
    act: acts.Cast | None = None,
    at: Square | None = None,
) -> Steps[None]:
    """Cast a spell whose action is spent: what disturbs it, then what it does.

    `act` is the declaration, where a casting may go on beyond this turn; an area is aimed `at` a corner.
    """
    dialect = fight.dialect
    if spell.uses is not None:
        yield ResourceSpent(who=caster.id, resource=spell.name, amount=1)
    yield from dialect.magic.prelude(fight, caster, spell)
    distractions: list[int] = []
    interrupted = go_through_interruptions(fight, caster, spell, defensively, act, distractions)
    if (yield from collect_distractions(interrupted, caster, distractions)):
        return
    if act is not None and (yield from dialect.magic.drawn_out(fight, caster, spell, act)):
        return
    yield from take_effect(fight, caster, spell, targets, at)


def go_through_interruptions(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    defensively: bool,
    act: acts.Cast | None,
    distractions: Sequence[int],
) -> Steps[bool]:
    """Go through what disturbs a casting; return whether it comes to nothing.

    `distractions` are the DCs of the spells that have distracted the caster so far.
    """
    magic = fight.dialect.magic
    topic, disturbed = magic.casting_provokes(fight, caster, spell)
    healthy = soundness(caster)
    if disturbed:
        if (yield from magic.heard(fight, caster, spell, act)) or is_down(fight, caster):
            return True
        lost = yield from provoke_or_defend(fight, caster, spell, defensively, healthy, distractions, topic)
        return lost or is_down(fight, caster)
    if spell.ability or spell.item:
        return False
    if (yield from magic.heard(fight, caster, spell, act)) or is_down(fight, caster):
        return True
    return (yield from keep_unprovoked(fight, caster, spell, healthy, distractions))


def take_effect(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None = None
) -> Steps[None]:
    """Let a spell that is cast work: by touch, or on each of its targets; an area from where it is aimed."""
    dialect = fight.dialect
    if (yield from dialect.magic.spell_fails(fight, caster, spell)):
        return
    if spell.touch:
        yield from dialect.magic.touching(fight, caster, spell, targets)
        return
    rolled: Rolled | None = None
    yield from dialect.magic.begin(fight, caster, spell)
    for target in (yield from dialect.magic.affected(fight, caster, spell, targets, at)):
        rolled = yield from affect(fight, caster, spell, target, rolled, at=at)


def never_countered(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Let those act who readied for a casting; return whether they have ruined the spell: never."""
    yield from triggered(fight, caster, "casts")
    return False


def long_casting_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic of the rule, and whether a casting provokes: one of a standard action or longer."""
    return "cast.provokes", spell.casting in LONG


def all_targets(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None
) -> Steps[list[Combatant]]:
    """Let a spell reach all at whom it is aimed."""
    return targets
    yield
