"""A turn in time, and the course of an encounter: what is planned, readied and brought in."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.facts.acts.attacks import (
    Activate,
    Attack,
    AwesomeBlow,
    Brace,
    BullRush,
    CalledShot,
    Cast,
    Charge,
    Counter,
    CoupDeGrace,
    Demoralize,
    DirtyTrick,
    Disarm,
    Dismiss,
    Drag,
    Feint,
    FullAttack,
    Grab,
    Grapple,
    Identify,
    Ignore,
    KnockoutBlow,
    LowerResistance,
    Maintain,
    Manyshot,
    Overrun,
    Pilfer,
    Push,
    Recover,
    Redirect,
    Reposition,
    Skirmish,
    Steal,
    Stunt,
    Sunder,
    TotalDefense,
    Touch,
    Trample,
    Trip,
    TurnUndead,
)
from affray.events.facts.acts.movement import (
    Aid,
    Bind,
    BreakFree,
    Burst,
    Clamber,
    Dismount,
    Doff,
    Don,
    Draw,
    Drop,
    Envenom,
    Extinguish,
    Gather,
    GetFree,
    Grip,
    Guide,
    Handle,
    Hide,
    Jump,
    Lift,
    Load,
    Mount,
    Move,
    Prepare,
    Repair,
    Rouse,
    Run,
    Seek,
    ShakeOff,
    Sheathe,
    Shelter,
    Speak,
    Stabilize,
    Stand,
    Step,
    TendFeet,
    Treat,
    UseAbility,
    UseFeat,
    UseSkill,
    Withdraw,
)
from affray.events.facts.base import Act, Name, Names, Number, Path, Square, Words
from affray.events.facts.sheet import Carried, Origin, Rider, Sheet

# --- A turn in time: what is planned, put off, readied, done by halves and on the way of a movement


class Flyby(Act, frozen=True, gc=False, tag="flyby"):
    """Fly along a path and do something on the way.

    up: the height gained in feet; below 0 lost.
    after: after how many squares of the path.
    then: what is done.
    """

    path: Path = ()
    up: Number = 0
    after: Number = 0
    then: Attack | Cast = field(default_factory=Attack)


class Ride(Act, frozen=True, gc=False, tag="ride"):
    """Let the mount go along a path and act from the saddle on the way.

    path: the squares that the mount enters.
    pace: a move, a double move or a run.
    then: what is done; shots fall at half the way.
    after: the number of squares after which a spell is cast; one for each shot where a reading lets them fall
        anywhere.
    """

    path: Path = ()
    pace: Literal["move", "double", "run"] = "double"
    then: Attack | FullAttack | Cast = field(default_factory=Attack)
    after: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()


class Delay(Act, frozen=True, gc=False, tag="delay"):
    """Wait, to act later in the order.

    count: the initiative count on which the turn comes, named in advance; without it "resume" takes it.
    """

    count: Number | None = None


class Resume(Act, frozen=True, gc=False, tag="resume"):
    """Take the delayed turn now."""


class EndTurn(Act, frozen=True, gc=False, tag="end-turn"):
    """Finish the turn; the next one begins."""

    declared_by = "either"


class Split(Act, frozen=True, gc=False, tag="split"):
    """Spend a standard action on a full-round action: to begin it, or on the next turn to complete it.

    then: the full-round action.
    """

    then: (
        CoupDeGrace
        | KnockoutBlow
        | Stabilize
        | Load
        | Cast
        | FullAttack
        | Charge
        | Run
        | Withdraw
        | CalledShot
        | Activate
        | GetFree
        | BreakFree
        | Draw
        | Handle
        | Touch
        | Grapple
        | Grab
    ) = field(default_factory=CoupDeGrace)


class Refocus(Act, frozen=True, gc=False, tag="refocus"):
    """Spend the action to gather oneself for the next round's initiative."""


