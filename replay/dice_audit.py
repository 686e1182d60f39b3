"""Did the dice fall so? Commitment, links, totals and faces."""

from collections.abc import Iterable, Mapping, Sequence

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
from affray.events.facts.chains import ChainBegun, LinkGiven
from affray.events.facts.flow import EncounterClosed, EncounterOpened
from affray.events.facts.rolled import Rolled
from affray.projections.state import Chain
from affray.replay.draw_audit import DrawAudit
from affray.replay.report import Check

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

    def passes_over(self, links: int) -> bool:
        """Say whether as many links may be passed over, and count them."""
        self.left -= max(0, links)
        return self.left >= 0

    def makes(self, begun: int, length: int) -> bool:
        """Say whether the game master's chain may be made, and count it; the same again is known already."""
        if (begun, length) not in self._made and self.passes_over(length):
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
        if chain is not None and not self.allowance.passes_over(hashes_for(chain, fact) - 1):
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
