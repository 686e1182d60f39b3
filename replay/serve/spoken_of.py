"""Whether a log speaks of a combatant: then players see another past when it is hidden, or shown."""

from affray.events.store import Store
from affray.replay.mentions import NAMES_HIDDEN
from affray.replay.sieve import CONFIRMING, Sieve


def speaks_of(store: Store, combatant: str) -> bool:
    """Say whether an event of any line names a combatant, by id or by what its sheet says. O(events)."""
    sieve = Sieve(hide=[combatant], echoing=True)
    for event in store.read_all():
        sieve.learn(event)
    return any(
        event.type not in CONFIRMING and sieve.why(event) == NAMES_HIDDEN for event in store.read_all()
    )
