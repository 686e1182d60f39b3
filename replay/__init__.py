"""What if, and was it right: seeking, verifying, branching, comparing, explaining.

Each name is imported when it is first used, so that the command line starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.replay.branch import branches, fork, promote
    from affray.replay.difference import Difference, diff
    from affray.replay.explanation import Why, why
    from affray.replay.playhead import Playhead, state_at
    from affray.replay.ruling import Ruling
    from affray.replay.verification import verify
    from affray.replay.whatif import WhatIf, what_if

_HOME = {
    "Difference": "difference",
    "Playhead": "playhead",
    "Ruling": "ruling",
    "WhatIf": "whatif",
    "Why": "explanation",
    "branches": "branch",
    "diff": "difference",
    "fork": "branch",
    "promote": "branch",
    "state_at": "playhead",
    "verify": "verification",
    "what_if": "whatif",
    "why": "explanation",
}


def __getattr__(name: str) -> Any:
    """Import a name of the face from its home."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


__all__ = [
    "Difference",
    "Playhead",
    "Ruling",
    "WhatIf",
    "Why",
    "branches",
    "diff",
    "fork",
    "promote",
    "state_at",
    "verify",
    "what_if",
    "why",
]
