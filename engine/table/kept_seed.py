"""The seed of a fight's dice, from where it is kept."""

from affray.events.errors import SecretsMissing
from affray.events.secrets import SEED
from affray.events.store import Store


def kept_seed(store: Store, revealed: str, *, needed: bool) -> bytes | None:
    """Return the seed: kept beside the log, or as it was `revealed` (hexadecimal digits, "" if not yet).

    None if there is none. Raises SecretsMissing if it is needed, and kept where it cannot be read.
    """
    try:
        kept = store.secret(SEED)
    except SecretsMissing:
        if needed and not revealed:
            raise
        kept = None
    try:
        return kept or bytes.fromhex(revealed) or None
    except ValueError:
        return None  # no seed of ours: verify says so
