"""Look up data for a guest: states, events, explanations, allowed declarations, a whole page."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec.structs import replace

from affray.engine.book.catalogue import read_foundry_paths
from affray.engine.language.cast import dialect_words
from affray.engine.language.names import playable
from affray.engine.language.sentences import Declaration, Foreseen, Request, foresee
from affray.engine.table.dice import players
from affray.engine.table.legal import legal, price
from affray.engine.table.runner import refusal_of
from affray.events.facts.acts import Identify
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct, Declared, Refused
from affray.events.field_kinds import TextKind, texts
from affray.events.stores.store import Store
from affray.projections.audit import cited
from affray.projections.state import Encounter
from affray.projections.timeline import Mark, Timeline
from affray.replay.explain.why import Why, why
from affray.replay.language import Meaning, Moment
from affray.replay.log.branches import Origins
from affray.replay.log.declarations import group_of
from affray.replay.log.playhead import Playhead, state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.privacy.audience import UNHEARD, Audience, AudienceFilter, Key, without
from affray.replay.privacy.visibility import NAMES_HIDDEN, Sieve, words_of, yield_texts
from affray.replay.serve.access import Guest
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import (
    CloudEvent,
    Events,
    Expects,
    FeedCursor,
    Legal,
    Names,
    OpenAct,
    Page,
    PathOption,
    Priced,
    Question,
    Refusal,
    Remaining,
    Session,
    ShownEvent,
    Shut,
    State,
    WinChanceStatus,
    end_of,
    rebased,
)
from affray.replay.serve.visibility import (
    PASSING,
    Counted,
    Counting,
    Expected,
    FeedPositions,
    Passing,
    Teller,
    begun,
    pages,
    source_of,
    start_of,
    told_between,
    translate_key,
    translate_swing,
    translate_why,
)
from affray.replay.text.options import name_of, said_of, shown
from affray.replay.viewer.frames import (
    Frame,
    everybody,
    frames,
    make_combatant_view,
    make_encounter_view,
    wordings,
)

# --- What a player may do now: allowed declarations, pending questions, and the result of a path

LOST_TO_RULES = (LookupError, AttributeError, TypeError, ValueError)
"""Exceptions that the rules may raise when a combatant that they need is missing."""

UNSEEN = "this depends on what you cannot see: declare it, and the game master decides"


@dataclass(frozen=True)
class OpenActs:
    """What one audience may do. Each method runs in the thread that owns the store."""

    audience: Audience
    counting: Counting = field(default_factory=Counting)

    @property
    def marks(self) -> FeedPositions:
        """The positions of the log as the audience sees them."""
        return FeedPositions(self.audience, self.counting)

    def told(self, store: Store, place: FeedCursor) -> str:
        """Return a position as the audience sees it."""
        return str(self.marks.told(store, place))

    def now(self, store: Store) -> str:
        """Return the end of the main line as the audience sees it."""
        return self.told(store, end_of(store))

    def expected(self, place: FeedCursor) -> Expects:
        """Return where the audience expects the fight, from a position as it was shown."""
        return Expected(place, self.marks)

    def question(self, state: Encounter, counted: Counted | None = None) -> Question | None:
        """Return the visible part of the pending question, with its key as `counted`."""
        asked = state.pending
        if asked is None:
            return None
        eyes = AudienceFilter(self.audience, state)
        if not eyes.may_read(asked):
            seen = "" if asked.who in self.audience.hide else asked.who
            return Question(seen, eyes.waits_for(asked), False)
        mine = self.audience.all_seeing or asked.who in self.audience.own
        return Question(
            asked.who,
            eyes.cast.name(asked.who),
            mine,
            translate_key(asked.key, counted) if counted is not None else asked.key,
            eyes.cast.prose(asked.question),
            asked.options,
            asked.notation,
            asked.rule,
            bool(asked.notation) and not players(state),
        )

    def strangers(self, store: Store, act: AnyAct) -> list[str]:
        """Return the combatants named in a declaration that do not exist for this audience."""
        place = end_of(store)
        there = state_at(store, place.branch, place.seq).combatants.keys() - self.audience.hide
        return [text for held, text in texts(act) if held is TextKind.COMBATANT and text not in there]

    def by_chance(self, store: Store, said: Collection[str], hidden: Collection[str]) -> bool | None:
        """Return whether words of this audience name a combatant that is hidden from it.

        None if they name one of its own that is `hidden` from others.
        """
        place = end_of(store)
        state = state_at(store, place.branch, place.seq)

        def is_named(those: Collection[str]) -> bool:
            sieve = Sieve(hide=those)
            sieve.know(state)
            return any(map(sieve.names_hidden, said))

        return None if is_named(self.audience.own & {*hidden}) else is_named(self.audience.hide)

    def may_answer(self, store: Store, expected: Expects) -> bool:
        """Return whether this audience may answer what is asked at a position, or the fight is at another
        one: then the answer was given earlier, or is too late.
        """
        place = end_of(store)
        found = self.question(state_at(store, place.branch, place.seq))
        return not expected.stands(store, place) or found is None or found.yours

    def legal(self, store: Store, who: str) -> Legal:
        """Return the declarations that a combatant may make now. Raises Problem."""
        place, eyes, state = self._now(store, who)
        try:
            found = legal(
                make_fight_context(state, None), state.combatants[who], known=not self.audience.all_seeing
            )
        except LOST_TO_RULES:
            if not self.audience.hide:
                raise
            raise Problem("hidden", UNSEEN) from None
        found = shown(found, state)
        # The check would reveal which spell is active on a combatant of another side.
        open_acts = [
            act for act in found.open if not (type(act) is Identify and eyes.sieve.is_other(act.target))
        ]
        acts = [OpenAct(act, name_of(act), *said_of(act)) for act in open_acts]
        ways = [PathOption(way.to, way.feet, way.path, way.past, way.around or None) for way in found.ways]
        closed = [Shut(shut.kind, eyes.cast.prose(shut.reason), shut.rule) for shut in found.closed]
        names = eyes.cast.words.actions
        left = [Remaining(names.get(one.kind, one.kind), *one[1:]) for one in found.left]
        name = eyes.cast.name(who)
        return Legal(self.told(store, place), who, name, acts, ways, closed, found.not_all, left)

    def price(self, store: Store, act: AnyAct) -> Priced:
        """Return the result of a path, as far as the audience may see it. Raises Problem."""
        place, eyes, state = self._now(store, act.actor)
        try:
            found = price(make_fight_context(state, None), act)
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

    def meaning(self, store: Store, text: str, actor: str) -> tuple[Meaning, Foreseen]:
        """Return the meaning of a line for this audience, and what is known of its path, with names.

        Names of hidden combatants mean nothing. Raises Problem, Unclear, Several.
        """
        now = Moment(store, actor)
        eyes = AudienceFilter(self.audience, now.state)
        if not self.audience.all_seeing:
            asked = self.question(now.state)
            now.state = without(now.state, self.audience.hide)
            if asked is not None and not asked.yours:
                now.state.pending = None
        if actor and actor not in now.state.combatants:
            raise Problem("not_found", f"there is no combatant {actor[:80]!r} in this fight")
        try:
            meaning = now.meaning(text) if self.audience.all_seeing else self._meaning(now, text)
            foreseen = foresee(now.fight, meaning) if isinstance(meaning, Declaration) else Foreseen()
        except LOST_TO_RULES:
            if not self.audience.hide:
                raise
            raise Problem("hidden", UNSEEN) from None
        cost = "the game master decides" if eyes.sieve.names_hidden(foreseen.cost) else foreseen.cost
        past = " and ".join(map(eyes.cast.name, foreseen.past))
        return meaning, replace(
            foreseen, cost=f"{eyes.cast.prose(cost)}, provokes from {past}" if past else cost
        )

    def _meaning(self, now: Moment, text: str) -> Meaning:
        """Return the meaning of a player's line, which must not depend on outcomes that are hidden."""
        meaning = now.sentences.meaning(text)
        if isinstance(meaning, Request):
            if meaning.word != "why":
                raise Problem("wrong_role", "only the game master may do that")
            if not meaning.words[:1] or not meaning.words[0].isdecimal():
                raise Problem("bad_request", "name the event: w 38")
        return meaning

    def _now(self, store: Store, who: str) -> tuple[FeedCursor, AudienceFilter, Encounter]:
        """Return the position of the fight, and its state for asking the rules as the audience knows it.

        Raises Problem while a question is pending, and if the audience knows no such combatant.
        """
        place = end_of(store)
        state = Playhead(store, place.branch).seek("end")
        if state.pending is not None:
            raise Problem(
                "waiting", "the fight waits for the answer to a question", position=self.told(store, place)
            )
        eyes = AudienceFilter(self.audience, state)
        state = without(state, self.audience.hide)
        if who not in state.combatants:
            raise Problem("not_found", f"there is no combatant {who[:80]!r} in this fight")
        return place, eyes, state


