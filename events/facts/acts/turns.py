"""A turn in time: what is planned, put off, readied, done by halves."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.events.facts.acts.attacks import (
    Attack,
    Brace,
    CalledShot,
    Charge,
    CoupDeGrace,
    FullAttack,
    TotalDefense,
)
from affray.events.facts.acts.care import BreakFree, GetFree
from affray.events.facts.acts.gear import Draw, Drop, Handle, Load, Sheathe
from affray.events.facts.acts.magic import Activate, Cast, Counter, Touch, TurnUndead
from affray.events.facts.acts.maneuvers import (
    BullRush,
    Disarm,
    Feint,
    Grab,
    Grapple,
    Push,
    Stunt,
    Sunder,
    Trip,
)
from affray.events.facts.acts.movement import Move, Run, Stand, Step, Withdraw
from affray.events.facts.acts.skills import Aid, Speak
from affray.events.facts.base import Act, Name, Number, Square


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
    then: the act.
    step: the square of a 5-foot step before it.
    """

    trigger: Trigger = Trigger("moves")
    then: (
        Attack
        | Move
        | Cast
        | Step
        | TotalDefense
        | Stand
        | Brace
        | Trip
        | Disarm
        | Sunder
        | Feint
        | Counter
        | Grapple
        | BullRush
        | Aid
        | Activate
        | TurnUndead
        | Draw
        | Handle
        | Drop
        | Speak
        | Push
        | Grab
        | Stunt
        | Sheathe
        | Touch
    ) = field(default_factory=Attack)
    step: Square | None = None


class Plan(Act, frozen=True, gc=False, tag="plan"):
    """Declare at the start of a round what one means to do.

    actions: the actions of the round.
    after: somebody faster whose turn one waits for.
    ready: what a readied action will be, and what sets it off.
    """

    actions: Annotated[tuple[Intent, ...], Meta(max_length=20)] = ()
    after: Name = ""
    ready: Ready | None = None


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
