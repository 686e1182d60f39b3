"""Links of chains afterwards: decided again, taken back, tampered with, hidden, compared by their owner."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine.dice import LinkChain, Seeded
from affray.engine.table.dice import masters
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode, encode
from affray.events.envelope import Encoded, Event
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import LinkGiven, Rolled
from affray.events.stores.store import Store
from affray.replay import chain_file
from affray.replay.explain.why import text, why
from affray.replay.log.branches import promote
from affray.replay.privacy.redaction import Redaction
from affray.replay.undo import undo
from affray.replay.verification import dice_audit
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.fuzz.monsters import fill, rows
from tests.house.links_played import (
    LENGTH,
    SECRET,
    Lines,
    Players,
    chain_of,
    entered,
    facts,
    fought,
    opened,
    rolls,
)

CLOSED = {"type": "encounter.closed", "reason": "", "standing": []}


def changed(store: Store, alter: object) -> MemoryStore:
    """Return a log chained anew with some facts altered: all digests fit."""
    made = MemoryStore()
    events = [alter(event, decode(event)) for event in store.read("main")]  # type: ignore[operator]
    made.append(
        "main",
        [Encoded(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in events],
        0,
    )
    return made


def test_verify_names_links_that_were_tampered_with() -> None:
    """A link of no chain, one left out, faces that do not follow, a roll that says it is joint."""
    players = Players("alex", "kim")
    table = fought(players, entered(players, players.join(opened())))
    assert verify(changed(table.store, lambda event, fact: event)).ok

    def altered(**fields: object) -> object:
        done: list[int] = []

        def alter(event: Event, fact: object) -> Event:
            kind, by = fields["kind"], fields.get("by")
            if type(fact) is kind and (by is None or getattr(fact, "by", "") == by) and not done:
                if getattr(fact, "number", 5) < 2:
                    return event
                done.append(event.seq)
                wanted = {name: value for name, value in fields.items() if name not in ("kind", "by")}
                return replace(event, data=encode(replace(fact, **wanted)))  # type: ignore[type-var]
            return event

        return alter

    for fields in (
        {"kind": LinkGiven, "by": "alex", "link": "00" * 32},
        {"kind": LinkGiven, "by": "alex", "number": 7},
        {"kind": LinkGiven, "by": "", "link": "ab" * 32},
        {"kind": LinkGiven, "by": "", "number": 9},
        {"kind": LinkGiven, "by": "kim", "link": "not a link"},
        {"kind": Rolled, "provenance": "alone"},
    ):
        report = verify(changed(table.store, altered(**fields)))
        assert not report.ok, fields
        dice = next(check for check in report.checks if check.name == "dice")
        assert dice.problems, fields


def test_a_game_master_who_leaves_links_out_is_named() -> None:
    """Who knows all links of the players could try the own ones one after another: none may be left out."""
    players = Players("alex")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    table.declare(acts.Attack(actor=first, target=second))
    number = players.given["alex"] + 1
    known = players.chains["alex"].link(number)
    from affray.engine.table.dice import masters

    chain = table.state.chains[""]
    made = masters(SECRET.hex(), chain.begun, chain.length)
    fact = LinkGiven("", chain.number + 3, made.link(chain.number + 3).hex())
    dice = table._dice
    drawn = dice._drawn

    def cheating(fight: object, known: object) -> object:
        return drawn(fight, {**known, "": (fact,)})  # type: ignore[dict-item,arg-type]

    dice._drawn = cheating  # type: ignore[method-assign,assignment]
    table.choose(known.hex())
    report = verify(table.store)
    assert not report.ok
    problem = next(check.problem for check in report.checks if check.name == "dice")
    assert problem is not None
    assert f"the game master's links before {chain.number + 3} were left out" in problem.what


@pytest.mark.parametrize("faces", [1, 20])
def test_a_line_decided_again_takes_the_links_of_its_parent(faces: int) -> None:
    """Nothing but the change differs; what is new follows from links that were given; it verifies."""
    players = Players("alex", "kim")
    table = fought(players, entered(players, players.join(opened())))
    attack = next(roll.key for roll in rolls(table) if "/attack/" in roll.key)
    found = what_if(table.store, faces={attack: [faces]})
    report = verify(table.store)
    assert report.ok, report
    old = {roll.key: roll.faces for roll in rolls(table)}
    new = {
        fact.key: fact.faces
        for event in table.store.read(found.name)
        if isinstance(fact := decode(event), Rolled)
    }
    same = [key for key in new if key in old and key != attack]
    assert len(same) > 10
    assert all(new[key] == old[key] for key in same if key.split("/")[0] != attack.split("/")[0])


def test_what_is_taken_back_is_thrown_with_links_nobody_knew() -> None:
    """The links of the line that was left are known; the next declaration wants the ones after them."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened())), 8)
    shown = players.given["alex"]
    undo(table.store, 2)
    table = Table(table.store)
    assert table.branch != "main"
    fought(players, table, 6)
    numbers = [fact.number for fact in facts(table) if isinstance(fact, LinkGiven) and fact.by == "alex"]
    assert max(numbers) > shown
    assert shown + 1 in numbers
    assert verify(table.store).ok


