"""Dice that nobody can foresee: from links of chains, each given away as it is needed."""

from hashlib import blake2b, sha256
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.engine.dice import ChainUsedUp, LinkChain, Seeded, commitment, parse
from affray.engine.table import policies
from affray.engine.table.links import WrongLink
from affray.engine.table.outcome import MustAnswer, Outcome
from affray.engine.table.scenario import packaged_sheets
from affray.engine.table.table import Table, UnknownChain
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode, encode
from affray.events.envelope import Encoded, Event
from affray.events.errors import AffrayError, InvalidEntry
from affray.events.facts import acts
from affray.events.facts.chains import ChainLeft, LinkGiven
from affray.events.facts.declared import Asked
from affray.events.facts.rolled import Rolled
from affray.events.jsonl import export_jsonl, import_jsonl
from affray.events.store import Store
from affray.projections.fold import fold
from affray.replay import chain_file
from affray.replay.branch import promote
from affray.replay.explanation import text, why
from affray.replay.redaction import Redaction
from affray.replay.undo import undo
from affray.replay.verification import verify
from affray.replay.whatif import what_if

SECRET = b"the game master's own secret"
OGRE = {"srd35": "ogre", "pf1": "ogre", "woa": "ogre", "futurepath": "brute"}


class Players:
    """Players who give their next link whenever the fight waits for one."""

    def __init__(self, *names: str, length: int = 400) -> None:
        self.chains = {name: LinkChain(sha256(name.encode()).digest(), length) for name in names}
        self.given = dict.fromkeys(names, 0)

    def join(self, table: Table) -> Table:
        """Begin all chains."""
        for name, chain in self.chains.items():
            table.begin_chain(name, chain.anchor.hex(), chain.length)
        return table

    def give(self, table: Table) -> Outcome:
        """Give the one link that is waited for."""
        assert table.waiting is not None
        by = table.waiting.who
        self.given[by] += 1
        return table.choose(self.chains[by].link(self.given[by]).hex())

    def play(self, table: Table, act: acts.Act) -> Outcome:
        """Declare an act, and give links as long as they are waited for."""
        outcome = table.declare(act)
        while table.waiting is not None and table.waiting.key.split("/")[2] == "link":
            outcome = self.give(table)
        return outcome


def opened(store: Store | None = None, dialect: str = "srd35") -> Table:
    """Return an encounter in which nobody has a chain yet."""
    return Table.create(store or MemoryStore(), dialect=dialect, terrain=["........"] * 4, seed=SECRET)


def entered(players: Players, table: Table) -> Table:
    """Return the encounter begun, with two combatants beside each other."""
    sheets = list(packaged_sheets(table.state.dialect).items())[:2]
    for (id, sheet), side, at in zip(sheets, ("heroes", "monsters"), ((1, 1), (2, 1)), strict=True):
        assert players.play(table, acts.Enter(id=id, side=side, sheet=sheet, at=at)).refused is None
    assert players.play(table, acts.Begin()).refused is None
    return table


def fought(players: Players, table: Table, acts_at_most: int = 40) -> Table:
    """Return the fight played on by plain tactics."""
    for _ in range(acts_at_most):
        if table.state.closed or (act := next_act(table)) is None:
            break
        players.play(table, act)
    return table


def facts(table: Table) -> list[object]:
    """Return all facts of the line."""
    return [decode(event) for event in table.store.read(table.branch)]


def rolls(table: Table) -> list[Rolled]:
    """Return what the dice showed."""
    return [fact for fact in facts(table) if isinstance(fact, Rolled)]


