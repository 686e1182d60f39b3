"""Explosives: thrown at a square, where they come to rest, what the burst does (futurepath.explosive.*)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.area_attack import (
    begin_attack,
    prepared_at,
    refuse_hopeless_roll,
    refuse_said,
)
from affray.engine.dialects.futurepath.damage.area_damage import (
    AreaDamage,
    covered_squares,
    deal_area_damage,
    roll_damage,
)
from affray.engine.dialects.futurepath.defense.reflex_cover import (
    Save,
    cover_parts,
    is_sheltered,
    rules_of_cover,
    spared_behind,
)
from affray.engine.dialects.futurepath.gear.landing import WITHIN, land
from affray.engine.dialects.futurepath.gear.throwables import EXPLOSIVE
from affray.engine.dialects.futurepath.gear.timers import stop_timers
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import burst
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.attacks.shot_at_place import hits_place
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The traits behind which stand how many feet a burst reaches, and the DC of the save.
BURST: Final = "burst"
REFLEX: Final = "reflex"
BEYOND: Final = "futurepath.attack.thrown-explosive.beyond-increment"


def is_explosive(fight: Fight, act: acts.Attack) -> bool:
    """Say whether an attack is made with an explosive."""
    return EXPLOSIVE in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits


def number_behind(weapon: Weapon, trait: str) -> int:
    """Return the number that stands behind a trait of a weapon, such as "burst (20)"; 0 without one."""
    return next((int(one) for one in details_of(trait, weapon.traits) if one.isdecimal()), 0)


def refuse_unknown_burst(fight: Fight, weapon: Weapon) -> None:
    """Refuse an explosive of which nobody has said how far it bursts and how hard the save is.

    The text leaves both to the type of explosive (futurepath.damage.explosive.radius-and-save).
    """
    for trait in (BURST, REFLEX):
        if not number_behind(weapon, trait):
            wanted = f"{trait} (number)"
            reason = f"the {weapon.name} lacks the trait {wanted!r}, which its type of explosive sets"
            raise Refusal(reason, fight.rule("futurepath.damage.explosive.radius-and-save"))


def throw_explosive(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw an explosive at a square; it comes to rest at a corner and bursts there.

    futurepath.explosive.thrown-or-planted, futurepath.attack.thrown-explosive.*.
    """
    rule = fight.rule("futurepath.attack.thrown-explosive.target-square")
    weapon = find_weapon(fight, fight.combatant(act.actor), act.weapon)
    if act.at is None:
        raise Refusal(f"the {weapon.name} is thrown at a square", rule)
    if not weapon.thrown or not weapon.range:
        raise Refusal(
            f"the {weapon.name} cannot be thrown", fight.rule("futurepath.explosive.thrown-or-planted")
        )
    refuse_said(act, f"a throw of the {weapon.name}", rule, "target", "nonlethal", "bullets", "autofire")
    refuse_unknown_burst(fight, weapon)
    landed = yield from throw_at_square(fight, act, weapon, act.at, rule)
    if landed is not None:
        yield from explode(
            fight, fight.combatant(act.actor), weapon, landed, "futurepath.damage.explosive.radius-and-save"
        )


def throw_at_square(
    fight: Fight, act: acts.Attack, weapon: Weapon, square: Square, *cites: str, splash_ft: int = 0
) -> Steps[Square | None]:
    """Throw at a square and return the corner where the throw comes to rest; None if it comes to nothing.

    `splash_ft` is how far around it what breaks there splashes.
    Within one range increment it needs no roll; beyond, one against the square's Defense, for which no
    proficiency is wanted (futurepath.attack.thrown-explosive.within-increment, .beyond-increment, .miss,
    .no-nonproficiency).
    """
    blow = prepared_at(fight, act, weapon, (square,), *cites)
    far = blow.distance > weapon.range
    if far:
        refuse_hopeless_roll(fight, blow)
    if not (yield from begin_attack(fight, act, blow, f"throw {weapon.name}")):
        return None
    thrower = blow.attacker
    yield from lose(fight, thrower, weapon.name, "gone", cites)
    yield from stop_timers(fight, thrower, weapon.name, "it is thrown")
    hit = True
    if far:
        blow.cites.append(fight.rule(BEYOND))
        where = f"the square {square[0]},{square[1]}"
        defense = int(fight.figure(BEYOND, "square_defense"))
        hit = yield from hits_place(fight, blow, where, "Defense of the square", defense)
    else:
        what = f"throws the {weapon.name} {blow.distance} ft. and cannot miss"
        yield RuleApplied(who=thrower.id, what=what, cites=fight.rules(WITHIN))
    corner, _ = yield from land(fight, thrower, weapon, square, blow.distance, hit, splash_ft)
    return corner


