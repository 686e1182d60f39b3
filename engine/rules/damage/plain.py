"""The plain values of the chapter on damage: complete, for a dialect to start from."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Honours
from affray.engine.record.blow import Blow
from affray.engine.record.chapter import rolls
from affray.engine.record.damage import Damage
from affray.engine.record.silent import never, no, no_points, no_rules, no_topic, none, nothing
from affray.engine.rules.damage import injury, loss_of_hit_points, set_health
from affray.engine.rules.damage.energies import ENERGY
from affray.engine.rules.damage.injury import bleed_out, highest_disabled, highest_dying
from affray.engine.rules.damage.weapon_damage import (
    loss_topics,
    reduce,
    strength_share,
    suffer,
    weapon_damage,
)
from affray.engine.rules.turns import minor_acts
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def as_made(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage as the weapon's entry has it."""
    return blow.weapon.damage_type
    yield


NEVER: Final = 1_000_000_000
"""More damage than anything deals."""


def no_massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return that no damage is so massive that it kills at once."""
    return NEVER


#: What a sheet may say of its damage: that of weapons, of energy, and what has no resistance to it.
TYPES: Final = ENERGY | {
    *("bludgeoning", "piercing", "slashing"),
    *("bleed", "force", "holy", "negative energy", "positive energy", "unholy"),
}

PLAIN_DAMAGE = Damage(
    rolls=rolls("damage, extra-*"),
    acts={acts.Stabilize: Honours(minor_acts.stabilize, "target")},
    types=TYPES,
    deal=weapon_damage,
    strength_damage=strength_share,
    force_rules=no_rules,
    minimum_is_nonlethal=False,
    damage_kind=as_made,
    along_with_damage=nothing,
    suffer=suffer,
    overcomes=no,
    pierced=no_points,
    reduce=reduce,
    roll_with=nothing,
    injure=loss_of_hit_points.injure,
    start_hurt=injury.start_hurt,
    settle=set_health.settle,
    set_state=set_health.set_state,
    refuse_state=set_health.refuse_state,
    loss_topics=loss_topics,
    disabled_from=highest_disabled,
    dying_from=highest_dying,
    bleed_out=bleed_out,
    last_stand=never,
    undying=no_topic,
    death_at=injury.death_at,
    massive_damage=no_massive_damage,
    nonlethal_limit=none,
    effect_over=nothing,
)
