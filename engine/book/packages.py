"""Packages that offer a dialect, or house rules for one: the entry points `affray.dialects`.

An entry point that names a module (`my_dialect`) offers a dialect: the module's folder has the files of a
folder under `engine/dialects/`. One that names an object in a module (`my_rules:HOUSE`) offers house rules. A
package is only imported when a fight asks for it by name. It is installed, or it is in a folder that this
process uses (`packages_named`), which then takes the place of an installed one.
"""

import ast
import hashlib
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import invalidate_caches, resources
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from msgspec import Struct

from affray.engine.book.rules import BadPackage, MissingPackage
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import Package
from affray.events.files import read_found

GROUP: Final = "affray.dialects"


def shelf() -> Traversable:
    """Return the folder of the dialects that ship with the engine."""
    return resources.files("affray.engine").joinpath("dialects")


@cache
def shipped() -> tuple[str, ...]:
    """Return the names of the dialects that ship with the engine."""
    folders = (entry for entry in shelf().iterdir() if entry.is_dir())
    return tuple(sorted(folder.name for folder in folders if folder.joinpath("rules.jsonl").is_file()))


def offered_dialects() -> tuple[str, ...]:
    """Return the names of the dialects that packages offer."""
    return tuple(name for name, points in _offered().items() if not points[0].attr)


def offered_house_rules() -> tuple[str, ...]:
    """Return the names of the house rules that packages offer."""
    return tuple(name for name, points in _offered().items() if points[0].attr)


def entry_point(name: str) -> EntryPoint:
    """Return the entry point of a package's name. Raises MissingPackage, BadPackage if two offer the name."""
    points = _offered().get(name)
    if not points:
        known = ", ".join(offered_house_rules())
        there = f"; installed are {known}" if known else ""
        raise MissingPackage(f"the package {name!r} is not installed (entry points {GROUP}){there}")
    if len(points) > 1:
        both = " and ".join(sorted(f"{_distribution(one)} {_version(one)}" for one in points))
        raise BadPackage(f"two packages offer {name!r}: {both}")
    return points[0]


def installed(name: str) -> Package:
    """Return a package as it is now, in its folder or installed. Raises MissingPackage, BadPackage."""
    point = entry_point(name)
    known = _IN_FOLDERS.get(name)
    return Package(
        name, _version(point), known.digest if known is not None else _digest(name, tuple(sys.path))
    )


def edition(dialect: str) -> str:
    """Return the digest of the package of a dialect, "" for one that ships: the key of its cached data.

    Raises MissingPackage, BadPackage.
    """
    return "" if dialect in shipped() else installed(dialect).digest


def required(packages: Iterable[Package]) -> None:
    """Raise MissingPackage unless these packages are installed exactly as they were when they were
    recorded.
    """
    for wanted in packages:
        told = f"the fight was opened with the package {wanted.name!r} {wanted.version}"
        try:
            found = installed(wanted.name)
        except MissingPackage:
            raise MissingPackage(f"{told} ({wanted.digest[:12]}), which is not installed") from None
        if found.version != wanted.version:
            raise MissingPackage(f"{told}; installed is {found.version}")
        if found.digest != wanted.digest:
            raise MissingPackage(
                f"{told}, digest {wanted.digest[:12]}; the files installed have digest {found.digest[:12]}"
            )


def dialect_folder(name: str) -> Path:
    """Return the folder of a dialect's data in its package. Raises MissingPackage, BadPackage."""
    folder = package_place(name)
    if not folder.joinpath("rules.jsonl").is_file():
        raise BadPackage(f"the package of {name!r} has no rules.jsonl next to its module")
    return folder


def package_place(name: str) -> Path:
    """Return the folder of a package, or the file of its module if that stands alone.

    Raises MissingPackage, BadPackage.
    """
    if name in _IN_FOLDERS:
        return _place_in(_IN_FOLDERS[name].point.module, _IN_FOLDERS[name].root)
    return _files(entry_point(name))


SCENARIOS: Final = "scenarios"
"""The folder of a package's scenarios, within it or next to its pyproject.toml."""


def scenarios_of(dialect: str) -> Path | None:
    """Return the folder with the scenarios of a dialect from a package, None if it has none.

    It is in the package itself, or in the source tree next to the pyproject.toml that offers the dialect;
    there its files do not count for the digest. Raises BadPackage if both folders exist.
    """
    folder = dialect_folder(dialect)
    places = [folder / SCENARIOS]
    for above in folder.parents[:DEEPEST]:
        project = above / PROJECT
        if project.is_file() and dialect in _offers_of(project)[2]:
            places.append(above / SCENARIOS)
            break
    found = [place for place in places if place.is_dir()]
    if len(found) > 1:
        raise BadPackage(f"{dialect!r} has scenarios in two folders, {found[0]} and {found[1]}: keep one")
    return found[0] if found else None


