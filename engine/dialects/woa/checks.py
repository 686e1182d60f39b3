"""What is forbidden under `woa`, asked before each declaration."""

from typing import Any

from affray.engine.dialects.woa import hampered, horseback, riding, ways
from affray.engine.dialects.woa.crowding import refuse_wriggler
from affray.engine.fight import Fight
from affray.engine.rules.permit import FINESSES, PLAIN_ATTACKS, Check
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: What may be said of an attack here beside weapon and target.
KNOWN = ("off_hand", "at")


def refuse_unknown(fight: Fight, who: Combatant, act: Any) -> None:
    """Refuse an attack or a move with a finesse that this text does not know."""
    strikes = getattr(act, "strikes", ())
    for name in FINESSES:
        if name not in KNOWN and any(getattr(one, name, False) for one in (act, *strikes)):
            raise Refusal(f"{fight.dialect.name} knows no {name!r} here", fight.rule("actions"))


CHECKS: tuple[Check, ...] = (
    Check(refuse_unknown, PLAIN_ATTACKS.acts),
    Check(hampered.refuse_casting, (acts.Cast,)),
    Check(horseback.refuse_gestures, (acts.Cast,)),
    Check(riding.refuse_unguided, (*riding.FIGHTING, acts.Move, acts.Run)),
    Check(ways.refuse_rush, (acts.Run, acts.Charge)),
    Check(ways.refuse_tumbling, (acts.Move,), "flying"),
    Check(refuse_wriggler, (acts.Attack, acts.FullAttack, acts.Charge), "wriggling"),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
