"""Looks up what takes many events, in a process of its own: python -m affray.replay.serve.look_beside

It reads where the log is and then what is wanted, a line of JSON each; it answers with a line that says how
many bytes follow, or what is wrong. It ends with its input, so none outlives a server that was killed.
"""

import os
import signal
import sys
from typing import Final

import msgspec

from affray.events.errors import AffrayError
from affray.events.stores.store import Store
from affray.replay.log_files import open_log, parse_log_location
from affray.replay.serve.http import Problem
from affray.replay.serve.long_looks import Answer, LookupRequest
from affray.replay.serve.read_model import Looking
from affray.replay.serve.server_context import UNAVAILABLE
from affray.replay.serve.visibility import Counting

NICE: Final = 3
"""How far it gives way to what answers everybody: with more a busy machine would let it stand."""


def answered(store: Store, counting: Counting, asked: LookupRequest) -> tuple[Answer, bytes]:
    """Return what is found, or what is wrong."""
    try:
        told = asked.wanted.found(Looking(asked.audience, counting), store)
    except Problem as problem:
        return Answer(0, problem.code, problem.message, problem.position), b""
    except UNAVAILABLE as error:
        return Answer(0, message=str(error) or type(error).__name__), b""
    except AffrayError as error:
        return Answer(0, "bad_request", str(error)), b""
    except Exception as error:  # a log that was spoilt while it is served
        return Answer(0, message=f"{type(error).__name__}: {error}"), b""
    return Answer(len(told)), told


def main() -> None:
    """Answer what is asked on standard input until that ends."""
    # Ctrl-C goes to all processes of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    log = parse_log_location(msgspec.json.decode(lines.readline(), type=str))
    counting, store = Counting(), None
    for line in lines:
        asked = msgspec.json.decode(line, type=LookupRequest)
        try:
            store = store or open_log(log, readonly=True)
        except AffrayError as error:
            answer, told = Answer(0, message=str(error)), b""
        else:
            answer, told = answered(store, counting, asked)
        out.write(msgspec.json.encode(answer) + b"\n" + told)
        out.flush()
    if store is not None:
        store.close()


if __name__ == "__main__":
    main()
