"""Merge: what was ruled on several branches of a fight put into one line, by deciding it again.

Nothing is compared but what was declared and what was changed by hand. The line is decided again from the
last event that the branches have in common, each change in its place; so the order of the branches does not
matter.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from affray.engine.table.policies import Answers, by_combatant
from affray.events.store import Store
from affray.projections.state import digest
from affray.replay.difference import Difference, diff
from affray.replay.merge_conflicts import Side, side
from affray.replay.merge_origins import Origins, keep_origins
from affray.replay.merge_traced import traced
from affray.replay.merging import Putting
from affray.replay.scripts import Script
from affray.replay.whatif import free_name


class Merged(Struct):
    """What a merge did: the branch `name` leaves `parent` after event `at`, where all `branches` part.

    `held` are the changes that hold on it, in the order of the line; `agreed` those that said what another
    one says, `dropped` those that gave way to the side taken, `idle` those that one of their own branches
    left without an object. `added` are declarations that only some of the branches have made, `left_out`
    those that the line has not taken over, by the branch that holds them. `unasked` are answers of people on
    a branch, by the key of their question, which nobody asks on the line. `digest` is that of the state at
    its end. The rest is as in `WhatIf`; `differences` compare each branch with the new one.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Ruling, import_notation, merge, what_if
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> high = Ruling("it stands higher", ("goblin.defense+1:high ground",), author="Bob")
    >>> one = what_if(store, "main", at=19, ruling=high, name="high")
    >>> two = what_if(store, "main", faces={"d4/fighter/damage/1": [8]}, name="hard")
    >>> merged = merge(store, ["high", "hard"])
    >>> [side.what for side in merged.held], merged.dropped
    (['d4/fighter/damage/1=8', "the ruling 'it stands higher'"], [])
    """

    name: str
    branches: list[str]
    parent: str
    at: int
    head: int
    digest: str
    redecided: int
    held: list[Side]
    agreed: list[Side] = field(default_factory=list)
    dropped: list[Side] = field(default_factory=list)
    idle: list[Side] = field(default_factory=list)
    added: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    invalidated: dict[str, tuple[str, str]] = field(default_factory=dict)
    possible: list[str] = field(default_factory=list)
    allowed: dict[str, tuple[str, str]] = field(default_factory=dict)
    revived: list[str] = field(default_factory=list)
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    unasked: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


def merge(
    store: Store,
    branches: Sequence[str],
    *,
    name: str = "",
    take: Sequence[str] = (),
    answers: Answers | None = None,
    leave_open: bool = False,
) -> Merged:
    """Put what was changed by hand on several branches into one new line, and return what came of it.

    Rulings, faces and readings given by hand, revived and amended declarations of all branches hold on it,
    and so does what was declared since on one of them. All is decided again from where they part, with the
    recorded dice and answers; new questions go to `answers` (and with `leave_open` stay open), as in
    `what_if`. What one branch has answered is answered; what is open on a branch and answered on none stays
    open, and the line ends there, whatever `answers` would say.

    A change that finds nothing to rule on any more, two that say different things of the same, and branches
    that were played on or answered in different ways are conflicts: MergeConflict names both sides of each,
    nothing is written. `take` settles them for a branch or a ruling: its side holds, the other goes. O(events
    after the parting), once more for two changes of one declaration and for each change of a conflict. Raises
    also BadMerge, UnknownStream, InvalidBranch.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Ruling, merge, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> stones = Ruling("the fallen stones cover her", ("sorcerer.defense+4:cover",), author="GM")
    >>> one = what_if(store, "main", at=52, ruling=stones, name="stones")
    >>> two = what_if(store, "main", faces={"d6/ogre/attack/1": [2]}, name="luck")
    >>> merged = merge(store, ["stones", "luck"], name="both")
    >>> merged.parent, merged.at
    ('main', 23)
    """
    name = free_name(store, name, "merge")
    putting = Putting(store, branches, take, answers or by_combatant(), leave_open)
    attempt = putting.join()
    again, at = attempt.again, putting.after
    common, taken = putting.read.line(putting.stream).plain, putting.longest.plain
    # The numbers of declarations are those of the parent, and what was refused there stays so.
    parent = putting.stream if {*taken} <= {*common} else putting.longest.name
    store.fork(name, parent, at)
    store.append(name, attempt.entries, at)
    declared = {line.name: line.plain for line in putting.lines}

    def is_taken(script: Script) -> bool:
        found = taken.get(script.id)
        return found is not None and found.facts[0].act == script.facts[0].act

    added = _these(
        declared, lambda one: is_taken(one) and any(one.id not in ids for ids in declared.values())
    )
    found = traced(attempt.entries, at, putting.changes, added, putting.given.alone())
    keep_origins(store, name, Origins(putting.names, found))
    return Merged(
        name=name,
        branches=putting.names,
        parent=parent,
        at=at,
        head=at + len(attempt.entries),
        digest=digest(attempt.state),
        redecided=again.count,
        held=[side(change) for change in putting.changes],
        agreed=putting.agreed,
        dropped=putting.dropped,
        idle=putting.idle,
        added=added,
        left_out=_these({putting.stream: common} | declared, lambda one: not is_taken(one)),
        invalidated=again.invalidated,
        possible=again.possible,
        allowed=again.allowed,
        revived=again.revived,
        refused=again.refused,
        fresh=again.fresh,
        asked=again.asked,
        ended=again.ended,
        waiting=again.waiting.question if again.waiting is not None else "",
        unasked=putting.given.unasked(
            {*attempt.left, *again.invalidated, *again.refused},
            {*again.choices, again.waiting.key if again.waiting is not None else ""},
        ),
        left=attempt.left,
        differences=[diff(store, one, name) for one in putting.names],
    )


def _these(
    declared: Mapping[str, Mapping[str, Script]], wanted: Callable[[Script], bool]
) -> dict[str, list[str]]:
    """Return the declarations of each branch that are wanted, without branches that have none."""
    found = {name: [id for id, one in line.items() if wanted(one)] for name, line in declared.items()}
    return {name: ids for name, ids in found.items() if ids}
