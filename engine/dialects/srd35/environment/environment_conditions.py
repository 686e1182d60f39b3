"""The conditions that movement and surroundings bring (srd35.load.*, srd35.skill.*, srd35.hazard.*)."""

from affray.engine.dialects.srd35.environment import hazards, wind
from affray.engine.dialects.srd35.gear import worn_items as srd35_worn_items
from affray.engine.dialects.srd35.movement import balance, climb, load, speed
from affray.engine.dialects.srd35.movement import fly as srd35_fly
from affray.engine.dialects.srd35.movement import stall as srd35_stall
from affray.engine.record.conditions import Change, ConditionRule
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.environment import burning, drowning, in_water, liquids, smoke, water
from affray.engine.rules.environment.hazard_damage import BURNING
from affray.engine.rules.gear import caltrops
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement import fly, run_endurance


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


GOING = {
    srd35_worn_items.MEDIUM_LOAD: ConditionRule("srd35.load.effects-table"),
    srd35_worn_items.HEAVY_LOAD: ConditionRule("srd35.load.effects-table"),
    srd35_worn_items.OVERLOADED: ConditionRule("srd35.load.lift", dexterity=False, rushes=False),
    load.STAGGERING: ConditionRule("srd35.load.lift", dexterity=False),
    **run_endurance.CONDITIONS,
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
    FLYING: ConditionRule(srd35_fly.TABLE, turn_over=srd35_stall.stall_if_slow),
    fly.DIVING: ConditionRule(srd35_fly.TABLE),
    fly.STALLED: ConditionRule(srd35_fly.STALL, each_turn=srd35_stall.catch_itself),
    **drowning.CONDITIONS,
    BURNING: ConditionRule(burning.FIRE, each_turn=burning.burn),
    **smoke.CONDITIONS,
    speed.IN_DARKNESS: ConditionRule(
        hazards.DARK,
        (Change("defense.melee", hazards.DARK, ("ac",)), Change("defense.ranged", hazards.DARK, ("ac",))),
        dexterity=False,
        rushes=False,
        sightless=(hazards.DARK, "miss_pct"),
    ),
    in_water.IN_WATER: ConditionRule(in_water.COMBAT, throws=False),
    in_water.OFF_BALANCE: water.LOSING_BALANCE,
    wind.CHECKED: ConditionRule("srd35.cond.checked"),
    caltrops.LAMED: ConditionRule(
        caltrops.TOPIC, (Change("speed", caltrops.TOPIC, ("speed",)),), healed=caltrops.walk_again
    ),
    caltrops.HALTED: ConditionRule(caltrops.TOPIC, moves=False),
    **{name: in_wind(name) for name in wind.WINDS},
    **liquids.CONDITIONS,
}
