"""Did the dice fall so? Commitment, links, totals and faces."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from affray.engine.dice import (
    ALGORITHM,
    ALONE,
    DRAWN,
    JOINT,
    MASTER,
    PROVENANCES,
    RULED,
    Notation,
    Seeded,
    commitment,
    drawn_seed,
    joint_seed,
    parse,
    rethrow,
)
from affray.engine.table.dice import follows, hash_of, hashes_for, masters
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts.flow import ChainBegun, EncounterClosed, EncounterOpened, LinkGiven, Rolled
from affray.events.stores.store import MAIN
from affray.projections.state import Chain
from affray.replay.checks import Check

# --- Were the links given as they may be: each once, none left out, the same ones together on every line?
#
# A chain keeps its owner from choosing a link. What is left is to leave links out until the dice please, so
# the numbers are compared: over all lines of the log, for a line that is decided again takes its parent's
# links.

Links = tuple[tuple[str, str], ...]
"""Players' links that were given together: by whom, the link."""


class Draw(Struct):
    """Links that dice follow from: the players', the game master's, how many of that were passed over."""

    event: Event
    links: Links
    number: int
    passed: int


class DrawAudit:
    """The links of all lines that were gone through."""

    def __init__(self) -> None:
        """Look at some lines; `parents` are those of all lines, once all are looked at."""
        self.parents: Mapping[str, str] = {}
        self.draws: list[Draw] = []
        self.numbers: dict[tuple[str, str], dict[int, set[bytes]]] = {}
        self._links: Links = ()

    def begin(self) -> None:
        """Pass on to another declaration."""
        self._links = ()

    def given(self, event: Event, fact: LinkGiven, chain: Chain, first: Event) -> None:
        """Take note of a link that follows on its chain, for the declaration `first`."""
        if fact.by != MASTER:
            self._links = (*self._links, (fact.by, fact.link))
            stood = self.numbers.setdefault((fact.by, chain.anchor), {})
            stood.setdefault(fact.number, set()).add(first.data)
            return
        self.draws.append(Draw(event, self._links, fact.number, fact.number - chain.number - 1))
        self._links = ()

    def add(self, other: "DrawAudit") -> None:
        """Take over what another line holds."""
        self.draws += other.draws
        for chain, given in other.numbers.items():
            mine = self.numbers.setdefault(chain, {})
            for number, what in given.items():
                mine.setdefault(number, set()).update(what)

    def faults(self) -> Iterator[tuple[Event, str]]:
        """Yield where the game master's links were chosen: others than before, or some left out."""
        together: dict[Links, int] = {}
        for draw in self.draws:
            number = together.setdefault(draw.links, draw.number)
            if draw.links and number != draw.number:
                yield (
                    draw.event,
                    f"the same links of players stand with another link of the game master: {number}",
                )
        for draw in self._passed_over():
            if draw.event.stream == MAIN or self._is_parent_audited(draw):
                yield draw.event, f"the game master's links before {draw.number} were left out"

    def notes(self) -> Iterator[str]:
        """Yield what is to be said of links that stand nowhere, or for several declarations."""
        if any(
            draw.event.stream != MAIN and not self._is_parent_audited(draw) for draw in self._passed_over()
        ):
            yield "links of the game master that stand on a line that is not here"
        for (by, _), stood in sorted(self.numbers.items()):
            if missing := [number for number in range(1, max(stood)) if number not in stood]:
                yield f"links of {by} that stand on no line here: {spans(missing)}"
            if again := sorted(number for number, what in stood.items() if len(what) > 1):
                yield f"links of {by} that were known before a declaration changed: {spans(again)}"

    def _passed_over(self) -> list[Draw]:
        """Return the draws before which the game master left links out, and which stand nowhere else."""
        found = [draw for draw in self.draws if draw.passed]
        if not found:
            return []
        stood: dict[tuple[Links, int], set[str]] = {}
        for draw in self.draws:
            stood.setdefault((draw.links, draw.number), set()).add(draw.event.stream)
        return [draw for draw in found if not stood[draw.links, draw.number] - {draw.event.stream}]

    def _is_parent_audited(self, draw: Draw) -> bool:
        """Say whether the parent of its line was looked at too, and dice were drawn on that meanwhile."""
        stream = draw.event.stream
        parent = self.parents.get(stream)
        begins = min(one.event.seq for one in self.draws if one.event.stream == stream)
        return any(one.event.stream == parent and one.event.seq >= begins for one in self.draws)


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as they are told: "2 to 4, 7"."""
    told: list[tuple[int, int]] = []
    for number in numbers:
        if told and told[-1][1] == number - 1:
            told[-1] = told[-1][0], number
        else:
            told.append((number, number))
    return ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in told)


MOST_HASHES = 2_097_152
"""So many hashes are made for a log beside one a link: for links that were passed over, and for 32 chains.

