"""`futurepath`: modern and science-fiction combat, Defense and graded advantages, point by point."""

from collections.abc import Mapping
from typing import Any

from affray.engine.dialects import usual
from affray.engine.dialects.dialect import Points
from affray.engine.dialects.futurepath.attacks import attack_action, attack_roll
from affray.engine.dialects.futurepath.conditions.condition_table import CONDITIONS
from affray.engine.dialects.futurepath.defense import cover, defense
from affray.engine.dialects.futurepath.gear import handling
from affray.engine.dialects.futurepath.movement import movement
from affray.engine.dialects.futurepath.turns import action_budget, flow
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.damage import injury
from affray.engine.rules.defense import armor_class as shared_defense
from affray.engine.rules.magic import casting
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.events.facts import acts

ACTS: Mapping[type[acts.Act], Any] = {
    **usual.ACTS,
    acts.Step: movement.step,
    acts.Withdraw: movement.withdraw,
    acts.Run: movement.run,
    acts.Charge: movement.charge,
    acts.Attack: attack_action.attack,
    acts.FullAttack: attack_action.full_attack,
    acts.TotalDefense: attack_action.total_defense,
    acts.Aid: attack_action.aid,
    acts.Ready: handling.ready,
    acts.Cast: casting.cast,
    acts.Drop: handling.drop,
    acts.Draw: handling.draw,
    acts.Load: handling.load,
    acts.Stabilize: handling.stabilize,
}


POINTS = Points(
    acts=ACTS,
    surprise=flow.surprise,
    initiative=flow.initiative,
    order=flow.order,
    open_round=flow.open_round,
    close_round=flow.close_round,
    open_turn=flow.open_turn,
    close_turn=flow.close_turn,
    allowance=action_budget.allowance,
    stack=attack_roll.stack,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_roll.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=defense.defense_situation,
    dexterity_denied=shared_defense.dexterity_denied,
    cover=cover.cover_parts,
    miss_chance=defense.miss_chance,
    confirm=attack_roll.confirm,
    strength_damage=attack_roll.strength_damage,
    full_attacks=attack_action.full_attacks,
    injure=handling.injure,
    death_at=injury.death_at,
    massive_damage=flow.massive_damage,
    leaving=movement.leaving,
    opportunities=attacks_of_opportunity.opportunities,
    sheltered=defense.nothing_shelters,
    save_bonus=saves_and_checks.save_bonus,
    helpless_dexterity=defense.helpless_dexterity,
    finishes=lambda weapon: True,
    missed=cover.missed,
    defense_name="Defense",
)

TITLE = "Futurepath"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
