"""Movement, riding, gear, care and skills: acts other than attacks and spells."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Path, Square, Words

# --- Moving: on foot, jumping, climbing onto a creature


class Move(Act, frozen=True, gc=False, tag="move"):
    """Move along a path.

    how: the way of moving.
    surface: the surface for a way of moving that uses a skill.
    dc: the DC of an obstacle: a wall, a tight space.
    fast: move at a faster pace, at a penalty.
    up: the height gained in feet; negative for lost.
    wide: the width of a narrow space in feet; 0 for the width on the map.
    high: the height of a low space in feet; 0 for the height on the map.
    draw: the weapon to draw during the move.
    rise: stand up as part of the movement, before its first step: upright, or only to a crouch.
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
    """Take a 5-foot step, which does not provoke.

    to: the destination.
    """

    to: Square = (0, 0)


class Withdraw(Act, frozen=True, gc=False, tag="withdraw"):
    """Withdraw from melee.

    how: the way of moving.
    """

    path: Path = ()
    how: Name = "normal"


class Run(Act, frozen=True, gc=False, tag="run"):
    """Spend the round running in a straight line."""

    path: Path = ()


class Jump(Act, frozen=True, gc=False, tag="jump"):
    """Jump as part of a move.

    kind: across squares, up, onto something waist-high, or down.
    path: the squares of the run-up and of the jump.
    takeoff: the number of squares of the run-up.
    feet: the distance up or down.
    onto: where a jump down ends.
    depth: the depth of the water in feet.
    """

    kind: Literal["long", "high", "hop", "down"] = "long"
    path: Path = ()
    takeoff: Number = 0
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0


class Stand(Act, frozen=True, gc=False, tag="stand"):
    """Stand up from prone.

    to: the final posture; empty for upright.
    how: avoid attacks with Acrobatics, stand up slowly (which is easier), or quickly as a free action.
    """

    to: Literal["", "crouching"] = ""
    how: Literal["", "evading", "slowly", "quickly"] = ""


class Clamber(Act, frozen=True, gc=False, tag="clamber"):
    """Climb onto the body of a far larger creature, or move on it.

    what: climb or jump onto it, climb toward its back, balance there with both hands free, or get off.
    to: the square to get off to.
    """

    target: Name = ""
    what: Literal["climb", "jump", "up", "stand", "off"] = "climb"
    to: Square | None = None


class ShakeOff(Act, frozen=True, gc=False, tag="shake-off"):
    """Remove a creature that clings to the actor's body.

    how: pull it off by hand, or buck.
    """

    target: Name = ""
    how: Literal["pry", "buck"] = "pry"


# --- Mounts: mounting, dismounting and uses of the Ride skill


class Mount(Act, frozen=True, gc=False, tag="mount"):
    """Mount a steed.

    target: the mount.
    fast: try it as a free action.
    """

    target: Name = ""
    fast: bool = False


class Dismount(Act, frozen=True, gc=False, tag="dismount"):
    """Dismount.

    to: a square next to the mount.
    fast: try it as a free action.
    """

    to: Square = (0, 0)
    fast: bool = False


class Guide(Act, frozen=True, gc=False, tag="guide"):
    """Use the Ride skill from the saddle.

    what: control a frightened mount, guide it with the knees and both hands free, take cover behind the
        mount, spur it, or jump.
    path: the squares of the jump, in a straight line.
    """

    what: Literal["control", "knees", "cover", "spur", "leap"] = "control"
    path: Path = ()


# --- Objects: in hand, worn, carried, broken


class Draw(Act, frozen=True, gc=False, tag="draw"):
    """Draw a weapon.

    also: a second weapon drawn with it, for Two-Weapon Fighting.
    """

    item: Name = ""
    also: Name = ""


class Sheathe(Act, frozen=True, gc=False, tag="sheathe"):
    """Put a weapon away."""

    item: Name = ""


class Drop(Act, frozen=True, gc=False, tag="drop"):
    """Drop a held item, or drop to the ground.

    item: the held item, or a posture ("prone") to take.
    to: the square to which the item is thrown.
    also: other items dropped at the same moment.
    """

    item: Name = ""
    to: Square | None = None
    also: Names = ()


