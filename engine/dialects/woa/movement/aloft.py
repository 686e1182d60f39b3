"""Who is in the air, how high and by which kind of flight, and what that changes in a blow (woa.fly.*).

The condition "flying" says how high somebody is (its level, in feet), what it last did in the air and where
it is heading. A sheet flies by power unless it has the trait "buoyant flight"; flight that is no part of the
creature (a spell, a potion, wings that are worn) is the trait "borrowed flight"; whoever flies without a
flying speed of its own is borne by magic like that of the spell.
"""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FLYING = "flying"
BUOYANT, POWERED = "buoyant", "powered"
FLOATS, BORROWED, BORN_FLYER = "buoyant flight", "borrowed flight", "born flyer"


def kind_of_flight(mover: Combatant) -> str:
    """Return which of the two kinds of flight a creature has (woa.fly.kinds, .buoyant.definition)."""
    return BUOYANT if has_trait(mover, FLOATS) or is_carried(mover) else POWERED


def is_carried(mover: Combatant) -> bool:
    """Say whether magic bears somebody aloft who cannot fly: a spell, a potion, a carpet."""
    return is_flying(mover) and not mover.sheet.fly


def is_flying(mover: Combatant) -> bool:
    """Say whether somebody is in the air."""
    return bool(mover.conditions) and FLYING in mover.conditions


def height_aloft(mover: Combatant) -> int:
    """Return how many feet up in the air somebody is."""
    return mover.conditions[FLYING].level if is_flying(mover) else 0


def at_ease(mover: Combatant) -> bool:
    """Say whether the air is as good as the ground to a flyer: by birth, or by the feat of a Born Flyer."""
    return not (has_trait(mover, BORROWED) or is_carried(mover)) or has_feat(mover, BORN_FLYER)


def defense_parts(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return what being in the air takes off the AC of those not at ease there (woa.fly.ac-penalty)."""
    if not is_flying(blow.target) or at_ease(blow.target):
        return ()
    return (fight.modifier("woa.fly.ac-penalty", "ac", kind="penalty", source="flying"),)


def feet_above(one: Combatant, other: Combatant) -> int:
    """Return how many feet one is above the other."""
    return abs(height_aloft(one) - height_aloft(other)) if one.conditions or other.conditions else 0


FORWARD, SLOW, HOVER, SHARP, ABOUT, STEEP = (
    "forward",
    "slow",
    "hover",
    "sharp turn",
    "about turn",
    "steep climb",
)

WAYS = frozenset({FORWARD, SLOW, HOVER, SHARP, ABOUT, STEEP})


def last_done_in_air(mover: Combatant) -> str:
    """Return what a flyer last did in the air, a row of the table; it flies on if nothing is known."""
    done = mover.conditions[FLYING].source.split(", ")[0]
    return done if done in WAYS else FORWARD
