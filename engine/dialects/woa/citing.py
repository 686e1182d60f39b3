"""Steps taken over from shared rules, with the rules of this text that have a part in their facts."""

from typing import Any

from msgspec.structs import replace

from affray.engine.steps import Steps


def reciting(steps: Steps[Any], kind: type, *rules: str) -> Steps[Any]:
    """Return the same steps, whose facts of one kind cite these rules too."""
    sent: Any = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration as done:
            return done.value
        if isinstance(step, kind):
            cited: Any = step
            step = replace(cited, cites=tuple(dict.fromkeys((*cited.cites, *rules))))
        sent = yield step
