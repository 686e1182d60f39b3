"""Where speed comes from: race, class and magic first, then armor and load (srd35.speed.*, srd35.load.*)."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import monk_levels
from affray.engine.dialects.srd35.environment import wading as wading_in_water
from affray.engine.dialects.srd35.gear.worn_items import load_condition
from affray.engine.dialects.srd35.movement.load import load_row
from affray.engine.fight.fight import Fight, condition_changes
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.conditions import Change
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.movement.pace import Pace
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

#: The condition of who sees nothing for lack of light.
IN_DARKNESS = "in darkness"
HAMPERING = ("medium", "heavy")


def land_speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed on land in feet, before what conditions do to it."""
    sheet = mover.sheet
    if not (sheet.race or sheet.speed_bonuses or sheet.carried or mover.effects or mover.conditions):
        return sheet.speed
    return speed_and_origin(fight, mover).feet


def speed_and_origin(fight: Fight, mover: Combatant) -> Pace:
    """Return the speed on land with what it is made of; nothing is told of one that is as printed.

    The base land speed is that without armor: by race from the table, or as the sheet says. All bonuses
    come first, and only then the reduction for armor or load, the worse of them once
    (srd35.speed.source, .base-land-speed, .modifier-order).
    """
    sheet = mover.sheet
    row = race_row(fight, mover)
    base, told, cites = base_speed(fight, mover, row)
    parts = [*class_parts(fight, mover), *bonus_parts(fight, mover)]
    tally = fight.stack(parts)
    feet = base + tally.total
    for part in tally.parts:
        cites += [part.rule, *(fight.rules("srd35.speed.monk-bonus") if part.source == "monk" else ())]
        told += f", {part.value:+d} {part.source}" + (f" (no: {part.denied})" if part.denied else "")
    if tally.cites:
        cites.append(fight.rule("srd35.speed.same-type-no-stack"))
    cause = hampered_by(mover)
    armored = sheet.armor_weight in HAMPERING
    load = None if armored else load_row(fight, mover)
    if cause and not armored and not told:
        told = f"{sheet.speed} ft."
    if cause and ignores_heavy_armor(row):
        told += f", not reduced by {cause}"
    elif cause and told:
        if tally.total:
            cites.append(fight.rule("srd35.speed.modifier-order"))
        if load is not None:
            cites.append(fight.rule("srd35.speed.encumbrance"))
        if load is not None and f"speed_{feet}" in load:
            feet = load[f"speed_{feet}"]
            cites.append(fight.rule("srd35.load.effects-table"))
        elif row and not tally.total:
            feet = row["medium_or_heavy"]["ft"]
        else:
            feet = speed_in_armor_or_load(fight, feet)
            cites.append(fight.rule("srd35.speed.reduced-table"))
        told += f", reduced by {cause}"
    elif load is not None and f"speed_{feet}" in load:
        feet = load[f"speed_{feet}"]
        told = f"{told or f'{sheet.speed} ft.'}, a light load"
        cites.append(fight.rule("srd35.load.effects-table"))
    squares = feet // SQUARE_FT
    if row and not tally.total:
        squares = row["medium_or_heavy" if cause else "none_or_light"]["squares"]
    wading = wading_in_water.wading_feet(fight, mover, feet)
    if wading != feet:
        told = f"{told or f'{feet} ft.'}, wading"
        feet = wading
        squares = feet // SQUARE_FT
        cites.append(fight.rule("srd35.hazard.water-combat"))
    if IN_DARKNESS in mover.conditions:
        told = f"{told or f'{feet} ft.'}, in the dark"
        feet //= fight.figure("srd35.hazard.darkness", "cost")
        squares = feet // SQUARE_FT
        cites += fight.rules("srd35.hazard.darkness", "srd35.speed.hampered-causes")
    said = f"speed {feet} ft. ({counted(squares, 'square')}): {told}" if told else ""
    return Pace(feet, said, tuple(dict.fromkeys(cites)) if said else ())


def race_row(fight: Fight, mover: Combatant) -> dict[str, Any] | None:
    """Return the row of a combatant's race in the table of tactical speeds, None without one."""
    if not mover.sheet.race or mover.sheet.base_speed is not None:
        return None
    rows: list[dict[str, Any]] = fight.figure("srd35.speed.table-tactical-speed")
    return next((row for row in rows if mover.sheet.race in row["races"]), None)


def base_speed(fight: Fight, mover: Combatant, row: dict[str, Any] | None) -> tuple[int, str, list[str]]:
    """Return the base land speed in feet, where it is from, and the rules that say so."""
    sheet = mover.sheet
    if row is not None:
        cites = fight.rules(
            "srd35.speed.source", "srd35.speed.base-land-speed", "srd35.speed.table-tactical-speed"
        )
        return row["none_or_light"]["ft"], f"{sheet.race} {row['none_or_light']['ft']} ft.", [*cites]
    if sheet.race:
        feet = sheet.speed if sheet.base_speed is None else sheet.base_speed
        return feet, f"base {feet} ft.", [*fight.rules("srd35.speed.source", "srd35.speed.base-land-speed")]
    # Without a race the printed speed holds its bonuses and its armor; what comes on top goes before both.
    worn = sheet.armor_weight in HAMPERING and sheet.base_speed is not None
    more = sheet.speed_bonuses or any(effect.stat == "speed" for effect in mover.effects)
    if worn and more and sheet.base_speed is not None:
        return sheet.base_speed, f"base {sheet.base_speed} ft.", [fight.rule("srd35.speed.base-land-speed")]
    return sheet.speed, f"{sheet.speed} ft." if more else "", []


