"""Concentration in pf1: no skill but caster level and ability, and who makes casting defensively harder.

pf1.cast.concentration-check, pf1.cast.defensively, pf1.cast.abilities, pf1.feat.disruptive.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.magic.spell_resistance import full_caster_level
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SCORES, Spell
from affray.projections.state import Combatant

TOPIC: Final = "pf1.cast.concentration-check"
FEAT: Final = "pf1.feat.disruptive"


def by_caster_level(fight: Fight, caster: Combatant, spell: Spell, topic: str) -> list[Modifier]:
    """Return the parts of a concentration check: caster level and the ability that the spell is cast with.

    A total that the sheet prints stands for both; what lowers the ability is taken off all the same. Negative
    levels are no part of it here: as a condition they lower every check (pf1.cast.concentration-check).
    """
    rule = fight.rule(TOPIC)
    printed = caster.sheet.concentration
    changes = lowered(fight, caster, spell.key) if spell.key else []
    if printed is not None:
        return [Modifier(printed, "base", "concentration", rule), *changes]
    level = Modifier(full_caster_level(fight, caster, spell), "base", "caster level", rule)
    if not spell.key:
        return [level, Modifier(0, "ability", f"no ability is said to cast {spell.name} with", rule)]
    own = Modifier(ability(caster.sheet, spell.key), "ability", SCORES[spell.key], rule)
    return [level, own, *changes]


def defensive_casting(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC to cast without provoking, 15 + 2 x spell level, and the topic.

    pf1.cast.defensively, for spell-like abilities pf1.cast.abilities.
    """
    topic, figure = "pf1.cast.defensively", "dc"
    if spell.ability == "spell-like":
        topic, figure = "pf1.cast.abilities", "spell-like_dc"
    base, _, times, _ = str(fight.figure(topic, figure)).split(maxsplit=3)
    return int(base) + int(times) * spell.level, (topic,)


def beside(fight: Fight, caster: Combatant, feat: str) -> list[Combatant]:
    """Return the enemies next to a caster who threaten it and have a feat with all that this demands."""
    near = [enemy for enemy in threatening(fight, caster) if distance(enemy, caster) <= SQUARE_FT]
    return [enemy for enemy in near if masters(fight, enemy, feat)]


def disrupted(
    fight: Fight, caster: Combatant, spell: Spell, found: tuple[int, tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    """Return the DC to cast defensively, higher next to an enemy with Disruptive (pf1.feat.disruptive)."""
    if not beside(fight, caster, "disruptive"):
        return found
    return found[0] + int(fight.figure(FEAT, "dc")), (*found[1], FEAT)


def provoke_spellbreakers(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let failing to cast defensively provoke from enemies with Spellbreaker (pf1.feat.disruptive)."""
    breakers = [enemy for enemy in threatening(fight, caster) if masters(fight, enemy, "spellbreaker")]
    if breakers:
        reason = f"fails to cast {spell.name} defensively"
        name = f"cast:{fight.declaration}"
        rule = fight.rule(FEAT)
        yield from fight.dialect.opportunity.provoke(fight, caster, breakers, reason, name, rule)
