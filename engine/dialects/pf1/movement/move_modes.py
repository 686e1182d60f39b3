"""The ways of a move action that pf1 knows by name."""

from collections.abc import Callable, Mapping
from typing import Final

from affray.engine.dialects.pf1.movement import balance, fly, tumble
from affray.engine.dialects.pf1.position import tight_spaces
from affray.engine.fight.fight import Fight
from affray.engine.record.other_fields import Under
from affray.engine.rules.movement import on_foot
from affray.engine.rules.position import squeezing
from affray.engine.steps import Steps
from affray.events.facts import acts

WAYS: Final[Mapping[str, Callable[[Fight, acts.Move], Steps[None]]]] = {
    "crawl": on_foot.crawl,
    "balance": balance.balance,
    "double": on_foot.double_move,
    on_foot.MINIMUM: on_foot.least_movement,
    "fly": fly.fly,
    "tumble": tumble.tumble,
    "wriggle": tight_spaces.wriggle,
}
"""Those besides the plain one."""
#: A move along a way whose width is said.
NARROW: Final = f"wide and how == {squeezing.SQUEEZE!r}"
#: What `how` may say of a move.
HOW: Final = ("normal", squeezing.SQUEEZE, *WAYS)
#: The ways of moving under which other fields count.
READ_BY: Final[Under] = {
    "dc": {"how": ("wriggle", "balance")},
    "up": {"how": ("fly",)},
    "fast": {"how": ("tumble",)},
    "surface": {"how": ("balance",)},
    "wide": {"how": (squeezing.SQUEEZE, "wriggle")},
}
