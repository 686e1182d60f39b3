"""The chapter on maneuvers in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.maneuvers import feint
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=PLAIN_MANEUVERS.rolls | rolls("1d20: feint"),
    acts={**PLAIN_MANEUVERS.acts, acts.Feint: Honours(feint.feint, "target")},
)
