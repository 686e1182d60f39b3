"""Attacks, special attacks and magic: what is done to an opponent, and standing against it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.events.facts.base import Act, Name, Names, Number, Path, Size, Special, Square, Words

# --- Attacks, one or many, and standing against them


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


# --- Special attacks: what is done to an opponent instead of a blow


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


# --- Spells, magic items and the turning of undead


class Cast(Act, frozen=True, gc=False, tag="cast"):
    """Cast a spell of the sheet at targets, or at a square for an area.

    at: the square at which an area lies.
    defensively: cast with care, so that it does not provoke.
    opening: the size in square feet of a hole in the wall through which it is cast.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    opening: Number = 0


class Redirect(Act, frozen=True, gc=False, tag="redirect"):
    """Direct a spell that is at work at others, or at another square.

    at: the square at which its area lies.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


class Maintain(Act, frozen=True, gc=False, tag="maintain"):
    """Go on concentrating on a spell that lasts so long, or on a turning.

    way: the direction into which the turning turns.
    """

    way: Square = (0, 0)


class Dismiss(Act, frozen=True, gc=False, tag="dismiss"):
    """End a spell of one's own that is at work, or cease to concentrate on it."""

    spell: Name = ""


class Touch(Act, frozen=True, gc=False, tag="touch"):
    """Touch somebody with the charge of a spell that is held.

    targets: an opponent, or friends.
    """

    targets: Names = ()


class Counter(Act, frozen=True, gc=False, tag="counter"):
    """Counter a spell that is being cast, as a readied act only.

    spell: one's own spell to do it with; empty for the very one that is cast, once it is identified.
    target: the caster; empty for whoever set it off.
    """

    spell: Name = ""
    target: Name = ""


class Activate(Act, frozen=True, gc=False, tag="activate"):
    """Use a magic item of the sheet.

    at: the square at which its area lies.
    defensively: use it with care, so that it does not provoke.
    device: it takes Use Magic Device, perhaps blindly.
    """

    item: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    device: Literal["", "use", "blind"] = ""


class Identify(Act, frozen=True, gc=False, tag="identify"):
    """Recognize a spell by Spellcraft.

    target: who is casting it, or whom it is on.
    spell: the spell that is on the target; empty for the one being cast.
    """

    target: Name = ""
    spell: Name = ""


class LowerResistance(Act, frozen=True, gc=False, tag="lower-resistance"):
    """Let magic through one's spell resistance until one's next turn."""


class TurnUndead(Act, frozen=True, gc=False, tag="turn-undead"):
    """Channel positive or negative energy at creatures, or use what came of it.

    what: turn or rebuke them, bolster them, dispel their being turned; order or release those under command;
        heal or harm all around, or command them.
    kind: the kind of creature.
    targets: who is bolstered, ordered or released, or spared what all around meet with.
    words: the orders.
    way: the direction that the turner faces.
    boost: the spell that goes into the turning.
    """

    what: Literal["turn", "rebuke", "bolster", "dispel", "order", "release", "heal", "harm", "command"] = (
        "turn"
    )
    kind: Name = "undead"
    targets: Names = ()
    words: Words = ""
    way: Square = (0, 0)
    boost: Name = ""
