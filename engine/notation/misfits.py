"""What was expected of a value that does not fit its field, in the words of the notation."""

import re
from collections.abc import Mapping
from typing import Any

from affray.engine.notation.tokens import written
from affray.events.misfit import meant, misfit

_KINDS = {
    "int": "a whole number",
    "str": "a word or a text in quotes",
    "array": "a list",
    "object": "a map",
    "bool": "true or false",
}
_WRONG = re.compile(r"Expected `(?P<kinds>[^`]+)`, got `\w+`(?: - at `\$\.(?P<name>\w+)(?P<within>.*)`)?")
_MISSING = re.compile(r"Object missing required field `(?P<name>[^`]+)`(?: - at `\$\.(?P<name_of>\w+).*`)?")
_FIELD = re.compile(r"`\$\.(?P<name>\w+)")


def field_of(error: Exception) -> str:
    """Return the name of the field that does not fit, "" if it is none of them."""
    found = _FIELD.search(str(error))
    return found["name"] if found else ""


def expected_by(error: Exception, values: Mapping[str, Any], kind: type, of: str) -> tuple[str, str]:
    """Return what was expected of the fields `values` of `of`, and what was found there, "" if it is told."""
    if isinstance(error, RecursionError):
        return f"values less deep within each other in {of}", ""
    if found := _WRONG.fullmatch(str(error)):
        kinds = " or ".join(_KINDS.get(one, one) for one in found["kinds"].split(" | "))
        name = found["name"]
        if name is None:
            return f"{kinds} for {of}", ""
        return f"{kinds} {'within' if found['within'] else 'for'} {name!r} of {of}", written(values.get(name))
    if found := _MISSING.fullmatch(str(error)):
        within = f"{found['name_of']!r} of " if found["name_of"] else ""
        return f"the field {found['name']!r} of {within}{of}", ""
    return f"what {of} takes: {misfit(error, values)}{meant(error, kind)}", ""


def is_one_square(error: Exception, value: Any) -> bool:
    """Say whether a list of squares is expected, and there is one square by itself."""
    return (
        str(error).startswith("Expected `array`, got `int` - at `$.")
        and str(error).endswith("[0]`")
        and isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int for one in value)
    )
