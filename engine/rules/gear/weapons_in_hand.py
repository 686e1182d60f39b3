"""Weapons in hand: the one that a declaration means, and its reach."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, leaves_nothing
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.distance import distance_ft
from affray.engine.kernel.places import reaches, squares_of
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt
from affray.engine.rules.gear.hands import (
    OFF,
    SPIKES,
    UNLOADED,
    count_pieces_left,
    fights_unarmed,
    held_weapons,
    is_armed,
    loosen,
    melee_band,
    needs_loading,
    strikes_in_melee,
    weapon_named,
)
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.errors import counted
from affray.events.facts.base import Square
from affray.events.facts.combat import EffectEnded, GripChanged, ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

# --- Weapons that must be loaded before each shot: crossbows, slings and the like
#
# srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
# woa.items.manipulate-move.

#: A shot from a weapon that must be loaded before the next one.
EMPTIES: Final = "not melee and (weapon.load or 'slow-load' in weapon.traits)"
#: The kind of loading that takes the whole round.
SLOW: Final = "full-round"
#: Such a weapon holds several bolts, and is loaded when these are shot.
CASE: Final = "case"


def loads_slowly(weapon: Weapon) -> bool:
    """Return whether loading a weapon takes a full-round action, not a move action."""
    return weapon.load == SLOW or "slow-load" in weapon.traits


def leave_unloaded(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Leave a weapon unloaded after its shot.

    srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
    woa.items.manipulate-move.
    """
    cites = fight.rules("weapons.reload")
    yield ItemChanged(who=blow.attacker.id, item=blow.weapon.name, state=UNLOADED, cites=cites)


def refuse_more_shots(fight: Fight, attacker: Combatant, planned: Iterable[Blow | Attempt]) -> None:
    """Refuse several shots in one declaration with a weapon that must be loaded, or more shots than missiles.

    Loading comes between the shots, if there is time for it (srd35.weapons.reload,
    futurepath.attack.firearm.single-shot, woa.items.manipulate-move, woa.items.draw-ammunition).
    """
    shots: dict[str, int] = {}
    for one in planned:
        blow = one.blow if type(one) is Attempt else one
        weapon = blow.weapon
        if blow.melee:
            continue
        before = shots.get(weapon.name, 0)
        shots[weapon.name] = before + blow.intent.arrows
        if not before:
            continue
        if needs_loading(weapon) and weapon.load != CASE:
            raise Refusal(f"the {weapon.name} must be loaded between shots", fight.rule("weapons.reload"))
        if weapon.ammunition is not None:
            left = weapon.ammunition - attacker.resources.get(weapon.name, 0)
            if shots[weapon.name] > left:
                reason = f"{attacker.id} has {counted(left, 'missile')} left for the {weapon.name}"
                raise Refusal(reason, fight.rule("weapon.ammunition"))


def refuse_unloaded(fight: Fight, names: Iterable[str], sheet: Sheet, bearer: str) -> None:
    """Refuse an entry by which a weapon is unloaded that needs no loading."""
    wanting = [one.name for one in sheet.weapons if needs_loading(one)]
    for name in names:
        if name not in wanting:
            known = ", ".join(wanting) or "nothing"
            reason = f"{name!r} of {bearer} needs no loading; of its weapons {known} does"
            raise Refusal(reason, fight.rule("weapons.reload"))


# --- Thrown weapons: out of hand with the throw, lying where they land, drawn one after another
# A throw, from its declaration on: a full attack finds out which of its throws take a weapon that has to be
# drawn in between (`plan_throws`); the weapon is thrown and lands (`leave_hand`, after the blow); the next
# one is drawn before the next blow (`draw_next`). It is picked up like any item on the ground.
#
# No text says where a thrown weapon lands: it lies in the target's square that is nearest to the thrower. In
# old logs, which do not record that (`things_lie`), it is in hand again at once, as they were decided.

