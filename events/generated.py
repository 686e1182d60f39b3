"""Running source that the program itself writes, so that a traceback shows its lines."""

import linecache

from affray.events.facts.base import JsonObject


def run_generated(source: str, name: str, space: JsonObject) -> None:
    """Execute `source` in `space` under the file name `<name>`, numbered where that is taken.

    A traceback, a debugger and `inspect.getsource` find its lines by that name.
    """
    file, number = f"<{name}>", 1
    while file in linecache.cache:
        number += 1
        file = f"<{name} {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