def test_promoted_lines_go_on() -> None:
    """A line that was decided again is played on, with links that stand on none."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened())), 10)
    attack = next(roll.key for roll in rolls(table) if "/attack/" in roll.key)
    found = what_if(table.store, faces={attack: [2]})
    promote(table.store, found.name)
    played = fought(players, Table(table.store), 6)
    assert played.branch == found.name
    report = verify(table.store)
    assert report.ok, report


def test_hidden_from_players() -> None:
    """Their copy has their own links and not the game master's, from which hidden rolls would follow."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened())))
    redaction = Redaction(table.store, "main", side="heroes")
    for event in table.store.read("main"):
        if event.type == "link.given":
            assert bool(redaction.why(event)) == (decode(event).by == "")
        if event.type == "chain.begun":
            assert not redaction.why(event)


def test_where_a_die_came_from_is_said() -> None:
    """`why` says it in one word, and who could know it beforehand."""
    players = Players("alex")
    table = entered(players, players.join(opened()))
    at = next(event.seq for event in table.store.read("main") if event.type == "rolled")
    found = why(table.store, "", at)
    assert [die.origin for die in found.explanation.dice] == ["joint"]
    assert "joint: nobody could know it beforehand" in text(found)


def test_a_player_keeps_what_links_were_given_for(tmp_path: Path) -> None:
    """The same place gets the same link; what is thrown again shows in the player's own file."""
    file = tmp_path / "alex.chain"
    one = chain_file.made(file, 50)
    assert file.stat().st_mode & 0o777 == 0o600
    table = opened()
    table.begin_chain("alex", one.chain.anchor.hex(), 50)
    sheets = packaged_sheets("srd35")
    for id, at in (("fighter", (1, 1)), ("ogre", (2, 1))):
        table.declare(acts.Enter(id=id, side=id, sheet=sheets[id], at=at))
    table.declare(acts.Begin())
    before = Lines()
    export_jsonl(table.store, before)
    last = list(table.store.read("main"))[-1]
    number, link = chain_file.give(file, chain_file.get_place_of_asked_link(last))
    assert (number, link) == chain_file.give(file, chain_file.get_place_of_asked_link(last))
    assert number == 1
    table.choose(link)
    kept = chain_file.read(file)
    assert list(chain_file.compared(kept, chain_file.events_of(table.store))) == []
    # The game master did not like the dice: the fight once more from before, with what was given thrown away.
    copy = MemoryStore()
    import_jsonl(before.all, copy)
    other = Table(copy, dice=Seeded(SECRET))
    other.declare(acts.Rule(author="gm", verdict="void", text="again"))
    found = list(chain_file.compared(kept, chain_file.events_of(copy)))
    assert found == [
        f"link 1 was given for {chain_file.get_place_of_asked_link(last)}, but does not follow there"
    ]
    # The game master goes on in the player's name, with links of their own.
    other.leave_chain("alex", "gone home")
    (told,) = list(
        chain_file.compared(chain_file.made(tmp_path / "kim.chain", 5), chain_file.events_of(copy))
    )
    assert told.startswith("no chain with the anchor ")
    unused = msgspec.structs.replace(kept, given=())
    (told,) = list(chain_file.compared(unused, chain_file.events_of(copy)))
    assert told.startswith("alex has left this chain")
    other.begin_chain("alex", chain_of("the game master").anchor.hex())
    (told,) = list(chain_file.compared(unused, chain_file.events_of(copy)))
    assert told.startswith("another chain of alex has begun since")
    with pytest.raises(chain_file.BadChain, match="is no place"):
        chain_file.give(file, "main#4")
    (tmp_path / "other").write_text("{}")
    with pytest.raises(chain_file.BadChain):
        chain_file.read(tmp_path / "other")


def test_a_chain_begun_from_known_links_is_named() -> None:
    """A player who begins again with links that stand in the log has given nothing unknown."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened())), 6)
    table.leave_chain("alex")
    again = Players("alex", length=LENGTH - 1)  # the anchor is the first link of the chain before
    fought(again, again.join(table), 6)
    report = verify(table.store)
    assert "stand with another link of the game master" in str(report.checks[3].problem)


def test_no_more_is_hashed_than_a_log_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log may ask for any number of chains and for links far apart: past the allowance that is named."""
    asked: list[int] = []

    def counted(seed: str, begun: int, length: int) -> LinkChain:
        asked.append(length)
        return masters(seed, begun, length)

    monkeypatch.setattr(dice_audit, "MOST_HASHES", 5000)
    monkeypatch.setattr(dice_audit, "masters", counted)
    with MemoryStore() as store:
        begun = [
            {"type": "chain.begun", "by": "", "anchor": "00" * 32, "length": n} for n in (2400, 2500, 2600)
        ]
        fill(store, rows(*begun, {**CLOSED, "seed": (b"m" * 32).hex()}))
        assert verify(store).checks[3].problems == 3
    assert asked == [2400, 2500]
    chain = chain_of("alex", 4000)
    links = [
        {"type": "link.given", "by": "alex", "number": n, "link": chain.link(n).hex()} for n in (3000, 1)
    ]
    with MemoryStore() as store:
        start = {"type": "chain.begun", "by": "alex", "anchor": chain.anchor.hex(), "length": 4000}
        fill(store, rows(start, *links))
        problem = verify(store).checks[3].problem
    assert problem is not None
    assert problem.what == "the log asks for more hashes than are made for one: 5,000"
