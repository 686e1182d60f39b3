"""Short words at the prompt: what each means in the fight as it stands.

Nothing is decided here: a line becomes the words of a command of affray, which the rules then judge.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from affray.engine.fight.fight import is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.table.legal import Way, judged, ways
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.wording import counted, square
from affray.projections.state import Combatant
from affray.replay.act_words import ACTS
from affray.replay.prompt.meant import DB, Command, Leave, Meant, Told, Unclear, Which
from affray.replay.prompt.moment import Moment
from affray.replay.prompt.own_way import SQUARE, apart, own_way, square_of
from affray.replay.prompt.rulings import Ruled, rule

FACE: Final = re.compile(r"\d{1,4}")

HELP: Final = (
    "a [TARGET] [WEAPON] [FACES]  attack; the faces of dice thrown on the table: a gharm 17 5",
    "fa [TARGET] [FACES]          full attack",
    "m SQUARE                     move there by the best way: m 4,1",
    "m SQUARE SQUARE ...          move along a way of your own: m 4,1 4,2 5,3",
    "s SQUARE                     a step of 5 feet",
    "c SPELL [TARGET | SQUARE]    cast: c fireball 6,3",
    "b, e                         begin the fight, end the turn",
    "auto [WHOM]                  tactics play this turn, or on as long as it is theirs: auto monsters",
    "? [ACT]                      what is open now, with keys; ?? [ACT] what is refused, and why",
    "1, 2, 3                      press a key of a list, or answer what the fight waits for",
    "u [N], redo                  take back what was done last, rulings first; bring it again",
    "w [EVENT | TURN]             explain the last outcome, or another one",
    "rule cover +4, rule hit      settle the last outcome, and see what that changes",
    "rule 38 gharm.hp=5           change what was decided at an event, and all that came of it",
    "rule gharm.hp=5, gharm+prone set hit points, a condition, a place, an initiative from now on",
    "odds, odds win               how likely the last outcome was; how the fight will end",
    "/ WORDS                      search the rules",
    "ACT ...                      any declaration by its name or the beginning of it: trip gharm",
    "COMMAND ...                  any command of affray on this fight: log --from r2, verify",
    "q                            leave; the fight stays as it is",
    "Names may be cut short; several lines in one: m 4,1; a gharm; e",
)


class Shorthand:
    """What lines mean at one moment of a fight."""

    def __init__(self, moment: Moment, commands: Iterable[str], author: str) -> None:
        """Read lines at this moment; `commands` are those of affray, `author` is who rules."""
        self.now, self.commands, self.author = moment, (*commands,), author

    def meant(self, line: str) -> Meant:
        """Return what a line means. Raises Unclear."""
        line = line.strip()
        if line.startswith("/"):
            return Command(("rules", self.now.state.dialect, "--search", line[1:].strip()))
        try:
            first, *rest = shlex.split(line)
        except ValueError as error:
            raise Unclear(f"{line}: {error}") from None
        if first in SHORT:
            return SHORT[first](self, rest)
        if first in self.commands:
            return Command((first, DB, *rest) if first not in ELSEWHERE else (first, *rest))
        act = self._act(first)
        return own_way(self.now, act, rest) or Command(("do", DB, act, *self._named(rest)))

    def _act(self, word: str) -> str:
        """Return the act that a word names or begins; one that the dialect plays if that decides."""
        if word in ACTS:
            return word
        begun = sorted(name for name in ACTS if name.startswith(word))
        played = {str(kind.__struct_config__.tag) for kind in self.now.fight.dialect.acts}
        some = [name for name in begun if name in played] or begun
        if len(some) == 1:
            return some[0]
        if some:
            raise Unclear(f"{word!r} begins several acts: {', '.join(some)}")
        meant = did_you_mean(word, [*SHORT, *ACTS, *self.commands])
        raise Unclear(f"there is no word {word!r} here{meant} (h lists what there is)")

    def _named(self, words: Sequence[str]) -> list[str]:
        """Return the words with ids in place of beginnings of names; options and squares as they are."""
        found = []
        for word in words:
            called = [] if word.startswith("-") or SQUARE.fullmatch(word) else self.now.called(word)
            found.append(called[0] if len(called) == 1 else word)
        return found

    def attack(self, words: Sequence[str]) -> Meant:
        """One attack: on the only target there is, unless one is named."""
        return self._struck(acts.Attack, words)

    def full_attack(self, words: Sequence[str]) -> Meant:
        """A full attack, all of it at one target."""
        return self._struck(acts.FullAttack, words)

    def _struck(self, kind: type[acts.Attack | acts.FullAttack], words: Sequence[str]) -> Meant:
        actor, faces = self.now.actor, tuple(int(word) for word in words if FACE.fullmatch(word))
        named = [word for word in words if not FACE.fullmatch(word)]
        name = str(kind.__struct_config__.tag)
        open_to = self._targets(actor)
        weapon: tuple[str, ...] = ()
        if named:
            target = self.now.one_called(named[0], open_to)
            if len(named) > 1:
                if kind is acts.FullAttack:
                    raise Unclear("fa takes a target; the weapons of each strike: full-attack --help")
                weapon = ("--weapon", one_of(named[1:], [one.name for one in actor.sheet.weapons], "weapon"))
        elif len(open_to) == 1:
            target = open_to[0]
        elif not open_to:
            raise Unclear("nobody can be attacked from here with what is in hand: name a target to hear why")
        else:
            choices = {
                str(key): (self.now.cast.name(id), Command(("do", DB, name, id), faces))
                for key, id in enumerate(open_to, 1)
            }
            return Which("whom?", choices)
        return Command(("do", DB, name, target, *weapon), faces)

    def _targets(self, actor: Combatant) -> list[str]:
        """Return the opponents at whom the usual weapon may be aimed: those who stand, if any do."""
        foes = [one for one in self.now.state.combatants.values() if one.side != actor.side]
        found, _ = judged(self.now.fight, [acts.Attack(actor=actor.id, target=one.id) for one in foes])
        there = {act.target for act in found if isinstance(act, acts.Attack)}
        some = [one for one in foes if one.id in there]
        return [one.id for one in [one for one in some if not is_down(self.now.fight, one)] or some]

    def move(self, words: Sequence[str]) -> Meant:
        """A move by the best way, or along one's own; where an opponent may strike it asks first."""
        if len(apart(words)) != 1:
            return own_way(self.now, "move", words) or Command(("do", DB, "move", *words))
        to = square_of(words[0])
        mover = mount_of(self.now.fight, self.now.actor) or self.now.actor
        way = next((one for one in ways(self.now.fight, mover) if one.to == to), None)
        if way is None:
            raise Unclear(f"a move does not lead to {square(to)}: ? m shows the squares that it does lead to")
        if not way.past:
            return _walked(way.path)
        return self._asked_first(way)

    def _asked_first(self, way: Way) -> Which:
        past = " and ".join(self.now.cast.name(id) for id in way.past)
        choices: dict[str, tuple[str, Meant | None]] = {"y": ("go", _walked(way.path))}
        if way.around:
            choices["a"] = ("around", _walked(way.around))
        choices["n"] = ("stay", None)
        return Which(f"{way.feet} ft., past {past}, who may strike:", choices)

    def step(self, words: Sequence[str]) -> Meant:
        """A 5-foot step."""
        return Command(("do", DB, "step", *words))

    def cast(self, words: Sequence[str]) -> Meant:
        """A spell of the sheet at somebody or at a square."""
        faces = tuple(int(word) for word in words if FACE.fullmatch(word))
        named = [word for word in words if not FACE.fullmatch(word)]
        known = [one.name for one in self.now.actor.sheet.spells]
        if not named:
            raise Unclear(f"which spell? {', '.join(known) or 'none is on the sheet'}")
        for many in range(len(named), 0, -1):
            found = beginning(" ".join(named[:many]), known)
            if found:
                break
        else:
            one_of(named[:1], known, "spell")
        spell = one_of(named[:many], known, "spell")
        said: list[str] = []
        for word in named[many:]:
            if SQUARE.fullmatch(word):
                said += ["--at", word]
            elif word.startswith("-"):
                said.append(word)
            else:
                said += ["--targets", self.now.one_called(word)]
        return Command(("do", DB, "cast", spell, *said), faces)

    def begin(self, words: Sequence[str]) -> Meant:
        """The beginning of the fight."""
        return Command(("do", DB, "begin", *words))

    def end_turn(self, words: Sequence[str]) -> Meant:
        """The end of the turn."""
        return Command(("do", DB, "end-turn", *self._named(words)))

    def auto(self, words: Sequence[str]) -> Meant:
        """The turn that is running, or those of some, played by tactics."""
        sides = {one.side for one in self.now.state.combatants.values()}
        return Command(("auto", DB, *(word if word in sides else self._named([word])[0] for word in words)))

    def undo(self, words: Sequence[str]) -> Meant:
        """The last declarations and rulings taken back."""
        return Command(("undo", DB, *words))

    def why(self, words: Sequence[str]) -> Meant:
        """The last outcome, or another event or turn, explained."""
        return Command(("why", DB, *(words or (str(self._last()),))))

    def odds(self, words: Sequence[str]) -> Meant:
        """How likely the last outcome was; by "win" how the fight will end."""
        if words and words[0] == "win":
            return Command(("odds", DB, "--at", "end", *words[1:]))
        if words:
            return Command(("odds", DB, *words))
        return Command(("odds", DB, "--event", str(Ruled(self.now).last())))

    def rule(self, words: Sequence[str]) -> Meant:
        """What is so from now on, or a ruling on an outcome, which becomes the main line."""
        return rule(self.now, words, self.author)

    def _last(self) -> int:
        for event in self.now.outcomes():
            return event.seq
        raise Unclear("nothing was decided yet")

    def helped(self, words: Sequence[str]) -> Meant:
        """What can be typed."""
        return Told(HELP)

    def leave(self, words: Sequence[str]) -> Meant:
        """The end of the session."""
        return Leave()


