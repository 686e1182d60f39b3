"""What was answered and thrown on the branches of a merge, and which of their questions are still open."""

from collections.abc import Collection, Sequence
from typing import Any

from affray.engine.dice import RULED
from affray.engine.table.policies import AGAIN
from affray.events.facts.declared import Asked, Chosen
from affray.events.facts.rolled import Rolled
from affray.replay.merged_lines import Lines
from affray.replay.scripts import Script

BY_PEOPLE = frozenset({"physical", "scripted", "imported"})
"""Where faces come from that follow from no seed: who throws again throws others."""

Said = dict[str, dict[str, Any]]
"""Answers and throws by declaration and key."""


class Given:
    """What people answered and threw on the branches `names`, each as it was played.

    Left out is what follows by itself: faces of the seed, what a ruling or a what-if gave, and what a policy
    answered where a line was decided again. `open` is what a branch waits for that none has answered.
    """

    open: frozenset[str] = frozenset()

    def __init__(self, read: Lines, names: Sequence[str]) -> None:
        self.read, self.names = read, names
        self._on = {name: self._said(name) for name in names}
        self._held: Said = {}

    def _said(self, name: str) -> Said:
        found: Said = {}
        for script in self.read.scripts(name):
            for fact in script.facts:
                if _is_said(fact):
                    found.setdefault(script.id, {})[fact.key] = fact
        return found

    def parted(self, one: str, other: str) -> tuple[str, str, str] | None:
        """Return the first declaration in which two branches answered or threw the same otherwise, and how.

        None if they did nowhere. What only one of them asks or throws is no difference, nor are other dice.
        """
        for id, said in self._on[one].items():
            for key, fact in said.items():
                theirs = self._on[other].get(id, {}).get(key)
                if type(theirs) is type(fact) and _differ(fact, theirs):
                    return id, _called(fact), _called(theirs)
        return None

    def hold(self, names: Sequence[str]) -> None:
        """Let what was said on these branches hold; they contradict each other nowhere."""
        self._held, waiting, answered = {}, set[str](), set[str]()
        for name in names:
            for id, said in self._on[name].items():
                self._held.setdefault(id, {}).update(said)
            waiting.update(_open(self.read.scripts(name)))
            answered.update(fact.key for fact in self.read.answers(name))
        self.open = frozenset(waiting - answered)

    def knowing(self, script: Script) -> Script:
        """Return a declaration with all that is known of it, what people said before all else."""
        first, *rest = script.facts
        more = {**self._held.get(script.id, {})}
        rest = [fact for fact in rest if getattr(fact, "key", "") not in more.keys() | self.open]
        known = {fact.key for fact in rest if hasattr(fact, "key") and type(fact) is not Asked}
        for name in self.names:
            for fact in self.read.answers(name, script.id):
                if fact.key not in known:
                    more.setdefault(fact.key, fact)
        # Who has answered on a branch has answered: the question that the line ended with is open no more.
        rest = [fact for fact in rest if type(fact) is not Asked or fact.key not in more]
        return Script(script.id, [first, *more.values(), *rest], script.owner, script.round)

    def alone(self) -> dict[str, list[str]]:
        """Return by its key which branches hold what people said, where not all of them do."""
        found: dict[str, list[str]] = {}
        for name in self.names:
            for id, said in self._on[name].items():
                for key, fact in said.items():
                    held = self._held.get(id, {}).get(key)
                    if held is not None and not _differ(fact, held):
                        found.setdefault(key, []).append(name)
        return {key: names for key, names in found.items() if len(names) < len(self.names)}

    def unasked(self, gone: Collection[str], asked: Collection[str]) -> dict[str, str]:
        """Return what people answered to questions that are not `asked`, by key, but of what is `gone`."""
        return {
            key: fact.answer
            for id, said in self._held.items()
            if id not in gone
            for key, fact in said.items()
            if type(fact) is Chosen and key not in asked
        }


def _is_said(fact: Any) -> bool:
    if type(fact) is Chosen:
        return not fact.by.startswith((AGAIN, RULED))
    return type(fact) is Rolled and fact.provenance in BY_PEOPLE


def _differ(fact: Any, theirs: Any) -> bool:
    if type(fact) is Chosen:
        return bool(fact.answer != theirs.answer)
    return bool(fact.notation == theirs.notation and fact.faces != theirs.faces)


def _called(fact: Any) -> str:
    if type(fact) is Chosen:
        return f"the answer {fact.answer!r} to {fact.key}"
    return f"the throw of {','.join(map(str, fact.faces))} for {fact.key}"


def _open(line: Sequence[Script]) -> set[str]:
    """Return the keys of the questions and throws with which declarations end unanswered."""
    return {script.facts[-1].key for script in line if type(script.facts[-1]) is Asked}
