"""The module for Foundry VTT: its manifest, with the address under which it was asked for, and its files.

Foundry's own server fetches both when a game master installs it; there is nothing of a fight in them.
"""

import json
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from starlette.requests import Request
from starlette.responses import Response

from affray.engine.version import VERSION
from affray.replay.serve.hosts import ADDRESS

ID: Final = "affray"
GENERATION: Final = "13"
"""The generation of Foundry whose published types the module is checked with. The manifest names no version
as verified: that would mean tried in Foundry itself."""

BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files in the archive, so that it is the same bytes each time."""


async def foundry_manifest(request: Request) -> Response:
    """Tell Foundry VTT what the module is and where its files are: the address to install it by."""
    return Response(_manifest_bytes(manifest(request.scope[ADDRESS])), media_type="application/json")


async def foundry_module(request: Request) -> Response:
    """Hand out the module's files as an archive, which Foundry VTT unpacks."""
    return Response(archive(request.scope[ADDRESS]), media_type="application/zip")


def manifest(address: str) -> dict[str, Any]:
    """Return the manifest of the module as the server at an address hands it out."""
    return {
        "id": ID,
        "title": "Affray",
        "description": "Keeps combat, tokens, hit points, conditions and chat in step with a fight that"
        " <code>affray serve</code> serves.",
        "version": VERSION,
        "compatibility": {"minimum": GENERATION, "maximum": GENERATION},
        "esmodules": ["main.js"],
        "styles": ["affray.css"],
        "languages": [{"lang": "en", "name": "English", "path": "en.json"}],
        "url": f"{address}/",
        "manifest": f"{address}/foundry/module.json",
        "download": f"{address}/foundry/affray.zip",
    }


@cache
def archive(address: str) -> bytes:
    """Return the archive of the module: its manifest and all that ships of it."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as packed:
        packed.writestr(ZipInfo("module.json", BEGINNING), _manifest_bytes(manifest(address)))
        for name, data in sorted(_shipped().items()):
            packed.writestr(ZipInfo(name, BEGINNING), data)
    return made.getvalue()


@cache
def _shipped() -> dict[str, bytes]:
    folder = files("affray.replay.serve") / "foundry" / "module"
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def _manifest_bytes(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2) + "\n").encode()
