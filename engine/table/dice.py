"""The dice of a table: by seed, links or hand, from players together, and as recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

import msgspec
from msgspec import Struct

from affray.engine.dice import (
    DRAWN,
    LENGTH,
    LONGEST,
    MASTER,
    ChainUsedUp,
    Drawn,
    LinkChain,
    Manual,
    Notation,
    Recorded,
    Seeded,
    Source,
    Throw,
    commitment,
    joint_seed,
    master_secret,
    onward,
    parse,
)
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.table import policies
from affray.engine.table.appending import Appending, Outcome, Resolution, TooLate, UnknownChain, WrongAnswer
from affray.engine.table.policies import Answers, BadThrow, checked_dice
from affray.events.codec import as_read, decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, InvalidEntry, SecretsMissing, counted
from affray.events.facts.flow import Asked, ChainBegun, ChainLeft, LinkGiven, Rolled, SeedContributed
from affray.events.secrets import SEED
from affray.events.stores.store import Store
from affray.projections.state import Chain, Encounter, Question

# --- Physical dice: the combatants that use them, stored with the secrets of the log
# This is no fact of the fight: which dice people rolled is in the log already, roll by roll. A log without
# the setting, as all older ones, plays on with the encounter's own dice. It is stored as a series of values
# under numbered names, since files next to a log are never changed.

EVERYBODY = "everybody"
"""Every roll, those of the game master too."""

SIDE = "side:"
"""The prefix of the name of a side."""

_NAME = "by-hand."


def by_hand(store: Store) -> tuple[str, ...]:
    """Return the users of physical dice: ids, `side:NAME`, `everybody`. O(changes)."""
    found: tuple[str, ...] = ()
    number = 1
    while (kept := store.note(f"{_NAME}{number}")) is not None:
        found = msgspec.json.decode(kept, type=tuple[str, ...])
        number += 1
    return found


def keep_by_hand(store: Store, whom: Iterable[str]) -> None:
    """Set the users of physical dice from now on; an empty collection for none."""
    wanted = tuple(dict.fromkeys(whom))
    if wanted == by_hand(store):
        return
    number = 1
    while store.note(f"{_NAME}{number}") is not None:
        number += 1
    store.keep_note(f"{_NAME}{number}", msgspec.json.encode(wanted))


_WAITING = Manual(lambda key, notation: None)


class ByHand:
    """Dice of which some are physical: the fight waits for their rolls; the others are unchanged.

    In a declaration that has begun, the rolls `by_links` are not physical, nor, with `next_by_links`, the one
    after them: their links were requested before the physical dice were chosen.
    """

    def __init__(
        self,
        whom: Iterable[str],
        fight: Fight,
        then: Source,
        by_links: Iterable[str] = (),
        next_by_links: bool = False,
    ) -> None:
        self.whom, self.fight, self.then = frozenset(whom), fight, then
        self._by_links, self._next = set(by_links), next_by_links

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Return the throw of the other dice; None for a roll that is made by hand: the fight waits."""
        if self._next and key not in self._by_links:
            self._by_links.add(key)
            self._next = False
        dice = _WAITING if key not in self._by_links and self._waits() else self.then
        return dice.throw(key, notation)

    def _waits(self) -> bool:
        if EVERYBODY in self.whom:
            return True
        one = self.fight.state.combatants.get(self.fight.roller)
        return one is not None and (one.id in self.whom or f"{SIDE}{one.side}" in self.whom)


# --- The seed of a fight's dice, from its storage


def kept_seed(store: Store, revealed: str, *, needed: bool) -> bytes | None:
    """Return the seed: from the secrets of the log, or as `revealed` (hexadecimal digits, "" if not yet).

    None if there is none. Raises SecretsMissing if it is needed but unreadable.
    """
    try:
        kept = store.secret(SEED)
    except SecretsMissing:
        if needed and not revealed:
            raise
        kept = None
    try:
        return kept or bytes.fromhex(revealed) or None
    except ValueError:
        return None  # no seed of ours: verify says so


# --- Links of chains at the table: requested one after another, each recorded in the log before the dice fall

LINK = "link"
"""The part of the key of a question that waits for a link."""


MOST_BETWEEN = 100
"""The most declarations that were not in the log before a line was decided again which are searched."""

Known = Mapping[str, Sequence[LinkGiven | ChainLeft]]
"""The known links for one declaration, in their order, by their owners."""


class WrongLink(AffrayError):
    """An answer other than the link that the fight waits for."""


def players(state: Encounter) -> list[str]:
    """Return the players whose links determine the dice, without the game master, in order of beginning."""
    return [by for by in state.chains if by != MASTER]


def is_for_link(question: Question | Asked) -> bool:
    """Return whether a question waits for a link."""
    return question.key.split("/")[2:3] == [LINK]


