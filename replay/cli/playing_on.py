"""What commands share that play a fight on: processes, a bar of how far it is, declarations in words."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from affray.events.facts.declared import Declared
from affray.projections.state import Encounter
from affray.replay.cli.printing import wipe
from affray.replay.narrate import Narrator

F = TypeVar("F", bound=Callable[..., Any])


def shared_work(command: F) -> F:
    """Let a command be told how many workers share its work, and where they are."""
    jobs = click.option(
        "--jobs", type=click.IntRange(min=1), help="Workers; as many as there are cores.", callback=_or_cores
    )
    on = click.option(
        "--on", default="", metavar="ray[://HOST:PORT]", help="Work on Ray, of this machine or a cluster."
    )
    return jobs(on(command))


def _or_cores(_: click.Context, __: click.Parameter, jobs: int | None) -> int:
    return jobs or cores()


def in_words(state: Encounter, declared: Declared) -> str:
    """Return a declaration as a story tells it."""
    return Narrator(state).brief(declared)


def cores() -> int:
    """Return how many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def watched(label: str = "playing on") -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far it is, until it is done; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    try:
        with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

            def progress(done: int, of: int) -> None:
                bar.length = of
                bar.update(done - bar.pos)

            yield progress
    finally:
        wipe()


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Yield what says whether to go on: no longer after an interrupt, which then stops nothing else."""
    asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        if asked:  # a second one means it
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: not asked
    finally:
        signal.signal(signal.SIGINT, before)
