"""The chapter on senses in pf1: what stands at each point that is not plain.

The game master says of a combatant that it is "in dim light" or "in darkness", wherever it stands; without
either it is in clear light. "darkvision 60" is a trait; what low-light vision sees by farther lights is in
what the game master says. `hide` uses Stealth, `seek` Perception, whatever the sense.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.senses import attack_square, seek, stealth
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES
from affray.events.facts import acts

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d20: perception, stealth"),
    acts={
        acts.Hide: Honours(stealth.hide_by_stealth, "path", how=("", stealth.SNIPE)),
        acts.Seek: Honours(seek.look_for, "target through reactive", sense=("spot",)),
    },
    locates=attack_square.is_located,
)