@pytest.mark.parametrize("dialect", sorted(OGRE))
def test_a_fight_by_links_lives_on(dialect: str) -> None:
    """It verifies, with and without the seed; it is carried elsewhere; another table goes on with it."""
    players = Players("alex", "kim")
    table = fought(players, entered(players, players.join(opened(dialect=dialect))))
    assert {roll.provenance for roll in rolls(table)} == {"joint"}
    report = verify(table.store)
    assert report.ok, report
    assert verify(table.store, "main").ok
    assert fold(table.store.read("main")) == table.state
    lines = Lines()
    export_jsonl(table.store, lines)
    with MemoryStore() as copy:
        import_jsonl(lines.all, copy)
        report = verify(copy)
        assert report.ok, report
        assert "joint" in report.checks[3].note
    again = Table(table.store)
    assert again.state == table.state
    again.declare(acts.Close(reason="enough"))
    assert verify(again.store).ok


class Lines:
    """What takes an export."""

    def __init__(self) -> None:
        self.all: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Take some lines."""
        self.all += data.splitlines(keepends=True)
        return len(data)


def test_the_dice_are_as_described() -> None:
    """Any other program can work them out from the links in the log, seed or no seed."""
    players = Players("alex", "\u03c0")
    table = fought(players, entered(players, players.join(opened())))
    mixed, master, compared = b"", b"", 0
    for fact in facts(table):
        if isinstance(fact, LinkGiven) and fact.by:
            name = fact.by.encode()
            mixed += b"%d:%b%d:%b" % (len(name), name, fact.number, bytes.fromhex(fact.link))
        elif isinstance(fact, LinkGiven):
            master = blake2b(
                mixed, key=bytes.fromhex(fact.link), digest_size=32, person=b"affray links"
            ).digest()
            mixed = b""
        elif isinstance(fact, Rolled):
            found = Seeded(master).throw(fact.key, parse(fact.notation))
            assert found is not None
            assert found[0].faces == fact.faces
            compared += 1
    assert compared > 10


def test_each_link_is_the_hash_of_the_next() -> None:
    """The anchor is that of the first, and no link can be made from those before."""
    chain = LinkChain(b"s" * 32, 600)
    links = [chain.anchor, *(chain.link(number) for number in range(1, 601))]
    assert all(sha256(later).digest() == earlier for earlier, later in pairwise(links))
    assert links[-1] == b"s" * 32
    for number in (0, 601):
        with pytest.raises(ChainUsedUp):
            chain.link(number)
    for length in (0, 65_537):
        with pytest.raises(AffrayError, match="1 to 65536 links"):
            LinkChain(b"s" * 32, length)


def test_the_game_master_cannot_know_the_dice() -> None:
    """With all that the game master has, other links of one player bring other dice."""
    found = []
    for name in ("alex", "alexa"):
        players = Players(name)
        chain = players.chains[name]
        players.chains, players.given = {"alex": chain}, {"alex": 0}
        table = fought(players, entered(players, players.join(opened())), 6)
        masters = [fact.link for fact in facts(table) if isinstance(fact, LinkGiven) and not fact.by]
        found.append((masters[:3], [roll.faces for roll in rolls(table)][:6]))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


def test_the_declaration_stands_before_any_link_is_given() -> None:
    """The fight waits with the declaration recorded; nothing else may be declared meanwhile."""
    players = Players("alex", "kim")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    outcome = table.declare(acts.Attack(actor=first, target=second))
    assert [type(fact) for fact in outcome.facts][-1] is Asked
    assert outcome.waiting is not None
    assert (outcome.waiting.who, outcome.waiting.options) == ("alex", ())
    assert not any(isinstance(fact, LinkGiven | Rolled) for fact in outcome.facts)
    with pytest.raises(MustAnswer, match="the next link of alex's chain"):
        table.declare(acts.EndTurn(actor=first))
    with pytest.raises(MustAnswer, match="the next link of alex's chain"):
        table.begin_chain("lee", "00" * 32)
    again = Table(table.store)  # another process
    players.give(again)
    assert again.waiting is not None
    assert again.waiting.who == "kim"
    players.give(again)
    assert again.waiting is None
    assert verify(again.store).ok


def test_a_chain_begun_from_known_links_is_named() -> None:
    """A player who begins again with links that stand in the log has given nothing unknown."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened())), 6)
    table.leave_chain("alex")
    again = Players("alex", length=399)  # the anchor is the first link of the chain before
    fought(again, again.join(table), 6)
    report = verify(table.store)
    assert "stand with another link of the game master" in str(report.checks[3].problem)