Doable = (
    Attack
    | CalledShot
    | FullAttack
    | Manyshot
    | Charge
    | Skirmish
    | Trample
    | CoupDeGrace
    | KnockoutBlow
    | AwesomeBlow
    | Brace
    | TotalDefense
    | Ignore
    | Stabilize
    | Treat
    | TendFeet
    | Extinguish
    | Rouse
    | Bind
    | GetFree
    | BreakFree
    | Draw
    | Sheathe
    | Drop
    | Handle
    | Grip
    | Load
    | Gather
    | Prepare
    | Envenom
    | Don
    | Doff
    | Shelter
    | Lift
    | Burst
    | Repair
    | Cast
    | Redirect
    | Maintain
    | Dismiss
    | Touch
    | Counter
    | Activate
    | Identify
    | LowerResistance
    | TurnUndead
    | Trip
    | Disarm
    | Sunder
    | BullRush
    | Push
    | Stunt
    | Overrun
    | Feint
    | Grapple
    | Grab
    | Demoralize
    | Pilfer
    | DirtyTrick
    | Recover
    | Drag
    | Reposition
    | Steal
    | Move
    | Step
    | Withdraw
    | Run
    | Jump
    | Stand
    | Clamber
    | ShakeOff
    | Flyby
    | Ride
    | Mount
    | Dismount
    | Guide
    | UseFeat
    | UseAbility
    | UseSkill
    | Aid
    | Hide
    | Seek
    | Speak
    | Delay
    | Resume
    | Split
    | Refocus
)
"""What a combatant can do, and so wait to do. Which of it a dialect lets one ready its rules say."""


class Trigger(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What sets off a readied act.

    what: somebody attacks, casts, or enters or leaves a square.
    who: who does it; empty for anybody hostile.
    feet: within how many feet it moves; 0 for one's reach.
    """

    what: Literal["attacks", "casts", "moves"]
    who: Name = ""
    feet: Number = 0


class Ready(Act, frozen=True, gc=False, tag="ready"):
    """Prepare an act for a trigger.

    trigger: what sets it off.
    then: the act: whatever a combatant can do, of a type of action that can be readied.
    step: the square of a 5-foot step before it.
    """

    trigger: Trigger = Trigger("moves")
    then: Doable = field(default_factory=Attack)
    step: Square | None = None


class Intent(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One declared action.

    type: which action it takes; for one who grapples, "grapple" is what it means to do should the grapple
        allow it.
    what: what it is ("attack", "move", "cast").
    target: at whom.
    """

    type: Literal["standard", "move", "full-round", "free", "swift", "grapple"]
    what: Name
    target: Name = ""


class Plan(Act, frozen=True, gc=False, tag="plan"):
    """Declare at the start of a round what one means to do.

    actions: the actions of the round.
    after: somebody faster whose turn one waits for.
    ready: what a readied action will be, and what sets it off.
    """

    actions: Annotated[tuple[Intent, ...], Meta(max_length=20)] = ()
    after: Name = ""
    ready: Ready | None = None


# --- The course of an encounter, and what the game master brings into it

Counts = Annotated[tuple[tuple[Name, Number], ...], Meta(max_length=200)]
"""How many of each, by name."""


class Enter(Act, frozen=True, gc=False, tag="enter"):
    """Bring a combatant into the encounter, before the fight or while it lasts.

    id: the name by which everything else speaks of it; each has its own.
    side: whose side it is on; who is on another one is an opponent.
    sheet: what it is like.
    at: the square where it stands; for a large creature the upper left one.
    hp: its hit points now; left out, all of them.
    nonlethal: its nonlethal damage.
    conditions: what it is under already.
    held: the weapons in its hands; left out, the first that is neither natural nor unarmed.
    initiative: its initiative; left out, it rolls.
    acted: it has acted in this fight already.
    policy: who answers for it: auto, cautious or ask.
    riding: the mount, already there, in whose saddle it sits.
    by: whose doing its conditions are: pairs of a condition and a combatant that is already there.
    levels: how high its conditions stand, such as negative levels or feet in the air: pairs of both.
    losses: points that its abilities have lost, such as "str", or "str drain" for good: pairs of both.
    used: what it has used up, such as arrows, spells or attempts of the day: pairs of name and number.
    grapples: the opponent, already there, with which it grapples, in one space or beside it.
    grip: whether it pins that opponent or is pinned by it.
    unloaded: those of its weapons that must be loaded before the next shot.
    origin: the fight from which it comes, and where it left that; absent for one that comes from none.
    carried: how it left that fight, in place of hit points, conditions and the like said one by one.
    """

    declared_by = "game master"

    id: Name = ""
    side: Name = ""
    sheet: Sheet | None = None
    at: Square = (0, 0)
    hp: Number | None = None
    nonlethal: Number = 0
    conditions: Names = ()
    held: Names | None = None
    initiative: Number | None = None
    acted: bool = False
    policy: Name = ""
    riding: Name = ""
    by: Annotated[tuple[tuple[Name, Name], ...], Meta(max_length=200)] = ()
    levels: Counts = ()
    losses: Counts = ()
    used: Counts = ()
    grapples: Name = ""
    grip: Name = ""
    unloaded: Names = ()
    # Left out where nothing is said: the bytes of any other entry stay what they were in every release.
    origin: Origin | UnsetType = UNSET
    carried: Carried | UnsetType = UNSET


class Begin(Act, frozen=True, gc=False, tag="begin"):
    """Start the fight: settle awareness, surprise and initiative.

    unaware: those who do not know of their opponents.
    stealthy: those who come in secret: whoever notices none of its opponents does not know of them.
    round: the round in which play starts.
    turn: whose turn it is, in the middle of a round.
    ambushes: attacks that open the fight, each as attacker, target and weapon.
    """

    declared_by = "game master"

    unaware: Names = ()
    round: Number = 1
    turn: Name = ""
    ambushes: Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=200)] = ()
    stealthy: Names = ()


