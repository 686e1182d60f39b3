"""A ranger's favored enemies: whom he wounds worse, sees through and notices (srd35.class.favored-enemy)."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.classes.natures import is_a
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC = "srd35.class.favored-enemy"
NAME = "favored enemy"


def favored_enemy_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus on weapon damage against a favored enemy: "favored enemy undead +4" on the sheet."""
    if blow.weapon.family != "spell":
        yield from bonus_against(fight, blow.attacker, blow.target, detail)


def check_bonus_against(fight: Fight, combatant: Combatant, other: Combatant, skill: str) -> list[Modifier]:
    """Return the bonus on a check of a skill that is about another, for each way in which it is favored.

    Of several the best counts, as they are of one type.
    """
    found = [*details_of(NAME, combatant.sheet.traits)] if combatant.sheet.traits else []
    if not found or not fight.book.has(TOPIC) or skill not in fight.figure(TOPIC, "skills"):
        return []
    return [part for detail in found for part in bonus_against(fight, combatant, other, detail)]


def bonus_against(fight: Fight, combatant: Combatant, other: Combatant, detail: str) -> Iterator[Modifier]:
    """Yield the bonus that a ranger has with one kind of creature, if that is what the other is.

    How often one kind may have been raised depends on the ranger's level.
    """
    kind, _, printed = detail.partition(" +")
    kind = kind.strip("() ")
    if not is_a(other, kind):
        return
    least, step = fight.figure(TOPIC, "bonus"), fight.figure(TOPIC, "step")
    level = class_level(combatant, "ranger")
    most = sum(level >= reached for reached in fight.figure(TOPIC, "levels"))
    raised = min((int(printed) - least) // step, most) if printed.isdecimal() else 0
    yield Modifier(least + step * max(0, raised), NAME, f"{NAME}: {kind}", fight.rule(TOPIC))
