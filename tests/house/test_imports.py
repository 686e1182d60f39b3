"""The house's rules of import: events <- projections <- engine <- replay, and no circles."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("events", "projections", "engine", "replay")
#: Modules of which each imports the next, at most.
LONGEST = 29


@cache
def modules() -> dict[str, Path]:
    """Return every module of the product by its full name."""
    found = {}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(("affray", *(parts[:-1] if parts[-1] == "__init__" else parts)))
            found[name] = file
    return found


@cache
def read(file: Path) -> tuple[list[ast.AST], list[ast.AST]]:
    """Return the imports that run when a module is loaded, and the imports and comparisons anywhere in it.

    Imports inside functions and under TYPE_CHECKING do not run then and make no circle.
    """
    loaded: list[ast.AST] = []

    def visit(nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if isinstance(node, ast.ImportFrom | ast.Import):
                loaded.append(node)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
                visit(node.body)
                visit(node.orelse)
            elif isinstance(node, ast.Try):
                visit(node.body)

    tree = ast.parse(file.read_text(encoding="utf-8"))
    visit(tree.body)
    wanted = (ast.ImportFrom, ast.Import, ast.Compare)
    return loaded, [node for node in ast.walk(tree) if isinstance(node, wanted)]


def imports(file: Path, known: dict[str, Path]) -> set[str]:
    """Return the product's modules that a file imports when it is loaded."""
    return _named(read(file)[0], known)


def everywhere(file: Path) -> set[str]:
    """Return the folders of the product that a file names in any import at all."""
    found = set()
    for node in read(file)[1]:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("affray."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("affray.")}
    return found


def test_arrows_point_left() -> None:
    """A folder imports only from itself and from those to its left."""
    wrong = []
    for name, file in modules().items():
        own = FOLDERS.index(name.split(".")[1])
        for folder in everywhere(file):
            if FOLDERS.index(folder) > own:
                wrong.append(f"{name} imports affray.{folder}")
    assert wrong == []


def test_no_circles() -> None:
    """No module needs itself, however many steps away."""
    known = modules()
    graph = {name: imports(file, known) - {name} for name, file in known.items()}
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle: {' -> '.join((*trail[trail.index(name) :], name))}"
        if name in done:
            return
        for other in sorted(graph[name]):
            walk(other, (*trail, name))
        done.add(name)

    for name in sorted(graph):
        walk(name, ())


def all_imports(file: Path, known: dict[str, Path]) -> set[str]:
    """Return the product's modules that a file names in any import, run or not."""
    return _named(read(file)[1], known)


def _named(nodes: list[ast.AST], known: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in known else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name for name in found if name in known}


def test_the_longest_chain_of_imports_is_short() -> None:
    """Nothing needs more than so many modules one after the other; imports for the type checker count."""
    known = modules()
    graph = {name: all_imports(file, known) - {name} for name, file in known.items()}
    chains: dict[str, tuple[str, ...]] = {}

    def chain(name: str) -> tuple[str, ...]:
        """Return the longest chain of imports that a module begins."""
        if name not in chains:
            chains[name] = ()
            chains[name] = (name, *max((chain(other) for other in sorted(graph[name])), key=len, default=()))
        return chains[name]

    longest = max((chain(name) for name in sorted(graph)), key=len)
    assert len(longest) <= LONGEST, " -> ".join(longest)


def test_no_relative_or_bare_imports() -> None:
    """Every import of the product names affray in full."""
    for name, file in modules().items():
        for node in read(file)[1]:
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, name
                assert (node.module or "").split(".")[0] not in FOLDERS, name
            elif isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & set(FOLDERS), name


def test_no_dialect_is_asked_for_by_name() -> None:
    """Shared rules never compare a dialect's name: what differs stands in its record."""
    for name, file in modules().items():
        for node in read(file)[1]:
            if isinstance(node, ast.Compare):
                texts = {
                    one.value
                    for one in ast.walk(node)
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
                assert not texts & {"srd35", "pf1", "futurepath", "woa"}, f"{name}:{node.lineno}"
