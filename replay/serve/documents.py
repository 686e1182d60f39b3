"""The documents of the interface, as they ship with the package: open to all, with nothing of a fight."""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response


async def openapi_json(request: Request) -> Response:
    """Describe all routes, as an OpenAPI 3.1 document."""
    return Response(shipped("affray.replay.serve", "openapi.json"), media_type="application/json")


async def asyncapi_json(request: Request) -> Response:
    """Describe the feed, as an AsyncAPI 3.0 document."""
    return Response(shipped("affray.replay.serve", "asyncapi.json"), media_type="application/json")


async def events_json(request: Request) -> Response:
    """Describe the facts of all events of a log, as a JSON Schema."""
    return Response(shipped("affray.events", "events.schema.json"), media_type="application/schema+json")


@cache
def shipped(package: str, name: str) -> bytes:
    """Return a file of a package, read once."""
    return (files(package) / name).read_bytes()
