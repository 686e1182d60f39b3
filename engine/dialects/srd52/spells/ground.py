"""Spells that stay on the map: fog, webs, storms, and things that fight by themselves."""

from functools import partial
from math import hypot
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, test
from affray.engine.dialects.srd52.class_features import magic_action
from affray.engine.dialects.srd52.conditions import gain
from affray.engine.dialects.srd52.damage import deal
from affray.engine.dialects.srd52.features import (
    SPELL,
    Blow,
    Casting,
    Dice,
    Feature,
    Held,
    Strike,
    ask,
    features_of,
    once_a_turn,
)
from affray.engine.dialects.srd52.magic import (
    conditions_of,
    dice_of_spell,
    end_earlier,
    end_of,
    end_on,
    end_spell,
    last,
    last_here,
    lose_concentration,
    range_of,
    refuse_place,
    revert,
    row_of,
    spell_difficulty,
    spell_rows,
    under,
)
from affray.engine.dialects.srd52.position import push_away, within
from affray.engine.dialects.srd52.senses import sees
from affray.engine.dialects.srd52.spell_effects import (
    affected,
    attack_with,
    blast,
    harm,
    hurt_after_save,
    roll_once,
    row,
    save_and_hurt,
    saved,
    squares_of,
)
from affray.engine.dialects.srd52.spells.harm import sheds_light
from affray.engine.dialects.srd52.turns import next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import space
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier
from affray.projections.state import Area, Combatant

# --- Areas that only are there


