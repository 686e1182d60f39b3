"""Dangers of the surroundings: falls, fire, lack of air, water, ice, wind and rain, traps and poisons."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, damage, test
from affray.engine.dialects.srd52.classes import ROUNDS, fields_of, modifier_of, rounds_in
from affray.engine.dialects.srd52.conditions import EXHAUSTION, gain, recover_from
from affray.engine.dialects.srd52.features import Blow, Dice, any_of, is_settled
from affray.engine.dialects.srd52.position import (
    SIZES,
    WATER,
    displaced,
    is_ground,
    is_in_water,
    nearest_free,
    others_at,
    size_of,
)
from affray.engine.dialects.srd52.ready import can_react
from affray.engine.dialects.srd52.senses import LIT
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import space
from affray.engine.kernel import checks
from affray.engine.kernel.actions import spend
from affray.engine.kernel.places import height_of, level_of, squares_of
from affray.engine.record.acts import details_of
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import ConditionGained, ConditionLost, CounterChanged, Until
from affray.events.facts.flow import ActionSpent, CombatantEntered, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Sheet, Weapon
from affray.projections.state import Combatant

# --- Falling

FLYING: Final = "flying"
"""The condition of a combatant in the air; its level is its height in feet."""


def fall(fight: Fight, target: Combatant, feet: int, liquid: bool = False, *cites: str) -> Steps[None]:
    """Let a combatant fall: dice by the height, and prone if any damage is taken.

    Into a liquid a Reaction and a check may halve the damage.
    """
    if FLYING in target.conditions:
        yield ConditionLost(who=target.id, condition=FLYING, why="falls", cites=cites or down(fight))
    rope = fight.figure("gear.climbers-kit", "limit_ft")
    if ANCHORED in target.conditions and feet > rope:
        feet, cites = rope, (*cites, fight.rule("gear.climbers-kit"))
    for one in list(fight.state.combatants.values()):
        if (yield from is_settled(fight, one, "on_fall", target, feet)):
            return
    topic = "environment.falling-damage"
    each, most = fight.figure(topic, "per_10_ft"), fight.figure(topic, "max")
    number, _, die = each.partition("d")
    many = min(feet // FALLING_FT * int(number), int(most.partition("d")[0]))
    if not many:
        what = f"falls {feet} ft. without harm"
        yield RuleApplied(who=target.id, what=what, cites=(*cites, fight.rule(topic)))
        yield from land(fight, target, 0)
        return
    blow = Blow("", f"a fall of {feet} ft.", fall=True)
    if liquid and (yield from hits_surface(fight, target)):
        rule = fight.rule("environment.falling-liquid")
        blow = replace(blow, halved=True, halving=("hits the surface head or feet first", rule))
    dice = [Dice(f"{many}d{die}", fight.figure(topic, "type"), "the fall")]
    rules = (*cites, fight.rule(topic))
    taken = yield from damage.deal(fight, target, blow, dice, cites=rules)
    yield from land(fight, target, taken)


FALLING_FT: Final = 10
ANCHORED: Final = "anchored"
"""The condition of a climber on a rope; its source is the square of the anchor: "3,4"."""


def down(fight: Fight) -> tuple[str, ...]:
    """Return the rule by which flyers fall."""
    return fight.rules("movement.fly-fall")


def hits_surface(fight: Fight, target: Combatant) -> Steps[bool]:
    """Let a creature that falls into a liquid use its Reaction for a check; return whether it succeeds."""
    topic = "environment.falling-liquid"
    rule = fight.rule(topic)
    if not can_react(fight, target):
        return False
    question = f"{target.id} falls into liquid: does it try to hit the surface head or feet first?"
    skill = yield Choice(target.id, "surface", question, ("athletics", "acrobatics", "decline"), rule)
    if skill == "decline":
        return False
    yield ReactionSpent(who=target.id, kind="fall", against="", opportunity="", cites=(rule,))
    number = fight.figure(topic, "dc")
    return (yield from test.check(fight, target, skill, number, why="the surface", cites=(rule,)))


def land(fight: Fight, target: Combatant, taken: int) -> Steps[None]:
    """Let a faller lie prone if it took damage, and next to a creature on which it fell."""
    under = others_at(fight, target, target.at)
    rule = fight.rule("environment.falling-prone")
    if taken:
        yield from reciting(gain(fight, target, "prone", "a fall"), ConditionGained, rule)
    if not under:
        return
    if taken and fight.option("fall_on_creature") == "both-prone-half-damage":
        for one in under:
            half = Dice(str(taken // 2), fight.figure("environment.falling-damage", "type"), "the fall")
            yield from damage.deal(fight, one, Blow("", f"{target.id}, falling"), [half], cites=(rule,))
            yield from gain(fight, one, "prone", f"{target.id} falls on it")
    for place in nearest_free(fight, target, target.at)[:1]:
        yield displaced(target, (place,), "falls", (rule,))


def fall_by_word(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Let a combatant fall, as game master: from a height, by default that in which it flies."""
    target = fight.combatant(act.target)
    feet = act.feet or height_of(target)
    if feet <= 0:
        raise Refusal("a fall needs a height", fight.rule("environment.falling-damage"))
    yield from fall(fight, target, feet, act.onto == "water")


