"""The engine: rules, dice, and the table at which a fight is played.

These are the names that a program needs; each is imported when it is first used.
"""

from typing import TYPE_CHECKING

from affray.engine.version import VERSION
from affray.events.lazy_exports import lazily

if TYPE_CHECKING:
    from affray.engine.dialects import Dialect, load
    from affray.engine.dice import Manual, Scripted, Seeded
    from affray.engine.language.names import Unclear
    from affray.engine.maps import DrawnMap, read_map
    from affray.engine.table import policies
    from affray.engine.table.appending import Outcome
    from affray.engine.table.scenario import packaged, parse_scenario, play, read_scenario, set_up
    from affray.engine.table.scenario_parts import Scenario
    from affray.engine.table.table import Table
    from affray.engine.table.tactics import play_on
    from affray.events.facts import acts

_HOME = {
    "Dialect": "affray.engine.dialects",
    "DrawnMap": "affray.engine.maps",
    "Manual": "affray.engine.dice",
    "Outcome": "affray.engine.table.appending",
    "Scenario": "affray.engine.table.scenario_parts",
    "Scripted": "affray.engine.dice",
    "Seeded": "affray.engine.dice",
    "Table": "affray.engine.table.table",
    "Unclear": "affray.engine.language.names",
    "acts": "affray.events.facts",
    "load": "affray.engine.dialects",
    "packaged": "affray.engine.table.scenario",
    "parse_scenario": "affray.engine.table.scenario",
    "play": "affray.engine.table.scenario",
    "play_on": "affray.engine.table.tactics",
    "policies": "affray.engine.table",
    "read_map": "affray.engine.maps",
    "read_scenario": "affray.engine.table.scenario",
    "set_up": "affray.engine.table.scenario",
}


__version__ = VERSION
__getattr__ = lazily(__name__, _HOME)

__all__ = [
    "Dialect",
    "DrawnMap",
    "Manual",
    "Outcome",
    "Scenario",
    "Scripted",
    "Seeded",
    "Table",
    "Unclear",
    "acts",
    "load",
    "packaged",
    "parse_scenario",
    "play",
    "play_on",
    "policies",
    "read_map",
    "read_scenario",
    "set_up",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
