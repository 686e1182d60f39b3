"""The named sheets that ship with each dialect."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def packaged_sheets(dialect: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the named sheets that ship with a dialect, read once."""
    file = resources.files("affray.engine").joinpath("scenarios", f"sheets_{dialect}.toml")
    if not dialect.isidentifier() or not file.is_file():
        return {}
    return tomllib.loads(file.read_text(encoding="utf-8"))
