"""`affray why --json` is what its schema says, in every dialect."""

from pathlib import Path

import msgspec
import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.stores.sqlite import SqliteStore
from affray.replay.explain.why import TurnExplained, Why
from tests.cli.conftest import Run
from tests.house.fights import DIALECTS

Told = Why | TurnExplained


@pytest.mark.parametrize("dialect", DIALECTS)
def test_explanations_are_of_their_format(run: Run, dialect: str, tmp_path: Path) -> None:
    """Each names format and version, reads back as what it was, and holds no field beside the schema's."""
    db = tmp_path / "fight.db"
    with SqliteStore(db) as store:
        play(packaged(f"demo_{dialect}"), store)
        last = store.head("main").seq
    for position in (*map(str, range(2, last, 9)), "r1", "r1.t1"):
        data = run("why", str(db), position, "--json").stdout.encode()
        found = msgspec.json.decode(data, type=Told)
        whole = msgspec.json.decode(data)
        assert whole["format"] == ("affray-why-turn" if position.startswith("r") else "affray-why")
        assert whole["version"] == 1
        assert msgspec.json.decode(msgspec.json.encode(found)) == whole


def test_the_schema_is_printed(run: Run) -> None:
    """Without a log; it names both formats, and another version does not read."""
    schema = msgspec.json.decode(run("why", "--schema").stdout.encode())
    assert {"Why", "TurnExplained", "Explanation"} <= set(schema["$defs"])
    assert schema["$defs"]["Why"]["properties"]["format"]["enum"] == ["affray-why"]
    newer = b'{"format":"affray-why-turn","branch":"main","first":1,"last":1,"events":[],"version":2}'
    with pytest.raises(msgspec.ValidationError, match="version"):
        msgspec.json.decode(newer, type=Told)
