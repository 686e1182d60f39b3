"""Stat blocks pasted as text, read into sheets."""

from affray.engine.statblock.attacks import Attack
from affray.engine.statblock.block import Block, Printed, read
from affray.engine.statblock.lines import Note, StatBlockError
from affray.engine.statblock.weapons import Strike

__all__ = ["Attack", "Block", "Note", "Printed", "StatBlockError", "Strike", "read"]
