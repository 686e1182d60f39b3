"""Modules of the page without a browser: run by node, with a document that only keeps what it is given."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from affray.engine.language.cast import PLAIN_WORDS, Cast
from affray.replay.viewer.pages import script_of

NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

DOCUMENT = """
// As in a browser: whatever is no element becomes text.
class Element {
  children = []; dataset = {}; attributes = {}; style = { setProperty() {} };
  setAttribute(name, value) { this.attributes[name] = String(value); }
  addEventListener() {}
  append(...nodes) { this.children.push(...nodes.map((one) => one instanceof Element ? one : String(one))); }
  replaceChildren(...nodes) { this.children = []; this.append(...nodes); }
  get textContent() { return this.children.map((one) => one.textContent ?? one).join(""); }
}
globalThis.document = { createElement: () => new Element(), createElementNS: () => new Element() };
globalThis.matchMedia = () => ({ matches: true, addEventListener() {} });
"""


def run(folder: Path, module: str, code: str, *values: Any) -> Any:
    """Return what a function body over a module of the page returns; its arguments are `values`."""
    given = json.dumps(values)
    file = folder / "run.cjs"
    asked = f"const returned = ((...values) => {{ {code} }})(...{given});"
    told = "console.log(JSON.stringify(returned));"
    file.write_text(f'"use strict";\n{DOCUMENT}\n{script_of(module)}\n{asked}\n{told}\n', encoding="utf-8")
    done = subprocess.run([str(NODE), str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


TOKENS = """
const [combatants] = values;
Object.assign(app, { log: { names: new Map(), letters: new Map(combatants.map((one) => [one.id, "X"])) } });
const state = { g: { active: "", order: [] }, c: new Map(combatants.map((one) => [one.id, one])) };
const layer = new Element();
drawTokens(layer, state, "", false);
return layer.children.map((token) => token.textContent);
"""


def combatant(id: str, **more: object) -> dict[str, object]:
    """Return a combatant as a page has it."""
    usual = dict(
        side="a",
        size="medium",
        thing=False,
        at=[0, 0],
        space=1,
        reach=5,
        hp=5,
        max=5,
        nonlethal=0,
        temporary=0,
    )
    return {**usual, "id": id, "conditions": [], "held": [], "effects": [], **more}


def test_a_token_contains_its_label_and_its_letter_alone(tmp_path: Path) -> None:
    """Whatever it has: conditions, hit points, their lack; no missing part becomes a word."""
    kinds: tuple[dict[str, object], ...] = (
        {},
        {"hp": None, "max": None},
        {"hp": 0},
        {"hp": -3, "conditions": [["dead"]]},
        {"conditions": [["prone"]]},
        {"thing": True},
        {"thing": True, "hp": None, "max": None},
    )
    combatants = [combatant(f"c{number}", **more, at=[number, 0]) for number, more in enumerate(kinds)]
    texts = run(tmp_path, "tokens", TOKENS, combatants)
    assert len(texts) == len(kinds)
    for text in texts:
        assert text.startswith("c")
        assert "false" not in text
        assert "null" not in text
        assert "undefined" not in text


def test_texts_have_the_same_names_as_in_python(tmp_path: Path) -> None:
    """An id that is a plain word stays as it is in both."""
    ids = ("attack", "Round", "orc", "orc-chief")
    cast = Cast()
    for id in ids:
        cast.enter(id, "side", f"Name of {id.upper()}")
    texts = ["orc has no attack left", "orc-chief and orc", "the Round is over", "attack"]
    code = "const [names, texts] = values; return texts.map(proseWith(new Map(names)));"
    said = run(tmp_path, "log", code, [[id, cast.name(id)] for id in ids], texts)
    assert said == [cast.prose(text) for text in texts]
    assert said[0] == "Name of ORC has no attack left"
    assert sorted(run(tmp_path, "log", "return [...PLAIN_WORDS];")) == sorted(PLAIN_WORDS)


def test_the_number_that_a_check_may_not_exceed_has_its_words(tmp_path: Path) -> None:
    """Other checks and attacks are against their number."""
    facts = [{"dc": 50, "under": True}, {"dc": 15}, {"needed": 17}, {}]
    told = run(tmp_path, "why", "return values[0].map(goal);", facts)
    assert told == [", at most 50", " against 15", " against 17", ""]
