"""House rules in a folder or a file, offered to this process as if they were installed."""

import ast
import atexit
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from affray.engine.book.errors import BadPackage
from affray.engine.book.packages import GROUP, offered_house_rules
from affray.events.errors import did_you_mean
from affray.events.files import read_found

LARGEST_PROJECT = 1_000_000
"""The most bytes of a pyproject.toml."""


def house_rules_named(said: str) -> tuple[str, ...]:
    """Return the names of the house rules that a folder, a file or the name of an installed one means.

    A folder is that of a package (`pyproject.toml` with entry points of the group affray.dialects), or a file
    beside one; a file alone offers the only HouseRules in it under its own name. Afterwards this process
    finds them as if they were installed, and others do not. Raises BadPackage.
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
    """Let this process find house rules in folders only until the block has ended: then all is as it was."""
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
        about: Any = tomllib.loads(read_found(project, LARGEST_PROJECT, project.parent).decode())
        about = about.get("project", {})
        points = about.get("entry-points", {}).get(GROUP, {})
        rules = {str(name): str(aim) for name, aim in points.items() if ":" in str(aim)}
        return str(about.get("name", "")), str(about.get("version", "")), rules
    except (OSError, ValueError, AttributeError) as fault:
        raise BadPackage(f"{project}: it cannot be read: {fault}") from fault


def _only_one_in(file: Path) -> str:
    """Return the name of the only HouseRules that a file makes, which is not run for it."""
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
        raise BadPackage(f"{root}: its module {module!r} cannot be loaded beside that of {spec.origin}")


def _written(name: str, version: str, points: dict[str, str]) -> Path:
    """Return a folder with what an installation would leave behind: it goes when the process ends."""
    site = Path(tempfile.mkdtemp(prefix="affray-house-rules-"))
    atexit.register(shutil.rmtree, site, ignore_errors=True)
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    lines = "\n".join(f"{one} = {aim}" for one, aim in points.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}\n", "utf-8")
    return site
