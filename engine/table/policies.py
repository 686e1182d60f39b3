"""Who answers the questions of a fight when nobody is asked.

A policy takes the fight, the key of the question and the choice, and returns (answer, by whom), or
None to let the fight wait for a person. Options stand in the order of likelihood: the first is what
somebody at the table would usually do.

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

from collections.abc import Mapping
from typing import Protocol

from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice
from affray.events.errors import AffrayError


class Answers(Protocol):
    """Whoever answers the questions of a fight."""

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return (answer, by whom), or None when nobody can say yet and the fight must wait."""


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
"""What the name of whoever answered begins with where a line was decided again, and nobody was asked."""


def is_unchosen(fight: Fight, key: str, choice: Choice, given: tuple[str, str]) -> bool:
    """Say whether nobody had a choice: the policy answers so with which the combatant has entered.

    What another policy answers may be somebody's choice, whatever it is called; so may what is answered for
    combatants that entered without one. On lines that are decided again nobody is asked.
    """
    if given[1].startswith(AGAIN):
        return True
    combatant = fight.state.combatants.get(choice.who)
    policy = NAMED.get(combatant.policy) if combatant is not None else None
    return policy is not None and policy(fight, key, choice) == given


class ByCombatant:
    """Follows what each combatant's entry says, `default` where it says nothing."""

    def __init__(self, default: Answers = auto) -> None:
        self.default = default

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return what the combatant's own policy answers."""
        combatant = fight.state.combatants.get(choice.who)
        named = combatant.policy if combatant is not None else ""
        return NAMED.get(named, self.default)(fight, key, choice)


by_combatant = ByCombatant
"""The name by which programs ask for it."""


class Recorded:
    """Answers that are known by key, before anybody else is asked."""

    def __init__(self, known: Mapping[str, tuple[str, str]], then: Answers) -> None:
        self.known, self.then = known, then

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the known answer if it is among the options, else what `then` says."""
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
