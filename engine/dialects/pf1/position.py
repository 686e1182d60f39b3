"""Position: the squares of combatants, space and reach, size, shared and narrow places."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import space
from affray.engine.kernel.places import squares_of
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.movement.movement import known_occupants
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import occupants
from affray.engine.rules.position.squeezing import (
    WRIGGLING,
    Form,
    form_to_wriggle,
    full_side,
    get_through,
    narrowest,
    settle_in,
    spent_on_wriggling,
    taken_up,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.sheet import SIZES, Sheet, Weapon
from affray.projections.state import Combatant

# --- Passing through others' squares: which combatants allow it, and by which rule (pf1.pass.*)

#: The trait of a creature that remains an obstacle even when it is helpless.
BULKY: Final = "bulky"
SWARM: Final = "swarm"


def rule_of_passing(fight: Fight, mover: Combatant, other: Combatant, how: str) -> str:
    """Return the topic of the rule that lets a mover through another's square, "" if none does.

    Friends, the helpless, and those of very different size; a charge only passes the helpless
    (pf1.pass.friend, pf1.pass.opponent, pf1.pass.size, pf1.charge.no-blocking).
    """
    if is_helpless(fight, other):
        return "pf1.charge.no-blocking" if how == "charge" else "pf1.pass.opponent"
    if other.side == mover.side:
        return "pf1.pass.friend"
    if passes_as_swarm(mover, other):
        return "pf1.creature.swarm"
    return "pf1.pass.size" if fight.dialect.movement.may_pass(fight, mover, other) else ""


def lets_pass(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether a mover may pass through a combatant's square: a friend, a helpless one, a swarm."""
    return other.side == mover.side or is_helpless(fight, other) or passes_as_swarm(mover, other)


def passes_as_swarm(mover: Combatant, other: Combatant) -> bool:
    """Return whether one of the two is a swarm, which passes others and is passed (pf1.creature.swarm)."""
    return has_trait(mover, SWARM) or has_trait(other, SWARM)


# --- Reach in pf1: the rule by which a target is out of reach (pf1.reach.*)


def rule_of_reach(fight: Fight, attacker: Combatant, weapon: Weapon, feet: int, topic: str) -> str:
    """Return the topic of the rule by which a weapon does not reach that distance.

    A reach weapon in the hands of Small and Medium creatures has a separate area; natural reach is 5 feet up
    to Medium size and 10 or more above it, unless the sheet says otherwise (pf1.reach.reach-weapon-users,
    pf1.reach.medium-or-smaller, pf1.reach.larger-creatures).
    """
    size = SIZES.index(attacker.sheet.size)
    medium = SIZES.index("medium")
    if weapon.reach and size in (medium - 1, medium):
        return "pf1.reach.reach-weapon-users"
    if weapon.reach or weapon.wield == "projectile":
        return topic
    if size <= medium:
        own = attacker.reach == fight.figure("pf1.reach.medium-or-smaller", "reach_ft")
        return "pf1.reach.medium-or-smaller" if own else topic
    own = attacker.reach >= fight.figure("pf1.reach.larger-creatures", "min_reach_ft")
    return "pf1.reach.larger-creatures" if own else topic


# --- Tight spaces: squeezing, and Escape Artist into spaces less than half as wide (pf1.squeeze)

TIGHT_SPACES_TOPIC: Final = "pf1.squeeze"


def wriggle(fight: Fight, act: acts.Move) -> Steps[None]:
    """Get into a tight space, one step, as a full-round action and by Escape Artist.

    It is DC 30 unless the game master says otherwise (`dc`). A combatant that is in it, or has tried this
    turn, takes -4 to AC, has no Dexterity bonus to it and makes no attacks.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TIGHT_SPACES_TOPIC)
    there, form = form_to_wriggle(fight, mover, act, rule)
    dc = act.dc or int(fight.figure(TIGHT_SPACES_TOPIC, "dc"))
    yield spent_on_wriggling(mover, rule)
    parts = skill_parts(fight, mover, "escape artist", "dex", rule)
    through = yield from check(fight, mover, "escape artist", parts, dc, rule)
    until = Until() if through else Until("turn-start", mover.id, fight.state.round + 1)
    # A combatant already in it stays so, also if it gets no further.
    if WRIGGLING not in mover.conditions:
        yield ConditionGained(
            who=mover.id, condition=WRIGGLING, source="a tight space", until=until, cites=(rule,)
        )
    if through:
        yield from get_through(fight, mover, there, form, rule)


def settle_after_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Begin or end squeezing with a step, and end being in the tight space."""
    form = taken_up(fight, mover, here, there, how)
    if WRIGGLING in mover.conditions and form.side >= narrowest(fight, full_side(fight, mover)):
        yield ConditionLost(
            who=mover.id,
            condition=WRIGGLING,
            why="out of the tight space",
            cites=fight.rules(TIGHT_SPACES_TOPIC),
        )
    yield from settle_in(fight, mover, form)


