"""The three kinds of saving throws, each with its ability."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

SAVES: Final = {"fort": "save.fortitude", "ref": "save.reflex", "will": "save.will"}


def by_kind_of_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw, the ability's under the rule of its kind.

    pf1.save.modifier-formula, pf1.save.fortitude, pf1.save.reflex, pf1.save.will, futurepath.save.formula,
    futurepath.save.fortitude, futurepath.save.reflex, futurepath.save.will.
    """
    rules = {"ability": fight.rule(SAVES[kind]), "base": fight.rule("save.modifier-formula")}
    printed = fight.rule("save.roll")
    return [
        replace(part, rule=rules[part.kind]) if part.kind in rules and part.rule == printed else part
        for part in parts
    ]
