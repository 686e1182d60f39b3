"""Which rule ids logs cite: those of the outcomes and those of every modifier in them."""

from collections.abc import Iterable
from pathlib import Path

import affray.engine.table.scenario as scenarios
from affray.engine.chapters import tables_in
from affray.engine.testing import cited_in_text
from affray.events.codec import check_fact, decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, NotALog
from affray.events.memory import MemoryStore
from affray.replay.log_file import open_any


def cited_by(events: Iterable[Event]) -> set[str]:
    """Return the ids that events cite. O(bytes)."""
    found: set[str] = set()
    for event in events:
        check_fact(event)
        found.update(cited_in_text(event.data))
    return found


def cited_by_logs(logs: Iterable[Path]) -> set[str]:
    """Return the ids that all branches of these logs cite."""
    found: set[str] = set()
    for log in logs:
        with open_any(log) as store:
            found |= cited_by(store.read_all())
    return found


def dialect_of(log: Path) -> str:
    """Return the dialect of a log. Raises NotALog for one without an encounter."""
    with open_any(log) as store:
        for event in store.read("main", upto=1):
            dialect = getattr(decode(event), "dialect", "")
            if dialect:
                return str(dialect)
    raise NotALog(f"{log}: the log holds no encounter")


def scenario_folder(dialect: str) -> Path:
    """Return the folder of the dialect's scenario tables. Raises AffrayError outside a checkout."""
    # The package may be a tree of links to the checkout, so follow the file itself.
    root = Path(scenarios.__file__).resolve().parents[2]
    folder = root / "tests" / "scenarios" / dialect
    if not folder.parent.is_dir():
        raise AffrayError(
            "the scenarios that show what is covered come with a checkout of affray, not with the package; "
            "name logs instead, and what they cite is counted"
        )
    if not folder.is_dir():
        raise AffrayError(f"the checkout has no scenarios of {dialect}: name logs")
    return folder


def cited_by_scenarios(dialect: str) -> set[str]:
    """Return the ids that the dialect's scenario tables cite when played, the same every time."""
    found: set[str] = set()
    folder = scenario_folder(dialect)
    for file in tables_in(folder):
        for scenario in scenarios.read_scenarios(file, within=folder):
            store = MemoryStore()
            scenarios.play(scenario, store, seed=scenarios.fixed_seed(scenario), strict=True)
            found |= cited_by(store.read("main"))
    return found