def class_parts(fight: Fight, mover: Combatant) -> Iterator[Modifier]:
    """Yield the bonuses of barbarians and monks, denied by their armor or load, a monk's by a shield too.

    srd35.speed.barbarian-bonus, srd35.speed.monk-bonus (how much: srd35.class.monk-unarmed).
    """
    sheet = mover.sheet
    if not sheet.race:
        return
    for name in ("barbarian", "monk"):
        if not sheet.classes.get(name):
            continue
        topic = f"speed.{name}-bonus"
        if name == "barbarian":
            part = fight.modifier("srd35.speed.barbarian-bonus", "bonus_ft", kind="class", source="barbarian")
        else:
            level = monk_levels.effective_monk_level(mover)
            value = by_level(fight.figure("srd35.class.monk-unarmed", 7, "speed_bonus_ft"), level)
            part = Modifier(value, "enhancement", "monk", fight.rule("srd35.class.monk-unarmed"))
        worn = f"{sheet.armor_weight} armor"
        if worn in fight.figure(topic, "not_in"):
            part = replace(part, denied=f"in {worn}")
        elif load_condition(mover) in fight.figure(topic, "not_under"):
            part = replace(part, denied=load_condition(mover))
        elif name == "monk" and (hindrance := monk_levels.what_hampers_monk(mover)):
            part = replace(part, denied=f"{hindrance} ({fight.rule('srd35.class.monk-unarmed')})")
        if part.value:
            yield part


def by_level(table: dict[str, int], level: int) -> int:
    """Return the entry of a table by level that holds at a level, 0 below the first."""
    return max((value for least, value in table.items() if int(least) <= level), default=0)


def bonus_parts(fight: Fight, mover: Combatant) -> Iterator[Modifier]:
    """Yield what the sheet's items and what passes for now add to speed (srd35.speed.magic-bonus)."""
    rule = fight.rule("srd35.speed.magic-bonus")
    for bonus in mover.sheet.speed_bonuses:
        yield Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule)
    yield from effect_parts(mover, "speed", "")


def hampered_by(mover: Combatant) -> str:
    """Return what slows a combatant, armor or load, "" if neither does.

    Both together slow no more than one of them (srd35.load.effects-table).
    """
    if mover.sheet.armor_weight in HAMPERING:
        return f"{mover.sheet.armor_weight} armor"
    return load_condition(mover).removeprefix("under ")


def ignores_heavy_armor(row: dict[str, Any] | None) -> bool:
    """Say whether a race is as fast in heavy armor as without."""
    return row is not None and row["medium_or_heavy"]["ft"] == row["none_or_light"]["ft"]


def what_slows(fight: Fight, mover: Combatant) -> str:
    """Return what has reduced a combatant's speed, armor or load; "" if neither has."""
    return "" if ignores_heavy_armor(race_row(fight, mover)) else hampered_by(mover)


def speed_in_armor_or_load(fight: Fight, feet: int) -> int:
    """Return what armor or load leave of a speed; between the rows of the table two thirds, rounded up.

    srd35.speed.reduced-table.
    """
    table = fight.figure("srd35.speed.reduced-table")
    if str(feet) in table:
        return int(table[str(feet)])
    step, (over, under) = table["else"]["up_to_ft"], table["else"]["share"]
    return int(-(-feet * over // (under * step)) * step)


def speed_told(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return where a combatant's speed comes from, None if it is as printed."""
    sheet = mover.sheet
    if not (sheet.race or sheet.speed_bonuses or sheet.carried or mover.effects or mover.conditions):
        return None
    pace = speed_and_origin(fight, mover)
    slowed_by = [
        (name, rule)
        for name, change, denied in condition_changes(fight, mover, "speed")
        if not denied
        for rule in rules_of_slowing(fight, mover, change)
    ]
    told = "; ".join(filter(None, (pace.told, *(f"slower: {name}" for name, _ in slowed_by))))
    cites = tuple(dict.fromkeys((*pace.cites, *(rule for _, rule in slowed_by))))
    return RuleApplied(who=mover.id, what=told, cites=cites) if told else None


def rules_of_slowing(fight: Fight, mover: Combatant, change: Change) -> Iterator[str]:
    """Yield the rules by which a condition slows a combatant, that of the feat that eases it included."""
    yield fight.rule(change.topic)
    if change.eased is not None and has_feat(mover, change.eased[0]):
        yield fight.rule(change.eased[1])
