"""The campaign on logic: change rule code in one small way at a time and see whether a scenario notices.

    python tests/campaigns/logic.py [--place PREFIX] [--sample N] [--seed N] [--processes N] [--json]

    python tests/campaigns/logic.py                                    # everything: hours
    python tests/campaigns/logic.py --place dialects/srd35/attacks     # the functions of one chapter
    python tests/campaigns/logic.py --place srd35/attacks              # the lists of stages of one chapter
    python tests/campaigns/logic.py --sample 140 --seed 3              # a random sample of all

A change counts as noticed if one of the scenarios that pass through the lines of what is changed no longer
holds what its table says. What nothing can notice stands in unnoticeable/, a table a chapter, with reasons.
Prints the others, and ends with 1 if fewer than 98 % were noticed. Progress goes to standard error.
"""

import argparse
import json
import multiprocessing
import os
import random
import resource
import select
import signal
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import dialects
from affray.engine.dialects import load
from affray.engine.testing import check
from tests.campaigns.mutants import (
    Mutant,
    function_at,
    in_place,
    lists_of,
    living_with,
    modules,
    mutants_of,
    recode,
    stage_mutants,
)
from tests.scenarios.cases import all_cases

REVIEWED = Path(__file__).with_name("unnoticeable")
"""A table for each chapter, as srd35-attacks.toml."""
WANTED = 0.98
"""The share of changes that scenarios have to notice, those aside that nothing can."""
SECONDS = 5
"""A scenario that takes more of the processor's time has noticed: the change made an endless loop."""
AGAIN = 0.5
"""So many seconds later it is ended once more: what is raised while a generator is cleared away gets lost."""
MEMORY = 2 << 30
"""A process of the campaign gets no more bytes: an endless loop that only gathers ends by that."""
PATIENCE = 60
"""A process that says nothing for so many seconds is ended: no alarm has reached it."""
END, FAULT = b"\n", b"!"
COUNT = 25

Reach = dict[tuple[str, int], list[int]]
"""For each place and line the numbers of the scenarios that pass through it; line 0 is any of the place."""


@cache
def all_mutants(place: str = "") -> Sequence[Mutant]:
    """Return the changes of places that begin so."""
    found = [one for module in modules() for one in mutants_of(module)]
    found += [one for name in dialects() for one in stage_mutants(name)]
    return [one for one in found if one.place.startswith(place)]


def reached(places: Iterable[str], numbers: Sequence[int]) -> Reach:
    """Play scenarios and return which of them pass through which lines of the places."""
    codes: dict[int, str] = {}  # by identity: the code of composed lists may be equal
    lists = {name: function for dialect in dialects() for name, function in lists_of(dialect)}
    functions = [function_at(*one.split(":")) if ":" in one else lists[one] for one in sorted(set(places))]
    for place, function in zip(sorted(set(places)), functions, strict=True):
        codes |= {id(one): place for one in with_inner(function.__code__)}
    functions += [inner for one in functions for inner, _ in living_with(one.__code__, one.__code__)]
    found: Reach = defaultdict(list)
    met: set[tuple[str, int]] = set()

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        place = codes.get(id(frame.f_code))
        if place is None:
            return None
        met.add((place, frame.f_lineno if event == "line" else 0))
        return watch

    with announced(functions, partial(sys.settrace, watch)):
        for number in numbers:
            met.clear()
            try:
                check(all_cases()[number][1])
            finally:
                sys.settrace(None)
            for one in met:
                found[one].append(number)
    return found


@contextmanager
def announced(functions: Iterable[FunctionType], call: Callable[[], object]) -> Iterator[None]:
    """Let functions `call` when they are called, for a while.

    A scenario that reaches none of them is then played without being traced, any other from there on. A
    function that holds on to names around it can only change its code for one that does too.
    """
    each = list({id(one): one for one in functions}.values())  # two lists may be one function
    before = [(one, one.__code__) for one in each]
    for number, (one, code) in enumerate(before):
        own = FunctionType(code, one.__globals__, one.__name__, one.__defaults__, one.__closure__)
        own.__kwdefaults__ = one.__kwdefaults__
        names = {f"_call_{number}": call, f"_own_{number}": own}
        one.__globals__.update(names)
        around = ", ".join(code.co_freevars)
        text = f"""
def made({around}):
    def announcing(*given, **named):
        _call_{number}()
        return _own_{number}(*given, **named)
        {around}
    return announcing
"""
        made: dict[str, Any] = {}
        exec(text, made)
        recode(one, made["made"](*code.co_freevars).__code__)
    try:
        yield
    finally:
        for number, (one, code) in enumerate(before):
            recode(one, code)
            del one.__globals__[f"_call_{number}"], one.__globals__[f"_own_{number}"]


