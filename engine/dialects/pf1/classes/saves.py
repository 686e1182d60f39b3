"""Saving throws in pf1."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.steps import Steps, altered
from affray.events.facts.combat import CheckResolved
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def by_kind_of_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw, the ability's under the rule of its kind.

    pf1.save.modifier-formula, pf1.save.fortitude, pf1.save.reflex, pf1.save.will.
    """
    rules = {"ability": fight.rule(SAVES[kind]), "base": fight.rule("pf1.save.modifier-formula")}
    printed = fight.rule("pf1.save.roll")
    return [
        replace(part, rule=rules[part.kind]) if part.kind in rules and part.rule == printed else part
        for part in parts
    ]


SAVES = {"fort": "pf1.save.fortitude", "ref": "pf1.save.reflex", "will": "save.will"}


#: What every saving throw comes of: an unusual or magical attack, one of three kinds, a DC of that attack.
GENERAL: Final = ("pf1.save.when", "pf1.save.types", "pf1.save.dc")


def cite_saves(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Go through a declaration, its saving throws under the rules on all of them.

    pf1.save.when, pf1.save.types, pf1.save.dc.
    """

    def named(step: Any) -> Any:
        if type(step) is CheckResolved and step.check.startswith("save."):
            return replace(step, cites=(*step.cites, *fight.rules(*GENERAL)))
        return step

    return altered(watched, named)


def has_no_vital_spot(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a creature is immune to precision damage by itself (pf1.sneak-attack)."""
    return has_trait(combatant, "immune to precision damage")
