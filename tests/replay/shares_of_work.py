"""Work for the tests of the fan-out: functions of a module, since processes and Ray find them by name."""

import os
import signal
import socket
from pathlib import Path

from affray.events.errors import AffrayError


def square(number: int) -> int:
    return number * number


def killed_once(part: tuple[int, str]) -> int:
    """Return the number of a part; every 25th part kills its worker the first time."""
    number, folder = part
    mark = Path(folder) / str(number)
    if number % 25 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def killed_always(number: int) -> int:
    """Kill the worker that has the seventh part."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def never(number: int) -> int:
    raise AffrayError(f"part {number} cannot be worked out")


def listening(number: int) -> list[str]:
    """Return the addresses at which Ray's processes that descend from the worker's parents listen for TCP."""
    sockets = {link for pid in filter(str.isdigit, os.listdir("/proc")) for link in _sockets_of(pid)}
    found = []
    for table, size in (("tcp", 4), ("tcp6", 16)):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = row.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                raw = bytes.fromhex(fields[1].partition(":")[0])
                address = b"".join(raw[at : at + 4][::-1] for at in range(0, size, 4))
                found.append(socket.inet_ntop(socket.AF_INET if size == 4 else socket.AF_INET6, address))
    return found


def _sockets_of(pid: str) -> list[str]:
    """Return the sockets of a process if it belongs to the same Ray: it has its token in the environment."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if f"RAY_AUTH_TOKEN={os.environ['RAY_AUTH_TOKEN']}".encode() not in environment:
            return []
        return [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []
