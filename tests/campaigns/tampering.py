"""The tampering campaign: whatever is done to a file by hand, verify says so, or nobody can see a difference.

    python tests/campaigns/tampering.py [--dialect D ...] [--every N] [--seed N] [--json]

In logs of all four dialects, with branches, rulings, promotions, an undo, kept states, requests and settings,
every column of every row of every table is changed, emptied, given another type and another row's value, and
swapped with others; every row is deleted and doubled; every row of every index is left out, misplaced and
exchanged, the numbers of the header are changed; each by itself, the triggers away meanwhile. Then
`verify` must say that the log is not as it was, or no command that reads may print anything else than before.
And no command may end in an unexpected error, or take more than ten seconds. Prints the counts; the exit
status is 1 if one passed.
"""

import gc
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from click.testing import Result

from affray.events import merkle
from affray.replay.cli.group import COMMANDS
from affray.replay.verification.seals import Seal, code
from tests.campaigns.by_dialect import command, told_of
from tests.campaigns.spoiling import built, called, spoilings
from tests.campaigns.workbench import Spoiled, Workbench

NOTHING = Seal("main", 0, code("main", 0, merkle.EMPTY))
"""The seal of a log without an event, which every log continues."""

READING: dict[str, list[str]] = {
    "options": ["DB --at r1", "DB --at r2 --closed", "DB --at r2 --json"],
    "show": ["DB", "DB --json", "DB --at r1 --branch third", "DB --at 30 --branch main", "DB --branch void"],
    "log": ["DB", "DB --json", "DB --branch third --json", "DB --branch ruling-R1"],
    "blame": ["DB fighter.hp", "DB --paths --branch third", "DB round --json"],
    "why": ["DB 20", "DB r1 --branch second", "DB 24 --json --branch ruling-R1"],
    "rulings": ["DB", "DB --json"],
    "report": ["DB --ruling R1", "DB --dispute Q1 --format json"],
    "odds": ["DB --at 30 --runs 2 --json"],
    "difficulty": ["DB --json"],
    "luck": ["DB --json", "DB --branch ruling-R1"],
    "ask": ["luck DB", "all DB --json"],
    "career": ["fighter DB", "fighter DB --json"],
    "verify": ["DB --branch second", "DB --json"],
    "seal": ["DB", "DB --branch empty", "DB --prove 12", f"DB --consistent-with {NOTHING}"],
    "branches": ["DB", "DB --json"],
    "diff": ["DB main second", "DB ruling-R1 main --events", "DB void third --json"],
    "manual": ["DB --json"],
    "contribute": ["DB", "DB --json"],
    "chain": ["DB", "DB --json"],
    "secrets": ["DB", "DB --json"],
    "export": [
        "DB --format jsonl",
        "DB --format html",
        "DB --format notation",
        "DB --format csv",
        "DB --format markdown --branch second",
        "DB --format jsonl --for heroes",
    ],
}
"""Every command that reads a log, and how it is called. Commands that are new must stand here or below."""

NOT_READING = {
    "demo": "makes a log", "play": "makes a log", "new": "makes a log", "import": "makes a log",
    "replay": "puts a log that is not as recorded into its report",
    "samples": "makes logs",
    "rows": "writes rows beside a log, which ask makes too and prints",
    "copy": "makes a log", "fights": "reads databases alone",
    "swing": "plays on from every declaration as odds does from one, and keeps what came of it",
    "pivots": "tries every change as whatif does one, once the line is decided again as it was recorded",
    "table": "takes lines, each of which is another command",
    "serve": "answers requests, which tests/serve asks; by itself it prints links",
    "carry": "writes",
    "add": "writes", "do": "writes", "auto": "writes", "choose": "writes", "undo": "writes", "redo": "writes",
    "dispute": "writes", "ruling": "writes", "whatif": "writes", "fork": "writes", "promote": "writes",
    "merge": "writes",
    "link": "reads no log but to compare",
    "referee": "reads texts from elsewhere; with --into it writes",
    "combine": "reads no log", "checker": "reads no log", "statblock": "reads no log",
    "map": "reads no log",
    "rules": "reads no log but for coverage", "countersign": "compares one, prints nothing of it",
}  # fmt: skip
"""The other commands, and why they are not among those whose output is compared."""


SECONDS = 10.0
"""What a command may take, of processor time, on a log of some 150 events: none needs a tenth of a second."""


def timed(*words: object) -> Result:
    """Run a command; one that takes too long is interrupted, which its status says."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return called(*words)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Campaign:
    """The spoilings of one log, and what came of them."""

    def __init__(self, dialect: str, folder: Path) -> None:
        self.base = built(dialect, folder / "base.db")
        self.path = folder / "fight.db"
        self.bench = Workbench(self.base, self.path)
        self.counts: Counter[str] = Counter()
        self.found: list[str] = []
        self.at = "nothing"
        report = timed("verify", self.path)
        assert report.exit_code == 0, report.output
        self.before = self.told()

    def _find(self, what: str) -> None:
        self.found.append(what)
        print(what, file=sys.stderr, flush=True)

    def told(self) -> dict[str, tuple[int, str]]:
        """Return what every command that reads says of the log as it is, with its status."""
        found = {}
        for name, lines in READING.items():
            for line in lines:
                words = [str(self.path) if word == "DB" else word for word in line.split()]
                result = timed(name, *words)
                found[f"{name} {line}"] = (result.exit_code, result.output)
                if "unexpected" in result.output or result.exit_code not in (0, 1, 2):
                    self._find(f"{self.at}: {name} {line}: {result.output[-300:]}")
        return found

    def run(self, spoilings: Iterable[Spoiled], listen: int = 25) -> None:
        """Spoil the log in each of these ways; after every `listen`-th that is noticed call all commands."""
        for one in spoilings:
            if why_not := self.bench.spoil(one):
                self.counts[why_not] += 1
                continue
            self.at = one.name
            result = timed("verify", self.path)
            if "unexpected" in result.output or result.exit_code not in (0, 1, 2):
                self._find(f"{one.name}: verify: {result.output[-300:]}")
            if result.exit_code:
                self.counts["noticed"] += 1
                if self.counts["noticed"] % listen == 0:
                    self._listened()
            else:
                self._compared(one)

    def _listened(self) -> None:
        self.counts["noticed, all commands called"] += 1
        self.told()

    def _compared(self, one: Spoiled) -> None:
        """Compare what the commands say of a log with which verify is content."""
        self.counts["unnoticed, and no command says anything else"] += 1
        for words, (status, output) in self.told().items():
            if (status, output) != self.before[words]:
                self.counts["unnoticed, and no command says anything else"] -= 1
                self.counts["UNNOTICED"] += 1
                self._find(f"{one.name}: verify is content, but {words!r} says something else")
                return


def unknown_commands() -> list[str]:
    """Return the commands of the command line of which the campaign does not know whether they read."""
    names = [name for section in COMMANDS.values() for name in section]
    return [name for name in names if (name in READING) == (name in NOT_READING)]


def run(dialect: str, folder: Path, every: int, dice: random.Random) -> tuple[Counter[str], list[str]]:
    """Spoil a log of a dialect in every so many-th way."""
    campaign = Campaign(dialect, folder)
    ways = list(spoilings(campaign.base, dice))
    gc.freeze()  # what is loaded stays: looked through again and again it takes a tenth of the time
    campaign.run(told_of(dialect, ways[dice.randrange(every) :: every]))
    return campaign.counts, campaign.found


if __name__ == "__main__":
    sys.exit(command(__doc__, "spoiling", run, unknown_commands()))
