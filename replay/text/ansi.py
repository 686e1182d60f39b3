"""Coloured text: the only rows that may contain escape sequences, since the program wrote them."""

from typing import Any

from affray.events.errors import printable


class Painted(str):
    """A row that was cleaned before it was coloured."""

    __slots__ = ()


def painted(text: str, **style: Any) -> Painted:
    """Return a cleaned text in the colours of a terminal."""
    import click

    return Painted(click.style(cleaned(text), **style))


def make_terminal_link(text: str, address: str) -> str:
    """Return a text as a terminal link to an address (OSC 8); terminals without links show the text."""
    return f"\x1b]8;;{printable(address)}\x1b\\{text}\x1b]8;;\x1b\\"


def cleaned(text: str) -> str:
    """Return a text without terminal control characters; coloured text is clean already."""
    return text if isinstance(text, Painted) else printable(text)