# --- Fire

BURNING: Final = "burning"


def burn(fight: Fight, victim: Combatant) -> Steps[None]:
    """Deal fire damage to the burning as its turn begins, unless water puts the fire out."""
    rule, topic = fight.rule("environment.burning"), "environment.burning"
    if is_in_water(fight, victim):
        yield from put_out(fight, victim, "it is submerged")
        return
    dice, kind = str(fight.figure(topic, "damage")).split()
    yield from damage.deal(
        fight, victim, Blow("", "burning"), [Dice(dice, kind.lower(), "fire")], cites=(rule,)
    )


def put_out(fight: Fight, victim: Combatant, why: str) -> Steps[None]:
    """End the fire on a combatant."""
    cites = fight.rules("environment.burning-extinguish")
    yield ConditionLost(who=victim.id, condition=BURNING, why=why, cites=cites)


def ignite(fight: Fight, victim: Combatant, cause: str, *cites: str) -> Steps[None]:
    """Set a combatant on fire: until it is put out, or for a minute by another reading."""
    if is_in_water(fight, victim):
        return
    until = checks.FOR_GOOD
    if fight.option("burning_end") == "one-minute":
        until = Until("turn-start", victim.id, fight.state.round + ROUNDS["minute"])
    yield from reciting(gain(fight, victim, BURNING, cause, until), ConditionGained, *cites)


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out the fire on oneself: an action, prone, rolling on the ground; or on another in reach."""
    actor, rule = fight.combatant(act.actor), fight.rule("environment.burning-extinguish")
    if BURNING not in actor.conditions:
        raise Refusal(f"{actor.id} is not burning", rule)
    yield spend(fight, actor, "action", "put out the fire", rule)
    yield from gain(fight, actor, str(fight.figure("environment.burning-extinguish", "effect")), "rolling")
    yield from put_out(fight, actor, "it rolls on the ground")


# --- Breath

BREATHLESS: Final = "suffocating"
HOLDING: Final = "holding its breath"
SUFFOCATED: Final = "exhaustion by suffocation"
"""The counter of the Exhaustion levels that breathing takes off again."""


def expose(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Take a combatant's air away, or give it back, as game master; with the degree "choking" at once.

    Or let a minute in frigid water pass, after as many as its Constitution score.
    """
    target, rule = fight.combatant(act.target), fight.rule("environment.suffocation-breath")
    if act.to == "cold":
        yield from chill(fight, target)
        return
    if act.over:
        yield from breathe(fight, target)
        return
    if is_in_water(fight, target) and "water" in any_of(fight, target, "breathes"):
        raise Refusal(f"{target.id} breathes water", fight.rule("monster.trait-amphibious"))
    if BREATHLESS in target.conditions or HOLDING in target.conditions:
        raise Refusal(f"{target.id} has no air already", rule)
    if act.degree:
        yield from gain(fight, target, BREATHLESS, act.degree)
        return
    topic = "environment.suffocation-breath"
    minutes = fight.formula(topic, "minutes") + modifier_of(fight, target, "con")
    minutes = max(minutes, *map(int, details_of("hold breath", target.sheet.traits)), 0)
    least = fight.figure(topic, "min_seconds") // fight.figure("turns.round", "seconds")
    until = Until("turn-end", target.id, fight.state.round + max(least, minutes * ROUNDS["minute"]))
    yield from gain(fight, target, HOLDING, "no air", until)


