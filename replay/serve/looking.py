"""What is looked up for somebody who looks on: states, events, explanations, what is open, a whole page."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from affray.engine.table.runner import refusal_of
from affray.events.facts.declared import Declared, Refused
from affray.events.store import Store
from affray.projections.audit import cited
from affray.projections.state import Encounter
from affray.replay.explanation import Why, why
from affray.replay.fight_over import fight_over
from affray.replay.groups import group_of
from affray.replay.merge_origins import Origins
from affray.replay.playhead import Playhead, state_at
from affray.replay.serve.access import Guest
from affray.replay.serve.audience import Audience, Eyes, Key
from affray.replay.serve.cloud_events import CloudEvent, Told
from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import (
    Events,
    Names,
    Page,
    Refusal,
    Session,
    State,
)
from affray.replay.serve.open_acts import LOST_TO_RULES, OpenActs
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place, end_of, rebased
from affray.replay.serve.seen_views import without
from affray.replay.serve.telling import Teller, source_of
from affray.replay.serve.told_late import told_between
from affray.replay.sieve import every_text
from affray.replay.viewer.frame import Frame
from affray.replay.viewer.frames import everybody, frames, wordings
from affray.replay.viewer.views import combatant_view, encounter_view

CANNOT = "that cannot be done now"
"""Why something is refused that only the hidden forbid."""


class Looking(OpenActs):
    """Looks up for one audience. Each method runs where the store is at home."""

    def session(self, store: Store, guest: Guest, hidden: tuple[str, ...]) -> Session:
        """Return who asks, and how the fight stands; `hidden` is told as it is given."""
        place = end_of(store)
        state = state_at(store, place.branch, place.seq)
        return Session(
            guest.role,
            guest.name,
            guest.combatants,
            str(place),
            state.dialect,
            self.title(state),
            self.closed(state),
            hidden,
        )

    def names_hidden(self, store: Store, hidden: tuple[str, ...], name: str) -> bool:
        """Say whether a name would tell everybody else of the hidden."""
        place = end_of(store)
        everybody = Audience(frozenset(), hide=frozenset(hidden))
        return Eyes(everybody, state_at(store, place.branch, place.seq)).is_hidden(name)

    def closed(self, state: Encounter) -> str:
        """Return why the encounter is over, "" while it is not."""
        return "over" if state.closed and not self.audience.all_seeing else state.closed

    def title(self, state: Encounter) -> str:
        """Return what the fight is called."""
        return Eyes(self.audience, state).title(state.name)

    def refusal(self, state: Encounter, declared: Declared, fact: Refused) -> Refusal:
        """Return why a declaration was refused, in the state in which it was.

        Where combatants are hidden that is what the rules say without them; and no more than that it cannot
        be done, where the rules would allow it then. So nobody finds the hidden by what is refused anyway.
        """
        eyes = Eyes(self.audience, state)
        if not self.audience.hide:
            return Refusal(eyes.cast.prose(fact.reason), fact.rule)
        try:
            found = refusal_of(fight_over(without(state, self.audience.hide), None), declared)
        except LOST_TO_RULES:
            found = None
        if found is None or eyes.sieve.names_hidden(found.reason):
            return Refusal(CANNOT, "")
        return Refusal(eyes.cast.prose(found.reason), found.rule)

    def state(self, store: Store, at: str) -> State:
        """Return the state at a position (17, r3, r3.t2, end). Raises BadPosition."""
        place = end_of(store)
        playhead = Playhead(store, place.branch)
        state = playhead.seek(at)
        eyes = Eyes(self.audience, state)
        people = {
            id: eyes.combatant(id, combatant_view(one, eyes.cast, [])) for id, one in state.combatants.items()
        }
        return State(
            str(place),
            playhead.seq,
            place.seq,
            eyes.encounter(encounter_view(state, eyes.cast), state.pending),
            {id: view for id, view in people.items() if view is not None},
            self.question(state) if playhead.seq == place.seq else None,
        )

    def events(self, store: Store, after: Place | None, limit: int) -> Events:
        """Return a page of the feed after a position, from the first event on for None. Raises BadPlace."""
        end = end_of(store)
        place = rebased(store, after, end) if after is not None else Place(end.branch, end.epoch, 0)
        key, source = Key(self.audience, False), source_of(store)
        told: list[CloudEvent] = []
        while len(told) < limit and place.seq < end.seq:
            some, seq = told_between(store, place, end.seq, key, source)
            told += some
            place = Place(place.branch, place.epoch, seq)
        told = told[:limit]
        if told:
            place = Place.read(told[-1].id)
        return Events(str(place), told, place.seq < end.seq)

    def why(self, store: Store, seq: int) -> Why:
        """Return the whole explanation of an event of the main line.

        Raises AffrayError if there is none, Problem where anything in it is not to be known.
        """
        branch = store.main_line()
        if not 1 <= seq <= (last := store.head(branch).seq):
            raise Problem("not_found", f"there is no event {seq}: the main line goes from 1 to {last}")
        if self.audience.all_seeing:
            return why(store, branch, seq)
        group = group_of(store, branch, seq)
        passing = Passing(store, branch, group[-1].seq, framed=False)
        teller = Teller(self.audience, passing.state, passing.group, "", (branch, 0))
        shut = Problem("hidden", f"event {seq} cannot be explained to you: others' numbers are in it")
        if any(teller.eyes.why(one.event, one.fact) for one in passing.group if one.event.seq <= seq):
            raise shut
        found = why(store, branch, seq)
        cast = teller.eyes.cast
        found = msgspec.structs.replace(
            found,
            names={id: cast.name(id) for id in found.names if id not in self.audience.hide},
            # What a ruling changes may be anybody's numbers; what it says was said to all.
            rulings=[msgspec.structs.replace(one, changes=()) for one in found.rulings],
            # The rules reckon chances with all that is true, whoever may know it.
            odds=[],
        )
        if any(map(teller.eyes.sieve.names_hidden, every_text(msgspec.to_builtins(found)))):
            raise shut
        return found

    def page(self, store: Store) -> Page:
        """Return what a page is drawn from: of all lines for the game master, of the main line for others.

        O(events), more than a second for some thousand.
        """
        place = end_of(store)
        return self._all_lines(store, place) if self.audience.all_seeing else self._main_line(store, place)

    def _all_lines(self, store: Store, place: Place) -> Page:
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

    def _main_line(self, store: Store, place: Place) -> Page:
        told = self._passed(store, place, 0)
        line = _line_told((place.branch, "", 0, True, "", None), told.events, told.frames)
        names = self._names(place, told)
        return Page(
            str(place),
            told.eyes.title(told.state.name),
            place.branch,
            names.names,
            names.letters,
            [line],
            names.rules,
            names.contested,
            names.shapes,
        )

    def names(self, store: Store, after: Place) -> Names:
        """Return names, letters, wordings and shapes that came up after a position. Raises BadPlace.

        O(events since then).
        """
        place = end_of(store)
        found = self._names(place, self._passed(store, place, rebased(store, after, place).seq))
        if self.audience.all_seeing:
            # Who enters on any line has a letter of its own there.
            cast = everybody(store)
            found.names, found.letters = {id: cast.name(id) for id in cast.letters}, dict(cast.letters)
        return found

    def _passed(self, store: Store, place: Place, after: int) -> "_Passed":
        """Go along the main line from an event on, keeping what is told and drawn of it."""
        passing = Passing(store, place.branch, after, framed=True)
        teller = Teller(self.audience, passing.state, passing.group, "", (place.branch, place.epoch))
        told: list[Told] = []
        drawn: list[Frame] = []
        rules_cited: dict[str, None] = {}
        for page in pages(store.read(place.branch, after, place.seq)):
            passed = passing.take(page)
            for one, event in zip(passed, teller.tell(passed, frames=True), strict=True):
                assert isinstance(event.data.frame, Frame)
                drawn.append(event.data.frame)
                event.data.frame = msgspec.UNSET
                told.append(event.data)
                if event.data.fact is not msgspec.UNSET:
                    rules_cited.update(dict.fromkeys(cited(one.fact)))
        return _Passed(told, drawn, rules_cited, teller.eyes, passing.state, passing.shapes)

    def _names(self, place: Place, told: "_Passed") -> Names:
        rules, contested = wordings(told.state, told.rules)
        seen = {name for frame in told.frames for name in _threats(frame)}
        cast = told.eyes.cast
        return Names(
            str(place),
            {id: cast.name(id) for id in cast.letters},
            dict(cast.letters),
            {id: msgspec.to_builtins(one) for id, one in rules.items()},
            [msgspec.to_builtins(one) for one in contested],
            # In an order of their own: in that in which they came up those who are not seen have a part.
            {name: told.shapes[name] for name in sorted(seen)},
        )


@dataclass(frozen=True)
class _Passed:
    """What an audience is told and shown of a stretch of the main line, and how it stands at its end."""

    events: list[Told]
    frames: list[Frame]
    rules: dict[str, None]
    eyes: Eyes
    state: Encounter
    shapes: dict[str, list[tuple[int, int]]]


def _threats(frame: Frame) -> Iterator[str]:
    """Yield the names of the shapes of threatened squares that a frame shows."""
    for view in frame.change.c.values() if frame.change is not None else ():
        yield from view.get("threat", ())


def _line_told(
    about: tuple[str, str, int, bool, str, Origins | None], told: list[Told], drawn: list[Frame]
) -> msgspec.Raw:
    names = ("name", "parent", "at", "main", "parted", "merged")
    made = {**dict(zip(names, about, strict=True)), "events": told, "frames": drawn}
    return msgspec.Raw(msgspec.json.encode(made))