def test_only_the_next_link_is_taken() -> None:
    """Not one before, not one after, not another's, nothing else; nothing is recorded of it."""
    players = Players("alex", "kim")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    table.declare(acts.Attack(actor=first, target=second))
    chain, before = players.chains["alex"], table.seq
    number = players.given["alex"] + 1
    wrong = [chain.link(number - 1), chain.link(number + 1), players.chains["kim"].link(number)]
    for said in (*(link.hex() for link in wrong), "", "take", "12", chain.link(number).hex()[:-2], "zz" * 32):
        with pytest.raises(WrongLink, match=f"that is not link {number} of alex's chain"):
            table.choose(said)
    assert table.seq == before == table.store.head("main").seq
    assert players.give(table).waiting is not None


def test_a_request_is_applied_once() -> None:
    """The same link under the same request is recorded once, in capitals too."""
    players = Players("alex")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    table.declare(acts.Attack(actor=first, target=second))
    link = players.chains["alex"].link(players.given["alex"] + 1).hex()
    found = table.choose(link, request="a1")
    assert table.choose(link.upper(), request="a1").events == found.events
    assert verify(table.store).ok


def test_who_leaves_is_seen_to_leave() -> None:
    """The fight goes on with the links of the others; with the game master's alone at last."""
    players = Players("alex", "kim")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    table.declare(acts.Attack(actor=first, target=second))
    with pytest.raises(MustAnswer):
        table.leave_chain("kim", "not yet asked")
    table.leave_chain("alex", "gone home")
    players.give(table)
    assert [fact.reason for fact in facts(table) if isinstance(fact, ChainLeft)] == ["gone home"]
    assert rolls(table)[-1].provenance == "joint"
    players.play(table, acts.EndTurn(actor=first))
    table.declare(acts.Attack(actor=second, target=first))
    table.leave_chain("kim")
    assert table.waiting is None
    assert rolls(table)[-1].provenance == "alone"
    players.play(table, acts.EndTurn(actor=second))
    assert table.declare(acts.Attack(actor=first, target=second)).waiting is None
    assert rolls(table)[-1].provenance == "seeded"
    for name in ("alex", "", "nobody"):
        with pytest.raises(UnknownChain, match="has no chain here: nobody has"):
            table.leave_chain(name)
    report = verify(table.store)
    assert report.ok, report
    assert "by the game master's chain alone" in report.checks[3].note


def test_chains_come_and_go_between_declarations() -> None:
    """A player joins late, leaves, and comes again with another chain; the log verifies all along."""
    players = Players("alex")
    table = entered(players, opened())
    assert {roll.provenance for roll in rolls(table)} == {"seeded"}
    players.join(table)
    fought(players, table, 6)
    table.leave_chain("alex", "to the kitchen")
    fought(players, table, 4)
    later = Players("lee")
    later.chains, later.given = {"alex": later.chains["lee"]}, {"alex": 0}
    later.join(table)
    fought(later, table, 6)
    assert [roll.provenance for roll in rolls(table)][-1] == "joint"
    report = verify(table.store)
    assert report.ok, report
    for by, anchor in (("", "00" * 32), ("a/b", "00" * 32), ("lee", "no anchor"), ("lee", "00" * 31)):
        with pytest.raises(InvalidEntry, match="name whose chain it is"):
            table.begin_chain(by, anchor)


