"""A Dexterity that a condition lowers, where its bonus is denied: what is left counts if it is a penalty."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_scores import ability_now
from affray.events.facts.modifier import Modifier


def count_denied_once(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a defense; what lowers a denied Dexterity takes away no more than is left.

    A bonus of 1 that a condition lowers by 2 is a penalty of 1; one of 3 is none (pf1.ac.dex-denied).
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    bonus = max(0, ability_now(fight, blow.target, "dex"))
    if not reason:
        return parts
    said = f"{reason}: Dexterity bonus denied ({fight.rule('pf1.ac.dex-denied')})"
    made = []
    for part in parts:
        if part.kind == "ability" and part.value < 0 and not part.denied:
            spared = min(bonus, -part.value)
            bonus -= spared
            if spared == -part.value:
                part = replace(part, denied=said)
            else:
                part = replace(part, value=part.value + spared)
        made.append(part)
    return made
