"""Dice to which players give: words for the seed, and chains whose links they follow from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from affray.engine.dice import LENGTH, MASTER
from affray.engine.table.appending import Appending
from affray.engine.table.links import hash_of, is_for_link, players
from affray.engine.table.outcome import Outcome, Resolution, TooLate, UnknownChain
from affray.engine.table.policies import Answers
from affray.engine.table.table_dice import TableDice
from affray.events.codec import as_read
from affray.events.errors import InvalidEntry
from affray.events.facts.chains import ChainBegun, ChainLeft, LinkGiven
from affray.events.facts.flow import SeedContributed


class JointDice(Appending):
    """A line of play whose dice may follow from what several people give."""

    answers: Answers
    _dice: TableDice

    def _resumed(
        self,
        faces: Mapping[str, tuple[Sequence[int], str]],
        answers: Answers,
        link: LinkGiven | ChainLeft | None = None,
    ) -> Resolution:
        """Return what comes of the open declaration with an answer to what it waits for."""
        raise NotImplementedError

    def contribute(self, by: str, words: str) -> int:
        """Give words of a player to the seed of the dice, and return the position of that event.

        From then on the dice follow from the secret seed, to which the first event commits the game master,
        and from all that was given. Raises TooLate once anything was declared, InvalidEntry, Conflict.
        """
        if self._behind:
            self._load()
        if self.state.declarations or self.state.refusals:
            raise TooLate(
                "something was declared already: what is given to the seed now could be chosen for it"
            )
        given = as_read(SeedContributed(by, words))
        if not given.by or not given.words:
            raise InvalidEntry("seed.contributed: name who gives, and what")
        return self._aside(given)

    def begin_chain(self, by: str, anchor: str, length: int = LENGTH) -> int:
        """Let the dice follow from the links of a player's chain too, and return the position of that event.

        The game master's chain begins with the first. From then on the fight waits, before the first die of
        each declaration, for a link of every player (`choose`): nobody can foresee what it shows. Raises
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
        """Let the dice follow no longer from a player's chain, and say so in the log.

        If the fight waits for a link of it, it goes on without. Raises UnknownChain, MustAnswer while it
        waits for something else, and what `choose` raises.
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
        return Outcome(tuple(self.store.read(self.branch, after=at - 1)))
