"""Sentences: what one line of the short language means at one moment of a fight.

`a gharm 17` is a declaration, `2` an answer to the pending question, `skit hp 9` the game master's word from
now on, `u` a request. Prompt, `affray do`, browser, notation and `Table.say` all ask here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from msgspec import Struct, inspect
from msgspec.structs import replace

from affray.engine.dice import parse
from affray.engine.dice.notation import count_dice
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.paths import ReachablePath, ways
from affray.engine.language.acts import (
    ACTS,
    SHORT,
    SQUARE,
    SQUARES,
    NoActor,
    act_of_json,
    act_values,
    converted,
    fields_of,
    split_options,
    split_words,
)
from affray.engine.language.cast import Cast
from affray.engine.language.names import People, Unclear, begun_by
from affray.engine.table.appending import ROLL, Outcome
from affray.engine.table.legal import Price, arms, judged, price, with_a_way
from affray.events.errors import counted, did_you_mean, nearest
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.projections.state import Combatant, Question

# --- The meanings of a line


class Declaration(Struct, frozen=True):
    """An act, and the faces of physical dice for it in the order in which they are asked for.

    `way` is the path that the rules found for a square, `own` is set for a path that was typed.
    """

    act: AnyAct
    faces: tuple[int, ...] = ()
    way: ReachablePath | None = None
    own: bool = False


class Answer(Struct, frozen=True):
    """The answer to the question that the fight waits for."""

    text: str


class Request(Struct, frozen=True):
    """A line that declares nothing: `word` is one of the values of `REQUESTS`."""

    word: str
    words: tuple[str, ...] = ()


Meaning: TypeAlias = Declaration | Answer | Request


class Waits(Unclear):
    """A declaration while the fight waits for an answer."""


class Several(Unclear):
    """A line with several meanings: `choices` has a label and the declaration of each."""

    def __init__(self, question: str, choices: Sequence[tuple[str, Declaration]]) -> None:
        labels = [label for label, _ in choices]
        super().__init__(f"{question} Name one of {', '.join(labels)}", labels)
        self.question, self.choices = question, tuple(choices)


REQUESTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "u": "undo",
        "undo": "undo",
        "redo": "redo",
        "w": "why",
        "why": "why",
        "odds": "odds",
        "auto": "auto",
        "rule": "rule",
    }
)
"""Words of lines that declare nothing, each with the request that it makes; `/` searches the rules."""

ALONG: Final = (acts.Move, acts.Withdraw, acts.Run, acts.Charge)
STRAIGHT: Final = (acts.Charge, acts.Overrun)
FACE: Final = re.compile(r"\d{1,4}")
EVENT: Final = re.compile(r"\d+|r\d+(\.t\d+)?")
"""The place of an outcome, before a ruling on it."""


class Sentences:
    """The meanings of lines at one moment of a fight. The state must not be changed."""

    def __init__(
        self, fight: Fight, cast: Cast | None = None, actor: str = "", *, fixed: bool = False
    ) -> None:
        """Read lines for `actor`, by default the combatant whose turn it is.

        With `fixed` no first word is taken for another actor.
        """
        self.fight, self.state, self._fixed = fight, fight.state, fixed
        self.cast = cast or Cast.of(self.state)
        self.people = People.find_combatants_in_fights(self.state, cast=self.cast)
        self.actor = actor or self.state.active

    def meaning(self, line: str, *, again: bool = False) -> Meaning:
        """Return the meaning of a line. Raises Unclear; Several if it has more than one.

        Raises Waits for a declaration while a question is pending, except for one that is made `again`.
        """
        text = line.strip()
        question = self.state.pending
        if question is None or again:
            return self._meaning(text)
        if answer := find_answer(text, question):
            return Answer(answer)
        found = self._meaning(text)
        if isinstance(found, Declaration):
            raise Waits(f"the fight waits: {question.question}")
        return found

    def _meaning(self, text: str) -> Meaning:
        if text.startswith("/"):
            return Request("rules", (text[1:].strip(),))
        if text.startswith("{"):
            end = text.rfind("}") + 1
            faces = text[end:].split()
            if not end or not all(map(FACE.fullmatch, faces)):
                end, faces = len(text), []
            return Declaration(act_of_json(text[:end], self.people, self.actor), tuple(map(int, faces)))
        return self._said(split_words(text))

    def _said(self, words: Sequence[str]) -> Meaning:
        first, *rest = words
        if first.endswith(":") and rest:
            return self._by(self.people.find(first[:-1]), rest)
        if first in REQUESTS and not (self.people.knows(first) and self._fiat(first, rest)):
            is_onward = first == "rule" and rest and not EVENT.fullmatch(rest[0])
            if is_onward and (fiat := self.onward(rest)):
                return Declaration(fiat)
            return self._request(REQUESTS[first], rest)
        fiat = self._fiat(first, rest)
        if fiat is None and not self._exact(first):
            fiat = self.onward(words, whole=True)
        if fiat is not None:
            return Declaration(fiat)
        if first not in SHORT and not self._exact(first) and self.people.knows(first):
            if not rest:
                raise Unclear(f"what does {first} do? For example: {first}: e, or {first} hp 9")
            return self._by(self.people.find(first), rest)
        return self.declared(SHORT[first][0] if first in SHORT else self._act(first), rest)

    def _by(self, actor: str, words: Sequence[str]) -> Meaning:
        """Return the meaning of the words after the name of an actor."""
        found = Sentences(self.fight, self.cast, actor, fixed=True)._said(words)
        if isinstance(found, Request):
            raise Unclear(f"{actor} cannot say {' '.join(words)!r}: leave out the name")
        return found

    def _request(self, word: str, words: Sequence[str]) -> Request:
        given = [one for one in words if not one.startswith("-")]
        if given and (word == "redo" or (word == "undo" and not FACE.fullmatch(given[0]))):
            raise Unclear(f"{word}: unexpected words {' '.join(words)!r}")
        return Request(word, tuple(words))

    # --- Acts by their names

    def _exact(self, word: str) -> str:
        """Return the act that a whole word names, "" for none; those of the dialect come first."""
        return self.people.custom_act(word) or (word if word in ACTS else "")

    def _act(self, word: str) -> str:
        """Return the act that a word names or begins, preferring acts that the dialect plays."""
        if found := self._exact(word):
            return found
        own = [*self.people.short_acts, *self.people.acts]
        begun = sorted({name for name in (*ACTS, *own) if name.startswith(word)})
        played = {*own, *(str(kind.__struct_config__.tag) for kind in self.fight.dialect.acts)}
        some = [name for name in begun if name in played] or begun
        if len(some) > 1:
            raise Unclear(f"{word!r} begins several acts: {', '.join(some)}", some)
        if some:
            return self.people.custom_act(some[0]) or some[0]
        known = [*SHORT, *ACTS, *own, *REQUESTS, *self.people.ids]
        raise Unclear(f"unknown word {word!r}{did_you_mean(word, known)}")

    def declared(self, name: str, words: Sequence[str]) -> Declaration:
        """Return the declaration that an act and the words after it mean. Raises Unclear, Several."""
        rest, faces = self._split_faces(name, words)
        if self._fixed and not (name in ACTS and ACTS[name].declared_by == "game master"):
            rest.append(f"--actor={self.actor}")
        if name in ("attack", "full-attack"):
            return replace(self._strike(name, rest), faces=faces)
        if name.rpartition(".")[2] == "cast":
            return replace(self._cast(name, rest), faces=faces)
        if name == "move" and (way := self._moved(rest)):
            return replace(way, faces=faces)
        act = self.act(name, rest)
        own = isinstance(act, ALONG) and any(map(SQUARES.fullmatch, rest))
        return Declaration(with_a_way(self.fight, act), faces, own=own)

    def act(self, name: str, words: Sequence[str], actor: str = "") -> AnyAct:
        """Return the act of a name and the words after it. Raises Unclear."""
        try:
            values = act_values(name, words, self.people, actor or self.actor)
        except NoActor:
            self._combatant()
            raise
        return converted(self.people.named(values))

    def _split_faces(self, name: str, words: Sequence[str]) -> tuple[list[str], tuple[int, ...]]:
        """Return the words without the results of dice at their end, and those."""
        rest, faces = list(words), list[int]()
        if name in ACTS:
            main = next(iter(fields_of(ACTS[name]).items()), ("", None))
            numbers = main[0] == "words" or isinstance(main[1], inspect.IntType | inspect.UnionType)
        else:
            numbers = "a number" in self.people.acts[name].fields.values() and not name.endswith(".cast")
        while rest and not numbers and FACE.fullmatch(rest[-1]) and not self.people.knows(rest[-1]):
            if len(rest) > 1 and rest[-2].startswith("--") and "=" not in rest[-2]:
                break
            faces.insert(0, int(rest.pop()))
        return rest, tuple(faces)

    def _combatant(self, actor: str = "") -> Combatant:
        """Return the combatant that acts. Raises Unclear if no turn is running."""
        found = self.state.combatants.get(actor or self.actor)
        if found is None:
            raise Unclear("no turn is running" + ("" if self.state.begun else ": b begins the fight"))
        return found

    # --- Attacks: their target and weapon

    def _strike(self, name: str, words: Sequence[str]) -> Declaration:
        """Return an attack, or a full attack with all attacks at one target."""
        said = split_options(words, fields_of(ACTS[name]))
        names, options, actor = said.bare, said.words, ""
        full = name == "full-attack"
        if {"target", "strikes"} & {*said.named} or any("," in one for one in names):
            return Declaration(self.act(name, words))
        if full and len(names) > 1 and all(map(self.people.knows, names[1:])):
            return Declaration(self.act(name, words))
        if "actor" in said.named:
            actor = self.people.find(said.named["actor"][1][-1])
        elif len(names) > 1 and all(len(self.people.begun(one)) == 1 for one in names[:2]):
            weapons = self._combatant().sheet.weapons if self.actor else ()
            if self.people.knows(names[1]) or not begun_by(names[1], [one.name for one in weapons]):
                actor = self.people.find(names.pop(0))
        attacker = self._combatant(actor)
        options.append(f"--actor={attacker.id}")
        open_to = self._targets(attacker)
        if names:
            target = self.people.find(names[0], open_to)
        elif len(open_to) == 1:
            target = open_to[0]
        elif not open_to:
            raise Unclear(
                "no target can be attacked from here with the weapons in hand: name a target to see why"
            )
        else:
            made = [(self.cast.name(id), self._struck(name, id, options)) for id in open_to]
            raise Several("whom?", made)
        if names[1:] and full:
            raise Unclear(f"full-attack: unexpected words {' '.join(names[1:])!r}")
        if names[1:]:
            options.append(f"--weapon={self._weapon(attacker, ' '.join(names[1:]))}")
        return self._struck(name, target, options)

    def _struck(self, name: str, target: str, options: Sequence[str]) -> Declaration:
        act = self.act(name, [f"--{'strikes' if name == 'full-attack' else 'target'}={target}", *options])
        return Declaration(self._aim_all_attacks(act) if isinstance(act, acts.FullAttack) else act)

    def _aim_all_attacks(self, act: acts.FullAttack) -> acts.FullAttack:
        """Return a full attack with all attacks at the only named target."""
        attacker, fight = self.state.combatants[act.actor], self.fight
        target = self.state.combatants[act.strikes[0].target]
        bare, attacks = replace(act, strikes=()), fight.dialect.attacks
        if replace(bare, actor="") == acts.FullAttack():
            held = [one for one in attacker.sheet.weapons if one.name in attacker.held]
            weapon = next(iter((*held, *fight.dialect.kernel.arms(fight, attacker))), None)
            strikes = () if weapon is None else attacks.usual_strikes(fight, attacker, target, weapon)
        else:  # a flurry and the like have their own attacks
            strikes = tuple(act.strikes[0] for _ in attacks.attack_series(fight, attacker, bare))
        return replace(act, strikes=strikes or act.strikes)

    def _targets(self, attacker: Combatant) -> list[str]:
        """Return the opponents that the default weapon can attack: those standing, if there are any."""
        foes = [one for one in self.state.combatants.values() if one.side != attacker.side]
        found, _ = judged(self.fight, [acts.Attack(actor=attacker.id, target=one.id) for one in foes])
        there = {act.target for act in found if isinstance(act, acts.Attack)}
        some = [one for one in foes if one.id in there]
        return [one.id for one in [one for one in some if not is_down(self.fight, one)] or some]

    def _weapon(self, attacker: Combatant, word: str) -> str:
        """Return the weapon of the sheet that a word names or begins, or another means of attack whole."""
        if word in arms(self.fight, attacker):
            return word
        return one_of(word, _names(attacker.sheet.weapons), "weapon")

    # --- Spells, by the beginning of their names, and moves, by the square to which they lead

    def _cast(self, name: str, words: Sequence[str]) -> Declaration:
        """Return the casting of a spell of the sheet at combatants or a square."""
        game = self.fight.dialect
        name = next((one for one in self.people.acts if one.endswith(".cast")), name)
        custom = name not in ACTS
        held = self.people.acts[name].fields if custom else fields_of(ACTS[name])
        said = split_options(words, held)
        names, options, actor = said.bare, said.words, ""
        if "spell" in said.named:
            return Declaration(self.act(name, words))
        if "actor" in said.named:
            actor = self.people.find(said.named["actor"][1][-1])
        elif len(names) > 1 and self.people.knows(names[0]):
            actor = self.people.find(names.pop(0))
        caster = self._combatant(actor)
        known = _names(caster.sheet.spells) or [*getattr(game.custom_of(caster.sheet), "spells", ())]
        if not names:
            raise Unclear(f"which spell? {', '.join(known) or 'the sheet has none'}", known)
        many = next((n for n in range(len(names), 0, -1) if begun_by(" ".join(names[:n]), known)), 1)
        # A scroll or the like casts what the sheet lacks: the rules judge that.
        elsewhere = bool(options) and not begun_by(" ".join(names[:many]), known)
        spell = names[0] if elsewhere else one_of(" ".join(names[:many]), known, "spell")
        said_of = [f"--actor={caster.id}", f"--spell={spell}", *options]
        for word in names[many:]:
            if SQUARE.fullmatch(word):
                said_of.append(f"--at={word}")
            else:
                said_of.append(f"--targets={','.join(map(self.people.find, word.split(',')))}")
        return Declaration(self.act(name, said_of))

    def _moved(self, words: Sequence[str]) -> Declaration | None:
        """Return a move to a square by the best path, None for a typed path and if none leads there."""
        said = split_options(words, fields_of(acts.Move))
        if {*said.named} - {"actor"} or not said.bare or not SQUARE.fullmatch(said.bare[-1]):
            return None
        *names, last = said.bare
        named = said.named["actor"][1][-1:] if "actor" in said.named else names
        if len(named) > 1 or (named and not self.people.begun(named[0])):
            return None
        actor = self._combatant(self.people.find(named[0]) if named else "")
        mover = self.fight.dialect.kernel.goer(self.fight, actor)
        x, y = map(int, last.split(","))
        way = next((one for one in ways(self.fight, mover) if one.to == (x, y)), None)
        if way is None:
            return None  # the rules say what bars it
        return Declaration(acts.Move(actor=actor.id, path=way.path), way=way)

    # --- The game master's word from now on: hit points, conditions, a place, initiative

    def onward(self, words: Sequence[str], *, whole: bool = False) -> acts.Fiat | None:
        """Return the change that words such as `gharm.hp=5` or `gharm+prone` make from now on.

        None if no word is of this form; with `whole` a name before a condition must be whole, as
        `total-defense` has the same form. Raises Unclear for a mix with other words, and for several
        combatants.
        """
        found = [self._setting(word, whole) for word in words]
        if not any(found):
            return None
        if not all(found):
            raise Unclear(
                "part of this applies from now on, part changes the last outcome: rule on each separately"
            )
        whom = {one[0] for one in found}
        if len(whom) > 1:
            raise Unclear(f"change one combatant at a time: {'; '.join(f'rule {word}' for word in words)}")
        return self._changed(found[0][0], [one[1:] for one in found])

    def _setting(self, word: str, whole: bool) -> tuple[str, ...]:
        """Return (combatant, what, value) of a word that changes something from now on, () for others."""
        if found := _SET.fullmatch(word) or _PLACE.fullmatch(word):
            return self.people.find(found["who"]), found["what"], found["value"]
        found = _CONDITION.fullmatch(word)
        if found is None or (whole and not self.people.knows(found["who"])):
            return ()
        return self.people.find(found["who"]), "", found["value"]

    def _fiat(self, who: str, words: Sequence[str]) -> acts.Fiat | None:
        """Return the change in `skit hp 9`, `skit -3`, `skit at 2,2`, `skit prone`, None for other words."""
        exact = who in SHORT or bool(self._exact(who))
        if not words or not (self.people.knows(who) if exact else self.people.begun(who)):
            return None
        left, changes = list(words), list[tuple[str, ...]]()
        conditions = self.fight.dialect.kernel.conditions
        while left:
            word = left.pop(0)
            if word in _FIGURES and left and _FIGURES[word][1].fullmatch(left[0]):
                changes.append((_FIGURES[word][0], left.pop(0)))
            elif _CHANGE.fullmatch(word):
                changes.append(("hp", word))
            elif re.fullmatch(r"[+-][A-Za-z].*", word):
                changes.append(("", word))
            elif " ".join((word, *left)) in conditions:
                changes.append(("", f"+{' '.join((word, *left))}"))
                left.clear()
            elif word == "not" and " ".join(left) in conditions:
                changes.append(("", f"-{' '.join(left)}"))
                left.clear()
            elif word in _FIGURES and self.people.knows(who):
                value = "a square" if word == "at" else "a number"
                raise Unclear(f"say {value} after {word!r}: {who} {word} {'4,1' if word == 'at' else 9}")
            else:
                return None
        return self._changed(self.people.find(who), changes)

    def _changed(self, who: str, changes: Sequence[Sequence[str]]) -> acts.Fiat:
        one, values = self.state.combatants[who], dict[str, Any]()
        gains, loses = list[str](), list[str]()
        for what, value in changes:
            if not what:
                (gains if value[0] == "+" else loses).append(self._condition(value[1:]))
            elif what in values:
                raise Unclear(f"say {what} once")
            elif what == "at":
                values[what] = tuple(map(int, value.split(",")))
            else:  # a value with a sign is relative to the current one
                now = one.hp if what == "hp" else one.initiative
                values[what] = int(value.removeprefix("=")) + (now if value[0] in "+-" else 0)
        return acts.Fiat(target=who, gains=tuple(gains), loses=tuple(loses), **values)

    def _condition(self, word: str) -> str:
        """Return the one condition of the rulebook that a word names or begins, else the word itself."""
        known = self.fight.dialect.kernel.conditions
        begun = [name for name in known if name.startswith(word.casefold())]
        return word if word in known or len(begun) != 1 else begun[0]


_CHANGE = re.compile(r"[+-]\d{1,6}")
_VALUE = re.compile(r"=-?\d{1,6}|[+-]?\d{1,6}")
_FIGURES: Final[Mapping[str, tuple[str, re.Pattern[str]]]] = MappingProxyType(
    {
        "hp": ("hp", _VALUE),
        "initiative": ("initiative", _VALUE),
        "init": ("initiative", _VALUE),
        "at": ("at", SQUARE),
    }
)
"""Figures that can be set from now on, by their words: the field and the form of its value."""
_SET: Final = re.compile(r"(?P<who>.+)\.(?P<what>hp|initiative)(?P<value>=-?\d{1,6}|[+-]\d{1,6})")
_PLACE: Final = re.compile(rf"(?P<who>.+)\.(?P<what>at)=(?P<value>{SQUARE.pattern})")
_CONDITION: Final = re.compile(r"(?P<who>[^.=+\-][^.=]*?)(?P<value>[+-][A-Za-z][\w -]*)")


def one_of(word: str, known: Sequence[str], what: str, where: str = "on the sheet") -> str:
    """Return the one known name that a word names or begins. Raises Unclear."""
    found = begun_by(word, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise Unclear(f"{word!r} begins {counted(len(found), what)}: {', '.join(found)}", found)
    near = nearest(word, known)
    listed = f"; did you mean {near}?" if near else f": {', '.join(known) or 'it has none'}"
    raise Unclear(f"there is no {what} {word!r} {where}{listed}", known)


def _names(things: Sequence[Any]) -> list[str]:
    return [one.name for one in things]


# --- Answers to the pending question, and the results of dice


def find_answer(line: str, question: Question) -> str:
    """Return the answer that a line gives to a question, "" if it is something else."""
    if question.notation and line == ROLL:
        return line
    if question.notation:
        return ",".join(line.replace(",", " ").split()) if re.fullmatch(r"[\d, ]+", line) else ""
    if FACE.fullmatch(line) and line not in question.options and 1 <= int(line) <= len(question.options):
        return question.options[int(line) - 1]
    if line in question.options or not question.options:
        return line
    begun = [option for option in question.options if option.casefold().startswith(line.casefold())]
    return begun[0] if len(begun) == 1 else ""


def throw_faces(
    outcome: Outcome, faces: Sequence[int], choose: Callable[[str, int], Outcome]
) -> Iterator[Outcome]:
    """Answer the rolls that a declaration waits for with typed faces; yield the outcome after each.

    It contains the events of those before it. `choose` gets an answer and its number, from 1. Raises Unclear
    for faces that are left when nothing is asked for.
    """
    left = [] if outcome.refused else list(faces)
    for number in range(1, len(left) + 1):
        if not left:
            return
        question = outcome.waiting
        if question is None or not question.notation:
            raise Unclear(f"{counted(len(left), 'die', 'dice')} too many: {', '.join(map(str, left))}")
        many = count_dice(parse(question.notation))
        given, left = left[:many], left[many:]
        further = choose(",".join(map(str, given)), number)
        outcome = replace(further, events=(*outcome.events, *further.events), remarks=outcome.remarks)
        yield outcome


# --- What a declaration along a path costs, before it is made


class Foreseen(Struct, frozen=True):
    """The cost of a path in words, the ids that it provokes, and another path that provokes fewer.

    `refused` is the reason why the rules refuse it, with the rule.
    """

    cost: str = ""
    past: tuple[str, ...] = ()
    around: AnyAct | None = None
    refused: str = ""


def foresee(fight: Fight, declared: Declaration) -> Foreseen:
    """Return what is known of a declaration along a path before it is made; nothing for others."""
    act, way = declared.act, declared.way
    if way is not None:
        around = acts.Move(actor=act.actor, path=way.around) if way.around else None
        return Foreseen(f"{way.feet} ft.", way.past, around)
    if not isinstance(act, (*ALONG, *STRAIGHT)):
        return Foreseen()
    found = price(fight, act)
    refused = f"{found.refused} ({found.rule})" if found.refused else ""
    return Foreseen(_cost_of(found), found.past, None, refused)


def _cost_of(found: Price) -> str:
    parts = [
        f"{found.feet} ft." if found.feet is not None else "",
        f"{found.left} left" if found.left is not None else "",
        f"the rest depends on: {found.depends}" if found.depends else "",
    ]
    return ", ".join(filter(None, parts))
