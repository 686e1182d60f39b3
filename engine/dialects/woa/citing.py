"""Steps taken over from shared rules, with the rules of this text that have a part in their facts."""

from typing import Any

from msgspec.structs import replace

from affray.engine.steps import Steps, altered


def reciting(steps: Steps[Any], kind: type, *rules: str) -> Steps[Any]:
    """Return the same steps, whose facts of one kind cite these rules too."""

    def cited(step: Any) -> Any:
        if not isinstance(step, kind):
            return step
        fact: Any = step
        return replace(fact, cites=tuple(dict.fromkeys((*fact.cites, *rules))))

    return altered(steps, cited)
