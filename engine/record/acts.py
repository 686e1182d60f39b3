"""A dialect's support for declarations: the resolver of each, and the fields that it reads.

A chapter's record maps a type of declaration to `Honours(move, "path", how=WAYS)`: any path, and one of
those ways. A field that is not named must be at its default; the runner refuses declarations with other
values, by `ActValidator`.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, get_args, get_type_hints

from msgspec import Struct, StructMeta
from msgspec.structs import fields as structs_fields

from affray.engine.steps import Steps
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.sheet import Rider
from affray.events.generated import run_generated

# --- What the records' signatures speak of besides facts and state

if TYPE_CHECKING:
    from affray.engine.fight.fight import Dialect, Fight

Context: TypeAlias = "Fight"
"""The fight as the rules see it, `affray.engine.fight.Fight`, which holds these records."""

Ruleset: TypeAlias = "Dialect"
"""The rules of the fight, `affray.engine.fight.Dialect`, which is made of these records."""

Resolver: TypeAlias = Callable[[Context, Any], Steps[None]]
"""What carries out a declaration: refuses it before its first step, or yields rolls, choices and facts."""

Square: TypeAlias = tuple[int, int]


# --- What the docstring of a struct says: what it is and, line by line, what each of its fields is for


def purpose(kind: type) -> str:
    """Return what a struct is: the first line of its docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def purposes(kind: type) -> dict[str, str]:
    """Return what each field is for: the lines "field: meaning" in the docstrings of a struct and its roots.

    Longer meanings go on in lines that are set in.
    """
    told: dict[str, str] = {}
    for one in reversed(kind.__mro__[: kind.__mro__.index(Struct)]):
        text = re.sub(r"\n {4,}", " ", inspect.cleandoc(one.__doc__ or ""))
        lines = (line.partition(": ") for line in text.splitlines())
        told.update((name, meaning) for name, _, meaning in lines if name in kind.__struct_fields__)  # type: ignore[attr-defined]
    return told


# --- Fields of text that hold no words of a vocabulary: names of what there is, free text, printed names
#
# They are told by the name of the field, or by that of its struct and the field where they differ:
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
    "LastingEffect.against": "a combatant, or nobody any more",
    **dict.fromkeys(("Origin.log", "Origin.digest", "Origin.state"), "a digest"),
    **dict.fromkeys(("Carried.own_side", "LastingCondition.condition", "LastingCondition.source"), BROUGHT),
    **dict.fromkeys(("LastingAffliction.id", "LastingEffect.id", "LastingEffect.stat"), BROUGHT),
    **dict.fromkeys(("Modifier.kind", "Modifier.source", "Modifier.rule", "Modifier.denied"), BROUGHT),
    **dict.fromkeys(("Until.when", "Rider.effect", "Rider.secondary"), BROUGHT),
    "Aid.what": "a skill of the friend, or a condition that it has",
    "Hazard.skill": "a skill or ability",
    "Intent.what": "an action of that type",
    "TurnUndead.kind": "a kind of creature that the actor turns",
    "UseSkill.skill": "a skill of the sheet",
}
"""What a field names; a name that nobody and nothing bears is refused."""

THING: Final = "a thing, on a sheet or not"

