"""What a disarm is about: the weapon in hand, the roll that defends it, and where it is afterwards."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.others_things import taken_from
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def melee_weapon(combatant: Combatant, item: str) -> Weapon | None:
    """Return the melee weapon of that name in a combatant's hand, None for anything else."""
    return next((one for one in held_weapons(combatant) if one.name == item and strikes_in_melee(one)), None)


def defending_roll(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the attack roll with which a weapon is defended."""
    return Blow(attacker, target, weapon, True, distance(attacker, target), Intent("disarm"))


def take_item(fight: Fight, blow: Blow, item: str, *cites: str) -> Steps[None]:
    """Let an item fall to the ground, or pass into the hand of an unarmed attacker."""
    if blow.weapon.wield != "unarmed":
        yield from lose(fight, blow.target, item, "dropped", cites)
        return
    yield from lose(fight, blow.target, item, "gone", cites)
    yield from taken_from(fight, blow.attacker, blow.target, item, cites)
