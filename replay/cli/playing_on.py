"""What commands share that play a fight on: processes, a bar of how far it is, declarations in words."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from affray.events.facts.declared import Declared
from affray.projections.state import Encounter
from affray.replay.narrate import Narrator


def in_words(state: Encounter, declared: Declared) -> str:
    """Return a declaration as a story tells it."""
    return Narrator(state).brief(declared)


def cores() -> int:
    """Return how many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def watched(label: str = "playing on") -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far it is; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def progress(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        yield progress
