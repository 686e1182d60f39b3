"""`affray auto`: tactics declare for whoever's turn it is, in a fight that people play."""

import shlex
from collections.abc import Collection
from pathlib import Path

import click
import msgspec
from msgspec.structs import fields

from affray.engine.rules.conditions.conditions import is_decided
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.dice import by_hand
from affray.engine.table.table import Table
from affray.engine.table.tactics import TurnLimit, next_act
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.events.wording import shell_command
from affray.projections.state import Encounter
from affray.replay.cli.base import (
    Refused,
    Teller,
    answering,
    as_json,
    at_a_prompt,
    database,
    event_json,
    on_branch,
    writing,
)
from affray.replay.cli.completing import complete_combatants
from affray.replay.cli.printing import print_json, put
from affray.replay.narrate.cast import Cast
from affray.replay.people import People
from affray.replay.prompt.menu import listed, name_of

EXAMPLES = """\b
Examples:
  affray auto fight.db
  affray auto fight.db monsters
  affray auto fight.db gharm skit --policy ask
  affray auto fight.db --propose
"""


@click.command(epilog=EXAMPLES)
@database
@click.argument("whom", nargs=-1, shell_complete=complete_combatants)
@click.option("--propose", is_flag=True, help="Say what the next act would be, and declare nothing.")
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Stop after so many rounds at most.",
)
@click.option(
    "--policy",
    type=click.Choice(sorted(policies.NAMED)),
    default="auto",
    show_default=True,
    help="Who answers questions, where a combatant's entry does not say.",
)
@click.option("--by", default="tactics", show_default=True, help="Who declares it, for the record.")
@on_branch
@as_json
def auto(
    db: Path,
    whom: tuple[str, ...],
    propose: bool,
    rounds: int,
    policy: str,
    by: str,
    branch: str,
    json: bool,
) -> None:
    """Let tactics play the turn of whoever's turn it is, act by act until it ends.

    WHOM are combatants or sides: it goes on, turn after turn, as long as it is the turn of one of them. The
    tactics are those of affray play: they walk up and strike. It stops where a person is asked, for an answer
    or for dice thrown by hand, and goes on when it is called again. Each act is a declaration like any other,
    which affray undo takes back.
    """
    with writing(db) as store:
        answers = policies.by_combatant(policies.NAMED[policy])
        table = Table(store, branch, answers=answers, hands=by_hand(store))
        turns = _Turns(table, _whom_meant(table.state, whom), rounds, by)
        if table.waiting is not None:
            asked = table.waiting
            raise AffrayError(
                f"the fight waits: {asked.question} {answering(db, store, table.branch, asked)}"
            )
        act = turns.next()
        if act is None:
            raise Refused(f"nothing is declared: {turns.why_not}")
        if propose:
            _tell_proposed(db, table, act, json)
            return
        teller = None if json else Teller(store, table.branch, after=table.seq)
        while act is not None:
            outcome = turns.declare(act)
            if teller is not None:
                teller.go_on(upto=outcome.events[-1].seq)
            act = turns.next()
        _tell_end(db, store, turns, json)
        if turns.stuck:
            raise Refused(turns.why_not)


