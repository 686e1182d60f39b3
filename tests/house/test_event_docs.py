"""The event catalogue and the published schema are those of the code."""

from affray.events.facts import acts
from tests.house.event_docs import DOCS, SCHEMA, WHY, catalogue, schema, why_schema

HOW = "run: python tests/house/event_docs.py"


def test_the_catalogue_is_current() -> None:
    """docs/events.md describes every event and act as it is."""
    assert (DOCS / "events.md").read_text(encoding="utf-8") == catalogue(), HOW


def test_the_schema_is_current() -> None:
    """events/events.schema.json is frozen: a change of it needs a version step and this file renewed."""
    assert SCHEMA.read_text(encoding="utf-8") == schema(), HOW


def test_the_schema_of_explanations_is_current() -> None:
    """replay/why.schema.json is frozen: a change of it needs a version step and this file renewed."""
    assert WHY.read_text(encoding="utf-8") == why_schema(), HOW


def test_every_act_is_in_the_catalogue() -> None:
    """No declaration is missing from the document."""
    text = catalogue()
    for kind in vars(acts).values():
        if isinstance(kind, type) and issubclass(kind, acts.Act) and kind is not acts.Act:
            assert f"### `{kind.__struct_config__.tag}`" in text
