"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa import blind, clutch_modifiers, fear, going, grapple_modifiers, hampered
from affray.engine.dialects.woa.crowding import refuse_wriggler
from affray.engine.rules.permit import PLAIN_ATTACKS, Check
from affray.events.facts.acts import Attack, Charge, FullAttack

CHECKS: tuple[Check, ...] = (
    Check(blind.refuse_unknown, PLAIN_ATTACKS.acts),
    Check(refuse_wriggler, (Attack, FullAttack, Charge), "wriggling"),
    *going.CHECKS,
    *fear.CHECKS,
    *hampered.CHECKS,
    *grapple_modifiers.CHECKS,
    *clutch_modifiers.CHECKS,
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
