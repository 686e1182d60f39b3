"""A picture of the state: the whole fight at one glance."""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.grid.battlefield import battlefield
from affray.engine.language.cast import Cast, legend
from affray.engine.text.lines import Line, in_rows, plain
from affray.engine.text.map import WIDEST, board, explain_signs, get_marks_between_squares, heads
from affray.engine.text.words import until
from affray.events.errors import square
from affray.projections.sentence import describe_conditions, source_words, stat_words
from affray.projections.state import Combatant, Encounter

BAR = 10


def picture(state: Encounter, place: str = "", begin: str = "", columns: int = 80) -> Iterator[Line]:
    """Yield the state as lines: the current turn, all combatants in order, effects, items on the ground, the
    map, the question.

    `place` is the position in the log, `begin` the way to begin a fight that has not begun.
    """
    cast = Cast.of(state)
    yield Line("title", titled(state, place))
    if not state.dialect:
        return
    yield Line("setup", standing(state, cast, begin))
    everybody = sort_by_initiative(state)
    if everybody:
        yield Line("map", in_rows(yield_health_rows(everybody, state, cast)))
    yield from besides(everybody, state, cast)
    if state.terrain:
        yield Line("map", in_rows(board(state, cast, widest_map(columns))))
        if signs := explain_signs(get_marks_between_squares(state.barriers)):
            yield Line("setup", f"Between squares: {signs}")
    if state.pending is not None:
        question = state.pending
        options = f" ({' / '.join(question.options)})" if question.options else ""
        yield Line(
            "question", f"Waiting for {cast.name(question.who)}: {cast.prose(question.question)}{options}"
        )


def titled(state: Encounter, place: str) -> str:
    """Return the title of the fight and the position in its log."""
    title = f"{state.name} ({state.dialect})" if state.dialect else "Before the beginning"
    return title + (f", {place}" if place else "")


def sort_by_initiative(state: Encounter) -> list[Combatant]:
    """Return the combatants in the order of initiative, then those without one."""
    rest = [id for id in state.combatants if id not in state.order]
    return [state.combatants[id] for id in (*state.order, *rest) if id in state.combatants]


def widest_map(columns: int) -> int:
    """Return how many letters of a map fit into the columns, next to its coordinates."""
    return max(1, min(WIDEST, columns - 8))


def standing(state: Encounter, cast: Cast, begin: str = "") -> str:
    """Return the progress of the fight in one sentence."""
    if state.closed:
        return f"Over after round {state.round}: {state.closed}"
    if not state.begun:
        return f"Not begun: {begin}" if begin else "Not begun"
    name = f"Round {state.round}" if state.round else "Surprise round"
    if state.active:
        return f"{name}, turn {state.turn}: {cast.name(state.active)}"
    return f"{name} begins" if state.phase == "turns" else f"{name}, {state.phase or 'nobody acts'}"


