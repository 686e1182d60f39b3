"""What folds each kind of fact, and how that is registered."""

from collections.abc import Callable
from typing import Any, TypeVar

from affray.projections.state import Encounter
from affray.projections.touches import TOUCHES, Touches

Handler = Callable[[Encounter, Any], None]


HANDLERS: dict[type, Handler] = {}
"""What each kind of fact that changes the state does to it."""

H = TypeVar("H", bound=Handler)


def folds(*kinds: type, touches: Touches) -> Callable[[H], H]:
    """Register what folds facts of these kinds, and what they change."""

    def registered(handler: H) -> H:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        TOUCHES.update(dict.fromkeys(kinds, touches))
        return handler

    return registered