Some 0.8 s. A log that hangs together may ask for any number.
"""

ORIGINS = {ALONE: "by the game master's chain alone"}


class Allowance:
    """How many hashes may still be made for the chains of a log, over all its lines."""

    def __init__(self) -> None:
        self.left = MOST_HASHES
        self._made: set[tuple[int, int]] = set()

    def can_skip_links(self, links: int) -> bool:
        """Say whether as many links may be passed over, and count them."""
        self.left -= max(0, links)
        return self.left >= 0

    def makes(self, begun: int, length: int) -> bool:
        """Say whether the game master's chain may be made, and count it; the same again is known already."""
        if (begun, length) not in self._made and self.can_skip_links(length):
            self._made.add((begun, length))
        return (begun, length) in self._made


class DiceAudit:
    """The check of the dice along a line; `seed` is None while nobody knows it, and `why` may say more."""

    def __init__(
        self,
        seed: bytes | None,
        why: str = "",
        check: Check | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.check = check or Check("dice", "no die was touched")
        self.allowance = allowance or Allowance()
        self.seed, self.why = seed, why
        self.seeded: Seeded | None = None
        self.thrown: dict[str, int] = {}
        self.drawn: Seeded | None = None
        self.provenance = ""
        self.links: list[tuple[str, int, bytes]] = []
        self.draws = DrawAudit()

    def sealed(self, event: Event, fact: EncounterOpened, check: Check | None = None) -> None:
        """Compare the commitment with the seed, as far as it is known; a problem is counted in `check`."""
        if self.seed is None:
            return
        if commitment(self.seed) != fact.commitment:
            (check or self.check).bad(
                event, "the seed does not open the commitment", fact.commitment, commitment(self.seed)
            )
        else:
            self.seeded = Seeded(self.seed)

    def contributed(
        self, event: Event, contributions: Sequence[tuple[str, str]], late: bool, check: Check
    ) -> None:
        """Let the dice follow from what was given to their seed; if it came `late`, `check` says so."""
        if late:
            check.bad(event, "something was given to the seed when it could be known what it does")
        if self.seeded is not None and self.seed is not None:
            self.seeded = Seeded(joint_seed(self.seed, contributions))

    def begin(self) -> None:
        """Pass on to another declaration."""
        self.links = []
        self.draws.begin()

    def begun(self, event: Event, fact: ChainBegun, declarations: int, check: Check) -> None:
        """Compare the game master's chain with the seed that it follows from, as far as that is known."""
        if fact.by == MASTER and self.seeded is not None and self.seed is not None:
            if not self.allowance.makes(declarations, fact.length):
                check.bad(event, f"the log asks for more hashes than are made for one: {MOST_HASHES:,}")
                return
            found = masters(self.seed.hex(), declarations, fact.length).anchor.hex()
            if found != fact.anchor:
                check.bad(event, "the game master's chain does not follow from the seed", fact.anchor, found)

    def given(
        self, event: Event, fact: LinkGiven, chains: Mapping[str, Chain], first: Event, check: Check
    ) -> None:
        """Compare a link with the one before, and take it for the dice that follow."""
        chain = chains.get(fact.by)
        check.count += 1
        if chain is not None and not self.allowance.can_skip_links(hashes_for(chain, fact) - 1):
            check.bad(event, f"the log asks for more hashes than are made for one: {MOST_HASHES:,}")
        elif chain is None or not follows(chain, fact):
            check.bad(event, f"that is not link {fact.number} of {fact.by or 'the game master'}")
        elif check is self.check:
            self.draws.given(event, fact, chain, first)
        if fact.by != MASTER:
            self.links.append((fact.by, fact.number, hash_of(fact.link)))
            return
        self.drawn = Seeded(drawn_seed(hash_of(fact.link), self.links))
        self.provenance = JOINT if self.links else ALONE
        self.links = []

    def revealed(self, event: Event, fact: EncounterClosed, sealed: str) -> None:
        """Compare the revealed seed with the commitment."""
        try:
            found = commitment(bytes.fromhex(fact.seed))
        except (ValueError, AffrayError):
            found = "no seed"
        if found != sealed:
            self.check.bad(event, "the revealed seed does not open the commitment", sealed, found)

    def roll(self, event: Event, fact: Rolled) -> None:
        """Compare a roll with its notation and, if it is seeded, with the seed."""
        check = self.check
        check.count += 1
        self.thrown[fact.provenance] = self.thrown.get(fact.provenance, 0) + 1
        try:
            notation = parse(fact.notation)
            thrown = rethrow(notation, fact.faces)
        except AffrayError as error:
            check.bad(event, f"{fact.key}: {error}")
            return
        told = (fact.total, fact.dropped, fact.rerolled, fact.exploded)
        if told != (thrown.total, thrown.dropped, thrown.rerolled, thrown.exploded):
            check.bad(event, f"{fact.key}: what the dice add up to", fact.total, thrown.total)
        if fact.provenance not in PROVENANCES and not fact.provenance.startswith(RULED):
            check.bad(event, f"{fact.key}: {fact.provenance!r} is no provenance")
        if fact.provenance in DRAWN:
            self._compare(event, fact, self.drawn, notation)
            if fact.provenance != self.provenance:
                check.bad(event, f"{fact.key}: whose links it follows from", fact.provenance, self.provenance)
        elif fact.provenance == "seeded":
            self._compare(event, fact, self.seeded, notation)

    def _compare(self, event: Event, fact: Rolled, dice: Seeded | None, notation: Notation) -> None:
        check = self.check
        if fact.algorithm != ALGORITHM:
            check.bad(event, f"{fact.key}: thrown by an unknown algorithm", fact.algorithm, ALGORITHM)
        elif dice is not None:
            answer = dice.throw(fact.key, notation)
            if answer is not None and answer[0].faces != fact.faces:
                check.bad(event, f"{fact.key}: the faces", _faces(fact.faces), _faces(answer[0].faces))

    def add(self, other: "DiceAudit") -> None:
        """Add where the dice of another line came from."""
        self.seeded = self.seeded or other.seeded
        for name, count in other.thrown.items():
            self.thrown[name] = self.thrown.get(name, 0) + count
        self.draws.add(other.draws)

    def sum_up(self) -> Check:
        """Return the check with a note on where the dice came from and what they were compared with."""
        for event, what in self.draws.faults():
            self.check.bad(event, what)
        told = [f"{count} {ORIGINS.get(name, name)}" for name, count in sorted(self.thrown.items())]
        told += self.draws.notes()
        if self.thrown.get("seeded"):
            told.append(
                "seeded ones compared with the seed"
                if self.seeded
                else f"seeded ones are taken on trust: {self.why or 'the seed is not revealed yet'}"
            )
        self.check.note = ", ".join(told)
        return self.check


def _faces(faces: Iterable[int]) -> str:
    return ", ".join(map(str, faces))
