"""What the build of the documentation checks is found; the build itself is a step of the gate."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def making(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the modules be there that the build imports."""
    monkeypatch.syspath_prepend(DOCS)


def test_what_is_wrong_with_a_site_is_told(tmp_path: Path) -> None:
    """A dead link, a place that is not there, a script, a font and an image of a network, an odd address."""
    from making.check import faults

    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><script src="https://cdn.example.org/x.js"></script>'
        '<img src="//example.org/i.png"><a href="b.html">gone</a><a href="#top">here</a>'
        '<a href="#foot">gone</a><a href="https://c2sp.org/x">x</a>'
        '<a href="javascript:x">x</a>',
        encoding="utf-8",
    )
    (tmp_path / "a.css").write_text("@font-face { src: url(https://example.org/f) }", encoding="utf-8")
    assert list(faults(tmp_path)) == [
        "a.html loads https://cdn.example.org/x.js",
        "a.html loads //example.org/i.png",
        "a.html leads to b.html, which is not there",
        "a.html leads to #foot, which has no such place",
        "a.html leads to javascript:x",
        "a.css loads https://example.org/f",
    ]


def test_links_lead_to_where_the_site_has_them() -> None:
    """Pages to pages, also from those beside the docs; other files of the checkout to what shows them."""
    from making.pages import filled

    code = "\n\n```sh\n[d](../../LICENSE)\n```"
    text = f"[a](../trust.md#the-format) [b](../../README.md) [`c`](../../LICENSE){code}"
    assert filled(DOCS, "reference/replay", text) == (
        "[a](../trust.md#the-format) [b](../project/readme.md) "
        '<a href="../checkout/LICENSE.html"><code>c</code></a>' + code
    )
    assert "](../trust.md" in filled(DOCS, "project/readme", "<!-- the page: README.md -->")


def test_every_page_is_in_the_contents() -> None:
    """A page that no toctree names is in no menu of the site, and the build refuses it."""
    contents = (DOCS / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"```\{toctree\}\n(.*?)```", contents, re.DOTALL)
    listed = {page for tree in trees for line in tree.splitlines() for page in DOCS.glob(f"{line}.md")}
    assert set(DOCS.rglob("*.md")) - listed - {DOCS / "index.md"} == set(DOCS.glob("examples/**/*.md"))


def test_every_part_that_pages_ask_for_can_be_made() -> None:
    """No page has a mark that the build does not know, and nothing can be made that no page shows."""
    from making.pages import MADE, MARK

    asked = {name for page in DOCS.rglob("*.md") for name in MARK.findall(page.read_text(encoding="utf-8"))}
    assert asked == MADE.keys()


def test_no_help_of_a_command_is_lost() -> None:
    """Each command has its place on the page of all commands, with every option it has."""
    from making.commands import told

    page = told()
    assert "### why\n" in page
    assert "| `--rulebook ADDRESS` | html: the page that rules link to (affray rules --page)," in page
    assert "AFFRAY\\_RULEBOOK" in page
    assert "affray export fight.db --format notation --out fight.affray\n" in page


def test_a_signature_is_told_as_it_is_written() -> None:
    """Names of the library are whole, so that they are links, and the examples are blocks."""
    from making.library import told

    page = told("affray.replay")
    assert "{py:function} affray.replay.why(store: affray.events.Store, branch: str, seq: int)" in page
    assert "```pycon\n>>> from affray.engine import packaged, play\n" in page


def test_each_option_is_shown_in_play() -> None:
    """Of each that can be chosen the page names scenarios with another reading than the default."""
    from making.options import plays, told

    from affray.engine.book import contested, dialects

    unplayed = [
        (dialect, entry.option)
        for dialect in dialects()
        for entry in contested(dialect)
        if not entry.awaits
        and not any(
            (entry.option, one.name) in plays(dialect) for one in entry.readings if one.name != entry.default
        )
    ]
    assert not unplayed
    assert "\nScenarios with `none`: " in told()


def test_the_schema_of_scenarios_is_that_of_scenarios() -> None:
    """What ships and what the page shows is valid by it, and what no scenario may say is not."""
    from making.schemas import of_scenario, scenario_told

    schemas = pytest.importorskip("jsonschema_rs", reason="the validator of JSON Schema is not installed")
    valid = schemas.Draft202012Validator(of_scenario())
    files = [
        *DOCS.parent.joinpath("engine", "scenarios").glob("[!s]*.toml"),
        DOCS / "examples" / "ambush.toml",
    ]
    for file in files:
        raw: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        assert not list(map(str, valid.iter_errors(raw))), file
    nobody, jig = [{"id": "ogre"}], [{"do": {"act": "jig"}}]
    for wrong in ({"auto": -1}, {"autoo": 1}, {"combatants": nobody}, {"script": jig}):
        assert not valid.is_valid({**raw, **wrong})
    page = scenario_told()
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## Scenario",
        "## Entrant",
        "## Start",
        "## Line",
    ]
    assert "[Attack](schemas.md#attack)" in page


def test_errors_that_docstrings_name_lead_to_their_page() -> None:
    """What a call may raise is a link, to a place that tells what it is and whence to import it."""
    from making.errors import told
    from making.library import told as library

    assert "Raises [BadScenario](errors.md#badscenario)" in library("affray.engine")
    page = told()
    assert "## BadScenario\n\n`from affray.engine.table.scenario_parts import BadScenario`; a kind of" in page
    assert "\n\n\n" not in page, "each says what it means"
