"""The plain values of the chapter on grapple: complete, for a dialect to start from."""

from affray.engine.record.grapple import Grapple
from affray.engine.rules.gear.item_hardness import no_bonds

PLAIN_GRAPPLE = Grapple(
    acts={},
    bonds=no_bonds,
)
