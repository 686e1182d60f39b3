"""Schemas of all that is sent and told, by name, as both documents of the interface hold them."""

import inspect
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Final, Union

import msgspec
from msgspec import NODEFAULT, Struct, UnsetType

from affray.events.codec import FACTS
from affray.events.facts.declared import AnyAct
from affray.replay.explanation import Why
from affray.replay.map_picture import Underlay
from affray.replay.serve import messages
from affray.replay.serve.cloud_events import CloudEvent, Told
from affray.replay.serve.queries import POSITION
from affray.replay.serve.shapes import CombatantView, EncounterView, Line, Reading
from affray.replay.viewer.frame import Frame
from affray.replay.viewer.frames import Wording

REF: Final = "#/components/schemas/"

TOKEN: Final = {"type": "http", "scheme": "bearer", "description": "What a link ends in, behind `#t=`."}
"""How somebody shows who it is."""

ANSWERS: Final = (
    messages.Session,
    messages.Events,
    messages.State,
    messages.Question,
    messages.Refusal,
    messages.Legal,
    messages.OpenAct,
    messages.OpenWay,
    messages.Priced,
    messages.Shut,
    messages.Page,
    messages.Names,
    messages.Done,
    messages.AllHeld,
    messages.Held,
    messages.Guests,
    messages.Swinging,
    messages.Sheets,
    messages.SheetFound,
    messages.Unheld,
    messages.Invited,
    CloudEvent,
    Why,
    Underlay,
)
"""What is told: every field is there each time, but for those that may be unset."""

BODIES: Final = (
    messages.Declare,
    messages.Choose,
    messages.Decide,
    messages.RuleOn,
    messages.Contest,
    messages.Undo,
    messages.Redo,
    messages.Fork,
    messages.Promote,
    messages.Invite,
    messages.Withdrawal,
    messages.Hiding,
    messages.SheetWanted,
    messages.SwingWanted,
)
"""What is sent."""

OTHERS: Final = (messages.NotDone, Told, Frame, Wording, EncounterView, CombatantView, Line, Reading)


def ref(name: str) -> dict[str, Any]:
    """Return the reference to a schema."""
    return {"$ref": REF + name}


def by_id(name: str) -> dict[str, Any]:
    """Return the schema of an object that holds one of these for each id."""
    return {"type": "object", "additionalProperties": ref(name)}


SAID_CLOSER: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("CloudEvent", "id"): {"type": "string", "pattern": POSITION, "description": "The position after it."},
    ("CloudEvent", "source"): {
        "type": "string",
        "format": "uri-reference",
        "pattern": "^urn:affray:([0-9a-f]{16}|empty)$",
        "description": "The log: the same for each event of it, another one for every other log.",
    },
    ("CloudEvent", "type"): {"type": "string", "pattern": r"^dev\.affray\.[a-z.-]+\.v[0-9]+$"},
    ("CloudEvent", "subject"): {"type": "string", "minLength": 1},
    ("Told", "fact"): ref("Fact"),
    ("Told", "digest"): {"type": "string", "pattern": "^([0-9a-f]{64})?$", "default": ""},
    ("State", "encounter"): ref("EncounterView"),
    ("State", "combatants"): by_id("CombatantView"),
    ("Change", "g"): {**ref("EncounterChange"), "default": {}},
    ("Change", "c"): {**by_id("CombatantChange"), "default": {}},
    ("Page", "lines"): {"type": "array", "items": ref("Line")},
    ("Page", "rules"): by_id("Wording"),
    ("Page", "contested"): {"type": "array", "items": ref("Reading")},
}
"""(schema, field) -> what is told there, where the struct does not say it."""


def components(*more: type) -> dict[str, Any]:
    """Return all schemas by name, with those of `more`."""
    kinds = [*ANSWERS, *BODIES, *OTHERS, *more]
    roots = [*kinds, Union[FACTS], AnyAct]  # noqa: UP007
    told, made = msgspec.json.schema_components(roots, ref_template=REF + "{name}")
    fact, act = told[-2:]
    made = {name: _shared(schema, act) for name, schema in made.items()}
    made["Fact"] = {"title": "Fact", "description": "What one event of a log says.", **fact}
    made["Act"] = {"title": "Act", "description": "What somebody declares.", **act}
    for kind in ANSWERS:
        made[kind.__name__]["required"] = list(_always_there(kind))
    for view in (EncounterView, CombatantView):
        change = deepcopy(made[view.__name__])
        change["title"] = view.__name__.replace("View", "Change")
        change["description"] = f"Those fields of `{view.__name__}` that an event changed."
        del change["required"]
        made[change["title"]] = change
    for body in BODIES:
        if issubclass(body, messages.Body):
            made[body.__name__]["properties"]["expected"]["pattern"] = POSITION
    for (name, field), said in SAID_CLOSER.items():
        made[name]["properties"][field] = said
    even(made)
    return dict(sorted(made.items()))


def _always_there(kind: type[Struct]) -> Iterable[str]:
    if (tag := kind.__struct_config__.tag_field) is not None:
        yield tag
    for field in msgspec.structs.fields(kind):
        if not (field.default is not NODEFAULT and UnsetType in getattr(field.type, "__args__", ())):
            yield field.encode_name


def _shared(value: Any, act: dict[str, Any]) -> Any:
    """Return a schema in which the union of all acts is referred to, and not written out each time."""
    if isinstance(value, dict):
        if value.get("anyOf") == act["anyOf"]:
            rest = {name: one for name, one in value.items() if name not in ("anyOf", "discriminator")}
            return {**ref("Act"), **rest}
        return {name: _shared(one, act) for name, one in value.items()}
    return [_shared(one, act) for one in value] if isinstance(value, list) else value


def even(value: Any) -> None:
    """Leave of docstrings what describes: no examples, and no indentation.

    Python 3.13 strips that from docstrings, 3.11 does not.
    """
    if isinstance(value, dict):
        if isinstance(value.get("description"), str):
            paragraphs = inspect.cleandoc(value["description"]).split("\n\n")
            value["description"] = "\n\n".join(one for one in paragraphs if not one.startswith(">>>"))
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            even(inner)


def printed(made: dict[str, Any]) -> str:
    """Return a document as its file has it."""
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"
