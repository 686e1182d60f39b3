"""The rules over a recorded state: what play would find there."""

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.projections.state import Encounter


def fight_over(state: Encounter, seed: bytes | None, changes: dict[str, object] | None = None) -> Fight:
    """Return the working context over a state, with nothing remembered from another one."""
    fight = Fight(state, load(state.dialect, changes, state.tables, state.packages))
    fight.seed = seed.hex() if seed else ""
    return fight


def reading_now(state: Encounter, option: str) -> str:
    """Return the reading of a contested rule that holds in a fight."""
    book = fight_over(state, None).dialect.book
    return book.reading(option, book.chosen(state.options, state.defaults)).name
