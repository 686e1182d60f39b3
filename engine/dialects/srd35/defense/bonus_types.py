"""Bonus types: what adds up with its own kind, and what raises another bonus (srd35.bonus.*)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.modifiers import Tally, stack_typed
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.substances import SPLASH
from affray.events.facts.modifier import Modifier

#: Parts of a roll that are no bonuses of a type: every one of them counts.
PLAIN = frozenset({"ability", "base", "penalty"})
#: Kinds that add up without being exceptions to anything.
ORDINARY = PLAIN | {"untyped"}


@per_fight()
def kinds_that_add(fight: Fight) -> frozenset[str]:
    """Return the kinds that add up among themselves, by their table (srd35.bonus.types-table)."""
    return PLAIN | {row["type"] for row in fight.figure("srd35.bonus.types-table") if row["stacks"]}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge and the like together.

    srd35.bonus.same-type, srd35.bonus.types-table, srd35.bonus.stack-exceptions.
    """
    kinds = kinds_that_add(fight)
    tally = stack_typed(parts, stacks=kinds, rule=fight.rule("srd35.bonus.same-type"))
    cites = tally.cites
    if cites:
        cites = (*cites, fight.rule("srd35.bonus.types-table"))
    seen = set()
    for part in tally.parts:
        if part.value > 0 and not part.denied and part.kind in kinds and part.kind not in ORDINARY:
            if part.kind in seen:
                return Tally(
                    tally.total,
                    tally.parts,
                    (*cites, fight.rule("srd35.bonus.stack-exceptions")),
                    tally.failed,
                )
            seen.add(part.kind)
    return Tally(tally.total, tally.parts, cites, tally.failed) if cites else tally


def splash_proficiency(fight: Fight, blow: Blow, *given: object) -> bool:
    """Say whether a throw needs no proficiency: what splashes, by another reading any thrown weapon.

    splash_proficiency (srd35.splash.no-proficiency).
    """
    return SPLASH in blow.weapon.traits or fight.option("splash_proficiency") == "all-thrown"
