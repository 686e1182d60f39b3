"""The table of weapons that printed blocks name, `arms.toml`."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def arms() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table of weapons: by "weapon" or "natural", then by name."""
    file = resources.files("affray.engine.statblock").joinpath("arms.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
