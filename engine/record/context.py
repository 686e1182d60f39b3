"""What the records' signatures speak of besides facts and state."""

from collections.abc import Callable
from typing import Any, TypeAlias

from affray.engine.steps import Steps

Context: TypeAlias = Any
"""The fight as the rules see it, `affray.engine.fight.Fight`, which holds these records."""

Resolver: TypeAlias = Callable[[Context, Any], Steps[None]]
"""What carries out a declaration: refuses it before its first step, or yields rolls, choices and facts."""

Square: TypeAlias = tuple[int, int]
