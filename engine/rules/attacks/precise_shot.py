"""Shots of Improved Precise Shot, past all cover and concealment but the total."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.events.facts.modifier import Modifier

SHARP = "improved precise shot"

Chance = tuple[int, str, str]


def shoots_past_all(fight: Fight, blow: Blow) -> bool:
    """Say whether a shot is one of Improved Precise Shot.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    return not blow.melee and masters(fight, blow.attacker, SHARP)


def past_cover(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of cover, denied to the shots of Improved Precise Shot.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    if not shoots_past_all(fight, blow):
        return parts
    rule = fight.rule(f"feat.{SHARP.replace(' ', '-')}")
    blow.cites.append(rule)
    return [replace(part, denied=f"Improved Precise Shot ({rule})") for part in parts]


def past_concealment(fight: Fight, blow: Blow, chance: Chance) -> Chance:
    """Return what is left of a miss chance: a shot of Improved Precise Shot has none below the total one.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    total = fight.figure("concealment.total-miss-chance", "miss_chance_percent")
    if chance[0] < total and shoots_past_all(fight, blow):
        return 0, "Improved Precise Shot", f"feat.{SHARP.replace(' ', '-')}"
    return chance


def cite_ignored_concealment(fight: Fight, blow: Blow) -> None:
    """Cite the feat where a shot ignores concealment by it.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    if shoots_past_all(fight, blow):
        percent, why, topic = fight.dialect.attacks.miss_chance(fight, blow)
        if why and not percent:
            blow.cites.append(fight.rule(topic))
