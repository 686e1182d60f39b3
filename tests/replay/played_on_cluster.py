"""Work on a Ray that others began, a head on loopback with its client server: prints what came, as JSON."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import shares_of_work

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.scenario import packaged, set_up
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.chance.odds import odds
from affray.replay.workers import PYTHON, fan_out
from tests.ports import free_port

HERE = "127.0.0.1"
SECONDS = 120


@contextmanager
def head(folder: str) -> Iterator[str]:
    """Have a cluster of one machine with two workers while the block runs; yields its address."""
    port = free_port(2)
    clients = port + 1
    # The client is told the token as any user would tell it: by Ray's own settings.
    os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    beside = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
              "PYTHONPATH": str(Path(__file__).parent)}  # fmt: skip
    words = ["start", "--head", "--block", f"--port={port}", f"--ray-client-server-port={clients}",
             f"--node-ip-address={HERE}", "--num-cpus=2", "--include-dashboard=false",
             f"--temp-dir={folder}", "--disable-usage-stats"]  # fmt: skip
    with Path(folder, "head.log").open("wb") as log:
        begun = subprocess.Popen(
            [*PYTHON, "-m", "ray.scripts.scripts", *words],
            env={**os.environ, **beside}, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            wait_for(clients, begun)
            yield f"ray://{HERE}:{clients}"
        finally:
            begun.send_signal(signal.SIGTERM)
            begun.wait(60)


def wait_for(port: int, begun: "subprocess.Popen[bytes]") -> None:
    """Return when somebody listens on a port."""
    for _ in range(SECONDS * 10):
        with socket.socket() as tried:
            if not tried.connect_ex((HERE, port)):
                return
        if begun.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("no Ray began")


def ours(folder: str) -> list[str]:
    """Return the processes that know the folder of the cluster."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if folder.encode() in words and int(pid) != os.getpid():
            found.append(words.replace(b"\0", b" ").decode(errors="replace")[:200])
    return found


def main(folder: str) -> None:
    found: dict[str, object] = {}
    fight = MemoryStore()
    set_up(packaged("demo_srd35"), fight, seed=b"odds").declare(acts.Begin())
    alone = odds(fight, "end", runs=400, seed="x")
    marks = Path(folder, "marks")
    marks.mkdir()
    with head(folder) as address:
        found["the same odds"] = odds(fight, "end", runs=400, seed="x", on=address) == alone
        parts = [(number, str(marks)) for number in range(60)]
        found["killed"] = list(fan_out(shares_of_work.killed_once, parts, on=address))
        found["kills"] = len(list(marks.iterdir()))
        try:
            found["never"] = list(fan_out(shares_of_work.never, range(60), on=address))
        except AffrayError as error:
            found["never"] = str(error)
        began = time.perf_counter()
        found["again"] = odds(fight, "end", runs=400, seed="x", on=address) == alone
        found["seconds"] = round(time.perf_counter() - began, 1)
    for _ in range(100):
        if not ours(folder):
            break
        time.sleep(0.1)
    found["left"] = ours(folder)
    try:
        odds(fight, "end", runs=400, seed="x", on=address)
    except AffrayError as error:
        found["gone"] = str(error)
    print(json.dumps(found))


main(sys.argv[1])
