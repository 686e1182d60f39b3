"""Workers: the same work for many parts, shared among processes of this machine or of Ray."""

import os
import pickle
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import Any, Final, Generic, TypeVar

from affray.engine.book.packages import folders_in_use, packages_named
from affray.engine.version import VERSION
from affray.events import logging
from affray.events.errors import AffrayError

# --- Python processes that Affray starts: none of them imports from the current folder
#
# Python puts the current folder first on the path of `python -m` and `python -c`, which would run a file
# `msgspec.py` next to a log. `-P` prevents that; PYTHONSAFEPATH does so for processes that others start for
# us.

PYTHON: Final = (sys.executable, "-P")
"""The command of this Python, to be followed by `-m` or `-c`."""

SAFE_PATH: Final = {"PYTHONSAFEPATH": "1"}
"""The setting with which a Python started by others keeps the current folder off its path."""


@contextmanager
def environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Set these variables in the environment of this process while the block runs."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


# --- The fan-out: the same work for many parts, shared among workers, with results in order

Part = TypeVar("Part")
Result = TypeVar("Result")
Value = TypeVar("Value")

RAY = "ray"
"""Where work goes instead of processes of this machine: `ray`, or `ray://HOST:PORT` for a cluster."""
SMALL = 40
"""Fewer parts are not worth a local Ray, which takes some four seconds to start and stop."""

LATEST = 8
"""Most shared values that a worker keeps."""


