"""Lazy exports of a package: names are imported on first use."""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return a package's `__getattr__`: names are imported from their modules in `homes`, or are submodules.

    It raises AttributeError for other names.
    """

    def found(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(homes[name])
        return getattr(home, name) if hasattr(home, name) else import_module(f"{homes[name]}.{name}")

    return found