class Close(Act, frozen=True, gc=False, tag="close"):
    """End the encounter and reveal the seed of its dice.

    reason: why it is over.
    """

    declared_by = "game master"

    reason: Words = ""


class Rule(Act, frozen=True, gc=False, tag="rule"):
    """A ruling of the game master on the declaration that is open.

    declaration: its id.
    verdict: "void" closes it as it stands: what was recorded remains, nothing more follows.
    text: the ruling in words.
    author: who rules.
    """

    declared_by = "game master"

    declaration: Name = ""
    verdict: Literal["void"] = "void"
    text: Words = ""
    author: Words = ""


class Fiat(Act, frozen=True, gc=False, tag="fiat"):
    """The game master decides what is so from now on; nothing that was decided is decided again.

    target: about whom.
    hp: the hit points that it has now; what the rules say of these comes about.
    gains: conditions that come over it now.
    loses: conditions that end now.
    at: the square where it is now; for a large creature the upper left one.
    initiative: the count on which it acts from now on.
    text: why, in words.
    """

    declared_by = "game master"

    target: Name = ""
    hp: Number | None = None
    gains: Names = ()
    loses: Names = ()
    at: Square | None = None
    initiative: Number | None = None
    text: Words = ""


class Circumstance(Act, frozen=True, gc=False, tag="circumstance"):
    """The game master finds that something makes a roll easier or harder.

    target: whose roll.
    hampers: it is harder, not easier.
    changes: what is modified.
    why: what it is.
    row: a row of the table of combat modifiers.
    """

    declared_by = "game master"

    target: Name = ""
    hampers: bool = False
    changes: Literal["check", "dc", "attack", "ac", "save"] = "check"
    why: Words = ""
    row: Name = ""


