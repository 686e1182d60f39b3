"""The real command `affray serve` as a process, and requests to it."""

import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from affray.replay.workers import PYTHON

START_SECONDS = 60


class Refused(Exception):
    """An answer that is none: no connection, or one that broke off."""


class Reply(NamedTuple):
    """An answer: its status and what it says."""

    status: int
    told: Any


class Server:
    """A server of one log at one port, that may be killed and started again; its links stay the same."""

    def __init__(self, log: Path, port: int, *options: str, folder: Path | None = None) -> None:
        """Know how to start it; what it says on standard error is kept in a folder, else beside the log."""
        self.log, self.port, self.options = log, port, options
        self.said = folder / f"{port}.out" if folder is not None else log.with_suffix(".out")
        self.tokens: dict[str, str] = {}
        self.others: list[int] = []
        """Where else the fight is served: nowhere."""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return once it answers."""
        command = [*PYTHON, "-m", "affray.replay.cli", "serve", str(self.log), "--json"]
        command += ["--port", str(self.port), *self.options]
        log = self.said
        with log.open("ab") as errors:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the server did not start: {log.read_text()[-2000:]}"
        for guest in json.loads(line)["guests"]:
            key = ",".join(guest["combatants"]) or guest["role"]
            self.tokens.setdefault(key, guest["link"].partition("#t=")[2])
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                self.ask("GET", "/session")
                return
            except Refused:
                assert time.monotonic() < until, "the server does not answer"
                time.sleep(0.02)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    end = kill

    def stop(self) -> int:
        """Let it end by itself, as Ctrl-C does, and return its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        status = self._process.wait(30)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
        return status

    @property
    def kilobytes(self) -> int:
        """How much memory it has now that is its own (VmRSS)."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])

    @property
    def seconds(self) -> float:
        """How long it has used a processor."""
        assert self._process is not None
        parts = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, method: str, path: str, body: Any = None, who: str = "game master") -> Reply:
        """Ask it once, over a connection of its own. Raises Refused where no answer came."""
        return Asking(self.port, self.tokens[who]).ask(method, path, body)


class Asking:
    """Somebody who asks over one connection as long as it lasts."""

    def __init__(self, port: int, token: str, others: Sequence[int] = ()) -> None:
        """Know whom to ask: who does not answer gives way to one of the `others`, in turn."""
        self.token, self._ports = token, [port, *others]
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def ask(self, method: str, path: str, body: Any = None) -> Reply:
        """Return the answer. Raises Refused where none came."""
        headers = {"authorization": f"Bearer {self.token}"}
        sent = None
        if body is not None:
            headers["content-type"] = "application/json"
            sent = json.dumps(body).encode()
        try:
            self._line.request(method, path, sent, headers)
            answer = self._line.getresponse()
            return Reply(answer.status, json.loads(answer.read()))
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._line.close()
            self._ports.append(self._ports.pop(0))
            self._line = http.client.HTTPConnection("127.0.0.1", self._ports[0], timeout=20)
            raise Refused(str(error)) from None
