"""A whole log carried from one store to another: the same events, the same digests, the same secrets."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from affray.events.chain import digest_after
from affray.events.envelope import Event
from affray.events.errors import BrokenLog, SecretsMissing
from affray.events.salts import SALT_KEY
from affray.events.secrets import SEED
from affray.events.store import Store

SECRETS = (SALT_KEY, SEED)
"""What is kept beside a log and goes with it, so that the copy can be played on."""


class Copied(Struct, frozen=True):
    """What was copied: `secrets` are the names of those that came along, `heads` the digest of each head."""

    events: int
    branches: int
    secrets: tuple[str, ...]
    heads: dict[str, str]


def copy_log(source: Store, target: Store, passed: Callable[[int], object] = lambda seq: None) -> Copied:
    """Write the whole of a log into an empty one, all or nothing, and compare every line's head afterwards.

    Every digest is checked on the way: order of commit, branches and secrets are those of the source. Request
    ids, notes and kept states stay behind, as with an export. `passed` is told the number of events gone by.
    Raises BrokenLog where a digest does not match, InvalidBranch if the target holds anything. O(events).
    """
    branches = source.branches()
    secrets = {name: value for name in SECRETS if (value := _secret(source, name)) is not None}
    for name, value in secrets.items():
        target.keep_secret(name, value)
    count = target.restore(branches, _checked(source, passed))
    heads = {}
    for branch in branches:
        head = source.head(branch.name)
        if target.head(branch.name) != head:
            raise BrokenLog(
                branch.name, head.seq, "the copy ends elsewhere: somebody wrote meanwhile; copy again"
            )
        heads[branch.name] = head.digest.hex()
    return Copied(count, len(branches), tuple(secrets), heads)


def _secret(store: Store, name: str) -> bytes | None:
    """Return a secret, None where the log has come without those that it had: it can still be read."""
    try:
        return store.secret(name)
    except SecretsMissing:
        return None


def _checked(source: Store, passed: Callable[[int], object]) -> Iterator[Event]:
    """Yield the events in the order of commit, each compared with its digest and the one before it."""
    last: dict[str, bytes] = {}
    for count, event in enumerate(source.read_all(), 1):
        before = last.get(event.stream)
        if before is None:
            before = next(one.digest for one in source.lineage(event.stream))
        if digest_after(before, event) != event.digest:
            raise BrokenLog(
                event.stream, event.seq, "its digest does not match its bytes and the event before it"
            )
        last[event.stream] = event.digest
        passed(count)
        yield event
