"""The documents of the interface are those of the code, and what their makers call valid."""

import os
import shutil
import subprocess
from typing import Any

import pytest

pytest.importorskip("openapi_spec_validator")
pytest.importorskip("cloudevents")

from jsonschema import Draft7Validator, Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from affray.events.codec import FACTS, VERSIONS
from affray.replay.serve.asyncapi import asyncapi
from affray.replay.serve.http import MEANINGS, STATUSES
from affray.replay.serve.messages import TYPES
from affray.replay.serve.openapi import openapi, printed
from affray.replay.serve.routes import TABLE
from affray.replay.serve.server import serving
from tests.serve import contract

PARSER = os.environ.get("ASYNCAPI_PARSER", "")
"""A folder in which @asyncapi/parser is installed: npm install --prefix FOLDER @asyncapi/parser"""

ASKED = """
const { Parser } = require('@asyncapi/parser');
const text = require('node:fs').readFileSync(process.argv[1], 'utf8');
new Parser().validate(text).then(found => {
  for (const one of found) console.log(one.severity, one.code, one.message, one.path.join('/'));
});
"""


def test_the_document_of_the_routes_is_current() -> None:
    """replay/serve/openapi.json is what the table of routes says."""
    assert contract.OPENAPI.read_text(encoding="utf-8") == printed(openapi()), (
        "run: python -m affray.replay.serve.openapi"
    )


def test_the_document_of_the_feed_is_current() -> None:
    """replay/serve/asyncapi.json has a message for each type of event."""
    assert contract.ASYNCAPI.read_text(encoding="utf-8") == printed(asyncapi()), (
        "run: python -m affray.replay.serve.asyncapi"
    )


def test_the_document_of_the_routes_is_openapi() -> None:
    """By the validator of the OpenAPI Specification 3.1."""
    assert [str(one) for one in OpenAPIV31SpecValidator(contract.read(contract.OPENAPI)).iter_errors()] == []


@pytest.mark.skipif(not PARSER or shutil.which("node") is None, reason="no @asyncapi/parser: see PARSER")
def test_the_document_of_the_feed_is_asyncapi() -> None:
    """By AsyncAPI's own parser: no error and no warning; 2 and 3 are pieces of advice."""
    done = subprocess.run(
        ["node", "-e", ASKED, str(contract.ASYNCAPI)], cwd=PARSER, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line[:1] in "01"] == []


def test_every_reference_of_a_document_leads_somewhere() -> None:
    """Within the document itself."""
    for document in (contract.read(contract.OPENAPI), contract.read(contract.ASYNCAPI)):
        for one in references(document):
            assert one.startswith("#/")
            found = document
            for step in one[2:].split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]


def references(value: Any) -> list[str]:
    """Return all references in a document."""
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [one for inner in value.values() for one in references(inner)]
    return [one for inner in value for one in references(inner)] if isinstance(value, list) else []


def test_every_schema_is_one() -> None:
    """Each schema of both documents obeys the dialect that it is written in."""
    for schema in contract.read(contract.OPENAPI)["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for schema in contract.read(contract.ASYNCAPI)["components"]["schemas"].values():
        Draft7Validator.check_schema(schema)


def test_every_example_fits_its_schema() -> None:
    """Each route that takes or tells JSON of its own shows an example of it, which is of that kind."""
    for path, methods in contract.read(contract.OPENAPI)["paths"].items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                taken = operation["requestBody"]["content"]["application/json"]
                name = taken["schema"]["$ref"].rpartition("/")[2]
                assert contract.faults(contract.bodies(name), taken["example"]) == [], path
            told = operation["responses"]["200"]["content"].get("application/json", {})
            if "$ref" in told.get("schema", {}):
                validator = contract.answers(method.upper(), path, 200)
                assert validator is not None
                assert contract.faults(validator, told["example"]) == [], path


def test_every_example_of_the_feed_fits_its_message() -> None:
    """One for each kind of message that is no fact, and one of a fact."""
    messages = contract.read(contract.ASYNCAPI)["components"]["messages"].values()
    shown = [(one["title"], example["payload"]) for one in messages for example in one.get("examples", ())]
    assert {"seen", "hidden", "rebase", "view", "held", "moved"} == {name for name, _ in shown}
    for name, payload in shown:
        assert list(contract.held(payload)) == [], name


def test_every_type_of_event_has_its_message() -> None:
    """With the version in which it is told."""
    told = {one["name"] for one in contract.read(contract.ASYNCAPI)["components"]["messages"].values()}
    kinds = {f"{TYPES}{kind.__struct_config__.tag}" for kind in FACTS}
    assert {f"{kind}.v{VERSIONS[kind.removeprefix(TYPES)]}" for kind in kinds} < told
    assert len(told) == len(kinds) + 5


def test_every_code_has_a_meaning() -> None:
    """And stands with some route, but for the one of a method that a path has not."""
    assert MEANINGS.keys() == STATUSES.keys()
    assert STATUSES.keys() - {code for one in TABLE for code in one.yield_error_codes()} == {"wrong_method"}


def test_the_server_has_the_routes_of_the_document(tmp_path: Any) -> None:
    """The paths, and for each the methods, neither more nor less; pages of people are no part of it."""
    from affray.events.stores.sqlite import SqliteStore
    from affray.replay.serve.access import Access
    from tests.house.fights import opened

    with SqliteStore(tmp_path / "fight.db") as store:
        opened("srd35", store, 1)
    app = serving(tmp_path / "fight.db", Access.open(tmp_path / "fight.db"), "http://127.0.0.1/")
    there = {
        (method, getattr(one, "path", ""))
        for one in app.routes
        for method in getattr(one, "methods", None) or ()
        if method != "HEAD" and getattr(one, "path", "") not in ("/", "/overlay", "/rulebook")
    }
    paths = contract.read(contract.OPENAPI)["paths"]
    assert there == {(method.upper(), path) for path, methods in paths.items() for method in methods}
