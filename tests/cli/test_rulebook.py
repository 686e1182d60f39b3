"""Rules in what is printed and written lead into the rulebook that was named."""

import json
from pathlib import Path

import pytest

from affray.replay.cli.terminal.printing import can_show_links
from affray.replay.text.rulebook_links import VARIABLE
from tests.cli.conftest import Run
from tests.cli.terminal import in_terminal

BOOKS = "https://example.org/rules/"
ROLL = "srd35.attack.roll"
LINK = f"\x1b]8;;{BOOKS}srd35.html#{ROLL}\x1b\\{ROLL}\x1b]8;;\x1b\\"


def test_an_explanation_leads_into_the_rulebook(run: Run, played: Path) -> None:
    """In a pipe addresses stand at the end, in JSON beside each rule; without a rulebook nothing changes."""
    plain = run("why", played, "52")
    linked = run("why", played, "52", "--rulebook", BOOKS)
    head, _, addresses = linked.stdout.partition("\nIn the rulebook\n")
    assert head == plain.stdout
    assert addresses.splitlines()[0] == f"  {BOOKS}srd35.html#{ROLL}"
    turn = run("why", played, "r1.t3", "--rulebook", BOOKS).stdout.partition("\nIn the rulebook\n")
    assert turn[0] == run("why", played, "r1.t3").stdout
    assert len(set(turn[2].split())) == len(turn[2].split()) > 5
    rules = json.loads(run("why", played, "52", "--rulebook", BOOKS, "--json").stdout)["rules"]
    assert [one["address"] for one in rules] == addresses.split()
    assert "address" not in run("why", played, "52", "--json").stdout


def test_rules_on_a_terminal_are_links(played: Path) -> None:
    """In all that is printed there, once the environment names a rulebook; for who wants colour alone."""
    for words in (("why", played, "52"), ("rules", "srd35", "--search", "d20 attack bonus")):
        assert LINK in in_terminal(*words, PAGER="cat", **{VARIABLE: BOOKS})[1]


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_a_terminal_that_takes_no_colour_gets_no_links(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said by its owner, or by what it says it is."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert can_show_links()
    monkeypatch.setenv(name, "dumb")
    assert not can_show_links()


def test_a_pager_that_shows_no_links_gets_none(played: Path) -> None:
    """The addresses stand at the end there."""
    shown = in_terminal("why", played, "52", PAGER="sed s/^/P:/", **{VARIABLE: BOOKS})[1]
    assert "\x1b]8" not in shown
    assert f"P:  {BOOKS}srd35.html#{ROLL}" in shown


def test_what_is_no_address_is_refused_everywhere(run: Run, played: Path) -> None:
    """Said for one command, or for all."""
    for bad in ("javascript:alert(1)", "rules.html#a", "a\x1bb", "a>b"):
        for words in (("why", played, "52"), ("report", played, "--dispute", "Q1"), ("replay", played)):
            found = run(*words, "--rulebook", bad)
            assert found.exit_code == 2
            assert "--rulebook: " in found.stderr


def test_the_environment_names_one_for_every_command(
    run: Run, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it names is no option of this command: a table is written all the same."""
    monkeypatch.setenv(VARIABLE, BOOKS)
    assert f"{BOOKS}srd35.html#{ROLL}" in run("why", played, "52").stdout
    assert run("export", played, "--format", "csv").exit_code == 0
    assert f'"rulebook":"{BOOKS}srd35.html"' in run("export", played, "--format", "html").stdout
    monkeypatch.setenv(VARIABLE, "javascript:x")
    found = run("log", played)
    assert (found.exit_code, VARIABLE in found.stderr) == (2, True)


def test_a_page_that_is_not_there_is_told_with_the_command_that_writes_it(
    run: Run, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the page that is exported, by DIALECT.html in a folder; nothing is said once it is there."""
    out = tmp_path / "fight.html"
    words = ("export", played, "--format", "html", "--out", out, "--rulebook")
    told = run(*words, "srd35.html").stderr
    assert told == (
        f"{tmp_path}/srd35.html: there is no rulebook yet; this writes it: "
        f"affray rules srd35 --page --out {tmp_path}/srd35.html\n"
    )
    (tmp_path / "books").mkdir()
    assert "books/srd35.html: there is no" in run(*words, "books").stderr
    (tmp_path / "books" / "srd35.html").touch()
    assert run(*words, "https://example.org/a.html").stderr == run(*words, "books").stderr == ""
    assert '"rulebook":"books/srd35.html"' in out.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    here = run("why", played, "52", "--rulebook", "books").stdout
    assert f"  {tmp_path.as_uri()}/books/srd35.html#{ROLL}\n" in here


def test_a_report_leads_into_the_rulebook(run: Run, copy: Path) -> None:
    """As links in HTML, as a list in Markdown, by id in JSON."""
    assert run("dispute", copy, "52", "--claim", f"<b>{ROLL}", "--by", "Ysolde").exit_code == 0
    words = ("report", copy, "--dispute", "Q1", "--rulebook", BOOKS, "--format")
    html = run(*words, "html").stdout
    assert f'<a href="{BOOKS}srd35.html#{ROLL}">{ROLL}</a>' in html
    assert "<b>" not in html
    assert f"- [{ROLL}](<{BOOKS}srd35.html#{ROLL}>)\n" in run(*words, "markdown").stdout
    assert json.loads(run(*words, "json").stdout)["rules"][ROLL] == f"{BOOKS}srd35.html#{ROLL}"
    assert BOOKS not in run(*words[:4], "--format", "html").stdout


def test_two_rulebooks_side_by_side_lead_into_both(run: Run, played: Path, tmp_path: Path) -> None:
    """Each rule into the one of its own dialect; ids that no catalogue has are no links."""
    page = tmp_path / "page.html"
    words = ("replay", played, "--dialect", "pf1", "--into", tmp_path / "b.db", "--page", page)
    assert run(*words, "--rulebook", BOOKS).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert f'<a href="{BOOKS}srd35.html#srd35.' in text
    assert f'<a href="{BOOKS}pf1.html#pf1.' in text
