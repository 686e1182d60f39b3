"""What became of the declarations that were decided again, as what-ifs and rulings tell it."""

from pathlib import Path

import click

from affray.replay.difference import Difference
from affray.replay.whatif import WhatIf


def became(done: WhatIf, found: Difference, db: Path) -> None:
    """Print which changes have no effect, what has become impossible or possible, and who answered what."""
    for why in found.idle:
        if why not in found.sentence:
            click.echo(f"  without effect: {why}")
    for id, (reason, rule) in done.invalidated.items():
        click.echo(f"  impossible now: {id}: {_cited(reason, rule)}")
    for id in done.possible:
        click.echo(f"  possible again: {id}")
    for id, (reason, rule) in done.allowed.items():
        click.echo(f"  stays refused, though it would be allowed now: {id}: {_cited(reason, rule)}")
        click.echo(f"  (play it with: --revive {id})")
    for id in done.revived:
        click.echo(f"  revived: {id}")
    for id, (reason, rule) in done.refused.items():
        click.echo(f"  the rules refuse it: {id}: {_cited(reason, rule)}")
    for key, answer in done.asked.items():
        click.echo(f"  answered by policy: {key}: {answer}")
    for id, who in done.ended.items():
        whose = f"the turn of {who} is ended" if who else "a turn that nobody had is passed"
        click.echo(f"  {whose} by policy: {id}")
    if done.waiting:
        rest = f"; not reached: {', '.join(done.left)}" if done.left else ""
        click.echo(f"  {done.name} waits: {done.waiting}{rest}")
        click.echo(f"  (answer with: affray choose {db} ANSWER --branch {done.name})")


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason
