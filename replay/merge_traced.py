"""Which branches of a merge hold what stands at the events of the new line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from affray.engine.dice import RULED
from affray.events.envelope import Entry
from affray.events.facts.declared import Chosen, Declared, Ruled
from affray.events.facts.flow import OptionsChanged
from affray.events.facts.rolled import Rolled
from affray.replay.merged_lines import BY_HAND, Change
from affray.replay.scripts import BESIDE, fact_of


def traced(
    entries: Sequence[Entry],
    at: int,
    changes: Iterable[Change],
    added: Mapping[str, Iterable[str]],
    answered: Mapping[str, Sequence[str]],
) -> dict[int, list[str]]:
    """Return which branches hold what stands at the events of a line that goes on after event `at`.

    `added` are declarations by the branch that made them, `answered` the branches by the key of what they
    alone answered. O(entries).
    """
    holds: dict[tuple[str, str], set[str]] = {}
    for change in changes:
        for mark in _marks(change):
            holds.setdefault(mark, set()).update(change.branches)
    for branch, ids in added.items():
        for id in ids:
            holds.setdefault(("declared", id), set()).add(branch)
    for key, names in answered.items():
        holds.setdefault(("said", key), set()).update(names)
    found = {}
    for seq, made in enumerate(entries, at + 1):
        held = set[str]().union(*(holds.get(mark, ()) for mark in _marks_of(made)))
        if held:
            found[seq] = sorted(held)
    return found


def _marks(change: Change) -> Iterator[tuple[str, str]]:
    """Yield by what the events are known that a change makes."""
    ruling = change.ruling
    if ruling is not None:
        yield "ruled", ruling.id or ruling.text
    for id in (change.subject, change.revived):
        if id:
            yield "declared", id
    for key in change.faces:
        yield "hand", key
    if change.options is not None:
        yield from (("option", f"{name}={value}") for name, value in change.options.options.items())
    if change.beside is not None:
        yield "beside", repr(change.beside.facts[0])


def _marks_of(made: Entry) -> Iterator[tuple[str, str]]:
    """Yield by what an event is known, and which rulings it cites."""
    fact = fact_of(made)
    kind = type(fact)
    cited = *getattr(fact, "cites", ()), getattr(fact, "by", ""), getattr(fact, "provenance", "")
    yield from (("ruled", one.removeprefix(RULED)) for one in cited if one.startswith(RULED))
    if kind is Ruled:
        yield "ruled", fact.id or fact.text
    elif kind is Declared:
        yield "declared", fact.id
    elif kind is Rolled:
        yield "hand" if fact.provenance == BY_HAND else "said", fact.key
    elif kind is Chosen:
        yield "said", fact.key
    elif kind is OptionsChanged:
        yield from (("option", f"{name}={value}") for name, value in fact.options.items())
    elif kind in BESIDE:
        yield "beside", repr(fact)
