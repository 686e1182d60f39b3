"""What classes and feats of srd35 give so many times a day, by the names under which it is used up."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.attacks.unarmed_strikes import STUNNING, daily_uses
from affray.engine.dialects.srd35.classes.paladin import (
    HANDS,
    SMITE,
    healing_a_day,
    paladin_level,
    smites_a_day,
)
from affray.engine.dialects.srd35.classes.turning_power import attempts_a_day
from affray.engine.fight.fight import Fight
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.projections.state import Combatant


def daily_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the attempts to turn and rebuke, smitings, points of healing, and stunning blows of a day."""
    for what in ("turn", "rebuke"):
        for kind in details_of(what, combatant.sheet.traits):
            if kind != "resistance" and not kind.startswith("resistance "):
                yield f"{what} {kind}", sum(attempts_a_day(fight, combatant))
    if paladin_level(combatant):
        yield SMITE, smites_a_day(fight, combatant)
        yield HANDS, healing_a_day(fight, combatant)
    if has_feat(combatant, STUNNING):
        yield STUNNING, daily_uses(fight, combatant)
