"""Attacks, one or many, and standing against them."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import Act, Name, Names, Number, Path, Special, Square


class Attack(Act, frozen=True, gc=False, tag="attack"):
    """Make one attack. An empty `weapon` means the first one held.

    `power` and `expertise` are what Power Attack and Combat Expertise take off the attack rolls;
    `stunning` tries to stun with the fist. `at` names a square instead of a target: whoever
    unseen is there, or for what splashes the grid corner at its upper left. `aim` takes a full round to line
    up a blow at a thing; `take` 10 counts the die as that, where the rules allow it.
    """

    target: Name = ""
    weapon: Name = ""
    thrown: bool = False
    nonlethal: bool | None = None
    defensively: bool = False
    power: Number = 0
    expertise: Number = 0
    stunning: bool = False
    at: Square | None = None
    aim: bool = False
    take: Number = 0


class CalledShot(Act, frozen=True, gc=False, tag="called-shot"):
    """Make one attack that is aimed at a `part` of the target's body."""

    target: Name = ""
    weapon: Name = ""
    part: Name = ""
    thrown: bool = False
    nonlethal: bool | None = None


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One attack of a full attack, or the special attack in its place.

    `item` is what a disarm or sunder aims at, for a grapple which of its options is meant. `off_hand`
    strikes with the off hand, or with the other end of a double weapon. `part` is the part of the body that a
    called shot aims at.
    """

    target: Name
    weapon: Name = ""
    thrown: bool = False
    special: Special = ""
    item: Name = ""
    off_hand: bool = False
    stunning: bool = False
    part: Name = ""


class FullAttack(Act, frozen=True, gc=False, tag="full-attack"):
    """Make every attack that base attack bonus, weapons and feats allow, in this order.

    Where the dialect lets attacks be decided one by one, fewer strikes than there are leave the rest
    open: another full attack of the same turn goes on with them. `second` names the weapon of the off
    hand if it is to strike later; `power`, `expertise`, `rapid_shot` and `whirlwind` are feats.
    A monk's `flurry` is one attack or two more, all less sure. `step` is the square of a short step taken
    after so many (`step_after`) of the strikes.
    """

    strikes: Annotated[tuple[Strike, ...], Meta(max_length=100)] = ()
    nonlethal: bool | None = None
    defensively: bool = False
    flurry: bool = False
    power: Number = 0
    expertise: Number = 0
    second: Name = ""
    rapid_shot: bool = False
    whirlwind: bool = False
    step: Square | None = None
    step_after: Number = 0


class Manyshot(Act, frozen=True, gc=False, tag="manyshot"):
    """Loose several `arrows` at once at one target."""

    target: Name = ""
    weapon: Name = ""
    arrows: Number = 2


class Charge(Act, frozen=True, gc=False, tag="charge"):
    """Rush along `path` and attack `target` at its end, perhaps with a special attack on its `item`.

    `power` is what Power Attack takes off the attack rolls, `part` where a called shot is aimed. A `stunt`
    says how else one comes at the target ("leaps from the ledge"), with the check of a `skill` against `dc`
    that it is thought to take.
    """

    target: Name = ""
    path: Path = ()
    weapon: Name = ""
    special: Special = ""
    item: Name = ""
    power: Number = 0
    part: Name = ""
    stunt: Name = ""
    skill: Name = ""
    dc: Number = 0


class Skirmish(Act, frozen=True, gc=False, tag="skirmish"):
    """Move along `path`, attack `target`, move `onward`: by Spring Attack in melee, or Shot on the Run."""

    path: Path = ()
    target: Name = ""
    weapon: Name = ""
    onward: Path = ()


class Trample(Act, frozen=True, gc=False, tag="trample"):
    """Run over everybody smaller along `path`."""

    path: Path = ()


class CoupDeGrace(Act, frozen=True, gc=False, tag="coup-de-grace"):
    """Finish a helpless opponent."""

    target: Name = ""
    weapon: Name = ""


class AwesomeBlow(Act, frozen=True, gc=False, tag="awesome-blow"):
    """Strike a smaller `target` so that it flies."""

    target: Name = ""
    weapon: Name = ""


class Brace(Act, frozen=True, gc=False, tag="brace"):
    """Set a bracing weapon against a charge (only as a readied act); `target` says which of a pair."""

    weapon: Name = ""
    target: Name = ""


class TotalDefense(Act, frozen=True, gc=False, tag="total-defense"):
    """Do nothing but defend."""


class Ignore(Act, frozen=True, gc=False, tag="ignore"):
    """Pay no heed to `targets` while flanked."""

    targets: Names = ()