def bar(hp: int, most: int) -> str:
    """Return hit points as a bar of ten: never empty for the living, never full for the hurt."""
    if hp <= 0 or most <= 0:
        return "." * BAR
    full = min(BAR, max(1, hp * BAR // most))
    return "#" * full + "." * (BAR - full)


def besides(some: Sequence[Combatant], state: Encounter, cast: Cast) -> Iterator[Line]:
    """Yield effects, items on the ground, and doors."""
    for one in some:
        yield from _effects(one, cast)
    if lying := "; ".join(_lying(state, cast)):
        yield Line("setup", f"On the ground: {lying}")
    if doors := ", ".join(_doors(state)):
        yield Line("setup", f"Doors: {doors}")


def yield_health_rows(combatants: Sequence[Combatant], state: Encounter, cast: Cast) -> Iterator[str]:
    """Yield a row for each combatant: current turn, initiative, a bar of hit points, square, conditions."""
    called = [_called(one.id, cast) for one in combatants]
    wide = max(map(len, called), default=0)
    for one, name in zip(combatants, called, strict=True):
        mark = ">" if one.id == state.active else " "
        initiative = str(one.initiative) if state.begun else ""
        notes = [
            *([f"{one.nonlethal} nonlethal"] if one.nonlethal else []),
            *([f"{one.temporary} temporary"] if one.temporary else []),
            *(words for words, _ in describe_conditions(one)),
            *(["delaying"] if one.delaying else []),
            *(["readied"] if one.readied else []),
            *one.injuries,
        ]
        health = f"{one.hp}/{one.max_hp}"
        row = (
            f"{mark}{cast.letters[one.id]} {name:<{wide}} {initiative:>3} [{bar(one.hp, one.max_hp)}] "
            f"{health:>7} at {square(one.at):<6} {', '.join(notes)}"
        )
        yield row.rstrip()


def _lying(state: Encounter, cast: Cast) -> Iterator[str]:
    """Yield items dropped or thrown, and where they are, if known."""
    for one in state.combatants.values():
        dropped = [item for item, held in one.items.items() if held == "dropped"]
        for item in dict.fromkeys((*one.lying, *dropped)):
            places = " and ".join(map(square, one.lying.get(item, ())))
            yield f"{item} of {cast.name(one.id)}{f' at {places}' if places else ''}"


def _doors(state: Encounter) -> Iterator[str]:
    """Yield each door once, with the first side of a square at which it is, and whether it is open."""
    doors = {one.door: one for one in reversed(state.barriers) if one.door}
    for one in reversed(doors.values()):
        kept = "open" if one.open else "closed"
        yield f"{one.door} between {square(one.here)} and {square(one.there)} ({kept})"


def _called(id: str, cast: Cast) -> str:
    return id if cast.name(id) == id else f"{cast.name(id)} ({id})"


def _effects(one: Combatant, cast: Cast) -> Iterator[Line]:
    for effect in one.effects:
        part = effect.modifier
        against = f" against {cast.name(effect.against)}" if effect.against else ""
        span = until(effect.until, cast.name(effect.until.who))
        value = f"{part.value:+d} " if part.value else ""
        text = f"{cast.name(one.id)}: {value}{stat_words(effect.stat, cast.words)}{against}, "
        text = f"{cast.name(one.id)}: " if effect.stat in cast.words.ongoing else text
        text += source_words(part.source)
        yield Line("setup", text + (f", {span}" if span else ""))


# --- The picture of the state for a terminal with few rows

TALL_ENOUGH: Final = 7
"""Rows of the map that must be visible before the bars of hit points are dropped."""
LOW_ENOUGH: Final = 3
"""With fewer rows the map is useless."""


def yield_low_picture(state: Encounter, place: str, begin: str, columns: int, rows: int) -> Iterator[Line]:
    """Yield as much of the state as fits into the given rows, none of them empty, with priority for the map.

    Effects and items on the ground are dropped first, then rows of the map far from the fight, then the bars
    of hit points. A note says what is left out. The pending question is not included.
    """
    cast = Cast.of(state)
    head = Line("setup", f"{titled(state, place)}. {standing(state, cast, begin)}")
    yield head
    free = rows - rows_of([head], columns)
    everybody = sort_by_initiative(state)
    bars, beside = list(yield_health_rows(everybody, state, cast)), list(besides(everybody, state, cast))
    brief = legend(state, cast)
    above = heads(battlefield(state.terrain)) if state.terrain else 0
    whole = board(state, cast, widest_map(columns)) if state.terrain else []
    if len(bars) + rows_of(beside, columns) + len(whole) <= free:
        yield Line("map", in_rows(bars))
        yield from beside
        yield Line("map", in_rows(whole))
        return
    free -= 1  # for the note
    for people, least in ((bars, TALL_ENOUGH), (brief, LOW_ENOUGH)):
        room = free - len(people)
        if room >= min(len(whole), above + least):
            cut = whole if len(whole) <= room else board(state, cast, widest_map(columns), room - above)
            yield Line("map", in_rows([*people, *cut]))
            yield Line("note", "Cut to fit the terminal: use show for all of it")
            return
    missing = len(brief) + min(len(whole), above + LOW_ENOUGH) - free
    yield Line("note", f"Not drawn: the terminal lacks {missing} rows; use show")


def rows_of(lines: Sequence[Line], columns: int) -> int:
    """Return how many rows lines take, without empty ones."""
    return sum(1 for line in lines for row in plain(line, columns) if row)
