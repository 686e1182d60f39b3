"""`woa`: Worlds of Adventure, point by point: declared actions, initiative every round, combat reactions."""

from affray.engine.dialects.woa.contents import (
    ATTACKS,
    CLASSES,
    CONDITIONS,
    DAMAGE,
    DEFENSE,
    ENVIRONMENT,
    GEAR,
    GRAPPLE,
    MAGIC,
    MANEUVERS,
    MOUNTED,
    MOVEMENT,
    OPPORTUNITY,
    POSITION,
    SENSES,
    TURNS,
)
from affray.engine.fight.fight import Chapters

TITLE = "Worlds of Adventure"

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
