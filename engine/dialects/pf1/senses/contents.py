"""The chapter on senses in pf1: what stands at each point that is not plain.

The game master says of a combatant that it is "in dim light" or "in darkness", wherever it stands; without
either it is in clear light. "darkvision 60" and "low-light vision" are traits.
"""

from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES

SENSES: Senses = PLAIN_SENSES
