"""Installed packages that offer a dialect, or house rules for one: the entry points `affray.dialects`.

An entry point that names a module (`my_dialect`) offers a dialect: the module's folder has the files of a
folder under `engine/dialects/`. One that names an object in a module (`my_rules:HOUSE`) offers house rules. A
package is only imported when a fight asks for it by name.
"""

import ast
import atexit
import hashlib
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import invalidate_caches
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from affray.engine.book.rules import BadPackage, MissingPackage
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import Package
from affray.events.files import read_found

GROUP: Final = "affray.dialects"


def offered_dialects() -> tuple[str, ...]:
    """Return the names of the dialects that installed packages offer."""
    return tuple(name for name, points in _offers(tuple(sys.path)).items() if not points[0].attr)


def offered_house_rules() -> tuple[str, ...]:
    """Return the names of the house rules that installed packages offer."""
    return tuple(name for name, points in _offers(tuple(sys.path)).items() if points[0].attr)


def entry_point(name: str) -> EntryPoint:
    """Return the entry point of a package's name. Raises MissingPackage, BadPackage if two offer the name."""
    points = _offers(tuple(sys.path)).get(name)
    if not points:
        known = ", ".join(offered_house_rules())
        there = f"; installed are {known}" if known else ""
        raise MissingPackage(f"the package {name!r} is not installed (entry points {GROUP}){there}")
    if len(points) > 1:
        both = " and ".join(sorted(f"{_distribution(one)} {_version(one)}" for one in points))
        raise BadPackage(f"two packages offer {name!r}: {both}")
    return points[0]


def installed(name: str) -> Package:
    """Return a package as it is installed now. Raises MissingPackage, BadPackage."""
    point = entry_point(name)
    return Package(name, _version(point), _digest(name, tuple(sys.path)))


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
    folder = _files(entry_point(name))
    if not folder.joinpath("rules.jsonl").is_file():
        raise BadPackage(f"the package of {name!r} has no rules.jsonl next to its module")
    return folder


@cache
def _offers(path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points by name, as they are found along `sys.path`."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return dict(sorted(found.items()))


@cache
def _digest(name: str, path: tuple[str, ...]) -> str:
    """Return the sha256 over a package's files: their paths and bytes, in the order of the paths."""
    place = _files(entry_point(name))
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


# --- House rules in a folder or a file, offered to this process as if they were installed

LARGEST_PROJECT = 1_000_000
"""The most bytes of a pyproject.toml."""


def house_rules_named(said: str) -> tuple[str, ...]:
    """Return the names of the house rules in a folder, in a file, or of an installed package.

    A folder is that of a package (`pyproject.toml` with entry points of the group affray.dialects); a file
    may be inside one, or offers its only HouseRules under its own name. Afterwards this process finds them as
    if they were installed; other processes do not. Raises BadPackage.
    """
    place = Path(said)
    if place.is_dir() or place.suffix == ".py":
        return _offered(place.resolve())
    if said in offered_house_rules():
        return (said,)
    known = offered_house_rules()
    meant = did_you_mean(said, known) or f"; installed are {', '.join(known) or 'none'}"
    raise BadPackage(f"{said!r} is no folder, no file and no installed package of house rules{meant}")


@contextmanager
def for_a_while() -> Iterator[None]:
    """Let this process find house rules in folders until the block ends; then restore the former state."""
    path, modules = [*sys.path], {*sys.modules}
    try:
        yield
    finally:
        gone = [Path(one).resolve() for one in sys.path if one not in path]
        sys.path[:] = path
        for name in {*sys.modules} - modules:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            if origin and any(Path(origin).resolve().is_relative_to(one) for one in gone):
                del sys.modules[name]
        invalidate_caches()


def _offered(place: Path) -> tuple[str, ...]:
    folder = place if place.is_dir() else place.parent
    project = folder / "pyproject.toml"
    name, version, points = _offers_of(project) if project.is_file() else ("", "", {})
    if place.is_file():
        points = {one: aim for one, aim in points.items() if aim.partition(":")[0] == place.stem}
        points = points or {place.stem.replace("_", "-"): f"{place.stem}:{_only_one_in(place)}"}
    if not points:
        raise BadPackage(
            f"{place}: no house rules are offered there (entry points {GROUP} in pyproject.toml)"
        )
    roots = [folder / "src"] if (folder / "src").is_dir() else [folder]
    sys.path += [str(one) for one in roots if str(one) not in sys.path]
    invalidate_caches()
    for aim in points.values():
        _check_found(aim.partition(":")[0], roots[0])
    if new := {one: aim for one, aim in points.items() if one not in offered_house_rules()}:
        sys.path.append(str(_written(name or place.stem, version or "0", new)))
    return tuple(points)


def _offers_of(project: Path) -> tuple[str, str, dict[str, str]]:
    """Return name, version and house rules of a package by its pyproject.toml."""
    try:
        about = tomllib.loads(read_found(project, LARGEST_PROJECT, project.parent).decode())
        about = about.get("project", {})
        points = about.get("entry-points", {}).get(GROUP, {})
        rules = {str(name): str(aim) for name, aim in points.items() if ":" in str(aim)}
        return str(about.get("name", "")), str(about.get("version", "")), rules
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


def _check_found(module: str, root: Path) -> None:
    """Raise BadPackage unless a module is the one below this folder."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin:
        raise BadPackage(f"{root}: there is no module {module!r}")
    if not Path(spec.origin).resolve().is_relative_to(root):
        raise BadPackage(
            f"{root}: its module {module!r} cannot be loaded together with that of {spec.origin}"
        )


def _written(name: str, version: str, points: dict[str, str]) -> Path:
    """Return a folder with the files that an installation would leave: it is removed when the process
    ends.
    """
    site = Path(tempfile.mkdtemp(prefix="affray-house-rules-"))
    atexit.register(shutil.rmtree, site, ignore_errors=True)
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    lines = "\n".join(f"{one} = {aim}" for one, aim in points.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}\n", "utf-8")
    return site