CANNOT = "not possible now"
"""The reason shown for a refusal that is only due to hidden combatants."""


class Looking(OpenActs):
    """Look up data for one audience. Each method runs in the thread that owns the store."""

    def session(self, store: Store, guest: Guest, hidden: tuple[str, ...]) -> Session:
        """Return the requesting guest and the position of the fight, with `hidden` as given."""
        place = end_of(store)
        state = state_at(store, place.branch, place.seq)
        return Session(
            guest.role,
            guest.name,
            guest.combatants,
            self.told(store, place),
            state.dialect,
            self.title(state),
            self.closed(state),
            hidden,
        )

    def names_hidden(self, store: Store, hidden: tuple[str, ...], name: str) -> bool:
        """Return whether a name would reveal a hidden combatant to the other guests."""
        place = end_of(store)
        everybody = Audience(frozenset(), hide=frozenset(hidden))
        return AudienceFilter(everybody, state_at(store, place.branch, place.seq)).is_hidden(name)

    def closed(self, state: Encounter) -> str:
        """Return why the encounter is over, "" if it is not."""
        return "over" if state.closed and not self.audience.all_seeing else state.closed

    def title(self, state: Encounter) -> str:
        """Return the title of the fight."""
        return AudienceFilter(self.audience, state).title(state.name)

    def refusal(self, state: Encounter, declared: Declared, fact: Refused) -> Refusal:
        """Return why a declaration was refused, in the state in which it was.

        If combatants are hidden from the audience, this is the reason by the rules without them, and only
        that it is not possible if the rules would then allow it. A refusal therefore does not reveal hidden
        combatants.
        """
        eyes = AudienceFilter(self.audience, state)
        if not self.audience.hide:
            return Refusal(eyes.cast.prose(fact.reason), fact.rule)
        try:
            found = refusal_of(make_fight_context(without(state, self.audience.hide), None), declared)
        except LOST_TO_RULES:
            found = None
        if found is None or eyes.sieve.names_hidden(found.reason, words_of(declared.act)):
            return Refusal(CANNOT, "")
        return Refusal(eyes.cast.prose(found.reason), found.rule)

    def state(self, store: Store, at: str) -> State:
        """Return the state at a position (17, r3, r3.t2, end). Raises BadPosition."""
        place = end_of(store)
        counted = self.marks.counted(store, place.branch, place.seq)
        playhead = Playhead(store, place.branch)
        seq = turn = 0
        if counted is None:
            state = playhead.seek(at)
            seq, head = playhead.seq, place.seq
        else:
            head = counted.number(place.seq)
            seq = _timeline(counted, head).seq_of(at)
            state = playhead.seek(counted.seqs[seq - 1] if 0 < seq < head else seq and place.seq)
            turn = counted.turn_after(playhead.seq)
        eyes = AudienceFilter(self.audience, state)
        fight = make_fight_context(state, None) if playable(state) else None
        people = {
            id: eyes.combatant(id, make_combatant_view(one, eyes.cast, [], fight))
            for id, one in state.combatants.items()
        }
        return State(
            self.told(store, place),
            seq,
            head,
            eyes.encounter(make_encounter_view(state, eyes.cast, fight), state.pending, turn),
            {id: view for id, view in people.items() if view is not None},
            self.question(state, counted) if seq == head else None,
            read_foundry_paths(state.dialect or state_at(store, place.branch, place.seq).dialect),
        )

    def events(self, store: Store, after: FeedCursor | None, limit: int) -> Events:
        """Return a page of the feed after a position, from the first event for None. Raises BadPlace."""
        end = end_of(store)
        place = self._after(store, after, end)
        key, source = Key(self.audience, False), source_of(store)
        told: list[CloudEvent] = []
        while len(told) <= limit and place.seq < end.seq:
            some, seq = told_between(store, place, end.seq, key, source, self.counting)
            told += some
            place = FeedCursor(place.branch, place.epoch, seq)
        more = len(told) > limit
        told = told[:limit]
        return Events(told[-1].id if told else self.told(store, place), told, more)

    def _after(self, store: Store, after: FeedCursor | None, end: FeedCursor) -> FeedCursor:
        """Return the position of the main line to start from: its beginning if the given one is no longer
        valid.
        """
        meant = self.marks.meant(store, after, end) if after is not None else None
        return rebased(store, meant, end) if meant is not None else FeedCursor(end.branch, end.epoch, 0)

    def event_of(self, store: Store, number: int) -> int:
        """Return the event of the main line with a number of the audience. Raises Problem."""
        place = end_of(store)
        counted = self.marks.counted(store, place.branch, place.seq)
        if counted is None:
            return number
        if not 1 <= number <= (last := counted.number(place.seq)):
            raise Problem("bad_request", f"there is no event {number}: the main line goes from 1 to {last}")
        return counted.seqs[number - 1]

    def translate_command_text(self, store: Store, place: FeedCursor, told: str) -> str:
        """Return the text about a command on the main line, with an id in it as the audience knows it."""
        counted = self.marks.counted(store, place.branch, place.seq)
        return told if counted is None else counted.ids.get(told, told)

    def swing(self, store: Store, told: WinChanceStatus) -> WinChanceStatus:
        """Return win chances with the numbers of the audience."""
        if told.swing is None:
            return told
        counted = self.marks.counted(store, told.swing.branch, store.head(told.swing.branch).seq)
        return told if counted is None else replace(told, swing=translate_swing(told.swing, counted))

    def why(self, store: Store, seq: int) -> Why | JsonObject:
        """Return the whole explanation of an event of the main line.

        Raises AffrayError if there is none, Problem if any part of it is hidden.
        """
        branch = store.main_line()
        last = store.head(branch).seq
        counted, number = self.marks.counted(store, branch, last), seq
        last = last if counted is None else counted.number(last)
        if not 1 <= number <= last:
            raise Problem("not_found", f"there is no event {number}: the main line goes from 1 to {last}")
        if counted is None:
            return why(store, branch, number)
        seq = counted.seqs[number - 1]
        group = group_of(store, branch, seq)
        passing = Passing(store, branch, group[-1].seq, framed=False)
        eyes = AudienceFilter(self.audience, passing.state)
        for one in passing.group:
            eyes.learn(one.event, one.fact)
        shut = Problem("hidden", f"event {number} cannot be explained to you: it shows numbers of others")
        before = [one for one in passing.group if one.event.seq <= seq]
        # The event at the end of a turn may follow from a turn that is hidden.
        if self.audience.hide and any(one.event.type in PASSING for one in before):
            raise shut
        for one in before:
            held_back = eyes.why(one.event, one.fact)
            # If hidden combatants took part unseen, the explanation leaves them out, unless it names them.
            unseen = held_back in (NAMES_HIDDEN, UNHEARD) and not counted.is_told(one.event.seq)
            if held_back and not unseen:
                raise shut
        found = why(store, branch, seq)
        cast = eyes.cast
        found = msgspec.structs.replace(
            found,
            names={id: cast.name(id) for id in found.names if id not in self.audience.hide},
            # The changes of a ruling may be numbers of any side; its text was said to all.
            rulings=[msgspec.structs.replace(one, changes=()) for one in found.rulings],
            # The rules compute chances from the whole truth, including what is hidden.
            odds=[],
        )
        echoes = eyes.sieve.echoes(group[0])
        if any(eyes.sieve.names_hidden(text, echoes) for text in yield_texts(msgspec.to_builtins(found))):
            raise shut
        return translate_why(found, counted, passing.group, dialect_words(passing.state))

    def page(self, store: Store) -> Page:
        """Return the data of a page: all lines for the game master, the main line for others.

        O(events), more than a second for some thousand.
        """
        place = end_of(store)
        return self._all_lines(store, place) if self.audience.all_seeing else self._main_line(store, place)

    def _all_lines(self, store: Store, place: FeedCursor) -> Page:
        made = frames(store, place.branch)
        lines = []
        for own in made.lines:
            events = store.read(own.name, own.at, own.at + len(own.frames))
            passing = Passing(store, own.name, own.at, framed=False)
            teller = Teller(self.audience, passing.state, passing.group, "", (own.name, place.epoch))
            told = [
                one.data for page in pages(events) for one in teller.tell(passing.take(page), frames=False)
            ]
            about = own.name, own.parent, own.at, own.main, own.parted, own.merged
            lines.append(_line_told(about, told, own.frames))
        rules = {id: msgspec.to_builtins(one) for id, one in made.rules.items()}
        contested = [msgspec.to_builtins(one) for one in made.contested]
        return Page(
            str(place),
            made.title,
            place.branch,
            made.names,
            made.letters,
            lines,
            rules,
            contested,
            made.shapes,
        )

    def _main_line(self, store: Store, place: FeedCursor) -> Page:
        told = self._passed(store, place, FeedCursor(place.branch, place.epoch, 0))
        line = _line_told((place.branch, "", 0, True, "", None), told.events, told.frames)
        names = self._names(self.told(store, place), told)
        return Page(
            self.told(store, place),
            told.eyes.title(told.state.name),
            place.branch,
            names.names,
            names.letters,
            [line],
            names.rules,
            names.contested,
            names.shapes,
        )

    def names(self, store: Store, after: FeedCursor) -> Names:
        """Return names, letters, texts of rules and shapes new since a position. Raises BadPlace.

        O(events since then).
        """
        place = end_of(store)
        found = self._names(
            self.told(store, place), self._passed(store, place, self._after(store, after, place))
        )
        if self.audience.all_seeing:
            # A combatant that enters on any line has its own letter there.
            cast = everybody(store)
            found.names, found.letters = {id: cast.name(id) for id in cast.letters}, dict(cast.letters)
        return found

    def _passed(self, store: Store, place: FeedCursor, after: FeedCursor) -> "_Passed":
        """Read the main line from a position on, collecting what is shown and drawn of it."""
        counted = self.marks.counted(store, place.branch, place.seq)
        passing = Passing(store, place.branch, start_of(after, counted), framed=True)
        teller = begun(store, passing, after, Key(self.audience, True), "", counted)
        told: list[ShownEvent] = []
        drawn: list[Frame] = []
        rules_cited: dict[str, None] = {}
        for page in pages(store.read(place.branch, after.seq, place.seq)):
            passed = passing.take(page)
            facts = {one.event.seq: one.fact for one in passed}
            for event in teller.tell(passed, frames=True):
                assert isinstance(event.data.frame, Frame)
                drawn.append(event.data.frame)
                event.data.frame = msgspec.UNSET
                told.append(event.data)
                if event.data.fact is not msgspec.UNSET:
                    number = event.data.seq
                    seq = number if counted is None else counted.seqs[number - 1]
                    rules_cited.update(dict.fromkeys(cited(facts[seq])))
        return _Passed(told, drawn, rules_cited, teller.eyes, passing.state, passing.shapes)

    def _names(self, position: str, told: "_Passed") -> Names:
        rules, contested = wordings(told.state, told.rules)
        seen = {name for frame in told.frames for name in _threats(frame)}
        cast = told.eyes.cast
        return Names(
            position,
            {id: cast.name(id) for id in cast.letters},
            dict(cast.letters),
            {id: msgspec.to_builtins(one) for id, one in rules.items()},
            [msgspec.to_builtins(one) for one in contested],
            # Sorted: the order of their appearance would also depend on unseen combatants.
            {name: told.shapes[name] for name in sorted(seen)},
        )


