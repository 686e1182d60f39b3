"""Why, for a whole turn: what was declared in it, what came of it, and what everything adds up to."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field

from affray.engine.book.card import wrapped
from affray.events.codec import decode
from affray.events.facts import combat, declared, flow
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.replay.decisions import decides
from affray.replay.explanation import Why, sums, why
from affray.replay.narrate import SILENT, Narrator
from affray.replay.playhead import Playhead, state_at

_UNSAID = (SILENT | {Rolled, flow.RoundEnded}) - {combat.EffectEnded}


class TurnExplained(Struct, tag_field="format", tag="affray-why-turn"):
    """A turn, or a round, from event `first` to `last` of a branch; `outcomes` explains what was decided.

    As JSON it is what `replay/why.schema.json` says, with `outcomes` as `events`.
    """

    branch: str
    first: int
    last: int
    outcomes: list[Why] = field(name="events")
    version: Literal[1] = 1


def turn_explained(store: Store, branch: str, position: str) -> TurnExplained:
    """Explain the turn (r1.t3) or the round (r1) that begins at a position.

    O(events of the line, and what explaining each outcome costs). Raises BadPosition.
    """
    playhead = Playhead(store, branch)
    timeline = playhead.timeline
    first = timeline.seq_of(position)
    mark = timeline.at_or_before(first)
    following = timeline.after(first, rounds=mark is not None and not mark.turn)
    until_round = timeline.after(first, rounds=True)
    ends = [one.seq - 1 for one in (following, until_round) if one is not None]
    last = min([*ends, timeline.last])
    outcomes = [
        found
        for event in store.read(playhead.branch, first - 1, last)
        if event.type != "declared" and decides(decode(event))
        for found in [why(store, playhead.branch, event.seq)]
    ]
    return TurnExplained(playhead.branch, first, last, outcomes)


def turn_rows(store: Store, turn: TurnExplained, width: int) -> Iterator[str]:
    """Yield the explanation of a turn as a person reads it: each event, sums below it, and the rules."""
    known = {found.explanation.seq: found for found in turn.outcomes}
    narrator = Narrator(state_at(store, turn.branch, turn.first - 1))
    for event in store.read(turn.branch, turn.first - 1, turn.last):
        fact = decode(event)
        said = narrator.brief(fact)
        if type(fact) in _UNSAID:
            continue
        heading = type(fact) in (flow.RoundBegan, flow.TurnBegan, declared.Declared)
        if heading:
            yield ""
        indent = "" if heading else "  "
        yield from wrapped(f"#{event.seq:<5} {said}", width, indent, indent + " " * 7)
        if found := known.get(event.seq):
            yield from (f"       {row}" for row in sums(found))
    rules = {rule.id: rule.title for found in turn.outcomes for rule in found.rules}
    if rules:
        yield from ("", "Rules")
        wide = max(map(len, rules))
        yield from (f"  {id:<{wide}}  {title}".rstrip() for id, title in rules.items())
    yield from ("", "An event by itself, with its dice and the wording of its rules: affray why DB SEQ")
