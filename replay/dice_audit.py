"""Did the dice fall so? Commitment, totals and seeded faces."""

from collections.abc import Iterable, Sequence

from affray.engine.dice import ALGORITHM, PROVENANCES, RULED, Seeded, commitment, joint_seed, parse, rethrow
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts.flow import EncounterClosed, EncounterOpened
from affray.events.facts.rolled import Rolled
from affray.replay.report import Check


class DiceAudit:
    """The check of the dice along a line; `seed` is None while nobody knows it, and `why` may say more."""

    def __init__(self, seed: bytes | None, why: str = "", check: Check | None = None) -> None:
        self.check = check or Check("dice", "no die was touched")
        self.seed, self.why = seed, why
        self.seeded: Seeded | None = None
        self.thrown: dict[str, int] = {}

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
        if fact.provenance != "seeded":
            return
        if fact.algorithm != ALGORITHM:
            check.bad(event, f"{fact.key}: thrown by an unknown algorithm", fact.algorithm, ALGORITHM)
        elif self.seeded is not None:
            answer = self.seeded.throw(fact.key, notation)
            if answer is not None and answer[0].faces != fact.faces:
                check.bad(event, f"{fact.key}: the faces", _faces(fact.faces), _faces(answer[0].faces))

    def add(self, other: "DiceAudit") -> None:
        """Add where the dice of another line came from."""
        self.seeded = self.seeded or other.seeded
        for name, count in other.thrown.items():
            self.thrown[name] = self.thrown.get(name, 0) + count

    def sum_up(self) -> Check:
        """Return the check with a note on where the dice came from and what they were compared with."""
        told = [f"{count} {name}" for name, count in sorted(self.thrown.items())]
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
