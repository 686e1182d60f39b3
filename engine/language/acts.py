"""Acts as people type them in one line: name, actor, target, other fields by name or as options."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from affray.engine.language.names import MANY, ONE, People, Unclear
from affray.engine.notation.tokens import expected_by
from affray.events.errors import counted, did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.validation import Unreadable, read_json

# --- From typed words to the values of an act's fields


SQUARE: Final = re.compile(r"-?\d{1,6},-?\d{1,6}")
SQUARES: Final = re.compile(rf"{SQUARE.pattern}(?:>(?:{SQUARE.pattern})?)*")
"""A square, or several joined by >: 4,1>5,2."""
NUMBER: Final = re.compile(r"-?\d{1,9}")


def parse_typed_value(type: Any, raw: Any) -> object:
    """Return the plain value of typed text for a field. Raises ValueError with a sentence.

    Squares are `3,2`; a list is given in several words or options; parts of one value are joined by commas in
    order or named (`what=moves,who=ogre`), and may contain blanks (`ogre,light crossbow`); JSON is taken as
    it is.
    """
    if isinstance(raw, bool | int):
        return raw
    if isinstance(raw, tuple):
        return [_value(type.item_type, item) for text in raw for item in _pieces(type.item_type, text)]
    return _value(type, raw)


def _pieces(type: object, text: str) -> list[str]:
    """Return the values in one word: names separated by commas, squares by blanks."""
    if isinstance(type, inspect.StrType):
        return text.split(",")
    return text.replace(">", " ").split() if isinstance(type, inspect.TupleType) else [text]


def _value(type: object, text: str) -> Any:
    if text[:1] in ("{", "["):
        try:
            return read_json(text)
        except Unreadable:
            raise ValueError(f"this is not JSON: {text}") from None
    type = bare(type)
    if isinstance(type, inspect.IntType):
        if not NUMBER.fullmatch(text):
            raise ValueError(f"{text!r} is not a whole number")
        return int(text)
    if isinstance(type, inspect.TupleType):
        parts = text.split(",")
        if _holds_squares(type) and not SQUARE.fullmatch(text):
            raise ValueError(f"{text!r} is not a square: write it as 4,1")
        if len(parts) != len(type.item_types):
            raise ValueError(f"{text!r}: expected {len(type.item_types)} values joined by commas")
        return [_value(item, part) for item, part in zip(type.item_types, parts, strict=True)]
    if isinstance(type, inspect.UnionType):
        tag, _, rest = text.partition(",")
        found = {str(one.tag): one for one in type.types if isinstance(one, inspect.StructType)}
        if tag not in found:
            raise ValueError(f"{tag!r}: unknown name{did_you_mean(tag, found, whole=ALL_ACTS)}")
        return {found[tag].tag_field: tag, **(_struct_parts(found[tag], rest) if rest else {})}
    if isinstance(type, inspect.StructType):
        return _struct_parts(type, text if "," in text else text.replace(":", ","))
    if isinstance(type, inspect.LiteralType) and text not in type.values:
        meant = did_you_mean(text, filter(None, map(str, type.values)), whole="affray do DB ACT --help")
        raise ValueError(f"{text!r} is not one of its words{meant}")
    return text


def _struct_parts(type: inspect.StructType, text: str) -> JsonObject:
    """Return the fields of a struct from "a,b" in order or "name=a,other=b"."""
    known = {field.name: field.type for field in type.fields if field.name != "actor"}
    parts = text.split(",")
    if len(parts) > len(known):
        raise ValueError(f"{text!r}: at most {counted(len(known), 'part')}: {', '.join(known)}")
    values = {}
    for name, part in zip(known, parts, strict=False):
        key, equals, value = part.partition("=")
        if equals and key not in known:
            raise ValueError(f"no part {key!r}; choose one of {', '.join(known)}")
        target, value = (key, value) if equals else (name, part)
        if value:
            values[target] = _value(known[target], value)
    return values


def bare(type: object) -> object:
    """Return the type without its None."""
    if isinstance(type, inspect.UnionType):
        rest = [one for one in type.types if not isinstance(one, inspect.NoneType)]
        return rest[0] if len(rest) == 1 else type
    return type


ACTS: Final[Mapping[str, type[Act]]] = MappingProxyType(
    {
        str(act.__struct_config__.tag): act
        for act in AnyAct.__args__
        if act.__struct_config__.tag not in ("enter", "rule")
    }
)
"""Acts that can be typed this way: entering needs a sheet, and ruling is not part of the fight."""

SHORT: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "a": ("attack", "One attack: at the named target, or at the only possible one"),
        "fa": ("full-attack", "A full attack with all attacks at one target"),
        "m": ("move", "A move by the best path or along typed squares"),
        "s": ("step", "A step of 5 feet"),
        "c": ("cast", "A spell of the sheet at a combatant or a square"),
        "b": ("begin", "The beginning of the fight"),
        "e": ("end-turn", "The end of the turn"),
    }
)
"""Short words for acts, each with the act and its meaning."""

ALL_ACTS = "affray do --help"
"""The command that lists them."""


@cache
def fields_of(kind: type[Struct]) -> Mapping[str, object]:
    """Return the types of an act's fields by name, the main one first, the actor left out."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {one.name: one.type for one in info.fields if one.name != "actor"}


