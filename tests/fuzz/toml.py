"""Plain values as TOML, for scenarios made up by a fuzzer."""

import json
import math
from typing import Any


def toml(values: dict[str, Any]) -> str:
    """Return a TOML text, every value inline. Raises ValueError for what TOML cannot say (None)."""
    return "".join(f"{json.dumps(str(key))} = {_inline(value)}\n" for key, value in values.items())


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "inf" if value == math.inf else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # JSON escapes DEL not at all; TOML wants it escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(str(key))} = {_inline(part)}' for key, part in value.items())}}}"
    raise ValueError(f"TOML has no {value!r}")
