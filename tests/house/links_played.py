"""Fights for tests whose dice follow from links of players; their chains follow from their names."""

import random
from hashlib import sha256

from affray.engine.dice import LinkChain, Seeded, parse
from affray.engine.table.appending import Outcome
from affray.engine.table.dice import is_for_link, wanted
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import Rolled
from affray.events.stores.store import Store

SECRET = b"the game master's own secret"
DIALECTS = ("futurepath", "pf1", "srd35", "woa")
LENGTH = 500


def chain_of(name: str, length: int = LENGTH) -> LinkChain:
    """Return the chain of a player of that name, which anybody can reckon again."""
    return LinkChain(sha256(name.encode()).digest(), length)


def joined(table: Table, *names: str) -> Table:
    """Return the table, its dice following from chains of these players too."""
    return Players(*names).join(table)


def answer(table: Table, dice: random.Random) -> None:
    """Answer what the fight waits for at random: an option, faces, or the link, which seldom nobody gives."""
    question = table.waiting
    assert question is not None
    if question.notation:
        thrown = Seeded(dice.randbytes(32)).throw(question.key, parse(question.notation))
        assert thrown is not None
        table.choose(",".join(map(str, thrown[0].faces)))
    elif not is_for_link(question):
        table.choose(dice.choice(question.options))
    elif dice.random() < 0.02:
        table.leave_chain(question.who, "gone")
    else:
        number = wanted(table.store, table.state, question.who)
        table.choose(chain_of(question.who).link(number).hex())


class Players:
    """Players who give their next link whenever the fight waits for one."""

    def __init__(self, *names: str, length: int = LENGTH) -> None:
        self.chains = {name: chain_of(name, length) for name in names}
        self.given = dict.fromkeys(names, 0)

    def join(self, table: Table) -> Table:
        """Begin all chains."""
        for name, chain in self.chains.items():
            table.begin_chain(name, chain.anchor.hex(), chain.length)
        return table

    def give(self, table: Table) -> Outcome:
        """Give the one link that is waited for."""
        assert table.waiting is not None
        by = table.waiting.who
        self.given[by] += 1
        return table.choose(self.chains[by].link(self.given[by]).hex())

    def play(self, table: Table, act: acts.Act) -> Outcome:
        """Declare an act, and give links as long as they are waited for."""
        outcome = table.declare(act)
        while table.waiting is not None and table.waiting.key.split("/")[2] == "link":
            outcome = self.give(table)
        return outcome


def opened(store: Store | None = None, dialect: str = "srd35") -> Table:
    """Return an encounter in which nobody has a chain yet."""
    return Table.create(store or MemoryStore(), dialect=dialect, terrain=["........"] * 4, seed=SECRET)


def entered(players: Players, table: Table) -> Table:
    """Return the encounter begun, with two combatants beside each other."""
    sheets = list(packaged_sheets(table.state.dialect).items())[:2]
    for (id, sheet), side, at in zip(sheets, ("heroes", "monsters"), ((1, 1), (2, 1)), strict=True):
        assert players.play(table, acts.Enter(id=id, side=side, sheet=sheet, at=at)).refused is None
    assert players.play(table, acts.Begin()).refused is None
    return table


def fought(players: Players, table: Table, acts_at_most: int = 40) -> Table:
    """Return the fight played on by plain tactics."""
    for _ in range(acts_at_most):
        if table.state.closed or (act := next_act(table)) is None:
            break
        players.play(table, act)
    return table


def facts(table: Table) -> list[object]:
    """Return all facts of the line."""
    return [decode(event) for event in table.store.read(table.branch)]


def rolls(table: Table) -> list[Rolled]:
    """Return what the dice showed."""
    return [fact for fact in facts(table) if isinstance(fact, Rolled)]


class Lines:
    """What takes an export."""

    def __init__(self) -> None:
        self.all: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Take some lines."""
        self.all += data.splitlines(keepends=True)
        return len(data)