class Handle(Act, frozen=True, gc=False, tag="handle"):
    """Handle a shield, a door or another object.

    item: the object; for "set-up", the spell that needs the materials.
    what: the action; "tindertwig" lights an object with one, "lock" and "unlock" are for a weapon in a locked
        gauntlet.
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
        "tindertwig",
        "lock",
        "unlock",
    ] = "pick-up"


class Grip(Act, frozen=True, gc=False, tag="grip"):
    """Hold a weapon with both hands or with one.

    item: the weapon.
    hands: the hands that hold it from then on.
    """

    item: Name = ""
    hands: Literal["both", "one"] = "both"


class Load(Act, frozen=True, gc=False, tag="load"):
    """Load a weapon."""

    item: Name = ""


class Gather(Act, frozen=True, gc=False, tag="gather"):
    """Collect the missiles that missed.

    item: the weapon that fired them.
    """

    item: Name = ""


class Prepare(Act, frozen=True, gc=False, tag="prepare"):
    """Fit an item with a fuse, pour it out and light it, or plant it to go off later.

    at: the square where it is poured out; for a planted item, the grid corner (upper left of that square).
    rounds: the number of rounds until it goes off.
    """

    item: Name = ""
    at: Square | None = None
    rounds: Number = 0


class Envenom(Act, frozen=True, gc=False, tag="envenom"):
    """Apply a dose of carried poison to a weapon in hand.

    poison: the poison.
    """

    weapon: Name = ""
    poison: Name = ""


class Don(Act, frozen=True, gc=False, tag="don"):
    """Put on armor or a shield; this can take several rounds.

    item: the armor or shield.
    hasty: put it on hastily.
    helper: the combatant that helps.
    """

    item: Name = ""
    hasty: bool = False
    helper: Name = ""


class Doff(Act, frozen=True, gc=False, tag="doff"):
    """Take off armor or a shield.

    item: the armor or shield.
    helper: the combatant that helps.
    """

    item: Name = ""
    helper: Name = ""


class Shelter(Act, frozen=True, gc=False, tag="shelter"):
    """Take total cover behind a tower shield instead of attacking.

    way: the direction of the edge that the shield covers, if it covers only one.
    """

    way: Square = (0, 0)


class Lift(Act, frozen=True, gc=False, tag="lift"):
    """Lift, carry or drag a weight.

    pounds: the weight.
    how: carry it, put it down, hold it overhead, lift it off the ground, or drag it.
    path: the squares along which it is dragged.
    """

    pounds: Number = 0
    how: Literal["take", "put", "overhead", "ground", "drag"] = "take"
    path: Path = ()


class Repair(Act, frozen=True, gc=False, tag="repair"):
    """Repair a damaged object between fights.

    target: the object, or the combatant that has the item.
    item: an item of the target; empty for the object itself.
    tools: tools are available.
    """

    target: Name = ""
    item: Name = ""
    tools: bool = True


class Burst(Act, frozen=True, gc=False, tag="burst"):
    """Break an object with sudden force.

    tool: the tool used; empty for none.
    helpers: the number of helpers.
    """

    target: Name = ""
    tool: Literal["", "crowbar", "ram"] = ""
    helpers: Number = 0


# --- Bonds, wounds and other troubles, of the actor or of others


class Stabilize(Act, frozen=True, gc=False, tag="stabilize"):
    """Give first aid to a dying creature.

    take: 10 to take 10 instead of rolling, if the rules allow it.
    """

    target: Name = ""
    take: Number = 0


class Treat(Act, frozen=True, gc=False, tag="treat"):
    """Treat a poisoned or diseased creature before its next saving throw."""

    target: Name = ""


class TendFeet(Act, frozen=True, gc=False, tag="tend-feet"):
    """Treat feet injured by caltrops."""

    target: Name = ""


class Extinguish(Act, frozen=True, gc=False, tag="extinguish"):
    """Put out a burning creature by smothering the flames.

    target: the burning creature; empty for the actor.
    water: use water, or get into water.
    rolling: roll on the ground.
    """

    target: Name = ""
    water: bool = False
    rolling: bool = False


class Rouse(Act, frozen=True, gc=False, tag="rouse"):
    """Shake a creature out of fascination."""

    target: Name = ""


class Bind(Act, frozen=True, gc=False, tag="bind"):
    """Tie up a helpless or pinned creature.

    item: rope or manacles.
    """

    target: Name = ""
    item: Name = "hemp rope"


class GetFree(Act, frozen=True, gc=False, tag="get-free"):
    """Get out of a net or bonds with Strength.

    skill: use Escape Artist instead.
    """

    skill: bool = False


class BreakFree(Act, frozen=True, gc=False, tag="break-free"):
    """Break free of something sticky or entangling with Strength.

    weapon: cut it with this weapon instead.
    """

    weapon: Name = ""


# --- Skills, feats, special abilities, aid and speech


class UseFeat(Act, frozen=True, gc=False, tag="use-feat"):
    """Use a feat that is not part of another act."""

    feat: Name = ""
    target: Name = ""


class UseAbility(Act, frozen=True, gc=False, tag="use-ability"):
    """Use a special ability of the sheet.

    ability: its name ("rage", "smite evil", "lay on hands").
    amount: the amount, if it can be chosen; 0 for as much as is useful.
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

    friend: the combatant helped.
    opponent: the opponent against which the help counts.
    benefit: the friend's next attack, its defense, its next check, or the end of a condition.
    what: the skill of the check, or the condition.
    weapon: the weapon that distracts the opponent; empty for the first one in hand that reaches it.
    """

    friend: Name = ""
    opponent: Name = ""
    benefit: Literal["attack", "defense", "check", "condition"] = "attack"
    what: Name = ""
    weapon: Name = ""


class Hide(Act, frozen=True, gc=False, tag="hide"):
    """Hide from every opponent.

    path: the squares entered before it.
    how: hide again after a shot, while opponents are distracted, or while attacking.
    """

    path: Path = ()
    how: Literal["", "snipe", "distraction", "attacking"] = ""


class Seek(Act, frozen=True, gc=False, tag="seek"):
    """Try to notice a combatant.

    sense: the sense used.
    at: two squares to grope in.
    through: the barrier in between.
    wind: whether the target is upwind or downwind.
    reactive: as a reaction, without an action.
    """

    target: Name = ""
    sense: Literal["spot", "listen", "scent", "grope"] = "spot"
    at: Path = ()
    through: Literal["", "door", "stone wall"] = ""
    wind: Literal["", "upwind", "downwind"] = ""
    reactive: bool = False


class Speak(Act, frozen=True, gc=False, tag="speak"):
    """Say something.

    words: the words.
    gesture: a gesture without words.
    converse: a talk of the whole round with others.
    """

    words: Words = ""
    gesture: bool = False
    converse: bool = False
