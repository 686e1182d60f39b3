"""What became of the declarations that were decided again, as what-ifs and rulings tell it."""

from collections import Counter
from pathlib import Path

from affray.events.store import Store
from affray.events.wording import counted, shell_command
from affray.replay.cli.base import put_prose
from affray.replay.cli.printing import print_json
from affray.replay.difference import Difference, diff
from affray.replay.narrate.cast import Cast
from affray.replay.playhead import state_at
from affray.replay.sentence_of_difference import cast_of
from affray.replay.whatif import WhatIf


def named_by(store: Store, done: WhatIf) -> Cast:
    """Return what to call those who are in the fight at the end of a what-if's branch."""
    state = state_at(store, done.name, done.head)
    return cast_of((state, state))


def told_line(store: Store, done: WhatIf, db: Path, json: bool) -> None:
    """Print what has changed on the branch that a what-if made."""
    found = diff(store, done.parent, done.name)
    if json:
        print_json({"whatif": done, "difference": found})
        return
    again = counted(done.redecided, "declaration")
    put_prose(f"{done.name} leaves {done.parent} after event {done.at}; {again} again")
    put_prose(found.sentence)
    if found.counted != found.sentence:
        put_prose(found.counted)
    became(done, found, named_by(store, done), db)
    put_prose(f"See more with: {shell_command('diff', db, done.parent, done.name)}")


def became(done: WhatIf, found: Difference, cast: Cast, db: Path) -> None:
    """Print which changes have no effect, what has become impossible or possible, and who answered what."""
    for why in found.idle:
        if why not in found.sentence:
            put_prose(f"  without effect: {why}")
    for id, (reason, rule) in done.invalidated.items():
        put_prose(f"  impossible now: {id}: {_cited(reason, rule)}")
    for id in done.possible:
        put_prose(f"  possible again: {id}")
    for id, (reason, rule) in done.allowed.items():
        put_prose(f"  stays refused, though it would be allowed now: {id}: {_cited(reason, rule)}")
        put_prose(f"  (play it with: --revive {id})")
    for id in done.revived:
        put_prose(f"  revived: {id}")
    for id, (reason, rule) in done.refused.items():
        put_prose(f"  the rules refuse it: {id}: {_cited(reason, rule)}")
    for key, answer in done.asked.items():
        put_prose(f"  answered by policy: {key}: {answer}")
    for who, turns in Counter(done.ended.values()).items():
        put_prose(
            f"  {passed(cast.name(who), turns) if who else 'where nobody has a turn, the next one comes'}"
        )
    if done.waiting:
        rest = f"; not reached: {', '.join(done.left)}" if done.left else ""
        put_prose(f"  {done.name} waits: {done.waiting}{rest}")
        put_prose(f"  (answer with: {shell_command('choose', db, 'ANSWER', '--branch', done.name)})")


def passed(name: str, turns: int) -> str:
    """Return that somebody has turns on this line alone, in which nobody has said what it does."""
    if turns == 1:
        return f"{name} has a turn here that nobody played: it passes"
    return f"{name} has {counted(turns, 'turn')} here that nobody played: they pass"


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason
