"""What fighters learn: armor training, weapon training, bravery (pf1.fighter)."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability, trait_detail
from affray.engine.rules.classes.levels import class_level
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.fighter"
FIGHTER: Final = "fighter"
ARMOR: Final = "armor_training"
TRAINING: Final = "weapon training"
#: Against what bravery helps.
FEAR: Final = ("shaken", "frightened", "panicked")


def times_learned(fight: Fight, level: int, what: str) -> int:
    """Return how often fighters of a level have learned something: first at one level, then every so many."""
    first, each = (int(fight.figure(TOPIC, what, name)) for name in ("level", "each"))
    return 0 if level < first else 1 + (level - first) // each


def armor_training(fight: Fight, combatant: Combatant) -> int:
    """Return how many steps of armor training a combatant has by its effective fighter level."""
    most = int(fight.figure(TOPIC, ARMOR, "most"))
    return min(most, times_learned(fight, class_level(combatant, FIGHTER), ARMOR))


def more_dexterity(fight: Fight, combatant: Combatant) -> int:
    """Return how much more Dexterity counts in armor by training."""
    return armor_training(fight, combatant) * int(fight.figure(TOPIC, ARMOR, "max_dex"))


def dexterity_in_armor(
    fight: Fight, combatant: Combatant, found: tuple[int | None, str, str]
) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts in what a fighter wears: more by training (pf1.fighter)."""
    cap, source, _ = found
    more = more_dexterity(fight, combatant)
    if cap is None or not more:
        return found
    return cap + more, f"{source} with training", fight.rule(TOPIC)


def lighter_armor(fight: Fight, combatant: Combatant, skill: str, parts: list[Modifier]) -> list[Modifier]:
    """Return what armor and shield take off a skill, what armor does eased by training (pf1.fighter)."""
    sheet = combatant.sheet
    armor = {one.source or one.kind for one in sheet.check_penalties if one.kind == "armor"}
    heavy = -sum(part.value for part in parts if part.source.removesuffix(" (broken)") in armor)
    eased = min(heavy, armor_training(fight, combatant) * int(fight.figure(TOPIC, ARMOR, "check")))
    if eased <= 0:
        return parts
    return [*parts, Modifier(eased, "untyped", "armor training", fight.rule(TOPIC))]


def cite_training(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class; cite the training by which more of Dexterity counts in them."""
    sheet = blow.target.sheet
    cap = fight.dialect.defense.dexterity_cap(fight, blow.target)[0]
    more = more_dexterity(fight, blow.target)
    if cap is not None and more and cap - more < ability(sheet, "dex") <= cap:
        blow.cites += fight.rules(TOPIC)
    return parts


def moves_freely(fight: Fight, sheet: Sheet) -> bool:
    """Say whether training lets a fighter move at full speed in what it wears (pf1.fighter)."""
    weight = sheet.armor_weight
    if weight not in ("medium", "heavy"):
        return False
    return sheet.classes.get(FIGHTER, 0) >= int(fight.figure(TOPIC, ARMOR, weight))


def is_slowed_in_armor(fight: Fight, sheet: Sheet, found: tuple[Sheet, tuple[str, ...]]) -> bool:
    """Say whether armor slows its wearer, which training may prevent (pf1.fighter)."""
    return not moves_freely(fight, found[0])


def trained_attack(fight: Fight, blow: Blow, groups: str) -> Iterator[Modifier]:
    """Add to attacks and maneuvers with weapons of the groups that one is trained in (pf1.fighter)."""
    return trained_parts(fight, blow.attacker, blow.weapon, groups)


def trained_damage(fight: Fight, blow: Blow, groups: str) -> Iterator[Modifier]:
    """Add to damage with weapons of the groups that a fighter is trained in (pf1.fighter)."""
    return trained_parts(fight, blow.attacker, blow.weapon, groups)


def guarded_weapon(fight: Fight, target: Combatant, item: str) -> list[Modifier]:
    """Return what weapon training adds to the CMD of whoever keeps hold of such a weapon (pf1.fighter)."""
    weapon = next((one for one in target.sheet.weapons if one.name == item), None)
    if weapon is None:
        return []
    return list(trained_parts(fight, target, weapon, trait_detail(target, TRAINING)))


def trained_parts(fight: Fight, combatant: Combatant, weapon: Weapon, groups: str) -> Iterator[Modifier]:
    """Yield what weapon training adds with a weapon: of several groups that it belongs to the best counts."""
    found = training(fight, combatant, groups)
    value = max((found[group] for group in weapon.traits if group in found), default=0)
    if value:
        yield Modifier(value, "untyped", "weapon training", fight.rule(TOPIC))


def training(fight: Fight, combatant: Combatant, groups: str) -> dict[str, int]:
    """Return the bonus with each group of weapons, such as those of "heavy blades, bows".

    Of a fighter they stand in the order in which it has chosen them: the first one grows with each further
    one. Of others the printed bonus counts: "heavy blades +2, bows +1".
    """
    level, bonus = class_level(combatant, FIGHTER), int(fight.figure(TOPIC, TRAINING, "bonus"))
    chosen, learns = times_learned(fight, level, TRAINING), FIGHTER in combatant.sheet.classes
    made = {}
    for place, text in enumerate(groups.split(",")):
        group, _, printed = text.partition("+")
        by_print = int(printed) if printed.strip().isdecimal() else 0
        made[group.strip()] = max(0, chosen - place) * bonus if learns else by_print
    return made


def bravery(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return what a fighter's bravery adds to a Will save against fear (pf1.fighter)."""
    level = class_level(combatant, FIGHTER)
    bonus = times_learned(fight, level, "bravery") * int(fight.figure(TOPIC, "bravery", "will"))
    if save != "will" or condition not in FEAR or not bonus:
        return []
    return [Modifier(bonus, "untyped", "bravery", fight.rule(TOPIC))]
