"""The page as a file: what is in it, what cannot get out of it, and the log back from it."""

import re
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.engine.table.scenario import packaged, play
from affray.events.codec import entry
from affray.events.errors import BrokenExport, BrokenLog, NotALog
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts.combat import HitPointsChanged
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay.cli import affray
from affray.replay.viewer import build, log_lines
from tests.house.fights import DIALECTS
from tests.viewer.conftest import HOSTILE, hostile_fight


class Tags(HTMLParser):
    """Counts tags as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def jsonl(store: SqliteStore | MemoryStore) -> bytes:
    """Return the portable log of a store."""
    out = BytesIO()
    export_jsonl(store, out)
    return out.getvalue()


def test_the_log_comes_back_byte_for_byte(log: SqliteStore, page: Path) -> None:
    """The page carries the portable log exactly, every branch of it."""
    with page.open("rb") as file:
        assert b"".join(log_lines(file)) == jsonl(log)


def test_a_page_is_imported_and_verified(log: SqliteStore, page: Path, tmp_path: Path) -> None:
    """`affray import fight.html` gives the whole log back, and verify has nothing to say against it."""
    db = tmp_path / "back.db"
    done = CliRunner().invoke(affray, ["import", str(page), "--db", str(db)])
    assert (done.exit_code, "3 branches" in done.stdout) == (0, True), done.output
    with SqliteStore(db, readonly=True) as back:
        assert jsonl(back) == jsonl(log)
    assert CliRunner().invoke(affray, ["verify", str(db)]).exit_code == 0


def test_a_page_that_was_tampered_with_is_refused(page: Path) -> None:
    """One digit changed in the log of a page breaks the chain."""
    spoiled = page.read_bytes().replace(b'"hp":42', b'"hp":43', 1)
    with pytest.raises(BrokenExport):
        import_jsonl(log_lines(BytesIO(spoiled)), MemoryStore())


def test_another_page_is_no_log(tmp_path: Path) -> None:
    """An HTML file of another kind is refused in one line, and no database is left behind."""
    other = tmp_path / "other.html"
    other.write_text("<!doctype html><p>Hello</p>\n")
    with pytest.raises(NotALog):
        list(log_lines(BytesIO(other.read_bytes())))
    done = CliRunner().invoke(affray, ["import", str(other), "--db", str(tmp_path / "x.db")])
    assert isinstance(done.exception, NotALog | SystemExit)
    assert not (tmp_path / "x.db").exists()


def test_names_cannot_break_out() -> None:
    """Names that are HTML change no tag of the page and come back as they were."""
    store, tame = MemoryStore(), MemoryStore()
    hostile_fight(store)
    page = build(store)
    assert [tag for tag, _ in Tags(page).seen] == [tag for tag, _ in Tags(build(tame)).seen]
    assert HOSTILE not in page
    assert page.lower().count("</script>") == 3
    assert b"".join(log_lines(BytesIO(page.encode()))) == jsonl(store)


def test_the_page_names_nothing_elsewhere(page: Path) -> None:
    """No tag loads anything, and the policy forbids the network whatever a script tries."""
    tags = Tags(page.read_text(encoding="utf-8")).seen
    loads = [attrs for _, attrs in tags if attrs.get("src") or attrs.get("href", "#")[0:1] not in ("#", "d")]
    assert loads == []
    policy = next(
        attrs["content"] for _, attrs in tags if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"https?:", policy)


def test_nonsense_under_good_digests_is_a_broken_log() -> None:
    """A fact about somebody who never entered is named as the place where the log is broken."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    fact = HitPointsChanged(who="nobody", hp=1, nonlethal=0, temporary=0, change=-1, why="", cites=())
    store.append("main", [entry(fact, 1, 1, "", 1)], store.head("main").seq)
    with pytest.raises(BrokenLog, match="does not fit the events before it"):
        build(store)


def test_an_empty_log_is_a_page() -> None:
    """A log without events can be shown as well."""
    assert "<title>Fight · Affray</title>" in build(MemoryStore())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_is_the_same_every_time(dialect: str) -> None:
    """The same log gives the same page, byte for byte."""
    store = MemoryStore()
    play(packaged(f"demo_{dialect}"), store)
    assert build(store) == build(store)


def test_the_page_does_not_overwrite_the_log(tmp_path: Path) -> None:
    """Demo --html with the name of the log is refused before anything is played."""
    file = str(tmp_path / "f.db")
    assert CliRunner().invoke(affray, ["demo", "--db", file, "--html", file]).exit_code == 2
    assert not Path(file).exists()


def test_commands_write_pages(tmp_path: Path) -> None:
    """Demo --html and export --format html write the same page."""
    run = CliRunner()
    db, one, other = (str(tmp_path / name) for name in ("f.db", "one.html", "other.html"))
    assert run.invoke(affray, ["demo", "--db", db, "--html", one]).exit_code == 0
    done = run.invoke(affray, ["export", db, "--format", "html", "--out", other])
    assert done.exit_code == 0, done.output
    assert Path(one).read_bytes() == Path(other).read_bytes()


def test_rules_link_to_a_rulebook_that_is_named(log: SqliteStore) -> None:
    """The address goes into the frames as it is, and nothing is linked without one."""
    assert '"rulebook":"srd35.html"' in build(log, rulebook="srd35.html")
    assert '"rulebook":""' in build(log)