def refuse_attack(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse attacks in a tight space."""
    raise Refusal(f"{actor.id} is in a tight space and cannot attack", fight.rule(TIGHT_SPACES_TOPIC))


# --- Creatures of Tiny size and less: they share squares, and enter others' squares to attack
# pf1.size.tiny, pf1.pass.size.

VERY_SMALL_TOPIC: Final = "pf1.size.tiny"


def shares_squares(fight: Fight, sheet: Sheet, *given: object) -> bool:
    """Return whether a creature is of a size that shares squares (pf1.size.tiny)."""
    return sheet.size.capitalize() in fight.figure(VERY_SMALL_TOPIC)


def is_very_small(fight: Fight, mover: Combatant, *given: object) -> bool:
    """Return whether a mover is of a size that enters others' squares (pf1.pass.size)."""
    return shares_squares(fight, mover.sheet)


def refuse_full(fight: Fight, sheet: Sheet, others: Iterable[Combatant], at: Square) -> None:
    """Refuse a square that is too full of very small creatures for one more."""
    capacity = fight.figure(VERY_SMALL_TOPIC)
    sizes = [one.size.capitalize() for one in (sheet, *(other.sheet for other in others))]
    if sum(Fraction(1, capacity[size]) for size in sizes if size in capacity) > 1:
        raise Refusal(
            f"there is no room left at {at[0]},{at[1]} for so small a creature", fight.rule(VERY_SMALL_TOPIC)
        )


def refuse_no_room(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a very small creature squares that the map forbids, and to end in a full square.

    It passes through any occupied one.
    """
    fight.dialect.movement.refuse_ground(fight, mover, here, there, Form(mover.space))
    if last:
        refuse_full(fight, mover.sheet, known_occupants(fight, mover, there), there)


def refuse_held_full(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a very small creature only to end in a full square, whether it knows the occupants or not."""
    if last:
        refuse_full(fight, mover.sheet, occupants(fight, mover, at), at)


def refuse_to_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> None:
    """Refuse to bring a very small creature into a full place."""
    taken = set(space(at, side))
    others = [one for one in fight.state.combatants.values() if taken.intersection(squares_of(one))]
    refuse_full(fight, sheet, others, at)


def has_room(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a very small creature finds room in a square with its other occupants."""
    try:
        refuse_full(fight, mover.sheet, occupants(fight, mover, at), at)
    except Refusal:
        return False
    return True


def enters_held_square(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a very small mover enters an occupied square."""
    return is_very_small(fight, mover) and bool(occupants(fight, mover, there))


def provoke_by_entering(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Let enemies attack a very small creature that enters an occupied square.

    It is part of its movement, which gives each of them one opportunity. A 5-foot step gives none or, if
    `step_into_opponent` says so, one to those whose square it enters (pf1.pass.size, pf1.size.tiny,
    pf1.aoo.movement-counts-once, pf1.five-foot-step).
    """
    if not enters_held_square(fight, mover, here, there, how):
        return
    enemies = [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
    if how == "step":
        entered = occupants(fight, mover, there)
        provoking = fight.option("step_into_opponent") == "provokes"
        enemies = [enemy for enemy in enemies if provoking and enemy in entered]
    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        enemies,
        "enters an occupied square",
        fight.dialect.opportunity.opportunity_name(fight, mover),
        *fight.rules("pf1.pass.size", VERY_SMALL_TOPIC),
    )
