"""Weapons that are thrown: out of hand with the throw, lying where they come down, drawn one after another.

A throw, from its declaration on: a full attack finds out which of its throws take a weapon that has to be
drawn in between (`plan_throws`); the weapon is thrown and comes down (`leave_hand`, after the blow); the
next one is drawn before the next blow (`draw_next`). It is picked up as anything else that lies there.

No text says where a thrown weapon comes down: it lies in the target's square that is nearest to the thrower.
In fights from before that was told (`things_lie`) it is in hand again at once, as they were decided.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, leaves_nothing
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.let_go import loosen, pieces_left, weapon_named
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts.base import Square
from affray.events.facts.combat import EffectEnded, GripChanged, ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: When a blow is one that may take its weapon out of the hand.
THROWS: Final = "not melee and weapon.thrown"
#: What is drawn freely for each throw, as arrows are.
MISSILE: Final = "drawn as ammunition"


def leaves_hand(weapon: Weapon) -> bool:
    """Say whether a weapon is out of hand once it is thrown: not spikes and the like, which grow on one."""
    return weapon.wield not in ("natural", "unarmed")


def leave_hand(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Let a weapon that was thrown lie where it has come down; of a pair the other one is in hand then.

    srd35.move-action.draw, pf1.move.draw, woa.items.draw-sheathe, futurepath.action.manipulate-objects.
    """
    if fight.state.things_lie and leaves_hand(blow.weapon):
        at = None if blow.outcome.kept else blow.outcome.landed or square_of_target(blow)
        yield from out_of_hand(fight, blow, at, fight.rules("weapon.in-hand"))


def out_of_hand(
    fight: Fight, blow: Blow, at: Square | None, cites: tuple[str, ...]
) -> Iterator[ItemChanged | GripChanged | EffectEnded]:
    """Yield that the weapon of a throw is out of hand, at a square or (None) gone, and which one is in it.

    Of missiles the next one is at hand as long as there are any; of two that were held the other one is
    (srd35.twf.thrown, pf1.two-weapon.double, woa.two-weapon.thrown).
    """
    attacker, weapon = blow.attacker, blow.weapon
    if weapon.name not in attacker.held:
        return
    if MISSILE in weapon.traits and (weapon.ammunition is None or pieces_left(attacker, weapon.name)):
        return
    if MISSILE in weapon.traits:
        at = None
    state = "gone" if at is None else "dropped"
    yield ItemChanged(who=attacker.id, item=weapon.name, state=state, at=at, cites=cites)
    yield from loosen(fight, attacker, weapon.name)
    if blow.intent.of_pair and pieces_left(attacker, weapon.name):
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
    """Yield that the next weapon is drawn before its throw, freely (srd35.feat.quick-draw).

    pf1.feat.quick-draw, woa.feat.quick-draw.
    """
    if blow.intent.drawn:
        yield from draw_thrown(fight, blow.attacker, blow.weapon.name)


def draw_thrown(fight: Fight, attacker: Combatant, name: str) -> Iterator[ItemChanged]:
    """Yield that a quick attacker draws another weapon of a name, if none is in hand and there is one.

    Who can do nothing any more, struck down between two throws, draws nothing.
    """
    if any(leaves_nothing(fight, one) for one in attacker.conditions):
        return
    if name not in attacker.held and pieces_left(attacker, name):
        cites = fight.rules("feat.quick-draw")
        yield ItemChanged(who=attacker.id, item=name, state="held", cites=cites)


def draw_between(fight: Fight, attacker: Combatant, name: str) -> Iterator[ItemChanged]:
    """Yield that another weapon to throw is drawn between two attacks, if it is free.

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

    Returns what is told of them where the attack goes on in a later part. Refuses more throws than there
    are weapons, and weapons drawn in between by an attacker who is not quick enough. `second` is the weapon
    of the off hand: of the same name as that of the main hand it is one of a pair. `off_hands` says of each
    attack whether it is one of the off hand, where its weapon does not
    (srd35.feat.quick-draw, pf1.feat.quick-draw, woa.feat.quick-draw).
    """
    throws = list(throws_among(planned))
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
        if times > (left := pieces_left(attacker, name)):
            reason = f"{attacker.id} has {left} of the {name} left, not {times}"
            raise Refusal(reason, fight.rule("weapon.in-hand"))


def throws_among(planned: Sequence[Blow | Attempt]) -> Iterator[Blow]:
    """Yield the blows of a full attack that throw a weapon out of the hand."""
    for one in planned:
        if isinstance(one, Blow) and not one.melee and one.weapon.thrown and leaves_hand(one.weapon):
            yield one


def throws_of(name: str, off_hand: bool) -> str:
    """Return under which name the throws of a weapon stand among what is spent of a turn."""
    return f"throws of the {name}{' (off hand)' if off_hand else ''}"
