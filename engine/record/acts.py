"""What a dialect honours of a declaration: its resolver, and the fields that this one reads.

`Honours(move, "path", "how")` stands in a chapter's record beside the type of declaration. A field that is
not listed must be at its default; the runner refuses what says more, by `Heeded`.
"""

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import fields

from affray.engine.record.context import Resolver
from affray.events.facts.acts import Act


class Fields:
    """The fields of a declaration, or of a part of one, that are honoured.

    What is given by name says more of a field: the `Fields` of the parts that it holds, or those of each type
    of declaration that it may hold, where they are not what the dialect honours of it anyway.
    """

    __slots__ = ("names", "within")

    def __init__(self, *names: str, **within: "Within") -> None:
        self.names = (*names, *within)
        self.within: Mapping[str, Within] = MappingProxyType(within)


Within: TypeAlias = Fields | Mapping[type[Act], Fields]


class Honours(Fields):
    """The resolver of a declaration and the fields that it honours.

    Those in `refuses` it reads only to refuse them, by a rule of their own.
    """

    __slots__ = ("refuses", "resolver")

    def __init__(
        self, resolver: Resolver, /, *names: str, refuses: tuple[str, ...] = (), **within: Within
    ) -> None:
        super().__init__(*names, *refuses, **within)
        self.resolver, self.refuses = resolver, refuses


class Heeded:
    """What is looked at in declarations of one type, or in parts of them, made ready once.

    `get` returns at once the fields that may have to be refused or looked into; `usual` is what it returns
    where nothing is the matter with them.
    """

    __slots__ = ("deep", "get", "kept", "part", "unread", "usual")

    def __init__(self, kind: type[Struct], kept: Fields, own: Mapping[type[Struct], "Heeded"]) -> None:
        self.part = str(kind.__struct_config__.tag or kind.__name__.lower())
        self.kept = kept.names
        known = [one for one in fields(kind) if one.name != "actor"]
        self.unread = tuple((one.name, one.default) for one in known if one.name not in kept.names)
        deep: dict[str, Mapping[type[Struct], Heeded]] = {}
        for one in known:
            parts, told = parts_of(one.type), kept.within.get(one.name)
            if isinstance(told, Fields):
                deep[one.name] = {part: Heeded(part, told, own) for part in parts}
            elif told is not None:
                deep[one.name] = {part: Heeded(part, inner, own) for part, inner in told.items()}
            elif one.name in kept.names and any(issubclass(part, Act) for part in parts):
                deep[one.name] = own
        self.deep = tuple(deep.items())
        looked = (*(name for name, _ in self.unread), *deep)
        usual = (*(default for _, default in self.unread), *(() for _ in deep))
        self.get: Callable[[Any], Any] = attrgetter(*looked) if looked else _nothing
        self.usual: Any = usual[0] if len(usual) == 1 else usual

    def faults(self, declared: Any) -> Iterator[str]:
        """Yield what is said in vain, in words that follow "knows no"."""
        for name, default in self.unread:
            if getattr(declared, name) != default:
                near = get_close_matches(name, self.kept, 1)
                yield f"{name!r} in {self.part!r}" + (f", but {near[0]!r}" if near else "")
        for name, heeded in self.deep:
            found = getattr(declared, name)
            for one in found if isinstance(found, tuple) else (found,):
                inner = heeded.get(type(one))
                if inner is not None and inner.get(one) != inner.usual:
                    yield from inner.faults(one)


def _nothing(declared: Any) -> tuple[()]:
    return ()


def heeded(acts: Mapping[type[Act], Honours]) -> Mapping[type[Struct], Heeded]:
    """Return what is looked at in each type of declaration that is honoured."""
    made: dict[type[Struct], Heeded] = {}
    for kind, honours in acts.items():
        made[kind] = Heeded(kind, honours, made)
    return made


def parts_of(hint: Any) -> tuple[type[Struct], ...]:
    """Return the types of structs that a field of this type may hold."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return (hint,)
    return tuple(part for inner in get_args(hint) for part in parts_of(inner))
