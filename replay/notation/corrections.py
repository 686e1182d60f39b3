"""The differences between the record and the rules' decision of the same words today, in packed form.

A log of this release needs none. An older one, or one with decisions changed by a ruling, has them at the end
of its text: they are for programs, and the words of people come before them.
"""

import base64
import zlib
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec

from affray.engine.notation.statements import Packed
from affray.engine.notation.tokens import NotationError
from affray.events.envelope import Entry, Event

MOST_BYTES = 100_000_000
"""Most bytes unpacked."""
WIDTH = 100
KEEP, PATCH, DROP, INSERT = "keep", "patch", "drop", "insert"
_MISSING: object = object()


class BadCorrections(ValueError):
    """Corrections that cannot be read, or do not fit the rules' decision."""


def steps_between(made: Sequence[Entry], recorded: Sequence[Event]) -> list[list[object]]:
    """Return the steps from the rules' decision to the record, none if they are equal."""
    if len(made) == len(recorded) and all(map(_same, made, recorded)):
        return []
    cause = recorded[0].cause
    steps: list[list[object]] = []
    found = SequenceMatcher(None, [e.type for e in made], [e.type for e in recorded], autojunk=False)
    for kind, a, b, c, d in found.get_opcodes():
        if kind == "equal":
            steps += [_step(one, other) for one, other in zip(made[a:b], recorded[c:d], strict=True)]
        else:
            steps += [[DROP] for _ in range(a, b)]
            steps += [[INSERT, *_inserted(one, cause)] for one in recorded[c:d]]
    return steps


def applied(made: Sequence[Entry], steps: Sequence[Sequence[Any]], cause: int) -> list[Entry]:
    """Return the record: the rules' decision, corrected. Raises BadCorrections."""
    out: list[Entry] = []
    at = 0
    try:
        for step in steps:
            if step[0] == INSERT:
                type, version, round, turn, actor, apart, data = step[1:]
                out.append(_entry(type, version, round, turn, actor, cause + apart, data.encode()))
                continue
            one = made[at]
            at += 1
            if step[0] == KEEP:
                out.append(one)
            elif step[0] == PATCH:
                version, round, turn, actor, apart, change = step[1:]
                data = change.encode() if isinstance(change, str) else _patched(one.data, change)
                version = one.version if version is None else version
                round = one.round if round is None else round
                turn = one.turn if turn is None else turn
                who = one.actor if actor is None else actor
                out.append(
                    _entry(
                        one.type,
                        version,
                        round,
                        turn,
                        who,
                        one.cause if apart is None else cause + apart,
                        data,
                    )
                )
            elif step[0] != DROP:
                raise BadCorrections(f"an unknown step {step[0]!r}")
        if at != len(made):
            raise BadCorrections("they are for fewer events than the rules make")
    except (IndexError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadCorrections(str(error)) from None
    return out


def pack(corrections: object) -> list[str]:
    """Return corrections as lines of text."""
    data = zlib.compress(msgspec.json.encode(corrections), 9)
    text = base64.b85encode(data).decode()
    return [text[at : at + WIDTH] for at in range(0, len(text), WIDTH)]


def unpack(lines: Iterable[str]) -> object:
    """Return the corrections in packed lines. Raises BadCorrections."""
    try:
        packed = base64.b85decode("".join(lines))
        opened = zlib.decompressobj()
        data = opened.decompress(packed, MOST_BYTES)
        if not opened.eof or opened.unused_data:
            raise BadCorrections("they are cut off, or too long")
        return msgspec.json.decode(data)
    except (ValueError, zlib.error, msgspec.MsgspecError, RecursionError) as error:
        raise BadCorrections(str(error)) from None


def _same(one: Entry, other: Event) -> bool:
    return one.data == other.data and _around(one) == _around(other)


def _around(one: Entry | Event) -> tuple[object, ...]:
    return one.type, one.version, one.round, one.turn, one.actor, one.cause


def _entry(
    type: object, version: object, round: object, turn: object, actor: object, cause: object, data: bytes
) -> Entry:
    if (
        not (isinstance(type, str) and isinstance(actor, str))
        or not (isinstance(version, int) and isinstance(round, int))
        or not (isinstance(turn, int) and isinstance(cause, int))
        or any(isinstance(one, bool) for one in (version, round, turn, cause))
    ):
        raise BadCorrections("a place is not of its type")
    return Entry(type, version, round, turn, actor, cause, data)


def _inserted(one: Event, cause: int) -> list[object]:
    return [one.type, one.version, one.round, one.turn, one.actor, one.cause - cause, one.data.decode()]


def _step(one: Entry, other: Event) -> list[object]:
    if _same(one, other):
        return [KEEP]
    cause = other.cause
    change: object = None
    if one.data != other.data:
        change = _changes(msgspec.json.decode(one.data), msgspec.json.decode(other.data))
        if _patched(one.data, change) != other.data:
            change = other.data.decode()
    fields = ("version", "round", "turn", "actor")
    place = [None if getattr(one, f) == getattr(other, f) else getattr(other, f) for f in fields]
    return [PATCH, *place, None if one.cause == cause else 0, change]


def _changes(was: object, now: object) -> object:
    """Return the step from one plain value to another: [fields to remove, fields to set or change]."""
    if isinstance(was, dict) and isinstance(now, dict):
        gone = [name for name in was if name not in now]
        changed = {
            name: _changes(was.get(name, _MISSING), value)
            for name, value in now.items()
            if was.get(name, _MISSING) != value or type(was.get(name)) is not type(value)
        }
        return [gone, changed]
    if isinstance(was, list) and isinstance(now, list) and was and len(was) == len(now):
        changed = {
            str(at): _changes(one, other)
            for at, (one, other) in enumerate(zip(was, now, strict=True))
            if one != other
        }
        return [[], changed]
    return [now]


def _patched(data: bytes, change: object) -> bytes:
    if change is None:
        return data
    return msgspec.json.encode(_apply(msgspec.json.decode(data), change))


def _apply(value: Any, change: Any) -> Any:
    if len(change) == 1:
        return change[0]
    gone, changed = change
    if isinstance(value, dict):
        for name in gone:
            del value[name]
        for name, one in changed.items():
            value[name] = _apply(value.get(name), one)
    elif isinstance(value, list):
        for name, one in changed.items():
            value[int(name)] = _apply(value[int(name)], one)
    else:
        raise BadCorrections("there is nothing to change in a plain value")
    return value


# --- The packed lines of a text, unpacked before the others are read


def unpack_corrections(packed: Sequence[Packed]) -> dict[str, object]:
    """Return corrections and salts by branch name, none without lines. Raises NotationError."""
    if not packed:
        return {}
    where = packed[0].line, packed[0].column
    try:
        found = unpack(one.text for one in packed)
    except BadCorrections as error:
        raise NotationError(*where, f"packed corrections: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise NotationError(*where, "packed corrections by branch")
    return found