class _Turns:
    """The turns that tactics play at a table: the one that is running, or all those of some combatants."""

    def __init__(self, table: Table, whom: Collection[str], rounds: int, by: str) -> None:
        self.table, self.whom, self.rounds, self.by = table, whom, rounds, by
        self._began = table.state.round
        self.declared: list[tuple[AnyAct, Outcome]] = []
        self.why_not, self.stuck = "", False
        self.told = False
        """Whether the story tells by itself who is next."""
        self._turn: tuple[int, int, str] | None = None
        self._limit = TurnLimit()

    def next(self) -> AnyAct | None:
        """Return the next act that is theirs; None where they are to stop, which `why_not` then says."""
        act = None if self._stopped() else self._proposed()
        if act is None:
            return None
        state = self.table.state
        actor = getattr(act, "actor", "") or state.active
        turn = state.round, state.turn, actor
        theirs = not actor or actor in self.whom if self.whom else self._turn in (None, turn)
        if not theirs:
            self.why_not, self.told = f"next is {_cast(state).name(actor)}", bool(state.active)
            return None
        self._turn = turn
        return act

    def declare(self, act: AnyAct) -> Outcome:
        """Declare an act, and return what came of it."""
        outcome = self.table.declare(act, self.by)
        self.declared.append((act, outcome))
        return outcome

    def _stopped(self) -> bool:
        state = self.table.state
        if self.table.waiting is not None:
            self.why_not = "a person is asked"
        elif state.closed:
            self.why_not = "the encounter is closed"
        elif not state.round:
            self.why_not = "the fight has not begun"
        elif is_decided(self.table.fight):
            self.why_not = "one side is all that stands"
        elif state.round >= self._began + self.rounds:
            self.why_not = f"so many rounds are over: {self.rounds}"
        return bool(self.why_not)

    def _proposed(self) -> AnyAct | None:
        """Return what tactics propose; after a refusal the end of the turn, after two in a row None."""
        refused = [outcome.refused for _, outcome in self.declared[-2:]]
        if refused and refused[-1] is not None:
            if len(refused) > 1 and refused[0] is not None:
                self.why_not, self.stuck = (
                    f"tactics are stuck: {refused[-1].reason} ({refused[-1].rule})",
                    True,
                )
                return None
            return acts.EndTurn(actor=self.table.state.active)
        if reason := self._limit.reason_to_stop(self.table.state):
            self.why_not, self.stuck = f"tactics stop: {reason}", True
            return None
        return next_act(self.table, self.whom)


def _cast(state: Encounter) -> Cast:
    cast = Cast()
    for one in state.combatants.values():
        cast.enter(one.id, one.side, one.sheet.name)
    return cast


def _whom_meant(state: Encounter, words: Collection[str]) -> frozenset[str]:
    """Return the ids of the combatants and of all of the sides that are named. Raises UsageError."""
    people = People.in_fight(state)
    sides = {one.side for one in state.combatants.values()}
    found: set[str] = set()
    for word in words:
        if word in sides and word not in people.ids:
            found.update(one.id for one in state.combatants.values() if one.side == word)
        elif people.knows(word):
            found.add(people.id_of(word))
        else:
            meant = did_you_mean(word, [*sorted(sides), *people.ids])
            raise click.UsageError(f"{word!r} is no side and no combatant{meant}")
    return frozenset(found)


def _tell_proposed(db: Path, table: Table, act: AnyAct, json: bool) -> None:
    """Print what the next act would be, and the command that declares it."""
    if json:
        print_json({"act": act})
        return
    cast = _cast(table.state)
    put(f"{cast.name(getattr(act, 'actor', ''))}: {name_of(act)} {listed(act, cast)}".rstrip())
    on = () if table.branch == table.store.main_line() else ("--branch", table.branch)
    said = ((one.name, getattr(act, one.name), one.default) for one in fields(type(act)))
    told = {name: value for name, value, usual in said if value != usual and value is not None}
    text = msgspec.json.encode({"act": name_of(act), **told}).decode()
    words = shell_command("do", db, text, *on)
    put(f"(declare it with: {shlex.join(['do', text]) if at_a_prompt() else words})")


def _tell_end(db: Path, store: Store, turns: _Turns, json: bool) -> None:
    """Print where the tactics stopped, and why."""
    waiting = turns.table.waiting
    if json:
        print_json(
            {
                "declarations": [
                    {
                        "act": act,
                        "events": [event_json(one) for one in outcome.events],
                        "refused": outcome.refused,
                    }
                    for act, outcome in turns.declared
                ],
                "waiting": waiting,
                "stopped": turns.why_not,
            }
        )
    elif waiting is not None and not at_a_prompt():
        put(f"    {answering(db, store, turns.table.branch, waiting)}")
    elif waiting is None and not turns.stuck and not turns.told:
        put(f"({turns.why_not})")
