"""The chapter on magic in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.magic import casting, concentration
from affray.engine.record.acts import Honours
from affray.engine.record.magic import Magic
from affray.engine.rules.magic.plain import PLAIN_MAGIC
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    acts={
        acts.Cast: Honours(casting.cast, "spell", "targets", "at", "defensively", "opening"),
    },
    defensive_casting=concentration.defensive_casting,
)
