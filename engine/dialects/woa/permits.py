"""What attacks may not be declared as: with feats unknown here, or as a lob at a mere spot."""

from typing import Any

from affray.engine.fight import Fight
from affray.engine.rules.permit import Check
from affray.engine.rules.weapons import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts.acts import Attack, Charge, FullAttack, Stabilize
from affray.projections.state import Combatant

#: What only dialects with these feats know of attacks.
FEATS = ("power", "expertise", "second", "rapid_shot", "whirlwind", "off_hand", "at")


def refuse_unknown(fight: Fight, who: Combatant, act: Any) -> None:
    """Refuse an attack with a feat that this text does not tell of, and one at a square by direct fire.

    To shoot or throw in an arc at a spot is for the indirect fire of siege weapons
    (woa.range.direct-fire-only).
    """
    at = getattr(act, "at", None)
    if at is not None and not act.target:
        weapon = find_weapon(fight, who, act.weapon)
        if weapon.range:
            raise Refusal(
                f"the {weapon.name} is shot at somebody, not at a spot", fight.rule("range.direct-fire-only")
            )
    strikes = getattr(act, "strikes", ())
    if any(getattr(one, name, False) for one in (act, *strikes) for name in FEATS):
        raise Refusal(f"{fight.dialect.name} knows no such feat", fight.rule("actions"))


UNKNOWN = Check(refuse_unknown, (Attack, FullAttack, Charge, Stabilize))
