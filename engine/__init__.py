"""What may happen: rules, dice, the table at which a fight is played.

These are the names that a program needs; each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.engine import policies
    from affray.engine.dialects import Dialect, load
    from affray.engine.dice import Manual, Scripted, Seeded
    from affray.engine.scenario import Scenario, packaged, parse_scenario, play, read_scenario, set_up
    from affray.engine.table import Outcome, Table
    from affray.engine.tactics import play_on
    from affray.events.facts import acts

_HOME = {
    "Dialect": "affray.engine.dialects",
    "Manual": "affray.engine.dice",
    "Outcome": "affray.engine.table",
    "Scenario": "affray.engine.scenario",
    "Scripted": "affray.engine.dice",
    "Seeded": "affray.engine.dice",
    "Table": "affray.engine.table",
    "acts": "affray.events.facts",
    "load": "affray.engine.dialects",
    "packaged": "affray.engine.scenario",
    "parse_scenario": "affray.engine.scenario",
    "play": "affray.engine.scenario",
    "play_on": "affray.engine.tactics",
    "policies": "",
    "read_scenario": "affray.engine.scenario",
    "set_up": "affray.engine.scenario",
}


def __getattr__(name: str) -> Any:
    """Import a name of the face from its home."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOME[name]
    return getattr(import_module(home), name) if home else import_module(f"{__name__}.{name}")


__all__ = [
    "Dialect",
    "Manual",
    "Outcome",
    "Scenario",
    "Scripted",
    "Seeded",
    "Table",
    "acts",
    "load",
    "packaged",
    "parse_scenario",
    "play",
    "play_on",
    "policies",
    "read_scenario",
    "set_up",
]
