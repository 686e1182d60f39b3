"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa.permits import UNKNOWN
from affray.engine.rules.permit import Check

CHECKS: tuple[Check, ...] = (UNKNOWN,)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
