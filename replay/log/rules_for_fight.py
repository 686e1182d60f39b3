"""The rules for a recorded state, as play would use them."""

from typing import TYPE_CHECKING

from affray.engine.book import Book, dialects
from affray.engine.language.names import playable
from affray.projections.state import Encounter

if TYPE_CHECKING:
    from affray.engine.fight.fight import Fight


def make_fight_context(
    state: Encounter, seed: bytes | None, changes: dict[str, object] | None = None
) -> "Fight":
    """Return the working context for a state, with empty caches."""
    from affray.engine.dialects import load
    from affray.engine.fight.fight import Fight

    fight = Fight(state, load(state.dialect, changes, state.tables, state.packages))
    fight.seed = seed.hex() if seed else ""
    return fight


def reading_now(state: Encounter, option: str) -> str:
    """Return the reading of a contested rule in force in a fight."""
    book = make_fight_context(state, None).dialect.book
    return book.reading(option, book.chosen(state.options, state.defaults)).name


# --- The rules that a log was played by, as far as they are installed: a log can be read without them


def book_of(state: Encounter) -> Book | None:
    """Return the catalogue of a fight, or its dialect's if a package is missing; None without the dialect."""
    from affray.engine.dialects import load

    if state.packages and playable(state):
        # This needs the rules themselves, which the catalogue of a dialect does not.
        from affray.engine.dialects import load

        return load(state.dialect, None, state.tables, state.packages).book
    return Book.load(state.dialect) if state.dialect in dialects() else None


def readings_chosen(state: Encounter) -> dict[str, str]:
    """Return the readings of a fight that differ from today's defaults, by its age or by choice."""
    book = book_of(state)
    return book.chosen(state.options, state.defaults) if book else {**state.options}
