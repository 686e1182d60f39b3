"""The chapters of the rules, in code, scenarios and docs alike, and where their scenario tables lie.

- turns: initiative, surprise, rounds, the actions of a turn, delaying and readying.
- attacks: the attack roll and its modifiers, full attacks, charges, flanking, aid, the helpless.
- defense: Armor Class or Defense, cover, attacks on the incorporeal.
- damage: the damage of a blow, reductions, injury, bleeding, dying, healing, rest.
- conditions: what each adds, denies and forbids; fear, poison, lost abilities, drained energy.
- movement: speed, loads, steps and their costs, falling, swimming, climbing, flying, jumping.
- position: space, reach, size, squeezing, crowding, sharing squares, heights, posture, bodies to climb on.
- senses: light, sight, concealment, hiding, seeking.
- opportunity: threatened squares, provoking, attacks and other reactions out of turn.
- maneuvers: bull rush, push, disarm, sunder, trip, overrun, feint and their common steps.
- grapple: grabbing, holding, wrestling, pinning, getting free.
- magic: casting, concentration, counterspells, touch spells, areas, devices.
- mounted: riders, mounts, saddles, fighting from horseback.
- gear: weapons, armor, objects, splash weapons, drawing and putting away.
- classes: class abilities, feats, skills, saves and checks, turning undead.
- environment: fire, cold, wind, water, falling objects and other dangers without an enemy.
- kernel: all of these together, in a dialect that is no relative of 3.5.
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

KERNEL_CHAPTERS: Final = (
    *("test", "ready", "held_spells", "consequences", "hiding", "rests", "items", "areas"),
    *("spells", "spell_effects"),
    *("remaining", "arrival", "difficulty"),
    *("features", "class_features", "martial", "divine", "feats", "monster", "tactics"),
    *("printed", "traits", "legendary", "auras", "poisons", "blocks", "entries"),
)
"""Further files of a dialect on the kernel, where it has more to say than a chapter holds."""


def tables_in(folder: Path) -> list[Path]:
    """Return the scenario tables of a dialect's folder by the names of their files, regardless of chapter.

    So moving a table to another chapter does not change random draws from the list. Each chapter may have a
    table of the same name; these come in the order of the chapters' names.
    """
    return sorted(folder.glob("*/*.toml"), key=lambda file: (file.name, file.parent.name))
