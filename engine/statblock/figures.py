"""The engine's own arithmetic over a sheet: what the rules of a dialect make of its parts.

Everything is worked out by the same rule points that resolve an attack in play, so that a sheet which
gives the printed figures here gives them in a fight.
"""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Fields
from affray.engine.record.blow import ARMOR_CLASS, TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks.attack_series import iteratives
from affray.engine.rules.damage.weapon_damage import damage_bonus as damage_parts
from affray.engine.rules.turns.initiative import initiative_parts
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant, Encounter

#: Traits that let a creature keep its Dexterity when flat-footed; the books print the figure without it.
KEEP_DEXTERITY: Final = frozenset({"uncanny dodge", "improved uncanny dodge"})
_NOTHING: Final = Weapon("nothing", "1d2", wield="natural")
_MANEUVER: Final = Intent(maneuver="maneuver", against="CMD")


def armor_class(sheet: Sheet, dialect: str) -> tuple[int, int, int]:
    """Return (Armor Class, touch, flat-footed) as the dialect's rules add them up."""
    plain = replace(sheet, traits=tuple(trait for trait in sheet.traits if trait not in KEEP_DEXTERITY))
    return (
        _defense(sheet, dialect),
        _defense(sheet, dialect, touch=True),
        _defense(plain, dialect, acted=False),
    )


def _defense(sheet: Sheet, dialect: str, *, touch: bool = False, acted: bool = True) -> int:
    fight, combatant = _alone(sheet, dialect)
    combatant.acted = acted
    blow = Blow(
        combatant, combatant, _NOTHING, True, 5, Intent(against=TOUCH_ARMOR_CLASS if touch else ARMOR_CLASS)
    )
    return fight.dialect.attacks.stack(fight, fight.dialect.defense.defense_bonus(fight, blow)).total


def attack_bonus(sheet: Sheet, weapon: Weapon, melee: bool, dialect: str) -> int:
    """Return the first attack bonus with a weapon, without circumstances."""
    fight, combatant = _alone(sheet, dialect)
    blow = Blow(combatant, combatant, weapon, melee, 5)
    return fight.dialect.attacks.stack(fight, fight.dialect.attacks.attack_bonus(fight, blow)).total


def combat_maneuver_bonus(sheet: Sheet, dialect: str) -> tuple[Modifier, ...]:
    """Return the parts of the combat maneuver bonus, for a maneuver without a weapon (pf1.cmb)."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.attack_bonus(fight, Blow(combatant, combatant, _NOTHING, True, 5, _MANEUVER))


def combat_maneuver_defense(sheet: Sheet, dialect: str) -> tuple[Modifier, ...]:
    """Return the parts of the combat maneuver defense (pf1.cmd)."""
    fight, combatant = _alone(sheet, dialect)
    blow = Blow(combatant, combatant, _NOTHING, True, 5, _MANEUVER)
    return fight.dialect.defense.defense_bonus(fight, blow)


def damage_bonus(sheet: Sheet, weapon: Weapon, melee: bool, dialect: str) -> int:
    """Return what is added to a weapon's dice."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(
        fight, damage_parts(fight, Blow(combatant, combatant, weapon, melee, 5))
    ).total


def save_bonus(sheet: Sheet, kind: str, dialect: str) -> int:
    """Return the bonus of a saving throw: "fort", "ref" or "will"."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(fight, fight.dialect.classes.save_bonus(fight, combatant, kind)).total


def initiative_modifier(sheet: Sheet, dialect: str) -> int:
    """Return the initiative modifier."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(fight, initiative_parts(fight, combatant)).total


def attack_series(sheet: Sheet, first: int, dialect: str) -> tuple[int, ...]:
    """Return the bonuses of a full attack that begins with `first`, as the base attack bonus allows."""
    fight, _ = _alone(sheet, dialect)
    return tuple(first + penalty for penalty in iteratives(fight, sheet.base_attack))


def names_off_hand(dialect: str) -> bool:
    """Say whether a strike can be declared to be one of the off hand; else only a weapon's place tells it."""
    strikes = load(dialect).honours[acts.FullAttack].told.get("strikes")
    return isinstance(strikes, Fields) and "off_hand" in (strikes.names or ())


def _alone(sheet: Sheet, dialect: str) -> tuple[Fight, Combatant]:
    combatant = Combatant("printed", "", sheet, (0, 0), 1, 5, sheet.hp, sheet.hp, acted=True)
    rules = load(dialect)
    state = Encounter(
        dialect=dialect,
        combatants={combatant.id: combatant},
        begun=True,
        round=1,
        defaults=rules.book.defaults,
    )
    return Fight(state, rules), combatant
