"""Look up many events in a separate process: python -m affray.replay.serve.look_beside [FOLDER...]

It reads the location of the log and then requests, a line of JSON each. It answers each with a line that
gives the number of bytes that follow, or the problem. It uses the packages in the folders. It ends with its
input, even if the server was killed.
"""

import os
import signal
import sys
from typing import Final

import msgspec

from affray.engine.book.packages import packages_named
from affray.events.errors import AffrayError
from affray.events.stores.store import Store
from affray.replay.log_files import open_log, parse_log_location
from affray.replay.serve.http import Problem
from affray.replay.serve.long_looks import Answer, LookupRequest
from affray.replay.serve.read_model import Looking
from affray.replay.serve.server_context import UNAVAILABLE
from affray.replay.serve.visibility import Counting

NICE: Final = 3
"""The niceness of the process: at a higher value a busy machine would never run it."""


def answered(store: Store, counting: Counting, asked: LookupRequest) -> tuple[Answer, bytes]:
    """Return the answer, or the problem."""
    try:
        told = asked.wanted.found(Looking(asked.audience, counting), store)
    except Problem as problem:
        return Answer(0, problem.code, problem.message, problem.position), b""
    except UNAVAILABLE as error:
        return Answer(0, message=str(error) or type(error).__name__), b""
    except AffrayError as error:
        return Answer(0, "bad_request", str(error)), b""
    except Exception as error:  # a log damaged while served
        return Answer(0, message=f"{type(error).__name__}: {error}"), b""
    return Answer(len(told)), told


def main() -> None:
    """Answer requests on standard input until it ends."""
    # Ctrl-C reaches all processes of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    for folder in sys.argv[1:]:
        packages_named(folder)
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