DEEPEST: Final = 4
"""Most folders between a package's own and that of its pyproject.toml."""


def _offered() -> dict[str, list[EntryPoint]]:
    """Return the entry points by name: those of packages in folders take the place of installed ones."""
    found = _offers(tuple(sys.path))
    if not _IN_FOLDERS:
        return found
    return dict(sorted((found | {name: [one.point] for name, one in _IN_FOLDERS.items()}).items()))


@cache
def _offers(path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points by name, as they are found along `sys.path`."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return dict(sorted(found.items()))


@cache
def _digest(name: str, path: tuple[str, ...]) -> str:
    return _digest_of(package_place(name))


def _digest_of(place: Path) -> str:
    """Return the sha256 over a package's files: their paths and bytes, in the order of the paths."""
    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    summed = hashlib.sha256()
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            data = file.read_bytes()
            where = file.relative_to(place).as_posix() if place.is_dir() else file.name
            summed.update(f"{where}\n{len(data)}\n".encode())
            summed.update(data)
    return summed.hexdigest()


def _files(point: EntryPoint) -> Path:
    """Return the folder of an entry point's package, or the file of its module if that stands alone."""
    try:
        spec = find_spec(point.module)
        if spec is not None and not spec.submodule_search_locations and "." in point.module:
            spec = find_spec(point.module.rpartition(".")[0])
    except (ImportError, ValueError) as fault:
        raise BadPackage(f"the package of {point.name!r} cannot be imported: {fault}") from fault
    if spec is None:
        raise BadPackage(f"the package of {point.name!r} has no module {point.module}")
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    if not spec.origin:
        raise BadPackage(f"the module {point.module} of {point.name!r} is no file")
    return Path(spec.origin)


def _version(point: EntryPoint) -> str:
    return point.dist.version if point.dist is not None else ""


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "?"


# --- Packages in a folder or a file, offered to this process as if they were installed

PROJECT: Final = "pyproject.toml"

LARGEST_PROJECT = 1_000_000
"""The most bytes of a pyproject.toml."""


class _InFolder(Struct, frozen=True):
    """A package in a folder: its entry point, the folder of its top module, its digest when it was found.

    `location` is the absolute path of the folder or file that was named.
    """

    point: EntryPoint
    root: Path
    digest: str
    location: str

    @property
    def top(self) -> str:
        """The module that a program imports first."""
        return self.point.module.partition(".")[0]


_IN_FOLDERS: Final[dict[str, _InFolder]] = {}
"""The packages in folders that this process uses, by name."""


def packages_named(location: str) -> tuple[str, ...]:
    """Use the dialects and house rules in a folder or in a file, and return their names.

    A folder is that of a package (`pyproject.toml` with entry points of the group affray.dialects); a file
    may be inside one, or offers its only HouseRules under its own name. Afterwards this process uses them as
    they are now in place of installed ones of these names; other processes do not. The name of an installed
    package is returned as it is. Raises BadPackage.
    """
    place = Path(location)
    if place.is_dir() or place.suffix == ".py":
        return _offer(place.resolve())
    known = (*offered_dialects(), *offered_house_rules())
    if location in known:
        return (location,)
    meant = did_you_mean(location, known) or f"; installed are {', '.join(known) or 'none'}"
    raise BadPackage(f"{location!r} is no folder, no file and no installed package{meant}")


def folders_in_use() -> tuple[str, ...]:
    """Return the absolute paths of the folders and files whose packages this process uses.

    Other processes use them too, wherever they run.
    """
    return tuple(dict.fromkeys(one.location for one in _IN_FOLDERS.values()))


@contextmanager
def for_a_while() -> Iterator[None]:
    """Let this process find packages in folders until the block ends; then restore the former state."""
    path, modules, known = [*sys.path], {**sys.modules}, {**_IN_FOLDERS}
    try:
        yield
    finally:
        tops = {one.top for name, one in _IN_FOLDERS.items() if known.get(name) != one}
        gone = [Path(one).resolve() for one in sys.path if one not in path]
        sys.path[:] = path
        _IN_FOLDERS.clear()
        _IN_FOLDERS.update(known)
        for name in {*sys.modules} - {*modules}:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            if origin and any(Path(origin).resolve().is_relative_to(one) for one in gone):
                del sys.modules[name]
        _forget(tops)
        for name, module in modules.items():
            if name.partition(".")[0] in tops:
                sys.modules[name] = module
        invalidate_caches()


def _offer(place: Path) -> tuple[str, ...]:
    folder = place if place.is_dir() else place.parent
    project = folder / PROJECT
    name, version, points = _offers_of(project) if project.is_file() else ("", "", {})
    if place.is_file():
        points = {one: aim for one, aim in points.items() if aim.partition(":")[0] == place.stem}
        points = points or {place.stem.replace("_", "-"): f"{place.stem}:{_only_one_in(place)}"}
    if not points:
        raise BadPackage(
            f"{place}: no dialect and no house rules are offered there (entry points {GROUP} in {PROJECT})"
        )
    if reserved := sorted(one for one in points if one in shipped()):
        raise BadPackage(f"{place}: {reserved[0]!r} is the name of a dialect that ships with Affray")
    root = folder / "src" if (folder / "src").is_dir() else folder
    for one, aim in points.items():
        _check_found(one, aim.partition(":")[0], root, points)
    if str(root) not in sys.path:
        sys.path.append(str(root))
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    made = _Described(name or place.stem, version or "0", points)
    before = {one: _IN_FOLDERS.get(one) for one in points}
    for point in made.entry_points:
        digest = _digest_of(_place_in(point.module, root))
        _IN_FOLDERS[point.name] = _InFolder(point, root, digest, str(place))
    # A module that was imported from elsewhere, or before an edit, is imported again.
    _forget({_IN_FOLDERS[one].top for one, known in before.items() if _IN_FOLDERS[one] != known})
    return tuple(points)


def _place_in(module: str, root: Path) -> Path:
    """Return what `_files` returns, for a module below a folder. Raises BadPackage."""
    path = root.joinpath(*module.split("."))
    if (path / "__init__.py").is_file():
        return path
    file = path.with_name(f"{path.name}.py")
    if not file.is_file():
        raise BadPackage(f"{root}: there is no module {module!r}")
    return path.parent if "." in module else file


def _forget(tops: Iterable[str]) -> None:
    """Let the modules of packages be imported again when they are asked for next."""
    for name in [one for one in sys.modules if one.partition(".")[0] in tops]:
        del sys.modules[name]
    invalidate_caches()


def _offers_of(project: Path) -> tuple[str, str, dict[str, str]]:
    """Return name, version and entry points of a package by its pyproject.toml."""
    try:
        about = tomllib.loads(read_found(project, LARGEST_PROJECT, project.parent).decode())
        about = about.get("project", {})
        points = about.get("entry-points", {}).get(GROUP, {})
        offers = {str(name): str(aim) for name, aim in points.items()}
        return str(about.get("name", "")), str(about.get("version", "")), offers
    except (OSError, ValueError, AttributeError) as fault:
        raise BadPackage(f"{project}: it cannot be read: {fault}") from fault


def _only_one_in(file: Path) -> str:
    """Return the name of the only HouseRules that a file makes, without running it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError) as fault:
        raise BadPackage(f"{file}: it cannot be read: {fault}") from fault
    found = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and ast.unparse(node.value.func).endswith("HouseRules")
    ]
    if len(found) != 1:
        told = f"{len(found)} of them" if found else "none"
        raise BadPackage(f"{file}: a file alone offers one HouseRules, there is {told}")
    return found[0]


def _check_found(name: str, module: str, root: Path, points: Iterable[str]) -> None:
    """Raise BadPackage unless a module is below this folder, and is loaded from nowhere else.

    It may take the place of an installed package of the same name, and of the same packages in a folder.
    """
    _place_in(module, root)
    top = module.partition(".")[0]
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    origin = None if spec is None else next(iter(spec.submodule_search_locations or ()), spec.origin)
    if origin is None or Path(origin).resolve().is_relative_to(root):
        return
    same = {one.name for found in _offered().values() for one in found if one.module.partition(".")[0] == top}
    if name not in same or not same <= {*points}:
        raise BadPackage(f"{root}: its module {module!r} cannot be loaded together with that of {origin}")


class _Described(Distribution):
    """The description of a package that is not installed: name, version, entry points."""

    def __init__(self, name: str, version: str, points: dict[str, str]) -> None:
        lines = "\n".join(f"{one} = {aim}" for one, aim in points.items())
        self._texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
            "entry_points.txt": f"[{GROUP}]\n{lines}\n",
        }

    def read_text(self, filename: str) -> str | None:
        """Return the text of a file of the description, None if there is no such file."""
        known: str | None = self._texts.get(filename)
        return known

    def locate_file(self, path: object) -> Path:
        """Return the path itself: the description lists no files."""
        return Path(str(path))


class _AsItIs(SourceFileLoader):
    """Loads a module from its source alone.

    A stored compilation is recognised by size and second, so an edit could be missed.
    """

    def path_stats(self, path: str) -> Mapping[str, int]:
        """Raise OSError: without size and time no compilation is read or stored."""
        raise OSError(path)


class _Finder:
    """Finds the modules of packages in folders before installed ones."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of such a package is, None for any other module."""
        top = fullname.partition(".")[0]
        root = next((one.root for one in _IN_FOLDERS.values() if one.top == top), None)
        for place in (path or [str(root)]) if root is not None else ():
            spec = FileFinder(place, (_AsItIs, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None and spec.loader is not None:
                return spec
        return None


_FINDER: Final = _Finder()
