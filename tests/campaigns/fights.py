"""Random fights without end, every declaration checked.

    python tests/campaigns/fights.py [--declarations 10000] [--dialect D] [--seed N] [--json]

After each declaration: the log folds to the live state, the state is legal, a refusal changed nothing but
the trail and cites a rule of the book, and nobody had two turns in a round.
After each fight: the whole log verifies, a table opened anew stands where the live one stood, and it can be
told, shown and explained. Most fights begin in the middle of a random scenario of the tables, with any
sheets of theirs joining in. Prints a line for each dialect; the exit
status is 1 if anything failed, and the failing fight's number goes on with --seed.
"""

import argparse
import json
import random
import sys
import time
import traceback
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct, field

from affray.engine.dice import Manual
from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.engine.text.narrate import lines
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import RoundBegan, TurnBegan, TurnDelayed
from affray.projections.fold import fold
from affray.projections.state import Encounter, freeze
from affray.replay.explain.why import text, why
from affray.replay.verification.verify import verify
from affray.replay.viewer.frames import frames
from tests.house.crowds import crowded, crowding_act
from tests.house.fights import DIALECTS, MOST, legal, opened, random_fiat, sharing
from tests.house.wild import anywhere, wild_act
from tests.referee.referee import Referee

LONGEST_FIGHT = 150
LONGEST_SECONDS = 5.0
MOST_EXPLAINED = 5


class Tally(Struct):
    """What a campaign counted."""

    dialect: str
    fights: int = 0
    declarations: int = 0
    refused: int = 0
    answers: int = 0
    events: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)


class Turns:
    """Who has had a turn in this round. A delayed or awaited turn is the same turn."""

    def __init__(self) -> None:
        self.had: list[str] = []

    def watch(self, facts: list[Any]) -> None:
        """Assert that nobody begins two turns of a round."""
        for fact in facts:
            if isinstance(fact, RoundBegan):
                self.had = []
            elif isinstance(fact, TurnDelayed):
                if fact.who in self.had:  # else the turn began before the watch
                    self.had.remove(fact.who)
            elif isinstance(fact, TurnBegan):
                assert fact.who not in self.had, f"{fact.who} has a second turn in this round"
                self.had.append(fact.who)


def fight(dialect: str, seed: int, tally: Tally, most: int = LONGEST_FIGHT) -> None:
    """Play one random fight and check it. Raises whatever goes wrong."""
    dice = random.Random(f"{dialect} {seed}")
    store = MemoryStore()
    start = dice.random()
    begin = opened if start < 0.25 else partial(crowded if start < 0.5 else anywhere, dice)
    table = begin(dialect, store, seed)
    by_hand = Manual(lambda key, notation: None) if dice.random() < 0.1 else None
    table.use(by_hand, dice.choice((policies.auto, policies.ask, policies.cautious)))
    folded = fold(store.read("main"))
    turns, together = Turns(), sharing(table.fight)
    legal(table.fight, together)
    referee = Referee()
    watched(referee, store, 0)
    sensible, crowds = dice.choice((0.2, 0.5, 0.8)), dice.choice((0.0, 0.3, 0.7))
    set_by_word = dice.choice((0.0, 0.0, 0.3))
    unaware = tuple(id for id in table.state.combatants if dice.random() < 0.2)
    plan = [] if table.state.begun else [acts.Begin(unaware=unaware)]
    for _ in range(most):
        before, frozen = table.seq, freeze(table.state)
        if table.waiting is not None:
            tally.answers += 1
            asked = table.waiting
            answer = dice.choice(asked.options) if asked.options else shown(dice, asked.notation)
            began = time.perf_counter()
            outcome = table.choose(answer)
        else:
            act = plan.pop() if plan else (next_act(table) if dice.random() < sensible else None)
            if dice.random() < 0.001:
                act = acts.Close(reason="enough")
            if act is None and table.state.combatants and dice.random() < crowds:
                act = crowding_act(dice, table.fight)
            if table.state.combatants and dice.random() < set_by_word:
                act = random_fiat(dice, table.fight, dice.choice([*table.state.combatants]))
            if act is None or (isinstance(act, acts.Enter) and len(table.state.combatants) >= MOST):
                act = wild_act(dice, table.fight)
            began = time.perf_counter()
            outcome = table.declare(act)
            tally.declarations += 1
        tally.slowest = max(tally.slowest, time.perf_counter() - began)
        folded = fold(store.read("main", after=before), folded)
        assert freeze(folded) == freeze(table.state), "the log does not fold to the live state"
        watched(referee, store, before)
        legal(table.fight, together)
        turns.watch(outcome.facts)
        if outcome.refused is not None:
            tally.refused += 1
            assert outcome.refused.rule in table.fight.book, f"refused by no rule: {outcome.refused}"
            assert unchanged(frozen, freeze(table.state)), f"a refusal changed the state: {outcome.refused}"
        if table.state.closed and dice.random() < 0.1:
            break
    assert tally.slowest < LONGEST_SECONDS, f"a declaration took {tally.slowest:.1f} s"
    report = verify(store)
    assert report.ok, report
    assert freeze(Table(store).state) == freeze(table.state), "a table opened anew stands elsewhere"
    assert isinstance(folded, Encounter)
    told(store, dice)
    tally.events += table.seq
    tally.fights += 1


