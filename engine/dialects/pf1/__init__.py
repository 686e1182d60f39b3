"""`pf1`: the Pathfinder 1e combat rules, point by point."""

from collections.abc import Mapping, Sequence
from typing import Any

from affray.engine.dialects import usual
from affray.engine.dialects.dialect import Points
from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.conditions.condition_table import CONDITIONS
from affray.engine.dialects.pf1.damage import injury as own_injury
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.fight import Fight
from affray.engine.modifiers import STACKING, Tally, stack_typed
from affray.engine.rules.attacks import (
    aid_another,
    attack_action,
    attack_modifiers,
    attack_roll,
    charge,
    declared_blow,
)
from affray.engine.rules.defense import armor_class
from affray.engine.rules.gear import draw_and_sheathe
from affray.engine.rules.movement import movement
from affray.engine.rules.turns import flow, minor_acts
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier

ACTS: Mapping[type[acts.Act], Any] = {
    **usual.ACTS,
    acts.Step: own_flow.step,
    acts.Withdraw: movement.withdraw,
    acts.Run: movement.run,
    acts.Charge: charge.charge,
    acts.Attack: attack_action.attack,
    acts.FullAttack: attack_action.full_attack,
    acts.Aid: aid_another.aid,
    acts.Brace: declared_blow.brace,
    acts.Cast: own_flow.cast,
    acts.Draw: draw_and_sheathe.draw,
    acts.Load: minor_acts.load,
}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge, racial and the like together (pf1.bonus.stacking)."""
    return stack_typed(parts, stacks=STACKING, rule=fight.rule("bonus.stacking"))


POINTS = Points(
    acts=ACTS,
    surprise=own_flow.surprise,
    order=own_flow.order,
    close_round=flow.close_round,
    open_turn=own_flow.open_turn,
    close_turn=flow.close_turn,
    allowance=own_flow.allowance,
    stack=stack,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=own_attack.attack_situation,
    defense_bonus=own_attack.defense_bonus,
    defense_situation=armor_class.defense_situation,
    dexterity_denied=own_attack.dexterity_denied,
    cover=own_attack.cover_parts,
    miss_chance=attack_modifiers.miss_chance,
    full_attacks=attack_action.full_attacks,
    defensive_casting_dc=own_attack.defensive_casting_dc,
    minimum_is_nonlethal=True,
    injure=own_injury.injure,
    death_at=own_injury.death_at,
    massive_damage=own_injury.massive_damage,
    opportunities=own_flow.opportunities,
    save_bonus=own_attack.save_bonus,
    strength_damage=own_attack.strength_damage,
    dying=own_injury.bleed_out,
    nonlethal_limit=own_injury.nonlethal_limit,
    space_and_reach=own_attack.space_and_reach,
    opportunity=own_flow.opportunity,
    ranged_touch_provokes=True,
    reflex_cover=own_attack.reflex_cover,
    run_multiple=own_flow.run_multiple,
)

TITLE = "Pathfinder 1e"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
