"""Where two lines of play part."""

from affray.events.store import Store


def parting(store: Store, a: str, b: str) -> int:
    """Return the last event that two branches have in common. O(their depth)."""
    shares = [_shares(store, name) for name in (a, b)]
    return max(
        (min(upto, shares[1][name]) for name, upto in shares[0].items() if name in shares[1]), default=0
    )


def _shares(store: Store, name: str) -> dict[str, int]:
    """Return how far a branch's line goes along each stream that it is made of."""
    upto = store.head(name).seq
    found = {}
    for branch in store.lineage(name):
        found[branch.name] = upto
        upto = min(upto, branch.at)
    return found