def draw(
    dice: Drawn, id: str, state: Encounter, emit: Callable[[Struct], None], once_asked: Callable[[], bool]
) -> Asked | None:
    """Derive the dice of a declaration from its links; each link is emitted, the game master's last.

    Returns the question for the first missing link. `once_asked` returns whether the next event in the log is
    a question. Raises ChainUsedUp.
    """
    given: list[tuple[str, int, bytes]] = []
    number = dice.draws + 1
    for by in (*players(state), MASTER):
        chain = state.chains[by]
        if by != MASTER and chain.number >= chain.length:
            whole = f"all of {by}'s chain ({counted(chain.length, 'link')})"
            raise ChainUsedUp(f"{whole} was given: begin another, or leave")
        fact = dice.links(by, number)
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
    """Return whether this is link `number` of the chain. O(hashes_for).

    Where declarations were swapped, an earlier link may come after a later one.
    """
    if not 1 <= fact.number <= chain.length:
        return False
    later, earlier = (fact.link, chain.last), (chain.last, fact.link)
    steps = fact.number - chain.number
    further, nearer = later if steps > 0 else earlier
    return onward(hash_of(further), abs(steps)).hex() == nearer


def hashes_for(chain: Chain, fact: LinkGiven) -> int:
    """Return the number of hashes needed to check a link: the links between it and the last."""
    return abs(fact.number - chain.number) if 1 <= fact.number <= chain.length else 0


def hash_of(text: str) -> bytes:
    """Return the 32 bytes of hexadecimal digits, none for other texts."""
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
    """Return the number of the next link: for a player, the first that is on no line of the log."""
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
    """Return the links in the facts of one declaration: by player, the link given, or that the player left.

    A player who was asked and gave none is not listed.
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
    """Return the game master's chain with the anchor recorded in the log.

    On a redecided line a policy or a ruling may have changed the number of declarations before the chain
    began: the possible numbers are tried. Raises WrongLink if none fits.
    """
    for begun in (*range(chain.begun, max(-1, chain.begun - MOST_BETWEEN), -1), chain.begun + 1):
        found = masters(seed, begun, chain.length)
        if found.anchor.hex() == chain.anchor:
            return found
    raise WrongLink("the game master's chain in the log does not follow from the seed that is known")


@lru_cache(maxsize=256)
def masters(seed: str, begun: int, length: int) -> LinkChain:
    """Return the game master's chain begun after `declarations` declarations; `seed` is hexadecimal."""
    return LinkChain(master_secret(bytes.fromhex(seed), begun), length)


def _whose(by: str) -> str:
    return f"{by}'s" if by else "the game master's"


# --- Dice and answers that repeat what a log holds of a declaration, and then go on


def replaying(recorded: Sequence[Event], dice: Source, answers: Answers) -> tuple[Source, Answers]:
    """Return dice and answers that repeat what `recorded` holds and go on with the given ones."""
    faces: dict[str, tuple[tuple[int, ...], str]] = {}
    known: dict[str, tuple[str, str]] = {}
    for event in recorded:
        if event.type == "rolled":
            fact = decode(event)
            if fact.provenance not in DRAWN:  # these follow from links, which precede them in the log
                faces[fact.key] = (fact.faces, fact.provenance)
        elif event.type == "chosen":
            fact = decode(event)
            known[fact.key] = (fact.answer, fact.by)
    return Recorded(faces, dice), policies.Recorded(known, answers)


# --- The dice of a table: the encounter's own by seed or links, a program's instead, physical dice for some


