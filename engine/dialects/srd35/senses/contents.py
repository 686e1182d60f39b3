"""The chapter on senses in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.senses import concealment, hide, seek
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES
from affray.events.facts import acts

SENSES: Senses = replace(
    PLAIN_SENSES,
    acts={acts.Hide: hide.hide, acts.Seek: seek.seek},
    sees_foe=concealment.sees_foe,
)
