"""Which of two rules of one text takes precedence: a tree of rules and their exceptions, as data.

Futurepath carries unfinished new rules above complete old ones. An old rule is the base, the new one an
exception to it, and what comes back in a narrower case an exception to the exception. A dialect's
`precedence.toml` holds the tree; `Tree.in_force` says who wins, and a tree in which two exceptions could win
at once is refused when it is loaded.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

from msgspec import Struct

from affray.engine.book.errors import BadPrecedence

NOTHING: Mapping[str, str] = {}


class Exceptional(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that takes precedence over another one.

    `when` maps contested options to the readings under which it does, and situations of play ("degree of
    cover") to what must hold of them ("declared"); all have to hold. Without a contested option among them it
    takes precedence as the edition says. `part` names the part of the other rule that it speaks of, "" for
    all of it: the other one stays in force for its other parts, and where nobody asks for a part.
    """

    rule: str
    over: str
    why: str
    when: dict[str, tuple[str, ...]] = {}
    part: str = ""

    def excludes(self, other: "Exceptional") -> bool:
        """Say whether the two can never hold together: they speak of other parts, or ask for other things."""
        if self.part and other.part and self.part != other.part:
            return True
        return any(set(values).isdisjoint(other.when.get(name, values)) for name, values in self.when.items())


class PrecedenceFile(Struct, frozen=True, forbid_unknown_fields=True, rename={"exceptions": "exception"}):
    """A dialect's precedence.toml.

    `edition` is the contested option by whose default reading exceptions hold, `otherwise` the readings of
    other options that go with another edition, where an encounter names none.
    """

    edition: str = ""
    otherwise: dict[str, str] = {}
    exceptions: tuple[Exceptional, ...] = ()


class Tree:
    """The rules of a dialect that exclude each other, and who wins.

    `defaults` are the dialect's contested options with their default readings. Lookups cost as much as the
    chain of exceptions is long.
    """

    def __init__(self, said: PrecedenceFile, defaults: Mapping[str, str]) -> None:
        self.said, self.defaults = said, defaults

    def over(self, rule: str) -> list[Exceptional]:
        """Return the exceptions to a rule, in the order of the file."""
        return [one for one in self.said.exceptions if one.over == rule]

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """The rules that are an exception to none, in the order of the file."""
        above = {one.rule for one in self.said.exceptions}
        return tuple(dict.fromkeys(one.over for one in self.said.exceptions if one.over not in above))

    def readings(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the reading in force of every contested option: chosen, the edition's, the default."""
        old = self.said.otherwise if self._is_another_edition(chosen) else NOTHING
        return {**self.defaults, **old, **chosen}

    def in_force(
        self, rule: str, chosen: Mapping[str, str], situation: Mapping[str, str] = NOTHING, part: str = ""
    ) -> str:
        """Return the rule that is in force of all that rest on `rule`, under an encounter's chosen readings.

        `situation` says what holds at the moment of what exceptions ask for, `part` of which part of the rule
        is asked.
        """
        facts = {**self.readings(chosen), **situation}
        while found := next(
            (one for one in self.over(rule) if one.part in ("", part) and self._holds(one, chosen, facts)),
            None,
        ):
            rule = found.rule
        return rule

    def redirected(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the rules that are not in force under these readings, whatever the situation, and which is.

        An exception that cannot hold gives way to the rule below it; a rule with an exception that holds in
        every situation gives way to that.
        """
        ids = dict.fromkeys(id for one in self.said.exceptions for id in (one.over, one.rule))
        found = {id: self.in_force(self._below(id, chosen), chosen) for id in ids}
        return {id: rule for id, rule in found.items() if id != rule}

    def root(self, rule: str) -> str:
        """Return the base that a rule rests on, the first of several; itself if it is no exception."""
        while below := next((one.over for one in self.said.exceptions if one.rule == rule), ""):
            rule = below
        return rule

    def walk(self, rule: str, depth: int = 1) -> Iterator[tuple[int, Exceptional]]:
        """Yield the exceptions that rest on a rule, each with its depth, every one before those to it."""
        for one in self.over(rule):
            yield depth, one
            yield from self.walk(one.rule, depth + 1)

    def check(self, figures: Mapping[str, Any], options: Mapping[str, Iterable[str]]) -> None:
        """Accept the tree of a catalogue with these rules and figures, and options with these readings.

        Raises BadPrecedence for a rule, an option or a reading that there is not, and for two exceptions to
        one rule that could take precedence together, unless their figures are the same.
        """
        chosen = [*self.said.otherwise.items()]
        for one in self.said.exceptions:
            for id in (one.rule, one.over):
                if id not in figures:
                    raise BadPrecedence(f"{one.rule} over {one.over}: the catalogue has no rule {id!r}")
            known = {name: values for name, values in one.when.items() if name in options}
            chosen += [(name, value) for name, values in known.items() for value in values]
        for name, value in (*chosen, *([(self.said.edition, "")] if self.said.edition else [])):
            if name not in options or (value and value not in options[name]):
                raise BadPrecedence(f"no contested rule is called {name!r} with the reading {value!r}")
        for over in dict.fromkeys(one.over for one in self.said.exceptions):
            self._refuse_circle(over)
            for one, other in combinations(self.over(over), 2):
                same = figures[one.rule] is not None and figures[one.rule] == figures[other.rule]
                if not one.excludes(other) and not same:
                    raise BadPrecedence(
                        f"{one.rule} and {other.rule} could both take precedence over {over}, and differ"
                    )

    def _refuse_circle(self, rule: str) -> None:
        rest = [rule]
        while rest:
            above = [one.rule for each in rest for one in self.over(each)]
            if rule in above:
                raise BadPrecedence(f"{rule} takes precedence over itself")
            rest = above

    def _is_another_edition(self, chosen: Mapping[str, str]) -> bool:
        edition = self.said.edition
        return bool(edition) and chosen.get(edition, self.defaults[edition]) != self.defaults[edition]

    def _holds(self, one: Exceptional, chosen: Mapping[str, str], facts: Mapping[str, str]) -> bool:
        """Say whether an exception takes precedence, as far as the facts tell."""
        if self._is_another_edition(chosen) and not any(name in self.defaults for name in one.when):
            return False
        return all(facts.get(name) in values for name, values in one.when.items())

    def _below(self, rule: str, chosen: Mapping[str, str]) -> str:
        """Return the rule itself if some situation lets it take precedence, else what it rests on."""
        facts = self.readings(chosen)
        own = [one for one in self.said.exceptions if one.rule == rule]
        for one in own:
            if self._holds(one, chosen, {**{name: values[0] for name, values in one.when.items()}, **facts}):
                return rule
        return self._below(own[0].over, chosen) if own else rule
