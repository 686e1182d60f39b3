"""What classes and feats of srd35 give so many times a day, by the names under which it is used up."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.classes.paladin import (
    HANDS,
    SMITE,
    healing_a_day,
    smites_a_day,
)
from affray.engine.dialects.srd35.classes.turning_power import attempts_a_day
from affray.engine.fight.fight import Fight
from affray.engine.record.sheet_names import details_of
from affray.projections.state import Combatant


def daily_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the attempts to turn and rebuke, smitings, and points of healing of a day."""
    for what in ("turn", "rebuke"):
        for kind in details_of(what, combatant.sheet.traits):
            if kind != "resistance" and not kind.startswith("resistance "):
                yield f"{what} {kind}", sum(attempts_a_day(fight, combatant))
    if combatant.sheet.classes.get("paladin"):
        yield SMITE, smites_a_day(fight, combatant)
        yield HANDS, healing_a_day(fight, combatant)
