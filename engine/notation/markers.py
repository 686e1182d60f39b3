"""What a text says of rounds and turns, held against the fight."""

from affray.engine.notation.errors import NotationError
from affray.engine.notation.lines import Marker
from affray.projections.state import Encounter


def check_marker(one: Marker, state: Encounter) -> None:
    """Raise NotationError unless it is the round, and the turn, that a marker says."""
    if state.round != one.round:
        raise NotationError(one.line, one.column, f"round {state.round}", f"round {one.round}")
    if one.turn is not None and state.active != one.turn:
        raise NotationError(one.line, one.column, f"the turn of {state.active or 'nobody'}", one.turn)
