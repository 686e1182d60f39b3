"""Blocks in the Pathfinder form, printed from rows of the shared data."""

import html
import json
from functools import cache
from pathlib import Path

from affray.engine.statblock import Block, read

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "pf1_statblocks.jsonl"
LINES = (
    ("AC {}", "ac"),
    ("hp {}", "hp"),
    ("Defensive Abilities {}", "defensive_abilities"),
    ("DR {}", "dr"),
    ("Immune {}", "immune"),
    ("Resist {}", "resist"),
    ("SR {}", "sr"),
    ("Weaknesses {}", "weaknesses"),
    ("OFFENSE", "name"),
    ("Speed {}", "speed"),
    ("Melee {}", "melee"),
    ("Ranged {}", "ranged"),
    ("Space {}", "space"),
    ("Reach {}", "reach"),
    ("Special Attacks {}", "special_attacks"),
    ("STATISTICS", "name"),
    ("Feats {}", "feats"),
    ("Skills {}", "skills"),
)


@cache
def rows() -> tuple[dict[str, str], ...]:
    """Return the creatures of the shared data."""
    return tuple(json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines())


@cache
def blocks(dialect: str = "pf1") -> tuple[tuple[str, Block], ...]:
    """Return every creature of the data by name, as a dialect reads it."""
    return tuple((row["name"], read(printed(row), dialect=dialect)) for row in rows())


def printed(row: dict[str, str]) -> str:
    """Return the block of a creature as the books set it."""
    kind = f"{row.get('alignment', 'N')} {row.get('size', '')} {row.get('creature_type', '').lower()}"
    subtype = f" ({row['creature_subtype']})" if "creature_subtype" in row else ""
    lines = [
        f"{row['name']} CR {row.get('cr', '1')}",
        kind + subtype,
        f"Init {row['init']}; Senses {row.get('senses', '-')}",
        "DEFENSE",
    ]
    for text, key in LINES:
        if key in row:
            lines.append(text.format(row[key]))
        if key == "hp":
            lines.append(f"Fort {row['fortitude']}, Ref {row['reflex']}, Will {row['will']}")
    names = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    lines.append(", ".join(f"{name[:3].title()} {row[name]}" for name in names if name in row))
    if "base_attack" in row:
        lines.append(f"Base Atk {row['base_attack']}; CMB {row.get('cmb', '-')}; CMD {row.get('cmd', '-')}")
    return html.unescape("\n".join(lines))
