"""The conditions that movement and surroundings bring (srd35.load.*, srd35.skill.*, srd35.hazard.*)."""

from functools import partial

from affray.engine.fight import Fight
from affray.engine.rules.attacks import rush
from affray.engine.rules.gear import worn
from affray.engine.rules.harm import breath, caltrops, exposure, wind
from affray.engine.rules.harm.conditions import Change, ConditionRule
from affray.engine.rules.maneuvers import blasting
from affray.engine.rules.moving import balance, climb, fly, load, pace, stall, stride, swim
from affray.engine.steps import Steps
from affray.events.facts import acts


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
    return ConditionRule(exposure.LIQUID, each_turn=partial(exposure.corrode, liquid=liquid))


GOING = {
    worn.MEDIUM_LOAD: ConditionRule("load.effects-table"),
    worn.HEAVY_LOAD: ConditionRule("load.effects-table"),
    worn.OVERLOADED: ConditionRule("load.lift", dexterity=False, rushes=False),
    load.STAGGERING: ConditionRule("load.lift", dexterity=False),
    stride.EXERTED: ConditionRule("run.endurance"),
    stride.WINDED: ConditionRule("run.endurance", rushes=False),
    balance.BALANCING: ConditionRule(balance.TOPIC, dexterity=False, reactions=False, hurt=balance.struck),
    balance.SURELY: ConditionRule(balance.TOPIC, hurt=balance.struck),
    climb.CLIMBING: ConditionRule(climb.TOPIC, dexterity=False, shieldless=True, hurt=climb.struck),
    fly.FLYING: ConditionRule(fly.TABLE, turn_over=stall.too_slow, hurt=stall.struck_down),
    fly.DIVING: ConditionRule(fly.TABLE),
    fly.STALLED: ConditionRule(fly.STALL, each_turn=stall.recover),
    breath.HOLDING: ConditionRule(breath.TOPIC, each_turn=breath.holding, turn_over=breath.strained),
    breath.DROWNING: ConditionRule(breath.TOPIC, each_turn=breath.sinking),
    exposure.BURNING: ConditionRule(exposure.FIRE, each_turn=exposure.burn),
    exposure.IN_SMOKE: ConditionRule(
        exposure.SMOKE, veils=(exposure.SMOKE, "miss_pct"), each_turn=exposure.breathe_smoke
    ),
    exposure.CHOKING: ConditionRule(exposure.SMOKE, actions="none"),
    exposure.SEARED: ConditionRule(exposure.LIQUID, each_turn=exposure.smoulder),
    pace.IN_DARKNESS: ConditionRule(
        exposure.DARK,
        (
            Change("defense.melee", exposure.DARK, ("ac",)),
            Change("defense.ranged", exposure.DARK, ("ac",)),
        ),
        dexterity=False,
        rushes=False,
        sightless=(exposure.DARK, "miss_pct"),
    ),
    swim.IN_WATER: ConditionRule(swim.COMBAT, throws=False),
    swim.OFF_BALANCE: ConditionRule(swim.COMBAT, dexterity=False),
    wind.CHECKED: ConditionRule("cond.checked"),
    caltrops.LAMED: ConditionRule(
        caltrops.TOPIC, (Change("speed", caltrops.TOPIC, ("speed",)),), healed=caltrops.walk_again
    ),
    caltrops.HALTED: ConditionRule(caltrops.TOPIC, moves=False),
    **{name: in_wind(name) for name in wind.WINDS},
    **{name: in_liquid(liquid) for liquid, (name, _, _) in exposure.LIQUIDS.items()},
}


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge on foot or mounted, but not out of breath or under too much (srd35.charge.*)."""
    return blasting.charge(fight, act, stride.rush(fight, act, rush.charge(fight, act)))
