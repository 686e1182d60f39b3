"""What is open to somebody who plays: what may be declared and answered now, and what a way would come to."""

from collections.abc import Collection
from dataclasses import dataclass, field

from affray.engine.table.dice import players
from affray.engine.table.legal import legal, price
from affray.events.facts.acts import Identify
from affray.events.facts.declared import AnyAct
from affray.events.meaning import Holds, texts
from affray.events.store import Store
from affray.projections.state import Encounter
from affray.replay.fight_over import fight_over
from affray.replay.options_told import said_of
from affray.replay.playhead import Playhead, state_at
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.counting import Counted, Counting
from affray.replay.serve.errors import Problem
from affray.replay.serve.marks import Expected, Marks
from affray.replay.serve.messages import Legal, OpenAct, OpenWay, Priced, Question, Refusal, Shut
from affray.replay.serve.positions import Expects, Place, end_of
from affray.replay.serve.renumbering import own_key
from affray.replay.serve.seen_views import without
from affray.replay.sieve import Sieve

LOST_TO_RULES = (LookupError, AttributeError, TypeError, ValueError)
"""What the rules may raise where somebody is missing whom they need."""

UNSEEN = "what is open now depends on what you may not see: say it, and the game master decides"


@dataclass(frozen=True)
class OpenActs:
    """What is open to one audience. Each method runs where the store is at home."""

    audience: Audience
    counting: Counting = field(default_factory=Counting)

    @property
    def marks(self) -> Marks:
        """The positions of the log as the audience is told them."""
        return Marks(self.audience, self.counting)

    def told(self, store: Store, place: Place) -> str:
        """Return a position as the audience is told it."""
        return str(self.marks.told(store, place))

    def now(self, store: Store) -> str:
        """Return where the main line ends, as the audience is told it."""
        return self.told(store, end_of(store))

    def expected(self, place: Place) -> Expects:
        """Return the position at which the audience expects the fight, from how it was told."""
        return Expected(place, self.marks)

    def question(self, state: Encounter, counted: Counted | None = None) -> Question | None:
        """Return what the fight waits for, as far as it may be known; its key as it is `counted`."""
        asked = state.pending
        if asked is None:
            return None
        eyes = Eyes(self.audience, state)
        if not eyes.may_read(asked):
            seen = "" if asked.who in self.audience.hide else asked.who
            return Question(seen, eyes.waits_for(asked), False)
        mine = self.audience.all_seeing or asked.who in self.audience.own
        return Question(
            asked.who,
            eyes.cast.name(asked.who),
            mine,
            own_key(asked.key, counted) if counted is not None else asked.key,
            eyes.cast.prose(asked.question),
            asked.options,
            asked.notation,
            asked.rule,
            bool(asked.notation) and not players(state),
        )

    def strangers(self, store: Store, act: AnyAct) -> list[str]:
        """Return whom a declaration names that is not there for this audience."""
        place = end_of(store)
        there = state_at(store, place.branch, place.seq).combatants.keys() - self.audience.hide
        return [text for held, text in texts(act) if held is Holds.COMBATANT and text not in there]

    def by_chance(self, store: Store, said: Collection[str], hidden: Collection[str]) -> bool | None:
        """Return whether words of this audience name a combatant that is hidden from it.

        None where they name one of its own that is `hidden` from others.
        """
        place = end_of(store)
        state = state_at(store, place.branch, place.seq)

        def is_named(those: Collection[str]) -> bool:
            sieve = Sieve(hide=those)
            sieve.know(state)
            return any(map(sieve.names_hidden, said))

        return None if is_named(self.audience.own & {*hidden}) else is_named(self.audience.hide)

    def may_answer(self, store: Store, expected: Expects) -> bool:
        """Say whether what is asked at a position is for this audience to answer, or the fight is at another
        one: then the answer was given before, or comes too late.
        """
        place = end_of(store)
        found = self.question(state_at(store, place.branch, place.seq))
        return not expected.stands(store, place) or found is None or found.yours

    def legal(self, store: Store, who: str) -> Legal:
        """Return what a combatant may declare now. Raises Problem."""
        place, eyes, state = self._now(store, who)
        try:
            found = legal(fight_over(state, None), state.combatants[who], known=not self.audience.all_seeing)
        except LOST_TO_RULES:
            if not self.audience.hide:
                raise
            raise Problem("hidden", UNSEEN) from None
        # Which spell is in place on somebody is what the check would tell.
        open_acts = [
            act for act in found.open if not (type(act) is Identify and eyes.sieve.is_other(act.target))
        ]
        acts = [OpenAct(act, str(act.__struct_config__.tag), *said_of(act)) for act in open_acts]
        ways = [OpenWay(way.to, way.feet, way.path, way.past, way.around or None) for way in found.ways]
        closed = [Shut(shut.kind, eyes.cast.prose(shut.reason), shut.rule) for shut in found.closed]
        return Legal(self.told(store, place), who, eyes.cast.name(who), acts, ways, closed, found.not_all)

    def price(self, store: Store, act: AnyAct) -> Priced:
        """Return what a way would come to, as far as the audience sees. Raises Problem."""
        place, eyes, state = self._now(store, act.actor)
        try:
            found = price(fight_over(state, None), act)
        except LOST_TO_RULES:
            if not self.audience.hide:
                raise
            raise Problem("hidden", UNSEEN) from None
        hidden = eyes.sieve.names_hidden(found.depends)
        return Priced(
            self.told(store, place),
            act,
            found.path,
            found.feet,
            found.left,
            found.past,
            found.shut,
            "the game master decides" if hidden else eyes.cast.prose(found.depends),
            Refusal(eyes.cast.prose(found.refused), found.rule) if found.refused else None,
        )

    def _now(self, store: Store, who: str) -> tuple[Place, Eyes, Encounter]:
        """Return where the fight stands, and the state as the audience may ask the rules in it.

        Raises Problem while the fight waits, and where the audience knows of no such combatant.
        """
        place = end_of(store)
        state = Playhead(store, place.branch).seek("end")
        if state.pending is not None:
            raise Problem("waiting", "the fight waits for an answer", position=self.told(store, place))
        eyes = Eyes(self.audience, state)
        state = without(state, self.audience.hide)
        if who not in state.combatants:
            raise Problem("not_found", f"there is no combatant {who[:80]!r} in this fight")
        return place, eyes, state
