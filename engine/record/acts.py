"""What a dialect honours of a declaration: its resolver, and the fields that this one reads.

`Honours(move, "path", how=WAYS)` stands in a chapter's record beside the type of declaration: a path of any
kind, and one of those ways. A field that is not named must be at its default; the runner refuses what says
more, by `Heeded`.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias, cast, get_args

from msgspec import Struct
from msgspec.structs import fields

from affray.engine.record.context import Resolver
from affray.engine.record.other_fields import NO_OTHERS, Other, Under
from affray.engine.record.words import Judged, Known, Words, instead, known_words
from affray.events.facts.base import Act


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
    """Parts that are accepted whole, whatever is read of them, but for the words of some fields."""

    __slots__ = ()

    def __init__(self, **told: "Told") -> None:
        super().__init__("", NO_OTHERS, **told)
        self.names = None


Told: TypeAlias = Words | Judged | Fields | Mapping[Any, Fields]


class Honours(Fields):
    """The resolver of a declaration and the fields that it honours.

    Those in `refuses` it reads only to refuse them, by a rule of their own.
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


class Heeded:
    """What is looked at in declarations of one type, or in parts of them, made ready once.

    `is_plain` says at once that all fields that may have to be refused are at their defaults, in parts too.
    `said` reads these fields, which are plain if they are `unsaid`, where that is all there is to look at.
    """

    __slots__ = ("closed", "deep", "is_plain", "kept", "part", "said", "under", "unread", "unsaid")

    def __init__(
        self, kind: type[Struct], kept: Fields, own: Mapping[type[Struct], "Heeded"], dialect: Any
    ) -> None:
        self.part = str(kind.__struct_config__.tag or kind.__name__.lower())
        known = [one for one in fields(kind) if one.name != "actor"]
        self.kept = tuple(one.name for one in known) if kept.names is None else kept.names
        self.unread = tuple((one.name, one.default) for one in known if one.name not in self.kept)
        defaults = {one.name: one.default for one in known}
        self.under = tuple(
            (name, defaults[name], tuple(Other(one, told, defaults) for one, told in others.items()))
            for name, others in kept.under.items()
        )
        deep: dict[str, Mapping[type[Struct], Heeded]] = {}
        self.closed: dict[str, tuple[Any, Known]] = {}
        for one in known:
            parts, told = parts_of(one.type), kept.told.get(one.name)
            if isinstance(told, Fields):
                deep[one.name] = {part: Heeded(part, told, own, dialect) for part in parts}
            elif is_by_type(told):
                inner = cast("Mapping[type[Struct], Fields]", told).items()
                deep[one.name] = {part: Heeded(part, held, own, dialect) for part, held in inner}
            elif told is not None and not isinstance(told, Judged):
                self.closed[one.name] = (one.default, known_words(cast(Words, told), dialect))
            elif one.name in self.kept and any(issubclass(part, Act) for part in parts):
                deep[one.name] = own
        self.deep = tuple(deep.items())
        self.said: Callable[[Any], object] | None = None
        self.unsaid: object = None
        self.is_plain = plainness(self)

    def faults(self, declared: Any) -> Iterator[str]:
        """Yield what is said in vain, in words that follow "knows no"."""
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


def plainness(heeded: Heeded) -> Callable[[Any], bool]:
    """Return what says that every field that may have to be refused is at its default, in parts too.

    Its source is written here, as dataclasses do it: each declaration of each fight is asked, and most are
    plain.
    """
    looked = (
        *heeded.unread,
        *((name, default) for name, (default, _) in heeded.closed.items()),
        *((name, default) for name, default, _ in heeded.under),
    )
    known: dict[str, Any] = {"held_in": held_in}
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
    exec("\n    ".join(("def is_plain(declared):", *lines, "return True")), known)
    is_plain: Callable[[Any], bool] = known["is_plain"]
    return is_plain


def is_by_type(told: Told | None) -> bool:
    """Say whether fields are told for each type of declaration that a field may hold."""
    return isinstance(told, Mapping) and all(isinstance(kind, type) for kind in told)


def held_in(value: Any) -> tuple[Any, ...]:
    """Return the parts that a field holds."""
    if type(value) is tuple:
        if not value or type(value[0]) is not tuple:
            return value
        return tuple(part for one in value for part in held_in(one))
    return held_in(tuple(value.values())) if isinstance(value, Mapping) else (value,)


def heeded(acts: Mapping[type[Act], Honours], dialect: Any) -> Mapping[type[Struct], Heeded]:
    """Return what is looked at in each type of declaration that a dialect honours."""
    made: dict[type[Struct], Heeded] = {}
    for kind, honours in acts.items():
        made[kind] = Heeded(kind, honours, made, dialect)
    return made


def parts_of(hint: Any) -> tuple[type[Struct], ...]:
    """Return the types of structs that a field of this type may hold."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return (hint,)
    return tuple(part for inner in get_args(hint) for part in parts_of(inner))
