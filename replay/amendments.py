"""Changes about declarations: another act or field, one more, another order, another start."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.events.codec import as_read
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.acts import Enter
from affray.events.facts.declared import REFUSED, Declared, Invalidated, Refused
from affray.replay.act_words import act_of, converted, value_for
from affray.replay.people import People, folded, names_of
from affray.replay.scripts import Script
from affray.replay.sheet_figures import plainly, with_figure

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
_CONDITION = re.compile(r"(?P<who>.+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]{0,60})")


class BadAmendment(AffrayError):
    """A declaration cannot be changed so."""


class Amendment(Struct, frozen=True):
    """One change: `kind` is act, field, insert, swap, sheet, start or condition.

    It is about the declaration `id`, or about the one with which `who` entered. `name` is the field, the
    figure, "before" or "after", the other declaration or the sign of a condition; `value` what it says.
    """

    kind: str
    text: str
    id: str = ""
    who: str = ""
    name: str = ""
    value: str = ""


def amendment_of(effect: str, scope: str) -> Amendment | None:
    """Return the change about a declaration that an effect of a ruling means, None for another effect.

    For the scope "fight" hit points, places and conditions are those with which somebody enters.
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
    if scope == "fight" and not {".", "="} & {*effect} and (found := _CONDITION.fullmatch(effect)):
        return Amendment("condition", effect, who=found["who"], name=found["sign"], value=found["name"])
    return None


def concerned(amendments: Iterable[Amendment], line: Sequence[Script]) -> int:
    """Return which group of a line is the first that something is changed about. Raises BadAmendment."""
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

    `people` are all combatants, `taken` those of all declarations: new ones are added to them.
    Raises BadAmendment, BadWords, UnknownCombatant, InvalidEntry.
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


def _find(line: Sequence[Script], one: Amendment, id: str) -> int:
    """Return where a declaration stands: by its id, or as the one with which somebody entered."""
    if not one.who:
        for at, script in enumerate(line):
            if script.id == id and id:
                return at
        raise BadAmendment(f"there is no declaration {id!r} in it: {one.text}")
    entered = list(_entries(line))
    exactly = [at for at, act in entered if act.id == one.who]
    who = folded(one.who)
    called = [at for at, act in entered if act.sheet is not None and who in names_of(act.sheet.name)]
    if exactly:
        return exactly[0]
    if len(called) == 1:
        return called[0]
    meant = did_you_mean(one.who, [act.id for _, act in entered])
    raise BadAmendment(f"{one.who!r} enters in no declaration{meant}")


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
        return script  # moved, but the very declaration that was refused
    return replace(script, facts=[replace(script.facts[0], by=by), *script.facts[1:]])


def _inserted(anchor: Script, one: Amendment, people: People, taken: set[str], by: str) -> Script:
    act = act_of(one.value, people, anchor.facts[0].act.actor)
    stem = anchor.id.split(".")[0]
    # One that was put in before may have been refused, and is called so.
    number = next(n for n in range(1, len(taken) + 2) if not {f"{stem}.{n}", f"{REFUSED}{stem}.{n}"} & taken)
    taken.add(id := f"{stem}.{number}")
    owner = anchor.owner if act.actor == anchor.owner else ""
    return Script(id, [as_read(Declared(id, act, by))], owner, anchor.round)


def _act(act: Any, one: Amendment, people: People) -> Any:
    """Return what is declared instead of an act."""
    if one.kind == "act":
        return act_of(one.value, people, act.actor)
    if one.kind == "sheet":
        if act.sheet is None:
            raise BadAmendment(f"{act.id} enters without a sheet of its own")
        return replace(act, sheet=with_figure(act.sheet, one.name, one.value))
    if one.kind == "condition":
        rest = tuple(name for name in act.conditions if name != one.value)
        if (one.name == "-") == (len(rest) == len(act.conditions)):
            there = ", ".join(act.conditions) or "none"
            raise BadAmendment(f"{one.text}: the conditions with which {act.id} enters are: {there}")
        return replace(act, conditions=(*act.conditions, one.value) if one.name == "+" else rest)
    plain = plainly(act)
    plain[one.name] = one.value if one.name == "actor" else value_for(type(act), one.name, one.value)
    return converted(people.named(plain))


def _with_act(script: Script, act: Any, by: str, one: Amendment) -> Script:
    """Return a group with another act: decided anew, also if the one before was refused."""
    first = script.facts[0]
    if act == first.act:
        raise BadAmendment(f"{one.text}: it is so already")
    rest = [fact for fact in script.facts[1:] if type(fact) not in (Refused, Invalidated)]
    made = as_read(Declared(first.id, act, by))
    owner = script.owner if act.actor == first.act.actor else ""
    return replace(script, facts=[made, *rest], owner=owner)
