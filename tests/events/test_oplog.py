"""The operational log: silent by default, console or JSON on standard error when shown."""

import json

import pytest

from affray.events import logging


def test_it_is_silent_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written before anybody asked for it."""
    logging.warning("append.conflict", expected=1, actual=2)
    assert capsys.readouterr() == ("", "")


def test_json_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Shown as JSON, an entry is one object on one line of standard error, and nothing on output."""
    logging.show("info", json=True)
    try:
        logging.info("choice.waiting", who="ogre")
    finally:
        logging.hide()
    out, err = capsys.readouterr()
    assert out == ""
    entry = json.loads(err)
    assert (entry["event"], entry["level"], entry["who"]) == ("choice.waiting", "info", "ogre")


def test_the_level_filters(capsys: pytest.CaptureFixture[str]) -> None:
    """At level warning, information is not written."""
    logging.show("warning")
    try:
        logging.info("encounter.opened")
        logging.warning("checkpoint.dropped", seq=3)
    finally:
        logging.hide()
    err = capsys.readouterr().err
    assert "encounter.opened" not in err
    assert "checkpoint.dropped" in err
