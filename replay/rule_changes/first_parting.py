"""Where two ways to decide a declaration first part, and by which rules."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from affray.events.codec import encode
from affray.events.facts.flow import RoundEnded
from affray.projections.audit import Part, cited, parts_of_fact
from affray.replay.no_outcome import NO_OUTCOME


def same_fact(a: Any, b: Any) -> bool:
    """Say whether two facts tell the same; the digest of the state at a round's end does not count.

    It covers the readings that were chosen, and differs with them.
    """
    if type(a) is not type(b):
        return False
    if type(a) is RoundEnded:
        return bool(a.number == b.number)
    # The parts of an attack may stand in a fact as they will be written: then their bytes tell.
    return bool(a == b or encode(a) == encode(b))


def first_apart(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return the place of the first fact that differs; the length of both if they are the same."""
    for at, (one, other) in enumerate(zip(a, b, strict=False)):
        if not same_fact(one, other):
            return at
    return min(len(a), len(b))


def rules_apart(a: Sequence[Any], b: Sequence[Any], about: Collection[str] = ()) -> tuple[str, ...]:
    """Return the rules cited where the facts of a declaration first part, those that tell it apart first.

    These are the rules of the modifiers that only one of both has; then of those `about` which the change is
    and that are cited there; then what only one of both cites; then all. Where no rule is cited (a roll), the
    facts that follow are asked.
    """
    at = first_apart(a, b)
    for near in (1, None):
        one, other = a[at:][:near], b[at:][:near]
        all_cited = [rule for fact in (*other, *one) for rule in cited(fact)]
        if all_cited:
            mine, theirs = ({rule for fact in side for rule in cited(fact)} for side in (one, other))
            first = [
                *_rules_of_parts(one, other),
                *(rule for rule in all_cited if rule in about),
                *(rule for rule in all_cited if (rule in mine) != (rule in theirs)),
            ]
            return tuple(dict.fromkeys((*first, *all_cited)))
    return ()


def apart_in_words(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any]:
    """Return the first facts that differ and are outcomes, None where one side has none."""
    at = first_apart(a, b)
    return next(_outcomes(a[at:]), None), next(_outcomes(b[at:]), None)


def _outcomes(facts: Sequence[Any]) -> Iterator[Any]:
    return (fact for fact in facts if fact.__struct_config__.tag not in NO_OUTCOME - {"invalidated"})


def _rules_of_parts(a: Sequence[Any], b: Sequence[Any]) -> Iterator[str]:
    mine, theirs = ([part for fact in side for part in _parts(fact)] for side in (a, b))
    for part in (*theirs, *mine):
        if part.rule and ((part in mine) != (part in theirs)):
            yield part.rule


def _parts(fact: Any) -> Iterator[Part]:
    return parts_of_fact(0, fact)
