"""Positions as people write them, and the places of a fight that they name."""

import pytest

from affray.events.envelope import Event
from affray.projections.fold import fold
from affray.projections.timeline import BadPosition, Position, Timeline, parse
from tests.replay.fights import fought


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("17", Position(seq=17)),
        ("#17", Position(seq=17)),
        ("r3", Position(round=3)),
        (" R3.T2 ", Position(round=3, turn=2)),
        ("r0", Position(round=0)),
        ("end", Position(seq=-1)),
        ("start", Position(seq=0)),
    ],
)
def test_positions_are_read(text: str, position: Position) -> None:
    """A number, a round, a turn of a round and the two ends are positions."""
    assert parse(text) == position


@pytest.mark.parametrize("text", ["", "-1", "r", "r3.", "r3t2", "t2", "3.5", "r3.t2.x", "9" * 30, "١٧x"])
def test_other_texts_are_no_positions(text: str) -> None:
    """Anything else is refused in one line that shows what positions look like."""
    with pytest.raises(BadPosition, match=r"write 17, r3, r3\.t2") as caught:
        parse(text)
    assert "\n" not in str(caught.value)


class TestTimeline:
    """The rounds and turns of a fight that was played."""

    @pytest.fixture
    def events(self) -> list[Event]:
        """Return the events of a fight of several rounds."""
        return list(fought(rounds=4).store.read("main"))

    def test_every_turn_is_where_the_state_says(self, events: list[Event]) -> None:
        """The state after each event agrees with the place that the timeline gives it."""
        timeline = Timeline.of(events)
        state = fold([])
        for event in events:
            state = fold([event], state)
            place = timeline.place_of(event.seq)
            assert (place.round, place.turn) == (state.round, state.turn)
            assert not place.turn or timeline.seq_of(str(place)) <= event.seq

    def test_rounds_and_turns_lead_to_their_first_event(self, events: list[Event]) -> None:
        """r2 is the event that begins round 2, r2.t1 the one that begins its first turn."""
        timeline = Timeline.of(events)
        assert events[timeline.seq_of("r2") - 1].type == "round.began"
        turn = timeline.seq_of("r2.t1")
        assert events[turn - 1].type == "turn.began"
        assert str(timeline.place_of(turn)) == "r2.t1"
        assert str(timeline.place_of(timeline.seq_of("r2"))) == "r2"
        assert timeline.seq_of("end") == len(events)
        assert timeline.seq_of("start") == 0
        assert timeline.seq_of(7) == 7

    @pytest.mark.parametrize(
        ("position", "message"),
        [
            ("99999", "there is no event 99999: the line goes from 1 to"),
            ("r77", "there is no round 77: rounds 1 to"),
            ("r2.t9", "round 2 has no turn 9: it has turns 1 to"),
        ],
    )
    def test_a_missing_place_is_answered_with_what_exists(
        self, events: list[Event], position: str, message: str
    ) -> None:
        """The error names the rounds or turns that there are."""
        with pytest.raises(BadPosition, match=message):
            Timeline.of(events).seq_of(position)

    def test_a_fight_that_has_not_begun_has_no_round(self) -> None:
        """Before the first round the error says so."""
        with pytest.raises(BadPosition, match="no round has begun"):
            Timeline.of([]).seq_of("r1")
