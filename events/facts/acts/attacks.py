"""Attacks, special attacks, defenses and magic."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.events.facts.base import Act, Name, Names, Number, Path, Size, Special, Square, Words

# --- Attacks, one or several, and defending against them


class Attack(Act, frozen=True, gc=False, tag="attack"):
    """Make one attack.

    target: the target of the attack.
    weapon: the weapon used; empty for the first one in hand.
    thrown: throw the weapon.
    nonlethal: deal nonlethal damage with a lethal weapon (true) or lethal damage with a nonlethal one
        (false); the weapon's usual kind if left out.
    defensively: fight defensively: a penalty to attacks, a bonus to Armor Class.
    power: the penalty to the attack roll chosen for Power Attack.
    expertise: the penalty to the attack roll chosen for Combat Expertise.
    stunning: try to stun with the fist.
    at: the square attacked instead of a target, to hit an unseen creature there; for a splash weapon, the
        grid corner at its upper left; for something thrown at a square, that square; for automatic fire, the
        upper left square of the area.
    aim: take a full round to line up an attack on an object, or a shot at a helpless target.
    take: 10 to take 10 instead of rolling, if the rules allow it.
    feat: the feat that adds attacks or an effect to the attack.
    bullets: the number of bullets a firearm fires at the target; 1 if left out.
    autofire: use automatic fire, if the firearm can, at an area or at the target.
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
    """Make one attack at a part of the target's body.

    weapon: the weapon used; empty for the first one in hand.
    part: the part of the body.
    thrown: throw the weapon.
    nonlethal: deal nonlethal damage with a lethal weapon (true) or lethal damage with a nonlethal one
        (false); the weapon's usual kind if left out.
    """

    target: Name = ""
    weapon: Name = ""
    part: Name = ""
    thrown: bool = False
    nonlethal: bool | None = None


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One attack of a full attack, or the special attack that replaces it.

    weapon: the weapon used; empty for the first one in hand.
    thrown: throw the weapon.
    special: the special attack that replaces it.
    item: the target of a disarm or sunder; for a grapple, the option used.
    off_hand: attack with the off hand, or with the second end of a double weapon.
    stunning: try to stun with the fist.
    part: the part of the body that a called shot aims at.
    bullets: the number of bullets a firearm fires at the target; 1 if left out.
    autofire: use automatic fire at the target, if the firearm can.
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

    strikes: the attacks in order; if the rules let them be decided one at a time, the list may be shorter,
        and another full attack in the same turn continues with the rest.
    nonlethal: deal nonlethal damage with lethal weapons (true) or lethal damage with nonlethal ones (false);
        the weapons' usual kind if left out.
    defensively: fight defensively: a penalty to attacks, a bonus to Armor Class.
    flurry: a monk's flurry of blows: one or two extra attacks, with a penalty to all.
    power: the penalty to the attack rolls chosen for Power Attack.
    expertise: the penalty to the attack rolls chosen for Combat Expertise.
    second: the off-hand weapon, if it attacks later.
    rapid_shot: use Rapid Shot.
    whirlwind: use Whirlwind Attack.
    step: the square of a 5-foot step between the attacks.
    step_after: the number of attacks before the step.
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
    """Shoot several arrows at once at one target.

    weapon: the bow.
    arrows: the number of arrows.
    """

    target: Name = ""
    weapon: Name = ""
    arrows: Number = 2


