"""One declaration decided again as it was recorded, and what parts the rules from the record."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from affray.engine.fight.fight import Fight
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import ask
from affray.engine.table.runner import refusal_of, resolve
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.declared import Asked, Declared, Invalidated, Ruled
from affray.events.store import Store
from affray.projections.fold import apply
from affray.replay.groups import Recording, groups

Refusal: TypeAlias = tuple[bytes, str, str]
"""The declaration as it is stored, the reason and the rule of its refusal."""


LONGEST = 100_000
"""So many characters of stored data are kept of a difference."""


class Parted(Exception):
    """The rules go on where the log ends, or end where it goes on."""

    def __init__(self, event: Event, recorded: str, found: str) -> None:
        super().__init__(found)
        self.event, self.recorded, self.found = event, recorded, found


def decided_again(fight: Fight, first: Declared, group: Sequence[Event], facts: Sequence[Any]) -> None:
    """Decide a declaration again with the recorded dice and answers; the state is that behind it afterwards.

    Raises Parted, and RulesChanged where an event comes out otherwise than it was recorded.
    """
    ends = next((at for at, fact in enumerate(facts) if type(fact) in (Ruled, Invalidated)), len(facts))
    known = Recording.of(facts)
    result = resolve(
        fight,
        first,
        seq=group[0].seq,
        dice=known.dice(),
        answers=RecordedAnswers(known.answers, ask),
        recorded=group[:ends],
    )
    last = facts[-1]
    if type(last) is Invalidated:
        told = (last.reason, last.rule)
        found = (result.refused.reason, result.refused.rule) if result.refused else ("no refusal", "")
        if told != found:
            raise Parted(group[-1], _cited(*told), _cited(*found))
    elif result.entries:
        raise Parted(group[ends - 1], "nothing more", shown(result.entries[0].data))
    elif ends < len(facts):
        for fact in facts[ends:]:
            apply(fight.state, fact)
        fight.memory.touch_everything()
    elif result.waiting is not None and type(last) is not Asked:
        raise Parted(group[-1], "the end", f"a question: {result.waiting.question}")


def stays_refused(
    fight: Fight, group: Sequence[Event], facts: Sequence[Any], before: Mapping[str, Refusal]
) -> None:
    """Decide whether a declaration was refused on the line before, and would be allowed on this one.

    Raises Parted if not.
    """
    (first, last), event = facts, group[-1]
    told = _cited(last.reason, last.rule)
    if before.get(first.id) != (group[0].data, last.reason, last.rule):
        raise Parted(event, f"refused on the line before: {told}", "no such refusal there")
    apply(fight.state, first)
    fight.memory.touch_everything()
    refusal = refusal_of(fight, first)
    if refusal is not None:
        found = _cited(refusal.reason, refusal.rule)
        raise Parted(event, f"allowed, but refused on the line before: {told}", found)
    apply(fight.state, last)


def refusals_before(store: Store, branch: str) -> Iterator[tuple[str, Refusal]]:
    """Yield what was refused on the line that a branch left, after it left: by id the declaration and why."""
    left = next(store.lineage(branch))
    if left.parent:
        for group in groups(store.read(left.parent, after=left.at)):
            if group[-1].type == "refused":
                fact = decode(group[-1])
                yield fact.id, (group[0].data, fact.reason, fact.rule)


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason


def shown(data: bytes) -> str:
    """Return stored data as a report shows it: whole, unless it is longer than anything that is compared."""
    text = data.decode(errors="replace")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