ELSEWHERE: Final = frozenset(
    {"rules", "statblock", "link", "checker", "combine", "countersign", "import", "demo"}
)
"""Commands whose first word is not the fight."""

SHORT: Final[Mapping[str, Callable[[Shorthand, Sequence[str]], Meant]]] = MappingProxyType(
    {
        "a": Shorthand.attack,
        "fa": Shorthand.full_attack,
        "m": Shorthand.move,
        "s": Shorthand.step,
        "c": Shorthand.cast,
        "b": Shorthand.begin,
        "e": Shorthand.end_turn,
        "auto": Shorthand.auto,
        "u": Shorthand.undo,
        "w": Shorthand.why,
        "odds": Shorthand.odds,
        "rule": Shorthand.rule,
        "h": Shorthand.helped,
        "help": Shorthand.helped,
        "q": Shorthand.leave,
        "quit": Shorthand.leave,
    }
)


def beginning(word: str, known: Sequence[str]) -> list[str]:
    """Return what a word names, or else begins; a part of the name begins it too."""
    whole = word.casefold()
    exact = [name for name in known if name.casefold() == whole]
    return exact or [
        name
        for name in known
        if name.casefold().startswith(whole)
        or any(part.startswith(whole) for part in name.casefold().split())
    ]


def one_of(words: Sequence[str], known: Sequence[str], what: str) -> str:
    """Return the one that the words mean. Raises Unclear."""
    word = " ".join(words)
    found = beginning(word, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise Unclear(f"{word!r} begins {counted(len(found), what)}: {', '.join(found)}")
    raise Unclear(f"there is no {what} {word!r} on the sheet: {', '.join(known) or 'none at all'}")


def _walked(path: Sequence[Square]) -> Command:
    return Command(("do", DB, "move", *map(square, path)))