class TableDice:
    """The dice in use at a table."""

    def __init__(self, store: Store, state: Encounter, given: Source | None, hands: Iterable[str]) -> None:
        """Read the seed: from the secrets of the log, as revealed in it, or that of `given` dice.

        Raises SecretsMissing.
        """
        self.store, self.hands, self.state = store, tuple(hands), state
        self.plain = not self.hands and not state.chains
        """Whether one source throws all dice: the usual case, and the fastest."""
        needed = given is None and EVERYBODY not in self.hands
        seed = kept_seed(store, state.seed, needed=needed)
        if seed is None and type(given) is Seeded and commitment(given.seed) == state.commitment:
            seed = given.seed  # the secret of a log that came without it
        self.seed = seed.hex() if seed is not None else ""
        self.seeded: Source = (
            # A log that came without its seed (an import) is played on with physical dice.
            Seeded(joint_seed(seed, state.contributions))
            if seed is not None
            else Manual(lambda key, notation: None)
        )
        self.use(given)

    def use(self, given: Source | None) -> None:
        """Use a program's checked dice from here on, or the encounter's own again."""
        self.source = checked_dice(given, self.seeded, self.state)
        own = type(given) is Seeded and type(self.source) is Seeded
        self.given = None if own or given is self.seeded else given

    def masters_chain(self, declarations: int) -> ChainBegun:
        """Return the game master's chain begun after `declarations` declarations. Raises SecretsMissing."""
        if not self.seed:
            kept_seed(self.store, self.state.seed, needed=True)
            raise SecretsMissing("the game master's chain follows from the seed, which is not known")
        return ChainBegun(MASTER, masters(self.seed, declarations, LONGEST).anchor.hex(), LONGEST)

    def thrown_instead(self, question: Question) -> tuple[Sequence[int], str]:
        """Return the faces that the encounter's own dice show for a roll that waits for physical dice.

        Raises WrongAnswer if they follow from links of players, or if the seed is not known.
        """
        if self.state.chains and players(self.state):
            raise WrongAnswer("the dice follow from links of players here: say which faces were thrown")
        if not self.seed:
            raise WrongAnswer("the seed of the dice is not here: say which faces were thrown")
        thrown = self.seeded.throw(question.key, parse(question.notation))
        assert thrown is not None  # the dice of a seed are always there
        return thrown[0].faces, thrown[1]

    def thrown(self, fight: Fight) -> Source:
        """Return the dice for one declaration."""
        dice = self._drawn(fight, {})
        return ByHand(self.hands, fight, dice) if self.hands else dice

    def thrown_further(self, fight: Fight, facts: Sequence[object]) -> Source:
        """Return the dice for one that has begun: `facts` are its facts so far, and the link given."""
        dice = self._drawn(fight, links_of(facts))
        if not self.hands:
            return dice
        by_links = [fact.key for fact in facts if isinstance(fact, Rolled) and fact.provenance in DRAWN]
        asked = [fact for fact in facts if isinstance(fact, Asked)]
        return ByHand(self.hands, fight, dice, by_links, bool(asked) and is_for_link(asked[-1]))

    def _drawn(self, fight: Fight, known: Known) -> Source:
        if not fight.state.chains or not players(fight.state):
            return self.source
        if self.given is None:
            return Drawn(TableLinks(fight.state, self.seed, known))
        return NoneSeeded(self.source)


class NoneSeeded:
    """A program's dice for a log whose dice follow from links: throws by the seed, known beforehand, are
    refused.
    """

    def __init__(self, dice: Source) -> None:
        self.dice = dice

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw of the dice. Raises BadThrow for one of the seed."""
        found = self.dice.throw(key, notation)
        if found is not None and found[1] == "seeded":
            raise BadThrow(f"{key}: the dice follow from links of players here, not from the seed")
        return found


# --- Dice with players' contributions: words for the seed, and chains whose links they follow from


class JointDice(Appending):
    """A line of play whose dice may follow from several people's contributions."""

    answers: Answers
    _dice: TableDice

    def _resumed(
        self,
        faces: Mapping[str, tuple[Sequence[int], str]],
        answers: Answers,
        link: LinkGiven | ChainLeft | None = None,
    ) -> Resolution:
        """Resume the open declaration with the answer that it waits for."""
        raise NotImplementedError

    def contribute(self, by: str, words: str) -> int:
        """Contribute a player's words to the seed of the dice, and return the position of that event.

        From then on the dice follow from the secret seed, to which the first event commits the game master,
        and from all contributions. Raises TooLate once anything was declared, InvalidEntry, Conflict.
        """
        if self._behind:
            self._load()
        if self.state.declarations or self.state.refusals:
            raise TooLate(
                "there are declarations already: a contribution to the seed could now be chosen to suit them"
            )
        given = as_read(SeedContributed(by, words))
        if not given.by or not given.words:
            raise InvalidEntry("seed.contributed: name who gives, and what")
        return self._aside(given)

    def begin_chain(self, by: str, anchor: str, length: int = LENGTH) -> int:
        """Add a player's chain to the dice, and return the position of that event.

        The game master's chain begins with the first. From then on the fight waits for a link of every player
        (`choose`) before the first die of each declaration, so that no one can foresee its faces. Raises
        MustAnswer while the fight waits, InvalidEntry, Conflict, SecretsMissing.
        """
        begun = as_read(ChainBegun(by, hash_of(anchor.lower()).hex(), length))
        self._be_idle()
        if not by or "/" in by or not begun.anchor:
            raise InvalidEntry(
                "chain.begun: name whose chain it is, without a slash, and its anchor, 64 hexadecimal digits"
            )
        if MASTER not in self.state.chains:
            self._aside(self._dice.masters_chain(self.state.declarations))
        return self._aside(begun)

    def leave_chain(self, by: str, reason: str = "") -> Outcome:
        """Remove a player's chain from the dice, and record this in the log.

        If the fight waits for a link of it, it goes on without. Raises UnknownChain, MustAnswer while it
        waits for something else, and the errors of `choose`.
        """
        left = as_read(ChainLeft(by, reason))
        if self._behind:
            self._load()
        if by not in players(self.state):
            raise UnknownChain(f"{by!r} has no chain here: {', '.join(players(self.state)) or 'nobody has'}")
        question = self.state.pending
        if question is not None and is_for_link(question) and question.who == by:
            return self._once("", lambda _: partial(self._resumed, {}, self.answers, left), left)
        self._be_idle()
        at = self._aside(left)
        return Outcome(tuple(self.store.read(self.branch, after=at - 1)), store=self.store)
