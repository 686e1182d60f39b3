"""Outcomes of attacks, checks and movement."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from affray.events.facts.base import (
    Count,
    Fact,
    Name,
    Place,
    Places,
    Reach,
    Side,
    Sum,
    Texts,
    Times,
    Told,
    Wield,
    Words,
)
from affray.events.facts.sheet import Modifier, Modifiers, Rider, Sheet
from affray.events.facts.sheet import Until as Until


class Moved(Fact, frozen=True, gc=False, kw_only=True, tag="moved"):
    """A combatant moved along `path` (squares entered, in order); `feet` is the cost.

    A `space` above 0 is its new space: a square with that many squares a side, longer by the columns and rows
    of `stretch` if it squeezes.
    """

    who: Name
    start: Place
    path: Places
    feet: Sum
    diagonals: Sum
    how: Words
    space: Side = 0
    stretch: Place = (0, 0)


class Mounted(Fact, frozen=True, gc=False, kw_only=True, tag="mounted"):
    """A combatant rides `mount` and shares its square, `at`, and its space of `space` squares a side."""

    who: Name
    mount: Name
    at: Place
    space: Side


class Dismounted(Fact, frozen=True, gc=False, kw_only=True, tag="dismounted"):
    """A combatant is off its mount and is at `at`, with `space` squares a side; `how` it came down."""

    who: Name
    mount: Name
    at: Place
    space: Side
    how: Words


class MountDirected(Fact, frozen=True, gc=False, kw_only=True, tag="mount.directed"):
    """A mount acts in the turn of its rider, `who`: its actions reset, and its reactions if `renewed`."""

    who: Name
    mount: Name
    renewed: bool = True


class Provoked(Fact, frozen=True, gc=False, kw_only=True, tag="opportunity.provoked"):
    """A combatant provoked an attack of opportunity from `by`; `denied` is the reason if none may follow."""

    who: Name
    by: Name
    reason: Told
    denied: Told = ""


class AttackResolved(Fact, frozen=True, gc=False, kw_only=True, tag="attack.resolved"):
    """An attack roll was compared with the defense.

    `mode` is melee or ranged; `against` is the defense ("armor class", "touch", ...); `result` is miss, hit,
    threat or critical; `key` is the key of the roll ("" if none was needed). `attack` and `defense` hold
    every modifier; those that did not count have a reason.
    """

    attacker: Name
    target: Name
    weapon: Words
    mode: Words
    against: Words
    key: Words
    natural: Sum
    total: Sum
    needed: Sum
    result: Words
    why: Told
    attack: Modifiers
    defense: Modifiers


class ConfirmationResolved(Fact, frozen=True, gc=False, kw_only=True, tag="confirmation.resolved"):
    """A critical threat was confirmed or not."""

    attacker: Name
    target: Name
    key: Words
    natural: Sum
    total: Sum
    needed: Sum
    confirmed: bool
    attack: Modifiers
    defense: Modifiers


class MissChanceResolved(Fact, frozen=True, gc=False, kw_only=True, tag="miss-chance.resolved"):
    """The miss chance of concealment was rolled: `percent` or less is a miss."""

    attacker: Name
    target: Name
    percent: Sum
    key: Words
    rolled: Sum
    missed: bool
    why: Told


class DamagePart(Struct, frozen=True, gc=False):
    """Dice of a damage roll, multiplied by `times` (1 for extra dice)."""

    notation: Words
    key: Words
    total: Sum
    kind: Words
    source: Words
    times: Times = 1


DamageParts = Annotated[tuple[DamagePart, ...], Meta(max_length=1000)]


class DamageResolved(Fact, frozen=True, gc=False, kw_only=True, tag="damage.resolved"):
    """The damage of a hit, before and after reductions; a sum below `least`, usually 1, is raised to it."""

    attacker: Name
    target: Name
    weapon: Words
    dice: DamageParts
    modifiers: Modifiers
    multiplier: Times
    total: Sum
    nonlethal: bool
    reduced: Sum = 0
    why: Told = ""
    least: Sum | UnsetType = UNSET


class HitPointsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="hit-points.changed"):
    """Hit points are now `hp`, nonlethal damage `nonlethal`, temporary hit points `temporary`."""

    who: Name
    hp: Sum
    nonlethal: Sum
    temporary: Sum
    change: Sum
    why: Told


class ConditionGained(Fact, frozen=True, gc=False, kw_only=True, tag="condition.gained"):
    """A combatant has a condition, until `until`.

    With `aloft` its level is the combatant's height in feet.
    """

    who: Name
    condition: Words
    source: Words
    until: Until = Until()
    level: Sum = 0
    aloft: bool = False


class ConditionLost(Fact, frozen=True, gc=False, kw_only=True, tag="condition.lost"):
    """A condition ended."""

    who: Name
    condition: Words
    why: Told


class EffectGained(Fact, frozen=True, gc=False, kw_only=True, tag="effect.gained"):
    """A combatant has a temporary modifier.

    `stat` is the value that it modifies ("attack", "defense", "save.ref", "initiative", "damage", "speed").
    `against` limits it to one opponent, `uses` to that many rolls (0: no limit).
    """

    who: Name
    id: Words
    stat: Words
    modifier: Modifier
    until: Until
    against: Words = ""
    uses: Sum = 0


class EffectEnded(Fact, frozen=True, gc=False, kw_only=True, tag="effect.ended"):
    """A temporary modifier ended."""

    who: Name
    id: Words
    why: Told


class CheckResolved(Fact, frozen=True, gc=False, kw_only=True, tag="check.resolved"):
    """A check or saving throw was compared with its DC; `check` is its kind ("save.ref", "stabilize").

    It succeeds with a total of at least the DC, with `under` of at most the DC. In a contest, `against` is
    the other side: the total of the first check, whose DC is 0, is what the second one is compared with.
    """

    who: Name
    check: Words
    key: Words
    natural: Sum
    total: Sum
    dc: Sum
    success: bool
    parts: Modifiers
    why: Told = ""
    under: bool | UnsetType = UNSET
    against: Words | UnsetType = UNSET


class ContestResolved(Fact, frozen=True, gc=False, kw_only=True, tag="contest.resolved"):
    """Two opposed checks were compared."""

    who: Name
    against: Words
    contest: Words
    total: Sum
    opposed: Sum
    won: bool
    parts: Modifiers
    opposed_parts: Modifiers


class TurningResolved(Fact, frozen=True, gc=False, kw_only=True, tag="turning.resolved"):
    """A turning check was made: `most` is the most Hit Dice of one creature that it affects.

    `what` is turn, rebuke, bolster or dispel. `damage` is the total of Hit Dice affected, from the roll
    `damage_key` ("" if no creature in range could be affected, or no such roll is needed).
    """

    who: Name
    what: Told
    kind: Words
    key: Words
    natural: Sum
    total: Sum
    most: Sum
    parts: Modifiers
    damage_key: Words = ""
    damage: Sum = 0
    damage_parts: Modifiers = ()


class SideChanged(Fact, frozen=True, gc=False, kw_only=True, tag="side.changed"):
    """A combatant fights for another side from now on, or for its original side again."""

    who: Name
    side: Name
    why: Told


class ItemChanged(Fact, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="item.changed"):
    """An item is now held, stowed, dropped, loaded, unloaded, broken or gone.

    `unloaded` on a weapon that leaves the hand means that it must be loaded when it is taken up again. `at`
    is the square where a dropped or thrown item lies, or lay until it was taken up; None if not recorded.
    `of` is the previous holder, if another combatant takes it: a weapon missing from the new holder's sheet
    then has the figures of the previous holder's sheet, unless it is `unwieldy`.
    """

    who: Name
    item: Words
    state: Words
    unloaded: bool = False
    at: Place | None = None
    of: Name = ""
    unwieldy: bool = False


class DoorMoved(Fact, frozen=True, gc=False, kw_only=True, tag="door.moved"):
    """A door between squares was opened (`open`) or closed by `who`."""

    who: Name
    door: Name
    open: bool


class AreaPlaced(Fact, frozen=True, gc=False, kw_only=True, tag="area.placed"):
    """An area of the map has an effect of its own from now on; one with the same `id` is there no more.

    `what` it is, of whom ("" for nobody), on these squares, or within `feet` of the combatant `around`, with
    which it moves. `traits` are what it is like ("difficult", "heavily obscured"), `level` is its power.
    """

    id: Words
    what: Name
    who: Name
    squares: Places = ()
    around: Name = ""
    feet: Sum = 0
    traits: Texts = ()
    level: Sum = 0


class AreaEnded(Fact, frozen=True, gc=False, kw_only=True, tag="area.ended"):
    """An area has no effect any more."""

    id: Words
    who: Name
    what: Name
    why: Told


class GripChanged(Fact, frozen=True, gc=False, kw_only=True, tag="grip.changed"):
    """`who` holds a weapon in `hands` hands from now on, wielded as `wield` ("one-handed", "light", ...)."""

    who: Name
    item: Words
    hands: Sum
    wield: Wield


class ItemStruck(Fact, frozen=True, gc=False, kw_only=True, tag="item.struck"):
    """An object that `bearer` holds, carries or wears was hit for `total` points.

    `dealt` is the damage beyond its hardness, `left` its remaining hit points.
    """

    attacker: Name
    bearer: Name
    item: Words
    weapon: Words
    dice: DamageParts
    modifiers: Modifiers
    total: Sum
    hardness: Sum
    dealt: Sum
    left: Sum


class ResourceSpent(Fact, frozen=True, gc=False, kw_only=True, tag="resource.spent"):
    """Part of a limited supply was used: ammunition, a spell, a daily use."""

    who: Name
    resource: Words
    amount: Sum


class CounterChanged(Fact, frozen=True, gc=False, kw_only=True, tag="counter.changed"):
    """A counter of a combatant is now `value`; a counter at 0 is gone."""

    who: Name
    counter: Words
    value: Sum
    why: Told = ""


class InjurySuffered(Fact, frozen=True, gc=False, kw_only=True, tag="injury.suffered"):
    """A lasting injury from a table's entry; `parts` are the modifiers of the roll."""

    who: Name
    entry: Sum
    name: Words
    key: Words
    assumed: bool = False
    parts: Modifiers = ()


