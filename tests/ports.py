"""Ports for servers that are told theirs, or that are killed and started again at the same one."""

import random
import socket
from contextlib import ExitStack

HERE = "127.0.0.1"
LOWEST, HIGHEST = 20_000, 30_000
"""Below the ports of outgoing connections, which would take a server's port while it is down."""


def free_port(count: int = 1) -> int:
    """Return a port that nobody listens on now, the first of so many that follow one another."""
    # From no seed: workers that draw the same numbers would pick the same ports.
    dice = random.SystemRandom()
    for _ in range(100):
        first = dice.randrange(LOWEST, HIGHEST - count)
        with ExitStack() as held:
            try:
                for port in range(first, first + count):
                    held.enter_context(socket.create_server((HERE, port)))
            except OSError:
                continue
            return first
    raise AssertionError(f"no {count} free ports between {LOWEST} and {HIGHEST}")
