"""The packed lines of a text of the notation, opened before the others are read."""

from collections.abc import Sequence
from typing import Any

from affray.engine.notation.statements import Packed
from affray.engine.notation.tokens import NotationError
from affray.replay.notation.corrections import BadCorrections, unpack


def unpacked_by_branch(packed: Sequence[Packed]) -> dict[str, Any]:
    """Return corrections and salts by the name of the branch, none without lines. Raises NotationError."""
    if not packed:
        return {}
    where = packed[0].line, packed[0].column
    try:
        found = unpack(one.text for one in packed)
    except BadCorrections as error:
        raise NotationError(*where, f"packed corrections: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise NotationError(*where, "packed corrections by branch")
    return found