class Hazard(Act, frozen=True, gc=False, tag="hazard"):
    """The game master confronts somebody with a danger: a trap, a poison cloud.

    save: the saving throw.
    dc: the DC of the saving throw or check.
    damage: its damage.
    damage_type: the type of its damage.
    on_save: what a success leaves of the damage.
    condition: the condition that it brings.
    source: what it is; the id of a combatant where that one is the danger.
    rider: what it carries besides, by its own saving throw.
    skill: the check that is called for instead of a saving throw: a skill or an ability.
    area: it fills an area.
    edge: only the edge of its area touches the target.
    missiles: it hurls missiles.
    pit: it is a pit.
    unexpected: it comes unexpectedly.
    origin: the square from which its area spreads.
    injury: the lasting injury that it leaves: its name, "random", or "random" and a part of the body.
    cause: what the injury comes from.
    bleeding: the severity of the wound that it opens ("1d6", "2").
    """

    declared_by = "game master"

    target: Name = ""
    save: Literal["", "fort", "ref", "will"] = ""
    dc: Number = 0
    damage: Name = ""
    damage_type: Name = ""
    on_save: Literal["negates", "half", "partial"] = "half"
    condition: Name = ""
    source: Name = "hazard"
    rider: Rider | None = None
    skill: Name = ""
    area: bool = False
    edge: bool = False
    missiles: bool = False
    pit: bool = False
    unexpected: bool = False
    origin: Square | None = None
    injury: Name = ""
    cause: Literal["hazard", "trap", "other"] = "hazard"
    bleeding: Name = ""


class Fall(Act, frozen=True, gc=False, tag="fall"):
    """The game master lets somebody fall.

    feet: how deep.
    onto: onto or into what.
    depth: how deep the water is, in feet.
    pounds: the weight of an object that falls on the target instead; 0 for none.
    size: the size of an object that falls on the target instead; empty for none.
    opponent: who drops that object on the target; empty if it falls by itself.
    """

    declared_by = "game master"

    target: Name = ""
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0
    pounds: Number = 0
    size: Literal["", "small", "medium", "large", "huge", "gargantuan", "colossal"] = ""
    opponent: Name = ""


class Opening(Act, frozen=True, gc=False, tag="opening"):
    """The game master gives an opponent an attack of opportunity that nobody offered.

    target: who gives the opening.
    opponent: who may take it.
    reason: what the opening is, told behind the name of the target.
    """

    declared_by = "game master"

    target: Name = ""
    opponent: Name = ""
    reason: Name = ""


class Expose(Act, frozen=True, gc=False, tag="expose"):
    """The game master exposes somebody to a danger of its surroundings, or ends that.

    to: the danger.
    degree: how much of it: contact or immersion, how strong a wind is, how one stands in water, how dark it
        is, how thick a veil, how high a height in feet.
    way: the direction in which it goes: a wind, a cone of light.
    shod: the feet wear shoes, among caltrops.
    over: it ends.
    """

    declared_by = "game master"

    target: Name = ""
    to: Literal[
        "fire",
        "acid",
        "lava",
        "boiling water",
        "smoke",
        "no air",
        "cold",
        "heat",
        "wind",
        "water",
        "darkness",
        "caltrops",
        "no daylight",
        "light",
        "improved cover",
        "veil",
        "height",
    ] = "fire"
    degree: Name = ""
    way: Square = (0, 0)
    shod: bool = False
    over: bool = False


class Rest(Act, frozen=True, gc=False, tag="rest"):
    """The game master lets time pass between fights, and everybody rests.

    hours: so many hours.
    minutes: so many minutes.
    bed: rest the whole day.
    healer: who tends the wounded; empty for nobody.
    care: for as long as it takes.
    interrupted: what kept the rest from healing; empty for nothing.
    """

    declared_by = "game master"

    hours: Number = 0
    minutes: Number = 0
    bed: bool = False
    healer: Name = ""
    care: bool = False
    interrupted: Name = ""


class Sleep(Act, frozen=True, gc=False, tag="sleep"):
    """The game master lets somebody have slept, in what it wears."""

    declared_by = "game master"

    target: Name = ""
