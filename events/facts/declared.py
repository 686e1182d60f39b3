"""What people said: declarations, refusals, questions and answers."""

from msgspec import UNSET, Struct, UnsetType

from affray.events.facts import acts
from affray.events.facts.base import Count, Name, Texts, Told, Words

AnyAct = (
    acts.Enter
    | acts.Begin
    | acts.Plan
    | acts.EndTurn
    | acts.Doable
    | acts.Ready
    | acts.Sleep
    | acts.Circumstance
    | acts.Hazard
    | acts.Rest
    | acts.Fall
    | acts.Expose
    | acts.Opening
    | acts.Rule
    | acts.Fiat
    | acts.Close
)


REFUSED = "x"
"""What the id of a refused declaration begins with: it moves no number of those that count."""


class Declared(Struct, frozen=True, gc=False, tag_field="type", tag="declared"):
    """Somebody said what they do. `id` counts declarations (d1, d2, ...), and apart those refused (x1, ...).

    In older logs refused ones count with the others. What a ruling puts in between has the id of its
    neighbour with a number behind it (d5.1, xd5.1). What a player says at a table that is served has
    `by_chance`: whether its words name a combatant that was hidden from that player. Then they tell nothing
    of it.
    """

    id: Name
    act: AnyAct
    by: Name = ""
    by_chance: bool | UnsetType = UNSET


class Refused(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="refused"):
    """The rules forbid the declaration; nothing changed.

    On a branch a declaration that was refused on the line before `stays` so where the rules would allow it,
    for the reason it was refused then. The field is written only where it is true.
    """

    id: Name
    reason: Told
    rule: Name
    stays: bool = False


class Asked(Struct, frozen=True, gc=False, tag_field="type", tag="asked"):
    """The fight waits for an answer; for a roll, `notation` says which dice somebody must throw."""

    key: Words
    who: Name
    question: Told
    options: Texts
    rule: Name = ""
    notation: Words = ""


class Chosen(Struct, frozen=True, gc=False, tag_field="type", tag="chosen"):
    """A question was answered. `by` tells who: a person, the script, or the name of a policy."""

    key: Words
    who: Name
    answer: Words
    by: Name
    question: Told = ""
    options: Texts = ()
    rule: Name = ""


class Invalidated(Struct, frozen=True, gc=False, tag_field="type", tag="invalidated"):
    """On a branch, a recorded declaration has become impossible and is skipped."""

    id: Name
    reason: Told
    rule: Name


class Disputed(Struct, frozen=True, gc=False, tag_field="type", tag="disputed"):
    """Somebody contests event `event`, which belongs to declaration `subject`. `id`: Q1, Q2, ...

    `by_chance` is as in a declaration.
    """

    id: Name
    by: Name
    claim: Words
    event: Count
    subject: Name = ""
    by_chance: bool | UnsetType = UNSET


class Ruled(Struct, frozen=True, gc=False, tag_field="type", tag="ruled"):
    """The game master decided something by hand.

    `verdict` is void, upheld, overturned, amended, or ends (what a ruling lent is over). `id` (R1, R2,
    ...) is what outcomes cite as ruling:R1; `dispute` the dispute it settles, `event` the event it is
    about on the line that it leaves. `scope` is event, onward or fight, `changes` what the ruling means.
    """

    author: Words
    verdict: Name
    text: Words
    subject: Name = ""
    id: Name = ""
    dispute: Name = ""
    event: Count = 0
    scope: Name = "event"
    changes: Texts = ()


class BranchPromoted(Struct, frozen=True, gc=False, tag_field="type", tag="branch.promoted"):
    """From here on this branch is the main line."""

    name: Name
    by: Words = ""
