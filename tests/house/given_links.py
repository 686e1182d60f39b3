"""Players for tests, whose chains follow from their names, so that anybody can give their next link."""

import random
from hashlib import sha256

from affray.engine.dice import LinkChain
from affray.engine.table.links import is_for_link, wanted
from affray.engine.table.table import Table

LENGTH = 500


def chain_of(name: str) -> LinkChain:
    """Return the chain of a player of that name."""
    return LinkChain(sha256(name.encode()).digest(), LENGTH)


def joined(table: Table, *names: str) -> Table:
    """Return the table, its dice following from chains of these players too."""
    for name in names:
        table.begin_chain(name, chain_of(name).anchor.hex(), LENGTH)
    return table


def answer(table: Table, dice: random.Random) -> None:
    """Answer what the fight waits for at random: an option, or the link, which seldom nobody gives."""
    question = table.waiting
    assert question is not None
    if not is_for_link(question):
        table.choose(dice.choice(question.options))
    elif dice.random() < 0.02:
        table.leave_chain(question.who, "gone")
    else:
        number = wanted(table.store, table.state, question.who)
        table.choose(chain_of(question.who).link(number).hex())