class Charge(Act, frozen=True, gc=False, tag="charge"):
    """Charge along a path and attack at its end.

    target: the target of the attack.
    weapon: the weapon used; empty for the first one in hand.
    special: the special attack that replaces the attack.
    item: the target of a disarm or sunder; for a grapple, the option used.
    power: the penalty to the attack roll chosen for Power Attack.
    part: the part of the body that a called shot aims at.
    stunt: another way of reaching the target, in words ("leaps from the ledge").
    skill: the skill proposed for the stunt.
    dc: the DC proposed for the stunt.
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
    """Move, attack and move on, with Spring Attack in melee or Shot on the Run.

    path: the squares entered before the attack.
    target: the target of the attack.
    onward: the squares entered after it.
    """

    path: Path = ()
    target: Name = ""
    weapon: Name = ""
    onward: Path = ()


class Trample(Act, frozen=True, gc=False, tag="trample"):
    """Trample every smaller creature on the path."""

    path: Path = ()


class CoupDeGrace(Act, frozen=True, gc=False, tag="coup-de-grace"):
    """Finish a helpless opponent.

    weapon: the weapon used; empty for the first one in hand.
    """

    target: Name = ""
    weapon: Name = ""


class KnockoutBlow(Act, frozen=True, gc=False, tag="knockout-blow"):
    """Knock out a helpless opponent with nonlethal damage.

    weapon: the weapon used; empty for the first one in hand.
    """

    target: Name = ""
    weapon: Name = ""


class AwesomeBlow(Act, frozen=True, gc=False, tag="awesome-blow"):
    """Hit a smaller opponent and send it flying."""

    target: Name = ""
    weapon: Name = ""


class Brace(Act, frozen=True, gc=False, tag="brace"):
    """Set a bracing weapon against a charge, as a readied act only.

    target: the target, if a rider and mount charge together.
    """

    weapon: Name = ""
    target: Name = ""


class TotalDefense(Act, frozen=True, gc=False, tag="total-defense"):
    """Do nothing but defend."""


class Ignore(Act, frozen=True, gc=False, tag="ignore"):
    """Ignore some of the flanking opponents.

    targets: the opponents ignored.
    """

    targets: Names = ()


# --- Special attacks


class Trip(Act, frozen=True, gc=False, tag="trip"):
    """Bring an opponent to the ground.

    weapon: a weapon that can trip; unarmed if left out.
    """

    target: Name = ""
    weapon: Name = ""


class Disarm(Act, frozen=True, gc=False, tag="disarm"):
    """Knock an item out of an opponent's hands or, unarmed, take it.

    item: empty for the weapon in hand; a worn item can be snatched.
    secured: how firmly the item is fastened.
    both_hands: grab it with two empty hands.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    secured: Literal["normal", "poorly", "well"] = "normal"
    both_hands: bool = False


class Sunder(Act, frozen=True, gc=False, tag="sunder"):
    """Strike the weapon or shield that an opponent holds.

    item: empty for the weapon in hand, or another object that it carries or wears.
    size: the size of that object.
    hardness: its hardness.
    hp: its hit points.
    material: its material.
    secured: whether it is firmly fastened or under armor.
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

    path: the squares entered before it, in a charge or as part of a move.
    charge: bull rush at the end of a charge, not from an adjacent square.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False


class Push(Act, frozen=True, gc=False, tag="push"):
    """Push an opponent straight back without harming it."""

    target: Name = ""


class Stunt(Act, frozen=True, gc=False, tag="stunt"):
    """Try a maneuver that no rule describes; the game master chooses the most similar one.

    what: the maneuver, in words.
    """

    target: Name = ""
    what: Name = ""
    weapon: Name = ""


class Overrun(Act, frozen=True, gc=False, tag="overrun"):
    """Move through an opponent's square by force.

    charge: overrun in a charge, not in a move.
    whole: overrun as a full-round action.
    strike: the target of the attack at the end of the charge.
    weapon: the weapon for that attack.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False
    whole: bool = False
    strike: Name = ""
    weapon: Name = ""


class Feint(Act, frozen=True, gc=False, tag="feint"):
    """Mislead an opponent about the next attack."""

    target: Name = ""


class Grapple(Act, frozen=True, gc=False, tag="grapple"):
    """Start a grapple, or act while grappling.

    what: the action.
    weapon: a light weapon of either grappler; the object that is used or taken out.
    path: the squares along which the grapple moves; the one square to which an escape leads.
    skill: escape with Escape Artist.
    lethal: deal lethal damage, not nonlethal.
    completion: the item works by spell completion.
    nonlethal: deal nonlethal damage, also with a weapon.
    part: the part of the body that a called shot aims at.
    hazardous: the opponent is moved into danger, such as over a pit or into a wall of fire.
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
    """Grab a creature, or act while holding it or being held.

    what: the action.
    part: the part of the body that is grabbed.
    hands: the number of hands used.
    means: the natural weapon that grabs, instead of hands.
    unusual: use another part of the body, if the game master allows it.
    targets: the holders to escape from, if there are several.
    path: the squares along which the held creature is dragged.
    at: the square at which the held creature is thrown.
    skill: escape with Escape Artist.
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
    """Take an item from another combatant by sleight of hand.

    fast: take it as a free action.
    """

    target: Name = ""
    item: Name = ""
    fast: bool = False


