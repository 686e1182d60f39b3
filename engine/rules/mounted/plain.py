"""The plain values of the chapter on mounted: complete, for a dialect to start from."""

from affray.engine.record.mounted import Mounted
from affray.engine.record.silent import never, no, nothing

PLAIN_MOUNTED = Mounted(acts={}, averted=never, frightened=no, left_squares=nothing)
