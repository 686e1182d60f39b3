"""What attacks and moves may not be declared as: as a lob at a mere spot."""

from affray.engine.fight.fight import Fight
from affray.engine.record.compose import about
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts.acts import Attack
from affray.projections.state import Combatant


def refuse_lob(fight: Fight, actor: Combatant, act: Attack) -> None:
    """Refuse to shoot or throw at a mere spot: an arc is for the indirect fire of siege weapons.

    woa.range.direct-fire-only
    """
    if act.at is None:
        return
    if act.thrown or find_weapon(fight, actor, act.weapon).wield == "projectile":
        raise Refusal(
            "a shot or throw is aimed at a target, not at a spot", fight.rule("woa.range.direct-fire-only")
        )


PROHIBITIONS = (about((Attack,), refuse_lob),)
