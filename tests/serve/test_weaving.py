"""The rulebook that a server has for everybody: woven once, beside the fight, with nothing of it."""

import asyncio
import gzip
from pathlib import Path

import pytest

from affray.replay.serve import server as serve_server
from affray.replay.serve.workers import NotWoven, RulebookWorker
from affray.replay.workers import PYTHON
from tests.serve.served import server

SCRIPT = """
import gzip, os, pathlib, sys, time
made = pathlib.Path(sys.argv[1]) / "made"
with made.open("a") as noted:
    noted.write(sys.argv[2] + " ")
if (made.parent / "broken").exists():
    sys.exit("no such rules")
time.sleep(0.2)
sys.stdout.buffer.write(gzip.compress(f"<p id='{sys.argv[2]}.x'>{sys.argv[2]}</p>".encode()))
"""
"""Stands in for what weaves the rules, which takes seconds: it notes down that it ran."""


def weaver(folder: Path) -> tuple[str, ...]:
    """Return the command of the stand-in that notes its runs down in a folder."""
    return (*PYTHON, "-c", SCRIPT, str(folder))


def test_a_page_is_woven_once_for_all_who_wait(tmp_path: Path) -> None:
    """Of several at once and of one that gives up too; another dialect is another page."""

    async def asked() -> list[bytes]:
        weaving = RulebookWorker(weaver(tmp_path))
        gone = asyncio.create_task(weaving.packed("pf1"))
        await asyncio.sleep(0)
        gone.cancel()
        found = await asyncio.gather(weaving.packed("pf1"), weaving.packed("pf1"), weaving.packed("woa"))
        await weaving.stop()
        return [*found, await weaving.packed("pf1")]

    pages = [gzip.decompress(page).decode() for page in asyncio.run(asked())]
    assert pages[0] == pages[1] == pages[3] == "<p id='pf1.x'>pf1</p>"
    assert "woa" in pages[2]
    assert sorted((tmp_path / "made").read_text().split()) == ["pf1", "woa"]


def test_what_could_not_be_woven_is_tried_again(tmp_path: Path) -> None:
    """Whoever waited is told why not; a server that ends leaves no process behind."""

    async def asked() -> bytes:
        weaving = RulebookWorker(weaver(tmp_path))
        (tmp_path / "broken").touch()
        with pytest.raises(NotWoven, match="no such rules"):
            await weaving.packed("pf1")
        (tmp_path / "broken").unlink()
        page = await weaving.packed("pf1")
        waiting = asyncio.create_task(weaving.packed("woa"))
        await asyncio.sleep(0)
        await weaving.stop()
        assert waiting.done() or (await asyncio.gather(waiting, return_exceptions=True))
        return page

    assert asyncio.run(asked())


def test_everybody_gets_the_rules_without_a_token(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the dialect of the fight, whoever asks; words that mean nothing are refused."""
    monkeypatch.setattr(serve_server, "RulebookWorker", lambda: RulebookWorker(weaver(tmp_path)))
    with server(log) as served:
        for who in (None, served.master):
            assert served.ask(who, "GET", "/rulebook").text == "<p id='srd35.x'>srd35</p>"
        assert served.status(None, "GET", "/rulebook?x=1") == 400
    assert (tmp_path / "made").read_text().split() == ["srd35"]
