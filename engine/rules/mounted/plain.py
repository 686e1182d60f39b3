"""The plain values of the chapter on mounted: complete, for a dialect to start from."""

from affray.engine.record.mounted import Mounted
from affray.engine.rules.attacks.attack_roll import never_averted

PLAIN_MOUNTED = Mounted(
    acts={},
    averted=never_averted,
)
