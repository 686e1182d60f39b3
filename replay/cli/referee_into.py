"""`affray referee --into`: the attacks of texts declared in a fight, and what became of each."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from affray.events.wording import counted, shell_command
from affray.replay.cli.base import writing
from affray.replay.cli.printing import print_json, put
from affray.replay.referee.formats import read_claims
from affray.replay.referee.taken_in import Taken, take_in


def into_fight(texts: Sequence[tuple[str, str]], format: str, db: Path, branch: str, json: bool) -> int:
    """Declare the attacks of texts (name and content) in a fight, tell each, and return the exit status."""
    found: list[tuple[str, Taken]] = []
    with writing(db) as store:
        for name, text in texts:
            for one in take_in(store, read_claims(text, format), branch):
                found.append((name, one))
                if not json:
                    for row in _told_rows(name, one):
                        put(row)
    if json:
        print_json([{"file": name, "ok": one.ok, "attack": one} for name, one in found])
    else:
        put()
        declared = [one for _, one in found if one.first]
        as_told = sum(one.ok for _, one in found)
        put(f"{counted(len(found), 'attack')}: {len(declared)} declared, {as_told} as told")
        if declared:
            put(f"see: {shell_command('why', db, str(declared[0].first + 1))}")
    return 0 if found and all(one.ok for _, one in found) else 1


def _told_rows(name: str, one: Taken) -> Iterator[str]:
    who = one.attacker or "somebody"
    whom = f"{who} attacks {one.target or 'somebody'}"
    if one.ended:
        ended = f"{counted(len(one.ended), 'turn')} ended: {', '.join(one.ended)}"
        yield f"{name}, line {one.line}: first {ended}"
    if one.first:
        yield f"{name}, line {one.line}: {whom}: {one.result} (events {one.first} to {one.last})"
    else:
        yield f"{name}, line {one.line}: {whom}: not declared, {one.why}"
    for row in one.otherwise:
        yield f"    {row}"
    if one.own:
        yield f"    by the fight's own dice: {', '.join(one.own)}"
