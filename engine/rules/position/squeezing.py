"""Squeezing: the squares of a creature in a space narrower than its own (srd35.squeeze.*, pf1.squeeze)."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import NO_STRETCH, Fight
from affray.engine.fight.memory import Same, per_fight, per_map, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square, bars_step
from affray.engine.grid.distance import corner_blocked, distance_ft, obstructed, space
from affray.engine.kernel.places import squares_of
from affray.engine.record.chapters import Bands
from affray.engine.rules.classes.sheets import CLEAR_OF_GROUND, nature_among
from affray.engine.rules.movement.movement import noticed, refuse_after_step, refuse_prone
from affray.engine.rules.movement.walking import MINIMUM
from affray.engine.rules.position.places import holders_among, holders_of
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

# --- Long reach: its targets, and opportunities against approaching combatants (srd35.size.*, pf1.size.large)


def out_of_reach(fight: Fight, combatant: Combatant, weapon: Weapon, feet: int) -> str:
    """Return the topic of the rule by which a weapon does not reach that distance.

    A creature without reach has to enter the opponent's square; a big creature's reach weapon only reaches
    beyond its natural reach (srd35.size.tiny-must-enter, srd35.size.large-reach-weapon, pf1.size.large).
    """
    if not combatant.reach:
        return "size.tiny-must-enter"
    if weapon.reach and combatant.space > 1:
        most = combatant.reach * fight.formula("size.large-reach-weapon", "max")
        if feet <= combatant.reach or feet > most:
            return "size.large-reach-weapon"
    return "attack-action.melee"


def rules_of_opening(
    fight: Fight, combatant: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> tuple[str, ...]:
    """Return the rules, beyond the common ones, by which a step provokes from an enemy or does not.

    Natural reach beyond 5 feet threatens combatants that approach within it, and the adjacent squares too
    (srd35.size.long-reach-aoo-on-approach, srd35.size.long-reach-five-foot-step,
    srd35.size.natural-reach-threatens-adjacent, srd35.special-move.minimum-provokes, pf1.size.large,
    pf1.minimum-move).
    """
    topics = []
    if how == MINIMUM:
        topics.append("special-move.minimum-provokes")
    if naturally_beyond(fight, enemy):
        before = distance_ft(enemy.at, here, enemy.space, combatant.space)
        if before <= SQUARE_FT:
            topics.append("size.natural-reach-threatens-adjacent")
        elif distance_ft(enemy.at, there, enemy.space, combatant.space) < before:
            step = how == "step"
            topics.append("size.long-reach-five-foot-step" if step else "size.long-reach-aoo-on-approach")
    return fight.rules(*topics)


def naturally_beyond(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant threatens with a natural reach beyond the usual 5 feet."""
    return any_naturally_beyond(fight, fight.dialect.position.reach_bands(fight, combatant))


@per_fight("bands")
def any_naturally_beyond(fight: Fight, bands: Bands) -> bool:
    """Return whether any of these distances is that of a natural reach beyond the usual 5 feet."""
    beyond = fight.figure("size.natural-reach-threatens-adjacent", "beyond_ft")
    return any(not least and most > beyond for least, most in bands)


# --- How much room a combatant takes, and how far it reaches


def refuse_taken(fight: Fight, sheet: Sheet, at: tuple[int, int], side: int) -> None:
    """Refuse to bring a combatant in at an occupied place."""
    taken = {square: one.id for one in fight.state.combatants.values() for square in squares_of(one)}
    for square in space(at, side):
        if square in taken:
            raise Refusal(
                f"{taken[square]} is at {square[0]},{square[1]} already",
                fight.rule("pass.ending-movement"),
            )


