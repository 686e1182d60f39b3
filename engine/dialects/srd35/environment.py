"""Environment: hazards, wind, water, and the game master's descriptions of a place."""

from collections.abc import Callable, Mapping
from typing import Final

from affray.engine.dialects.srd35 import gear, senses
from affray.engine.dialects.srd35.movement import flight, skills, speed
from affray.engine.dialects.srd35.movement.speed import IN_DARKNESS
from affray.engine.dialects.srd35.senses import IMPROVED_COVER, VEILED
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.record.chapters import Change, ConditionRule, Danger
from affray.engine.rules import environment
from affray.engine.rules.classes.checks import Spared, saving_throw
from affray.engine.rules.classes.sheets import FLYING
from affray.engine.rules.environment import (
    BURNING,
    CLIMATE,
    COMBAT,
    DROWNING,
    FIRE,
    FOOTING,
    HOLDING,
    IN_WATER,
    LIQUIDS,
    SWUNG,
    catch_fire,
    expose_to_climate,
    halve_weapon_damage_in_water,
    needs_air,
)
from affray.engine.rules.gear import splash_weapons
from affray.engine.rules.gear.handling import LIGHTING, spend_on_task
from affray.engine.rules.gear.splash_weapons import SLOWLY
from affray.engine.rules.movement import skills as balancing
from affray.engine.rules.movement.movement import displaced, fall_over, falls_at, is_barred
from affray.engine.rules.movement.skills import HEADINGS, NAMES
from affray.engine.rules.position.places import occupants
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant

# --- Lighting a torch (srd35.actions-table.full-round, srd35.actions-table.standard, srd35.gear.light-table)

TORCH: Final = "torch"