#: The condition that a blow may take its weapon out of the hand.
THROWS: Final = "not melee and weapon.thrown"
#: Weapons that are drawn freely for each throw, as arrows are.
MISSILE: Final = "drawn as ammunition"


def leaves_hand(weapon: Weapon) -> bool:
    """Return whether a weapon is out of hand once it is thrown: not spikes and the like, which grow again."""
    return weapon.wield not in ("natural", "unarmed")


def leave_hand(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Leave a thrown weapon where it has landed; of a pair the other one is in hand then.

    srd35.move-action.draw, pf1.move.draw, woa.items.draw-sheathe, futurepath.action.manipulate-objects.
    """
    if fight.state.things_lie and leaves_hand(blow.weapon):
        at = None if blow.outcome.kept else blow.outcome.landed or square_of_target(blow)
        yield from yield_thrown_out_of_hand(fight, blow, at, fight.rules("weapon.in-hand"))


def yield_thrown_out_of_hand(
    fight: Fight, blow: Blow, at: Square | None, cites: tuple[str, ...]
) -> Iterator[ItemChanged | GripChanged | EffectEnded]:
    """Yield the facts that a thrown weapon is out of hand, at a square or (None) gone, and which one is in
    hand.

    Of missiles the next one is in hand as long as there are any; of two that were held the other one is
    (srd35.twf.thrown, pf1.two-weapon.double, woa.two-weapon.thrown).
    """
    attacker, weapon = blow.attacker, blow.weapon
    if weapon.name not in attacker.held:
        return
    if MISSILE in weapon.traits and (weapon.ammunition is None or count_pieces_left(attacker, weapon.name)):
        return
    if MISSILE in weapon.traits:
        at = None
    state = "gone" if at is None else "dropped"
    yield ItemChanged(who=attacker.id, item=weapon.name, state=state, at=at, cites=cites)
    yield from loosen(fight, attacker, weapon.name)
    if blow.intent.of_pair and count_pieces_left(attacker, weapon.name):
        yield ItemChanged(who=attacker.id, item=weapon.name, state="held", cites=fight.rules("twf.thrown"))


def square_of_target(blow: Blow) -> Square:
    """Return the square of the target that is nearest to the attacker."""
    (x, y), side = blow.attacker.at, blow.attacker.space

    def far(at: Square) -> tuple[int, int]:
        return distance_ft((x, y), at, side, 1), abs(2 * (at[0] - x) + 1 - side) + abs(
            2 * (at[1] - y) + 1 - side
        )

    return min(squares_of(blow.target), key=far)


def draw_next(fight: Fight, blow: Blow) -> Iterator[ItemChanged]:
    """Yield the facts that the next weapon is drawn before its throw, freely (srd35.feat.quick-draw).

    pf1.feat.quick-draw, woa.feat.quick-draw.
    """
    if blow.intent.drawn:
        yield from draw_thrown(fight, blow.attacker, blow.weapon.name)


def draw_thrown(fight: Fight, attacker: Combatant, name: str) -> Iterator[ItemChanged]:
    """Yield the facts that a quick attacker draws another weapon of a name, if none is in hand and one is
    left.

    An attacker that was struck down between two throws draws nothing.
    """
    if any(leaves_nothing(fight, one) for one in attacker.conditions):
        return
    if name not in attacker.held and count_pieces_left(attacker, name):
        cites = fight.rules("feat.quick-draw")
        yield ItemChanged(who=attacker.id, item=name, state="held", cites=cites)


def draw_between(fight: Fight, attacker: Combatant, name: str) -> Iterator[ItemChanged]:
    """Yield the facts that another weapon to throw is drawn between two attacks, if that is free.

    woa.feat.quick-draw.
    """
    weapon = weapon_named(attacker, name)
    if weapon is None or not weapon.thrown:
        return
    if fight.dialect.gear.drawing(fight, attacker, name).kind == "free":
        yield from draw_thrown(fight, attacker, name)


def plan_throws(
    fight: Fight,
    attacker: Combatant,
    planned: Sequence[Blow | Attempt],
    second: str = "",
    off_hands: Sequence[bool] = (),
) -> list[ActionSpent]:
    """Mark the throws of a full attack that take a weapon drawn in between, and those of a pair.

    Returns the facts about them for an attack that goes on in a later part. Refuses more throws than there
    are weapons, and weapons drawn in between by an attacker that is not quick enough. `second` is the weapon
    of the off hand: if it has the name of the main hand's weapon it is one of a pair. `off_hands` says of
    each attack whether it is one of the off hand, if its weapon does not (srd35.feat.quick-draw,
    pf1.feat.quick-draw, woa.feat.quick-draw).
    """
    throws = list(yield_thrown_blows(planned))
    if not throws or not fight.state.things_lie:
        return []
    offs = dict(zip(map(id, planned), off_hands, strict=False))
    hand_of = {id(blow): (blow.weapon.name, offs.get(id(blow), blow.weapon.off_hand)) for blow in throws}
    hands = dict.fromkeys((name, off) for name, _ in hand_of.values() for off in (False, True))
    before = {hand: attacker.spent.get(throws_of(*hand), 0) for hand in hands}
    thrown = dict(before)
    for blow in throws:
        name, off = hand = hand_of[id(blow)]
        if MISSILE in blow.weapon.traits:
            continue
        paired = name == second
        at_hand = thrown[hand] == before[hand] and name in attacker.held
        drawn = thrown[hand] > 0 and not at_hand
        blow.intent = replace(blow.intent, drawn=drawn, of_pair=paired and not thrown[name, not off])
        thrown[hand] += 1
    refuse_throws(fight, attacker, throws)
    return [
        ActionSpent(
            who=attacker.id,
            kind=throws_of(*hand),
            what="throw",
            amount=times - before[hand],
            cites=fight.rules("full-attack.order"),
        )
        for hand, times in thrown.items()
        if times > before[hand]
    ]


def refuse_throws(fight: Fight, attacker: Combatant, throws: Sequence[Blow]) -> None:
    """Refuse more throws than there are weapons, and drawing in between without Quick Draw."""
    for blow in throws:
        name = blow.weapon.name
        if blow.intent.drawn and fight.dialect.gear.drawing(fight, attacker, name).kind != "free":
            reason = f"{attacker.id} cannot draw one {name} after another to throw"
            raise Refusal(reason, fight.rule("feat.quick-draw"))
    counted = Counter(blow.weapon.name for blow in throws if MISSILE not in blow.weapon.traits)
    for name, times in counted.items():
        if times > (left := count_pieces_left(attacker, name)):
            reason = f"{attacker.id} has {left} of the {name} left, not {times}"
            raise Refusal(reason, fight.rule("weapon.in-hand"))


def yield_thrown_blows(planned: Sequence[Blow | Attempt]) -> Iterator[Blow]:
    """Yield the blows of a full attack that throw a weapon out of the hand."""
    for one in planned:
        if isinstance(one, Blow) and not one.melee and one.weapon.thrown and leaves_hand(one.weapon):
            yield one


def throws_of(name: str, off_hand: bool) -> str:
    """Return the name under which a turn's spending records the throws of a weapon."""
    return f"throws of the {name}{' (off hand)' if off_hand else ''}"


def unarmed(fight: Fight, combatant: Combatant) -> Weapon:
    """Return the unarmed strike of a creature of that size (srd35.unarmed.damage)."""
    for weapon in combatant.sheet.weapons:
        if weapon.wield == "unarmed":
            return weapon
    dice = fight.dialect.gear.unarmed_dice(fight, combatant)
    return Weapon("unarmed strike", dice, "bludgeoning", "unarmed")


def bare_hand(fight: Fight, combatant: Combatant) -> str:
    """Return the damage dice of a bare hand of that size (pf1.unarmed.provokes)."""
    figures = fight.figure("unarmed.damage")
    return str(figures.get(combatant.sheet.size.capitalize(), figures["Medium"]))


def any_weapon(weapon: Weapon) -> bool:
    """Return True: any weapon is suitable."""
    return True


def find_weapon(
    fight: Fight, holder: Combatant, name: str, serves: Callable[[Weapon], bool] = any_weapon
) -> Weapon:
    """Return the weapon of a declaration; "" is the first one in hand. Refuses others.

    The suggestion in place of an unknown name `serves` the purpose.
    """
    arms, held = holder.sheet.weapons, holder.held
    if not name:
        for weapon in arms:
            if weapon.name in held:
                return weapon
        return next(iter(held_weapons(holder)), None) or unarmed(fight, holder)
    in_hand = name in held
    for weapon in arms:
        if weapon.name == name and (in_hand or weapon.wield == "natural" or weapon.table == SPIKES):
            return weapon
    for weapon in arms:
        if weapon.name == name and weapon.wield == "unarmed":
            return weapon  # part of the body, even if an item improves it: it needs no drawing
    if name == "unarmed strike":
        return unarmed(fight, holder)
    if any(weapon.name == name for weapon in arms):
        raise Refusal(f"{holder.id} does not hold the {name}", fight.rule("weapon.in-hand"))
    raise unknown_word(
        "weapon",
        name,
        (one.name for one in arms if is_ready(holder, one) and serves(one)),
        fight.rule("weapon.in-hand"),
        holder.id,
    )


def is_ready(holder: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon of a combatant's sheet is in hand, worn, or part of the body."""
    return weapon.name in holder.held or weapon.wield in ("natural", "unarmed") or weapon.table == SPIKES


def refuse_lost_weapon(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse a weapon that is no longer in hand; a part of the body always is."""
    find_weapon(fight, attacker, weapon.name)


def weapon_to_load(fight: Fight, holder: Combatant, name: str, rule: str) -> Weapon:
    """Return the weapon of that name for loading. Refuses by `rule` other items, and lost ones."""
    weapon = next((one for one in holder.sheet.weapons if one.name == name), None)
    if weapon is None:
        known = (
            one.name for one in holder.sheet.weapons if needs_loading(one) and one.name not in holder.unloaded
        )
        raise unknown_word("weapon", name, known, rule, holder.id)
    if holder.items.get(name) in OFF or name in holder.unloaded:
        raise Refusal(f"{holder.id} does not hold the {name}", fight.rule("weapon.in-hand"))
    return weapon


def as_wielded(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon unchanged, as its form for one blow of several."""
    return weapon


def out_of_reach(fight: Fight, holder: Combatant, weapon: Weapon, feet: int) -> str:
    """Return the topic of the rule by which a weapon does not reach that distance."""
    return "attack-action.melee"


def melee_weapons_at(fight: Fight, combatant: Combatant, target: Combatant) -> list[Weapon]:
    """Return all armed weapons with which `combatant` reaches `target` in melee, in their order in hand."""
    ready = held_weapons(combatant)
    if fights_unarmed(combatant):
        ready = [*ready, unarmed(fight, combatant)]
    return [
        weapon
        for weapon in ready
        if strikes_in_melee(weapon)
        and is_armed(combatant, weapon)
        and reaches(combatant, target, *melee_band(combatant, weapon))
    ]


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "combatant.effects")
def plain_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with its held weapons.

    Empty for the unarmed (srd35.aoo.threatened).
    """
    return bands_of(fight, combatant, held_weapons(combatant))


def bands_of(fight: Fight, combatant: Combatant, weapons: list[Weapon]) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with these weapons, and with its bare hands."""
    if fights_unarmed(combatant):
        weapons = [*weapons, unarmed(fight, combatant)]
    return tuple(
        dict.fromkeys(
            melee_band(combatant, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon) and is_armed(combatant, weapon) and "no-threat" not in weapon.traits
        )
    )


def is_lance(weapon: Weapon) -> bool:
    """Return whether a weapon is a lance."""
    return weapon.name.casefold().split()[-1:] == ["lance"] or "lance" in weapon.traits
