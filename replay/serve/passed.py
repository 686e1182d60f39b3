"""An event of a line of play that has passed."""

from typing import Any, NamedTuple

from affray.events.envelope import Event
from affray.projections.state import Question
from affray.replay.viewer.frame import Frame


class Passed(NamedTuple):
    """An event that has passed: its fact and frame, and what the fight waited for after it."""

    event: Event
    fact: Any
    frame: Frame | None
    question: Question | None
