"""The bytes of a text of the notation: what it begins with, and that it is a text."""

from affray.engine.notation.statements import MAGIC, VERSION
from affray.engine.notation.tokens import NotationError

LARGEST = 100_000_000
SUFFIX = ".affray"
"""What the name of a file ends with that is such a text, whatever it begins with."""


def is_notation(beginning: bytes) -> bool:
    """Say whether a file that begins so is a text of the notation."""
    return beginning.removeprefix(b"\xef\xbb\xbf").startswith(MAGIC.encode())


def checked_text(data: bytes) -> str:
    """Return the text behind the first line, which names the format. Raises NotationError."""
    if len(data) > LARGEST:
        raise NotationError(1, 1, "a text of at most a hundred megabytes", str(len(data)))
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        raise NotationError(line, column, "UTF-8", f"the byte {data[error.start]:#04x}") from None
    first, _, rest = text.partition("\n")
    words = first.split()
    if words[:2] != MAGIC.split():
        raise NotationError(1, 1, f"'{MAGIC} {VERSION}'", first)
    if words[2:] != [str(VERSION)]:
        raise NotationError(
            1, len(MAGIC) + 2, f"version {VERSION}, which this release reads", " ".join(words[2:])
        )
    return rest
