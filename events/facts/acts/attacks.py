"""Attacks, one or many, and standing against them."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import Act, Name, Names, Number, Path, Special, Square


class Attack(Act, frozen=True, gc=False, tag="attack"):
    """Make one attack.

    target: whom to attack.
    weapon: empty for the first one held.
    thrown: throw the weapon.
    nonlethal: deal nonlethal damage with a lethal weapon, or the other way round; as the weapon does if left
        out.
    defensively: attack less surely to be harder to hit.
    power: what Power Attack takes off the attack roll.
    expertise: what Combat Expertise takes off the attack roll.
    stunning: try to stun with the fist.
    at: the square attacked instead of a target, for whoever unseen is there; for what splashes, the grid
        corner at its upper left; for what is thrown at a square, that one; for automatic fire, the square at
        the upper left of the area.
    aim: take a full round to line up the blow at an object, or a shot at the helpless.
    take: 10 counts the die as that, where the rules allow it.
    feat: the feat by which the attack is more than one, or more than an attack.
    bullets: how many bullets a firearm fires at the target; left out, one.
    autofire: fire a firearm that can do so automatically, at an area or at the target.
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
    feat: Name = ""
    bullets: Number = 0
    autofire: bool = False


class CalledShot(Act, frozen=True, gc=False, tag="called-shot"):
    """Make one attack that is aimed at a part of the target's body.

    weapon: empty for the first one held.
    part: the part of the body.
    thrown: throw the weapon.
    nonlethal: deal nonlethal damage with a lethal weapon, or the other way round; as the weapon does if left
        out.
    """

    target: Name = ""
    weapon: Name = ""
    part: Name = ""
    thrown: bool = False
    nonlethal: bool | None = None


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One attack of a full attack, or the special attack in its place.

    weapon: empty for the first one held.
    thrown: throw the weapon.
    special: the special attack that takes its place.
    item: what a disarm or sunder aims at; for a grapple, which of its options is meant.
    off_hand: strike with the off hand, or with the other end of a double weapon.
    stunning: try to stun with the fist.
    part: the part of the body that a called shot aims at.
    bullets: how many bullets a firearm fires at the target; left out, one.
    autofire: fire a firearm that can do so automatically at the target.
    """

    target: Name
    weapon: Name = ""
    thrown: bool = False
    special: Special = ""
    item: Name = ""
    off_hand: bool = False
    stunning: bool = False
    part: Name = ""
    bullets: Number = 0
    autofire: bool = False


class FullAttack(Act, frozen=True, gc=False, tag="full-attack"):
    """Make every attack that base attack bonus, weapons and feats allow.

    strikes: the attacks in this order; where the rules let them be decided one by one, fewer than there are
        leave the rest open, and another full attack of the same turn goes on with them.
    nonlethal: deal nonlethal damage with lethal weapons, or the other way round; as the weapons do if left
        out.
    defensively: attack less surely to be harder to hit.
    flurry: a monk's flurry of blows: one attack or two more, all less sure.
    power: what Power Attack takes off the attack rolls.
    expertise: what Combat Expertise takes off the attack rolls.
    second: the weapon of the off hand, if it is to strike later.
    rapid_shot: use Rapid Shot.
    whirlwind: use Whirlwind Attack.
    step: the square of a short step among the strikes.
    step_after: after how many strikes the step is taken.
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
    """Loose several arrows at once at one target.

    weapon: the bow.
    arrows: how many.
    """

    target: Name = ""
    weapon: Name = ""
    arrows: Number = 2


class Charge(Act, frozen=True, gc=False, tag="charge"):
    """Rush along a path and attack at its end.

    target: whom to attack.
    weapon: empty for the first one held.
    special: the special attack that takes the place of the attack.
    item: what a disarm or sunder aims at; for a grapple, which of its options is meant.
    power: what Power Attack takes off the attack roll.
    part: the part of the body that a called shot aims at.
    stunt: how else one comes at the target ("leaps from the ledge").
    skill: the skill that the stunt is thought to take.
    dc: the DC that the stunt is thought to take.
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
    """Move, attack and move on: by Spring Attack in melee, or Shot on the Run.

    path: the squares entered before the attack.
    target: whom to attack.
    onward: the squares entered after it.
    """

    path: Path = ()
    target: Name = ""
    weapon: Name = ""
    onward: Path = ()


class Trample(Act, frozen=True, gc=False, tag="trample"):
    """Run over everybody smaller on the way."""

    path: Path = ()


class CoupDeGrace(Act, frozen=True, gc=False, tag="coup-de-grace"):
    """Finish a helpless opponent.

    weapon: empty for the first one held.
    """

    target: Name = ""
    weapon: Name = ""


class KnockoutBlow(Act, frozen=True, gc=False, tag="knockout-blow"):
    """Strike a helpless opponent to knock it out, for nonlethal damage.

    weapon: empty for the first one held.
    """

    target: Name = ""
    weapon: Name = ""


class AwesomeBlow(Act, frozen=True, gc=False, tag="awesome-blow"):
    """Strike a smaller opponent so that it flies."""

    target: Name = ""
    weapon: Name = ""


class Brace(Act, frozen=True, gc=False, tag="brace"):
    """Set a bracing weapon against a charge, as a readied act only.

    target: whom of a pair to strike.
    """

    weapon: Name = ""
    target: Name = ""


class TotalDefense(Act, frozen=True, gc=False, tag="total-defense"):
    """Do nothing but defend."""


class Ignore(Act, frozen=True, gc=False, tag="ignore"):
    """Pay no heed to some of those who flank.

    targets: those who are ignored.
    """

    targets: Names = ()
