"""Which conditions of futurepath nobody takes along into another fight."""

from typing import Final

from affray.engine.dialects.futurepath.conditions.condition_table import TABLE

#: What the game master declares of the scene, step by step, is of that scene too.
DECLARED: Final = tuple(f" {word}" for word in ("advantage", "disadvantage", "cover", "concealment"))

#: Conditions of one place, one moment, one ride, or of somebody's hold.
LOCAL: Final = frozenset(
    {
        "ajar",
        "borne aloft",
        "charging",
        "climbing",
        "conversing",
        "flat-footed",
        "flying",
        "grappling",
        "in a chasm",
        "in darkness",
        "open",
        "pinned",
        "running",
        "squeezing",
        "total-defense",
        "bottom half covered",
        "one side covered",
    }
    | {name for name in TABLE if any(word in name for word in DECLARED)}
)
