"""Movement, riding, gear, care and skills: what is done besides attacks and spells."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Path, Square, Words

# --- Getting from place to place, on foot, by leaps and up a body


class Move(Act, frozen=True, gc=False, tag="move"):
    """Move along a path.

    how: the way of moving.
    surface: what a way that rests on a skill goes over.
    dc: the DC of what is in the way: a wall, a tight space.
    fast: move at a faster pace, at a penalty.
    up: the height gained in feet; below 0 lost.
    wide: how wide a narrow space is in feet; 0 as the map has it.
    high: how high a low space is in feet; 0 as the map has it.
    draw: the weapon to be taken in hand on the way.
    rise: get up as part of the movement, before its first step: upright, or no further than into a crouch.
    """

    path: Path = ()
    how: Name = "normal"
    surface: Name = ""
    dc: Number = 0
    fast: bool = False
    up: Number = 0
    wide: Number = 0
    high: Number = 0
    draw: Name = ""
    rise: Literal["", "upright", "crouching"] = ""


class Step(Act, frozen=True, gc=False, tag="step"):
    """Take the short step (5 feet) that does not provoke.

    to: the square.
    """

    to: Square = (0, 0)


class Withdraw(Act, frozen=True, gc=False, tag="withdraw"):
    """Leave melee with care.

    how: the way of moving.
    """

    path: Path = ()
    how: Name = "normal"


class Run(Act, frozen=True, gc=False, tag="run"):
    """Spend the round running in a straight line."""

    path: Path = ()


class Jump(Act, frozen=True, gc=False, tag="jump"):
    """Leap as part of a move.

    kind: over squares, up, onto something waist-high, or down.
    path: the squares of the run-up and of the leap.
    takeoff: how many squares of the path are the run-up.
    feet: how far up or down.
    onto: what a leap down ends on.
    depth: how deep the water is, in feet.
    """

    kind: Literal["long", "high", "hop", "down"] = "long"
    path: Path = ()
    takeoff: Number = 0
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0


class Stand(Act, frozen=True, gc=False, tag="stand"):
    """Get up from prone.

    to: no further than this; empty for upright.
    how: dodge blows by Acrobatics meanwhile, slowly (which is easier), or quickly as a free action.
    """

    to: Literal["", "crouching"] = ""
    how: Literal["", "evading", "slowly", "quickly"] = ""


class Clamber(Act, frozen=True, gc=False, tag="clamber"):
    """Get onto the body of somebody far larger, and go on there.

    what: climb or leap onto it, climb up toward its back, balance up there with both hands free, or get off.
    to: the square to get down to.
    """

    target: Name = ""
    what: Literal["climb", "jump", "up", "stand", "off"] = "climb"
    to: Square | None = None


class ShakeOff(Act, frozen=True, gc=False, tag="shake-off"):
    """Get somebody off one's own body.

    how: pry it off by hand, or buck.
    """

    target: Name = ""
    how: Literal["pry", "buck"] = "pry"


# --- Mounts: in and out of the saddle, and what the skill of riding is for


class Mount(Act, frozen=True, gc=False, tag="mount"):
    """Climb into the saddle.

    target: the mount.
    fast: try to do so as a free action.
    """

    target: Name = ""
    fast: bool = False


class Dismount(Act, frozen=True, gc=False, tag="dismount"):
    """Climb down from the mount.

    to: the square beside it.
    fast: try to do so as a free action.
    """

    to: Square = (0, 0)
    fast: bool = False


class Guide(Act, frozen=True, gc=False, tag="guide"):
    """Do from the saddle what the skill of riding is for.

    what: keep a frightened mount in hand, ride with the knees and both hands free, hang beside the mount for
        cover, spur it on, or leap.
    path: the squares of the leap, straight on.
    """

    what: Literal["control", "knees", "cover", "spur", "leap"] = "control"
    path: Path = ()


# --- Things: in hand, worn, carried, broken


class Draw(Act, frozen=True, gc=False, tag="draw"):
    """Take a weapon in hand.

    also: a second weapon drawn with it, by whoever fights with two.
    """

    item: Name = ""
    also: Name = ""


class Sheathe(Act, frozen=True, gc=False, tag="sheathe"):
    """Put a weapon away."""

    item: Name = ""


class Drop(Act, frozen=True, gc=False, tag="drop"):
    """Let go of a held item, or of one's own footing.

    item: the held item; a posture ("prone") to go down instead.
    to: the square to which the item is hurled.
    also: what else is let go of at the same moment.
    """

    item: Name = ""
    to: Square | None = None
    also: Names = ()


class Handle(Act, frozen=True, gc=False, tag="handle"):
    """Do something with a shield, a door or another object.

    item: the object; for materials that are set up, the spell that needs them.
    what: what is done with it.
    """

    item: Name = ""
    what: Literal[
        "ready-shield",
        "loose-shield",
        "drop-shield",
        "pick-up",
        "retrieve",
        "move",
        "move-heavy",
        "open",
        "close",
        "grab",
        "open-stuck",
        "light",
        "put-out",
        "set-up",
    ] = "pick-up"


class Grip(Act, frozen=True, gc=False, tag="grip"):
    """Take a weapon that is in hand into both hands, or into one.

    item: the weapon.
    hands: which hands hold it from then on.
    """

    item: Name = ""
    hands: Literal["both", "one"] = "both"


class Load(Act, frozen=True, gc=False, tag="load"):
    """Load a weapon that needs it."""

    item: Name = ""


class Gather(Act, frozen=True, gc=False, tag="gather"):
    """Gather the missiles that missed.

    item: the weapon that shot them.
    """

    item: Name = ""


class Prepare(Act, frozen=True, gc=False, tag="prepare"):
    """Fit an item with a fuse, pour it out and light it, or set it in place to go off later.

    at: the square where it is poured out; the grid corner where it is set, the upper left one of that square.
    rounds: after how many rounds it goes off.
    """

    item: Name = ""
    at: Square | None = None
    rounds: Number = 0


class Envenom(Act, frozen=True, gc=False, tag="envenom"):
    """Smear a dose of poison that one carries on a weapon in hand.

    poison: the poison.
    """

    weapon: Name = ""
    poison: Name = ""


class Don(Act, frozen=True, gc=False, tag="don"):
    """Put on armor or a shield; it goes on for as long as it takes.

    item: the armor or shield.
    hasty: put it on hastily.
    helper: who helps.
    """

    item: Name = ""
    hasty: bool = False
    helper: Name = ""


class Doff(Act, frozen=True, gc=False, tag="doff"):
    """Take off armor or a shield.

    item: the armor or shield.
    helper: who helps.
    """

    item: Name = ""
    helper: Name = ""


class Shelter(Act, frozen=True, gc=False, tag="shelter"):
    """Stand behind a tower shield for total cover instead of attacking.

    way: the step towards the edge of one's space that the shield closes, where it closes but one.
    """

    way: Square = (0, 0)


class Lift(Act, frozen=True, gc=False, tag="lift"):
    """Handle a weight.

    pounds: the weight.
    how: take it along, put it down, hold it overhead, lift it off the ground, or drag it.
    path: the squares along which it is dragged.
    """

    pounds: Number = 0
    how: Literal["take", "put", "overhead", "ground", "drag"] = "take"
    path: Path = ()


class Repair(Act, frozen=True, gc=False, tag="repair"):
    """Repair a damaged thing between fights.

    target: the thing, or who has the item.
    item: an item that the target has; empty for the thing itself.
    tools: there are tools for it.
    """

    target: Name = ""
    item: Name = ""
    tools: bool = True


class Burst(Act, frozen=True, gc=False, tag="burst"):
    """Break an object with sudden force.

    tool: what helps; empty for nothing.
    helpers: how many help.
    """

    target: Name = ""
    tool: Literal["", "crowbar", "ram"] = ""
    helpers: Number = 0


# --- Bonds, wounds and other troubles, one's own or somebody else's


class Stabilize(Act, frozen=True, gc=False, tag="stabilize"):
    """Give first aid to a dying creature.

    take: 10 counts the die as that, where the rules allow it.
    """

    target: Name = ""
    take: Number = 0


class Treat(Act, frozen=True, gc=False, tag="treat"):
    """Look after a poisoned or diseased creature before its next saving throw."""

    target: Name = ""


class TendFeet(Act, frozen=True, gc=False, tag="tend-feet"):
    """Treat feet that caltrops have pierced."""

    target: Name = ""


class Extinguish(Act, frozen=True, gc=False, tag="extinguish"):
    """Put out flames by smothering them.

    target: who is on fire; empty for oneself.
    water: use water, or get into it.
    rolling: roll on the ground.
    """

    target: Name = ""
    water: bool = False
    rolling: bool = False


class Rouse(Act, frozen=True, gc=False, tag="rouse"):
    """Shake somebody out of what fascinates it."""

    target: Name = ""


class Bind(Act, frozen=True, gc=False, tag="bind"):
    """Bind a creature that is helpless or pinned.

    item: rope or manacles.
    """

    target: Name = ""
    item: Name = "hemp rope"


class GetFree(Act, frozen=True, gc=False, tag="get-free"):
    """Get out of a net or of bonds by Strength.

    skill: by Escape Artist instead.
    """

    skill: bool = False


class BreakFree(Act, frozen=True, gc=False, tag="break-free"):
    """Get out of what one is stuck in by Strength.

    weapon: cut at it with this instead.
    """

    weapon: Name = ""


# --- Skills, feats and special abilities, help and words


class UseFeat(Act, frozen=True, gc=False, tag="use-feat"):
    """Bring a feat to bear that is no action of its own."""

    feat: Name = ""
    target: Name = ""


class UseAbility(Act, frozen=True, gc=False, tag="use-ability"):
    """Use a special ability of the sheet.

    ability: its name ("rage", "smite evil", "lay on hands").
    amount: how much of it, where that can be chosen; 0 for as much as serves.
    """

    ability: Name = ""
    target: Name = ""
    amount: Number = 0


class UseSkill(Act, frozen=True, gc=False, tag="use-skill"):
    """Use a skill.

    skill: the skill.
    dc: the DC of the check.
    """

    skill: Name = ""
    target: Name = ""
    dc: Number = 0


class Aid(Act, frozen=True, gc=False, tag="aid"):
    """Help a friend.

    friend: whom.
    opponent: against whom.
    benefit: what is helped: its next attack, its defense, its next check, or to get rid of a condition.
    what: the skill or the condition.
    weapon: the weapon that the opponent is distracted with; empty for the first one in hand that reaches it.
    """

    friend: Name = ""
    opponent: Name = ""
    benefit: Literal["attack", "defense", "check", "condition"] = "attack"
    what: Name = ""
    weapon: Name = ""


class Hide(Act, frozen=True, gc=False, tag="hide"):
    """Hide from every opponent.

    path: the squares entered before.
    how: hide again after a shot, while attention is elsewhere, or while attacking even so.
    """

    path: Path = ()
    how: Literal["", "snipe", "distraction", "attacking"] = ""


class Seek(Act, frozen=True, gc=False, tag="seek"):
    """Try to notice somebody.

    sense: by what.
    at: two squares to grope in.
    through: what stands between.
    wind: whether the target is upwind or downwind.
    reactive: without an action.
    """

    target: Name = ""
    sense: Literal["spot", "listen", "scent", "grope"] = "spot"
    at: Path = ()
    through: Literal["", "door", "stone wall"] = ""
    wind: Literal["", "upwind", "downwind"] = ""
    reactive: bool = False


class Speak(Act, frozen=True, gc=False, tag="speak"):
    """Say something.

    words: what is said.
    gesture: it is told by a gesture, without a word.
    """

    words: Words = ""
    gesture: bool = False
