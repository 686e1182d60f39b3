"""A log from before a default reading was changed is decided by the reading of its time."""

import json
from io import BytesIO

import pytest

from affray.engine.book import Book, dialects
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events.envelope import Entry
from affray.events.secrets import SEED
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.replay.explain.why import why
from affray.replay.notation.reading import import_notation
from affray.replay.notation.writing import export_notation
from affray.replay.verification.verify import verify

SCENE = """
dialect = "{dialect}"
options = {{{options}}}
seed = "ice and fire"
map = ["......"]
combatants = [
  {{id = "mage", side = "a", at = [0, 0], initiative = 19, acted = true, use = "mage"}},
  {{id = "giant", side = "b", at = [5, 0], initiative = 5, acted = true, use = "giant"}},
]
begin = {{round = 2, turn = "mage"}}
script = [{{do = {{act = "cast", actor = "mage", spell = "blaze", targets = ["giant"]}}}}]
[sheets.mage]
name = "Mage"
hp = 30
classes = {{wizard = 10}}
abilities = {{int = 16}}
[[sheets.mage.spells]]
name = "blaze"
level = 3
damage = "10d6"
damage_type = "fire"
range = 400
resistance = false
components = []
[sheets.giant]
name = "Giant"
hp = 133
traits = ["vulnerability to fire"]
resistances = {{fire = 11}}
"""


def played(dialect: str, options: str = "") -> MemoryStore:
    """Return the log of the fight with these options."""
    store = MemoryStore()
    play(parse_scenario(SCENE.format(dialect=dialect, options=options)), store)
    return store


def aged(log: MemoryStore, **opening: object) -> MemoryStore:
    """Return the log as a release recorded it that numbered no defaults, with these fields of the opening."""
    old = MemoryStore()
    old.keep_secret(SEED, log.secret(SEED) or b"")
    for event in log.read("main"):
        data = json.loads(event.data)
        if event.type == "encounter.opened":
            assert data.pop("defaults") == Book.load(data["dialect"]).defaults
            data.update(opening)
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
        place = (event.round, event.turn, event.actor, event.cause)
        old.append("main", [Entry(event.type, event.version, *place, text)], event.seq - 1)
    return old


def lost(store: MemoryStore) -> int:
    """Return the hit points that the giant has lost."""
    giant = fold(store.read("main")).combatants["giant"]
    return giant.max_hp - giant.hp


@pytest.mark.parametrize("dialect", ["srd35", "pf1"])
class TestOlderDefaults:
    """What a log does not name holds as it did when the log was recorded."""

    def test_an_old_log_verifies_under_the_reading_of_its_time(self, dialect: str) -> None:
        """Without the number, what was played then is decided again; what is played today is not."""
        then, now = played(dialect, 'vulnerability_order = "vulnerability-first"'), played(dialect)
        assert lost(then) > lost(now)
        assert verify(now).ok
        assert verify(aged(then, options={})).ok
        assert not verify(aged(now)).ok

    def test_an_old_log_that_names_a_reading_keeps_it(self, dialect: str) -> None:
        """What was chosen outlives any default."""
        assert verify(aged(played(dialect, 'vulnerability_order = "resistance-first"'))).ok

    def test_an_old_log_plays_on_as_it_was_played(self, dialect: str) -> None:
        """What is declared today in an old fight is decided as before, with and without memory."""
        old = aged(played(dialect, 'vulnerability_order = "vulnerability-first"'), options={})
        fights = [Table(old, memory=memory).fight for memory in (True, False)]
        assert {fight.option("vulnerability_order") for fight in fights} == {"vulnerability-first"}
        assert why(old, "main", seq_of(old, "damage.resolved")).contested[-1].reading == "vulnerability-first"

    def test_the_notation_keeps_the_number(self, dialect: str) -> None:
        """A text of an old log reads as an old log, one of a new log as a new one."""
        then = played(dialect, 'vulnerability_order = "vulnerability-first"')
        for log in (aged(then, options={}), played(dialect)):
            copy, text = MemoryStore(), BytesIO()
            export_notation(log, text)
            import_notation(text.getvalue(), copy)
            assert [one.data for one in copy.read("main")] == [one.data for one in log.read("main")]


UNTRAINED = """
dialect = "{dialect}"
options = {{{options}}}
map = ["....", "...."]
combatants = [
  {{id = "clumsy", side = "a", at = [0, 0], initiative = 19, acted = true, use = "clumsy"}},
  {{id = "guard", side = "b", at = [1, 0], initiative = 5, acted = true, use = "guard"}},
]
begin = {{round = 2, turn = "clumsy"}}
script = [{{do = {{act = "trip", actor = "clumsy", target = "guard"}}}}]
[sheets.clumsy]
name = "Clumsy"
hp = 30
abilities = {{int = 6}}
feats = ["improved trip"]
weapons = [{{name = "club", damage = "1d6"}}]
[sheets.guard]
name = "Guard"
hp = 30
weapons = [{{name = "club", damage = "1d6"}}]
"""


@pytest.mark.parametrize("dialect", ["srd35", "pf1"])
def test_a_feat_without_prerequisites_counts_in_an_old_log(dialect: str) -> None:
    """What a sheet lacks takes a feat from whoever enters today, and from nobody in an older log."""
    logs = []
    for options in ("", 'feat_prerequisites = "some"'):
        logs.append(MemoryStore())
        play(parse_scenario(UNTRAINED.format(dialect=dialect, options=options)), logs[-1])
    now, then = logs
    opened = [[event.type for event in log.read("main")].count("opportunity.provoked") for log in logs]
    assert opened == [1, 0]
    assert fold(now.read("main")).combatants["clumsy"].unusable == ("improved trip",)
    assert verify(now).ok
    assert verify(aged(then, options={"vulnerability_order": "resistance-first"})).ok
    assert not verify(aged(now)).ok


def seq_of(store: MemoryStore, kind: str) -> int:
    """Return the number of the first event of a type."""
    return next(event.seq for event in store.read("main") if event.type == kind)


@pytest.mark.parametrize("dialect", dialects())
def test_each_newer_default_says_what_held_before(dialect: str) -> None:
    """An option that came later names the reading by which older logs were played, and is numbered."""
    for entry in Book.load(dialect).contested.values():
        assert bool(entry.since) == bool(entry.before), entry.option
        assert not entry.before or entry.before in {one.name for one in entry.readings}, entry.option
