"""The word `rule` at the prompt: what is so from now on, or a ruling on what was decided.

Hit points, a condition, a place or an initiative hold from now on; nothing is decided again. The past changes
only where an event is named, or where the sums of the last outcome are ruled on.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from affray.engine.record.chapters import known_conditions
from affray.replay.prompt.meant import DB, Command, Unclear
from affray.replay.prompt.moment import Moment

OUTCOMES: Final = frozenset({"hit", "miss", "success", "failure"})
EVENT: Final = re.compile(r"\d+|r\d+(\.t\d+)?")
_SET: Final = re.compile(r"(?P<who>.+)\.(?P<what>hp|initiative)(?P<value>=-?\d{1,6}|[+-]\d{1,6})")
_PLACE: Final = re.compile(r"(?P<who>.+)\.at=(?P<value>-?\d{1,4},-?\d{1,4})")
_CONDITION: Final = re.compile(r"(?P<who>[^.=]+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]*)")
_FLAGS: Final = {"+": "--gains", "-": "--loses"}


def rule(now: Moment, words: Sequence[str], author: str) -> Command:
    """Return what a ruling means in words of commands. Raises Unclear."""
    at, said = "", list(words)
    if said and EVENT.fullmatch(said[0]):
        at = said.pop(0)
    if not said:
        raise Unclear("rule what? rule cover +4, rule hit, rule gharm.hp=5, rule 38 gharm.hp=5")
    if not at and (found := from_now_on(now, said)):
        return Command(("do", DB, "fiat", *found, "--by", author))
    ruled = Ruled(now, at)
    changes = [part for change in ruled.changes(said) for part in ("--change", change)]
    by = ("--by", author, "--text", " ".join(said))
    return Command(("ruling", DB, "amend", "--at", at or str(ruled.last()), *changes, *by, "--promote"))


def from_now_on(now: Moment, words: Sequence[str]) -> tuple[str, ...]:
    """Return whom and what words set from now on, () where they rule on an outcome.

    Raises Unclear where they do both, or set something of several.
    """
    found = [setting(now, word) for word in words]
    if not any(found):
        return ()
    if not all(found):
        raise Unclear(
            "some of that holds from now on, some changes the last outcome: rule the one, then the other"
        )
    whom = {one[0] for one in found}
    if len(whom) > 1:
        raise Unclear(f"from now on one at a time: {'; '.join(f'rule {word}' for word in words)}")
    return (*whom, *(part for one in found for part in one[1:]))


def setting(now: Moment, word: str) -> tuple[str, ...]:
    """Return whom and what a word sets from now on, () for any other word. Raises Unclear."""
    if found := _SET.fullmatch(word):
        who = now.one_called(found["who"])
        value = found["value"].removeprefix("=")
        if not found["value"].startswith("="):  # by so much more or less than now
            one = now.state.combatants[who]
            value = str(int(value) + (one.hp if found["what"] == "hp" else one.initiative))
        return who, f"--{found['what']}", value
    if found := _PLACE.fullmatch(word):
        return now.one_called(found["who"]), "--at", found["value"]
    if found := _CONDITION.fullmatch(word):
        who = now.one_called(found["who"])
        return who, _FLAGS[found["sign"]], condition_called(now, found["name"])
    return ()


def condition_called(now: Moment, word: str) -> str:
    """Return the condition of the rulebook that a word names or begins; the word itself for no single one."""
    known = known_conditions(now.fight.dialect)
    begun = [name for name in known if name.startswith(word.casefold())]
    return word if word in known or len(begun) != 1 else begun[0]


class Ruled:
    """What a ruling is about: the event that is named, or else the last that dice have decided."""

    def __init__(self, now: Moment, at: str = "") -> None:
        """Rule on an event, or on the last outcome without one."""
        self.now, self.at = now, at

    def changes(self, words: Sequence[str]) -> Iterable[str]:
        """Yield changes in the grammar of rulings: `cover +4` is the target's defense in the attack."""
        left = list(words)
        while left:
            word = left.pop(0)
            if word in OUTCOMES:
                yield f"{self._roll()}={word}"
            elif left and re.fullmatch(r"[+-]\d{1,3}", left[0]):
                yield f"{self._defense()}{left.pop(0)}:{word}"
            else:
                yield word

    def last(self) -> int:
        """Return the event of the last outcome that dice have decided. Raises Unclear."""
        return next(self.decided())[0]

    def decided(self) -> Iterator[tuple[int, Any]]:
        """Yield (position, fact) of what dice decided in the last declaration that threw any, the last first.

        Of an event that is named, that one alone. Raises Unclear where there is none.
        """
        if self.at:
            if not self.at.isdecimal() or not 1 <= int(self.at) <= self.now.seq:
                raise Unclear(f"{self.at} is no event of an attack or a check: log tells their numbers")
            yield int(self.at), self.now.fact_of(int(self.at))
            return
        cause = 0
        for event in self.now.outcomes():
            fact: Any = self.now.fact_of(event.seq)
            if getattr(fact, "key", "") and cause in (0, event.cause):
                cause = event.cause
                yield event.seq, fact
        if not cause:
            raise Unclear("no dice have decided anything yet")

    def _defense(self) -> str:
        """Return the figure that a modifier by itself is on: the defense of the last one attacked."""
        target = next((fact.target for _, fact in self.decided() if getattr(fact, "target", "")), "")
        if not target:
            raise Unclear("the last outcome was no attack: say on what, as in rule ysolde.save.ref+2")
        return f"{target}.defense"

    def _roll(self) -> str:
        key = next((fact.key for _, fact in self.decided() if hasattr(fact, "natural")), "")
        if not key:
            raise Unclear("the last outcome came of no roll that can be ruled a hit or a success")
        return str(key)
