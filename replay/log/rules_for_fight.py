"""The rules over a recorded state: what play would find there."""

from typing import TYPE_CHECKING

from affray.engine.book import Book, dialects
from affray.engine.book.packages import required
from affray.events.errors import AffrayError
from affray.projections.state import Encounter

if TYPE_CHECKING:
    from affray.engine.fight.fight import Fight


def make_fight_context(
    state: Encounter, seed: bytes | None, changes: dict[str, object] | None = None
) -> "Fight":
    """Return the working context over a state, with nothing remembered from another one."""
    from affray.engine.dialects import load
    from affray.engine.fight.fight import Fight

    fight = Fight(state, load(state.dialect, changes, state.tables, state.packages))
    fight.seed = seed.hex() if seed else ""
    return fight


def reading_now(state: Encounter, option: str) -> str:
    """Return the reading of a contested rule that holds in a fight."""
    book = make_fight_context(state, None).dialect.book
    return book.reading(option, book.chosen(state.options, state.defaults)).name


# --- The rules that a log was played by, as far as they are installed here: a log can be read without them


def playable(state: Encounter) -> bool:
    """Say whether the dialect and all packages of a fight are installed as they were."""
    try:
        required(state.packages)
    except AffrayError:
        return False
    return state.dialect in dialects()


def book_of(state: Encounter) -> Book | None:
    """Return the catalogue of a fight, its dialect's alone where a package is missing; None without that."""
    from affray.engine.dialects import load

    if state.packages and playable(state):
        # The rules themselves are needed for it, which the catalogue of a dialect is not.
        from affray.engine.dialects import load

        return load(state.dialect, None, state.tables, state.packages).book
    return Book.load(state.dialect) if state.dialect in dialects() else None


def readings_chosen(state: Encounter) -> dict[str, str]:
    """Return the readings of a fight that differ from today's defaults, by its age or by choice."""
    book = book_of(state)
    return book.chosen(state.options, state.defaults) if book else {**state.options}