def explode(fight: Fight, thrower: Combatant, weapon: Weapon, corner: Square, topic: str) -> Steps[None]:
    """Let an explosive burst at a grid corner: damage to all in its radius, creatures and things.

    A save makes it half; it is rolled once for all of them. Total cover from that corner keeps it off
    (futurepath.explosive.definition, futurepath.damage.explosive.radius-and-save,
    futurepath.damage.planted-explosive, futurepath.cover.total).
    """
    feet = number_behind(weapon, BURST)
    what = f"the {weapon.name} bursts at the corner {corner[0]},{corner[1]}: {feet} ft. around"
    kinds = "futurepath.explosive.thrown-or-planted"
    squares = burst(corner, feet)
    yield RuleApplied(
        who=thrower.id,
        what=what,
        squares=covered_squares(fight, squares, (corner, 0, (0, 0))),
        corner=corner,
        cites=fight.rules("futurepath.explosive.definition", kinds),
    )
    caught = [
        one
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions and squares.intersection(squares_of(one))
    ]
    # What stood as it burst shelters, even if it breaks by it.
    sheltered = {one.id for one in caught if is_sheltered(fight, (corner, 0, (0, 0)), one)}
    found: AreaDamage | None = None
    for one in caught:
        if one.id in sheltered:
            what = f"total cover shelters {one.id} from the {weapon.name}"
            yield RuleApplied(who=one.id, what=what, cites=fight.rules("futurepath.cover.total"))
        else:
            found = yield from blast(fight, thrower, weapon, one, (corner, topic), found)


def blast(
    fight: Fight,
    thrower: Combatant,
    weapon: Weapon,
    one: Combatant,
    burst_at: tuple[Square, str],
    found: AreaDamage | None,
) -> Steps[AreaDamage]:
    """Let a burst strike one creature or thing: a Reflex save for half; return the damage as it was rolled.

    `burst_at` are the grid corner and the rule's topic, `found` the damage if it has been rolled before
    (futurepath.cover.reflex-bonus, futurepath.cover.nine-tenths-improved-evasion).
    """
    corner, topic = burst_at
    rule = fight.rule(topic)
    extra = cover_parts(fight, (corner, 0, (0, 0)), one)
    cites = (rule, *rules_of_cover(fight, extra))
    dc = number_behind(weapon, REFLEX)
    saved = yield from saving_throw(fight, one, "ref", dc, weapon.name, *cites, extra=extra)
    if found is None:
        found = yield from roll_damage(fight, thrower, weapon)
    spared = fight.dialect.classes.after_save(fight, one, SaveMade("ref", "half", saved, found.total, extra))
    save = Save(saved, found.total)
    amount, why, also = spared_behind(fight, (corner, 0, (0, 0)), one, None, spared, save)
    harm = Harm(one, amount, weapon.damage_type, weapon.name, thrower, area=True)
    yield from deal_area_damage(fight, weapon, found, harm, rule, *also, why=why)
    return found


def needs_no_proficiency(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of a throw without what the lack of proficiency takes: such a throw needs none.

    futurepath.attack.thrown-explosive.no-nonproficiency, futurepath.attack.splash.ranged-touch.
    """
    explosive = EXPLOSIVE in blow.weapon.traits
    topic = "attack.thrown-explosive.no-nonproficiency" if explosive else "attack.splash.ranged-touch"
    lacking, rule = fight.rule("futurepath.attack.nonproficient"), fight.rule(f"futurepath.{topic}")
    if rule not in blow.cites:
        blow.cites.append(rule)
    denied = f"needs no proficiency ({rule})"
    return tuple(replace(part, denied=denied) if part.rule == lacking else part for part in parts)
