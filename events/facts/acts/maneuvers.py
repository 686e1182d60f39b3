"""Special attacks: what is done to an opponent instead of a blow."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Path, Size, Square


class Trip(Act, frozen=True, gc=False, tag="trip"):
    """Bring `target` to the ground, unarmed or with a weapon that trips."""

    target: Name = ""
    weapon: Name = ""


class Disarm(Act, frozen=True, gc=False, tag="disarm"):
    """Knock an `item` out of the target's hands or, unarmed, take it; "" means the weapon in hand.

    An item that is worn may be snatched; `secured` says how well it sits. With `both_hands` two empty hands
    reach for it, where a dialect knows that.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    secured: Literal["normal", "poorly", "well"] = "normal"
    both_hands: bool = False


class Sunder(Act, frozen=True, gc=False, tag="sunder"):
    """Strike the weapon or shield that `target` holds; "" means the weapon in hand.

    Another carried or worn object has the `size`, `hardness` and hit points (`hp`) given here, and perhaps a
    `material`; `secured` says whether it sits well, or under armor, where a dialect asks for it.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    size: Size = "tiny"
    hardness: Number = 0
    hp: Number = 0
    material: Name = ""
    secured: Literal["normal", "armored", "well"] = "normal"


class BullRush(Act, frozen=True, gc=False, tag="bull-rush"):
    """Push `target` straight back: from next to it, or at the end of a charge along `path`."""

    target: Name = ""
    path: Path = ()
    charge: bool = False


class Push(Act, frozen=True, gc=False, tag="push"):
    """Drive `target` straight back without harming it, in dialects whose rules call it so."""

    target: Name = ""


class Stunt(Act, frozen=True, gc=False, tag="stunt"):
    """Try `what` with `target`, a maneuver that no rule names; the game master says what it is like."""

    target: Name = ""
    what: Name = ""
    weapon: Name = ""


class Overrun(Act, frozen=True, gc=False, tag="overrun"):
    """Plow through the square of `target` on the way along `path`, in a move or in a charge.

    Where a dialect knows more ways, `whole` makes it a full-round action, and after a charge `strike` names
    whom to attack at its end, with `weapon`.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False
    whole: bool = False
    strike: Name = ""
    weapon: Name = ""


class Feint(Act, frozen=True, gc=False, tag="feint"):
    """Mislead `target` about the next blow."""

    target: Name = ""


class Grapple(Act, frozen=True, gc=False, tag="grapple"):
    """Grab `target`, or do one of the things (`what`) that one can do while grappling.

    `weapon` is a light weapon of one's own ("attack", "draw") or of the opponent ("use-weapon"); `path`
    is where a grapple is moved; `skill` escapes by Escape Artist; `lethal` damage instead of nonlethal. For
    "activate" and "component" `weapon` is the thing, and `completion` says that a spell must be completed.
    In woa also: nothing but to "maintain" the grapple, an "arm-lock", to "clamp-mouth", a "called-shot" at a
    `part` of the body, to "ease" a hold or lock, and something "other" that the game master allows.
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
    ] = "start"
    weapon: Name = ""
    path: Path = ()
    skill: bool = False
    lethal: bool = False
    completion: bool = False
    part: Name = ""


class Grab(Act, frozen=True, gc=False, tag="grab"):
    """Seize hold of `target`, or do one of the things (`what`) that one can do holding or held.

    `part` is what of the body is seized, with so many `hands` or by other `means`: a natural weapon, or
    something `unusual` that the game master must allow. `targets` names several to get free of at once, with
    `skill` by Escape Artist; `path` is where one drags whom one holds, `at` where one throws it.
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
    """Frighten `target` in the middle of the fight."""

    target: Name = ""


class Pilfer(Act, frozen=True, gc=False, tag="pilfer"):
    """Take an `item` from `target` by sleight of hand; `fast` in passing, as a free action."""

    target: Name = ""
    item: Name = ""
    fast: bool = False