@dataclass(frozen=True)
class _Passed:
    """The shown events and frames of a stretch of the main line, and the state at its end."""

    events: list[ShownEvent]
    frames: list[Frame]
    rules: dict[str, None]
    eyes: AudienceFilter
    state: Encounter
    shapes: dict[str, list[tuple[int, int]]]


def _timeline(counted: Counted, last: int) -> Timeline:
    """Return the rounds and turns of a line in a reader's count, and its events."""
    marks = sorted((counted.number(seq), *place) for place, seq in counted.turns.items())
    return Timeline((Mark(*mark) for mark in marks), last)


def _threats(frame: Frame) -> Iterator[str]:
    """Yield the names of the shapes of threatened squares that a frame shows."""
    for view in frame.change.c.values() if frame.change is not None else ():
        yield from view.get("threat", ())


def _line_told(
    about: tuple[str, str, int, bool, str, Origins | None], told: list[ShownEvent], drawn: list[Frame]
) -> msgspec.Raw:
    names = ("name", "parent", "at", "main", "parted", "merged")
    made = {**dict(zip(names, about, strict=True)), "events": told, "frames": drawn}
    return msgspec.Raw(msgspec.json.encode(made))


class Wanted(msgspec.Struct, frozen=True):
    """A guest's request that reads many events: `limit` events after a place, names, or a page."""

    what: Literal["page", "events", "names"]
    after: FeedCursor | None = None
    limit: int = 0

    def found(self, looking: Looking, store: Store) -> bytes:
        """Return the answer as JSON. Raises AffrayError, Problem."""
        found: object
        match self.what, self.after:
            case "events", after:
                found = looking.events(store, after, self.limit)
            case "names", FeedCursor() as after:
                found = looking.names(store, after)
            case _:
                found = looking.page(store)
        return msgspec.json.encode(found)
