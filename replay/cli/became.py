"""What became of the declarations that were decided again, as what-ifs and rulings tell it."""

from pathlib import Path

from affray.replay.cli.printing import put
from affray.replay.difference import Difference
from affray.replay.whatif import WhatIf


def became(done: WhatIf, found: Difference, db: Path) -> None:
    """Print which changes have no effect, what has become impossible or possible, and who answered what."""
    for why in found.idle:
        if why not in found.sentence:
            put(f"  without effect: {why}")
    for id, (reason, rule) in done.invalidated.items():
        put(f"  impossible now: {id}: {_cited(reason, rule)}")
    for id in done.possible:
        put(f"  possible again: {id}")
    for id, (reason, rule) in done.allowed.items():
        put(f"  stays refused, though it would be allowed now: {id}: {_cited(reason, rule)}")
        put(f"  (play it with: --revive {id})")
    for id in done.revived:
        put(f"  revived: {id}")
    for id, (reason, rule) in done.refused.items():
        put(f"  the rules refuse it: {id}: {_cited(reason, rule)}")
    for key, answer in done.asked.items():
        put(f"  answered by policy: {key}: {answer}")
    for id, who in done.ended.items():
        whose = f"the turn of {who} is ended" if who else "a turn that nobody had is passed"
        put(f"  {whose} by policy: {id}")
    if done.waiting:
        rest = f"; not reached: {', '.join(done.left)}" if done.left else ""
        put(f"  {done.name} waits: {done.waiting}{rest}")
        put(f"  (answer with: affray choose {db} ANSWER --branch {done.name})")


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason
