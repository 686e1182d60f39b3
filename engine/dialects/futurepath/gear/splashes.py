"""Splash weapons: at a creature, at a square, and where a miss breaks (futurepath.attack.splash.*)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.area_attack import refuse_said
from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.attacks.prepared import prepare_declared
from affray.engine.dialects.futurepath.damage.area_damage import deal_area_damage, roll_damage
from affray.engine.dialects.futurepath.gear.explosives import throw_at_square
from affray.engine.dialects.futurepath.gear.landing import land
from affray.engine.dialects.futurepath.gear.shoot_held import durability
from affray.engine.dialects.futurepath.gear.strike_held import damage_item
from affray.engine.dialects.futurepath.gear.throwables import DEFINITION, TOUCH
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import burst
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow, Harm, varied
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.gear.substances import SPLASH
from affray.engine.rules.gear.thrown_weapons import out_of_hand, square_of_target
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import distance, squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The trait behind which the splash damage stands: "splash damage (1d3)".
SPATTER: Final = "splash damage"
HIT: Final = "futurepath.attack.splash.hit"
MISS: Final = "futurepath.attack.splash.miss"
SQUARE: Final = "futurepath.attack.splash.target-square"


def is_splash(fight: Fight, act: acts.Attack) -> bool:
    """Say whether an attack is made with a splash weapon."""
    return SPLASH in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits


def throw_splash(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw what splashes at a creature or at a square.

    futurepath.attack.splash.definition, .ranged-touch, .target-square.
    """
    weapon = find_weapon(fight, fight.combatant(act.actor), act.weapon)
    definition = fight.rule(DEFINITION)
    if not weapon.range:
        raise Refusal(f"the {weapon.name} has no range and cannot be thrown", definition)
    refuse_said(act, f"a throw of the {weapon.name}", definition, "nonlethal", "bullets", "autofire")
    if act.at is None:
        yield from throw_at_creature(fight, act, weapon)
        return
    rule = fight.rule(SQUARE)
    refuse_said(act, "a throw at a square", rule, "target")
    flask = replace(weapon, thrown=True)
    around = int(fight.figure(SQUARE, "radius_ft"))
    landed = yield from throw_at_square(fight, act, flask, act.at, definition, rule, splash_ft=around)
    if landed is not None:
        yield from splash_around(fight, fight.combatant(act.actor), weapon, landed, SQUARE)


def throw_at_creature(fight: Fight, act: acts.Attack, weapon: Weapon) -> Steps[None]:
    """Throw at a creature: a ranged touch attack (futurepath.attack.splash.ranged-touch)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    blow = prepare_declared(fight, actor, target, weapon, "attack")
    refuse_hopeless(fight, blow)
    touch = fight.rules(DEFINITION, TOUCH)
    cites = fight.rules("futurepath.action.attack.definition", "futurepath.attack.ranged.range-and-los")
    yield spending(fight, actor, "standard", f"throw {weapon.name}", *cites, *touch)
    if act.defensively:
        yield from fight_defensively(fight, actor, "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def break_flask(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Let what was thrown at a creature break: on it, or where the miss lands.

    The target of a hit takes the direct damage and everybody else within 5 feet the splash damage; a miss
    splashes all within 5 feet of where it lands (futurepath.attack.splash.hit, .miss).
    """
    attacker, target, flask = blow.attacker, blow.target, blow.weapon
    weapon = next(one for one in attacker.sheet.weapons if one.name == flask.name)
    yield from out_of_hand(fight, blow, None, fight.rules(DEFINITION))
    if not hit:
        square = square_of_target(blow)
        around = int(fight.figure(MISS, "radius_ft"))
        landed, _ = yield from land(fight, attacker, flask, square, blow.distance, False, around)
        yield from splash_around(fight, attacker, weapon, landed, MISS)
        return
    if blow.intent.item:
        # It struck what the target has: all creatures about, the target too, are merely splashed. What breaks
        # on impact does its damage without the thrower's Strength.
        breaking = varied(blow, weapon=replace(weapon, thrown=False))
        yield from damage_item(fight, breaking, blow.intent.item, durability(fight, blow))
    else:
        direct = yield from roll_damage(fight, attacker, weapon)
        harm = Harm(target, direct.total, weapon.damage_type, weapon.name, attacker)
        yield from deal_area_damage(fight, weapon, direct, harm, fight.rule(HIT))
    near = fight.figure(HIT, "splash_radius_ft")
    spared = None if blow.intent.item else target
    others = [one for one in splashable(fight) if one is not spared and distance(one, target) <= near]
    yield from spatter(fight, attacker, weapon, others, HIT)


def splash_around(
    fight: Fight, attacker: Combatant, weapon: Weapon, corner: Square, topic: str
) -> Steps[None]:
    """Splash all creatures within 5 feet of a grid corner (futurepath.attack.splash.target-square, .miss)."""
    squares = burst(corner, int(fight.figure(topic, "radius_ft")))
    struck = [one for one in splashable(fight) if squares.intersection(squares_of(one))]
    yield from spatter(fight, attacker, weapon, struck, topic)


def spatter(
    fight: Fight, attacker: Combatant, weapon: Weapon, struck: list[Combatant], topic: str
) -> Steps[None]:
    """Deal splash damage to everybody in a list, rolled once (futurepath.assumed.splash-damage)."""
    if not struck:
        return
    told = next((one for one in details_of(SPATTER, weapon.traits) if one), "")
    assumed = "futurepath.assumed.splash-damage"
    cites = fight.rules(topic) if told else fight.rules(topic, assumed)
    dice = told or str(fight.figure(assumed, "damage"))
    found = yield from roll_damage(fight, attacker, weapon, dice)
    for one in struck:
        harm = Harm(one, found.total, weapon.damage_type, weapon.name, attacker, area=True)
        yield from deal_area_damage(fight, weapon, found, harm, *cites, why="splash")


def splashable(fight: Fight) -> list[Combatant]:
    """Return those who can be splashed, in order of entry."""
    return [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
