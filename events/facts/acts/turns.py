"""A turn in time: what is planned, put off, readied, done by halves and on the way of a movement."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.events.facts.acts.attacks import (
    Attack,
    AwesomeBlow,
    Brace,
    CalledShot,
    Charge,
    CoupDeGrace,
    FullAttack,
    Ignore,
    KnockoutBlow,
    Manyshot,
    Skirmish,
    TotalDefense,
    Trample,
)
from affray.events.facts.acts.care import (
    Bind,
    BreakFree,
    Extinguish,
    GetFree,
    Rouse,
    Stabilize,
    TendFeet,
    Treat,
)
from affray.events.facts.acts.gear import (
    Burst,
    Doff,
    Don,
    Draw,
    Drop,
    Envenom,
    Gather,
    Grip,
    Handle,
    Lift,
    Load,
    Prepare,
    Repair,
    Sheathe,
    Shelter,
)
from affray.events.facts.acts.magic import (
    Activate,
    Cast,
    Counter,
    Dismiss,
    Identify,
    LowerResistance,
    Maintain,
    Redirect,
    Touch,
    TurnUndead,
)
from affray.events.facts.acts.maneuvers import (
    BullRush,
    Demoralize,
    DirtyTrick,
    Disarm,
    Drag,
    Feint,
    Grab,
    Grapple,
    Overrun,
    Pilfer,
    Push,
    Recover,
    Reposition,
    Steal,
    Stunt,
    Sunder,
    Trip,
)
from affray.events.facts.acts.movement import Clamber, Jump, Move, Run, ShakeOff, Stand, Step, Withdraw
from affray.events.facts.acts.riding import Dismount, Guide, Mount
from affray.events.facts.acts.skills import Aid, Hide, Seek, Speak, UseAbility, UseFeat, UseSkill
from affray.events.facts.base import Act, Name, Number, Path, Square


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
