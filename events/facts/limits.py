"""How much a declaration or a sheet may hold: what no table says, a log need not keep."""

from typing import Annotated

from msgspec import Meta

Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Hit points, feet, bonuses, squares: far beyond any creature, far within 64 bits."""

Name = Annotated[str, Meta(max_length=200)]
"""An id, or what a thing is called."""

Words = Annotated[str, Meta(max_length=10_000)]
"""What somebody says or rules."""
