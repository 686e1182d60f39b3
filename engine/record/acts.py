"""A dialect's support for declarations: the resolver of each type, and the fields that it reads.

A chapter's record maps a type of declaration to `Honours(move, "path", how=WAYS)`: any path is accepted, and
`how` must be one of these values. Fields that are not named must have their default; the runner refuses
declarations with other values, by `ActValidator`.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, ForwardRef, TypeAlias, cast, get_args, get_type_hints

from msgspec import Struct, StructMeta
from msgspec.structs import fields as structs_fields

from affray.engine.steps import Steps
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.sheet import Rider
from affray.events.generated import run_generated

# --- Types that the records' signatures use in addition to facts and state

if TYPE_CHECKING:
    from affray.engine.fight.fight import Dialect, Fight

    Context: TypeAlias = Fight
    """The fight as the rules see it, `affray.engine.fight.Fight`, which holds these records."""

    Ruleset: TypeAlias = Dialect
    """The rules of the fight, `affray.engine.fight.Dialect`, which is made of these records."""
else:
    # That module imports this one. `help` and `get_type_hints` evaluate the references where they are used.
    Context = ForwardRef("fight_module().Fight", module=__name__)
    Ruleset = ForwardRef("fight_module().Dialect", module=__name__)


def fight_module() -> ModuleType:
    """Return the module of `Fight` and `Dialect`, which cannot be imported before the records."""
    return import_module("affray.engine.fight.fight")


Resolver: TypeAlias = Callable[[Context, Any], Steps[None]]
"""Carries out a declaration: refuses it before its first step, or yields rolls, choices and facts."""

Square: TypeAlias = tuple[int, int]


# --- The docstring of a struct: its purpose and, line by line, the purpose of each field


def purpose(kind: type) -> str:
    """Return the purpose of a struct: the first line of its docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def purposes(kind: type) -> dict[str, str]:
    """Return the purpose of each field: the lines "field: meaning" in the docstrings of a struct and its
    bases.

    Long meanings continue on indented lines.
    """
    told: dict[str, str] = {}
    for one in reversed(kind.__mro__[: kind.__mro__.index(Struct)]):
        text = re.sub(r"\n {4,}", " ", inspect.cleandoc(one.__doc__ or ""))
        lines = (line.partition(": ") for line in text.splitlines())
        told.update((name, meaning) for name, _, meaning in lines if name in kind.__struct_fields__)  # type: ignore[attr-defined]
    return told


# --- Text fields that hold no words of a vocabulary: names of things in play, free text, printed names
# They are recognized by the name of the field, or by the struct and the field where a name has two meanings:
# "Load.item".

BROUGHT: Final = "as it was in another fight, with the digest of all that is brought along"

NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("target", "friend", "opponent", "helper", "healer", "turn", "riding", "grapples", "strike"),
        "a combatant",
    ),
    **dict.fromkeys(("who", "after"), "a combatant"),
    **dict.fromkeys(("targets", "unaware", "stealthy"), "combatants"),
    "ambushes": "attacker, target and weapon of each",
    "by": "a condition and a combatant of each",
    "levels": "a condition that has a level, and its number, of each",
    "losses": "an ability, with or without 'drain', and the points of each",
    "used": "a weapon with ammunition, a spell or a supply of the day, and how much of each",
    "weapon": "a weapon of the sheet",
    **dict.fromkeys(("second", "also", "draw"), "a weapon of the sheet"),
    "Drop.also": "things in hand",
    "held": "weapons of the sheet",
    "unloaded": "weapons of the sheet that want loading",
    "means": "a natural weapon of the sheet",
    "item": "a thing in hand or on the sheet",
    "spell": "a spell of the sheet",
    "boost": "a spell of the sheet",
    "poison": "a poison of the sheet",
    "feat": "a feat of the sheet",
    "ability": "an ability of the sheet",
    "part": "a part of the body",
    "bleeding": "the severity of a wound: '1d6', '2'",
    "degree": "a degree of what one is exposed to",
    "row": "a row of the table of combat modifiers",
    "table": "a row of the rulebook's tables",
    "substance": "a row of the rulebook's tables",
    "items": "a thing and what has become of it, of each",
    "injuries": "injuries by the names of their table",
    "LastingEffect.against": "a combatant, or one that is gone",
    **dict.fromkeys(("Origin.log", "Origin.digest", "Origin.state"), "a digest"),
    **dict.fromkeys(("Carried.own_side", "Carried.counters"), BROUGHT),
    **dict.fromkeys(("LastingCondition.condition", "LastingCondition.source"), BROUGHT),
    **dict.fromkeys(("LastingAffliction.id", "LastingEffect.id", "LastingEffect.stat"), BROUGHT),
    **dict.fromkeys(("Modifier.kind", "Modifier.source", "Modifier.rule", "Modifier.denied"), BROUGHT),
    **dict.fromkeys(("Until.when", "Rider.effect", "Rider.secondary"), BROUGHT),
    "Aid.what": "a skill of the friend, or a condition that it has",
    "Hazard.skill": "a skill or ability",
    "Intent.what": "an action of that type",
    "TurnUndead.kind": "a kind of creature that the actor turns",
    "UseSkill.skill": "a skill of the sheet",
}
"""Fields that name something in play; a name that does not exist is refused."""

