"""The plain values of the chapter on damage: complete, for a dialect to start from."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Honours
from affray.engine.record.blow import Blow
from affray.engine.record.damage import Damage
from affray.engine.rules.damage import injury, loss_of_hit_points
from affray.engine.rules.damage.injury import below_zero, bleed_out, no_last_stand
from affray.engine.rules.damage.weapon_damage import (
    loss_topics,
    no_force_rules,
    no_nonlethal_limit,
    no_rolling,
    nothing_more,
    reduce,
    strength_share,
    suffer,
    weapon_damage,
)
from affray.engine.rules.turns import minor_acts
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant, Effect


def as_made(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage as the weapon's entry has it."""
    return blow.weapon.damage_type
    yield


def nothing_due(fight: Fight, who: Combatant) -> Steps[None]:
    """Begin a turn with nothing of the kind."""
    return
    yield


def stays(fight: Fight, who: Combatant, effect: Effect) -> Steps[None]:
    """Let an effect end without anything more."""
    return
    yield


NEVER: Final = 1_000_000_000
"""More damage than anything deals."""


def no_massive_damage(fight: Fight, who: Combatant) -> int:
    """Return that no damage is so massive that it kills at once."""
    return NEVER


PLAIN_DAMAGE = Damage(
    acts={
        acts.Stabilize: Honours(minor_acts.stabilize, "target"),
    },
    deal=weapon_damage,
    strength_damage=strength_share,
    force_rules=no_force_rules,
    minimum_is_nonlethal=False,
    damage_kind=as_made,
    along_with_damage=nothing_more,
    suffer=suffer,
    reduce=reduce,
    roll_with=no_rolling,
    injure=loss_of_hit_points.injure,
    loss_topics=loss_topics,
    dying_from=below_zero,
    bleed_out=bleed_out,
    last_stand=no_last_stand,
    death_at=injury.death_at,
    massive_damage=no_massive_damage,
    nonlethal_limit=no_nonlethal_limit,
    effect_over=stays,
)
