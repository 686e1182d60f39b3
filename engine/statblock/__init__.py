"""Stat blocks pasted as text, read into sheets."""

from affray.engine.statblock.block import PRINTED_FOR, Block, Figure, Printed, Shares, read
from affray.engine.statblock.creature import Attack, Strike
from affray.engine.statblock.paste import Note, StatBlockError
from affray.engine.statblock.weapons import Routine

__all__ = [
    "PRINTED_FOR",
    "Attack",
    "Block",
    "Figure",
    "Note",
    "Printed",
    "Routine",
    "Shares",
    "StatBlockError",
    "Strike",
    "read",
]