class Shared(Generic[Value]):
    """A value shared by many parts: packed once, unpacked once by each worker, which must not change it.

    A worker's caches for a value stay valid for the next part.
    """

    def __init__(self, value: Value) -> None:
        self.value = value

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps(self.value)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as bytes, which the receiver may have seen before."""
        return _received, (self._packed,)


@lru_cache(LATEST)
def _received(packed: bytes) -> Shared[object]:
    return Shared(pickle.loads(packed))


def fan_out(
    work: Callable[[Part], Result], parts: Sequence[Part], *, jobs: int = 1, on: str = ""
) -> Iterator[Result]:
    """Yield the result of `work` for each part, in the order of the parts, whichever worker computes it.

    `work` is a function of a module, and depends only on its part: the results are then the same however many
    workers (`jobs`) share the work, whichever of them fails, and wherever they are: processes of this
    machine, or Ray with `on` (see `RAY`; a cluster has its own number of workers). One job, or one part, is
    computed here; work too small for a local Ray goes to processes, with a message.

    Raises AffrayError for fewer than one job and for an invalid place, and whatever `work` raises.
    """
    if jobs < 1:
        raise AffrayError("this needs at least one job")
    if on and _is_worth(on, len(parts)):
        yield from _on_ray(work, parts, jobs, on)
    elif jobs == 1 or len(parts) < 2:
        yield from map(work, parts)
    else:
        with (
            environment(SAFE_PATH),
            ProcessPoolExecutor(jobs, initializer=_begin, initargs=(folders_in_use(),)) as pool,
        ):
            yield from pool.map(work, parts)


def _is_worth(on: str, parts: int) -> bool:
    scheme, _, host = on.partition("://")
    if scheme != RAY or (not host and on != RAY):
        raise AffrayError(f"work can go to processes, to {RAY} or to {RAY}://HOST:PORT, not to {on!r}")
    if host or parts >= SMALL:
        return True
    logging.warning("work.small", parts=parts, needed=SMALL)
    return False


def _on_ray(work: Callable[[Part], Result], parts: Sequence[Part], jobs: int, on: str) -> Iterator[Result]:
    if find_spec("ray") is None:
        raise AffrayError("work on Ray needs the extra ray: pip install 'affray[ray]'")

    with own(jobs) if on == RAY else cluster(on) as workers:
        yield from shared(work, parts, workers)


def _begin(folders: tuple[str, ...]) -> None:
    """Use the packages in folders that the process uses that shares out the work, and leave interrupts to
    it.
    """
    for folder in folders:
        packages_named(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- Work on Ray (extra `ray`), of this machine or a cluster: the share of a dead worker is done again
#
# A local Ray only listens on loopback, needs a secret token, shows no dashboard, reports no usage, and is
# removed afterwards with all its files.

AHEAD = 4
"""Parts handed out per worker before the first is back: no worker is idle, and memory stays flat."""
AGAIN = 3
"""Retries of a part whose worker died; after that the part itself is the likely cause."""
LONGEST = 30
"""Most characters of the folder for temporary files; for a longer one /tmp is used."""

_OWN = {
    **SAFE_PATH,
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    # Despite its name this lets Ray keep to loopback on every system.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
}
_TOKEN: Final = secrets.token_hex(32)
_used: Final = set[str]()


@contextmanager
def own(jobs: int) -> Iterator[int]:
    """Hold a Ray with `jobs` workers on this machine, or the one that this process is connected to already.

    Yields the number of workers. Afterwards a Ray that was started here has ended.
    """
    imported = "ray" in sys.modules
    with environment(_OWN | {"RAY_AUTH_TOKEN": _TOKEN}):
        import ray

    if ray.is_initialized():
        yield _workers()
        return
    if imported and _TOKEN not in _used:
        raise AffrayError(
            "this process has already imported ray: start one with ray.init(), which is then used"
        )
    _used.add(_TOKEN)
    files = _folder()
    leaving = signal.getsignal(signal.SIGTERM)
    try:
        with environment(_OWN | {"RAY_AUTH_TOKEN": _TOKEN}):
            ray.init(
                num_cpus=jobs,
                job_config=_job(),
                include_dashboard=False,
                log_to_driver=False,
                logging_level="critical",
                _node_ip_address="127.0.0.1",
                _temp_dir=files,
            )
            with _standard_output_left_alone():
                try:
                    _refuse_current_folder()
                    yield jobs
                finally:
                    ray.shutdown()
    finally:
        # Ray has replaced the handler.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, leaving)
        shutil.rmtree(files, ignore_errors=True)


@contextmanager
def cluster(address: str) -> Iterator[int]:
    """Hold a connection to a cluster, `ray://HOST:PORT`, on which this version of Affray is installed.

    Yields the number of its workers. Raises AffrayError if it does not answer, or has another Affray.
    """
    with environment({"RAY_USAGE_STATS_ENABLED": "0"}):
        import ray

    if ray.is_initialized():
        raise AffrayError(f"this process is connected to a Ray already, not to {address}")
    try:
        with environment({"RAY_USAGE_STATS_ENABLED": "0"}), warnings.catch_warnings(action="ignore"):
            ray.init(address, log_to_driver=False, logging_level="critical")
    except (ConnectionError, ray.exceptions.RayError, RuntimeError, ValueError) as error:
        token = "" if "RAY_AUTH_TOKEN" in os.environ else " (if it needs a token, set RAY_AUTH_TOKEN)"
        raise AffrayError(f"no Ray answers at {address}: {_in_a_line(error)}{token}") from error
    with _standard_output_left_alone(), environment({"RAY_IGNORE_UNHANDLED_ERRORS": "1"}):
        try:
            _same_version(address)
            yield _workers()
        finally:
            ray.shutdown()


def shared(work: Callable[[Part], Result], parts: Sequence[Part], workers: int) -> Iterator[Result]:
    """Yield the result of `work` for each part, in the order of the parts.

    Raises what `work` raises, and AffrayError if the workers of one part die repeatedly.
    """
    import ray

    task = ray.remote(work).options(max_retries=AGAIN)
    handed: dict[object, int] = {}
    back: dict[int, object] = {}
    coming = iter(enumerate(parts))
    for wanted in range(len(parts)):
        while wanted not in back:
            for index, part in coming:
                handed[task.remote(part)] = index
                if len(handed) >= AHEAD * workers:
                    break
            for ready in ray.wait(list(handed))[0]:
                back[handed.pop(ready)] = ready
        yield _got(back.pop(wanted))


def _got(ready: object) -> Any:
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(ready)
    except RayTaskError as error:
        raise error.cause from None
    except RayError as error:
        raise AffrayError(f"a part of the work was lost repeatedly: {_in_a_line(error)}") from error


def _job() -> object:
    """Return settings of a job whose workers import from the same places as this process, not from its
    folder.

    Ray puts the current folder first on their path, unless the job has its own folder.
    """
    from ray.job_config import JobConfig

    class Job(JobConfig):  # type: ignore[misc]
        def _runtime_env_has_working_dir(self) -> bool:
            return True

    script = os.path.dirname(os.path.realpath(sys.argv[0]))
    return Job(_py_driver_sys_path=[one for one in sys.path if one == script])


def _refuse_current_folder() -> None:
    """Raise AffrayError if workers would import from the current folder although this process does not."""
    from ray._private.worker import global_worker

    paths = global_worker.core_worker.get_job_config().py_driver_sys_path
    if os.getcwd() in paths and os.getcwd() not in sys.path:
        raise AffrayError(
            "this version of Ray makes its workers import from the current folder: use another version"
        )


def _folder() -> str:
    """Make a folder for Ray's files; the names of its sockets are long, and systems allow 107 bytes."""
    usual = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="affray-", dir=usual if len(usual) <= LONGEST else "/tmp")


def _workers() -> int:
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _same_version(address: str) -> None:
    import ray

    try:
        there = ray.get(ray.remote(_version).remote())
    except (ray.exceptions.RayError, ImportError) as error:
        raise AffrayError(f"Affray {VERSION} must be installed on the workers of {address}") from error
    if there != VERSION:
        raise AffrayError(f"the workers of {address} have Affray {there}, this is {VERSION}")


def _version() -> str:
    from affray.engine import version

    return version.VERSION


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _standard_output_left_alone() -> Iterator[None]:
    """Keep Ray from printing messages about dead workers among the results, without a public switch."""
    from ray._private import worker

    worker._worker_logs_enabled = False
    try:
        yield
    finally:
        worker._worker_logs_enabled = True