TEXTS: Final[Mapping[str, str]] = {
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
"""Text that is told as it is given: names that are new here, and what nobody needs to know for a rule."""

REMARKED: Final = frozenset(
    {
        *("Sheet.feats", "Sheet.traits", "Sheet.save_bonuses", "Weapon.traits", "Worn.traits"),
        *("Sheet.classes", "Sheet.good_saves", "Sheet.skills", "Sheet.ranks", "Sheet.race"),
    }
)
"""Names of a printed sheet, of which a rule may read none."""

FOLLOWED: Final = frozenset({"Origin.branch", "Origin.id", "Origin.renewed", "Origin.together"})
"""Words about another log, which nobody can judge without that: `affray verify --with` does."""


def meaning_of_text(kind: str, field: str) -> str:
    """Return what a field of text means in a word or two, "" where it holds a vocabulary's words."""
    name = f"{kind}.{field}"
    if name in REMARKED:
        return "printed names"
    if name in FOLLOWED:
        return "of another log"
    return TEXTS.get(name) or NAMES.get(name) or NAMES.get(field, "")


# --- Fields of a declaration that are read only where other fields of it say so

SAID: Final = "said"
UNSAID: Final = "not said"

Under: TypeAlias = Mapping[str, Mapping[str, tuple[object, ...] | str]]
"""For each such field the others and what they must be, all of them: `SAID`, `UNSAID` or one of the values.

`{"dc": {"save|skill": SAID}}`: of the two at least one.
"""

NO_OTHERS: Final[Under] = MappingProxyType({})


class FieldRequirement:
    """The value that another field, or any of several, must have for a field to be read."""

    __slots__ = ("fields", "wanted")

    def __init__(self, names: str, wanted: tuple[object, ...] | str, defaults: Mapping[str, object]) -> None:
        self.fields = tuple((name, defaults[name]) for name in names.split("|"))
        self.wanted = wanted

    def fault(self, declared: object) -> str:
        """Return what keeps the field from being read, in words that follow its name; "" for nothing."""
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
        """Say whether another field is as it must be."""
        if isinstance(self.wanted, str):
            return bool((value != default) is (self.wanted == SAID))
        return value in self.wanted


# --- The names on a sheet that a dialect reads, and the fields that it never reads

KINDS_OF_RIDERS: Final = frozenset(get_args(get_type_hints(Rider)["kind"]))


class SheetNames(Struct, frozen=True):
    """The names that some rule looks for on a sheet, and the fields that none does.

    A name may be a pattern: "weapon focus (*)".

    feats: feats that some rule looks for.
    traits: traits of a combatant that some rule looks for.
    weapon_traits: traits of a weapon that some rule looks for.
    skills: skills by their usual names; another one that is nearly called so is remarked on.
    classes: classes by their usual names, likewise.
    immunities: what a trait "immunity to ..." keeps off.
    class_immunities: what levels of a class make immune to as published, and no rule here does: each immunity
        with the level, by class.
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
    """Return the names that a text lists, parted by commas."""
    return frozenset(" ".join(text.split()).split(", "))


def fields(**unread: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of fields of each part of a sheet, given parted by blanks."""
    return {part: tuple(text.split()) for part, text in unread.items()}


def among(name: str, known: frozenset[str]) -> bool:
    """Say whether a name is known, itself or by a pattern."""
    return name in known or any("*" in one and fnmatchcase(name, one) for one in known)


def details_of(name: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield the detail of each entry of a sheet that is the feature `name`: "" without one.

    Every creature has a feature without a name.
    """
    if not name:
        yield ""
        return
    for entry in entries:
        if entry == name:
            yield ""
        elif entry.startswith(f"{name} "):
            yield entry[len(name) + 1 :].strip("()")


# --- Closed vocabularies: the words that a field may hold, and how an unknown one is recognized
#
# A vocabulary is a collection of words, a `Form` that they must have, or a function that returns either for
# a dialect, where its tables and figures name them. It is taken from what dispatches on the words, so that
# the two cannot part.

MOST_LISTED = 8
"""Where nothing is near, so many words are listed."""


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
    """Words listed here for information; the resolver itself refuses all others, by its own rule."""

    words: Words


def known_words(words: Words, dialect: Ruleset) -> Known:
    """Return the words of a vocabulary in a dialect."""
    return words(dialect) if callable(words) else words


def nearest_word(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word, "" where none is near."""
    return next(iter(get_close_matches(word, [one for one in known if one and one != word], 1)), "")


def instead(word: str, known: Known) -> str:
    """Return what could have been meant, in words that follow ", but "; "" where there are too many."""
    near = nearest_word(word, known.words if isinstance(known, Form) else known)
    if near:
        return repr(near)
    if isinstance(known, Form):
        return known.title
    return ", ".join(repr(one) for one in known if one) if len(known) <= MOST_LISTED else ""


class Fields:
    """The fields of a declaration, or of a part of one, that are honoured: their names, parted by blanks.

    What is given by name says more of a field: the words that it may hold; the `Fields` of the parts that it
    holds, or those of each type of declaration that it may hold, where they are not what the dialect honours
    of it anyway. `under` are fields that are read only where others say so.
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

    It reads the fields in `refuses` only to refuse them, by their own rule.
    """

    __slots__ = ("refuses", "resolver")

    def __init__(
        self,
        resolver: Resolver,
        names: str = "",
        /,
        refuses: str = "",
        under: Under = NO_OTHERS,
        **told: Told,
    ) -> None:
        super().__init__(f"{names} {refuses}", under, **told)
        self.resolver, self.refuses = resolver, tuple(refuses.split())


class ActValidator:
    """What is looked at in declarations of one type, or in parts of them, made ready once.

    `is_plain` says at once that all fields that may have to be refused are at their defaults, in parts too.
    `said` reads these fields, which are plain if they are `unsaid`, where that is all there is to look at.
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
        """Yield the values without effect, in words that follow "knows no"."""
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
    """Return what says that every field that may have to be refused is at its default, in parts too.

    Its source is written here, as dataclasses do it: each declaration of each fight is asked, and most are
    plain.
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
    """Return what is looked at in each type of declaration that a dialect honours."""
    made: dict[type, ActValidator] = {}
    for kind, honours in acts.items():
        made[kind] = ActValidator(kind, honours, made, dialect)
    return made


def parts_of(hint: object) -> tuple[type[Struct], ...]:
    """Return the types of structs that a field of this type may hold."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return (hint,)
    return tuple(part for inner in get_args(hint) for part in parts_of(inner))


# --- What every chapter's record holds: its declarations, and the names under which its rules roll and ask


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
    """Return rolls by name with their dice, given as "1d20: trip, disarm"; without dice where they differ.

    "extra-*" is what a weapon adds, by its kind.
    """
    parted = (line.rpartition(": ") for line in lines)
    return {name: dice for dice, _, names in parted for name in names.split(", ")}


def questions(*lines: str) -> dict[str, tuple[str, ...]]:
    """Return questions by name, each given with what can be answered as "take: take, decline".

    "<combatant>", "<number>" and the like stand for answers that differ.
    """
    parted = (line.partition(": ") for line in lines)
    return {name: tuple(answers.split(", ")) for name, _, answers in parted}
