"""Vital Strike: one attack with the dice of the weapon rolled more often (pf1.feat.vital-strike)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE
from affray.engine.steps import Refusal
from affray.events.facts.sheet_parts import ExtraDamage
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feat.vital-strike"
VITAL: Final = "vital strike"
#: The feats, in the order in which their figures stand.
FEATS: Final = (VITAL, "improved vital strike", "greater vital strike")


def times_rolled(fight: Fight, combatant: Combatant) -> int:
    """Return how often the dice of a weapon are rolled by the best of the feats, 1 without any.

    Each asks for a base attack bonus, under which its figure stands.
    """
    times = 1
    for feat, (least, dice) in zip(FEATS, fight.figure(TOPIC, "dice").items(), strict=True):
        if has_feat(combatant, feat) and combatant.sheet.base_attack >= int(least):
            times = max(times, int(dice))
    return times


def declare_vital_strike(fight: Fight, attacker: Combatant, blow: Blow) -> None:
    """Mark a blow as a vital strike. Refuses those without the feat, or the base attack bonus for it."""
    rule = fight.rule(TOPIC)
    if times_rolled(fight, attacker) == 1:
        raise Refusal(f"{attacker.id} has no Vital Strike, or not the base attack bonus for it", rule)
    blow.intent = replace(blow.intent, kind=VITAL)
    blow.damage.cites += (rule,)


def vital_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Add further rolls of the weapon's dice, which no critical hit multiplies (pf1.feat.vital-strike)."""
    if blow.intent.kind == VITAL and blow.weapon.damage != NO_DAMAGE:
        for _ in range(times_rolled(fight, blow.attacker) - 1):
            yield ExtraDamage(blow.weapon.damage, blow.weapon.damage_type, "Vital Strike")
