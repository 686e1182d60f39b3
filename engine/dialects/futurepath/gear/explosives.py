"""Implement explosives: thrown at a square, where they land, the effects of the burst.

futurepath.explosive.*
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import fight_defensively, refuse_hopeless
from affray.engine.dialects.futurepath.attacks.ranged_attacks import (
    begin_attack,
    prepare_declared,
    prepared_at,
    refuse_hopeless_roll,
    refuse_unused_fields,
)
from affray.engine.dialects.futurepath.damage import (
    AreaDamage,
    covered_squares,
    deal_area_damage,
    roll_damage,
)
from affray.engine.dialects.futurepath.defense import (
    Save,
    cover_parts,
    is_sheltered,
    rules_of_reflex_cover,
    spared_behind,
)
from affray.engine.dialects.futurepath.gear.handling import DEFINITION, EXPLOSIVE, TOUCH, WITHIN, land
from affray.engine.dialects.futurepath.gear.strike_held import damage_item, durability
from affray.engine.dialects.futurepath.turns.flow import provokes_by_row
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import burst, squares_around
from affray.engine.kernel.places import distance, squares_of
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, Harm, SaveMade, varied
from affray.engine.rules.attacks.declared_blow import roll_attack_at_place
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.gear.hands import lose
from affray.engine.rules.gear.splash_weapons import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon, square_of_target, yield_thrown_out_of_hand
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Steps, answered
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ItemChanged, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant, Effect

# --- Timers of planted explosives, as effects of the combatant that set or carries them
# A timer stays with its explosive when that is picked up and when it is put down again.

#: Prefix of the stat of a running timer, before the corner at which the explosive was set.
PLANTED: Final = "planted "
#: The stat of a timer whose explosive has been picked up.
TAKEN: Final = f"{PLANTED}in hand"
TOPIC: Final = "futurepath.special-attack.planted-explosive.no-attack-roll"


def stop_timers(fight: Fight, holder: Combatant, name: str, why: str) -> Iterator[EffectEnded]:
    """Yield the end of the timer of an explosive in hand: it is thrown and bursts now, or is set again."""
    timer = timer_at(holder, name, TAKEN)
    if timer is not None:
        yield EffectEnded(who=holder.id, id=timer.id, why=why, cites=fight.rules(TOPIC))


def timer_at(holder: Combatant, name: str, stat: str) -> Effect | None:
    """Return the timer of an explosive with that `stat`, in hand or at a corner; None if none runs."""
    return next((one for one in holder.effects if one.stat == stat and one.modifier.source == name), None)


def corner_of_timer(timer: Effect, holder: Combatant) -> Square:
    """Return the grid corner at which an explosive was set, or its holder's corner if it is in hand."""
    if timer.stat == TAKEN:
        return holder.at
    x, _, y = timer.stat.removeprefix(PLANTED).partition(",")
    return int(x), int(y)