def chill(fight: Fight, target: Combatant) -> Steps[None]:
    """Make the save of a minute in frigid water, or tire; those that resist cold need none."""
    topic = "environment.frigid-water"
    rule, own = fight.rule(topic), fields_of(fight, target)
    if "cold" in (*own.resistances, *own.immunities):
        yield RuleApplied(who=target.id, what="does not mind the cold", cites=(rule,))
        return
    save, number = fight.figure(topic, "save"), fight.figure(topic, "dc")
    if not (yield from test.save(fight, target, save, number, why="frigid water", cites=(rule,))):
        yield from reciting(gain(fight, target, EXHAUSTION, "frigid water"), ConditionGained, rule)


def out_of_breath(fight: Fight, combatant: Combatant, name: str) -> Steps[None]:
    """End a condition whose time is over: a creature that held its breath begins to suffocate."""
    cites = (fight.dialect.kernel.ending_rule(fight, name, None),)
    yield ConditionLost(who=combatant.id, condition=name, why="its time is over", cites=cites)
    if name == HOLDING:
        yield from gain(fight, combatant, BREATHLESS, "out of breath")


def suffocate(fight: Fight, victim: Combatant) -> Steps[None]:
    """Raise the Exhaustion of the suffocating as its turn ends."""
    rule, topic = fight.rule("environment.suffocation"), "environment.suffocation"
    for _ in range(fight.figure(topic, "exhaustion_per_turn")):
        many = victim.counters.get(SUFFOCATED, 0) + 1
        yield CounterChanged(who=victim.id, counter=SUFFOCATED, value=many, cites=(rule,))
        yield from reciting(gain(fight, victim, EXHAUSTION, BREATHLESS), ConditionGained, rule)


def breathe(fight: Fight, target: Combatant) -> Steps[None]:
    """Let a combatant breathe again, without the Exhaustion of suffocating."""
    rule, many = fight.rule("environment.suffocation"), target.counters.get(SUFFOCATED, 0)
    held = [name for name in (HOLDING, BREATHLESS) if name in target.conditions]
    if not held and not many:
        raise Refusal(f"{target.id} has air", rule)
    for name in held:
        yield ConditionLost(who=target.id, condition=name, why="breathes again", cites=(rule,))
    if many:
        yield CounterChanged(who=target.id, counter=SUFFOCATED, value=0, cites=(rule,))
        yield from recover_from(fight, target, many, "breathes again", rule)


# --- Underwater, and in strong wind


def sources_of_surroundings(
    fight: Fight, attacker: Combatant, weapon: Weapon, melee: bool
) -> Iterator[Modifier]:
    """Yield what water and wind do to an attack roll with a weapon (an Unarmed Strike is none)."""
    if is_in_water(fight, attacker):
        spared = fight.option("underwater_exceptions") == "crossbow-and-thrown-piercing"
        if (
            melee
            and not attacker.sheet.swim
            and weapon.damage_type != "piercing"
            and weapon.wield != "unarmed"
        ):
            yield test.source(fight, "environment.underwater-melee", "effect", "underwater")
        if not melee and not (spared and is_spared_underwater(weapon)):
            yield test.source(fight, "environment.underwater-ranged", "within", "underwater")
    windy = any(is_ground(fight, at, "environment.strong-wind") for at in squares_of(attacker))
    if windy and not melee:
        yield test.source(fight, "environment.strong-wind", "ranged_weapons", "strong wind")


def is_spared_underwater(weapon: Weapon) -> bool:
    """Return whether a weapon shoots or flies well underwater by the older rule."""
    return "crossbow" in (weapon.table or weapon.name) or (weapon.thrown and weapon.damage_type == "piercing")


def sinks_short(fight: Fight, attacker: Combatant, weapon: Weapon, far: int) -> str:
    """Return the rule by which a shot underwater misses beyond the normal range; "" for none."""
    if far > weapon.range and is_in_water(fight, attacker):
        return fight.rule("environment.underwater-ranged")
    return ""


# --- Open flames, in wind and rain


