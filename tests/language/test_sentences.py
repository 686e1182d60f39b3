"""One language: a sentence comes to the same at the prompt, by `do`, in the browser, in a text, in Python."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.engine.language.sentences import REQUESTS
from tests.language.channels import (
    at_prompt,
    by_command,
    by_library,
    by_notation,
    in_browser,
    parsed,
    put_fight,
)

TABLE = Path(__file__).with_name("sentences.txt")
MANY = 200
"""Sentences, at least."""

OTHERWISE = {"redo", "odds", "auto", "rules"}
"""Requests of which a command prints more than that it was made."""


def moments() -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield the moments of the table: name, fight and sentences with what they come to."""
    for part in TABLE.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *rows = part.splitlines()
        text = "".join(f"{row[2:]}\n" for row in rows if row.startswith("| "))
        pairs = (row.partition(" => ") for row in rows if " => " in row and not row.startswith("| "))
        yield name, text, [(line, meant) for line, _, meant in pairs]


MOMENTS = {name: (text, said) for name, text, said in moments()}


def test_the_table_is_large() -> None:
    """All dialects are in it, and each kind of meaning."""
    said = [meant for _, pairs in MOMENTS.values() for _, meant in pairs]
    assert len(said) >= MANY
    assert {"srd35", "pf1", "srd52", "woa", "futurepath"} <= MOMENTS.keys()
    for sign in ("!", "?", "=", "fiat "):
        assert any(meant.startswith(sign) for meant in said), sign


@pytest.mark.parametrize("name", MOMENTS)
def test_a_sentence_means_what_the_table_says(name: str) -> None:
    """Read at its moment, without being said."""
    text, said = MOMENTS[name]
    reads = parsed(text)
    wrong = [f"{line} => {found}, not {meant}" for line, meant in said if (found := reads(line)) != meant]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", MOMENTS)
def test_it_comes_to_the_same_in_all_five(name: str, tmp_path: Path) -> None:
    """The same declaration, or the same error."""
    text, said = MOMENTS[name]
    log = put_fight(text, tmp_path / "fight.db")
    wrong: list[str] = []
    with in_browser(log, anew=name in ("srd35 asked", "srd35 after a blow")) as browser:
        channels: dict[str, Callable[[str], str]] = {
            "library": by_library(log),
            "do": by_command(log),
            "notation": by_notation(text),
            "prompt": at_prompt(log),
            "browser": browser,
        }
        for line, meant in said:
            found = {channel: say(line) for channel, say in channels.items()}
            refused = found["library"].endswith(" (refused)")
            for channel, what in found.items():
                if what not in allowed(channel, line, meant, refused=refused):
                    wrong.append(f"{channel}: {line} => {what}, not {meant}")
    assert not wrong, "\n".join(wrong)


def allowed(channel: str, line: str, meant: str, *, refused: bool) -> "set[str] | Refusal":
    """Return what a channel may make of a sentence: what the table says, in its own way of showing that."""
    if line.split()[0] in (*REQUESTS, "/") and meant[:1] in "?!":
        return allowed_request(channel, line, meant)
    if meant[0] == "=":
        is_roll = meant == "=roll"  # the log has no answer then
        return (
            {f"! {line!r} is no declaration"}
            if channel == "notation"
            else {"? recorded" if is_roll else meant, meant}
        )
    if meant.startswith("! whom?"):
        keys = [f"{key} {name}" for key, name in enumerate(meant.rpartition("one of ")[2].split(", "), 1)]
        return {meant, f"!? whom? {' '.join(keys)}"} if channel in ("prompt", "browser") else {meant}
    if refused and channel == "prompt":
        return Refusal(meant)  # a path that the rules refuse is not declared at the prompt
    return {f"{meant.partition('; ')[0]} (refused)"} if refused else {meant}


def allowed_request(channel: str, line: str, meant: str) -> "set[str] | Anything":
    """Return what a channel may make of a line that declares nothing."""
    if channel in ("library", "notation"):
        return {f"! {line!r} is no declaration", *([meant] if meant[0] == "!" else [])}
    word = meant[2:].split()[0]
    if channel == "prompt" or meant.startswith("!"):
        return {meant}
    if word in OTHERWISE:
        return Anything()
    if word == "why":
        return {"? why", "? nothing declared"}
    without_effect = {
        "? recorded",
        "? nothing declared",
        "! no test of srd35 is rolled with or without 'advantage'",
    }
    return {"? the main line", *(without_effect if word == "ruling" else ())}


class Anything:
    """Whatever a command prints."""

    def __contains__(self, found: object) -> bool:
        return True


class Refusal:
    """A declaration, or the rules' reason to refuse it, with the rule."""

    def __init__(self, meant: str) -> None:
        self.meant = meant

    def __contains__(self, found: object) -> bool:
        return found == self.meant or (str(found).startswith("! ") and str(found).endswith(")"))