def value_for(kind: type[Act], name: str, given: str | Sequence[str], said: str = "") -> object:
    """Return the plain value of a typed field: a text, or several words for a list.

    A text is split into the words of a list, where quotes keep a word with blanks together. `said` is the
    field as typed, such as --weapon. Raises Unclear for an unknown field or value.
    """
    found, tag, said = fields_of(kind), kind.__struct_config__.tag, said or name
    if name not in found:
        dashes = "--" if said.startswith("--") else ""
        known = [dashes + (one.replace("_", "-") if dashes else one) for one in found]
        whole = f"affray do DB {tag} --help"
        raise Unclear(
            f"{tag!r} has no {said if dashes else repr(said)}{did_you_mean(said, known, whole=whole)}"
        )
    text, type = given if isinstance(given, str) else " ".join(given), found[name]
    if isinstance(bare(type), inspect.BoolType):
        if text not in ("true", "false"):
            raise Unclear(f"{said} of {tag!r} must be true or false, not {text!r}")
        return text == "true"
    try:
        words = shlex.split(given) if isinstance(given, str) and _is_list(type) else given
        return parse_typed_value(type, tuple(words) if _is_list(type) else text)
    except ValueError as error:
        raise Unclear(f"{said} of {tag!r}: {error}") from None


def _is_list(type: object) -> bool:
    return isinstance(bare(type), inspect.VarTupleType)


def converted(values: JsonObject) -> AnyAct:
    """Return the act of plain values. Raises Unclear, without the words of a validator."""
    if not isinstance(values, dict) or "act" not in values:
        raise Unclear("a declaration in JSON is an object with the field 'act'")
    name = values.get("act")
    kind = ACTS.get(name) if isinstance(name, str) else None
    try:
        act: AnyAct = msgspec.convert(acts.custom_form(values), AnyAct)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if kind is None and not (isinstance(name, str) and "." in name) and name not in ("enter", "rule"):
            raise no_act(str(name if name is not None else ""), ACTS) from None
        expected, found = expected_by(error, values, kind or acts.Custom, repr(name))
        raise Unclear(f"expected {expected}{f', found {found}' if found else ''}") from None
    return act


def no_act(name: str, known: Iterable[str]) -> Unclear:
    """Return the error for an unknown name of an act."""
    return Unclear(f"there is no act {name!r}{did_you_mean(name, known, whole=ALL_ACTS)}")


# --- From the words of a line to an act


class NoActor(Unclear):
    """No combatant is named, and it is no combatant's turn."""


class Options(Struct):
    """The words of a line without a name, and fields by name, each with its name as typed and its values."""

    bare: list[str]
    named: dict[str, tuple[str, list[str]]]

    @property
    def words(self) -> list[str]:
        """The fields as words of a line."""
        typed = {name: said for name, (said, _) in self.named.items()}
        same = {name: said if as_field(said) == name else f"--{name}" for name, said in typed.items()}
        return [f"{same[name]}={value}" for name, (_, values) in self.named.items() for value in values]


def as_field(option: str) -> str:
    """Return the name of the field that an option such as --rapid-shot sets."""
    return option.removeprefix("--").replace("-", "_")


def split_options(words: Sequence[str], known: Mapping[str, object], *, text: bool = False) -> Options:
    """Separate `field=value`, `--field value`, `--field=value`, `--flag` and `--no-flag` from other words.

    Of free `text` only the options of known fields are separated. Raises Unclear for an option without its
    value.
    """
    found, left = Options([], {}), list(words)
    while left:
        word = left.pop(0)
        key, equals, value = word.partition("=")
        name = as_field(key)
        if text and not (key.startswith("--") and name in {*known, "actor"}):
            found.bare.append(word)
            continue
        if key.startswith("--") and key != "--":
            is_flag = isinstance(bare(known.get(name)), inspect.BoolType)
            if isinstance(bare(known.get(name[3:])), inspect.BoolType) and name.startswith("no_"):
                name, value = name[3:], "false"
            elif is_flag and not equals:
                value = "true"
            elif not equals:
                if not left and name in known:
                    raise Unclear(f"{key} needs a value")
                value = left.pop(0) if left else ""
        elif equals and key.replace("_", "").isidentifier() and not SQUARE.fullmatch(key):
            name = key
        elif isinstance(bare(known.get(word)), inspect.BoolType):
            name, value, key = word, "true", word
        else:
            found.bare.append(word)
            continue
        found.named.setdefault(name, (key, []))[1].append(value)
    return found


