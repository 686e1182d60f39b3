"""What attacks and moves may not be declared as: with finesses unknown here, or as a lob at a mere spot."""

from typing import Any

from affray.engine.fight import Fight
from affray.engine.record.turns import Check
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.prohibitions import FINESSES
from affray.engine.steps import Refusal
from affray.events.facts.acts import Attack, Charge, FullAttack, Move, Stabilize
from affray.projections.state import Combatant

#: What this text knows of, each of its own declarations.
KNOWN: dict[str, tuple[type, ...]] = {
    "take": (Attack,),
    "at": (Attack,),
    "off_hand": (FullAttack, Attack),
    "wide": (Move,),
    "high": (Move,),
}


def refuse_unknown(fight: Fight, who: Combatant, act: Any) -> None:
    """Refuse an attack or a move with a finesse that this text does not tell of."""
    strikes = getattr(act, "strikes", ())
    for name in FINESSES:
        if any(getattr(one, name, False) for one in (act, *strikes)) and type(act) not in KNOWN.get(name, ()):
            raise Refusal(f"{fight.dialect.name} knows no {name!r} here", fight.rule("actions"))


def refuse_lob(fight: Fight, who: Combatant, act: Attack) -> None:
    """Refuse to shoot or throw at a mere spot: an arc is for the indirect fire of siege weapons.

    woa.range.direct-fire-only
    """
    flies = act.thrown or find_weapon(fight, who, act.weapon).wield == "projectile"
    if act.at is not None and not act.target and flies:
        raise Refusal("a shot is aimed at somebody, not at a spot", fight.rule("range.direct-fire-only"))


CHECKS = (
    Check(refuse_lob, (Attack,)),
    Check(refuse_unknown, (Attack, FullAttack, Charge, Stabilize, Move)),
)
