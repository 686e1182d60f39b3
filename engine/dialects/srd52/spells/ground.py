"""Spells that stay on the map: fog, webs, storms, and things that fight by themselves."""

from functools import partial
from math import hypot
from typing import Final

from affray.engine.dialects.srd52 import areas, test
from affray.engine.dialects.srd52.conditions import gain
from affray.engine.dialects.srd52.features import SPELL, Casting, Feature, Held, Strike, features_of
from affray.engine.dialects.srd52.magic import (
    affected,
    attack_with,
    conditions_of,
    dice_of_spell,
    end_of,
    end_on,
    end_spell,
    harm,
    hurt,
    last,
    last_here,
    lose_concentration,
    ongoing_of,
    refuse_place,
    roll_once,
    row_of,
    saved,
    spell_difficulty,
    spell_rows,
    squares_of,
)
from affray.engine.dialects.srd52.position import push_away
from affray.engine.dialects.srd52.senses import sees
from affray.engine.dialects.srd52.spells.harm import blast, row
from affray.engine.dialects.srd52.turns import next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import space
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import ConditionLost, EffectGained, ItemChanged, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier
from affray.projections.state import Area, Combatant

# --- Areas that only are there


def cloud(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area for the duration with what the figures say: obscured, difficult, silent, dark."""
    yield from last_here(fight, casting, squares_of(fight, casting), *traits_of(casting))


TRAITS: Final = {"darkness": ("darkness",), "silence": ("silence",)}
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


def once_a_turn(fight: Fight, area: Area, one: Combatant) -> bool:
    """Return whether an area has not acted on a creature in the turn that is running."""
    return not one.spent.get(counter_of(fight, area))


def counter_of(fight: Fight, area: Area) -> str:
    """Return the counter for a creature on which an area has acted in this turn."""
    return f"{area.what} in turn {fight.state.turn}"


def noted(fight: Fight, area: Area, one: Combatant) -> ActionSpent:
    """Return the fact that an area has acted on a creature in this turn."""
    cites = fight.rules(spell_rows(fight)[f"spell {area.what}"].topic)
    return ActionSpent(who=one.id, kind=counter_of(fight, area), what=area.what, cites=cites)


def hold(moments: tuple[str, ...], fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Give a creature that fails the save the conditions of a spell, as long as it lasts."""
    if moment not in moments or not once_a_turn(fight, area, one):
        return
    casting = casting_of(fight, area)
    if moment != "appear":
        yield noted(fight, area, one)
    if not (yield from saved(fight, casting, one)):
        if "damage" in casting.row:
            yield from harm(fight, casting, one)
        for name in conditions_of(fight, casting.feature):
            lasts = name == "restrained"
            if lasts and not any(effect.id == area.id for effect in one.effects):
                yield from last(fight, casting, one)
            yield from gain(fight, one, name, area.who, end_of(fight, casting) if lasts else Until())


def entangle(fight: Fight, casting: Casting) -> Steps[None]:
    """Fill the area with plants; those in it, but not the caster, are Restrained unless they save."""
    yield from cloud(fight, casting)
    for one in affected(fight, casting):
        if one.id != casting.caster.id and not (yield from saved(fight, casting, one)):
            yield from last(fight, casting, one)
            yield from gain(fight, one, "restrained", casting.caster.id, end_of(fight, casting))


def scorch(moments: tuple[str, ...], fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Deal the damage of an area to a creature, half on a save, once a turn."""
    casting = casting_of(fight, area)
    if moment not in moments or not once_a_turn(fight, area, one) or f"spares {one.id}" in area.traits:
        return
    yield noted(fight, area, one)
    success = yield from saved(fight, casting, one)
    yield from harm(fight, casting, one, halved=success)


def prick(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Deal the damage of thorns for each 5 feet that a creature moves in an area."""
    if moment in ("enter", "within"):
        casting = casting_of(fight, area)
        yield from harm(fight, casting, one)


def sleet(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Make a creature that fails the save Prone, and end its Concentration."""
    if moment not in ("enter", "start") or not once_a_turn(fight, area, one):
        return
    casting = casting_of(fight, area)
    yield noted(fight, area, one)
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


def blow_away(fight: Fight, area: Area, one: Combatant, moment: str) -> Steps[None]:
    """Push a creature that ends its turn in the wind and fails the save."""
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
    """Put a ball of fire into a square."""
    if casting.at is not None:
        yield from last_here(fight, casting, [casting.at])


def refuse_square(fight: Fight, casting: Casting) -> None:
    """Refuse no square, one in a wall, or one out of range."""
    refuse_place(fight, casting)
    if casting.at is None or not fight.field.passable(casting.at, 1):
        raise Refusal(f"{casting.name} needs a free square", fight.rule(casting.feature.topic))


def roll_ball(fight: Fight, casting: Casting) -> Steps[None]:
    """Roll a ball of fire to a square; into a creature's space, it burns that one and stops."""
    area, to = fight.state.areas[casting.id], casting.at
    if to is not None:
        rule = fight.rule(casting.feature.topic)
        yield areas.place(fight, area.id, area.what, area.who, [to], rule, level=area.level)
        for one in areas.inside(fight, frozenset({to})):
            yield from burn_near(fight, casting, one)


def burn_near(fight: Fight, casting: Casting, one: Combatant) -> Steps[None]:
    """Deal the damage of a ball of fire, half on a save."""
    success = yield from saved(fight, casting, one)
    yield from harm(fight, casting, one, halved=success)


def burn_at_end(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let balls of fire burn a creature that ends its turn within 5 feet of them."""
    for area in list(fight.state.areas.values()):
        if area.what == "flaming sphere" and "dead" not in combatant.conditions:
            near = {one for square in area.squares for one in space((square[0] - 1, square[1] - 1), 3)}
            if not near.isdisjoint(space(combatant.at, combatant.space)):
                yield from burn_near(fight, casting_of(fight, area), combatant)
        if area.what == "wall of fire" and "dead" not in combatant.conditions:
            casting = casting_of(fight, area)
            beside = beside_wall(fight, casting, frozenset(area.squares))
            if not beside.isdisjoint(space(combatant.at, combatant.space)):
                yield from harm(fight, casting, combatant)


def weapon_of_force(fight: Fight, casting: Casting) -> Steps[None]:
    """Put a weapon of force into a square, which attacks at once."""
    if casting.at is not None:
        yield from last_here(fight, casting, [casting.at])
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
    for target in casting.targets[:1]:
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
        yield from burn_near(fight, casting, one)
    elif moment in ("enter", "end") and once_a_turn(fight, area, one):
        yield noted(fight, area, one)
        yield from harm(fight, casting, one)


# --- Hot metal


def heat(fight: Fight, casting: Casting) -> Steps[None]:
    """Heat the metal that a creature holds or wears, for as long as the spell lasts."""
    for target in casting.targets:
        yield from last(fight, casting, target)
        yield from sear_hands(fight, casting, target)


def heat_again(fight: Fight, casting: Casting) -> Steps[None]:
    """Deal the damage of hot metal again to those in contact with it."""
    for target in list(fight.state.combatants.values()):
        if any(one.id == casting.id for one in target.effects):
            yield from sear_hands(fight, casting, target)


def refuse_cool(fight: Fight, casting: Casting) -> None:
    """Refuse a target that holds and wears no metal."""
    for target in casting.targets:
        if not target.held and not wears_metal(target):
            raise Refusal(f"{target.id} holds and wears no metal", fight.rule(casting.feature.topic))


def wears_metal(target: Combatant) -> bool:
    """Return whether a creature wears medium or heavy armor."""
    return any(one.kind == "armor" and one.weight in ("medium", "heavy") for one in target.sheet.worn)


def sear_hands(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Deal the damage of hot metal; its holder drops it, or is hindered until the caster's next turn."""
    if not target.held and not wears_metal(target):
        return
    taken = yield from harm(fight, casting, target)
    if not taken or "dead" in target.conditions:
        return
    if not (yield from saved(fight, casting, target)) and target.held:
        cites = fight.rules(casting.feature.topic)
        yield ItemChanged(who=target.id, item=target.held[0], state="dropped", at=target.at, cites=cites)
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
    """Let what a creature holds or wears shed light; the light of an earlier casting goes out."""
    for id in ongoing_of(fight, casting.caster, casting.name):
        yield from end_spell(fight, id, "it is cast again", casting.feature.topic)
    for target in casting.targets:
        yield from last_here(fight, casting, (), "light", around=target.id)


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
    """Deal the damage of Dragon's Breath in a cone."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    held = next((one for one in features_of(fight, actor) if one.name == "dragon's breath"), None)
    rule = fight.rule("magic.spell-dragons-breath")
    if held is None or act.at is None:
        raise Refusal(f"{actor.id} has no breath, or no square to aim it at", rule)
    yield spend(fight, actor, "action", "breathe", rule)
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
            yield from hurt(fight, casting, one, rolled, halved=success)


SPELLS: Final[dict[str, Feature]] = {
    **row("light", shine),
    **row("heat metal", heat, seen=True, check=refuse_cool, again="bonus", use=heat_again),
    "spell hot metal": Feature(topic="magic.spell-heat-metal", on_attack=hot, on_check=hot),
    **row("wall of fire", wall, choices=SIDES, in_area=burn_in_wall),
    **row("entangle", entangle),
    **row("faerie fire", outline, on_attacked=outlined, reveals=True),
    **row("fog cloud", cloud),
    **row("grease", appear, in_area=partial(hold, ("appear", "enter", "end"))),
    **row("darkness", cloud),
    **row("dragon's breath", breath, after=True, willing=True, choices="damage"),
    **row(
        "flaming sphere",
        fire_ball,
        point=True,
        chosen=True,
        check=refuse_square,
        again="bonus",
        use=roll_ball,
        check_use=refuse_moving,
    ),
    **row("gust of wind", appear, in_area=blow_away, again="bonus"),
    **row(
        "moonbeam",
        appear,
        again="action",
        use=move_area,
        check_use=refuse_moving,
        in_area=partial(scorch, ("appear", "enter", "end")),
    ),
    **row("silence", cloud),
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
    **row("sleet storm", cloud, in_area=sleet),
    **row("spirit guardians", guardians, chosen=True, in_area=partial(scorch, ("enter", "end"))),
    **row("stinking cloud", cloud, in_area=sicken),
    **row("black tentacles", appear, in_area=partial(hold, ("appear", "enter", "end"))),
    **row("ice storm", hail),
}
