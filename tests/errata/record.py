"""Record the logs on which a change of the rules is tested, by the rules of today.

    python -m tests.errata.record

Each fight that ships is played to its end. The suite decides these logs again and finds them as they are
recorded: whoever changes what a rule decides sees by `affray replay tests/errata/logs` where the logs part
from that, and records them anew once each difference is meant.
"""

from pathlib import Path

from affray.engine.table.policies import auto
from affray.engine.table.scenario import packaged, packaged_names, set_up
from affray.engine.table.tactics import play_on
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store

LOGS = Path(__file__).parent / "logs"
ROUNDS = 10


def fight(name: str, seed: str) -> Store:
    """Return the log of a fight that ships, played with a seed by automatic play, and closed."""
    store = MemoryStore()
    scenario = packaged(name)
    table = set_up(scenario, store, seed=seed.encode(), answers=auto, salted=False)
    table.declare(scenario.begin.act())
    play_on(table, ROUNDS)
    table.declare(acts.Close(reason="over"))
    return store


def record(folder: Path = LOGS) -> list[str]:
    """Write the logs into a folder and return their names."""
    folder.mkdir(exist_ok=True)
    names = [f"{name}.jsonl" for name in packaged_names()]
    for name in names:
        with (folder / name).open("wb") as file:
            export_jsonl(fight(name.removesuffix(".jsonl"), "errata"), file)
    return names


if __name__ == "__main__":
    print("\n".join(record()))