def act_of(text: str, people: People, actor: str) -> AnyAct:
    """Parse the act in a line: `attack ogre goblin weapon=dagger`, `move 3,2 4,2`, or JSON.

    Of several words the first is the actor if it names a combatant, otherwise `actor` acts. Combatants are
    given by id, or by a unique name. Raises Unclear, UnknownCombatant.
    """
    if text.lstrip().startswith("{"):
        return act_of_json(text, people, actor)
    name, *words = split_words(text)
    return converted(people.named(act_values(name, words, people, actor)))


def act_of_json(text: str, people: People, actor: str = "") -> AnyAct:
    """Return the act written in JSON, of `actor` if it names none. Raises Unclear, UnknownCombatant."""
    try:
        whole = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Unclear(f"this is not JSON: {text}") from None
    act = converted(people.named(whole))
    if act.actor or act.declared_by == "game master" or "actor" in whole:
        return act
    return replace(act, actor=actor)


def split_words(text: str) -> list[str]:
    """Return the words of a line, with quoted ones whole. Raises Unclear."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Unclear(f"{text}: {str(error).lower()}") from None
    if not words:
        raise Unclear("nothing is said")
    return words


def act_values(name: str, words: Sequence[str], people: People, actor: str) -> JsonObject:
    """Return the plain values of the act that a name and the words after it mean. Raises Unclear."""
    if custom := people.custom_act(name):
        return custom_values(custom, words, people, actor)
    if name not in ACTS:
        raise no_act(name, [*ACTS, *people.short_acts, *people.acts])
    kind, fields = ACTS[name], fields_of(ACTS[name])
    main = next(iter(fields), "")
    is_spoken = main == "words"
    values: JsonObject = {"act": name}
    if name == "ready" and "then" in words:
        at = words.index("then")
        if len(words) == at + 1:
            raise Unclear("ready: say the act after 'then'")
        then = SHORT.get(words[at + 1], (words[at + 1], ""))[0]
        values["then"] = act_values(then, words[at + 2 :], people, actor)
        words = words[:at]
    said = split_options(words, fields, text=is_spoken)
    rest = said.bare
    for key, (typed, given) in said.named.items():
        if key == "actor":
            values[key] = people.find(given[-1])
        else:
            is_text = not typed.startswith("--")
            parts = [part for one in given for part in (split_words(one) if is_text else [one])]
            values[key] = value_for(kind, key, parts if _is_list(fields.get(key)) else given[-1], typed)
    if not _holds_squares(fields.get(main)) and not is_spoken:
        rest = _take_squares(name, rest, fields, values)
    if kind.declared_by == "game master":
        values.pop("actor", None)
    elif "actor" not in values:
        values["actor"] = _take_actor(rest, main, fields, people, actor)
    _take_main(name, rest, main, values, people)
    return values


def _holds_squares(type: object) -> bool:
    """Return whether a field holds a square or several: pairs of whole numbers."""
    type = bare(type)
    one = bare(type.item_type) if isinstance(type, inspect.VarTupleType) else type
    return isinstance(one, inspect.TupleType) and all(isinstance(x, inspect.IntType) for x in one.item_types)


def _take_squares(
    name: str, words: Sequence[str], fields: Mapping[str, object], values: JsonObject
) -> list[str]:
    """Give the squares among the words to the field for them; return the other words."""
    squares = [word for word in words if SQUARES.fullmatch(word)]
    key = next((key for key in ("path", "at", "to") if key in fields and key not in values), "")
    if not squares or not key or not _holds_squares(fields[key]):
        return list(words)
    values[key] = value_for(ACTS[name], key, squares if _is_list(fields[key]) else " ".join(squares))
    return [word for word in words if word not in squares]


def _take_actor(
    words: list[str], main: str, fields: Mapping[str, object], people: People, active: str
) -> str:
    """Return the actor: the first word if it names one, otherwise `active`. Raises Unclear.

    A single word belongs to the main field if there is one. If that is a list of combatants, only the
    combatant whose turn it is counts as the actor.
    """
    is_list = _is_list(fields.get(main))
    if words and not main:
        return people.find(words.pop(0))
    if words and is_list and (main in MANY or main == "strikes"):
        first = len(words) > 1 and people.knows(words[0])
        first = first and (not active or people.find_id_of_combatant(words[0]) == active)
    elif main in ONE:
        first = len(words) > 1 and all(len(people.begun(word)) == 1 for word in words[:2])
    elif _holds_squares(fields.get(main)):
        first = bool(words) and bool(people.begun(words[0])) and not SQUARES.fullmatch(words[0])
    elif main == "words":
        first = len(words) == 2 and people.knows(words[0])
    else:
        first = (len(words) > 1 or (is_list and bool(words))) and people.knows(words[0])
    if first:
        return people.find(words.pop(0))
    if not active:
        raise NoActor("no turn is running: name the actor")
    return active


def _take_main(name: str, words: list[str], main: str, values: JsonObject, people: People) -> None:
    """Give the remaining words to the main field, and further ones to a weapon or an opponent."""
    kind, fields = ACTS[name], fields_of(ACTS[name])
    if words and main and main not in values:
        type = bare(fields[main])
        if _is_list(type):
            given: list[str] = [_found(word, people) for word in words] if main in MANY else list(words)
            values[main] = value_for(kind, main, given)
            words.clear()
        elif main in ONE:
            values[main] = people.find(words.pop(0))
        elif isinstance(type, inspect.StrType):
            values[main] = " ".join(words)
            words.clear()
        elif isinstance(type, inspect.StructType):
            values[main] = value_for(kind, main, ",".join(words))
            words.clear()
        elif len(words) == 1:
            values[main] = value_for(kind, main, words.pop(0))
    if words and "opponent" in fields and "opponent" not in values:
        values["opponent"] = people.find(words.pop(0))
    if words and "weapon" in fields and "weapon" not in values:
        values["weapon"] = " ".join(words)
        words.clear()
    if words:
        raise Unclear(f"{name}: unexpected words {' '.join(words)!r}")


def _found(word: str, people: People) -> str:
    """Return names separated by commas as ids."""
    return ",".join(people.find(one) for one in word.split(","))


# --- Acts that only the dialect knows


def custom_values(name: str, words: Sequence[str], people: People, actor: str) -> JsonObject:
    """Return the plain values of an act that only the dialect knows: its actor, its fields in order or by
    name.

    Words that name combatants belong to the next field of several names, a square to the next field of one,
    whatever fields are between; several words for the last field are a list. Raises Unclear.
    """
    held = people.acts[name].fields
    values: JsonObject = {"act": name}
    flags = {key: inspect.BoolType() for key, what in held.items() if what == "yes or no"}
    said = split_options(words, {**dict.fromkeys(held), **flags})
    for key, (_, given) in said.named.items():
        if key == "actor":
            values[key] = people.find(given[-1])
        elif key not in held:
            raise Unclear(f"{name!r} has no {key!r}{did_you_mean(key, held)}")
        else:
            values[key] = _custom_value(name, key, held[key], given, people)
    rest = said.bare
    unsaid = [key for key in held if key not in values]
    if "actor" not in values:
        first = rest and people.knows(rest[0]) and (len(rest) > 1 or not unsaid)
        values["actor"] = people.find(rest.pop(0)) if first else actor
    for at, key in enumerate(unsaid):
        taken = rest if at == len(unsaid) - 1 else _taken_by(held[key], rest, people)
        if taken:
            values[key] = _custom_value(name, key, held[key], taken, people)
        rest = rest[len(taken) :]
    if rest:
        raise Unclear(f"{name}: unexpected words {' '.join(rest)!r}")
    return values


def _taken_by(held: str, words: Sequence[str], people: People) -> Sequence[str]:
    """Return the words that a field takes: those of its kind, otherwise one."""
    if held == "names":
        named = list(takewhile(lambda word: all(map(people.knows, word.split(","))), words))
        return named if named or not words or not SQUARE.fullmatch(words[0]) else ()
    if held == "a square":
        return [word for word in words[:1] if SQUARE.fullmatch(word)]
    return words[:1]


def _custom_value(name: str, key: str, held: str, words: Sequence[str], people: People) -> object:
    """Return the plain value of a field that holds a number, a square, several of something or a word."""
    text = " ".join(words)
    squares = text.replace(">", " ").split()
    if held == "a number" and NUMBER.fullmatch(text):
        return int(text)
    if held in ("a square", "squares") and all(map(SQUARE.fullmatch, squares)):
        made = [[int(part) for part in one.split(",")] for one in squares]
        if held == "squares" or len(made) == 1:
            return made if held == "squares" else made[0]
    if held in ("a number", "a square", "squares"):
        raise Unclear(f"{key} of {name!r} must be {held}, not {text!r}")
    if held == "yes or no":
        if text not in ("yes", "no", "true", "false"):
            raise Unclear(f"{key} of {name!r} must be yes or no, not {text!r}")
        return text in ("yes", "true")
    if held == "names":
        return [_known(one, people) for word in words for one in word.split(",")]
    return _known(text, people) if key in ONE else text


def _known(word: str, people: People) -> str:
    """Return the id that a beginning of a name means, any other word unchanged."""
    found = people.begun(word)
    return found[0] if len(found) == 1 else word