@per_scene()
def flames_that_die(fight: Fight) -> tuple[CounterChanged | ConditionLost, ...]:
    """Return the facts that open flames go out: lights in strong wind or heavy rain, the burning in rain."""
    if not fight.state.ground:
        return ()
    made: list[CounterChanged | ConditionLost] = []
    for one in fight.state.combatants.values():
        for topic in ("environment.strong-wind", "environment.heavy-precipitation"):
            for item in fight.figure("environment.strong-wind", "flames"):
                places = one.lying.get(item, (one.at,))
                if one.counters.get(f"{LIT}{item}") and any(douses(fight, at, topic) for at in places):
                    counter, cites = f"{LIT}{item}", fight.rules(topic)
                    made.append(CounterChanged(who=one.id, counter=counter, value=0, cites=cites))
        if BURNING in one.conditions and douses(fight, one.at, "environment.heavy-precipitation"):
            cites = fight.rules("environment.burning-extinguish", "environment.heavy-precipitation")
            made.append(ConditionLost(who=one.id, condition=BURNING, why="it is doused", cites=cites))
    return tuple(made)


def douses(fight: Fight, at: Square, topic: str) -> bool:
    """Return whether wind or rain puts out open flames in a square."""
    return is_ground(fight, at, topic, "douses")


# --- Ice


class ThinIce(acts.Act, frozen=True, gc=False, tag="srd52.thin-ice"):
    """Let thin ice bear what is on it, or break, as game master.

    at: the first of its four squares.
    """

    declared_by = "game master"

    at: ActSquare = (0, 0)


THIN_ICE: Final = "thin ice"


def thin_ice(fight: Fight, act: ThinIce) -> Steps[None]:
    """Weigh what is on 10 feet of thin ice; too much weight breaks it, and all fall into frigid water.

    What it bears is rolled once. Sheets say what creatures weigh.
    """
    topic, id = "environment.thin-ice", f"{THIN_ICE} {act.at[0]},{act.at[1]}"
    rule, squares = fight.rule(topic), space(act.at, fight.figure(topic, "squares"))
    if not all(fight.field.holds(at) for at in squares):
        raise Refusal(f"{act.at[0]},{act.at[1]} is no place for ice", rule)
    if id not in fight.state.areas:
        dice, _, factor = str(fight.figure(topic, "lb")).partition("*")
        rolled = yield Roll("", "ice", dice)
        bears = rolled.total * int(factor)
        yield areas.place(fight, id, THIN_ICE, "", squares, rule, level=bears)
    area, found = fight.state.areas[id], fight.state.combatants.values()
    there = [one for one in found if not level_of(one) and not {*squares}.isdisjoint(squares_of(one))]
    load = sum(fields_of(fight, one).weight + one.sheet.carried for one in there)
    if load <= area.level or WATER in area.traits:
        what = f"the ice bears {area.level} lb., and {load} lb. are on it"
        yield RuleApplied(who="", what=what, squares=squares, cites=(rule,))
        return
    yield areas.place(fight, id, "broken ice", "", squares, rule, traits=(WATER,))
    for one in there:
        cites = (rule, fight.rule("environment.frigid-water"))
        yield RuleApplied(who=one.id, what="falls through the ice into frigid water", cites=cites)


SLIPPED: Final = "slippery ice"
"""The counter of a turn for the first entry onto ice."""


@per_scene("combatant.id", "combatant.at", "at")
def is_on_ice(fight: Fight, combatant: Combatant, at: tuple[int, int] | None = None) -> bool:
    """Return whether a combatant is on slippery ice, at its place or at a square, and may slip."""
    sure = any_of(fight, combatant, "unhindered") & {*fight.figure("environment.slippery-ice", "ground")}
    if FLYING in combatant.conditions or sure:
        return False
    return any(is_ground(fight, one, "environment.slippery-ice") for one in squares_of(combatant, at))


