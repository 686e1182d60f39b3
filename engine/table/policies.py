"""Policies: automatic answers to the questions of a fight.

A policy takes the fight, the key of the question and the choice, and returns (answer, by whom), or None to
let the fight wait for a person. Options are in the order of likelihood: the first is the usual answer at the
table.

>>> from affray.engine import packaged, play, policies
>>> from affray.events import MemoryStore
>>> table = play(packaged("demo_srd35"), MemoryStore(), answers=policies.ask)
>>> table.waiting.question
'sorcerer leaves a threatened square: does ogre take the attack of opportunity?'
>>> def merciful(fight, key, choice):
...     return ("decline", "me") if choice.purpose == "take" else policies.auto(fight, key, choice)
>>> play(packaged("demo_srd35"), MemoryStore(), answers=merciful).waiting is None
True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from affray.engine.dice import (
    DRAWN,
    PROVENANCES,
    ImpossibleFaces,
    Notation,
    Seeded,
    Source,
    Throw,
    commitment,
    joint_seed,
    rethrow,
)
from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice
from affray.events.codec import as_read
from affray.events.errors import AffrayError, InvalidEntry
from affray.events.facts.flow import Chosen
from affray.projections.state import Encounter


class Answers(Protocol):
    """Answers the questions of a fight."""

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return (answer, by whom), or None if the fight must wait for an answer."""


class LeftoverAnswers(AffrayError):
    """A script held answers that no question asked for."""


