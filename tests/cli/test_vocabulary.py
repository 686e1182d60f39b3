"""`affray rules DIALECT --vocabulary` lists what a dialect reads."""

import json

import pytest

from affray.engine.dialects import load
from affray.engine.vocabulary import undeclared, vocabulary
from tests.cli.conftest import Run
from tests.relatives import RELATIVES


@pytest.mark.parametrize("dialect", RELATIVES)
def test_every_declaration_is_listed(run: Run, dialect: str) -> None:
    """Each with the fields that are read, their words and their defaults."""
    found = json.loads(run("rules", dialect, "--vocabulary", "--json").stdout)
    honours = load(dialect).honours
    by_name = {act["name"]: act for chapter in found["chapters"] for act in chapter["acts"]}
    assert len(by_name) == len(honours)
    for kind, one in honours.items():
        act = by_name[str(kind.__struct_config__.tag)]
        read = [field["name"] for field in act["fields"] if "." not in field["name"]]
        assert {*read, *act["refused"]} == set(one.names or ())
    how = next(field for field in by_name["move"]["fields"] if field["name"] == "how")
    assert "normal" in how["words"]
    assert how["default"] == "normal"
    words = {one["name"]: one["words"] for chapter in found["chapters"] for one in chapter["words"]}
    assert "prone" in words["conditions"]
    chapters = {chapter["name"]: chapter for chapter in found["chapters"]}
    assert chapters["opportunity"]["questions"]["take"][0] == "take"
    assert chapters["classes"]["rolls"]["save-fort"] == "1d20"
    assert {"attack", "damage"} <= set(by_name["attack"]["rolls"])
    assert found["meanwhile"]["attack of opportunity"]["asks"][-1] in ("take", "with")


def test_it_is_readable(run: Run) -> None:
    """For people each declaration has a line in its chapter, and the lists are titled."""
    shown = run("rules", "srd35", "--vocabulary").stdout
    for line in (
        "\nmaneuvers\n",
        "  trip             target (a combatant), weapon (a weapon of the sheet)\n",
        "  conditions: what may last on a combatant.\n",
        "\nquestions, with their answers\n",
    ):
        assert line in shown
    assert "sneak attack" in shown
    assert "  gaze             look, avert, shut\n" in shown


def test_sub_fields_and_refusals_are_told() -> None:
    """Parts of a declaration have fields of their own, and some fields are only refused."""
    acts = {act.name: act for chapter in vocabulary("woa").chapters for act in chapter.acts}
    fields = {name: [field.name for field in act.fields] for name, act in acts.items()}
    assert "strikes.special" in fields["full-attack"]
    assert "defensively" in acts["cast"].refused
    assert "defensively" not in fields["cast"]


def test_what_is_not_listed_is_noticed() -> None:
    """A roll or an answer that the dialect does not list."""
    found = undeclared("pf1", ["attack", "extra-cold", "luck"], [("take", "decline"), ("take", "run")])
    assert found == ("roll luck", "take: run")
