"""A PostgreSQL server for tests: made in a temporary folder, on a socket in it, and gone with the session."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

NOBODY = "postgres"
"""The user of the system under which a server runs where tests run as root, which PostgreSQL refuses."""

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings for tests that cut no power."""

_SMALL = ("listen_addresses=", "max_connections=60", "shared_buffers=32MB", "autovacuum=off", "jit=off")


def programs() -> Path | None:
    """Return the folder with the programs of a server, None where there is none."""
    found = shutil.which("initdb")
    some = [Path(found).resolve().parent] if found else []
    some += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in some if (one / "initdb").exists() and (one / "postgres").exists()), None)


def lacking() -> str:
    """Return what is missing for a server, "" where one can be started."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    if programs() is None:
        return "no initdb of PostgreSQL is installed"
    return ""


class Server:
    """A server in a folder of its own; `start` and `kill` as often as needed."""

    def __init__(self, folder: Path, settings: Sequence[str] = QUICK, *, like: Path | None = None) -> None:
        """Make the database cluster, or take over a copy of the data of another one, which has ended."""
        self.folder, self.data = folder, folder / "data"
        self.settings = [word for one in (*_SMALL, f"unix_socket_directories={folder}", *settings)
                         for word in ("-c", one)]  # fmt: skip
        self._running: subprocess.Popen[bytes] | None = None
        bin = programs()
        assert bin is not None
        self._bin = bin
        folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, NOBODY)
        if like is not None:
            subprocess.run(["cp", "-a", str(like), str(self.data)], check=True)
            return
        self._run("initdb", "-D", str(self.data), "-U", "gm", "-A", "trust", "-E", "UTF8", "--locale=C",
                  "--no-sync", "--no-instructions")  # fmt: skip

    def address(self, database: str = "postgres", fight: str = "", user: str = "gm") -> str:
        """Return the address of a database, or of a fight in it."""
        return f"postgresql:///{database}?host={self.folder}&user={user}" + (f"#{fight}" if fight else "")

    def start(self, under: Sequence[str] = ()) -> None:
        """Start it, `under` another program or not, and return when it answers."""
        log = (self.folder / "server.log").open("ab")
        with log:
            self._running = subprocess.Popen(
                [*under, *self._as(), str(self._bin / "postgres"), "-D", str(self.data), *self.settings],
                stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        import psycopg

        for _ in range(1200):
            try:
                psycopg.connect(self.address()).close()
            except psycopg.OperationalError:
                if self._running.poll() is not None:
                    break
                subprocess.run(["sleep", "0.05"], check=True)
            else:
                return
        raise RuntimeError((self.folder / "server.log").read_text())

    def stop(self) -> None:
        """End it at once and in order."""
        if self._running is not None:
            os.kill(self._main(), signal.SIGINT)
            self._running.wait(60)
            self._running = None

    def crash(self) -> None:
        """End it and all its processes without warning, in the middle of whatever they do."""
        assert self._running is not None
        main = self._main()
        for one in [*self._children(main), main]:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self._running.wait(30)
        self._running = None
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _main(self) -> int:
        """Return the process that is the server."""
        assert self._running is not None
        kept = self.data / "postmaster.pid"
        return int(kept.read_text().split()[0]) if kept.exists() else self._running.pid

    def _children(self, main: int) -> list[int]:
        """Return the processes of a server; the server itself waits meanwhile, and starts no other."""
        os.kill(main, signal.SIGSTOP)
        return [int(word) for word in Path(f"/proc/{main}/task/{main}/children").read_text().split()]

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run([*self._as(), str(self._bin / program), *words], capture_output=True, cwd="/")
        assert done.returncode == 0, done.stderr.decode()

    def _as(self) -> list[str]:
        """Return what is put before a command so that it does not run as root."""
        if os.geteuid() != 0:
            return []
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]


@contextmanager
def running(settings: Sequence[str] = QUICK) -> Iterator[Server]:
    """Have a server while the block runs; nothing of it is left."""
    # Not in a folder of pytest: those are for their owner alone, and the path of a socket is short.
    folder = Path(mkdtemp(prefix="affray-pg-"))
    try:
        server = Server(folder, settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":  # a server to try things with
    with running(()) as tried:
        print(tried.address("postgres", "friday"), flush=True)
        sys.stdin.read()
