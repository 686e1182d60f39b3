"""The dialects that are relatives of 3.5: what a test says about chapters holds for these."""

from typing import Final

from affray.engine.book import shipped
from affray.engine.dialects import load

RELATIVES: Final = tuple(name for name in shipped() if load(name).contents != ("kernel",))
