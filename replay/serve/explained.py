"""Explained: why something came out as it did, as far as the table may know it."""

from typing import Any

import msgspec

from affray.events.store import Store
from affray.replay.explanation import why
from affray.replay.groups import group_of
from affray.replay.mentions import NAMES_HIDDEN
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.counting import PASSING, Counted
from affray.replay.serve.errors import Problem
from affray.replay.serve.glimpses import UNHEARD
from affray.replay.serve.passing import Passing
from affray.replay.serve.retold import own_why
from affray.replay.sieve import every_text


def explained(store: Store, audience: Audience, counted: Counted, number: int) -> dict[str, Any]:
    """Return the explanation of an event of the main line that an audience is told under a number.

    Raises Problem where anything in it is not to be known.
    """
    branch = store.main_line()
    seq = counted.seqs[number - 1]
    group = group_of(store, branch, seq)
    passing = Passing(store, branch, group[-1].seq, framed=False)
    eyes = Eyes(audience, passing.state)
    for one in passing.group:
        eyes.learn(one.event, one.fact)
    shut = Problem("hidden", f"event {number} cannot be explained to you: others' numbers are in it")
    before = [one for one in passing.group if one.event.seq <= seq]
    # What happens as a turn is over may follow from a turn that is not seen.
    if audience.hide and any(one.event.type in PASSING for one in before):
        raise shut
    for one in before:
        held_back = eyes.why(one.event, one.fact)
        # Where the hidden took part unseen it is explained as if they had not, unless it names them.
        unseen = held_back in (NAMES_HIDDEN, UNHEARD) and not counted.is_told(one.event.seq)
        if held_back and not unseen:
            raise shut
    found = why(store, branch, seq)
    cast = eyes.cast
    found = msgspec.structs.replace(
        found,
        names={id: cast.name(id) for id in found.names if id not in audience.hide},
        # What a ruling changes may be anybody's numbers; what it says was said to all.
        rulings=[msgspec.structs.replace(one, changes=()) for one in found.rulings],
        # The rules reckon chances with all that is true, whoever may know it.
        odds=[],
    )
    if any(map(eyes.sieve.names_hidden, every_text(msgspec.to_builtins(found)))):
        raise shut
    return own_why(found, counted, passing.group)
