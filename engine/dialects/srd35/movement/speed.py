"""The source of speed: race, class and magic first, then armor and load (srd35.speed.*, srd35.load.*)."""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.gear import HEAVY_LOAD, LOADS, MEDIUM_LOAD, OVERLOADED, load_condition
from affray.engine.fight.fight import Fight, condition_changes, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import check_turn
from affray.engine.modifiers import effect_parts
from affray.engine.record.chapters import Change
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.defense import worn_cap
from affray.engine.rules.environment import COMBAT, hindered_by_water
from affray.engine.rules.mounted.riding import FAST_MOUNT
from affray.engine.rules.movement.movement import Pace, refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- A creature's carrying capacity, the effects of armor and load on it, and lifting (srd35.load.*)
# srd35.armor.check-penalty: armor's penalty on physical skills is here together with that of a load.

STAGGERING = "staggering under a weight"
#: The resource that counts the pounds taken up since the fight began.
BURDEN = "burden"
QUADRUPED_LEGS = 4
HIGHEST_ROW = 29
STEP = 10


def carrying_capacity(fight: Fight, mover: Combatant) -> tuple[int, int, int]:
    """Return the most pounds of a light and a medium load and the most that can be carried.

    By the current Strength; 10 points beyond the table multiply by 4, and size multiplies too
    (srd35.load.carrying-table, srd35.load.size-multiplier, srd35.ability-loss.applied).
    """
    strength = max(0, score_now(fight, mover, "str") or 0)
    tens = max(0, -(-(strength - HIGHEST_ROW) // STEP))
    row = strength - tens * STEP
    if row < 1:
        return 0, 0, 0
    times = fight.figure("srd35.load.carrying-table", "each 10 more") ** tens
    shape = "quadruped" if mover.sheet.legs >= QUADRUPED_LEGS else "biped"
    times *= fight.figure("srd35.load.size-multiplier", shape, mover.sheet.size.capitalize())
    light, medium, most = (int(one * times) for one in fight.figure("srd35.load.carrying-table", str(row)))
    return light, medium, most


def pounds_carried(mover: Combatant) -> int:
    """Return the pounds that a combatant carries now."""
    return mover.sheet.carried + mover.resources.get(BURDEN, 0)


def load_of(fight: Fight, mover: Combatant) -> str:
    """Return the condition of a combatant's load, "" for a light one or none."""
    pounds = pounds_carried(mover)
    if not pounds:
        return ""
    light, medium, most = carrying_capacity(fight, mover)
    if pounds <= light:
        return ""
    return MEDIUM_LOAD if pounds <= medium else HEAVY_LOAD if pounds <= most else OVERLOADED


def set_load_condition(fight: Fight, mover: Combatant) -> Steps[None]:
    """Give a combatant the condition of its load (srd35.load.carrying-table)."""
    found = load_of(fight, mover)
    cites = fight.rules("srd35.load.carrying-table", "srd35.load.size-multiplier")
    if mover.sheet.size == "medium" and mover.sheet.legs < QUADRUPED_LEGS:
        cites = cites[:1]
    for name in LOADS:
        if name in mover.conditions and name != found:
            yield ConditionLost(who=mover.id, condition=name, why="another load", cites=cites)
    if found and found not in mover.conditions:
        source = f"{pounds_carried(mover)} lb., a light load is {carrying_capacity(fight, mover)[0]} lb."
        yield ConditionGained(who=mover.id, condition=found, source=source, cites=cites)


def load_row(fight: Fight, mover: Combatant) -> JsonObject | None:
    """Return the row of the table on the effects of a combatant's load, None without a load."""
    name = load_condition(mover)
    if not name and not pounds_carried(mover):
        return None
    load = {MEDIUM_LOAD: "medium", HEAVY_LOAD: "heavy", OVERLOADED: "heavy"}.get(name, "light")
    found: JsonObject = fight.figure("srd35.load.effects-table", f"load={load}")
    return found


def lift(fight: Fight, act: acts.Lift) -> Steps[None]:
    """Take up or put down a weight, lift it or drag it (srd35.load.lift).

    A maximum load can be held overhead; twice that can be lifted off the ground, which takes the whole round
    and the Dexterity bonus, with at most 5 ft. of movement; five times that can be dragged.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("srd35.load.lift")
    if act.pounds < 0:
        raise Refusal("a weight cannot be negative", rule)
    if act.how == "put":
        yield from put_down(fight, mover, act.pounds)
        return
    most = carrying_capacity(fight, mover)[2]
    part = {"take": "overhead", "overhead": "overhead", "ground": "ground", "drag": "drag"}[act.how]
    limit = most * int(fight.figure("srd35.load.lift", part))
    pounds = act.pounds + (pounds_carried(mover) if act.how == "take" else 0)
    if pounds > limit:
        what = {"take": "carry", "overhead": "lift overhead", "ground": "lift off the ground", "drag": "drag"}
        raise Refusal(f"{pounds} lb. are beyond the {limit} lb. that {mover.id} can {what[act.how]}", rule)
    if act.how == "ground":
        yield from stagger_under_load(fight, mover, act)
    elif act.how == "drag":
        refuse_after_step(fight, mover)
        refuse_prone(fight, mover)
        refuse_path(fight, mover, act.path, speed(fight, mover), rule)
        yield spending(fight, mover, "move", f"drag {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, mover)):
            return
        yield from fight.dialect.movement.walk(fight, mover, act.path, "drag", rule)
    else:
        yield spending(fight, mover, "move", f"lift {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, mover)):
            return
        if act.how == "take":
            yield ResourceSpent(who=mover.id, resource=BURDEN, amount=act.pounds, cites=(rule,))
            yield from set_load_condition(fight, mover)
        else:
            yield RuleApplied(who=mover.id, what=f"holds {act.pounds} lb. overhead", cites=(rule,))


def lower_guard_for_lifting(fight: Fight, mover: Combatant) -> Steps[bool]:
    """Lose the Dexterity bonus to handle something heavy; return whether the combatant is still able to.

    srd35.move-action.item.
    """
    rule = fight.rule("srd35.move-action.item")
    opportunity = f"lift:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "handles a heavy object", opportunity, rule
    )
    return not is_down(fight, mover)


def put_down(fight: Fight, mover: Combatant, pounds: int) -> Steps[None]:
    """Let go of a weight that one carries: a free action."""
    check_turn(fight, mover)
    rule = fight.rule("srd35.free.list")
    if pounds > pounds_carried(mover):
        raise Refusal(f"{mover.id} carries {pounds_carried(mover)} lb., not {pounds}", rule)
    yield ActionSpent(who=mover.id, kind="free", what=f"put down {pounds} lb.", cites=(rule,))
    yield ResourceSpent(who=mover.id, resource=BURDEN, amount=-pounds, cites=(rule,))
    yield from set_load_condition(fight, mover)


def stagger_under_load(fight: Fight, mover: Combatant, act: acts.Lift) -> Steps[None]:
    """Stagger about under twice the maximum load."""
    rule = fight.rule("srd35.load.lift")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if act.path:
        refuse_path(fight, mover, act.path, fight.figure("srd35.load.lift", "ground_ft"), rule)
    yield spending(fight, mover, "full-round", f"lift {act.pounds} lb.", rule)
    if not (yield from lower_guard_for_lifting(fight, mover)):
        return
    until = Until("turn-start", mover.id, fight.state.round + 1)
    yield ConditionGained(who=mover.id, condition=STAGGERING, source="lifting", until=until, cites=(rule,))
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "stagger", rule)


# --- The effects of armor and load on Dexterity and physical skills (srd35.armor.check-penalty, srd35.load.*)


def dexterity_cap(fight: Fight, mover: Combatant) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts, what limits it and its rule: the worse of armor and load."""
    armor = worn_cap(mover)
    row = load_row(fight, mover) if mover.conditions else None
    if row is None or row["max_dex"] is None or (armor is not None and armor <= row["max_dex"]):
        return armor, "armor", ""
    return row["max_dex"], f"a {row['load']} load", fight.rule("srd35.load.effects-table")


def check_penalty(fight: Fight, mover: Combatant, skill: str) -> list[Modifier]:
    """Return the check penalty of armor and shield together, or of a load if that is worse, on a physical
    skill.

    srd35.armor.check-penalty: double for Swim. srd35.load.effects-table: never both.
    """
    sheet = mover.sheet
    row = load_row(fight, mover) if mover.conditions else None
    if not sheet.check_penalties and row is None:
        return []
    times = int(skill == FAST_MOUNT)
    for entry in fight.figure("srd35.armor.check-penalty"):
        name, _, factor = entry.partition(" x")
        if name.lower() == skill:
            times = int(factor or 1)
    if not times:
        return []
    load = row["check"] if row else 0
    armor = sum(one.value for one in sheet.check_penalties)
    over = "the load is worse" if load < armor or not sheet.check_penalties else ""
    rule = fight.rule("srd35.armor.check-penalty")
    parts = [
        Modifier(one.value * times, "check penalty", one.source or one.kind, rule, over)
        for one in sheet.check_penalties
    ]
    if load:
        denied = "" if over else "armor is worse"
        rule = fight.rule("srd35.load.effects-table")
        parts.append(Modifier(load * times, "check penalty", load_condition(mover), rule, denied))
    return parts


# --- Wading: the effect of water on speed (srd35.hazard.water-combat)


def wading_feet(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return the part of a speed that water leaves to a wading combatant."""
    return int(feet * fight.figure(COMBAT, "footing_speed")) if hindered_by_water(combatant) else feet


#: The condition of a combatant that cannot see for lack of light.
IN_DARKNESS = "in darkness"
HAMPERING = ("medium", "heavy")


def land_speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed on land in feet, before conditions change it."""
    sheet = mover.sheet
    if not (sheet.race or sheet.speed_bonuses or sheet.carried or mover.effects or mover.conditions):
        return sheet.speed
    return speed_and_origin(fight, mover).feet


def speed_and_origin(fight: Fight, mover: Combatant) -> Pace:
    """Return the speed on land with its parts; no explanation of one that is as printed.

    The base land speed is that without armor: by race from the table, or as the sheet says. All bonuses come
    first, and only then the reduction for armor or load, the worse of them once (srd35.speed.source,
    .base-land-speed, .modifier-order).
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
    wading = wading_feet(fight, mover, feet)
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


def race_row(fight: Fight, mover: Combatant) -> JsonObject | None:
    """Return the row of a combatant's race in the table of tactical speeds, None without one."""
    if not mover.sheet.race or mover.sheet.base_speed is not None:
        return None
    rows: list[JsonObject] = fight.figure("srd35.speed.table-tactical-speed")
    return next((row for row in rows if mover.sheet.race in row["races"]), None)


def base_speed(fight: Fight, mover: Combatant, row: JsonObject | None) -> tuple[int, str, list[str]]:
    """Return the base land speed in feet, its source, and the rules."""
    sheet = mover.sheet
    if row is not None:
        cites = fight.rules(
            "srd35.speed.source", "srd35.speed.base-land-speed", "srd35.speed.table-tactical-speed"
        )
        return row["none_or_light"]["ft"], f"{sheet.race} {row['none_or_light']['ft']} ft.", [*cites]
    if sheet.race:
        feet = sheet.speed if sheet.base_speed is None else sheet.base_speed
        return feet, f"base {feet} ft.", [*fight.rules("srd35.speed.source", "srd35.speed.base-land-speed")]
    # Without a race the printed speed includes its bonuses and its armor; further bonuses are added before
    # both.
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
            level = abilities.effective_monk_level(mover)
            value = by_level(fight.figure("srd35.class.monk-unarmed", 7, "speed_bonus_ft"), level)
            part = Modifier(value, "enhancement", "monk", fight.rule("srd35.class.monk-unarmed"))
        worn = f"{sheet.armor_weight} armor"
        if worn in fight.figure(topic, "not_in"):
            part = replace(part, denied=f"in {worn}")
        elif load_condition(mover) in fight.figure(topic, "not_under"):
            part = replace(part, denied=load_condition(mover))
        elif name == "monk" and (hindrance := abilities.what_hampers_monk(mover)):
            part = replace(part, denied=f"{hindrance} ({fight.rule('srd35.class.monk-unarmed')})")
        if part.value:
            yield part


def by_level(table: dict[str, int], level: int) -> int:
    """Return the entry of a table by level for a level, 0 below the first."""
    return max((value for least, value in table.items() if int(least) <= level), default=0)


def bonus_parts(fight: Fight, mover: Combatant) -> Iterator[Modifier]:
    """Yield the speed bonuses of the sheet's items and of temporary effects (srd35.speed.magic-bonus)."""
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


def ignores_heavy_armor(row: JsonObject | None) -> bool:
    """Return whether a race is as fast in heavy armor as without."""
    return row is not None and row["medium_or_heavy"]["ft"] == row["none_or_light"]["ft"]


def what_slows(fight: Fight, mover: Combatant) -> str:
    """Return what has reduced a combatant's speed, armor or load; "" if neither has."""
    return "" if ignores_heavy_armor(race_row(fight, mover)) else hampered_by(mover)


def speed_in_armor_or_load(fight: Fight, feet: int) -> int:
    """Return the speed in armor or under a load; between the rows of the table two thirds, rounded up.

    srd35.speed.reduced-table.
    """
    table = fight.figure("srd35.speed.reduced-table")
    if str(feet) in table:
        return int(table[str(feet)])
    step, (over, under) = table["else"]["up_to_ft"], table["else"]["share"]
    return int(-(-feet * over // (under * step)) * step)


def speed_told(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return the fact on the source of a combatant's speed, None if it is as printed."""
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
    """Yield the rules by which a condition slows a combatant, including that of a feat that lessens it."""
    yield fight.rule(change.topic)
    if change.eased is not None and has_feat(mover, change.eased[0]):
        yield fight.rule(change.eased[1])
