"""Printed stat blocks of any dialect: each form is a matter of the dialect that has it."""

from affray.engine.dialects import dialects, load
from affray.engine.record.blocks import BlockReader, OwnBlock
from affray.engine.statblock import PRINTED_FOR, Block, read


def readers(dialect: str = "") -> dict[str, BlockReader]:
    """Return the readers that dialects have for a form of their own, or that of one dialect, by name."""
    names = [dialect] if dialect else [name for name in dialects() if name not in PRINTED_FOR]
    found = {name: load(name).blocks for name in names}
    return {name: reader for name, reader in found.items() if reader is not None}


def readable() -> tuple[str, ...]:
    """Return the dialects in whose form or arithmetic a block can be read."""
    return (*PRINTED_FOR, *readers())


def read_block(text: str, *, dialect: str = "", name: str = "") -> Block | OwnBlock:
    """Read a stat block in the form of a dialect; without one, in the form that the text has.

    Dialects without a form of their own read the 3.5 form and its relatives. Raises StatBlockError.
    """
    own = readers(dialect)
    if dialect in own:
        return own[dialect].read(text, name)
    if not dialect:
        for reader in own.values():
            if reader.recognizes(text):
                return reader.read(text, name)
    return read(text, dialect=dialect if dialect in PRINTED_FOR else "", name=name)
