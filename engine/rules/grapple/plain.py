"""The plain values of the chapter on grapple: complete, for a dialect to start from."""

from affray.engine.record.grapple import Grapple
from affray.engine.record.silent import none, nothing

PLAIN_GRAPPLE = Grapple(acts={}, bonds=none, parted=nothing)
