"""The campaign on memory: the same fights cached, checked, uncached and reopened, log by log the same bytes.

    python tests/campaigns/modes.py [--every N] [--fights N] [--part K/N] [--json]

plays every scenario (or each Nth) as written and under readings chosen at random, the declarations of every
golden log, and N random fights of three kinds (--fights, 400 by default), each in all four modes. In checked
mode a cached answer that differs from the current one raises StaleAnswer. Prints the counts and what failed;
the exit status is 1 if anything did. `--part 1/2` plays the first half, for two processes.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.book.source import dialects
from affray.engine.fight.kept import Mode
from affray.engine.table import policies
from affray.engine.table.scenario import Scenario, fixed_seed, play
from affray.engine.table.scenario_text import BadScenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.projections.fold import fold
from tests.campaigns.played import counted
from tests.campaigns.readings import play_under
from tests.golden.add import golden, loaded
from tests.house.changing import changing_act, open_changing
from tests.house.crowds import crowded, crowding_act
from tests.house.wild import anywhere, wild_act

MODES: Final[tuple[Mode, ...]] = ("cached", "checked", "uncached", "reopened")
STEPS: Final = 80
"""Declarations of a random fight."""

Player = Callable[[MemoryStore, Mode], object]


class Tally(Struct):
    """How many fights were played in all modes, how many events they had, and what failed."""

    fights: int = 0
    events: int = 0
    failures: list[str] = []


def play_in_modes(tally: Tally, title: str, player: Player) -> None:
    """Play a fight in each mode; count it, and what differs or raises what the cached one does not."""
    heads: dict[Mode, str] = {}
    for mode in MODES:
        store = MemoryStore()
        ended = ""
        try:
            player(store, mode)
        except Exception as fault:  # what the cached play raises, all must raise
            ended = f" {type(fault).__name__}: {fault}"
        heads[mode] = (
            store.head("main").digest.hex() if list(store.read("main", upto=1)) else "empty"
        ) + ended
        tally.events += store.head("main").seq if mode == "cached" and not ended else 0
    tally.fights += 1
    tally.failures += [
        f"{title}: {mode}{head[64:]}" for mode, head in heads.items() if head != heads["cached"]
    ]


def scenario_players(case: Scenario, dice: random.Random) -> Iterator[tuple[str, Player]]:
    """Yield a scenario as written, and under readings chosen at random."""
    yield case.name, lambda store, mode: play(case, store, seed=fixed_seed(case), strict=True, memory=mode)
    contested = [one for one in Book.load(case.dialect).contested.values() if not one.awaits]
    chosen = {one.option: dice.choice(one.readings).name for one in contested}
    other = replace(case, options=chosen)

    def play_other(store: MemoryStore, mode: Mode) -> None:
        with suppress(BadScenario):
            play_under(other, store, memory=mode)

    yield f"{case.name} (other readings)", play_other


def golden_player(file: str) -> Player:
    """Return what declares all that a golden log declares, under its options, with dice of a fixed seed."""
    events = [decode(event) for event in loaded(file).read("main")]
    opened = events[0]
    declared = [one.act for one in events if type(one).__struct_config__.tag == "declared"]

    def player(store: MemoryStore, mode: Mode) -> None:
        table = Table.create(
            store,
            dialect=opened.dialect,
            terrain=opened.terrain,
            options=dict(fold(loaded(file).read("main", upto=1)).options),
            barriers=opened.barriers,
            ground=opened.ground,
            seed=file.ljust(32)[:32].encode(),
            memory=mode,
        )
        for act in declared:
            if table.waiting is None:
                with suppress(AffrayError):
                    table.declare(act)
            while table.waiting is not None:
                table.choose(table.waiting.options[0] if table.waiting.options else "roll")

    return player


def random_player(dialect: str, seed: int) -> Player:
    """Return a random fight of one of three kinds: in a scenario, in a crowd, of changing combatants."""
    kind = ("changing", "anywhere", "crowd")[seed % 3]

    def player(store: MemoryStore, mode: Mode) -> None:
        dice = random.Random(f"{dialect} {seed}")
        make: Callable[..., Table] = {"changing": open_changing, "anywhere": anywhere, "crowd": crowded}[kind]
        more = {"readings": True} if kind != "crowd" and seed % 2 else {}
        table = make(dice, dialect, store, seed, mode, **more)
        table.use(None, dice.choice((policies.auto, policies.ask, policies.cautious)))
        if not table.state.begun:
            table.declare(acts.Begin(unaware=()))
        for _ in range(STEPS):
            if table.waiting is not None:
                table.choose(dice.choice(table.waiting.options or ("roll",)))
            elif kind == "changing":
                table.declare(changing_act(dice, table))
            else:
                act = next_act(table) if dice.random() < 0.2 else None
                senseless = wild_act if kind == "anywhere" else crowding_act
                table.declare(act if act is not None else senseless(dice, table.fight))

    return player


def players(every: int, fights: int) -> Iterator[tuple[str, Player]]:
    """Yield all that is played, by title."""
    from tests.scenarios.test_scenarios import CASES

    dice = random.Random("readings")
    for _, case in CASES[::every]:
        yield from scenario_players(case, dice)
    for one in golden():
        if not fold(loaded(one.file).read("main", upto=1)).packages:
            yield one.file, golden_player(one.file)
    for number in range(fights):
        dialect = dialects()[number % len(dialects())]
        yield f"random fight {number} ({dialect})", random_player(dialect, number // len(dialects()))


def main() -> int:
    """Run the campaign as the command line says and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth scenario only")
    parser.add_argument("--fights", type=int, default=400, metavar="N", help="random fights")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="the Kth of N parts")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    tally = Tally()
    chosen = list(players(given.every, given.fights))[part - 1 :: parts]
    for title, player in counted(chosen, "fights in 4 modes"):
        play_in_modes(tally, title, player)
    if given.json:
        print(json.dumps({name: getattr(tally, name) for name in tally.__struct_fields__}))
    else:
        counts = f"{tally.fights} fights in {len(MODES)} modes, {tally.events} events"
        print(f"{counts}, {len(tally.failures)} failed")
        print("".join(f"  {failure}\n" for failure in tally.failures), end="")
    return int(bool(tally.failures))


if __name__ == "__main__":
    sys.exit(main())