def slip(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a combatant on slippery ice keep its footing: entering it in a turn, or beginning one there."""
    topic = "environment.slippery-ice"
    rule = fight.rule(topic)
    yield ActionSpent(who=combatant.id, kind=SLIPPED, what=SLIPPED, cites=(rule,))
    save, number = fight.figure(topic, "save"), fight.figure(topic, "dc")
    if not (yield from test.save(fight, combatant, save, number, why=SLIPPED, cites=(rule,))):
        yield from gain(fight, combatant, str(fight.figure(topic, "failure")).lower(), SLIPPED)


# --- Nets and webs


def ensnare(fight: Fight, victim: Combatant, what: str, row: Mapping[str, Any], *cites: str) -> Steps[None]:
    """Restrain a creature in a net or web, a thing with Armor Class, until that is destroyed."""
    name = f"{what} on {victim.id}"
    earlier = sum(id.startswith(name) for id in fight.state.combatants)
    id = f"{name} {earlier + 1}" if earlier else name
    yield from reciting(gain(fight, victim, "restrained", id), ConditionGained, *cites)
    held = victim.conditions.get("restrained")
    if held is None or held.source != id:
        return
    custom = {
        "armor_class": row["ac"],
        "immunities": tuple(row["immune"]),
        "vulnerabilities": tuple(row.get("vulnerable", ())),
    }
    sheet = damage.as_object(fight, Sheet(what, row["hp"], size="tiny", kind=damage.OBJECT, custom=custom))
    yield CombatantEntered(
        id=id,
        side="things",
        sheet=sheet,
        at=victim.at,
        space=1,
        reach=0,
        hp=sheet.hp,
        max_hp=sheet.hp,
        nonlethal=0,
        held=(),
        acted=False,
        policy="",
        cites=cites,
    )
    yield from gain(fight, fight.combatant(id), damage.OBJECT, "a thing")


@per_company()
def bonds_that_break(fight: Fight) -> tuple[ConditionLost, ...]:
    """Return the facts that creatures are free whose net or web is destroyed."""
    made = []
    for one in fight.state.combatants.values():
        held = one.conditions.get("restrained")
        bond = fight.state.combatants.get(held.source) if held is not None else None
        if bond is not None and damage.is_object(bond) and "dead" in bond.conditions:
            topic = "gear.net-escape" if bond.sheet.name == "net" else "monster.trait-web-strand"
            why, cites = f"{bond.id} is destroyed", fight.rules(topic)
            made.append(ConditionLost(who=one.id, condition="restrained", why=why, cites=cites))
    return tuple(made)


# --- Traps


class Trap(acts.Act, frozen=True, gc=False, tag="srd52.trap"):
    """Let a combatant set off a trap of the table, as game master.

    target: the combatant.
    name: the trap.
    """

    declared_by = "game master"

    target: Name = ""
    name: Name = ""


def trap(fight: Fight, act: Trap) -> Steps[None]:
    """Do what a trap of the table does: a save, damage, a fall, a condition."""
    target, rule = fight.combatant(act.target), fight.rule("environment.traps")
    rows = {row["name"]: row for row in fight.figure("environment.traps")}
    if act.name not in rows:
        raise unknown_word("trap", act.name, rows, rule)
    row = rows[act.name]
    largest = row.get("auto_success", "").removesuffix("+")
    saved = bool(largest) and size_of(target) >= SIZES.index(largest)
    if row.get("save") and not saved:
        saved = yield from test.save(fight, target, row["save"], row["dc"], why=act.name, cites=(rule,))
    if "depth_ft" in row:
        yield from fall(fight, target, row["depth_ft"], False, rule)
    halves = row.get("success", "").startswith("half")
    if not saved or halves:
        dice = yield from dice_of_trap(act.name, row)
        if dice:
            blow = Blow("", act.name, halved=saved)
            yield from damage.deal(fight, target, blow, dice, cites=(rule,))
    if ground := row.get("after", "").partition(" ")[0]:
        id, squares = f"{act.name}:{fight.declaration}", squares_of(target)
        yield areas.place(fight, id, act.name, "", squares, rule, traits=(ground,))
    effect, _, time = row.get("effect", "").partition(" ")
    if effect and not saved:
        rounds = rounds_in(time)
        until = Until("turn-start", target.id, fight.state.round + rounds) if rounds else checks.FOR_GOOD
        if "net" in act.name:
            yield from ensnare(fight, target, "net", fight.figure("gear.net-escape"), rule)
            return
        yield from reciting(gain(fight, target, effect, act.name, until), ConditionGained, rule)


DARTS: Final = re.compile(r"(\d+d\d+) darts, (\d+)(d\d+) (\w+) each")
DAMAGE: Final = re.compile(r"(\d+d\d+) (\w+)")


def dice_of_trap(name: str, row: Mapping[str, Any]) -> Steps[list[Dice]]:
    """Return the dice of a trap's damage without those of a fall; the number of its darts is rolled first."""
    said = row.get("damage", "")
    if darts := DARTS.fullmatch(said):
        rolled = yield Roll("", "darts", darts[1])
        return [Dice(f"{rolled.total * int(darts[2])}{darts[3]}", darts[4], name)]
    dice = [Dice(one[1], one[2], name) for one in DAMAGE.finditer(said)]
    return dice[1:] if "depth_ft" in row else dice
