"""`affray rules DIALECT --vocabulary` lists what a dialect reads."""

import json

import pytest

from affray.engine.dialects import dialects, load
from affray.engine.vocabulary import undeclared, vocabulary
from tests.cli.conftest import Run


@pytest.mark.parametrize("dialect", dialects())
def test_every_declaration_is_listed(run: Run, dialect: str) -> None:
    """Each with the fields that are read, and with the words of these."""
    found = json.loads(run("rules", dialect, "--vocabulary", "--json").stdout)
    honours = load(dialect).honours
    assert len(found["acts"]) == len(honours)
    by_name = {act["name"]: act for act in found["acts"]}
    for kind, one in honours.items():
        act = by_name[str(kind.__struct_config__.tag)]
        assert {*act["fields"], *act["refused"]} == set(one.names or ())
    assert "normal" in by_name["move"]["fields"]["how"]
    assert "prone" in found["conditions"]
    assert found["questions"]["take"][0] == "take"
    assert found["rolls"]["save-fort"] == "1d20"


def test_it_is_readable(run: Run) -> None:
    """For people each declaration has a line, and the lists are titled."""
    shown = run("rules", "srd35", "--vocabulary").stdout
    for line in (
        "  trip             target, weapon\n",
        "\nconditions\n",
        "\nquestions, with what can be answered\n",
    ):
        assert line in shown
    assert "sneak attack" in shown
    assert "  gaze             look, avert, shut\n" in shown


def test_sub_fields_and_refusals_are_told() -> None:
    """Parts of a declaration have fields of their own, and some fields are only refused."""
    acts = {act.name: act for act in vocabulary("woa").acts}
    assert "special" in acts["full-attack"].fields["strikes"]
    assert "defensively" in acts["cast"].refused
    assert "defensively" not in acts["cast"].fields


def test_what_is_not_listed_is_noticed() -> None:
    """A roll or an answer that the dialect does not list."""
    found = undeclared("pf1", ["attack", "extra-cold", "luck"], [("take", "decline"), ("take", "run")])
    assert found == ("roll luck", "take: run")
