"""A prompt that holds a fight open: short words for what is declared, answered, explained and ruled."""

from affray.replay.prompt.moment import Moment
from affray.replay.prompt.session import Session

__all__ = ["Moment", "Session"]
