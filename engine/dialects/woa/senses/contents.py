"""The chapter on senses in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.senses import hide
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES
from affray.events.facts import acts

SENSES: Senses = replace(
    PLAIN_SENSES,
    acts={acts.Hide: keeping(hide.hide), acts.Seek: keeping(hide.seek)},
)
