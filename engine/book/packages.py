"""Installed packages that offer a dialect, or house rules for one: the entry points `affray.dialects`.

An entry point that names a module (`my_dialect`) offers a dialect: the module's folder holds what a folder
under `engine/dialects/` does. One that names an object in a module (`my_rules:HOUSE`) offers house rules.
Nothing is imported before a fight asks for it by name.
"""

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from affray.engine.book.errors import BadPackage, MissingPackage
from affray.events.facts.package import Package

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
    """Raise MissingPackage unless these packages are installed just as they were when they were recorded."""
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
        raise BadPackage(f"the package of {name!r} has no rules.jsonl beside its module")
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
