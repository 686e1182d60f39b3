"""What a story remembers while it is told: who is who, the dice on the table, the open line."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from affray.events.facts.rolled import Rolled
from affray.projections.state import Encounter
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.line import Line
from affray.replay.narrate.words import dice

_REACTION = re.compile(r"(?:^|\.)[a-z-]+:")


class Tale:
    """The memory of a narrator.

    One line stays open so that what follows from it can join it ("; Goblin 6 -> -9, dying"); `topic`
    says what it may be joined by. Rolls lie on the table until an outcome takes them up.
    """

    def __init__(self, state: Encounter, names: Mapping[str, str] | None = None) -> None:
        self.state = state
        self.cast = Cast(names)
        self.name: Final = self.cast.name
        for one in state.combatants.values():
            self.cast.enter(one.id, one.side, one.sheet.name)
        self.out: list[Line] = []
        self.table: dict[str, Rolled] = {}
        self.actor = ""
        self.aim = ""
        self.depth = 0
        self.topic = ""
        self.unsaid = ""
        self.between = False
        self._open: Line | None = None
        self._held: list[Line] = []

    def say(self, kind: str, text: str, topic: str = "", depth: int | None = None) -> None:
        """Begin a new line; between two turns it is held back until the next heading stands."""
        self.close()
        line = Line(kind, text, self.depth if depth is None else depth)
        if self.between:
            self._held.append(line)
            return
        self._open, self.topic = line, topic

    def add(self, text: str, kind: str = "") -> None:
        """Join the open line, giving it another kind if one is named."""
        if self._open is not None:
            self._open.text += text
            self._open.kind = kind or self._open.kind

    def reword(self, change: Callable[[str], str], kind: str) -> None:
        """Say the open line otherwise, and as another kind."""
        if self._open is not None:
            self._open.text, self._open.kind = change(self._open.text), kind

    def close(self) -> None:
        """Finish the open line."""
        if self._open is not None:
            self.out.append(self._open)
        self._open, self.topic = None, ""

    def release(self) -> None:
        """Say what was held back between two turns."""
        self.close()
        self.between = False
        self.out += self._held
        self._held = []

    def forget(self, keep: tuple[str, ...], all_rolls: bool) -> None:
        """Stand as before the first line, but for the rolls of which the next outcome speaks."""
        self._open, self._held = None, []
        self.actor = self.aim = self.topic = ""
        self.between, self.depth = False, 0
        if not all_rolls:
            self.table = {key: roll for key, roll in self.table.items() if key in keep}

    def place(self, key: str) -> None:
        """Take the depth of interruption from the key of a roll or choice."""
        part = key.split("/")[1] if key.count("/") else ""
        known = part in self.state.combatants
        self.depth = 0 if known else len(_REACTION.findall(part))

    def take(self, key: str) -> Rolled | None:
        """Take a roll from the table."""
        return self.table.pop(key, None)

    def take_all(self) -> list[Rolled]:
        """Take every roll from the table."""
        rolls = list(self.table.values())
        self.table = {}
        return rolls

    def leave(self, keep: tuple[str, ...]) -> None:
        """Say the rolls that no outcome took up, but for those that the next one will."""
        for key in [key for key in self.table if key not in keep]:
            roll = self.table.pop(key)
            purpose = key.split("/")[-2] if key.count("/") > 1 else "the roll"
            self.say("chance", f"{self.name(roll.who)}, {purpose}: {dice(roll)}")
