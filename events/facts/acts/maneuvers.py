"""Special attacks: what is done to an opponent instead of a blow."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Path, Size, Square


class Trip(Act, frozen=True, gc=False, tag="trip"):
    """Bring an opponent to the ground.

    weapon: a weapon that trips; unarmed without one.
    """

    target: Name = ""
    weapon: Name = ""


class Disarm(Act, frozen=True, gc=False, tag="disarm"):
    """Knock an item out of an opponent's hands or, unarmed, take it.

    item: empty for the weapon in hand; one that is worn may be snatched.
    secured: how well the item sits.
    both_hands: reach for it with two empty hands.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    secured: Literal["normal", "poorly", "well"] = "normal"
    both_hands: bool = False


class Sunder(Act, frozen=True, gc=False, tag="sunder"):
    """Strike the weapon or shield that an opponent holds.

    item: empty for the weapon in hand; another object that it carries or wears.
    size: how large such an object is.
    hardness: its hardness.
    hp: its hit points.
    material: what it is made of.
    secured: whether it sits well, or under armor.
    thrown: throw the weapon at it.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    size: Size = "tiny"
    hardness: Number = 0
    hp: Number = 0
    material: Name = ""
    secured: Literal["normal", "armored", "well"] = "normal"
    thrown: bool = False


class BullRush(Act, frozen=True, gc=False, tag="bull-rush"):
    """Push an opponent straight back.

    path: the squares entered before, in a charge or in the move that it is part of.
    charge: do it at the end of a charge, not from next to the opponent.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False


class Push(Act, frozen=True, gc=False, tag="push"):
    """Drive an opponent straight back without harming it."""

    target: Name = ""


class Stunt(Act, frozen=True, gc=False, tag="stunt"):
    """Try a maneuver that no rule names; the game master says what it is like.

    what: what is tried.
    """

    target: Name = ""
    what: Name = ""
    weapon: Name = ""


class Overrun(Act, frozen=True, gc=False, tag="overrun"):
    """Plow through an opponent's square.

    charge: do so in a charge, not in a move.
    whole: do so as a full-round action.
    strike: whom to attack at the end of the charge.
    weapon: what to attack with.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False
    whole: bool = False
    strike: Name = ""
    weapon: Name = ""


class Feint(Act, frozen=True, gc=False, tag="feint"):
    """Mislead an opponent about the next blow."""

    target: Name = ""


class Grapple(Act, frozen=True, gc=False, tag="grapple"):
    """Start a grapple, or do what one can do while grappling.

    what: what is done.
    weapon: a light weapon of one's own or of the opponent; the object that is used or taken out.
    path: where the grapple is moved; the one square into which an escape leads.
    skill: escape by Escape Artist.
    lethal: deal lethal damage, not nonlethal.
    completion: the spell of the item must be completed.
    nonlethal: deal nonlethal damage, with a weapon too.
    part: the part of the body that a called shot aims at.
    hazardous: the opponent is to come to stand where harm waits, such as over a pit or in a wall of fire.
    """

    target: Name = ""
    what: Literal[
        "start",
        "attack",
        "damage",
        "pin",
        "escape",
        "break-pin",
        "use-weapon",
        "move",
        "draw",
        "release",
        "activate",
        "component",
        "rake",
        "swallow",
        "maintain",
        "arm-lock",
        "clamp-mouth",
        "called-shot",
        "ease",
        "other",
        "tie-up",
        "take-over",
    ] = "start"
    weapon: Name = ""
    path: Path = ()
    skill: bool = False
    lethal: bool = False
    completion: bool = False
    part: Name = ""
    nonlethal: bool = False
    hazardous: bool = False


class Grab(Act, frozen=True, gc=False, tag="grab"):
    """Seize hold of somebody, or do what one can do holding or held.

    what: what is done.
    part: what of the body is seized.
    hands: with how many hands.
    means: the natural weapon that seizes, instead of hands.
    unusual: with another part of one's own body, if the game master allows it.
    targets: those to get free of, if there are several.
    path: where one drags whom one holds.
    at: where one throws whom one holds.
    skill: escape by Escape Artist.
    """

    target: Name = ""
    what: Literal["start", "release", "escape", "drag", "squeeze", "throw"] = "start"
    part: Literal["body", "weapon arm", "other arm", "leg"] = "body"
    hands: Number = 1
    means: Name = ""
    unusual: bool = False
    targets: Names = ()
    path: Path = ()
    at: Square = (0, 0)
    skill: bool = False


class Demoralize(Act, frozen=True, gc=False, tag="demoralize"):
    """Frighten an opponent in the middle of the fight."""

    target: Name = ""


class Pilfer(Act, frozen=True, gc=False, tag="pilfer"):
    """Take an item from somebody by sleight of hand.

    fast: do so in passing, as a free action.
    """

    target: Name = ""
    item: Name = ""
    fast: bool = False


class DirtyTrick(Act, frozen=True, gc=False, tag="dirty-trick"):
    """Hamper an opponent for a while: sand in the eyes, a cloak over the head.

    condition: what it is to be.
    """

    target: Name = ""
    condition: Name = ""


class Recover(Act, frozen=True, gc=False, tag="recover"):
    """Rid oneself of what somebody's dirty trick has done.

    condition: what it is.
    """

    condition: Name = ""


class Drag(Act, frozen=True, gc=False, tag="drag"):
    """Draw an opponent along, backwards in a straight line."""

    target: Name = ""


class Reposition(Act, frozen=True, gc=False, tag="reposition"):
    """Force an opponent to another place nearby.

    path: the squares along which it is forced.
    """

    target: Name = ""
    path: Path = ()


class Steal(Act, frozen=True, gc=False, tag="steal"):
    """Take from an opponent what it does not hold.

    weapon: a whip that does it; the free hand without one.
    fastened: it is fastened, not just tucked in.
    """

    target: Name = ""
    item: Name = ""
    weapon: Name = ""
    fastened: bool = False
