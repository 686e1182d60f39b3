"""The chapter on magic in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions import poison
from affray.engine.dialects.pf1.damage import healing
from affray.engine.dialects.pf1.magic import casting as pf1_casting
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import first
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.magic import casting, components
from affray.engine.rules.magic.plain import PLAIN_MAGIC
from affray.engine.rules.magic.spell_benefits import benefits
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    rolls=PLAIN_MAGIC.rolls | rolls("healing, spell, temporary"),
    acts={
        acts.Cast: Honours(
            first(pf1_casting.cast_immediate_spell, casting.cast_spell),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        )
    },
    refuse_casting=components.refuse_without_attention,
    bestow=benefits(healing.cure, poison.expose),
    defensive_casting=pf1_casting.defensive_casting,
)
