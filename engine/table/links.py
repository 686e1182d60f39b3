"""Links of chains at the table: asked for one after another, each told in the log before the dice fall."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from affray.engine.dice import MASTER, ChainUsedUp, Drawn, LinkChain, master_secret, onward
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.chains import ChainLeft, LinkGiven
from affray.events.facts.declared import Asked
from affray.events.store import Store
from affray.events.wording import counted
from affray.projections.state import Chain, Encounter, Question

LINK = "link"
"""What the key of a question says that waits for a link."""


MOST_BETWEEN = 100
"""So many declarations that nobody had made before a line was decided again are looked for at most."""

Known = Mapping[str, Sequence[LinkGiven | ChainLeft]]
"""What is known of the links for one declaration, in their order, by whose they are."""


class WrongLink(AffrayError):
    """Something else than the link that the fight waits for."""


def players(state: Encounter) -> list[str]:
    """Return whose links the dice follow from, beside the game master's, in the order of beginning."""
    return [by for by in state.chains if by != MASTER]


def is_for_link(question: Question | Asked) -> bool:
    """Say whether a question waits for a link."""
    return question.key.split("/")[2:3] == [LINK]


def draw(
    dice: Drawn, id: str, state: Encounter, emit: Callable[[Any], None], once_asked: Callable[[], bool]
) -> Asked | None:
    """Let the dice of a declaration follow from its links, each of which is emitted, the game master's last.

    Returns the question for the first that nobody has given. `once_asked` says whether the next that stands
    in the log is a question. Raises ChainUsedUp.
    """
    given: list[tuple[str, int, bytes]] = []
    number = dice.draws + 1
    for by in (*players(state), MASTER):
        chain = state.chains[by]
        if by != MASTER and chain.number >= chain.length:
            whole = f"all of {by}'s chain ({counted(chain.length, 'link')})"
            raise ChainUsedUp(f"{whole} was given: begin another, or leave")
        fact: Any = dice.links(by, number)
        if fact is None or once_asked():
            asked = Asked(f"{id}/{by}/{LINK}/{number}", by, f"the next link of {_whose(by)} chain", ())
            emit(asked)
            if fact is None:
                return asked
        emit(fact)
        if type(fact) is LinkGiven:
            given.append((by, fact.number, hash_of(fact.link)))
    (_, _, master) = given.pop()
    dice.draw(master, given)
    return None


def follows(chain: Chain, fact: LinkGiven) -> bool:
    """Say whether this is link `number` of the chain. O(hashes_for) of them.

    Where declarations were swapped an earlier one may come after a later one.
    """
    if not 1 <= fact.number <= chain.length:
        return False
    later, earlier = (fact.link, chain.last), (chain.last, fact.link)
    steps = fact.number - chain.number
    further, nearer = later if steps > 0 else earlier
    return onward(hash_of(further), abs(steps)).hex() == nearer


def hashes_for(chain: Chain, fact: LinkGiven) -> int:
    """Return how often is hashed to tell whether a link follows: the links between it and the last."""
    return abs(fact.number - chain.number) if 1 <= fact.number <= chain.length else 0


def hash_of(text: str) -> bytes:
    """Return the 32 bytes of hexadecimal digits, none for a text that is something else."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return b""
    return found if len(found) * 2 == len(text) == 64 else b""


def given(store: Store, state: Encounter, by: str, link: str) -> LinkGiven:
    """Return the fact that a player gave the link that is wanted. Raises WrongLink.

    O(1), O(events) in a log of several lines.
    """
    number = wanted(store, state, by)
    fact = LinkGiven(by, number, hash_of(link.strip()).hex())
    if not fact.link or not follows(state.chains[by], fact):
        raise WrongLink(f"that is not link {number} of {_whose(by)} chain")
    return fact


def wanted(store: Store, state: Encounter, by: str) -> int:
    """Return the number of the next link: of a player's the first that stands on no line of the log."""
    anchor, highest = state.chains[by].anchor, state.chains[by].number
    branches = list(store.branches())
    if len(branches) > 1 and by != MASTER:
        for branch in branches:
            highest = max(highest, *_given_on(store, branch.name, by, anchor))
    return highest + 1


def _given_on(store: Store, branch: str, by: str, anchor: str) -> Iterable[int]:
    """Yield the numbers of a party's links on a line, and 0."""
    yield 0
    mine = False
    for event in store.read(branch):
        if event.type == "chain.begun":
            fact = decode(event)
            mine = fact.anchor == anchor if fact.by == by else mine
        elif mine and event.type == "link.given":
            fact = decode(event)
            if fact.by == by:
                yield fact.number


def links_of(facts: Iterable[object]) -> dict[str, tuple[LinkGiven | ChainLeft, ...]]:
    """Return what facts of one declaration hold of links: by whom, what was given, or that they left.

    Who was asked for one, and gave none, has none.
    """
    found: dict[str, tuple[LinkGiven | ChainLeft, ...]] = {}
    for fact in facts:
        if isinstance(fact, Asked) and is_for_link(fact):
            found.setdefault(fact.who, ())
        elif isinstance(fact, LinkGiven | ChainLeft):
            found[fact.by] = (*found.get(fact.by, ()), fact)
    return found


class TableLinks:
    """Links as a table has them: those that people gave, and the game master's own, from the seed."""

    def __init__(self, state: Encounter, seed: str, known: Known) -> None:
        self.state, self.seed, self.known = state, seed, known

    def __call__(self, by: str, draw: int) -> LinkGiven | ChainLeft | None:
        """Return what is known of a party's link for the n-th draw, None if nothing is.

        Raises ChainUsedUp.
        """
        known = self.known.get(by, ())
        if draw <= len(known):
            return known[draw - 1]
        if by != MASTER or not self.seed:
            return None
        chain = self.state.chains[by]
        number = chain.number + 1
        return LinkGiven(by, number, masters_of(self.seed, chain).link(number).hex())


def masters_of(seed: str, chain: Chain) -> LinkChain:
    """Return the game master's chain with the anchor that stands in the log.

    Where a line was decided again more may have been declared before the chain began, by policy or by a
    ruling, than when it was made, or one less: those numbers are tried. Raises WrongLink if none fits.
    """
    for begun in (*range(chain.begun, max(-1, chain.begun - MOST_BETWEEN), -1), chain.begun + 1):
        found = masters(seed, begun, chain.length)
        if found.anchor.hex() == chain.anchor:
            return found
    raise WrongLink("the game master's chain in the log does not follow from the seed that is known")


@lru_cache(maxsize=256)
def masters(seed: str, begun: int, length: int) -> LinkChain:
    """Return the game master's chain that was begun after so many declarations; `seed` is hexadecimal."""
    return LinkChain(master_secret(bytes.fromhex(seed), begun), length)


def _whose(by: str) -> str:
    return f"{by}'s" if by else "the game master's"