def light_torch(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Light a torch: a full-round action, with a tindertwig a standard one; it provokes.

    The torch burns as long as its row of the table of light sources says.
    """
    actor, task = fight.combatant(act.actor), LIGHTING[act.what]
    rule = fight.rule(f"srd35.actions-table.{task.kind}")
    if act.item != TORCH:
        raise Refusal(f"what is lit like that is a {TORCH}, not {act.item!r}", rule)
    if senses.BEARING in actor.conditions:
        reason = f"{actor.id} bears a burning {actor.conditions[senses.BEARING].source} already"
        raise Refusal(reason, fight.rule(senses.TABLE))
    what, reason = task.action.lower(), f"lights a {act.item}"
    if (yield from spend_on_task(fight, actor, task, what, reason, "light")):
        yield from senses.carry_light(fight, actor, acts.Expose(target=actor.id, to="light", degree=act.item))


# --- Cover better than normal (srd35.cover.improved, srd35.cover.improved-evasion)

IMPROVED, EVASION = "srd35.cover.improved", "srd35.cover.improved-evasion"


def improved_cover_bonus(fight: Fight, figure: str, source: str) -> Modifier:
    """Return the bonus of cover better than normal: to "ac" or "reflex"."""
    return fight.modifier(IMPROVED, figure, kind="cover", source=f"improved {source}")


# --- The game master's settings of light and shelter (srd35.light.levels, srd35.cover.improved)

CONDITIONS = {
    "no daylight": senses.UNLIT,
    "light": senses.BEARING,
    "improved cover": IMPROVED_COVER,
    "veil": VEILED,
}


#: The rules on these settings, if it is not that on light.
TOPICS = {"improved cover": "srd35.cover.improved", "veil": "srd35.concealment.varying"}


#: Dangers and settings with a degree, a direction, or a question about shoes.
HAVE_DEGREES = (*LIQUIDS, "no air", "wind", "water", "caltrops", "light", "improved cover", "veil")
HAVE_WAYS, HAVE_SHOES = ("wind", "light"), ("caltrops",)


def refuse_idle_words(fight: Fight, act: acts.Expose) -> None:
    """Refuse a degree, a direction or shoes for a danger that does not use them."""
    for said, name, known in (
        (act.degree, "degree", HAVE_DEGREES),
        (act.way != (0, 0), "way", HAVE_WAYS),
        (act.shod, "shod", HAVE_SHOES),
    ):
        if said and act.to not in known:
            reason = f"{name!r} goes with {', '.join(known)}, not with {act.to}"
            raise Refusal(reason, fight.rule(topic_of(fight, act.to)))
    if act.to == "caltrops" and act.degree not in ("", SLOWLY):
        reason = f"the only degree of caltrops is {SLOWLY!r}, not {act.degree!r}"
        raise Refusal(reason, fight.rule(topic_of(fight, act.to)))


def topic_of(fight: Fight, name: str) -> str:
    """Return the topic of the rule on a danger, or on a setting of the game master's."""
    danger = fight.dialect.environment.dangers.get(name)
    return TOPICS.get(name, senses.LEVELS) if danger is None or name in TOPICS else danger.topic


def expose(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Set the light or the shelter of a combatant, or end that."""
    target, condition = fight.combatant(act.target), CONDITIONS[act.to]
    if not act.over:
        yield from SETTINGS[act.to](fight, target, act)
    elif condition in target.conditions:
        yield ConditionLost(who=target.id, condition=condition, why=f"out of the {act.to}")
    else:
        raise Refusal(f"{target.id} has no {act.to}", fight.rule(topic_of(fight, act.to)))


def give_improved_cover(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Record that a combatant's cover here is better than normal (srd35.cover.improved)."""
    rules = fight.rules(IMPROVED)
    yield ConditionGained(who=target.id, condition=IMPROVED_COVER, source=act.degree or "cover", cites=rules)


def give_concealment(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Record a combatant's concealment in percent, more or less than normal (srd35.concealment.varying)."""
    if not act.degree.isdigit():
        reason = f"the degree of a veil is its miss chance in percent, not {act.degree!r}"
        raise Refusal(reason, fight.rule("srd35.concealment.varying"))
    rules = fight.rules("srd35.concealment.varying")
    yield ConditionGained(
        who=target.id, condition=VEILED, source="the place", level=int(act.degree), cites=rules
    )


SETTINGS: Mapping[str, Callable[[Fight, Combatant, acts.Expose], Steps[None]]] = {
    "no daylight": senses.no_daylight,
    "light": senses.carry_light,
    "improved cover": give_improved_cover,
    "veil": give_concealment,
}


def evade_behind_cover(
    fight: Fight,
    victim: Combatant,
    save: SaveMade,
    found: Spared,
) -> Spared:
    """Return the damage left after a save; improved cover that helped gives evasion as well.

    srd35.cover.improved-evasion.
    """
    rule = fight.rule(IMPROVED)
    if save.kind != "ref" or save.on_save != "half" or not any(part.rule == rule for part in save.extra):
        return found
    left = 0 if save.succeeded else save.amount // 2
    return left, f"improved cover: {'no' if save.succeeded else 'half'} damage", fight.rules(EVASION)


# --- Rules on water only in 3.5: missiles through it, cover from land (srd35.hazard.water-combat)


def shot_through_water(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty of water on a missile shot in it: more for a greater distance."""
    if blow.weapon.family == "spell":
        return []
    per = fight.figure(COMBAT, "ranged_per_5ft") * (blow.distance // SQUARE_FT)
    return [Modifier(per, "penalty", f"through {blow.distance} ft. of water", fight.rule(COMBAT))]


def drags(fight: Fight, attacker: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon is swung against the water; a tail is not, if its owner has a swim speed."""
    if weapon.wield == "projectile" or ("tail" in weapon.name and attacker.sheet.swim):
        return False
    return weapon.damage_type in SWUNG


def halved_in_water(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return the damage left, and what absorbed the rest: water halves that of a swung weapon."""
    return (harm.amount, "half in water") if halve_weapon_damage_in_water(fight, harm) else found


def water_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the improved cover of combatants in the water against an attacker on land."""
    if IN_WATER not in blow.target.conditions or IN_WATER in blow.attacker.conditions:
        return []
    if blow.target.conditions[IN_WATER].source == FOOTING:
        return []
    blow.cites.append(fight.rule(COMBAT))
    return [fight.modifier("srd35.cover.improved", "ac", kind="cover", source="half under water")]


def sink_paralyzed(fight: Fight, swimmer: Combatant) -> Steps[None]:
    """Make a paralyzed swimmer go under: it can only hold its breath, and may drown.

    srd35.cond.paralyzed, srd35.hazard.drown.
    """
    afloat = swimmer.conditions[IN_WATER].source != FOOTING and "paralyzed" in swimmer.conditions
    under = HOLDING in swimmer.conditions or DROWNING in swimmer.conditions
    if afloat and not under and needs_air(fight, swimmer):
        cites = fight.rules("srd35.cond.paralyzed", environment.TOPIC)
        yield ConditionGained(who=swimmer.id, condition=HOLDING, source="paralyzed in water", cites=cites)


# --- Strong winds: their effects on missiles and on creatures by size (srd35.hazard.wind-table)

TABLE = "srd35.hazard.wind-table"
CHECKED = "checked"
#: Winds as conditions, with their rows in the table.
WINDS = {
    "in a strong wind": "wind=strong 21-30 mph",
    "in a severe wind": "wind=severe 31-50",
    "in a windstorm": "wind=windstorm 51-74",
    "in a hurricane": "wind=hurricane 75-174",
    "in a tornado": "wind=tornado 175+",
}
WAYS = dict(HEADINGS)
#: The direction of a wind that an entry or the game master gives by its name alone.
NOWHERE = (0, 0)


def into_wind(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Put a combatant into a wind, which pushes each turn; its first gust is immediate."""
    name = next((one for one in WINDS if act.degree and one.endswith(f" {act.degree}")), "")
    name = name or next((one for one in WINDS if act.degree and f" {act.degree} " in one), "")
    rule = fight.rule(TABLE)
    if not name:
        raise Refusal(f"no wind is {act.degree!r}", rule)
    if act.way not in NAMES:
        raise Refusal("a wind blows straight or diagonally, by one square each way", rule)
    for other in WINDS:
        if other in target.conditions:
            yield ConditionLost(who=target.id, condition=other, why="the wind turns", cites=(rule,))
    yield ConditionGained(who=target.id, condition=name, source=NAMES[act.way], cites=(rule,))
    yield from gust(fight, target)


def gust(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Save against the wind, or be checked, knocked down or blown away, by size."""
    name = next((name for name in WINDS if name in combatant.conditions), "")
    row = fight.figure(TABLE, WINDS[name])
    effect = effect_on(row, combatant.sheet.size)
    rule = fight.rule(TABLE)
    if effect == "-" or "dead" in combatant.conditions:
        return
    if (yield from saving_throw(fight, combatant, "fort", row["dc"], name.removeprefix("in "), rule)):
        return
    source = combatant.conditions[name].source
    way = WAYS.get(source, NOWHERE)
    if effect == "B":
        yield from blown_away(fight, combatant, way)
    elif effect == "D":
        yield from knocked_down(fight, combatant, way)
    else:
        until = Until("turn-start", combatant.id, fight.state.round)
        cites = fight.rules(TABLE, "srd35.cond.checked")
        yield ConditionGained(who=combatant.id, condition=CHECKED, source=source, until=until, cites=cites)


def effect_on(row: JsonObject, size: str) -> str:
    """Return the effect of a wind on a creature of a size: "B", "D", "C", or "-" for nothing."""
    step = SIZES.index(size)
    for sizes, effect in row["effect"].items():
        if sizes.endswith(" or smaller"):
            if step <= SIZES.index(sizes.removesuffix(" or smaller").lower()):
                return str(effect)
        elif size in sizes.lower().split(", "):
            return str(effect)
    return str(row["effect"]["bigger"])


def blown_away(fight: Fight, combatant: Combatant, way: Square) -> Steps[None]:
    """Roll along the ground, or tumble through the air (srd35.cond.blown-away)."""
    flying = FLYING in combatant.conditions
    cites = fight.rules(TABLE, "srd35.cond.blown-away")
    dice, harm_dice = dice_of(fight.figure("srd35.cond.blown-away", "air" if flying else "ground"))
    rolled = yield Roll("", "blown-away", dice)
    if not flying and "prone" not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition="prone", source="blown away", cites=cites)
    yield from be_driven(fight, combatant, way, rolled.total * 2, "blown away", cites)
    count = 1 if flying else rolled.total
    number, _, size = harm_dice.partition("d")
    hurt = yield Roll("", "blown-about", f"{count * int(number)}d{size}")
    harm = Harm(combatant, hurt.total, "bludgeoning", "blown away", nonlethal=True, cites=cites)
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    yield from fight.dialect.damage.suffer(fight, harm)


def dice_of(text: str) -> tuple[str, str]:
    """Return the dice of the distance, in tens of feet, and of the damage, by a figure."""
    distance, _, harm = text.partition(", ")
    return distance.split("x")[0], harm.split()[0]


def knocked_down(fight: Fight, victim: Combatant, way: Square) -> Steps[None]:
    """Fall prone, or in the air be driven back (srd35.cond.knocked-down)."""
    cites = fight.rules(TABLE, "srd35.cond.knocked-down")
    if FLYING in victim.conditions:
        dice = str(fight.figure("srd35.cond.knocked-down", "air")).split("x")[0]
        rolled = yield Roll("", "blown-back", dice)
        yield from be_driven(fight, victim, way, rolled.total * 2, "blown back", cites)
    elif "prone" not in victim.conditions and not is_down(fight, victim):
        yield ConditionGained(who=victim.id, condition="prone", source="the wind", cites=cites)


def be_driven(
    fight: Fight, combatant: Combatant, way: Square, squares: int, how: str, cites: tuple[str, ...]
) -> Steps[None]:
    """Be driven along by the wind until something is in the way."""
    path: list[Square] = []
    over: Square | None = None
    here = combatant.at
    for _ in range(squares if way != NOWHERE else 0):
        there = (here[0] + way[0], here[1] + way[1])
        if is_barred(fight, combatant, here, there) or occupants(fight, combatant, there):
            break
        if falls_at(fight, combatant, here, there):
            over = there
            break
        path.append(there)
        here = there
    if path:
        yield displaced(combatant, path, how, *cites)
        yield from fight.dialect.grapple.parted(fight, combatant)
    if over is not None:
        yield from fall_over(fight, combatant, over, how, *cites)


def refuse_against(fight: Fight, combatant: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse steps against a wind that has checked a combatant (srd35.cond.checked)."""
    if CHECKED not in combatant.conditions:
        return
    way = WAYS.get(combatant.conditions[CHECKED].source, NOWHERE)
    here = combatant.at
    for there in path:
        if (there[0] - here[0]) * way[0] + (there[1] - here[1]) * way[1] < 0:
            raise Refusal(f"{combatant.id} cannot go on against the wind", fight.rule("srd35.cond.checked"))
        here = there


# --- The dangers of a place in srd35 (srd35.hazard.*, srd35.gear.caltrops)

DARK: Final = "srd35.hazard.darkness"


def into_darkness(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Deprive a combatant of light: blinded in effect, unless it has darkvision (srd35.hazard.darkness)."""
    rule = fight.rule(DARK)
    if any(trait.startswith("darkvision") for trait in target.sheet.traits):
        yield RuleApplied(who=target.id, what="sees in the dark", cites=(rule,))
        return
    yield ConditionGained(who=target.id, condition=IN_DARKNESS, source="no light", cites=(rule,))


DANGERS: Final[Mapping[str, Danger]] = {
    "fire": Danger(FIRE, catch_fire, (BURNING,)),
    **environment.DANGERS,
    "smoke": environment.SMOKE_DANGER,
    "no air": Danger(environment.TOPIC, environment.take_air, afterwards=environment.give_air),
    "cold": Danger(CLIMATE, expose_to_climate),
    "heat": Danger(CLIMATE, expose_to_climate),
    "wind": Danger(TABLE, into_wind, tuple(WINDS)),
    "water": environment.WATER_DANGER,
    "darkness": Danger(DARK, into_darkness, (IN_DARKNESS,)),
    "caltrops": Danger(splash_weapons.TOPIC, splash_weapons.among_caltrops),
}


# --- The conditions that movement and surroundings bring (srd35.load.*, srd35.skill.*, srd35.hazard.*)


def in_wind(name: str) -> ConditionRule:
    """Return a wind as a condition: it hampers missiles, or forbids all but those of siege engines."""
    row = WINDS[name]
    if name in ("in a strong wind", "in a severe wind"):
        hampers, shoots = Change("attack.ranged", TABLE, (row, "ranged")), None
        return ConditionRule(TABLE, (hampers,), shoots=shoots, each_turn=gust)
    if name == "in a tornado":
        return ConditionRule(TABLE, shoots=(), each_turn=gust)
    siege = Change("attack.ranged", TABLE, (row, "siege"))
    return ConditionRule(TABLE, (siege,), shoots=("siege",), each_turn=gust)


GOING = {
    gear.MEDIUM_LOAD: ConditionRule("srd35.load.effects-table"),
    gear.HEAVY_LOAD: ConditionRule("srd35.load.effects-table"),
    gear.OVERLOADED: ConditionRule("srd35.load.lift", dexterity=False, rushes=False),
    speed.STAGGERING: ConditionRule("srd35.load.lift", dexterity=False),
    **balancing.CONDITIONS,
    balancing.BALANCING: ConditionRule(
        skills.BALANCE_TOPIC,
        dexterity=False,
        reactions=False,
        reflexes=True,
        off_guard=True,
        hurt=skills.check_balance_when_hurt,
    ),
    balancing.SURELY: ConditionRule(skills.BALANCE_TOPIC, hurt=skills.check_balance_when_hurt),
    skills.CLIMBING: ConditionRule(
        skills.CLIMB_TOPIC, dexterity=False, off_guard=True, shieldless=True, hurt=skills.check_grip_when_hurt
    ),
    FLYING: ConditionRule(flight.TABLE, turn_over=flight.stall_if_slow),
    balancing.DIVING: ConditionRule(flight.TABLE),
    balancing.STALLED: ConditionRule(flight.STALL, each_turn=flight.catch_itself),
    **environment.DROWNING_CONDITIONS,
    BURNING: ConditionRule(environment.FIRE, each_turn=environment.burn),
    **environment.SMOKE_CONDITIONS,
    speed.IN_DARKNESS: ConditionRule(
        DARK,
        (Change("defense.melee", DARK, ("ac",)), Change("defense.ranged", DARK, ("ac",))),
        dexterity=False,
        rushes=False,
        sightless=(DARK, "miss_pct"),
    ),
    environment.IN_WATER: ConditionRule(environment.COMBAT, throws=False),
    environment.OFF_BALANCE: environment.LOSING_BALANCE,
    CHECKED: ConditionRule("srd35.cond.checked"),
    splash_weapons.LAMED: ConditionRule(
        splash_weapons.TOPIC,
        (Change("speed", splash_weapons.TOPIC, ("speed",)),),
        healed=splash_weapons.restore_speed,
    ),
    splash_weapons.HALTED: ConditionRule(splash_weapons.TOPIC, moves=False),
    **{name: in_wind(name) for name in WINDS},
    **environment.LIQUIDS_CONDITIONS,
}