def with_inner(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of the functions in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from with_inner(one)


def passing(mutant: Mutant, reach: Reach) -> list[int]:
    """Return the numbers of the scenarios that pass through what is changed, in order."""
    first, last = mutant.lines
    return sorted({number for line in range(first, last + 1) for number in reach[mutant.place, line]})


def noticing(mutant: Mutant, numbers: Sequence[int], told: Callable[[], object] = lambda: None) -> str:
    """Return the first scenario that notices a change, by name, "" if none does; each other one is `told`."""
    with in_place(mutant):
        for number in numbers:
            signal.setitimer(signal.ITIMER_PROF, SECONDS, AGAIN)
            try:
                check(all_cases()[number][1])
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                return all_cases()[number][0]
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            told()
    return ""


class TooLong(BaseException):
    """A scenario did not end. No rule and no library that catches an Exception swallows it."""


def alarmed(number: int, frame: FrameType | None) -> None:
    """End a scenario that goes on and on."""
    raise TooLong


def prepare() -> None:
    """Load every dialect, and end what takes too long."""
    signal.signal(signal.SIGPROF, alarmed)
    for name in dialects():
        load(name)


def prepare_process() -> None:
    """Make a process of the campaign ready."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(
        resource.RLIMIT_AS, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most)
    )
    prepare()


def look_for(job: tuple[list[str], list[int]]) -> Reach:
    """Return what some of the scenarios pass through."""
    return dict(reached(*job))


def try_out(job: tuple[Mutant, list[int]]) -> tuple[Mutant, str]:
    """Return a change and the scenario that notices it.

    A process of its own tries it out: whatever kills that, or holds it for so long that no alarm ends it, was
    noticed.
    """
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(outlet, END + noticing(*job, told=partial(os.write, outlet, b".")).encode())
        except MemoryError:
            pass
        except Exception as error:
            os.write(outlet, END + FAULT + repr(error).encode())
        finally:
            os._exit(0)
    os.close(outlet)
    said = b""
    while select.select([inlet], [], [], PATIENCE)[0] and (more := os.read(inlet, 4096)):
        said += more
    os.close(inlet)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    _, ended, name = said.partition(END)
    if name.startswith(FAULT):
        raise RuntimeError(f"{job[0].name}: {name.decode()}")
    return job[0], name.decode() if ended else "its process has not come to an end"


def reviewed() -> dict[str, str]:
    """Return the reviewed changes that nothing can notice, each with the reason."""
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(REVIEWED.glob("*.toml"))]
    return {name: one["why"] for told in tables for one in told["unnoticeable"] for name in one["changes"]}


def campaign(
    mutants: list[Mutant], processes: int, quiet: bool = False, scenarios: Sequence[int] | None = None
) -> dict[str, Any]:
    """Try the changes out; return how many there were, were met and noticed, and those that were not.

    `scenarios` are the numbers of those that may notice them, all by default.
    """
    began, known = time.monotonic(), reviewed()
    scenarios = range(len(all_cases())) if scenarios is None else scenarios
    mutants = [one for one in mutants if one.name not in known]
    places = sorted({one.place for one in mutants})
    reach: Reach = defaultdict(list)
    unnoticed: list[Mutant] = []
    with multiprocessing.get_context("fork").Pool(processes, prepare_process) as pool:
        shares = [list(scenarios[start::processes]) for start in range(processes)]
        for part in pool.imap_unordered(look_for, [(places, share) for share in shares]):
            for at, numbers in part.items():
                reach[at] += numbers
        jobs = [(one, passing(one, reach)) for one in mutants]
        for count, (mutant, by) in enumerate(pool.imap_unordered(try_out, jobs, chunksize=4), 1):
            if not by:
                unnoticed.append(mutant)
            if not quiet and (count % COUNT == 0 or count == len(jobs)):
                told = f"\r{count}/{len(jobs)} changes, {len(unnoticed)} unnoticed"
                print(told, end="", file=sys.stderr, flush=True)
    if not quiet:
        print(file=sys.stderr)
    unplayed = {one.name for one, numbers in jobs if not numbers}
    return {
        "changes": len(jobs),
        "noticed": len(jobs) - len(unnoticed),
        "share": round((len(jobs) - len(unnoticed)) / max(1, len(jobs)), 4),
        "in code that no scenario passes through": len(unplayed),
        "unnoticed": [
            f"{one.name} (line {one.lines[0]}{', never played' if one.name in unplayed else ''})"
            for one in sorted(unnoticed, key=lambda one: (one.place, one.number))
        ],
        "seconds": round(time.monotonic() - began),
    }


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--place", default="", help="only places that begin so")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, at random")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    mutants = list(all_mutants(wanted.place))
    if wanted.sample:
        mutants = random.Random(wanted.seed).sample(mutants, min(wanted.sample, len(mutants)))
    found = campaign(mutants, wanted.processes)
    if wanted.json:
        print(json.dumps(found, indent=1))
    else:
        for line in found["unnoticed"]:
            print(line)
        print(
            f"{found['changes']} changes, {found['noticed']} noticed ({found['share']:.1%}); "
            f"{found['in code that no scenario passes through']} of the others in code that none plays; "
            f"{found['seconds']} s"
        )
    return 0 if found["share"] >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