def rules_of_space(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rule that gives a newcomer its space and reach, unless its sheet has both."""
    own = sheet.space is not None and sheet.reach is not None
    return () if own else fight.rules("size.table-space-reach")


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature of that size."""
    table = fight.figure("size.table-space-reach")
    shape = sheet.size.capitalize()
    rows = {row["size"]: row for row in table}
    row = rows.get(shape) or rows[f"{shape} ({'tall' if sheet.tall else 'long'})"]
    feet = sheet.space if sheet.space is not None else row["space_ft"]
    return max(1, int(feet) // SQUARE_FT), int(sheet.reach if sheet.reach is not None else row["reach_ft"])


SQUEEZE = "squeeze"
SQUEEZING = "squeezing"
#: The mode of movement along a gap that is narrower than its squares on the map.
GAP = "squeeze through"


class Form(Struct, frozen=True):
    """The space that a creature takes up: squares of `side`, plus columns and rows.

    `past` names the opponent that it squeezes past, "" if the ground is narrow. `tight` means that it
    squeezes within its own squares, along a gap that is narrower than they are.
    """

    side: int
    stretch: Square = NO_STRETCH
    past: str = ""
    tight: bool = False

    @property
    def columns(self) -> int:
        """Return its width in squares."""
        return self.side + self.stretch[0]

    @property
    def rows(self) -> int:
        """Return its height on the map in squares."""
        return self.side + self.stretch[1]

    @property
    def squeezed(self) -> bool:
        """Return whether it is longer than wide, or narrower than its squares."""
        return self.tight or self.stretch != NO_STRETCH


@per_fight(Same("combatant.sheet"))
def full_side(fight: Fight, combatant: Combatant) -> int:
    """Return the width in squares of a combatant that does not squeeze."""
    return fight.dialect.position.space_and_reach(fight, combatant.sheet)[0]


def squeezes(combatant: Combatant, how: str) -> bool:
    """Return whether a combatant squeezes on its path if it must: as declared, or because it does already."""
    return how == SQUEEZE or combatant.stretch != NO_STRETCH


def through_gap(fight: Fight, act: acts.Move) -> acts.Move:
    """Return a move along a path with a width in feet (`wide`) as a move through a gap.

    Refuses a gap that is wide enough, or less than half as wide as the mover (srd35.squeeze.minimum-width,
    srd35.squeeze.escape-artist).
    """
    mover = fight.combatant(act.actor)
    refuse_width(fight, mover, act.wide)
    if act.wide < least_feet(fight, mover):
        raise Refusal(
            f"{mover.id} is more than twice as wide as a way of {act.wide} ft.",
            fight.rule("squeeze.escape-artist"),
        )
    return replace(act, how=GAP)


def refuse_width(fight: Fight, mover: Combatant, wide: int) -> None:
    """Refuse to squeeze into a gap that is as wide as the mover's own space."""
    feet = full_side(fight, mover) * SQUARE_FT
    if not 0 < wide < feet:
        reason = f"{mover.id} is {feet} ft. wide and does not squeeze through {wide} ft."
        raise Refusal(reason, fight.rule("squeeze.minimum-width"))


def least_feet(fight: Fight, mover: Combatant) -> int:
    """Return the least width, in feet, that a creature can squeeze into, fractions up."""
    fraction = fight.figure("squeeze.minimum-width", "min_width_fraction")
    return -int(-full_side(fight, mover) * SQUARE_FT * fraction // 1)


def forms(full: int, sideways: bool) -> Iterator[Form]:
    """Yield the forms that a creature of that side may take, widest first, and first along its path."""
    yield Form(full)
    along = ((1, 0), (0, 1)) if sideways else ((0, 1), (1, 0))
    for side in reversed(range(1, full)):
        for across, down in along:
            yield Form(side, ((full - side) * across, (full - side) * down))


def narrowest(fight: Fight, full: int) -> int:
    """Return the least width, in squares, that a creature can squeeze into (srd35.squeeze.minimum-width)."""
    fraction = fight.figure("squeeze.minimum-width", "min_width_fraction")
    return next((side for side in range(1, full) if side >= full * fraction), full)


def form_at(
    fight: Fight,
    combatant: Combatant,
    here: Square,
    there: Square,
    how: str,
    through: Combatant | None = None,
) -> Form:
    """Return the form that a combatant takes after a step. Refuses a step for which no form fits.

    It is the whole space if that is free, otherwise the widest that fits, if the combatant squeezes.
    """
    full = full_side(fight, combatant)
    whole = Form(full)
    if how == GAP or not squeezes(combatant, how):
        fight.dialect.movement.refuse_ground(fight, combatant, here, there, whole)
        return whole
    least = narrowest(fight, full)
    for form in forms(full, sideways=there[0] != here[0]):
        if (
            map_forbids(fight, combatant, here, there, form)
            or impassable_combatant(fight, combatant, there, form, through) is not None
        ):
            continue
        if form.side < least:
            raise Refusal(
                f"{combatant.id} is more than twice as wide as the way to {there[0]},{there[1]}",
                fight.rule("squeeze.escape-artist"),
            )
        else:
            return Form(
                form.side, form.stretch, opponent_beside_gap(fight, combatant, there, form, full - form.side)
            )
    fight.dialect.movement.refuse_ground(fight, combatant, here, there, whole)
    return whole


@per_scene(*("mover.id", "here", "there", "last", Same("through"), "how"))
def refuse_no_fit(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids for every form, or that known occupants forbid.

    srd35.squeeze.*, srd35.pass.*, pf1.squeeze, pf1.pass.*.
    """
    form = form_at(fight, mover, here, there, how, through)
    if holders_among(fight, mover, squares_at(there, form)):
        movement = fight.dialect.movement
        others = movement.in_way(fight, mover, here, there, last, how)
        movement.refuse_entry(fight, mover, there, noticed(fight, mover, others), last, through, how)


def in_way(
    fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str
) -> list[Combatant]:
    """Return the occupants of the squares that the mover's form takes up after a step."""
    form = taken_up(fight, mover, here, there, how)
    return holders_among(fight, mover, squares_at(there, form))


def opponent_beside_gap(fight: Fight, combatant: Combatant, there: Square, form: Form, least: int) -> str:
    """Return the opponent on either narrow side, up to `least` squares away, that a form squeezes past."""
    if not form.squeezed:
        return ""
    across, down = (least, 0) if form.stretch[1] else (0, least)
    around = (there[0] - across, there[1] - down)
    for other in holders_of(fight, combatant, around, form.columns + 2 * across, form.rows + 2 * down):
        if not fight.dialect.movement.may_pass(fight, combatant, other):
            return other.id
    return ""


def taken_up(fight: Fight, combatant: Combatant, here: Square, there: Square, how: str) -> Form:
    """Return the form that a combatant takes after a step found legal, ignoring who has got in the way
    since.
    """
    if how == GAP:
        return Form(full_side(fight, combatant), tight=True)
    if not squeezes(combatant, how):
        return Form(combatant.space)
    try:
        return form_at(fight, combatant, here, there, how)
    except Refusal:
        return Form(combatant.space, combatant.stretch)


def impassable_combatant(
    fight: Fight, combatant: Combatant, there: Square, form: Form, through: Combatant | None
) -> Combatant | None:
    """Return an occupant of those squares that a combatant cannot pass."""
    for other in holders_among(fight, combatant, squares_at(there, form)):
        if other is not through and not fight.dialect.movement.may_pass(fight, combatant, other):
            return other
    return None


def map_forbids(fight: Fight, combatant: Combatant, here: Square, there: Square, form: Form) -> bool:
    """Return whether the map forbids a step; a flier crosses pits (srd35.obstacle.flying-incorporeal)."""
    return ground_forbids(
        fight, here, there, form, "#T" if nature_among(combatant, CLEAR_OF_GROUND) else "# T"
    )


@per_map("here", "there", "form", "stops")
def ground_forbids(fight: Fight, here: Square, there: Square, form: Form, stops: str) -> bool:
    """Return whether the map forbids a step to a mover that these kinds of ground stop."""
    field = fight.field
    if stops == "# T" and not form.squeezed:
        return obstructed(field, here, there, form.side)
    squares = squares_at(there, form)
    if any(field.at(square) in stops or not field.holds(square) for square in squares):
        return True
    if field.divided(there, form.columns, form.rows) or bars_step(field, here, there, form.side):
        return True
    return corner_blocked(field, here, there, form.side)


@per_map("at", "form")
def kinds_at(fight: Fight, at: Square, form: Form) -> frozenset[str]:
    """Return the kinds of ground under a form with its upper left square at `at`."""
    return frozenset(fight.field.at(square) for square in squares_at(at, form))


def squares_at(at: Square, form: Form) -> tuple[Square, ...]:
    """Return the squares of a form with its upper left one at `at`."""
    if not form.squeezed:
        return space(at, form.side)
    x, y = at
    return tuple((x + dx, y + dy) for dy in range(form.rows) for dx in range(form.columns))


def refuse_wall_or_corner(
    fight: Fight, combatant: Combatant, here: Square, there: Square, form: Form
) -> None:
    """Refuse a step against a wall, a pillar or a pit, or past a wall's corner."""
    if not map_forbids(fight, combatant, here, there, form):
        return
    field, slanting = fight.field, here[0] != there[0] and here[1] != there[1]
    past = slanting and obstructed(field, here, there, form.side) and field.passable(there, form.side)
    raise Refusal(
        f"the way from {here[0]},{here[1]} to {there[0]},{there[1]} is blocked",
        fight.rule("distance.no-diagonal-past-corner" if past else "obstacle.blocking"),
    )


def is_reshaped(combatant: Combatant, form: Form) -> bool:
    """Return whether a form differs from the combatant's current one."""
    return (form.side, form.stretch) != (combatant.space, combatant.stretch)


def settle_in(fight: Fight, combatant: Combatant, form: Form) -> Steps[None]:
    """Begin or end the effects of squeezing: -4 on attacks and to AC.

    pf1.squeeze, srd35.squeeze.penalties, srd35.squeeze.large-placement, srd35.squeeze.bigger-placement.
    """
    if form.squeezed and SQUEEZING not in combatant.conditions:
        large = combatant.sheet.size == "large"
        placed = "squeeze.large-placement" if large else "squeeze.bigger-placement"
        topics = () if form.tight else (placed,)
        yield ConditionGained(
            who=combatant.id,
            condition=SQUEEZING,
            source=f"past {form.past}" if form.past else "a narrow space",
            cites=fight.rules("squeeze.penalties", "squeeze.minimum-width", *topics),
        )
    elif not form.squeezed and SQUEEZING in combatant.conditions:
        yield ConditionLost(
            who=combatant.id,
            condition=SQUEEZING,
            why="has room again",
            cites=fight.rules("squeeze.penalties"),
        )


def changes_form(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a step changes a mover's form, or begins or ends squeezing within its squares."""
    in_gap = SQUEEZING in mover.conditions and mover.stretch == NO_STRETCH
    if in_gap is not (how == GAP):
        return True
    return squeezes(mover, how) and is_reshaped(mover, taken_up(fight, mover, here, there, how))


def shape(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> JsonObject:
    """Return a mover's form at the end of a path, if it has changed."""
    if not squeezes(mover, how):
        return {}
    form = taken_up(fight, mover, whole[-2], whole[-1], how)
    return {"space": form.side, "stretch": form.stretch} if is_reshaped(mover, form) else {}


# --- Spaces that only Escape Artist gets a creature into (srd35.squeeze.escape-artist, pf1.squeeze)

#: The state of a combatant that wriggles into such a space.
WRIGGLING: Final = "wriggling"
#: Acts that are impossible while wriggling: every kind of attack.
ATTACKS: Final = (
    acts.Attack,
    acts.FullAttack,
    acts.Manyshot,
    acts.Skirmish,
    acts.Trample,
    acts.Charge,
    acts.CoupDeGrace,
    acts.Trip,
    acts.Disarm,
    acts.Sunder,
    acts.BullRush,
    acts.Overrun,
    acts.Grapple,
)


def tight_form(fight: Fight, combatant: Combatant, there: Square, wide: int) -> Form:
    """Return the form that a combatant takes in a tight space, with its width in feet if that is given.

    Refuses a space that is wider, or none.
    """
    full = full_side(fight, combatant)
    if wide:
        refuse_width(fight, combatant, wide)
        if wide >= least_feet(fight, combatant):
            rule = fight.rule("squeeze.minimum-width")
            raise Refusal(f"{combatant.id} needs no Escape Artist there", rule)
        form = Form(full, tight=True)
        if not map_forbids(fight, combatant, combatant.at, there, form) and not holders_of(
            fight, combatant, there, full, full
        ):
            return form
    least, own = narrowest(fight, full), set(squares_of(combatant))
    for form in forms(full, sideways=True):
        if own.issuperset(squares_at(there, form)):
            continue  # placed crosswise it gets nowhere
        if not map_forbids(fight, combatant, combatant.at, there, form) and not holders_of(
            fight, combatant, there, form.columns, form.rows
        ):
            if form.side >= least:
                topic = "squeeze.minimum-width" if form.squeezed else "move-action.move"
                raise Refusal(f"{combatant.id} needs no Escape Artist there", fight.rule(topic))
            return form
    raise Refusal(f"no part of {combatant.id} fits at {there[0]},{there[1]}", fight.rule("obstacle.blocking"))


# --- Getting into a space that is too tight to squeeze into, one step, as a full-round action
#
# pf1.squeeze, srd35.squeeze.escape-artist.


def form_to_wriggle(fight: Fight, mover: Combatant, act: acts.Move, rule: str) -> tuple[Square, Form]:
    """Return the square that a mover tries to get into, and its form there.

    Refuses a mover that has no full round left, is prone or has taken a 5-foot step, and any path but one
    step.
    """
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if len(act.path) != 1:
        raise Refusal("one wriggles one square at a time", rule)
    there = act.path[0]
    if max(abs(there[0] - mover.at[0]), abs(there[1] - mover.at[1])) != 1:
        raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
    return there, tight_form(fight, mover, there, act.wide)


def spent_on_wriggling(mover: Combatant, rule: str) -> ActionSpent:
    """Return the fact that a full round is spent on the attempt."""
    return ActionSpent(who=mover.id, kind="full-round", what="wriggle into a tight space", cites=(rule,))


def get_through(fight: Fight, mover: Combatant, there: Square, form: Form, rule: str) -> Steps[None]:
    """Put a mover into the tight space, in the form that fits there."""
    yield Moved(
        who=mover.id,
        start=mover.at,
        path=(there,),
        feet=SQUARE_FT,
        diagonals=0,
        how="wriggle",
        space=form.side,
        stretch=form.stretch,
        cites=(rule,),
    )
    yield from settle_in(fight, mover, form)
