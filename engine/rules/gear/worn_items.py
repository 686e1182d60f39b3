"""What a combatant has on and bears just now: armor and shields, and too much of a load."""

from typing import Final

#: States of an item that is not worn any more.
OFF: Final = ("doffed", "broken", "gone", "dropped")