class DirtyTrick(Act, frozen=True, gc=False, tag="dirty-trick"):
    """Hamper an opponent for a while: sand in the eyes, a cloak over the head.

    condition: the condition that the target gets.
    """

    target: Name = ""
    condition: Name = ""


class Recover(Act, frozen=True, gc=False, tag="recover"):
    """End the effect of a dirty trick on oneself.

    condition: the condition that ends.
    """

    condition: Name = ""


class Drag(Act, frozen=True, gc=False, tag="drag"):
    """Drag an opponent along while moving backwards in a straight line."""

    target: Name = ""


class Reposition(Act, frozen=True, gc=False, tag="reposition"):
    """Force an opponent to another square nearby.

    path: the squares along which it is moved.
    """

    target: Name = ""
    path: Path = ()


class Steal(Act, frozen=True, gc=False, tag="steal"):
    """Take an item that an opponent carries but does not hold.

    weapon: a whip; a free hand if left out.
    fastened: the item is fastened, not only tucked in.
    """

    target: Name = ""
    item: Name = ""
    weapon: Name = ""
    fastened: bool = False


# --- Spells, magic items and turning undead


class Cast(Act, frozen=True, gc=False, tag="cast"):
    """Cast a spell of the sheet at targets, or at a square for an area.

    at: the square of an area.
    defensively: cast defensively, which does not provoke.
    opening: the size in square feet of a hole in a wall through which it is cast.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    opening: Number = 0


class Redirect(Act, frozen=True, gc=False, tag="redirect"):
    """Redirect an active spell at other targets or another square.

    at: the square of its area.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


class Maintain(Act, frozen=True, gc=False, tag="maintain"):
    """Keep concentrating on a spell or on a turning.

    way: the direction that the turner faces.
    """

    way: Square = (0, 0)


class Dismiss(Act, frozen=True, gc=False, tag="dismiss"):
    """Dismiss one of the actor's active spells, or stop concentrating on it."""

    spell: Name = ""


class Touch(Act, frozen=True, gc=False, tag="touch"):
    """Touch a creature to discharge a held touch spell.

    targets: an opponent, or friends.
    """

    targets: Names = ()


class Counter(Act, frozen=True, gc=False, tag="counter"):
    """Counter a spell that is being cast, as a readied act only.

    spell: the actor's spell that counters; empty for the spell being cast, once it is identified.
    target: the caster; empty for the combatant that triggered the readied act.
    """

    spell: Name = ""
    target: Name = ""


class Activate(Act, frozen=True, gc=False, tag="activate"):
    """Use a magic item of the sheet.

    at: the square of its area.
    defensively: use it defensively, which does not provoke.
    device: use the skill Use Magic Device, perhaps blindly.
    """

    item: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    device: Literal["", "use", "blind"] = ""


class Identify(Act, frozen=True, gc=False, tag="identify"):
    """Identify a spell with Spellcraft.

    target: its caster, or the creature under it.
    spell: the spell on the target; empty for the spell being cast.
    """

    target: Name = ""
    spell: Name = ""


class LowerResistance(Act, frozen=True, gc=False, tag="lower-resistance"):
    """Lower the actor's spell resistance until its next turn."""


class TurnUndead(Act, frozen=True, gc=False, tag="turn-undead"):
    """Channel positive or negative energy at creatures, or use its result.

    what: turn or rebuke them, bolster them, end a turning of them; order or release commanded ones; heal,
        harm or command all around.
    kind: the kind of creature.
    targets: the creatures bolstered, ordered or released, or excluded from an effect on all around.
    words: the orders.
    way: the direction that the turner faces.
    boost: the spell spent on the turning.
    """

    what: Literal["turn", "rebuke", "bolster", "dispel", "order", "release", "heal", "harm", "command"] = (
        "turn"
    )
    kind: Name = "undead"
    targets: Names = ()
    words: Words = ""
    way: Square = (0, 0)
    boost: Name = ""
