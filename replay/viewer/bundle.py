"""Bundle ES modules into one script, which a page can contain and allow by its hash."""

import re
from collections.abc import Callable

_IMPORT = re.compile(r'import \{ (\w+(?:, \w+)*) \} from "\./(\w+)\.js";')
_DECLARATION = re.compile(r"^(export )?((?:async )?function\*? ?|const |let |class )(\w+)", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type .*?\*/\s")
_STATEMENT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(entry: str, source: Callable[[str], str]) -> str:
    """Return the code of the module `entry` and of all modules that it imports, in one scope.

    `source` returns the text of a module. The order is that of a browser: a module follows those that it
    imports, except where they import each other. Comments that only state a type are left out. Raises
    ValueError for an import or export of another form, for an imported name that is not exported, and for a
    name that two modules declare.
    """
    declared_in: dict[str, str] = {}
    exports: dict[str, set[str]] = {}
    imports: list[tuple[str, str, str]] = []
    codes: list[str] = []

    def add(module: str) -> None:
        text = source(module)
        exports[module] = set()
        for exported, _, name in _DECLARATION.findall(text):
            if declared_in.setdefault(name, module) != module:
                raise ValueError(f"{module}.js: {declared_in[name]}.js declares {name} too")
            if exported:
                exports[module].add(name)
        for statement in _STATEMENT.findall(text):
            if found := _IMPORT.fullmatch(statement):
                names, other = found.groups()
                imports.extend((module, name, other) for name in names.split(", "))
                if other not in exports:
                    add(other)
            elif not _DECLARATION.match(statement):
                raise ValueError(f"{module}.js: cannot bundle {statement}")
        code = re.sub(r"^import .*\n+", "", _TYPE.sub("", text), flags=re.MULTILINE)
        codes.append(_DECLARATION.sub(r"\2\3", code))

    add(entry)
    for module, name, other in imports:
        if name not in exports[other]:
            raise ValueError(f"{module}.js: {other}.js does not export {name}")
    return "\n".join(codes)
