"""`futurepath`: modern and science-fiction combat, Defense and graded advantages, point by point."""

from affray.engine.dialects.futurepath.contents import (
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
    MOVEMENT,
    OPPORTUNITY,
    POSITION,
    SENSES,
    TURNS,
)
from affray.engine.fight.fight import Chapters
from affray.engine.rules.plain import PLAIN_MOUNTED

TITLE = "Futurepath"

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
    mounted=PLAIN_MOUNTED,
    gear=GEAR,
    classes=CLASSES,
    environment=ENVIRONMENT,
)

__all__ = ["CHAPTERS", "TITLE"]