class AbilityChanged(Fact, frozen=True, gc=False, kw_only=True, tag="ability.changed"):
    """An ability ("str", "dex", ...) now has `damage` and `drain`, which reduce it to `score`."""

    who: Name
    ability: Words
    damage: Sum
    drain: Sum
    score: Sum
    why: Told


class FeatsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="feats.changed"):
    """A combatant cannot use the feats in `unusable` now, and can use all other feats of its sheet."""

    who: Name
    unusable: Texts
    why: Told


class MaximumChanged(Fact, frozen=True, gc=False, kw_only=True, tag="maximum.changed"):
    """The maximum of hit points is now `max_hp`."""

    who: Name
    max_hp: Sum
    why: Told


class FormChanged(Fact, frozen=True, gc=False, kw_only=True, tag="form.changed"):
    """A combatant has another form with the sheet of it, or its true form again unless `shifted`.

    What it held before melds into the new form.
    """

    who: Name
    sheet: Sheet
    space: Side
    reach: Reach
    held: Texts
    shifted: bool
    why: Told


class AfflictionHeld(Fact, frozen=True, gc=False, kw_only=True, tag="affliction.held"):
    """A combatant has an affliction: poison, a negative level. The same `id` again renews it.

    Its next saving throw, against `dc`, is due at the start of its turn in round `round` or when `minute`
    minutes have passed outside of combat, whichever is first (-1: never); `treated` is the Heal check for it.
    """

    who: Name
    id: Words
    rider: Rider
    by: Words
    dc: Sum
    round: Count = -1
    minute: Count = -1
    treated: Count = -1


class AfflictionEnded(Fact, frozen=True, gc=False, kw_only=True, tag="affliction.ended"):
    """An affliction ended."""

    who: Name
    id: Words
    why: Told
