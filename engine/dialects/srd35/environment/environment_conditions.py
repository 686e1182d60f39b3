"""The conditions that movement and surroundings bring (srd35.load.*, srd35.skill.*, srd35.hazard.*)."""

from functools import partial

from affray.engine.dialects.srd35.environment import drowning, hazards, water, wind
from affray.engine.dialects.srd35.gear import worn_items as srd35_worn_items
from affray.engine.dialects.srd35.movement import balance, climb, load, speed
from affray.engine.dialects.srd35.movement import fly as srd35_fly
from affray.engine.dialects.srd35.movement import stall as srd35_stall
from affray.engine.record.conditions import Change, ConditionRule
from affray.engine.rules.gear import caltrops
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement import running_on


def in_wind(name: str) -> ConditionRule:
    """Return a wind as a condition: it hampers missiles, or forbids all but those of siege engines."""
    row = wind.WINDS[name]
    if name in ("in a strong wind", "in a severe wind"):
        hampers, shoots = Change("attack.ranged", wind.TABLE, (row, "ranged")), None
        return ConditionRule(wind.TABLE, (hampers,), shoots=shoots, each_turn=wind.gust)
    if name == "in a tornado":
        return ConditionRule(wind.TABLE, shoots=(), each_turn=wind.gust)
    siege = Change("attack.ranged", wind.TABLE, (row, "siege"))
    return ConditionRule(wind.TABLE, (siege,), shoots=("siege",), each_turn=wind.gust)


def in_liquid(liquid: str) -> ConditionRule:
    """Return being in contact with, or under, something that burns or corrodes."""
    return ConditionRule(hazards.LIQUID, each_turn=partial(hazards.corrode, liquid=liquid))


GOING = {
    srd35_worn_items.MEDIUM_LOAD: ConditionRule("srd35.load.effects-table"),
    srd35_worn_items.HEAVY_LOAD: ConditionRule("srd35.load.effects-table"),
    srd35_worn_items.OVERLOADED: ConditionRule("srd35.load.lift", dexterity=False, rushes=False),
    load.STAGGERING: ConditionRule("srd35.load.lift", dexterity=False),
    running_on.EXERTED: ConditionRule("srd35.run.endurance"),
    running_on.WINDED: ConditionRule("srd35.run.endurance", rushes=False),
    balancing.BALANCING: ConditionRule(
        balance.TOPIC,
        dexterity=False,
        reactions=False,
        reflexes=True,
        off_guard=True,
        hurt=balance.check_balance_when_hurt,
    ),
    balancing.SURELY: ConditionRule(balance.TOPIC, hurt=balance.check_balance_when_hurt),
    climb.CLIMBING: ConditionRule(
        climb.TOPIC, dexterity=False, off_guard=True, shieldless=True, hurt=climb.check_grip_when_hurt
    ),
    srd35_fly.FLYING: ConditionRule(srd35_fly.TABLE, turn_over=srd35_stall.stall_if_slow),
    srd35_fly.DIVING: ConditionRule(srd35_fly.TABLE),
    srd35_fly.STALLED: ConditionRule(srd35_fly.STALL, each_turn=srd35_stall.catch_itself),
    drowning.HOLDING: ConditionRule(
        drowning.TOPIC, each_turn=drowning.use_up_breath, turn_over=drowning.use_up_breath_by_exertion
    ),
    drowning.DROWNING: ConditionRule(drowning.TOPIC, each_turn=drowning.drown),
    hazards.BURNING: ConditionRule(hazards.FIRE, each_turn=hazards.burn),
    hazards.IN_SMOKE: ConditionRule(
        hazards.SMOKE, veils=(hazards.SMOKE, "miss_pct"), each_turn=hazards.breathe_smoke
    ),
    hazards.CHOKING: ConditionRule(hazards.SMOKE, actions="none"),
    hazards.SEARED: ConditionRule(hazards.LIQUID, each_turn=hazards.smoulder),
    speed.IN_DARKNESS: ConditionRule(
        hazards.DARK,
        (Change("defense.melee", hazards.DARK, ("ac",)), Change("defense.ranged", hazards.DARK, ("ac",))),
        dexterity=False,
        rushes=False,
        sightless=(hazards.DARK, "miss_pct"),
    ),
    water.IN_WATER: ConditionRule(water.COMBAT, throws=False),
    water.OFF_BALANCE: ConditionRule(water.COMBAT, dexterity=False),
    wind.CHECKED: ConditionRule("srd35.cond.checked"),
    caltrops.LAMED: ConditionRule(
        caltrops.TOPIC, (Change("speed", caltrops.TOPIC, ("speed",)),), healed=caltrops.walk_again
    ),
    caltrops.HALTED: ConditionRule(caltrops.TOPIC, moves=False),
    **{name: in_wind(name) for name in wind.WINDS},
    **{name: in_liquid(liquid) for liquid, (name, _, _) in hazards.LIQUIDS.items()},
}
