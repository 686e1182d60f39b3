"""`pf1`: the Pathfinder 1e combat rules, point by point."""

from affray.engine.dialects.pf1.contents.attacks import ATTACKS, DAMAGE, DEFENSE
from affray.engine.dialects.pf1.contents.maneuvers import CLASSES, GEAR, GRAPPLE, MAGIC, MANEUVERS
from affray.engine.dialects.pf1.contents.turns import (
    CONDITIONS,
    ENVIRONMENT,
    MOUNTED,
    MOVEMENT,
    OPPORTUNITY,
    POSITION,
    SENSES,
    TURNS,
)
from affray.engine.fight.fight import Chapters

TITLE = "Pathfinder 1e"

CHAPTERS = Chapters(
    turns=TURNS,
    attacks=ATTACKS,
    defense=DEFENSE,
    damage=DAMAGE,
    conditions=CONDITIONS,
    movement=MOVEMENT,
    position=POSITION,
    senses=SENSES,
    opportunity=OPPORTUNITY,
    maneuvers=MANEUVERS,
    grapple=GRAPPLE,
    magic=MAGIC,
    mounted=MOUNTED,
    gear=GEAR,
    classes=CLASSES,
    environment=ENVIRONMENT,
)

__all__ = ["CHAPTERS", "TITLE"]
