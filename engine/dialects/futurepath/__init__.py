"""`futurepath`: modern and science-fiction combat, Defense and graded advantages, point by point."""

from collections.abc import Mapping
from typing import Any

from affray.engine.dialects import usual
from affray.engine.dialects.dialect import Points
from affray.engine.dialects.futurepath import (
    attack,
    budget,
    cover,
    defense,
    fighting,
    flow,
    handling,
    movement,
)
from affray.engine.dialects.futurepath.conditions import CONDITIONS
from affray.engine.rules.classes import checks
from affray.engine.rules.defense import defense as shared_defense
from affray.engine.rules.harm import injury
from affray.engine.rules.magic import casting
from affray.engine.rules.opportunity import provoke
from affray.events.facts import acts

ACTS: Mapping[type[acts.Act], Any] = {
    **usual.ACTS,
    acts.Step: movement.step,
    acts.Withdraw: movement.withdraw,
    acts.Run: movement.run,
    acts.Charge: movement.charge,
    acts.Attack: fighting.attack,
    acts.FullAttack: fighting.full_attack,
    acts.TotalDefense: fighting.total_defense,
    acts.Aid: fighting.aid,
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
    allowance=budget.allowance,
    stack=attack.stack,
    attack_bonus=attack.attack_bonus,
    attack_situation=attack.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=defense.defense_situation,
    dexterity_denied=shared_defense.dexterity_denied,
    cover=cover.cover_parts,
    miss_chance=defense.miss_chance,
    confirm=attack.confirm,
    strength_damage=attack.strength_damage,
    full_attacks=fighting.full_attacks,
    injure=handling.injure,
    death_at=injury.death_at,
    massive_damage=flow.massive_damage,
    leaving=movement.leaving,
    opportunities=provoke.opportunities,
    sheltered=defense.nothing_shelters,
    save_bonus=checks.save_bonus,
    helpless_dexterity=defense.helpless_dexterity,
    finishes=lambda weapon: True,
    missed=cover.missed,
    defense_name="Defense",
)

TITLE = "Futurepath"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
