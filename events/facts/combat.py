"""Outcomes of blows, checks and movement."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import (
    Count,
    Fact,
    Name,
    Place,
    Places,
    Side,
    Sum,
    Texts,
    Times,
    Told,
    Wield,
    Words,
)
from affray.events.facts.sheet import Modifier, Modifiers, Rider
from affray.events.facts.sheet import Until as Until


class Moved(Fact, frozen=True, gc=False, kw_only=True, tag="moved"):
    """A combatant went along `path` (squares entered, in order); `feet` is what it cost.

    `space` above 0 is what it takes up from now on: a square of that many squares, longer by the columns
    and rows of `stretch` where it squeezes.
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
    """A combatant sits on `mount` and shares its place, `at`, and its space of `space` squares a side."""

    who: Name
    mount: Name
    at: Place
    space: Side


class Dismounted(Fact, frozen=True, gc=False, kw_only=True, tag="dismounted"):
    """A combatant is off its mount and stands at `at`, `space` squares a side; `how` it came down."""

    who: Name
    mount: Name
    at: Place
    space: Side
    how: Words


class MountDirected(Fact, frozen=True, gc=False, kw_only=True, tag="mount.directed"):
    """A mount acts in the turn of its rider, `who`: its actions count anew, with `renewed` its reactions."""

    who: Name
    mount: Name
    renewed: bool = True


class Provoked(Fact, frozen=True, gc=False, kw_only=True, tag="opportunity.provoked"):
    """A combatant lowered its guard before `by`; `denied` says why no attack may follow, if so."""

    who: Name
    by: Name
    reason: Told
    denied: Told = ""


class AttackResolved(Fact, frozen=True, gc=False, kw_only=True, tag="attack.resolved"):
    """An attack roll was compared with the defense.

    `mode` melee or ranged; `against` what was to be reached ("armor class", "touch", ...);
    `result` miss, hit, threat or critical; `key` the key of the roll ("" when none was needed).
    `attack` and `defense` hold every modifier, those that did not count with their reason.
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
    """Concealment had its say: the blow misses on `percent` or less."""

    attacker: Name
    target: Name
    percent: Sum
    key: Words
    rolled: Sum
    missed: bool
    why: Told


class DamagePart(Struct, frozen=True, gc=False):
    """Dice of a damage roll: `times` the roll was multiplied (1 for extra dice)."""

    notation: Words
    key: Words
    total: Sum
    kind: Words
    source: Words
    times: Times = 1


DamageParts = Annotated[tuple[DamagePart, ...], Meta(max_length=1000)]


class DamageResolved(Fact, frozen=True, gc=False, kw_only=True, tag="damage.resolved"):
    """What a hit amounts to, before and after what the target shrugs off."""

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


class HitPointsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="hit-points.changed"):
    """Hit points are now `hp`, nonlethal damage `nonlethal`, temporary hit points `temporary`."""

    who: Name
    hp: Sum
    nonlethal: Sum
    temporary: Sum
    change: Sum
    why: Told


class ConditionGained(Fact, frozen=True, gc=False, kw_only=True, tag="condition.gained"):
    """A condition holds, until `until`.

    With `aloft` its level is the height in feet at which its bearer is.
    """

    who: Name
    condition: Words
    source: Words
    until: Until = Until()
    level: Sum = 0
    aloft: bool = False


class ConditionLost(Fact, frozen=True, gc=False, kw_only=True, tag="condition.lost"):
    """A condition is over."""

    who: Name
    condition: Words
    why: Told


class EffectGained(Fact, frozen=True, gc=False, kw_only=True, tag="effect.gained"):
    """A modifier holds for a while.

    `stat` is what it modifies ("attack", "defense", "save.ref", "initiative", "damage", "speed").
    `against` limits it to one opponent, `uses` to that many rolls (0: any number).
    """

    who: Name
    id: Words
    stat: Words
    modifier: Modifier
    until: Until
    against: Words = ""
    uses: Sum = 0


class EffectEnded(Fact, frozen=True, gc=False, kw_only=True, tag="effect.ended"):
    """A passing modifier is gone."""

    who: Name
    id: Words
    why: Told


class CheckResolved(Fact, frozen=True, gc=False, kw_only=True, tag="check.resolved"):
    """A check or saving throw was compared with its DC; `check` such as "save.ref", "stabilize"."""

    who: Name
    check: Words
    key: Words
    natural: Sum
    total: Sum
    dc: Sum
    success: bool
    parts: Modifiers
    why: Told = ""


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

    `what` was done: turn, rebuke, bolster or dispel. `damage` is how many Hit Dice it affects in all, by the
    roll `damage_key` ("" where nobody within reach could be affected, or no such roll is called for).
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
    """A combatant fights for another side from now on, or for its own again."""

    who: Name
    side: Name
    why: Told


class ItemChanged(Fact, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="item.changed"):
    """An item is now held, stowed, dropped, loaded, unloaded, broken or gone.

    `unloaded` of a weapon that leaves the hand says that it wants loading when it is taken up again. `at` is
    the square where what is dropped or thrown comes to lie, or where it lay until it is taken up; None where
    that is not told. `of` is who had it before, where somebody else takes it: a weapon of which the sheet of
    its new holder knows nothing is there from then on as it is on that one's, unless it is `unwieldy`.
    """

    who: Name
    item: Words
    state: Words
    unloaded: bool = False
    at: Place | None = None
    of: Name = ""
    unwieldy: bool = False


class DoorMoved(Fact, frozen=True, gc=False, kw_only=True, tag="door.moved"):
    """A door between squares is `open` from now on, or closed: `who` has moved it."""

    who: Name
    door: Name
    open: bool


class GripChanged(Fact, frozen=True, gc=False, kw_only=True, tag="grip.changed"):
    """`who` holds a weapon in so many hands from now on, and wields it so ("one-handed", "light", ...)."""

    who: Name
    item: Words
    hands: Sum
    wield: Wield


class ItemStruck(Fact, frozen=True, gc=False, kw_only=True, tag="item.struck"):
    """An object that `bearer` holds, carries or wears was hit for `total` points.

    `dealt` is what its hardness let through, `left` the hit points that it has then.
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
    """Part of a limited supply is used: ammunition, a spell, a daily use."""

    who: Name
    resource: Words
    amount: Sum


class InjurySuffered(Fact, frozen=True, gc=False, kw_only=True, tag="injury.suffered"):
    """A lasting injury by a table's entry; `parts` is what was added to the roll."""

    who: Name
    entry: Sum
    name: Words
    key: Words
    assumed: bool = False
    parts: Modifiers = ()


class AbilityChanged(Fact, frozen=True, gc=False, kw_only=True, tag="ability.changed"):
    """An ability ("str", "dex", ...) has `damage` and `drain` by now, which leave it at `score`."""

    who: Name
    ability: Words
    damage: Sum
    drain: Sum
    score: Sum
    why: Told


class FeatsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="feats.changed"):
    """Of the feats of its sheet a combatant cannot use those named `unusable` now, and all others."""

    who: Name
    unusable: Texts
    why: Told


class MaximumChanged(Fact, frozen=True, gc=False, kw_only=True, tag="maximum.changed"):
    """Full hit points are now `max_hp`."""

    who: Name
    max_hp: Sum
    why: Told


class AfflictionHeld(Fact, frozen=True, gc=False, kw_only=True, tag="affliction.held"):
    """Something works on in a combatant: poison, a negative level. The same `id` again renews it.

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
    """An affliction is over."""

    who: Name
    id: Words
    why: Told
