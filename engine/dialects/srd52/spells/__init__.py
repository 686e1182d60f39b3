"""The spells: what each one does, a row of the table of features each."""

from typing import Final

from affray.engine.dialects.srd52.features import Feature
from affray.engine.dialects.srd52.magic import CONCENTRATION, break_off, keep_concentration
from affray.engine.dialects.srd52.spells import control, forms, ground, harm, wards

SPELLS: Final[dict[str, Feature]] = {
    f"spell {CONCENTRATION}": Feature(
        topic="magic.concentration-one", after_damage=keep_concentration, turn_end=break_off
    ),
    **harm.SPELLS,
    **control.SPELLS,
    **wards.SPELLS,
    **ground.SPELLS,
    **forms.SPELLS,
}
"""Each spell under "spell" and its name; under "prepared" what those can do who have prepared it."""
