"""What is declared with a weapon that only fires automatically, where nothing more is said."""

from itertools import product
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.autofire import BURST, bullets_of_autofire, squares_swept
from affray.engine.dialects.futurepath.attacks.prepared import ONLY
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.position.place import squares_of
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: When a weapon fires automatically and not otherwise.
FIRES_ONLY_SO: Final = f"{ONLY!r} in weapon.traits"


def automatic_strikes(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon, strikes: tuple[acts.Strike, ...]
) -> tuple[acts.Strike, ...]:
    """Let the strikes of a full attack fire automatically, as many of them as bullets last."""
    firing = tuple(replace(one, autofire=True) for one in strikes)
    if weapon.ammunition is None:
        return firing
    left = weapon.ammunition - attacker.resources.get(weapon.name, 0)
    return firing[: max(1, left // least_bullets(fight, weapon))]


def automatic_shot(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon) -> acts.Attack | None:
    """Return automatic fire at an enemy; by those who have Burst Fire, at an area around it without friends.

    What these do with a burst at a target the text does not say (futurepath.attack.autofire.not-burst-fire).
    """
    if not has_feat(attacker, BURST):
        return acts.Attack(actor=attacker.id, target=enemy.id, weapon=weapon.name, autofire=True)
    x, y = enemy.at
    friends = {square for one in (attacker, *fight.allies(attacker)) for square in squares_of(one)}
    for dx, dy in product((0, -1), repeat=2):
        at = (x + dx, y + dy)
        if friends.isdisjoint(squares_swept(fight, at)):
            return acts.Attack(actor=attacker.id, weapon=weapon.name, at=at, autofire=True)
    return None


def least_bullets(fight: Fight, weapon: Weapon) -> int:
    """Return how many bullets automatic fire takes (futurepath.attack.autofire.ammunition)."""
    return bullets_of_autofire(fight)[0]