def auto(fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
    """Answer everything with the usual option."""
    return choice.options[0], "policy:auto"


def cautious(fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
    """Answer everything with the last option: decline, wait, let pass."""
    return choice.options[-1], "policy:cautious"


def ask(fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
    """Answer nothing: the fight waits for a person."""
    return None


NAMED: dict[str, Answers] = {"auto": auto, "cautious": cautious, "ask": ask}


AGAIN = "what-if"
"""The prefix of the answerer's name in a line that was decided again, for which no one was asked."""


def is_unchosen(fight: Fight, key: str, choice: Choice, given: tuple[str, str]) -> bool:
    """Return whether an answer was automatic: the policy with which the combatant entered gives it.

    The answer of any other policy may be a person's choice, and so may the answers for combatants that
    entered without a policy. Redecided lines ask no one.
    """
    if given[1].startswith(AGAIN):
        return True
    combatant = fight.state.combatants.get(choice.who)
    policy = NAMED.get(combatant.policy) if combatant is not None else None
    return policy is not None and policy(fight, key, choice) == given


class ByCombatant:
    """Follows the policy in each combatant's entry, `default` if there is none."""

    def __init__(self, default: Answers = auto) -> None:
        self.default = default

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return what the combatant's own policy answers."""
        combatant = fight.state.combatants.get(choice.who)
        named = combatant.policy if combatant is not None else ""
        return NAMED.get(named, self.default)(fight, key, choice)


by_combatant = ByCombatant
"""The name by which programs request it."""


class Recorded:
    """Answers known by key, used before any other policy is asked."""

    def __init__(self, known: Mapping[str, tuple[str, str]], then: Answers) -> None:
        self.known, self.then = known, then

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the known answer if it is among the options, otherwise that of `then`."""
        found = self.known.get(key)
        if found is not None and found[0] in choice.options:
            return found
        return self.then(fight, key, choice)


class Scripted:
    """Answers from a script, by purpose: "take", "ogre/take", or a whole key.

    A list is used up one by one; what is left at the end is an error (`check_empty`).
    """

    def __init__(self, answers: Mapping[str, str | list[str]], then: Answers = auto) -> None:
        self._left = {
            name: [given] if isinstance(given, str) else list(given) for name, given in answers.items()
        }
        self._then = then

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the scripted answer to a question. Raises AffrayError for one that is no option."""
        for name in (key, key.rsplit("/", 1)[0], f"{choice.who}/{choice.purpose}", choice.purpose):
            left = self._left.get(name)
            if left:
                answer = left.pop(0)
                if answer not in choice.options:
                    options = ", ".join(choice.options)
                    raise AffrayError(f"the script answers {answer!r} to {choice.question} ({options})")
                return answer, "script"
        return self._then(fight, key, choice)

    def check_empty(self) -> None:
        """Raise LeftoverAnswers if an answer was never asked for."""
        left = [name for name, answers in self._left.items() if answers]
        if left:
            raise LeftoverAnswers(f"scripted answers were not asked for: {', '.join(left)}")


# --- Checks of a program's own dice and policies: only what a log can store, be read back and decided again
# A policy's answer is checked here before it becomes a fact. Its exceptions reach the caller that declared,
# and nothing is recorded.


class BadThrow(AffrayError):
    """A dice source returned something that is no throw of the requested dice, or with a wrong provenance."""


class BadAnswer(AffrayError):
    """A policy returned something that is no answer to the question."""


class CheckedDice:
    """A program's dice, each throw of which the log can store and `verify` accepts."""

    def __init__(self, source: Source, seeded: Source) -> None:
        """Ask `source`; `seeded` are the encounter's own dice, the only ones with that provenance."""
        self.source, self.seeded = source, seeded

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Return the throw and its provenance, None if the fight must wait. Raises BadThrow."""
        found = self.source.throw(key, notation)
        if found is None:
            return None
        if type(found) is not tuple or len(found) != 2 or type(found[0]) is not Throw:
            raise BadThrow(f"{key}: a throw and its provenance, or None, was expected of the dice")
        thrown, provenance = found
        if type(provenance) is not str or provenance not in PROVENANCES - DRAWN:
            known = ", ".join(sorted(PROVENANCES - DRAWN))
            raise BadThrow(f"{key}: {provenance!r} is no provenance; there are {known}")
        fits = _thrown(key, notation, thrown.faces)
        if fits != thrown:
            raise BadThrow(
                f"{key}: {notation} with {_told(thrown.faces)} is {fits.total}, not {thrown.total!r}"
            )
        if provenance == "seeded" and self.seeded.throw(key, notation) != (fits, provenance):
            raise BadThrow(
                f"{key}: the encounter's seed throws other faces than {_told(fits.faces)}; "
                'dice from elsewhere are "imported" or "scripted"'
            )
        return fits, provenance


class CheckedAnswers:
    """A program's policy, which gets a copy of the fight, and whose answers are among the options."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return (answer, by whom), None if the fight must wait. Raises BadAnswer. O(combatants)."""
        found = self.answers(fight.apart(), key, choice)
        if found is None:
            return None
        if type(found) is not tuple or len(found) != 2 or any(type(part) is not str for part in found):
            raise BadAnswer(f"{key}: an answer and whose it is, or None, was expected of the policy")
        answer, by = found
        if answer not in choice.options:
            raise BadAnswer(f"{key}: {answer!r} is no answer; choose one of {', '.join(choice.options)}")
        if by.startswith(AGAIN):
            raise BadAnswer(f"{key}: {by!r} is reserved for answers in lines that are decided again")
        try:
            as_read(Chosen(key, choice.who, answer, by))
        except InvalidEntry as error:
            raise BadAnswer(f"{key}: {error}") from None
        return answer, by


def checked_dice(source: Source | None, seeded: Source, state: Encounter) -> Source:
    """Return the dice in the form a table uses: the encounter's own unchanged, all others checked.

    `seeded` are its own, as far as their seed is known here.
    """
    if source is None or source is seeded:
        return seeded
    # The secret seed of a log that came without it.
    if type(source) is Seeded and commitment(source.seed) == state.commitment:
        return Seeded(joint_seed(source.seed, state.contributions))
    return CheckedDice(source, seeded)


def checked_answers(answers: Answers) -> Answers:
    """Return the policy in the form a table uses: the engine's own unchanged, all others checked."""
    return answers if _ours(answers) else CheckedAnswers(answers)


def _ours(answers: Answers) -> bool:
    if type(answers) is ByCombatant:
        return _ours(answers.default)
    return type(answers) is CheckedAnswers or any(answers is named for named in NAMED.values())


def _thrown(key: str, notation: Notation, faces: object) -> Throw:
    if type(faces) is not tuple:
        raise BadThrow(f"{key}: faces are a tuple of whole numbers, not {faces!r}")
    try:
        return rethrow(notation, faces)
    except ImpossibleFaces as error:
        raise BadThrow(f"{key}: {error}") from error


def _told(faces: tuple[int, ...]) -> str:
    return ", ".join(map(str, faces)) or "no faces"
