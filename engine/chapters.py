"""The chapters into which the scenario tables are sorted, and where their tables lie.

- turns: initiative, surprise, rounds, the actions of a turn, delaying, readying, aiding one another.
- attacks: the roll of an attack in melee and at range, full attacks, two weapons, flanking.
- defense: Armor Class, cover, shields, blocking, dodging.
- damage: what a blow deals, damage reduction, injury, bleeding, dying, poison, lost abilities, healing, rest.
- conditions: what the shaken, stunned, bound or blinded can and cannot do, and what adds up.
- movement: speed, ground, diagonals, falling, swimming, climbing, flying, jumping.
- position: space, reach, size, squeezing, crowding, sharing squares, heights, posture, bodies to climb on.
- senses: light, sight, concealment, hiding, seeking.
- opportunity: threatened squares, what provokes, attacks of opportunity.
- maneuvers: charge, bull rush, push, disarm, sunder, trip, overrun, feint.
- grapple: grabbing, holding, wrestling, pinning, getting free.
- magic: casting, concentration, counterspells, touch spells, areas, devices.
- mounted: riders, mounts, saddles, fighting from horseback.
- gear: weapons, armor, loads, objects, splash weapons, drawing and putting away.
- classes: class abilities, feats, skills, saves and checks, turning undead.
- environment: fire, cold, wind, water, falling objects and what else threatens without an enemy.
"""

from pathlib import Path
from typing import Final

CHAPTERS: Final = (
    "turns",
    "attacks",
    "defense",
    "damage",
    "conditions",
    "movement",
    "position",
    "senses",
    "opportunity",
    "maneuvers",
    "grapple",
    "magic",
    "mounted",
    "gear",
    "classes",
    "environment",
)
"""The chapters in the order in which a reader meets them."""


def tables_in(folder: Path) -> list[Path]:
    """Return the scenario tables of a dialect's folder by the names of their files, whatever the chapter.

    So a table may move to another chapter, and whoever draws from the list still draws the same.
    """
    return sorted(folder.glob("*/*.toml"), key=lambda file: file.name)