THING: Final = "a thing, on a sheet or not"

TEXTS: Final[Mapping[str, str]] = {
    "Sheet.custom": "fields that an installed dialect declares",
    **dict.fromkeys(("Speak.words", "TurnUndead.words", "Close.reason", "Circumstance.why"), "free text"),
    "Opening.reason": "free text",
    "Fiat.text": "free text",
    **dict.fromkeys(("Charge.stunt", "Stunt.what", "Hazard.source", "Rest.interrupted"), "free text"),
    **dict.fromkeys(("Enter.id", "Enter.side", "Bonus.source", "ExtraDamage.source"), "free text"),
    **dict.fromkeys(("Sheet.name", "Weapon.name", "Worn.name", "Spell.name", "Rider.name"), "free text"),
    **dict.fromkeys(("Handle.item", "Disarm.item", "Sunder.item", "Pilfer.item", "Steal.item"), THING),
    **dict.fromkeys(("Strike.item", "Charge.item", "Grapple.weapon"), THING),
    "Origin.fight": "free text",
    "Hazard.injury": "'random', 'random hand', or an injury in free text",
}
"""Text that is reported as given: new names, and text that no rule reads."""

REMARKED: Final = frozenset(
    {
        *("Sheet.feats", "Sheet.traits", "Sheet.save_bonuses", "Weapon.traits", "Worn.traits"),
        *("Sheet.classes", "Sheet.good_saves", "Sheet.skills", "Sheet.ranks", "Sheet.race"),
    }
)
"""Names on a printed sheet, which may have no rule."""

FOLLOWED: Final = frozenset({"Origin.branch", "Origin.id", "Origin.renewed", "Origin.together"})
"""Text about another log, which can only be checked with that log: `affray verify --with` does."""


def meaning_of_text(kind: str, field: str) -> str:
    """Return the meaning of a text field in a word or two, "" if it holds words of a vocabulary."""
    name = f"{kind}.{field}"
    if name in REMARKED:
        return "printed names"
    if name in FOLLOWED:
        return "of another log"
    return TEXTS.get(name) or NAMES.get(name) or NAMES.get(field, "")


# --- Fields of a declaration that are read only if other fields have certain values

SAID: Final = "said"
UNSAID: Final = "not said"

Under: TypeAlias = Mapping[str, Mapping[str, tuple[object, ...] | str]]
"""For each such field the values that other fields must all have: `SAID`, `UNSAID` or one of the values.

`{"dc": {"save|skill": SAID}}`: at least one of the two.
"""

NO_OTHERS: Final[Under] = MappingProxyType({})


class FieldRequirement:
    """The value that another field, or any of several, must have for a field to be read."""

    __slots__ = ("fields", "wanted")

    def __init__(self, names: str, wanted: tuple[object, ...] | str, defaults: Mapping[str, object]) -> None:
        self.fields = tuple((name, defaults[name]) for name in names.split("|"))
        self.wanted = wanted

    def fault(self, declared: object) -> str:
        """Return why the field is not read, worded to follow its name; "" if it is read."""
        if any(self.serves(getattr(declared, name), default) for name, default in self.fields):
            return ""
        names = " or ".join(repr(name) for name, _ in self.fields)
        if self.wanted in (SAID, UNSAID):
            return f"without {names}" if self.wanted == SAID else f"together with {names}"
        name, _ = self.fields[0]
        value = getattr(declared, name)
        said = f"with {name} {value!r}" if value else f"without {name!r}"
        return f"{said}, but with {', '.join(map(repr, filter(None, self.wanted)))}"

    def serves(self, value: object, default: object) -> bool:
        """Return whether another field has the required value."""
        if isinstance(self.wanted, str):
            return bool((value != default) is (self.wanted == SAID))
        return value in self.wanted


