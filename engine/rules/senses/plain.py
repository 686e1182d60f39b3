"""The plain values of the chapter on senses: complete, for a dialect to start from."""

from affray.engine.record.senses import Senses
from affray.engine.record.silent import yes

PLAIN_SENSES = Senses(acts={}, sees_foe=yes, locates=yes)
