"""Text in rows of a width, with ids and names left whole."""

import textwrap


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return a text in rows of at most `width` columns that break at blanks only; a longer word is a row.

    `indent` begins the first row, `hanging` each other one: the same where it is None. No text is no row.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
