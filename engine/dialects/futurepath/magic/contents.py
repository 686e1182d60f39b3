"""The chapter on magic in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.classes import saves
from affray.engine.dialects.futurepath.magic import behind_things, concentration
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import first, refine
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.magic import casting, spell_effects, targets_and_areas
from affray.engine.rules.magic.plain import PLAIN_MAGIC
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    refuse_casting=first(behind_things.refuse_through_things, targets_and_areas.refuse_origin),
    spell_dc=refine(spell_effects.printed_dc, saves.why_there_is_one),
    rolls=PLAIN_MAGIC.rolls | rolls("spell"),
    acts={
        acts.Cast: Honours(
            casting.cast_spell, "spell targets at defensively opening", under={"at": {"targets": UNSAID}}
        ),
        acts.Dismiss: Honours(concentration.cease, "spell"),
    },
)