def watched(referee: Referee, store: MemoryStore, after: int) -> None:
    """Assert that the referee, who reads nothing but the events, has nothing against those that have come."""
    for event in store.read("main", after=after):
        referee.see(event.data)
    referee.settle()
    assert not referee.objections, "; ".join(map(str, referee.objections[:5]))


def told(store: MemoryStore, dice: random.Random) -> None:
    """Assert that a fight can be told, shown and explained: narrator, frames of the page, why."""
    facts = [decode(event) for event in store.read("main")]
    assert all(fact is not None for fact in facts)
    for _ in lines(facts):
        pass
    frames(store, "main")
    for seq in dice.sample(range(1, len(facts) + 1), min(len(facts), MOST_EXPLAINED)):
        text(why(store, "main", seq))


def shown(dice: random.Random, notation: str) -> str:
    """Return faces for a throw by hand."""
    from affray.engine.dice import Seeded, parse

    thrown = Seeded(dice.randbytes(32)).throw("d1/by/hand/1", parse(notation))
    assert thrown is not None
    return ",".join(map(str, thrown[0].faces))


def unchanged(before: bytes, after: bytes) -> bool:
    """Say whether two frozen states differ in nothing but the count of refused declarations."""
    return {**json.loads(before), "refusals": 0} == {**json.loads(after), "refusals": 0}


def campaign(dialect: str, declarations: int, seed: int = 0, most_failures: int = 5) -> Tally:
    """Play random fights of a dialect until so many declarations were made."""
    tally, began = Tally(dialect), time.perf_counter()
    while tally.declarations < declarations and len(tally.failures) < most_failures:
        try:
            fight(dialect, seed, tally, min(LONGEST_FIGHT, declarations))
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames[-6:]))
            tally.failures.append(f"--seed {seed}: {type(error).__name__}: {str(error)[:600]} ({where})")
        seed += 1
    tally.seconds = time.perf_counter() - began
    return tally


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description="Random fights without end, every declaration checked.")
    parser.add_argument("--declarations", type=int, default=10_000, help="for each dialect")
    parser.add_argument("--dialect", choices=DIALECTS, action="append")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first fight")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    failed = False
    for dialect in given.dialect or DIALECTS:
        tally = campaign(dialect, given.declarations, given.seed)
        failed = failed or bool(tally.failures)
        if given.json:
            print(json.dumps({name: getattr(tally, name) for name in tally.__struct_fields__}))
            continue
        print(
            f"{dialect}: {tally.declarations} declarations ({tally.refused} refused), "
            f"{tally.answers} answers, "
            f"{tally.events} events in {tally.fights} fights, {tally.seconds:.0f} s, "
            f"slowest {tally.slowest * 1000:.0f} ms, {len(tally.failures)} failures"
        )
        for failure in tally.failures:
            print(f"  {failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
