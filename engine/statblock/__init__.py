"""Stat blocks pasted as text, read into sheets."""

from affray.engine.statblock.block import PRINTED_FOR, Block, Printed, read
from affray.engine.statblock.lines import Note, StatBlockError
from affray.engine.statblock.printed_attack import Attack, Strike
from affray.engine.statblock.routines import Routine
from affray.engine.statblock.worked_out import Figure, Shares

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
