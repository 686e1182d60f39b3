"""Rulings: void declarations, dice, choices, numbers and readings given by hand, modifiers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.fight.fight import Dialect, Fight
from affray.engine.language.acts import act_of, converted, value_for
from affray.engine.language.cast import dialect_words
from affray.engine.language.names import People, folded, names_of
from affray.engine.steps import Refusal
from affray.engine.table.appending import ONE_DECLARATION
from affray.events.codec import as_read
from affray.events.errors import AffrayError, counted, did_you_mean, nearest
from affray.events.facts.acts import Enter
from affray.events.facts.base import Fact
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectGained,
    HitPointsChanged,
    Moved,
    Until,
)
from affray.events.facts.flow import REFUSED, AnyAct, Declared, Invalidated, Refused, Ruled
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant
from affray.replay.log.declarations import Script
from affray.replay.names import plainly, set_figure_in_sheet

# --- Changes of declarations: another act or field, an insertion, another order, another start

AMENDED = (
    "ID=ACT (another act, as for affray do)",
    "ID.FIELD=VALUE",
    "before ID: ACT",
    "after ID: ACT",
    "swap ID ID",
    "WHO.sheet.FIGURE=VALUE",
)
"""The forms of these changes; ID is that of a declaration."""

_ID = r"(?:d|xd?)\d+(?:\.\d+)?"
_SWAP = re.compile(rf"swap (?P<id>{_ID}) (?P<other>{_ID})")
_INSERT = re.compile(rf"(?P<where>before|after) (?P<id>{_ID}): *(?P<act>.+)")
_ACT = re.compile(rf"(?P<id>{_ID})=(?P<act>.+)")
_FIELD = re.compile(rf"(?P<id>{_ID})\.(?P<name>[a-z_]+)=(?P<value>.+)")
_SHEET = re.compile(r"(?P<who>[^=]+?)\.sheet\.(?P<name>[^=]+)=(?P<value>.+)")
_START = re.compile(r"(?P<who>.+)\.(?P<name>hp|at)=(?P<value>-?\d{1,6}(?:,-?\d{1,6})?)")
_AMENDMENTS_CONDITION = re.compile(r"(?P<who>.+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]{0,60})")


class BadAmendment(AffrayError):
    """A declaration cannot be changed in this way."""


class Amendment(Struct, frozen=True):
    """One change: `kind` is act, field, insert, swap, sheet, start or condition.

    It is about the declaration `id`, or about the one with which `who` entered. `name` is the field, the
    figure, "before" or "after", the other declaration or the sign of a condition; `value` is the new value.
    """

    kind: str
    text: str
    id: str = ""
    who: str = ""
    name: str = ""
    value: str = ""


def parse_amendment(effect: str, scope: str) -> Amendment | None:
    """Return the change of a declaration that an effect of a ruling means, None for another effect.

    With the scope "fight" hit points, squares and conditions are those of an entry.
    """
    if found := _SWAP.fullmatch(effect):
        return Amendment("swap", effect, id=found["id"], name=found["other"])
    if found := _INSERT.fullmatch(effect):
        return Amendment("insert", effect, id=found["id"], name=found["where"], value=found["act"])
    if found := _ACT.fullmatch(effect):
        return Amendment("act", effect, id=found["id"], value=found["act"])
    if found := _FIELD.fullmatch(effect):
        return Amendment("field", effect, id=found["id"], name=found["name"], value=found["value"])
    if found := _SHEET.fullmatch(effect):
        return Amendment("sheet", effect, who=found["who"], name=found["name"], value=found["value"])
    if scope == "fight" and (found := _START.fullmatch(effect)):
        return Amendment("start", effect, who=found["who"], name=found["name"], value=found["value"])
    if scope == "fight" and not {".", "="} & {*effect} and (found := _AMENDMENTS_CONDITION.fullmatch(effect)):
        return Amendment("condition", effect, who=found["who"], name=found["sign"], value=found["name"])
    return None


def concerned(amendments: Iterable[Amendment], line: Sequence[Script]) -> int:
    """Return the first group of a line that is changed. Raises BadAmendment."""
    return min(
        _find(line, one, id)
        for one in amendments
        for id in ((one.id, one.name) if one.kind == "swap" else (one.id,))
    )


def amended(
    line: Sequence[Script],
    amendments: Iterable[Amendment],
    people: People,
    taken: set[str],
    by: str,
) -> list[Script]:
    """Return a line with its declarations changed; those that differ are declared by `by`.

    `people` are all combatants, `taken` the ids of all declarations: new ones are added. Raises BadAmendment,
    Unclear, UnknownCombatant, InvalidEntry.
    """
    made = list(line)
    for one in amendments:
        at = _find(made, one, one.id)
        if one.kind == "swap":
            other = _find(made, one, one.name)
            _swap(made, at, other, by)
        elif one.kind == "insert":
            made.insert(at + (one.name == "after"), _inserted(made[at], one, people, taken, by))
        else:
            script = made[at]
            made[at] = _with_act(script, _act(script.facts[0].act, one, people), by, one)
    return made


def check_sheets(dialect: Dialect, line: Iterable[Script]) -> None:
    """Raise BadAmendment if an amended entry has a sheet whose own fields the dialect does not know."""
    for script in line:
        sheet = getattr(script.facts[0].act, "sheet", None)
        if sheet is not None:
            try:
                dialect.custom_of(sheet)
            except Refusal as refusal:
                raise BadAmendment(refusal.reason) from None


def _find(line: Sequence[Script], one: Amendment, id: str) -> int:
    """Return the place of a declaration, by its id or as the entry of a combatant."""
    if not one.who:
        for at, script in enumerate(line):
            if script.id == id and id:
                return at
        raise BadAmendment(f"there is no declaration {id!r} on this line: {one.text}")
    entered = list(_entries(line))
    exactly = [at for at, act in entered if act.id == one.who]
    who = folded(one.who)
    called = [at for at, act in entered if act.sheet is not None and who in names_of(act.sheet.name)]
    if exactly:
        return exactly[0]
    if len(called) == 1:
        return called[0]
    meant = did_you_mean(one.who, [act.id for _, act in entered])
    raise BadAmendment(f"{one.who!r} has no entry{meant}")


def _entries(line: Sequence[Script]) -> Iterator[tuple[int, Enter]]:
    for at, script in enumerate(line):
        if type(script.facts[0]) is Declared and type(script.facts[0].act) is Enter:
            yield at, script.facts[0].act


def _swap(line: list[Script], at: int, other: int, by: str) -> None:
    first, second = line[at], line[other]
    if at == other or (first.owner, first.round) != (second.owner, second.round):
        raise BadAmendment(f"{first.id} and {second.id} are not two declarations of one turn")
    line[at], line[other] = _by(second, by), _by(first, by)


def _by(script: Script, by: str) -> Script:
    if type(script.facts[-1]) is Refused:
        return script  # moved, but the same declaration that was refused
    return replace(script, facts=[replace(script.facts[0], by=by), *script.facts[1:]])


def _inserted(anchor: Script, one: Amendment, people: People, taken: set[str], by: str) -> Script:
    act = act_of(one.value, people, anchor.facts[0].act.actor)
    stem = anchor.id.split(".")[0]
    # An earlier inserted one may have been refused, which its id shows.
    number = next(n for n in range(1, len(taken) + 2) if not {f"{stem}.{n}", f"{REFUSED}{stem}.{n}"} & taken)
    taken.add(id := f"{stem}.{number}")
    owner = anchor.owner if act.actor == anchor.owner else ""
    return Script(id, [as_read(Declared(id, act, by))], owner, anchor.round)


def _act(act: Any, one: Amendment, people: People) -> Any:
    """Return the act that replaces an act."""
    if one.kind == "act":
        return act_of(one.value, people, act.actor)
    if one.kind == "sheet":
        if act.sheet is None:
            raise BadAmendment(f"{act.id} enters without its own sheet")
        return replace(act, sheet=set_figure_in_sheet(act.sheet, one.name, one.value))
    if one.kind == "condition":
        rest = tuple(name for name in act.conditions if name != one.value)
        if (one.name == "-") == (len(rest) == len(act.conditions)):
            there = ", ".join(act.conditions) or "none"
            raise BadAmendment(f"{one.text}: the conditions with which {act.id} enters are: {there}")
        return replace(act, conditions=(*act.conditions, one.value) if one.name == "+" else rest)
    plain = plainly(act)
    plain[one.name] = one.value if one.name == "actor" else value_for(type(act), one.name, one.value)
    return converted(people.named(plain))


def _with_act(script: Script, act: AnyAct, by: str, one: Amendment) -> Script:
    """Return a group with another act: decided again, even if the original was refused."""
    first = script.facts[0]
    if act == first.act:
        raise BadAmendment(f"{one.text}: this is the case already")
    rest = [fact for fact in script.facts[1:] if type(fact) not in (Refused, Invalidated)]
    made = as_read(Declared(first.id, act, by))
    owner = script.owner if act.actor == first.act.actor else ""
    return replace(script, facts=[made, *rest], owner=owner)


FORMS = (
    "void",
    "WHO.hp=N",
    "WHO.at=X,Y",
    "WHO+CONDITION",
    "WHO-CONDITION",
    "WHO.STAT+N or WHO.STAT-N:KIND",
    "WHO.STAT-SOURCE (remove a modifier)",
    "WHO.TEST with advantage, WHO.TEST without disadvantage",
    "OPTION=READING",
    "KEY=4,6 (dice results)",
    "KEY die 2=15 (one die of a roll)",
    "KEY=ANSWER (a choice)",
    "revive ID (a refused declaration)",
    "ROLL=hit, miss, success or failure",
    *AMENDED,
)
GRAMMAR = ", ".join(FORMS)
SCOPES = ("event", "onward", "fight")
"""The scope of a ruling: this declaration, from it on, the whole fight."""

MOST_EFFECTS = 50
MOST_OF_EFFECT = 1_000
"""Most characters of an effect."""

_STATS = r"(?P<who>.+)\.(?P<stat>attack|defense|damage|confirm|initiative|save\.[a-z]{3,5})"
_KEYED = re.compile(r"(?P<key>(?=[^=/]*/)[^=]*)=(?P<value>.+)")
_OPTION = re.compile(r"(?P<option>[a-z][a-z0-9_]*)=(?P<value>[\w-]+)")
_SET = re.compile(r"(?P<who>.+)\.(?P<what>hp|at)=(?P<value>-?\d{1,6}(?:,-?\d{1,6})?)")
_MODIFIER = re.compile(_STATS + r"(?P<value>[+-]\d{1,4})(?::(?P<kind>[a-z][a-z -]*))?")
_STRUCK = re.compile(_STATS + r"-(?P<name>[A-Za-z].{0,200})")
_ROLL_MODE = re.compile(
    r"(?P<who>.+?)\.(?P<stat>[a-z][a-z. -]*) (?P<way>with|without) (?P<mode>[A-Za-z][A-Za-z -]*)"
)
_DIE = re.compile(r"(?P<key>(?=[^=/]*/)[^=]*) die (?P<die>\d{1,3})=(?P<face>\d{1,3})")
_MISSPELT = re.compile(r".+\.(?P<stat>[a-z.]+)[+-].*")
#: The numbers that modifiers of a ruling change.
MODIFIED = "attack defense damage confirm initiative save.fort save.ref save.will"
_MODIFYING = (_MODIFIER, _STRUCK, _ROLL_MODE)
_REVIVED = re.compile(r"revive (?P<id>(?:d|xd?)\d+(?:\.\d+)?)")
#: Outcomes of a roll that a word can set.
OUTCOMES = "hit miss success failure"
_WORD = re.compile(rf"(?P<roll>[^=]+)=(?P<word>{'|'.join(OUTCOMES.split())})")
_CONDITION = re.compile(r"(?P<who>.+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]{0,60})")


class BadRuling(AffrayError):
    """The ruling cannot be parsed, or names a combatant that is not in the fight."""


class Ruling(Struct, frozen=True):
    """A ruling of the game master on one declaration: words, and their effects.

    `effects` are written as in GRAMMAR, WHO being an id or a unique name; without effects the declaration is
    void. With `scope` "event" a modifier or a reading applies to this declaration only; the rest lasts.
    Effects have no side effects: hit points below zero add no condition, so write `ogre.hp=-12` and
    `ogre+dead`. With an `id` everything that the ruling affects cites it as `ruling:ID`.

    >>> from affray.replay import Ruling
    >>> Ruling("the fallen stones cover her", ("sorcerer.defense+4:cover",), author="GM").void
    False
    >>> Ruling("that never happened").void
    True
    """

    text: str
    effects: tuple[str, ...] = ()
    author: str = ""
    id: str = ""
    dispute: str = ""
    event: int = 0
    scope: str = "event"
    verdict: str = "amended"

    @property
    def void(self) -> bool:
        """Whether the declaration is void."""
        return "void" in self.effects or all(map(_REVIVED.fullmatch, self.effects))

    @property
    def rule(self) -> str:
        """The citation of this ruling in outcomes; "" for one without an id."""
        return f"ruling:{self.id}" if self.id else ""


class Sorted(Struct):
    """The effects of a ruling by what they change; `rest` are facts about combatants.

    `words` are outcomes of rolls, by their keys or purposes; `amendments` are changes of declarations.
    """

    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    choices: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    revived: list[str] = field(default_factory=list)
    amendments: list[Amendment] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)

    def cited(self, rule: str) -> dict[str, str]:
        """Return which dice, answers and rolls cite the rule of the ruling, by their keys."""
        return dict.fromkeys((*self.faces, *self.choices, *self.words), rule) if rule else {}


def sort(ruling: Ruling) -> Sorted:
    """Sort the effects of a ruling. Raises BadRuling for one that cannot be parsed or is out of scope."""
    if ruling.scope not in SCOPES:
        raise BadRuling(f"{ruling.scope!r} is not a scope: choose one of {', '.join(SCOPES)}")
    found = Sorted()
    momentary = ruling.void
    for effect in ruling.effects:
        if len(effect) > MOST_OF_EFFECT:
            raise BadRuling(
                f"the effect {effect[:40]!r}... has {len(effect)} characters; the limit is {MOST_OF_EFFECT}"
            )
        if amendment := parse_amendment(effect, ruling.scope):
            found.amendments.append(amendment)
        elif worded := _WORD.fullmatch(effect):
            momentary = True
            found.words[worded["roll"]] = worded["word"]
        elif keyed := _KEYED.fullmatch(effect):
            momentary = True
            if faces := _numbers(keyed["value"]):
                found.faces[keyed["key"]] = faces
            else:
                found.choices[keyed["key"]] = keyed["value"]
        elif revived := _REVIVED.fullmatch(effect):
            found.revived.append(revived["id"])
        elif option := _OPTION.fullmatch(effect):
            if word := nearest(option["value"], OUTCOMES.split()):
                raise BadRuling(
                    f"{effect!r}: {option['value']!r} is not an outcome of a roll; did you mean {word}?"
                )
            if _numbers(option["value"]):
                raise BadRuling(
                    f"{effect!r}: dice results need the key of their roll, for example d8/ogre/attack/1=4; "
                    "affray why EVENT has it below Dice"
                )
            found.options[option["option"]] = option["value"]
        elif effect != "void":
            momentary = momentary or not any(form.fullmatch(effect) for form in _MODIFYING)
            found.rest.append(effect)
    if momentary and ruling.scope == "fight":
        raise BadRuling(
            "only modifiers, readings and changes of entries can apply to a whole fight, "
            "all others happen at one moment"
        )
    return found


def combatants_named(ruling: Ruling) -> list[str]:
    """Return the combatants that the modifiers of a ruling name, as written."""
    found = (form.fullmatch(effect) for effect in ruling.effects for form in _MODIFYING)
    return list(dict.fromkeys(match["who"] for match in found if match))


def with_whole_rolls(effects: Iterable[str], faces_by_key: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """Return the effects with each one about a single die as one about its whole roll.

    `faces_by_key` are the faces of the recorded rolls. Raises BadRuling for a die that was not rolled.
    """
    return tuple(_with_whole_roll(effect, faces_by_key) for effect in effects)


def _with_whole_roll(effect: str, faces_by_key: Mapping[str, Sequence[int]]) -> str:
    found = _DIE.fullmatch(effect)
    if found is None:
        return effect
    faces, die = [*faces_by_key.get(found["key"], ())], int(found["die"])
    if not faces:
        raise BadRuling(f"{effect!r}: no roll has the key {found['key']!r}; affray why EVENT has the keys")
    if not 1 <= die <= len(faces):
        raise BadRuling(f"{effect!r}: that roll has {counted(len(faces), 'die', 'dice')}")
    faces[die - 1] = int(found["face"])
    return f"{found['key']}={','.join(map(str, faces))}"


def facts_of(fight: Fight, ruling: Ruling, subject: str) -> list[Fact]:
    """Return the facts that a ruling makes true before the declaration.

    With the scope "event" its modifiers last until that declaration is decided. Raises BadRuling for an
    effect that cannot be parsed and for an unknown combatant.
    """
    as_read(Ruled(ruling.author, "ruled", ruling.text))
    if len(ruling.effects) > MOST_EFFECTS:
        raise BadRuling(f"{len(ruling.effects)} effects; a ruling may have at most {MOST_EFFECTS}")
    facts = list(_facts(fight, ruling, subject))
    if ruling.rule:
        facts = [replace(fact, cites=(ruling.rule,)) for fact in facts]
    return facts


def _facts(fight: Fight, ruling: Ruling, subject: str) -> Iterator[Fact]:
    for number, effect in enumerate(sort(ruling).rest, 1):
        id = f"ruling:{ruling.id or subject}:{number}"
        until = ONE_DECLARATION if ruling.scope == "event" else Until()
        if found := _SET.fullmatch(effect):
            yield _set(fight, _who(fight, found["who"]), found["what"], found["value"], ruling.text)
        elif found := _MODIFIER.fullmatch(effect):
            modifier = Modifier(int(found["value"]), found["kind"] or "ruling", ruling.text, ruling.rule)
            who = _who(fight, found["who"])
            yield EffectGained(who=who.id, id=id, stat=found["stat"], modifier=modifier, until=until)
        elif found := _STRUCK.fullmatch(effect):
            modifier = Modifier(0, "ruling", found["name"], ruling.rule)
            who = _who(fight, found["who"])
            stat = f"no.{found['stat']}"
            yield EffectGained(who=who.id, id=id, stat=stat, modifier=modifier, until=until)
        elif found := _ROLL_MODE.fullmatch(effect):
            who, mode = _who(fight, found["who"]), _roll_mode(fight, found["mode"])
            without = found["way"] == "without"
            stat = f"no.{found['stat']}" if without else found["stat"]
            source = mode if without else ruling.text
            modifier = Modifier(0, "ruling" if without else mode, source, ruling.rule)
            yield EffectGained(who=who.id, id=id, stat=stat, modifier=modifier, until=until)
        elif found := _CONDITION.fullmatch(effect):
            yield _condition(_who(fight, found["who"]), found["sign"], found["name"], ruling.text)
        else:
            misspelt = _MISSPELT.fullmatch(effect)
            if misspelt and (known := nearest(misspelt["stat"], MODIFIED.split())):
                raise BadRuling(f"there is no number {misspelt['stat']!r} to modify; did you mean {known}?")
            raise BadRuling(f"{effect[:60]!r} is not an effect of a ruling{_meant(effect)}")


def _roll_mode(fight: Fight, word: str) -> str:
    """Return the kind of modifier that a word names, such as Advantage. Raises BadRuling."""
    known = dialect_words(fight.state).roll_modes
    for mode, label in known.items():
        if word.casefold() in (mode.casefold(), label.casefold()):
            return mode
    if not known:
        raise BadRuling(f"no test of {fight.dialect.name} is rolled with or without {word!r}")
    raise BadRuling(f"there is no {word!r}{did_you_mean(word, known, 2)}")


def _meant(effect: str) -> str:
    """Return the forms nearest to an effect by their signs, and where all of them are listed."""
    shapes = {_shape(form.partition(" (")[0].partition(" or ")[0]): form for form in FORMS}
    near = [shapes[one] for one in get_close_matches(_shape(effect), list(shapes), 3, 0)]
    return f"; similar forms: {', '.join(near)}; all forms: affray ruling --help"


def _shape(form: str) -> str:
    """Return a form with its names and numbers reduced to a letter each."""
    return re.sub(r"\w+", lambda word: "N" if word[0].isdigit() else word[0][0], form)


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.replace(",", " ").split()
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def relevant(fight: Fight, facts: Sequence[object]) -> bool:
    """Return whether all combatants in recorded facts of a ruling are still in the fight."""
    return all(getattr(fact, "who", "") in fight.state.combatants for fact in facts if hasattr(fact, "who"))


def _who(fight: Fight, id: str) -> Combatant:
    combatants = fight.state.combatants
    named = [one for one in combatants.values() if folded(id) in names_of(one.sheet.name)]
    found = combatants.get(id) or (named[0] if len(named) == 1 else None)
    if found is None:
        raise BadRuling(f"the ruling names {id!r}, who is not in the fight{did_you_mean(id, combatants)}")
    return found


def _set(fight: Fight, who: Combatant, what: str, value: str, text: str) -> HitPointsChanged | Moved:
    if what == "hp":
        if "," in value:
            raise BadRuling(f"hit points must be one number, not {value!r}")
        hp = int(value)
        return HitPointsChanged(
            who=who.id, hp=hp, nonlethal=who.nonlethal, temporary=who.temporary, change=hp - who.hp, why=text
        )
    if "," not in value:
        raise BadRuling(f"a square must be two numbers X,Y, not {value!r}")
    x, y = map(int, value.split(","))
    if not fight.field.passable((x, y), who.space):
        raise BadRuling(f"{who.id} cannot be at {x},{y}: there is a wall, or the map ends")
    if there := fight.dialect.kernel.occupants(fight, who, (x, y)):
        raise BadRuling(f"{there[0].id} is at {x},{y} already")
    return Moved(who=who.id, start=who.at, path=((x, y),), feet=0, diagonals=0, how="ruling")


def _condition(who: Combatant, sign: str, name: str, text: str) -> ConditionGained | ConditionLost:
    if sign == "+":
        return ConditionGained(who=who.id, condition=name, source=text)
    if name not in who.conditions:
        raise BadRuling(f"{who.id} is not {name}")
    return ConditionLost(who=who.id, condition=name, why=text)
