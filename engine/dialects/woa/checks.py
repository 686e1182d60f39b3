"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa.attacks import permits
from affray.engine.dialects.woa.casting import turned
from affray.engine.dialects.woa.elements import unsteady_casting
from affray.engine.dialects.woa.harm import fear, hampered
from affray.engine.dialects.woa.holding import clutch_modifiers, grapple_modifiers
from affray.engine.dialects.woa.mounts import horseback, riding
from affray.engine.dialects.woa.moving import going, ways
from affray.engine.dialects.woa.place.crowding import refuse_wriggler
from affray.engine.rules.harm import mental
from affray.engine.rules.turns.permit import Check
from affray.events.facts import acts

CHECKS: tuple[Check, ...] = (
    Check(mental.refuse_bodily, condition=mental.PARALYZED),
    *permits.CHECKS,
    *going.CHECKS,
    *turned.CHECKS,
    *fear.CHECKS,
    *hampered.CHECKS,
    *grapple_modifiers.CHECKS,
    *clutch_modifiers.CHECKS,
    Check(unsteady_casting.refuse_casting, (acts.Cast,)),
    Check(horseback.refuse_gestures, (acts.Cast,)),
    Check(horseback.refuse_afoot, (acts.Skirmish, acts.Clamber, acts.Hide)),
    Check(riding.refuse_unguided, (*riding.FIGHTING, acts.Move, acts.Run)),
    Check(ways.refuse_rush, (acts.Run, acts.Charge)),
    Check(ways.refuse_tumbling, (acts.Move,), "flying"),
    Check(
        refuse_wriggler, (acts.Attack, acts.FullAttack, acts.Charge, acts.Overrun, acts.Skirmish), "wriggling"
    ),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