def cloud(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area for the duration with what the figures say: obscured, difficult, silent, dark."""
    yield from last_here(fight, casting, squares_of(fight, casting), *traits_of(casting))


TRAITS: Final = {
    "darkness": ("darkness",),
    "silence": ("silence",),
    "moonbeam": ("dim light",),
    "gust of wind": ("wind",),
}
"""The traits of the area of a spell that are not in its figures."""


def traits_of(casting: Casting) -> tuple[str, ...]:
    """Return what the area of a spell is like: difficult terrain, lightly or heavily obscured, and so on."""
    found = [str(casting.row["terrain"])] if "terrain" in casting.row else []
    found += [f"{casting.row['obscured']} obscured"] if "obscured" in casting.row else []
    return (*found, *TRAITS.get(casting.name, ()))


# --- Areas that act on those in them


def casting_of(fight: Fight, area: Area) -> Casting:
    """Return the casting of an area that is still there."""
    feature = spell_rows(fight)[f"spell {area.what}"]
    caster = fight.combatant(area.who)
    effect = next((one for one in caster.effects if one.id == area.id), None)
    choice = "" if effect is None or effect.modifier.kind == "spell" else effect.modifier.kind
    return Casting(
        caster=caster,
        name=area.what,
        feature=feature,
        row=row_of(fight, feature),
        slot=area.level,
        id=area.id,
        choice=choice,
    )


def appear(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area for the duration, and let it act at once on all in it."""
    yield from cloud(fight, casting)
    area = fight.state.areas[casting.id]
    for one in areas.inside(fight, frozenset(area.squares)):
        if "dead" not in one.conditions:
            yield from areas.act_on(fight, area, one, "appear")


def first_in_turn(fight: Fight, area: Area, one: Combatant) -> Steps[bool]:
    """Return whether an area has not acted on a creature in the turn that is running; now it has."""
    kind = once_a_turn(fight, area.what)
    topic = spell_rows(fight)[f"spell {area.what}"].topic
    most = fight.figure(topic).get("save", {}).get("per_turn", 1)
    if one.spent.get(kind, 0) >= most:
        return False
    cites = fight.rules(topic)
    yield ActionSpent(who=one.id, kind=kind, what=area.what, cites=cites)
    return True


def hold(moments: tuple[str, ...], fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Give a creature that fails the save the conditions of a spell, as long as it lasts.

    Webs let go of those that are out of them. Only grease acts several times in a turn.
    """
    if moment == "leave" and area.what == areas.WEB:
        yield from let_go(fight, area, one)
    if moment not in moments:
        return
    if area.what != "grease" and not (yield from first_in_turn(fight, area, one)):
        return
    casting = casting_of(fight, area)
    if not (yield from saved(fight, casting, one)):
        if "damage" in casting.row:
            yield from harm(fight, casting, one)
        for name in conditions_of(fight, casting.feature):
            lasts = name == "restrained"
            if lasts and not any(effect.id == area.id for effect in one.effects):
                yield from last(fight, casting, one)
            yield from gain(fight, one, name, area.who, end_of(fight, casting) if lasts else Until())


def let_go(fight: Fight, area: Area, one: Combatant) -> Steps[None]:
    """End what the spell of an area does to a creature that is no longer in it."""
    feature, why = spell_rows(fight)[f"spell {area.what}"], f"it is out of the {area.what}"
    cites = fight.rules(feature.topic)
    for name in conditions_of(fight, feature):
        if name in one.conditions and one.conditions[name].source == area.who:
            yield ConditionLost(who=one.id, condition=name, why=why, cites=cites)
    if one.id != area.who and any(effect.id == area.id for effect in one.effects):
        yield EffectEnded(who=one.id, id=area.id, why=why, cites=cites)


def hush(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Deafen a creature as long as it is entirely inside the silence."""
    within = moment != "leave" and areas.squares_of_area(fight, area).issuperset(space(one.at, one.space))
    if not within:
        yield from let_go(fight, area, one)
    else:
        rule = fight.rule("magic.spell-silence")
        yield from reciting(gain(fight, one, "deafened", area.who), ConditionGained, rule)


def burn_in_web(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Burn a creature that starts its turn in a web that is on fire."""
    if moment == "start":
        found, rule = fight.figure("magic.spell-web", "burning"), fight.rule("magic.spell-web")
        dice = [Dice(found["dice"], found["type"], area.what)]
        yield from deal(fight, one, Blow("", area.what), dice, cites=(rule,))


def entangle(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area with plants; those in it, but not the caster, are Restrained unless they save."""
    yield from cloud(fight, casting)
    for one in affected(fight, casting):
        if one.id != casting.caster.id and not (yield from saved(fight, casting, one)):
            yield from last(fight, casting, one)
            yield from gain(fight, one, "restrained", casting.caster.id, end_of(fight, casting))


def scorch(moments: tuple[str, ...], fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Deal the damage of an area to a creature, half on a save, once a turn."""
    if moment not in moments or f"spares {one.id}" in area.traits:
        return
    if not (yield from first_in_turn(fight, area, one)):
        return
    if not (yield from save_and_hurt(fight, casting_of(fight, area), one)) and area.what == "moonbeam":
        yield from revert(fight, one, "the moonbeam", "magic.spell-moonbeam")


def prick(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Deal the damage of thorns for each 5 feet that a creature moves in an area."""
    if moment in ("enter", "within"):
        casting = casting_of(fight, area)
        for _ in range(SQUARE_FT // casting.row["damage"]["per_ft"]):
            yield from harm(fight, casting, one)


def sleet(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Make a creature that fails the save Prone, and end its Concentration."""
    if moment not in ("enter", "start") or not (yield from first_in_turn(fight, area, one)):
        return
    casting = casting_of(fight, area)
    if not (yield from saved(fight, casting, one)):
        yield from gain(fight, one, "prone", area.what)
        yield from lose_concentration(fight, one, area.what, casting.feature.topic)


def sicken(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Poison a creature that starts its turn in the gas and fails the save: it can take no action then."""
    if moment != "start":
        return
    casting = casting_of(fight, area)
    if not (yield from saved(fight, casting, one)):
        until = Until("turn-end", one.id, fight.state.round)
        yield from gain(fight, one, "poisoned", area.what, until)
        if "poisoned" in one.conditions:
            for kind in ("action", "bonus"):
                cites = fight.rules(casting.feature.topic)
                yield ActionSpent(who=one.id, kind=kind, what=area.what, cites=cites)


VAPORS: Final = ("fog cloud", "stinking cloud")
"""The spells that a strong wind disperses."""


def gust(fight: Fight, casting: Casting) -> Steps[None]:
    """Blast a line of wind, which pushes those in it at once, and disperses vapors."""
    yield from appear(fight, casting)
    yield from disperse(fight, casting)


def turn_gust(fight: Fight, casting: Casting) -> Steps[None]:
    """Blast the wind in another direction."""
    yield from move_area(fight, casting)
    yield from disperse(fight, casting)


def disperse(fight: Fight, casting: Casting) -> Steps[None]:
    """End the vapors that the wind of a spell meets."""
    wind = frozenset(fight.state.areas[casting.id].squares)
    for area in list(fight.state.areas.values()):
        if area.what in VAPORS and not wind.isdisjoint(area.squares):
            yield from end_spell(fight, area.id, "the wind disperses it", casting.feature.topic)


def blow_away(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Push a creature in the wind that fails the save, as it comes up and as the creature's turns end."""
    if moment in ("appear", "end") and one.id != area.who:
        casting = casting_of(fight, area)
        if not (yield from saved(fight, casting, one)):
            yield from push_away(fight, casting.caster, one, casting.row["push_ft"], casting.feature.topic)


# --- Breaking free


class BreakFree(acts.Act, frozen=True, gc=False, tag="srd52.break-free"):
    """Try to break free of a spell that restrains: an action, with a Strength (Athletics) check.

    spell: the spell.
    """

    spell: Name = ""


def break_free(fight: Fight, act: BreakFree) -> Steps[None]:
    """Make a Strength (Athletics) check against the DC of a spell that restrains the actor."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    found = [one for one in features_of(fight, actor) if one.id and one.name in BINDING]
    held = next((one for one in found if act.spell in ("", one.name)), None)
    if held is None or "restrained" not in actor.conditions:
        raise Refusal(f"{actor.id} is restrained by no such spell", fight.rule("conditions.restrained-speed"))
    rule = fight.rule(held.feature.topic)
    yield spend(fight, actor, "action", "break free", rule)
    number = spell_difficulty(fight, fight.combatant(held.caster))
    if (yield from test.check(fight, actor, "athletics", number, why=held.name, cites=(rule,))):
        cites = (rule,)
        yield ConditionLost(who=actor.id, condition="restrained", why="it breaks free", cites=cites)
        yield from end_on(fight, held, "it breaks free")


BINDING: Final = ("entangle", "web", "black tentacles")


# --- Areas that move


def guardians(fight: Fight, casting: Casting) -> Steps[None]:
    """Surround the caster with spirits; the targets named are those that they spare."""
    spared = [f"spares {one.id}" for one in (casting.caster, *casting.targets)]
    feet = casting.row["area"]["distance"]
    yield from last_here(fight, casting, (), "half speed", *spared, around=casting.caster.id, feet=feet)
    area = fight.state.areas[casting.id]
    for one in areas.inside(fight, areas.squares_of_area(fight, area), casting.caster.id):
        yield from areas.act_on(fight, area, one, "enter")


def move_area(fight: Fight, casting: Casting) -> Steps[None]:
    """Move the area of a spell; it acts on those that it comes to."""
    area, new = fight.state.areas[casting.id], squares_of(fight, casting)
    cites = fight.rules(casting.feature.topic, "magic.range-movable")
    before = {one.id for one in areas.inside(fight, frozenset(area.squares))}
    yield areas.place(fight, area.id, area.what, area.who, new, *cites, traits=area.traits, level=area.level)
    placed = fight.state.areas[area.id]
    for one in areas.inside(fight, new):
        if one.id not in before:
            yield from areas.act_on(fight, placed, one, "enter")


def refuse_moving(fight: Fight, casting: Casting) -> None:
    """Refuse to move the area of a spell without a square, into a wall or too far."""
    area, rule = fight.state.areas[casting.id], fight.rule(casting.feature.topic)
    if casting.at is None or not fight.field.passable(casting.at, 1):
        raise Refusal(f"{casting.name} needs a free square to move to", rule)
    here, there = min(area.squares), casting.at
    if "area" in casting.row:
        there = min(squares_of(fight, casting))
    if max(abs(here[0] - there[0]), abs(here[1] - there[1])) * SQUARE_FT > casting.row["move_ft"]:
        raise Refusal(f"{casting.name} moves at most {casting.row['move_ft']} ft.", rule)


def fire_ball(fight: Fight, casting: Casting) -> Steps[None]:
    """Put a ball of fire, which sheds light, into a square."""
    squares = squares_named(casting)
    yield from last_here(fight, casting, squares, "light")
    yield from areas.kindle(fight, squares, casting.caster.id)


def squares_named(casting: Casting) -> list[Square]:
    """Return the square of a casting as a list."""
    return [casting.at] if casting.at is not None else []


def refuse_square(fight: Fight, casting: Casting) -> None:
    """Refuse no square, one in a wall, or one out of range."""
    refuse_place(fight, casting)
    if casting.at is None or not fight.field.passable(casting.at, 1):
        raise Refusal(f"{casting.name} needs a free square", fight.rule(casting.feature.topic))


def refuse_occupied(fight: Fight, casting: Casting) -> None:
    """Refuse a square for a ball of fire that a creature occupies."""
    refuse_square(fight, casting)
    if taken := areas.inside(fight, frozenset(squares_named(casting))):
        raise Refusal(f"{taken[0].id} is there", fight.rule(casting.feature.topic))


def roll_ball(fight: Fight, casting: Casting) -> Steps[None]:
    """Roll a ball of fire to a square; into a creature's space, it burns that one and stops."""
    area, squares = fight.state.areas[casting.id], squares_named(casting)
    rule = fight.rule(casting.feature.topic)
    yield areas.place(
        fight, area.id, area.what, area.who, squares, rule, traits=area.traits, level=area.level
    )
    yield from areas.kindle(fight, squares, casting.caster.id)
    for one in areas.inside(fight, frozenset(squares)):
        yield from save_and_hurt(fight, casting, one)


def burn_at_end(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let balls of fire burn a creature that ends its turn within 5 feet of them."""
    for area in list(fight.state.areas.values()):
        if area.what == "flaming sphere" and "dead" not in combatant.conditions:
            near = {one for square in area.squares for one in space((square[0] - 1, square[1] - 1), 3)}
            if not near.isdisjoint(space(combatant.at, combatant.space)):
                yield from save_and_hurt(fight, casting_of(fight, area), combatant)
        if area.what == "wall of fire" and "dead" not in combatant.conditions:
            casting = casting_of(fight, area)
            beside = beside_wall(fight, casting, frozenset(area.squares))
            if not beside.isdisjoint(space(combatant.at, combatant.space)):
                yield from harm(fight, casting, combatant)


def weapon_of_force(fight: Fight, casting: Casting) -> Steps[None]:
    """Put a weapon of force into a square, which attacks at once."""
    yield from last_here(fight, casting, squares_named(casting))
    yield from force_attacks(fight, casting)


def refuse_force(fight: Fight, casting: Casting) -> None:
    """Refuse a place for a weapon of force, or a target that is not next to it."""
    area = fight.state.areas.get(casting.id)
    if area is None:
        refuse_square(fight, casting)
    elif casting.at is not None:
        refuse_moving(fight, casting)
    here = casting.at or (area.squares[0] if area is not None else (0, 0))
    near = set(space((here[0] - 1, here[1] - 1), 3))
    for target in casting.targets:
        if near.isdisjoint(space(target.at, target.space)):
            raise Refusal(f"{target.id} is not next to it", fight.rule(casting.feature.topic))


def force_attacks(fight: Fight, casting: Casting) -> Steps[None]:
    """Attack a creature within 5 feet of a weapon of force."""
    for target in casting.targets:
        found = casting.row["damage"]
        dice = dice_of_spell(casting, {**found, "dice": found["dice"].partition(" ")[0]})
        yield from attack_with(fight, casting, target, dice, found["type"], adds_ability=True)


def move_force(fight: Fight, casting: Casting) -> Steps[None]:
    """Move a weapon of force and attack with it."""
    area, rule = fight.state.areas[casting.id], fight.rule(casting.feature.topic)
    if casting.at is not None:
        yield areas.place(fight, area.id, area.what, area.who, [casting.at], rule, level=area.level)
    yield from force_attacks(fight, casting)


# --- Walls of fire


def wall(fight: Fight, casting: Casting) -> Steps[None]:
    """Raise a wall from a square on, or a ring; it burns those in it at once."""
    squares = wall_squares(fight, casting)
    yield from last_here(fight, casting, squares, "heavily obscured")
    yield from areas.kindle(fight, squares, casting.caster.id)
    area = fight.state.areas[casting.id]
    for one in areas.inside(fight, squares):
        yield from areas.act_on(fight, area, one, "appear")


SIDES: Final = ("north", "south", "east", "west", "inside", "outside")
"""The side of a wall that burns: the wall runs across that direction, or is a ring."""


def wall_squares(fight: Fight, casting: Casting) -> frozenset[Square]:
    """Return the squares of a wall of fire: a row or a column from a square on, or a ring around a corner."""
    (x, y), row = casting.at or (0, 0), casting.row["area"]
    many = row["length"] // SQUARE_FT
    if casting.choice in ("north", "south"):
        found = [(x + one, y) for one in range(many)]
    elif casting.choice in ("east", "west"):
        found = [(x, y + one) for one in range(many)]
    else:
        radius = row["ring"] // 2
        found = [*set(areas.sphere((x, y), radius)) - set(areas.sphere((x, y), radius - SQUARE_FT))]
    return frozenset(one for one in found if fight.field.holds(one) and fight.field.passable(one, 1))


def beside_wall(fight: Fight, casting: Casting, squares: frozenset[Square]) -> frozenset[Square]:
    """Return the squares within 10 feet of the side of a wall that burns."""
    reach, side = casting.row["area"]["burns_ft"] // SQUARE_FT, casting.choice
    if side in ("inside", "outside"):
        xs, ys = [x for x, _ in squares], [y for _, y in squares]
        middle = (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2
        near = {
            (x + dx, y + dy)
            for x, y in squares
            for dx in range(-reach, reach + 1)
            for dy in range(-reach, reach + 1)
        }
        radius = casting.row["area"]["ring"] / 2 / SQUARE_FT
        inner = {one for one in near if hypot(one[0] + 0.5 - middle[0], one[1] + 0.5 - middle[1]) < radius}
        return frozenset((inner if side == "inside" else near - inner) - squares)
    dx, dy = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}[side]
    return frozenset((x + dx * far, y + dy * far) for x, y in squares for far in range(1, reach + 1))


def burn_in_wall(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Burn a creature in a wall of fire: with a save as it appears, later without one."""
    casting = casting_of(fight, area)
    if moment == "appear":
        yield from save_and_hurt(fight, casting, one)
    elif moment in ("enter", "end") and (yield from first_in_turn(fight, area, one)):
        yield from harm(fight, casting, one)


# --- Hot metal


def heat(fight: Fight, casting: Casting) -> Steps[None]:
    """Heat the metal that a creature holds or wears, for as long as the spell lasts."""
    for target in casting.targets:
        casting = replace(casting, choice=metal_of(target)[0])
        yield from last(fight, casting, target)
        yield from sear_hands(fight, casting, target)


def heat_again(fight: Fight, casting: Casting) -> Steps[None]:
    """Deal the damage of hot metal again to those in contact with it."""
    for target, effect in under(fight, casting.id):
        yield from sear_hands(fight, replace(casting, choice=effect.modifier.kind), target)


def refuse_cool(fight: Fight, casting: Casting) -> None:
    """Refuse a target that holds and wears no metal."""
    for target in casting.targets:
        if not metal_of(target):
            raise Refusal(f"{target.id} holds and wears no metal", fight.rule(casting.feature.topic))


def refuse_far_metal(fight: Fight, casting: Casting) -> None:
    """Refuse to heat metal again that is out of range."""
    for target, _ in under(fight, casting.id):
        if not within(casting.caster, target, range_of(casting.row, casting.caster)):
            raise Refusal(f"{target.id} is out of range", fight.rule("magic.range"))


def metal_of(target: Combatant) -> list[str]:
    """Return the metal that a creature is in contact with: what it holds, medium and heavy armor."""
    worn = [
        one.name for one in target.sheet.worn if one.kind == "armor" and one.weight in ("medium", "heavy")
    ]
    return [*target.held, *worn]


def sear_hands(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Deal the damage of hot metal; its holder drops it, or is hindered until the caster's next turn."""
    if casting.choice not in metal_of(target):
        return
    taken = yield from harm(fight, casting, target)
    if not taken or "dead" in target.conditions:
        return
    if not (yield from saved(fight, casting, target)) and casting.choice in target.held:
        cites = fight.rules(casting.feature.topic)
        yield ItemChanged(who=target.id, item=casting.choice, state="dropped", at=target.at, cites=cites)
        return
    rule = fight.rule(casting.feature.topic)
    yield EffectGained(
        who=target.id,
        id=f"hot:{casting.id}",
        stat=SPELL,
        modifier=Modifier(casting.slot, SPELL, "hot metal", rule),
        until=next_start(fight, casting.caster),
        against=casting.caster.id,
        cites=(rule,),
    )


def hot(fight: Fight, held: Held, about: object) -> list[Modifier]:
    """Give attack rolls and ability checks of those that hold on to hot metal Disadvantage."""
    return [Modifier(0, "disadvantage", held.name, fight.rule(held.feature.topic))]


# --- Light, ice, breath


def shine(fight: Fight, casting: Casting) -> Steps[None]:
    """Let what the caster holds or wears, or an object in a square, shed light; an earlier one goes out."""
    yield from end_earlier(fight, casting)
    for target in casting.targets:
        yield from last(fight, casting, target)
    if casting.at is not None:
        yield from last_here(fight, casting, [casting.at], "light")


def refuse_light(fight: Fight, casting: Casting) -> None:
    """Refuse what another wears or carries, and a square out of reach."""
    rule = fight.rule(casting.feature.topic)
    if any(target is not casting.caster for target in casting.targets):
        raise Refusal("what another wears or carries cannot be lit", rule)
    if casting.at is not None:
        refuse_place(fight, casting)
    elif not casting.targets:
        raise Refusal(f"{casting.name} needs a target, or the square of an object", rule)


def darken(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area with magical Darkness, which dispels light of weak spells that it meets."""
    yield from cloud(fight, casting)
    squares, most = squares_of(fight, casting), casting.row["dispels_light_level"]
    for id, level, lit in lights_of_spells(fight):
        if level <= most and not squares.isdisjoint(lit):
            yield from end_spell(fight, id, "the darkness dispels it", casting.feature.topic)


def lights_of_spells(fight: Fight) -> list[tuple[str, int, frozenset[Square]]]:
    """Return the spells that shed light: their ids, levels and the squares that they light."""
    found = []
    for one in fight.state.combatants.values():
        for function, held in ask(fight, one, "sheds"):
            if held.id:
                feet = sum(function(fight, held))
                lit = frozenset(areas.emanation(one, feet)) | frozenset(space(one.at, one.space))
                found.append((held.id, held.number, lit))
    for area in fight.state.areas.values():
        if area.traits and {"light", "dim light"} & {*area.traits}:
            found.append((area.id, area.level, areas.squares_of_area(fight, area)))
    return found


def outline(fight: Fight, casting: Casting) -> Steps[None]:
    """Outline those in the area that fail the save: attackers that see them have Advantage."""
    for one in affected(fight, casting):
        if not (yield from saved(fight, casting, one)):
            yield from last(fight, casting, one)


def outlined(fight: Fight, held: Held, strike: Strike) -> list[Modifier]:
    """Give attack rolls of those who see the outlined Advantage."""
    kind = fight.figure(held.feature.topic, "rider", "attacks_against")
    rule = fight.rule(held.feature.topic)
    return [Modifier(0, kind, held.name, rule)] if sees(fight, strike.attacker, held.holder) else []


def hail(fight: Fight, casting: Casting) -> Steps[None]:
    """Deal the damage of hail; the ground is difficult until the end of the caster's next turn."""
    yield from blast(fight, casting)
    squares = squares_of(fight, casting)
    yield areas.place(
        fight,
        casting.id,
        casting.name,
        casting.caster.id,
        squares,
        fight.rule(casting.feature.topic),
        traits=traits_of(casting),
        level=casting.slot,
    )
    yield from last(fight, casting, casting.caster, next_end(fight, casting.caster))


def breath(fight: Fight, casting: Casting) -> Steps[None]:
    """Give a creature a breath of the chosen type."""
    for target in casting.targets:
        yield from last(fight, casting, target)


class Breathe(acts.Act, frozen=True, gc=False, tag="srd52.breathe"):
    """Exhale the breath of Dragon's Breath as an action.

    at: the square that it is aimed at.
    """

    at: Square | None = None


def breathe(fight: Fight, act: Breathe) -> Steps[None]:
    """Deal the damage of Dragon's Breath in a cone: a Magic action."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    held = next((one for one in features_of(fight, actor) if one.name == "dragon's breath"), None)
    rule = fight.rule("magic.spell-dragons-breath")
    if held is None or act.at is None:
        raise Refusal(f"{actor.id} has no breath, or no square to aim it at", rule)
    yield from magic_action(fight, actor, "breathe", rule)
    casting = Casting(
        caster=fight.combatant(held.caster),
        name=held.name,
        feature=held.feature,
        row=row_of(fight, held.feature),
        slot=held.number,
        id=held.id,
        at=act.at,
        choice=held.choice,
    )
    squares = areas.area_of(fight, casting.row["area"], actor, act.at)
    rolled = yield from roll_once(fight, casting, dice_of_spell(casting), held.choice)
    for one in areas.inside(fight, squares, actor.id):
        if "dead" not in one.conditions:
            success = yield from saved(fight, casting, one)
            yield from hurt_after_save(fight, casting, one, rolled, success)


SPELLS: Final[dict[str, Feature]] = {
    **row("light", shine, point=True, check=refuse_light, sheds=sheds_light),
    **row(
        "heat metal",
        heat,
        seen=True,
        check=refuse_cool,
        again="bonus",
        use=heat_again,
        check_use=refuse_far_metal,
    ),
    "spell hot metal": Feature(topic="magic.spell-heat-metal", on_attack=hot, on_check=hot),
    **row("wall of fire", wall, choices=SIDES, in_area=burn_in_wall),
    **row("entangle", entangle),
    **row("faerie fire", outline, on_attacked=outlined, reveals=True, sheds=sheds_light),
    **row("fog cloud", cloud),
    **row("grease", appear, in_area=partial(hold, ("appear", "enter", "end"))),
    **row("darkness", darken),
    **row("dragon's breath", breath, after=True, willing=True, choices="damage"),
    **row(
        "flaming sphere",
        fire_ball,
        point=True,
        chosen=True,
        check=refuse_occupied,
        again="bonus",
        use=roll_ball,
        check_use=refuse_moving,
    ),
    **row("gust of wind", gust, in_area=blow_away, again="bonus", use=turn_gust),
    **row(
        "moonbeam",
        appear,
        again="action",
        use=move_area,
        check_use=refuse_moving,
        in_area=partial(scorch, ("appear", "enter", "end")),
    ),
    **row("silence", appear, in_area=hush),
    **row("spike growth", cloud, in_area=prick),
    **row(
        "spiritual weapon",
        weapon_of_force,
        point=True,
        chosen=True,
        check=refuse_force,
        again="bonus",
        use=move_force,
        check_use=refuse_force,
    ),
    **row("web", cloud, in_area=partial(hold, ("enter", "start"))),
    areas.BURNING_WEB: Feature(topic="magic.spell-web", in_area=burn_in_web),
    **row("sleet storm", cloud, in_area=sleet),
    **row(
        "spirit guardians",
        guardians,
        chosen=True,
        choices="damage",
        optional=True,
        in_area=partial(scorch, ("enter", "end")),
    ),
    **row("stinking cloud", cloud, in_area=sicken),
    **row("black tentacles", appear, in_area=partial(hold, ("appear", "enter", "end"))),
    **row("ice storm", hail),
}