# --- The names on a sheet that a dialect reads, and the fields that it never reads

KINDS_OF_RIDERS: Final = frozenset(get_args(get_type_hints(Rider)["kind"]))


class SheetNames(Struct, frozen=True):
    """The names that some rule looks for on a sheet, and the fields that no rule reads.

    A name may be a pattern: "weapon focus (*)".

    feats: feats that some rule looks for.
    traits: traits of a combatant that some rule looks for.
    weapon_traits: traits of a weapon that some rule looks for.
    skills: skills by their usual names; a sheet's skill with a similar name gets a note.
    classes: classes by their usual names, likewise.
    immunities: what a trait "immunity to ..." protects from.
    class_immunities: published immunities from class levels that no rule here applies: each immunity with the
        level, by class.
    riders: the kinds of riders that some rule lets take effect.
    unread: fields of "Sheet", "Weapon", "Worn", "Spell" and "Rider" that no rule reads.
    """

    feats: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    weapon_traits: frozenset[str] = frozenset()
    skills: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    immunities: frozenset[str] = frozenset()
    class_immunities: Mapping[str, Mapping[str, int]] = {}
    riders: frozenset[str] = KINDS_OF_RIDERS
    unread: Mapping[str, tuple[str, ...]] = {}


def names(text: str) -> frozenset[str]:
    """Return the names in a text, separated by commas."""
    return frozenset(" ".join(text.split()).split(", "))


