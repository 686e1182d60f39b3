"""The dice of a table: the encounter's own by seed or links, a program's instead, people's for some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.engine.dice import (
    DRAWN,
    LONGEST,
    MASTER,
    Drawn,
    Manual,
    Notation,
    Seeded,
    Source,
    commitment,
    joint_seed,
    parse,
)
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.table.by_hand import EVERYBODY, ByHand
from affray.engine.table.callbacks import BadThrow, checked_dice
from affray.engine.table.kept_seed import kept_seed
from affray.engine.table.links import Known, TableLinks, is_for_link, links_of, masters, players
from affray.engine.table.outcome import WrongAnswer
from affray.events.errors import SecretsMissing
from affray.events.facts.chains import ChainBegun
from affray.events.facts.declared import Asked
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.state import Encounter, Question


class TableDice:
    """The dice in use at a table."""

    def __init__(self, store: Store, state: Encounter, given: Source | None, hands: Iterable[str]) -> None:
        """Learn the seed: kept beside the log, revealed in it, or that of `given` dice.

        Raises SecretsMissing.
        """
        self.store, self.hands, self.state = store, tuple(hands), state
        self.plain = not self.hands and not state.chains
        """Whether one source throws all dice: what most tables need, and fastest."""
        needed = given is None and EVERYBODY not in self.hands
        seed = kept_seed(store, state.seed, needed=needed)
        if seed is None and type(given) is Seeded and commitment(given.seed) == state.commitment:
            seed = given.seed  # the secret of a log that came without it
        self.seed = seed.hex() if seed is not None else ""
        self.seeded: Source = (
            # A log that came without its seed (an import) is played on with dice that people throw.
            Seeded(joint_seed(seed, state.contributions))
            if seed is not None
            else Manual(lambda key, notation: None)
        )
        self.use(given)

    def use(self, given: Source | None) -> None:
        """Take a program's dice from here on, by way of a check, or the encounter's own again."""
        self.source = checked_dice(given, self.seeded, self.state)
        own = type(given) is Seeded and type(self.source) is Seeded
        self.given = None if own or given is self.seeded else given

    def masters_chain(self, declarations: int) -> ChainBegun:
        """Return the game master's chain, begun after so many declarations. Raises SecretsMissing."""
        if not self.seed:
            kept_seed(self.store, self.state.seed, needed=True)
            raise SecretsMissing("the game master's chain follows from the seed, which is not known")
        return ChainBegun(MASTER, masters(self.seed, declarations, LONGEST).anchor.hex(), LONGEST)

    def thrown_instead(self, question: Question) -> tuple[Sequence[int], str]:
        """Return the faces that the encounter's own dice show for a roll that waits for people's.

        Raises WrongAnswer where they follow from links of players, or where the seed is not known.
        """
        if self.state.chains and players(self.state):
            raise WrongAnswer("the dice follow from links of players here: say which faces were thrown")
        if not self.seed:
            raise WrongAnswer("the seed of the dice is not here: say which faces were thrown")
        thrown = self.seeded.throw(question.key, parse(question.notation))
        assert thrown is not None  # the dice of a seed are always there
        return thrown[0].faces, thrown[1]

    def thrown(self, fight: Fight) -> Source:
        """Return what throws the dice of one declaration."""
        dice = self._drawn(fight, {})
        return ByHand(self.hands, fight, dice) if self.hands else dice

    def thrown_further(self, fight: Fight, facts: Sequence[object]) -> Source:
        """Return what throws the dice of one that has begun: `facts` hold it so far, and the link given."""
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
    """A program's dice where dice follow from links: none is the seed's, which is known beforehand."""

    def __init__(self, dice: Source) -> None:
        self.dice = dice

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw of the dice. Raises BadThrow for one of the seed."""
        found = self.dice.throw(key, notation)
        if found is not None and found[1] == "seeded":
            raise BadThrow(f"{key}: the dice follow from links of players here, not from the seed")
        return found
