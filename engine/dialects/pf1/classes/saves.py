"""Saving throws in pf1."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.steps import Steps, altered
from affray.events.facts.combat import CheckResolved
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

UNDEAD_TRAITS: Final = "pf1.creature.undead"
#: What every saving throw comes of: an unusual or magical attack, one of three kinds, a DC of that attack.
GENERAL: Final = ("pf1.save.when", "pf1.save.types", "pf1.save.dc")


def save_without_constitution(
    fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]
) -> list[Modifier]:
    """Return the parts of an undead's save: Charisma stands for Constitution (pf1.creature.undead)."""
    if kind != "fort":
        return parts
    name = str(fight.figure(UNDEAD_TRAITS, kind))
    own = Modifier(ability(combatant.sheet, name), "ability", SCORES[name], fight.rule(UNDEAD_TRAITS))
    found = [own if part.source == SCORES["con"] else part for part in parts]
    return [*found, *lowered(fight, combatant, name)]


def cite_saves(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Go through a declaration, its saving throws under the rules on all of them.

    pf1.save.when, pf1.save.types, pf1.save.dc.
    """

    def named(step: Any) -> Any:
        if type(step) is CheckResolved and step.check.startswith("save."):
            return replace(step, cites=(*step.cites, *fight.rules(*GENERAL)))
        return step

    return altered(watched, named)