def test_each_choice_of_a_person_draws_anew() -> None:
    """Who answers a question could otherwise know all dice of the declaration that are left."""
    players = Players("alex")
    table = players.join(opened())
    sheets = packaged_sheets("srd35")
    for id, at in (("fighter", (3, 1)), ("ogre", (1, 0)), ("ogress", (4, 0))):
        sheet = sheets["fighter" if id == "fighter" else "ogre"]
        players.play(table, acts.Enter(id=id, side=id[0], sheet=sheet, at=at))
    players.play(table, acts.Begin())
    while table.state.round < 2 or table.state.active != "fighter":
        players.play(table, acts.EndTurn(actor=table.state.active))
    table.use(answers=policies.ask)
    players.play(table, acts.Move(actor="fighter", path=((3, 2), (3, 3))))
    while table.waiting is not None:
        if table.waiting.options:
            table.choose(table.waiting.options[0])
        else:
            players.give(table)
    keys = [fact.key for fact in facts(table) if isinstance(fact, Asked) and "/link/" in fact.key]
    assert any(key.endswith("/link/2") for key in keys)
    report = verify(table.store)
    assert report.ok, report
    found = what_if(table.store, reading={}, faces={rolls(table)[-1].key: [2]})
    assert found.waiting == ""
    assert verify(table.store).ok


def test_dice_thrown_by_hand_want_no_link() -> None:
    """A link is given as it is needed, and people who throw their own dice need none."""
    players = Players("alex")
    table = Table(players.join(opened()).store, hands=["everybody"])
    entered_by_hand = table.declare(
        acts.Enter(id="ogre", side="m", sheet=packaged_sheets("srd35")["ogre"], at=(1, 1))
    )
    assert entered_by_hand.refused is None
    assert table.declare(acts.Begin()).waiting is not None
    assert table.waiting is not None
    assert table.waiting.notation == "1d20"
    table.choose("7")
    assert rolls(table)[-1].provenance == "physical"
    assert not any(isinstance(fact, LinkGiven) for fact in facts(table))


def test_a_log_without_its_secrets_waits_for_the_game_master() -> None:
    """Who has the log alone cannot throw: the game master's link is asked for, and taken if it is right."""
    players = Players("alex")
    table = entered(players, players.join(opened()))
    lines = Lines()
    export_jsonl(table.store, lines)
    copy = MemoryStore()
    import_jsonl(lines.all, copy)
    elsewhere = Table(copy, hands=["everybody"])
    elsewhere = Table(copy, dice=Seeded(SECRET))
    first, second = elsewhere.state.order
    players.play(elsewhere, acts.Attack(actor=first, target=second))
    assert rolls(elsewhere)[-1].provenance == "joint"
    assert commitment(SECRET) == elsewhere.state.commitment
    assert verify(copy).ok


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
    from affray.engine.table.links import masters

    chain = table.state.chains[""]
    made = masters(SECRET.hex(), chain.begun, chain.length)
    fact = LinkGiven("", chain.number + 3, made.link(chain.number + 3).hex())
    dice = table._dice
    thrown = dice.thrown

    def cheating(fight: object, known: object = None) -> object:
        return thrown(fight, {**(known or {}), "": (fact,)})  # type: ignore[dict-item,arg-type]

    dice.thrown = cheating  # type: ignore[method-assign,assignment]
    table.choose(known.hex())
    report = verify(table.store)
    assert not report.ok
    problem = next(check.problem for check in report.checks if check.name == "dice")
    assert problem is not None
    assert f"the game master's links before {chain.number + 3} were left out" in problem.what


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
    number, link = chain_file.give(file, chain_file.asked_at(last))
    assert (number, link) == chain_file.give(file, chain_file.asked_at(last))
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
    assert found == [f"link 1 was given for {chain_file.asked_at(last)}, but does not follow there"]
    with pytest.raises(chain_file.BadChain, match="is no place"):
        chain_file.give(file, "main#4")
    (tmp_path / "other").write_text("{}")
    with pytest.raises(chain_file.BadChain):
        chain_file.read(tmp_path / "other")


def test_a_chain_that_is_used_up_says_so() -> None:
    """Nothing is recorded; the player begins another chain, or leaves."""
    players = Players("alex", length=1)
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    with pytest.raises(ChainUsedUp, match="all 1 links of alex's chain were given"):
        table.declare(acts.Attack(actor=first, target=second))
    later = Players("alex", length=5)
    later.join(table)
    later.play(table, acts.Attack(actor=first, target=second))
    assert verify(table.store).ok
