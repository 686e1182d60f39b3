"""Text in colour: the only rows in which escape sequences may stand, for they are ours."""

from typing import Any

from affray.events.errors import printable


class Painted(str):
    """A row that was cleaned before it was coloured."""

    __slots__ = ()


def painted(text: str, **style: Any) -> Painted:
    """Return a text in the colours of a terminal, itself clean."""
    import click

    return Painted(click.style(cleaned(text), **style))


def make_terminal_link(text: str, address: str) -> str:
    """Return a text that leads to an address, as terminals take it (OSC 8); others show the text."""
    return f"\x1b]8;;{printable(address)}\x1b\\{text}\x1b]8;;\x1b\\"


def cleaned(text: str) -> str:
    """Return a text that steers no terminal; one in colour is so already."""
    return text if isinstance(text, Painted) else printable(text)
