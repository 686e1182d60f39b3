"""The campaign on memory: the same fights cached, checked, uncached and reopened, log by log the same bytes.

    python tests/campaigns/modes.py [--every N] [--fights N] [--mode MODE ...] [--as-written] [--json]

plays every scenario (or each Nth) as written and under readings chosen at random, the declarations of every
golden log, and N random fights of three kinds (--fights, 400 by default), each in all four modes: cached and
those given by --mode. With --as-written no scenario is played under other readings. In checked
mode a cached answer that differs from the current one raises StaleAnswer. Prints the counts and what failed;
the exit status is 1 if anything did.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

import click
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.book.catalogue import dialects
from affray.engine.fight.memory import Mode
from affray.engine.table import policies
from affray.engine.table.scenario import fixed_seed, play
from affray.engine.table.scenario_parts import BadScenario, Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.projections.fold import fold
from tests.campaigns.readings import play_under
from tests.golden.add import golden, loaded
from tests.house.changing import changing_act, open_changing
from tests.house.crowds import crowded, crowding_act
from tests.house.wild import anywhere, wild_act

MODES: Final[tuple[Mode, ...]] = ("cached", "checked", "uncached", "reopened")
LOT: Final = 25
"""Fights that a process takes at a time."""
STEPS: Final = 80
"""Declarations of a random fight."""

Player = Callable[[MemoryStore, Mode], object]


class Tally(Struct):
    """How many fights were played in all modes, how many events they had, and what failed."""

    fights: int = 0
    events: int = 0
    failures: list[str] = []


def play_in_modes(tally: Tally, title: str, player: Player, modes: Sequence[Mode] = MODES) -> None:
    """Play a fight in each mode; count it, and what differs or raises what the cached one does not."""
    heads: dict[Mode, str] = {}
    for mode in modes:
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


def players(every: int, fights: int, readings: bool = True) -> Iterator[tuple[str, Player]]:
    """Yield all that is played, by title; scenarios under other `readings` too."""
    from tests.scenarios.cases import all_cases

    dice = random.Random("readings")
    for _, case in all_cases()[::every]:
        yield from islice(scenario_players(case, dice), None if readings else 1)
    for one in golden():
        if not fold(loaded(one.file).read("main", upto=1)).packages:
            yield one.file, golden_player(one.file)
    for number in range(fights):
        dialect = dialects()[number % len(dialects())]
        yield f"random fight {number} ({dialect})", random_player(dialect, number // len(dialects()))


class Campaign(Struct, frozen=True):
    """What is played, and in which modes."""

    every: int
    fights: int
    readings: bool
    modes: tuple[Mode, ...]

    def play_lot(self, start: int) -> Tally:
        """Play a lot."""
        tally = Tally()
        for title, player in listed(self)[start : start + LOT]:
            play_in_modes(tally, title, player, self.modes)
        return tally


@cache
def listed(campaign: Campaign) -> list[tuple[str, Player]]:
    """Return all that a campaign plays, in the same order in every process."""
    return list(players(campaign.every, campaign.fights, campaign.readings))


def main() -> int:
    """Run the campaign as the command line says and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth scenario only")
    parser.add_argument("--fights", type=int, default=400, metavar="N", help="random fights")
    parser.add_argument(
        "--mode", action="append", choices=MODES[1:], help="compared with cached (repeatable)"
    )
    parser.add_argument("--as-written", action="store_true", help="scenarios under no other readings")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    modes = (MODES[0], *(given.mode or MODES[1:]))
    campaign = Campaign(given.every, given.fights, not given.as_written, modes)
    starts = range(0, len(listed(campaign)), LOT)
    total = Tally()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        lots = pool.map(campaign.play_lot, starts)
        with click.progressbar(lots, len(starts), f"fights, {LOT} at a time", file=sys.stderr) as bar:
            for lot in bar:
                total.fights += lot.fights
                total.events += lot.events
                total.failures += lot.failures
    if given.json:
        print(json.dumps({name: getattr(total, name) for name in total.__struct_fields__}))
    else:
        counts = f"{total.fights} fights in {len(modes)} modes, {total.events} events"
        print(f"{counts}, {len(total.failures)} failed")
        print("".join(f"  {failure}\n" for failure in total.failures), end="")
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main())
