"""What holds forbid: to strike, cast, run, charge and walk off.

woa.grab.occupied-limbs, woa.grab.restricted-movement, woa.grab.immobile-under-5ft
"""

from typing import Any

from affray.engine.dialects.woa.grapple.grab_modifiers import HANDS, refuse_arm, seized_arms, speed_divisor
from affray.engine.dialects.woa.grapple.grab_state import (
    GRABBED,
    GRABBING,
    LEG,
    hands_on,
    holding,
    parts_held,
)
from affray.engine.dialects.woa.movement.movement import speed_with_burdens
from affray.engine.fight.fight import Fight
from affray.engine.record.compose import about, when
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

ON_FOOT = (acts.Run, acts.Charge, acts.Jump)

#: What leads one's own feet elsewhere; in an overrun they may be a mount's.
WALKING = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Skirmish)

STRIKING = (acts.Attack, acts.FullAttack, acts.Charge, acts.Skirmish)


def refuse_limbs(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse a blow with an arm that is held, or that holds a victim (woa.grab.occupied-limbs)."""
    names = [one.weapon for one in act.strikes] if isinstance(act, acts.FullAttack) else [act.weapon]
    for name in names:
        refuse_arm(fight, grappler, find_weapon(fight, grappler, name))


def refuse_legs(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse to run, charge or jump with a leg that is held (woa.grab.occupied-limbs)."""
    refuse_held_leg(fight, grappler)


def refuse_held_leg(fight: Fight, grappler: Combatant) -> None:
    """Refuse what takes both legs to whom others hold one of them (woa.grab.occupied-limbs)."""
    if LEG in parts_held(fight, grappler):
        reason = f"{grappler.id} is held by the leg and cannot run, jump or charge"
        raise Refusal(reason, fight.rule("woa.grab.occupied-limbs"))


def refuse_gestures(fight: Fight, grappler: Combatant, act: acts.Cast) -> None:
    """Refuse a spell with gestures without a free arm (woa.grab.occupied-limbs)."""
    spell = next((one for one in grappler.sheet.spells if one.name == act.spell), None)
    if spell is None or spell.ability or "somatic" not in spell.components:
        return
    busy = sum(hands_on(grappler, other.id) for other in holding(fight, grappler))
    if len(seized_arms(fight, grappler)) + busy >= HANDS:
        raise Refusal(f"{grappler.id} has no arm free to gesture", fight.rule("woa.grab.occupied-limbs"))


def refuse_rooted(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse any movement to whom those who hold it leave less than 5 feet (woa.grab.immobile-under-5ft)."""
    topic = "woa.grab.immobile-under-5ft"
    if speed_with_burdens(fight, grappler) < fight.figure(topic, "minimum_ft"):
        raise Refusal(
            f"{grappler.id} is held fast by {grappler.conditions[GRABBED].source}", fight.rule(topic)
        )


def refuse_hampered(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse to charge, or to disengage defensively, to whom those who hold it slow.

    woa.grab.restricted-movement, woa.aoo.avoid.defensive-disengage-limits
    """
    if speed_divisor(fight, grappler) <= 1:
        return
    if isinstance(act, acts.Charge):
        raise Refusal(
            f"{grappler.id} is held and too slow to charge", fight.rule("woa.grab.restricted-movement")
        )
    if act.how == "defensive":
        rule = fight.rule("woa.aoo.avoid.defensive-disengage-limits")
        raise Refusal(f"{grappler.id} is held and cannot disengage defensively", rule)


def refuse_alone(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse to walk off from whom one holds: it is dragged along, or let go (woa.grab.drag-opponent)."""
    raise Refusal(
        f"{grappler.id} holds {grappler.conditions[GRABBING].source}: drag or let go",
        fight.rule("woa.grab.drag-opponent"),
    )


PROHIBITIONS = (
    about(STRIKING, when(f"{GRABBED!r} in conditions", refuse_limbs)),
    about(STRIKING, when(f"{GRABBING!r} in conditions", refuse_limbs)),
    about(ON_FOOT, when(f"{GRABBED!r} in conditions", refuse_legs)),
    about((acts.Cast,), when(f"{GRABBED!r} in conditions", refuse_gestures)),
    about((acts.Cast,), when(f"{GRABBING!r} in conditions", refuse_gestures)),
    about(WALKING, when(f"{GRABBED!r} in conditions", refuse_rooted)),
    about((acts.Overrun,), when(f"{GRABBED!r} in conditions and not mount", refuse_rooted)),
    about((acts.Move, acts.Charge), when(f"{GRABBED!r} in conditions", refuse_hampered)),
    about(WALKING, when(f"{GRABBING!r} in conditions", refuse_alone)),
    about((acts.Overrun,), when(f"{GRABBING!r} in conditions and not mount", refuse_alone)),
)
"""What holds forbid."""
