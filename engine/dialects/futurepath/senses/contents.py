"""The chapter on senses in futurepath: what stands at each point that is not plain.

Concealment is said by its degree ("one-quarter concealment" to "total concealment"); "invisible" and
"blinded" count as total, fog on the map as a degree of its own. What nobody sees is attacked by its
square (`at`).
"""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.senses import concealment
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES

SENSES: Senses = replace(PLAIN_SENSES, locates=concealment.locates)
