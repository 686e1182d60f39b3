"""Light: who is hidden by dim light and darkness, and who sees in them (pf1.light.levels).

pf1.concealment.ignore.
"""

import re
from operator import itemgetter
from typing import Final

from affray.engine.dialects.pf1.conditions.creatures import SEEING_IN_THE_DARK
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.natures import natures_of
from affray.engine.rules.position.place import distance
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC, IGNORED = "pf1.light.levels", "pf1.concealment.ignore"
DIM, DARK = "in dim light", "in darkness"
#: The figure of each level of light that hides.
LEVELS: Final = {DARK: "dark", DIM: "dim"}
_FEET = re.compile(r"\d+")


def light_on(combatant: Combatant) -> str:
    """Return the level of light that hides a combatant, "" for clear light."""
    return next((level for level in LEVELS if level in combatant.conditions), "")


def darkvision(fight: Fight, combatant: Combatant) -> int:
    """Return how many feet a combatant sees in the dark; a sheet that names none means the usual range."""
    for detail in details_of("darkvision", combatant.sheet.traits):
        found = _FEET.search(detail)
        return int(found.group()) if found else int(fight.figure(IGNORED, "darkvision_ft"))
    rule = rule_of_nature(combatant)
    return int(fight.figure(rule, "darkvision_ft")) if rule else 0


def rule_of_nature(combatant: Combatant) -> str:
    """Return the rule by which a combatant has darkvision for what it is, "" for none."""
    return next((SEEING_IN_THE_DARK[one] for one in natures_of(combatant) if one in SEEING_IN_THE_DARK), "")


def sees_through(fight: Fight, observer: Combatant, feet: int, level: str) -> bool:
    """Say whether somebody sees so far in dim light or darkness: by darkvision.

    Low-light vision only sees a light from farther away; what stands in dim light is hidden from it too
    (pf1.concealment.ignore, pf1.light.levels).
    """
    most = darkvision(fight, observer)
    return most > 0 and feet <= most


def hidden_by_light(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the greater of a miss chance and of what the light on the target gives (pf1.light.levels)."""
    level = light_on(blow.target)
    if not level or sees_through(fight, blow.attacker, distance(blow.attacker, blow.target), level):
        return found
    percent = int(fight.figure(TOPIC, LEVELS[level]))
    return max(found, (percent, f"{blow.target.id} is {level}", TOPIC), key=itemgetter(0))


def cite_keen_sight(fight: Fight, blow: Blow) -> list[Modifier]:
    """Cite the rule by which the light on the target does not hide it from its attacker."""
    level = light_on(blow.target)
    if level and sees_through(fight, blow.attacker, distance(blow.attacker, blow.target), level):
        blow.cites.append(fight.rule(IGNORED))
        if not tuple(details_of("darkvision", blow.attacker.sheet.traits)):
            blow.cites.append(fight.rule(rule_of_nature(blow.attacker)))
    return []


def blind_in_the_dark(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant stands in a darkness in which it sees nothing."""
    return DARK in combatant.conditions and not darkvision(fight, combatant)


def denied_in_the_dark(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity bonus: in the dark those do who see nothing there.

    Uncanny dodge keeps it (pf1.light.levels, pf1.uncanny-dodge).
    """
    target = blow.target
    if denied[0] or not blind_in_the_dark(fight, target):
        return denied
    return denied if fight.dialect.defense.uncanny_dodge(fight, target) else (DARK, TOPIC)


def defense_in_the_dark(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what darkness takes off the Armor Class of those who see nothing in it (pf1.light.levels)."""
    if not blind_in_the_dark(fight, blow.target):
        return []
    return [fight.modifier(TOPIC, "ac", kind="penalty", source=DARK)]
