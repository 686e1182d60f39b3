"""Saving throws in pf1."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps, altered
from affray.events.facts.combat import CheckResolved

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
