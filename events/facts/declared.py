"""What people said: declarations, refusals, questions and answers."""

from msgspec import Struct

from affray.events.facts import acts
from affray.events.facts.limits import Name, Words

AnyAct = (
    acts.Enter
    | acts.Begin
    | acts.Plan
    | acts.EndTurn
    | acts.Move
    | acts.Step
    | acts.Withdraw
    | acts.Run
    | acts.Charge
    | acts.Attack
    | acts.FullAttack
    | acts.TotalDefense
    | acts.Aid
    | acts.Delay
    | acts.Resume
    | acts.Ready
    | acts.Brace
    | acts.Cast
    | acts.Stand
    | acts.Drop
    | acts.Draw
    | acts.Sheathe
    | acts.Load
    | acts.CoupDeGrace
    | acts.Stabilize
    | acts.Speak
    | acts.Refocus
    | acts.Hazard
    | acts.Rule
    | acts.Close
)


class Declared(Struct, frozen=True, gc=False, tag_field="type", tag="declared"):
    """Somebody said what they do. `id` counts declarations: d1, d2, ..."""

    id: str
    act: AnyAct
    by: Name = ""


class Refused(Struct, frozen=True, gc=False, tag_field="type", tag="refused"):
    """The rules forbid the declaration; nothing changed."""

    id: str
    reason: str
    rule: str


class Asked(Struct, frozen=True, gc=False, tag_field="type", tag="asked"):
    """The fight waits for an answer; for a roll, `notation` says which dice somebody must throw."""

    key: str
    who: str
    question: str
    options: tuple[str, ...]
    rule: str = ""
    notation: str = ""


class Chosen(Struct, frozen=True, gc=False, tag_field="type", tag="chosen"):
    """A question was answered. `by` tells who: a person, the script, or the name of a policy."""

    key: str
    who: str
    answer: str
    by: Name
    question: str = ""
    options: tuple[str, ...] = ()
    rule: str = ""


class Invalidated(Struct, frozen=True, gc=False, tag_field="type", tag="invalidated"):
    """On a branch, a recorded declaration has become impossible and is skipped."""

    id: str
    reason: str
    rule: str


class Ruled(Struct, frozen=True, gc=False, tag_field="type", tag="ruled"):
    """The game master decided something by hand."""

    author: Words
    verdict: str
    text: Words
    subject: str = ""


class BranchPromoted(Struct, frozen=True, gc=False, tag_field="type", tag="branch.promoted"):
    """From here on this branch is the main line."""

    name: str
    by: str = ""
