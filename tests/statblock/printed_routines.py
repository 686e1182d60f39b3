"""Printed routines at the table: each entered, declared as one full attack, and compared with its print."""

from msgspec import Struct
from msgspec.structs import replace

from affray.engine import Table, acts
from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.statblock.weapons import Routine
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts.combat import AttackResolved
from affray.events.facts.sheet import Sheet

POST = Sheet("post", 1_000_000, kind="construct")
#: The map, and where the creature stands on it.
MAP, AT = ("." * 48,) * 8, (8, 1)


class Outcome(Struct, frozen=True):
    """What came of a printed routine: why it was refused, or the weapon and the bonus of each attack."""

    refused: str
    attacks: tuple[tuple[str, int], ...] = ()

    def differs(self, routine: Routine) -> str:
        """Return how the attacks differ from print, "" if they do not."""
        printed = [(one.weapon, bonus) for one, bonus in zip(routine.strikes, routine.bonuses, strict=True)]
        if self.refused or sorted(printed) == sorted(self.attacks):
            return self.refused
        if len(printed) != len(self.attacks):
            return f"{len(self.attacks)} attacks of {len(printed)}"
        pairs = zip(printed, self.attacks, strict=True)
        return ", ".join(
            f"{name} {given:+d}, not {was:+d}" for (name, was), (_, given) in pairs if was != given
        )


def play_at_table(sheet: Sheet, routine: Routine, dialect: str) -> Outcome:
    """Return what comes of a routine that is declared at a table as one full attack, the target in reach."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=MAP, name="print", seed=bytes(32))
    space, reach = load(dialect).position.space_and_reach(Fight(table.state, load(dialect)), sheet)
    for id, column in _posts(space, reach, routine.mode).items():
        table.declare(acts.Enter(id=id, side="posts", sheet=POST, at=(column, AT[1]), initiative=1))
    entered = acts.Enter(id="it", side="it", sheet=sheet, at=AT, held=routine.held, initiative=30)
    outcome = table.declare(entered)
    if outcome.refused is not None:
        return Outcome(outcome.refused.reason)
    table.declare(acts.Begin())
    outcome = table.declare(_declared(sheet, routine))
    if outcome.refused is not None:
        return Outcome(outcome.refused.reason)
    facts = map(decode, table.store.read("main"))
    resolved = [fact for fact in facts if isinstance(fact, AttackResolved) and fact.attacker == "it"]
    return Outcome("", tuple((fact.weapon, fact.total - fact.natural) for fact in resolved))


def _posts(space: int, reach: int, mode: str) -> dict[str, int]:
    """Return the columns of the targets: one beside the creature, one where reach weapons strike.

    Whoever has no reach is in the square of its target.
    """
    beside = AT[0] + space
    if mode == "ranged":
        return {"post": beside}
    return {"post": beside, "far post": beside - 1 + reach * 2 // 5} if reach else {"post": AT[0]}


def _declared(sheet: Sheet, routine: Routine) -> acts.FullAttack:
    """Return the declaration, each strike at the post that its weapon reaches."""
    far = {one.name for one in sheet.weapons if one.reach and "near-and-far" not in one.traits}
    act = routine.declared("it", "post")
    if routine.mode == "ranged":
        return act
    strikes = (replace(one, target="far post" if one.weapon in far else "post") for one in act.strikes)
    return replace(act, strikes=tuple(strikes))
