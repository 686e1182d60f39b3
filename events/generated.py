"""Running generated source so that a traceback shows its lines."""

import linecache

from affray.events.facts.base import JsonObject

_files: dict[tuple[str, str], str] = {}
_numbers: dict[str, int] = {}


def run_generated(source: str, name: str, space: JsonObject) -> None:
    """Execute `source` in `space` with the file name `<name>`, numbered if other source has that name.

    A traceback, a debugger and `inspect.getsource` find its lines by that name. The same source is stored
    once, so a process that loads its rules again and again does not grow.
    """
    file = _files.get((name, source))
    if file is None or file not in linecache.cache:
        number = _numbers[name] = _numbers.get(name, 0) + 1
        file = _files[name, source] = f"<{name}>" if number == 1 else f"<{name} {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
