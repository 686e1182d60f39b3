"""What goes into a grapple check (srd35.grapple.check, futurepath.grapple.check)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.saves_and_checks import circumstance_parts
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def grapple_bonus(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what a sheet gives to grapple checks: base attack bonus, Strength, size.

    srd35.grapple.check, srd35.grapple.size-modifier, futurepath.grapple.check,
    futurepath.table.grapple-modifiers.
    """
    rule, size = fight.rule("grapple.check"), combatant.sheet.size
    parts = [
        Modifier(combatant.sheet.base_attack, "base", "base attack bonus", rule),
        Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule),
    ]
    by_size = fight.modifier("grapple.size-modifier", size.capitalize(), kind="size", source=size)
    return [*parts, by_size] if by_size.value else parts


def what_hampers_grappling(fight: Fight, combatant: Combatant, against: Combatant) -> list[Modifier]:
    """Return what state and effects do to a grapple check, as they do to an attack in melee."""
    blow = Blow(combatant, against, unarmed(fight, combatant), True, 0, Intent("grapple"))
    return [*common_attack_situation(fight, blow), *circumstance_parts(combatant)]