def follow_timers(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Run a declaration; when a planted explosive is moved, its timer moves along.

    futurepath.special-attack.planted-explosive.no-attack-roll
    """
    running = any(one.effects for one in fight.state.combatants.values())
    return answered(watched, lambda step: move_timer(fight, step)) if running else watched


def move_timer(fight: Fight, step: object) -> Steps[None]:
    """Yield that a timer is where its explosive is now, or that it ended because the explosive broke."""
    if not isinstance(step, ItemChanged) or step.state not in ("held", "dropped", "broken"):
        return
    holder, name = fight.combatant(step.who), step.item
    owner = fight.combatant(step.of) if step.of else holder
    rule, lay = fight.rule(TOPIC), "" if step.at is None else f"{PLANTED}{step.at[0]},{step.at[1]}"
    taken = step.state == "held"
    timer = timer_at(owner, name, lay if taken and lay else TAKEN)
    if timer is None or (step.state == "dropped" and not lay):
        return
    why = "it is broken" if step.state == "broken" else "it is moved"
    yield EffectEnded(who=owner.id, id=timer.id, why=why, cites=(rule,))
    if step.state != "broken":
        yield EffectGained(
            who=holder.id,
            id=timer.id,
            stat=TAKEN if taken else lay,
            modifier=timer.modifier,
            until=timer.until,
            cites=(rule,),
        )


#: The traits with the radius of a burst in feet, and the DC of the save.
EXPLOSIVES_BURST: Final = "burst"
REFLEX: Final = "reflex"
BEYOND: Final = "futurepath.attack.thrown-explosive.beyond-increment"


def is_explosive(fight: Fight, act: acts.Attack) -> bool:
    """Return whether an attack is made with an explosive."""
    return EXPLOSIVE in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits


def number_behind(weapon: Weapon, trait: str) -> int:
    """Return the number in a trait of a weapon, such as "burst (20)"; 0 without one."""
    return next((int(one) for one in details_of(trait, weapon.traits) if one.isdecimal()), 0)


def refuse_unknown_burst(fight: Fight, weapon: Weapon) -> None:
    """Refuse an explosive without a burst radius or a save DC.

    The text leaves both to the type of explosive (futurepath.damage.explosive.radius-and-save).
    """
    for trait in (EXPLOSIVES_BURST, REFLEX):
        if not number_behind(weapon, trait):
            wanted = f"{trait} (number)"
            reason = f"the {weapon.name} lacks the trait {wanted!r}, which its type of explosive sets"
            raise Refusal(reason, fight.rule("futurepath.damage.explosive.radius-and-save"))


def throw_explosive(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw an explosive at a square; it lands at a corner and bursts there.

    futurepath.explosive.thrown-or-planted, futurepath.attack.thrown-explosive.*
    """
    rule = fight.rule("futurepath.attack.thrown-explosive.target-square")
    weapon = find_weapon(fight, fight.combatant(act.actor), act.weapon)
    if act.at is None:
        raise Refusal(f"the {weapon.name} is thrown at a square", rule)
    if not weapon.thrown or not weapon.range:
        raise Refusal(
            f"the {weapon.name} cannot be thrown", fight.rule("futurepath.explosive.thrown-or-planted")
        )
    refuse_unused_fields(
        act, f"a throw of the {weapon.name}", rule, "target", "nonlethal", "bullets", "autofire"
    )
    refuse_unknown_burst(fight, weapon)
    landed = yield from throw_at_square(fight, act, weapon, act.at, rule)
    if landed is not None:
        yield from explode(
            fight, fight.combatant(act.actor), weapon, landed, "futurepath.damage.explosive.radius-and-save"
        )


def throw_at_square(
    fight: Fight, act: acts.Attack, weapon: Weapon, square: Square, *cites: str, splash_ft: int = 0
) -> Steps[Square | None]:
    """Throw at a square and return the corner where the throw lands; None if it fails.

    `splash_ft` is the splash radius of a weapon that breaks there. Within one range increment it needs no
    roll; beyond, one against the square's Defense, without a penalty for lacking proficiency
    (futurepath.attack.thrown-explosive.within-increment, .beyond-increment, .miss, .no-nonproficiency).
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
        hit = yield from roll_attack_at_place(fight, blow, where, "Defense of the square", defense)
    else:
        what = f"throws the {weapon.name} {blow.distance} ft. and cannot miss"
        yield RuleApplied(who=thrower.id, what=what, cites=fight.rules(WITHIN))
    corner, _ = yield from land(fight, thrower, weapon, square, blow.distance, hit, splash_ft)
    return corner


def explode(fight: Fight, thrower: Combatant, weapon: Weapon, corner: Square, topic: str) -> Steps[None]:
    """Burst an explosive at a grid corner: damage to all creatures and things in its radius.

    A save halves it; the damage is rolled once for all. Total cover from that corner prevents it
    (futurepath.explosive.definition, futurepath.damage.explosive.radius-and-save,
    futurepath.damage.planted-explosive, futurepath.cover.total).
    """
    feet = number_behind(weapon, EXPLOSIVES_BURST)
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
    # Cover that exists when it bursts protects, even if the burst destroys it.
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
    """Apply a burst to one creature or thing: a Reflex save for half; return the damage as rolled.

    `burst_at` are the grid corner and the rule's topic, `found` the damage if it has been rolled before
    (futurepath.cover.reflex-bonus, futurepath.cover.nine-tenths-improved-evasion).
    """
    corner, topic = burst_at
    rule = fight.rule(topic)
    extra = cover_parts(fight, (corner, 0, (0, 0)), one)
    cites = (rule, *rules_of_reflex_cover(fight, extra))
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
    """Return the parts of a throw without the penalty for lacking proficiency, which such throws do not take.

    futurepath.attack.thrown-explosive.no-nonproficiency, futurepath.attack.splash.ranged-touch
    """
    explosive = EXPLOSIVE in blow.weapon.traits
    topic = "attack.thrown-explosive.no-nonproficiency" if explosive else "attack.splash.ranged-touch"
    lacking, rule = fight.rule("futurepath.attack.nonproficient"), fight.rule(f"futurepath.{topic}")
    if rule not in blow.cites:
        blow.cites.append(rule)
    denied = f"needs no proficiency ({rule})"
    return tuple(replace(part, denied=denied) if part.rule == lacking else part for part in parts)


# --- Explosives set in place with a timer (futurepath.special-attack.planted-explosive.*)
# The timer counts rounds from the turn of the combatant that set it: it runs out when that turn would come
# again after the given rounds, whether the turn comes or not. An explosive that is moved goes off where it is
# then. The text has no way to disarm one: it stays in place until it is moved or goes off.

#: The table whose row covers planting.
MOVES = "futurepath.table.actions.move"

PLANTED_BURST: Final = "futurepath.damage.planted-explosive"


def can_plant(weapon: Weapon) -> bool:
    """Return whether a weapon can be planted."""
    return EXPLOSIVE in weapon.traits


def plant(fight: Fight, act: acts.Prepare) -> Steps[None]:
    """Plant an explosive at a grid corner within reach, with its timer: a move action, no attack roll.

    futurepath.special-attack.planted-explosive.no-attack-roll, futurepath.explosive.thrown-or-planted,
    futurepath.action.manipulate-objects
    """
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    weapon = find_weapon(fight, actor, act.item, can_plant)
    if not can_plant(weapon):
        raise Refusal(
            f"the {weapon.name} is not an explosive and cannot be planted",
            fight.rule("futurepath.explosive.definition"),
        )
    refuse_unknown_burst(fight, weapon)
    if act.at is None:
        raise Refusal(f"name a grid corner to plant the {weapon.name} at", rule)
    if act.rounds < 1:
        raise Refusal(f"the timer of the {weapon.name} needs at least one round, not {act.rounds}", rule)
    if all(
        distance_ft(actor.at, square, actor.space, 1) > max(actor.reach, SQUARE_FT)
        for square in squares_around(act.at)
    ):
        raise Refusal(f"{actor.id} does not reach the corner {act.at[0]},{act.at[1]}", rule)
    _, table = provokes_by_row(fight, MOVES, "use a piece of equipment")
    handling = fight.rule("futurepath.action.manipulate-objects")
    yield spending(fight, actor, "move", f"plant {weapon.name}", handling, table, rule)
    cites = fight.rules(TOPIC, "futurepath.explosive.thrown-or-planted")
    yield from stop_timers(fight, actor, weapon.name, "it is set again")
    yield from lose(fight, actor, weapon.name, "dropped", cites, act.at)
    x, y = act.at
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:planted:{weapon.name}",
        stat=f"{PLANTED}{x},{y}",
        modifier=Modifier(act.rounds, "timer", weapon.name, rule),
        until=Until("", actor.id, fight.state.round + act.rounds),
        cites=cites,
    )


def burst_due_explosives(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, burst explosives whose timers have run out.

    futurepath.damage.planted-explosive
    """
    for holder in list(fight.state.combatants.values()):
        if not holder.effects:
            continue
        for timer in [one for one in holder.effects if one.stat.startswith(PLANTED)]:
            if has_run_down(fight, timer, combatant):
                yield from burst_planted_explosive(fight, holder, timer)


def has_run_down(fight: Fight, timer: Effect, combatant: Combatant) -> bool:
    """Return whether a timer runs out with the turn of a combatant."""
    until, state = timer.until, fight.state
    if state.round != until.round:
        return state.round > until.round
    order = state.order
    if until.who not in order or combatant.id not in order:
        return True
    return order.index(combatant.id) >= order.index(until.who)


def burst_planted_explosive(fight: Fight, holder: Combatant, timer: Effect) -> Steps[None]:
    """Burst an explosive where it is: in place, or with the combatant that picked it up."""
    name = timer.modifier.source
    weapon = next(one for one in holder.sheet.weapons if one.name == name)
    corner = corner_of_timer(timer, holder)
    cites = fight.rules(PLANTED_BURST)
    yield EffectEnded(who=holder.id, id=timer.id, why="its timer has run down", cites=cites)
    if timer.stat == TAKEN:
        yield from lose(fight, holder, name, "gone", cites)
    else:
        yield ItemChanged(who=holder.id, item=name, state="gone", at=corner, cites=cites)
    planter = fight.state.combatants.get(timer.until.who, holder)
    yield from explode(fight, planter, weapon, corner, PLANTED_BURST)


# --- Splash weapons: thrown at a creature or at a square, and the effect of misses
#
# futurepath.attack.splash.*

#: The trait with the splash damage: "splash damage (1d3)".
SPATTER: Final = "splash damage"
HIT: Final = "futurepath.attack.splash.hit"
MISS: Final = "futurepath.attack.splash.miss"
SQUARE: Final = "futurepath.attack.splash.target-square"


def is_splash(fight: Fight, act: acts.Attack) -> bool:
    """Return whether an attack is made with a splash weapon."""
    return SPLASH in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits


def throw_splash(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw a splash weapon at a creature or at a square.

    futurepath.attack.splash.definition, .ranged-touch, .target-square
    """
    weapon = find_weapon(fight, fight.combatant(act.actor), act.weapon)
    definition = fight.rule(DEFINITION)
    if not weapon.range:
        raise Refusal(f"the {weapon.name} has no range and cannot be thrown", definition)
    refuse_unused_fields(act, f"a throw of the {weapon.name}", definition, "nonlethal", "bullets", "autofire")
    if act.at is None:
        yield from throw_at_creature(fight, act, weapon)
        return
    rule = fight.rule(SQUARE)
    refuse_unused_fields(act, "a throw at a square", rule, "target")
    flask = replace(weapon, thrown=True)
    around = int(fight.figure(SQUARE, "radius_ft"))
    landed = yield from throw_at_square(fight, act, flask, act.at, definition, rule, splash_ft=around)
    if landed is not None:
        yield from splash_around(fight, fight.combatant(act.actor), weapon, landed, SQUARE)


def throw_at_creature(fight: Fight, act: acts.Attack, weapon: Weapon) -> Steps[None]:
    """Throw at a creature: a ranged touch attack (futurepath.attack.splash.ranged-touch)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    blow = prepare_declared(fight, actor, target, weapon, "attack")
    refuse_hopeless(fight, blow)
    touch = fight.rules(DEFINITION, TOUCH)
    cites = fight.rules("futurepath.action.attack.definition", "futurepath.attack.ranged.range-and-los")
    yield spending(fight, actor, "standard", f"throw {weapon.name}", *cites, *touch)
    if act.defensively:
        yield from fight_defensively(fight, actor, "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def break_flask(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Break a flask thrown at a creature: on the target, or where a miss lands.

    The target of a hit takes the direct damage and all others within 5 feet the splash damage; a miss
    splashes all within 5 feet of where it lands (futurepath.attack.splash.hit, .miss).
    """
    attacker, target, flask = blow.attacker, blow.target, blow.weapon
    weapon = next(one for one in attacker.sheet.weapons if one.name == flask.name)
    yield from yield_thrown_out_of_hand(fight, blow, None, fight.rules(DEFINITION))
    if not hit:
        square = square_of_target(blow)
        around = int(fight.figure(MISS, "radius_ft"))
        landed, _ = yield from land(fight, attacker, flask, square, blow.distance, False, around)
        yield from splash_around(fight, attacker, weapon, landed, MISS)
        return
    if blow.intent.item:
        # It struck an item of the target: all creatures nearby, including the target, are only splashed. A
        # weapon that breaks on impact deals its damage without the thrower's Strength.
        breaking = varied(blow, weapon=replace(weapon, thrown=False))
        yield from damage_item(fight, breaking, blow.intent.item, durability(fight, blow))
    else:
        direct = yield from roll_damage(fight, attacker, weapon)
        harm = Harm(target, direct.total, weapon.damage_type, weapon.name, attacker)
        yield from deal_area_damage(fight, weapon, direct, harm, fight.rule(HIT))
    near = fight.figure(HIT, "splash_radius_ft")
    spared = None if blow.intent.item else target
    others = [one for one in splashable(fight) if one is not spared and distance(one, target) <= near]
    yield from deal_splash_damage(fight, attacker, weapon, others, HIT)


def splash_around(
    fight: Fight, attacker: Combatant, weapon: Weapon, corner: Square, topic: str
) -> Steps[None]:
    """Splash all creatures within 5 feet of a grid corner (futurepath.attack.splash.target-square, .miss)."""
    squares = burst(corner, int(fight.figure(topic, "radius_ft")))
    struck = [one for one in splashable(fight) if squares.intersection(squares_of(one))]
    yield from deal_splash_damage(fight, attacker, weapon, struck, topic)


def deal_splash_damage(
    fight: Fight, attacker: Combatant, weapon: Weapon, struck: list[Combatant], topic: str
) -> Steps[None]:
    """Deal splash damage to all creatures in a list, rolled once (futurepath.assumed.splash-damage)."""
    if not struck:
        return
    told = next((one for one in details_of(SPATTER, weapon.traits) if one), "")
    assumed = "futurepath.assumed.splash-damage"
    cites = fight.rules(topic) if told else fight.rules(topic, assumed)
    dice = told or str(fight.figure(assumed, "damage"))
    found = yield from roll_damage(fight, attacker, weapon, dice)
    for one in struck:
        harm = Harm(one, found.total, weapon.damage_type, weapon.name, attacker, area=True)
        yield from deal_area_damage(fight, weapon, found, harm, *cites, why="splash")


def splashable(fight: Fight) -> list[Combatant]:
    """Return the combatants that can be splashed, in order of entry."""
    return [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
