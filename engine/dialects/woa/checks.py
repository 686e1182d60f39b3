"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa import clutch_modifiers, fear, going, grapple_modifiers, hampered
from affray.engine.rules.permit import PLAIN_ATTACKS, Check

CHECKS: tuple[Check, ...] = (
    PLAIN_ATTACKS,
    *going.CHECKS,
    *fear.CHECKS,
    *hampered.CHECKS,
    *grapple_modifiers.CHECKS,
    *clutch_modifiers.CHECKS,
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