def fields(**unread: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of fields of each part of a sheet, separated by blanks."""
    return {part: tuple(text.split()) for part, text in unread.items()}


def among(name: str, known: frozenset[str]) -> bool:
    """Return whether a name is known, literally or by a pattern."""
    return name in known or any("*" in one and fnmatchcase(name, one) for one in known)


def details_of(name: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield the detail of each entry of a sheet that is the feature `name`: "" for an entry without detail.

    Every creature has the feature with the empty name.
    """
    if not name:
        yield ""
        return
    for entry in entries:
        if entry == name:
            yield ""
        elif entry.startswith(f"{name} "):
            yield entry[len(name) + 1 :].strip("()")


# --- Closed vocabularies: the words that a field may hold, and how an unknown word is recognized
# A vocabulary is a collection of words, a `Form` that they must have, or a function that returns either for a
# dialect whose tables and figures name them. It is taken from the code that dispatches on the words, so the
# two cannot diverge.

MOST_LISTED = 8
"""The most words to list if none is near the given word."""


class Form(Struct, frozen=True):
    """Words that follow a pattern, without a complete list: their description, and the test for them."""

    title: str
    fits: Callable[[str], bool]
    words: tuple[str, ...] = ()

    def __contains__(self, word: str) -> bool:
        return word in self.words or self.fits(word)


Known: TypeAlias = Collection[str] | Form
Words: TypeAlias = Known | Callable[[Ruleset], Known]


class Judged(Struct, frozen=True):
    """Words listed for information; the resolver itself refuses all others, by its own rule."""

    words: Words


def known_words(words: Words, dialect: Ruleset) -> Known:
    """Return the words of a vocabulary in a dialect."""
    return words(dialect) if callable(words) else words


def nearest_word(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word, "" if none is near."""
    return next(iter(get_close_matches(word, [one for one in known if one and one != word], 1)), "")


def instead(word: str, known: Known) -> str:
    """Return suggestions for an unknown word, worded to follow ", but "; "" if there are too many."""
    near = nearest_word(word, known.words if isinstance(known, Form) else known)
    if near:
        return repr(near)
    if isinstance(known, Form):
        return known.title
    return ", ".join(repr(one) for one in known if one) if len(known) <= MOST_LISTED else ""


class Fields:
    """The supported fields of a declaration, or of a part of one: their names, separated by blanks.

    Keyword arguments restrict a field: the words that it may hold; the `Fields` of the parts that it holds,
    or those of each type of declaration that it may hold, if they differ from those that the dialect supports
    anyway. `under` lists fields that are read only if others have certain values.
    """

    __slots__ = ("names", "told", "under")

    def __init__(self, names: str = "", /, under: Under = NO_OTHERS, **told: "Told") -> None:
        self.names: tuple[str, ...] | None = (*names.split(), *told)
        self.told: Mapping[str, Told] = MappingProxyType(told)
        self.under = under


class Parts(Fields):
    """Parts that are accepted whole, except for the words of some fields."""

    __slots__ = ()

    def __init__(self, **told: "Told") -> None:
        super().__init__("", NO_OTHERS, **told)
        self.names = None


Told: TypeAlias = Words | Judged | Fields | Mapping[StructMeta, Fields]


class ActSpec(Fields):
    """The resolver of a declaration and the fields that it supports.

    It reads the fields in `refuses` only to refuse them, by their own rule. `rule` is the topic of the rule
    on the declaration. An act of an installed dialect has a `sentence` that names its actor and its fields:
    "{actor} calls on {target} to parley".
    """

    __slots__ = ("refuses", "resolver", "rule", "sentence")

    def __init__(
        self,
        resolver: Resolver,
        names: str = "",
        /,
        refuses: str = "",
        under: Under = NO_OTHERS,
        rule: str = "",
        sentence: str = "",
        **told: Told,
    ) -> None:
        super().__init__(f"{names} {refuses}", under, **told)
        self.resolver, self.refuses = resolver, tuple(refuses.split())
        self.rule, self.sentence = rule, sentence


class ActValidator:
    """The fields to check in declarations of one type, or in parts of them, prepared once.

    `is_plain` returns whether all fields that might have to be refused have their defaults, in parts too.
    `said` reads these fields, which are plain if they equal `unsaid`, if there are no others to check.
    """

    __slots__ = ("closed", "deep", "is_plain", "kept", "part", "said", "under", "unread", "unsaid")

    def __init__(
        self, kind: type[Struct], kept: Fields, own: Mapping[type, "ActValidator"], dialect: Ruleset
    ) -> None:
        self.part = str(kind.__struct_config__.tag or kind.__name__.lower())
        known = [one for one in structs_fields(kind) if one.name != "actor"]
        self.kept = tuple(one.name for one in known) if kept.names is None else kept.names
        self.unread = tuple((one.name, one.default) for one in known if one.name not in self.kept)
        defaults = {one.name: one.default for one in known}
        self.under = tuple(
            (
                name,
                defaults[name],
                tuple(FieldRequirement(one, told, defaults) for one, told in others.items()),
            )
            for name, others in kept.under.items()
        )
        deep: dict[str, Mapping[type, ActValidator]] = {}
        self.closed: dict[str, tuple[object, Known]] = {}
        for one in known:
            parts, told = parts_of(one.type), kept.told.get(one.name)
            if isinstance(told, Fields):
                deep[one.name] = {part: ActValidator(part, told, own, dialect) for part in parts}
            elif is_by_type(told):
                inner = cast("Mapping[type[Struct], Fields]", told).items()
                deep[one.name] = {part: ActValidator(part, held, own, dialect) for part, held in inner}
            elif told is not None and not isinstance(told, Judged):
                self.closed[one.name] = (one.default, known_words(cast(Words, told), dialect))
            elif one.name in self.kept and any(issubclass(part, Act) for part in parts):
                deep[one.name] = own
        self.deep = tuple(deep.items())
        self.said: Callable[[object], object] | None = None
        self.unsaid: object = None
        self.is_plain = plainness(self)

    def faults(self, declared: object) -> Iterator[str]:
        """Yield the values without effect, worded to follow "knows no"."""
        part = (
            self.part if isinstance(declared, Act) else f"{self.part} {getattr(declared, 'name', '')}".strip()
        )
        for name, default in self.unread:
            if getattr(declared, name) != default:
                yield f"{name!r} in {part!r}"
        for name, (default, words) in self.closed.items():
            said = getattr(declared, name)
            if said != default:
                for word in (said,) if isinstance(said, str) else said:
                    if word not in words:
                        meant = instead(word, words)
                        yield f"{name} {word!r} in {part!r}" + (f", but {meant}" if meant else "")
        for name, default, others in self.under:
            if getattr(declared, name) != default:
                for other in others:
                    if fault := other.fault(declared):
                        yield f"{name!r} in {part!r} {fault}"
        for name, heeded in self.deep:
            for one in held_in(getattr(declared, name)):
                inner = heeded.get(type(one))
                if inner is not None and not inner.is_plain(one):
                    yield from inner.faults(one)


def plainness(heeded: ActValidator) -> Callable[[object], bool]:
    """Return a function that checks whether every field that might be refused has its default, in parts too.

    Its source is generated, as dataclasses do: each declaration of each fight is checked, and most are plain.
    """
    looked = (
        *heeded.unread,
        *((name, default) for name, (default, _) in heeded.closed.items()),
        *((name, default) for name, default, _ in heeded.under),
    )
    known: JsonObject = {"held_in": held_in}
    lines = []
    names = tuple(dict.fromkeys(name for name, _ in looked))
    if names:
        # One getter and one comparison for all fields: no loop over them in Python.
        defaults = dict(looked)
        known["said"] = said = attrgetter(*names)
        unsaid = tuple(map(defaults.__getitem__, names)) if len(names) > 1 else defaults[names[0]]
        known["unsaid"] = unsaid
        lines.append("if said(declared) != unsaid: return False")
        if not heeded.deep:
            heeded.said, heeded.unsaid = said, unsaid
    for number, (name, parts) in enumerate(heeded.deep):
        known[f"parts{number}"] = parts
        lines += [
            f"for one in held_in(declared.{name}):",
            f"    inner = parts{number}.get(type(one))",
            "    if inner is None: continue",
            "    if inner.said is None:",
            "        if not inner.is_plain(one): return False",
            "    elif inner.said(one) != inner.unsaid: return False",
        ]
    source = "\n    ".join(("def is_plain(declared):", *lines, "return True"))
    run_generated(source, "plain declarations", known)
    is_plain: Callable[[object], bool] = known["is_plain"]
    return is_plain


def is_by_type(told: Told | None) -> bool:
    """Return whether fields are listed for each type of declaration that a field may hold."""
    return isinstance(told, Mapping) and all(isinstance(kind, type) for kind in told)


def held_in(value: object) -> tuple[object, ...]:
    """Return the parts that a field holds."""
    if type(value) is tuple:
        if not value or type(value[0]) is not tuple:
            return value
        return tuple(part for one in value for part in held_in(one))
    return held_in(tuple(value.values())) if isinstance(value, Mapping) else (value,)


def heeded(acts: Mapping[type[Act], ActSpec], dialect: Ruleset) -> Mapping[type, ActValidator]:
    """Return the fields to check in each type of declaration that a dialect supports."""
    made: dict[type, ActValidator] = {}
    for kind, honours in acts.items():
        made[kind] = ActValidator(kind, honours, made, dialect)
    return made


def parts_of(hint: object) -> tuple[type[Struct], ...]:
    """Return the types of structs that a field of this type may hold."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return (hint,)
    return tuple(part for inner in get_args(hint) for part in parts_of(inner))


# --- The fields of every chapter's record: its declarations, and the names of its rolls and questions


class Chapter(Struct, frozen=True, kw_only=True):
    """The base of every chapter.

    acts: the resolver of each declaration of this chapter, and the fields that it supports.
    rolls: the rolls of this chapter's rules, by name, each with its dice where they are always the same.
    questions: the questions of this chapter's rules, by name, each with its possible answers.
    """

    acts: Mapping[type[Act], ActSpec]
    rolls: dict[str, str] = {}
    questions: dict[str, tuple[str, ...]] = {}


def rolls(*lines: str) -> dict[str, str]:
    """Return rolls by name with their dice, given as "1d20: trip, disarm"; without dice if they vary.

    "extra-*" is what a weapon adds, by its kind.
    """
    parted = (line.rpartition(": ") for line in lines)
    return {name: dice for dice, _, names in parted for name in names.split(", ")}


def questions(*lines: str) -> dict[str, tuple[str, ...]]:
    """Return questions by name, each given with its possible answers as "take: take, decline".

    "<combatant>", "<number>" and the like are placeholders for variable answers.
    """
    parted = (line.partition(": ") for line in lines)
    return {name: tuple(answers.split(", ")) for name, _, answers in parted}
