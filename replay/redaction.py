"""What players may see of a log, and the check of what they were given.

Two rules, which may be combined:

- *for a side*: what shows the numbers of a combatant of another side is hidden: its sheet, rolls, checks,
  attacks by and on it, damage, hit points, effects, supplies, plans and readied acts, its questions and
  answers, a tie in the order, and the hazards that the game master springs. Moves, turns, conditions, the
  order, declarations and rulings stay.
- *a hidden combatant*: every event that names it anywhere, by its id or its sheet's name, is hidden.

As soon as anything is hidden, so is the closing event with the seed, from which the rolls would follow.
"""

import re
from collections.abc import Iterable
from typing import BinaryIO

from msgspec import Struct

from affray.events import merkle
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.redacted import Redacted, write_redacted
from affray.events.store import Store
from affray.replay.people import People
from affray.replay.sealing import Seal, Verdict, code, judged, parse_seal, sealed

NUMBERS: dict[str, tuple[str, ...]] = {
    "asked": ("who",),
    "chosen": ("who",),
    "rolled": ("who",),
    "combatant.entered": ("id",),
    "initiative.rolled": ("who",),
    "initiative.changed": ("who",),
    "plan.made": ("who",),
    "act.readied": ("who",),
    "attack.resolved": ("attacker", "target"),
    "confirmation.resolved": ("attacker", "target"),
    "miss-chance.resolved": ("attacker",),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "effect.gained": ("who",),
    "effect.ended": ("who",),
    "check.resolved": ("who",),
    "contest.resolved": ("who", "against"),
    "turning.resolved": ("who",),
    "resource.spent": ("who",),
    "item.struck": ("attacker", "bearer"),
    "injury.suffered": ("who",),
    "rule.applied": ("who",),
    "ability.changed": ("who",),
    "maximum.changed": ("who",),
    "affliction.held": ("who",),
    "affliction.ended": ("who",),
}
"""Events that show somebody's numbers, and the fields that say whose."""

OPEN = frozenset(
    {
        "declared",
        "refused",
        "invalidated",
        "ruled",
        "disputed",
        "branch.promoted",
        "encounter.opened",
        "encounter.decided",
        "encounter.closed",
        "options.changed",
        "awareness.settled",
        "order.set",
        "round.began",
        "phase.changed",
        "round.ended",
        "turn.began",
        "turn.ended",
        "budget.renewed",
        "action.spent",
        "reaction.spent",
        "turn.delayed",
        "ready.ended",
        "casting.began",
        "casting.ended",
        "moved",
        "mounted",
        "dismounted",
        "mount.directed",
        "opportunity.provoked",
        "condition.gained",
        "condition.lost",
        "side.changed",
        "item.changed",
        "grip.changed",
        "time.passed",
    }
)
"""Events that everybody at the table sees happen; of `declared` all but sheets, plans and hazards."""

_SECRET_ACTS = (acts.Enter, acts.Plan, acts.Ready, acts.Hazard, acts.Fall, acts.Expose)


class Redaction:
    """Who may not see what along one line of play."""

    def __init__(self, store: Store, branch: str, *, side: str = "", hide: Iterable[str] = ()) -> None:
        """Learn who is on which side. O(events). Raises AffrayError for a side or combatant that
        is not there; combatants go by id, or by name where only one bears it.
        """
        self.sides: dict[str, str] = {}
        called: dict[str, str] = {}
        for event in store.read(branch):
            if event.type == "combatant.entered":
                fact = decode(event)
                self.sides[fact.id], called[fact.id] = fact.side, fact.sheet.name
        people = People(called)
        self.side, self.hide = side, tuple(people.id_of(word) for word in hide)
        if side and side not in self.sides.values():
            raise AffrayError(f"no side {side!r}: there are {_list(set(self.sides.values()))}")
        words = "|".join(re.escape(word) for id in self.hide for word in (id, called[id]) if word)
        self._named = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])") if words else None

    def why(self, event: Event) -> str:
        """Return why an event is hidden; "" for one that is shown."""
        if event.type == "encounter.closed":
            return "the seed" if self.side or self.hide else ""
        if self._named is not None and self._named.search(f"{event.actor}\n{event.data.decode()}"):
            return "names what is hidden"
        return self._numbers(event) if self.side else ""

    def _numbers(self, event: Event) -> str:
        if event.type in NUMBERS:
            fact = decode(event)
            whose = [getattr(fact, field) for field in NUMBERS[event.type]]
            return "shows another side's numbers" if any(map(self._other, whose)) else ""
        if event.type == "order.set":
            # Ties are told with their results, and the order itself shows in the turns.
            words = set(re.findall(r"[\w-]+", decode(event).why))
            return "shows another side's numbers" if any(map(self._other, words)) else ""
        if event.type == "declared":
            act = decode(event).act
            if isinstance(act, _SECRET_ACTS):
                who = act.id if isinstance(act, acts.Enter) else act.actor
                return "known to the game master only" if not who or self._other(who) else ""
        return "" if event.type in OPEN else "of a type that no rule opens"

    def _other(self, who: str) -> bool:
        return self.sides.get(who, self.side) != self.side


class Audit(Struct, frozen=True):
    """What a redacted export shows: how much of it, under which seal, and how that compares."""

    branch: str
    events: int
    hidden: int
    seal: Seal
    verdict: Verdict


def export_redacted(store: Store, branch: str, out: BinaryIO, redaction: Redaction) -> int:
    """Write a line of play with what `redaction` hides left out; return how many events are hidden.

    Raises BrokenLog where the chain breaks, before anything is written.
    """
    seal = sealed(store, branch)
    events = store.read(branch, upto=seal.seq)
    return write_redacted(events, out, branch=branch, count=seal.seq, seal=str(seal), why=redaction.why)


def audit_redacted(lines: Iterable[bytes], seal: Seal | None = None) -> Audit:
    """Check a redacted export: every shown event against its digest, all digests against the seal.

    Without `seal` the one in the file is taken, which only shows that the file agrees with itself.
    Raises BrokenExport naming line and event, BadSeal, NotALog, NewerLog. O(events).
    """
    file = Redacted(lines)
    tree, hit = merkle.Tree(), -1
    branch = file.header.branch
    wanted = seal or parse_seal(file.header.seal)
    for one in file.events():
        tree.add(one.digest if isinstance(one, Event) else bytes.fromhex(one.digest))
        if wanted.seq in (-1, tree.size) and code(branch, tree.size, tree.root()) == wanted.code:
            hit = tree.size
    found = Seal(branch, tree.size, code(branch, tree.size, tree.root()))
    return Audit(branch, tree.size, file.hidden, found, judged(wanted, found, hit))


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
