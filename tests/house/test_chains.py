"""Dice that nobody can foresee: from links of chains, each given away as it is needed."""

from hashlib import blake2b, sha256
from itertools import pairwise

import pytest
from msgspec.structs import replace

from affray.engine.dice import ChainUsedUp, LinkChain, Scripted, Seeded, commitment, parse
from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer, UnknownChain
from affray.engine.table.dice import WrongLink
from affray.engine.table.policies import BadThrow
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode, encode
from affray.events.envelope import Entry
from affray.events.errors import AffrayError, InvalidEntry
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import Asked, ChainLeft, Chosen, LinkGiven, Rolled
from affray.projections.fold import fold
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.links_played import DIALECTS, SECRET, Lines, Players, entered, facts, fought, opened, rolls


@pytest.mark.parametrize("dialect", DIALECTS)
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


def walking_away(players: Players, policy: str = "") -> Table:
    """Return a fight in which the fighter can walk away from two ogres, who enter with a policy."""
    table = players.join(opened())
    sheets = packaged_sheets("srd35")
    for id, at in (("fighter", (3, 1)), ("ogre", (1, 0)), ("ogress", (4, 0))):
        sheet = sheets["fighter" if id == "fighter" else "ogre"]
        players.play(table, acts.Enter(id=id, side=id[0], sheet=sheet, at=at, policy=policy))
    players.play(table, acts.Begin())
    while table.state.round < 2 or table.state.active != "fighter":
        players.play(table, acts.EndTurn(actor=table.state.active))
    return table


AWAY = acts.Move(actor="fighter", path=((3, 2), (3, 3)))


def links_asked(table: Table) -> list[str]:
    """Return which links were asked for, all declarations together."""
    keys = [fact.key for fact in facts(table) if isinstance(fact, Asked) and "/link/" in fact.key]
    return [key.rpartition("/")[2] for key in keys]


@pytest.mark.parametrize("policy", ["", "ask", "auto", "cautious"])
@pytest.mark.parametrize("name", ["policy:auto", "policy:cautious", "policy:mine", "gm"])
def test_a_choice_by_any_name_draws_anew(policy: str, name: str) -> None:
    """A game master who knows the dice that are left chooses with none of them, whoever is said to choose.

    Only what the policy answers with which somebody entered was not chosen.
    """
    for answered in (0, -1):
        players = Players("alex")
        table = walking_away(players, policy)
        table.use(answers=lambda fight, key, choice, at=answered: (choice.options[at], name))  # type: ignore
        players.play(table, AWAY)
        told = [fact.answer for fact in facts(table) if isinstance(fact, Chosen)]
        asked = {"auto": 0, "cautious": -1}.get(policy) == answered and name == f"policy:{policy}"
        assert ("2" in links_asked(table)) == (not asked and "take" in told), (told, links_asked(table))
        assert verify(table.store).ok


def test_a_person_called_a_policy_draws_anew() -> None:
    """As on the command line, where `--by` says who chooses."""
    players = Players("alex")
    table = walking_away(players)
    table.use(answers=policies.ask)
    players.play(table, AWAY)
    while table.waiting is not None:
        if table.waiting.options:
            table.choose(table.waiting.options[0], by="policy:auto")
        else:
            players.give(table)
    assert "2" in links_asked(table)
    assert verify(table.store).ok


def test_no_die_is_the_seed_s_where_dice_follow_from_links() -> None:
    """The game master knows those beforehand, and could choose between them and the others."""
    players = Players("alex")
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    table.use(Scripted([], then=table.seeded))
    before = table.seq
    with pytest.raises(BadThrow, match="follow from links of players here"):
        table.declare(acts.Attack(actor=first, target=second))
    assert table.seq == before
    table.use(Scripted([15, 3, 3, 3]))
    assert table.declare(acts.Attack(actor=first, target=second)).refused is None
    report = verify(table.store)
    assert report.ok, report
    forged = MemoryStore()
    seeded = Seeded(SECRET)
    for event in table.store.read("main"):
        data = event.data
        if event.type == "rolled" and b'"scripted"' in data:
            roll = decode(event)
            thrown = seeded.throw(roll.key, parse(roll.notation))
            assert thrown is not None
            faces, total = thrown[0].faces, thrown[0].total
            fact = replace(roll, faces=faces, total=total, provenance="seeded", algorithm="blake2b-1")
            data = encode(fact)
        place = (event.round, event.turn, event.actor, event.cause, data)
        forged.append("main", [Entry(event.type, event.version, *place)], event.seq - 1)
    assert "is rolled without links" in str(verify(forged)["structure"].problem)


def test_nobody_is_called_a_what_if() -> None:
    """What is answered so on a line that is decided again wants no links: elsewhere it is named."""
    players = Players("alex")
    table = walking_away(players)
    table.use(answers=lambda fight, key, choice: (choice.options[0], "what-if/policy:auto"))
    before = table.seq
    with pytest.raises(AffrayError, match="decided again"):
        players.play(table, AWAY)
    table.use(answers=policies.ask)
    while table.waiting is None or not table.waiting.options:
        players.give(table) if table.waiting else players.play(table, AWAY)
    with pytest.raises(AffrayError, match="decided again"):
        table.choose("take", by="what-if")
    assert table.seq > before
    players = Players("alex")
    table = walking_away(players, "auto")
    players.play(table, AWAY)
    forged = MemoryStore()
    for event in table.store.read("main"):
        data = event.data.replace(b'"policy:auto"', b'"what-if/policy:auto"')
        place = (event.round, event.turn, event.actor, event.cause, data)
        forged.append("main", [Entry(event.type, event.version, *place)], event.seq - 1)
    report = verify(forged)
    assert "was not decided again" in str(report["structure"].problem)


def test_each_choice_of_a_person_draws_anew() -> None:
    """Who answers a question could otherwise know all dice of the declaration that are left."""
    players = Players("alex")
    table = walking_away(players)
    table.use(answers=policies.ask)
    players.play(table, AWAY)
    while table.waiting is not None:
        if table.waiting.options:
            table.choose(table.waiting.options[0])
        else:
            players.give(table)
    keys = [fact.key for fact in facts(table) if isinstance(fact, Asked) and "/link/" in fact.key]
    assert any(key.endswith("/link/2") for key in keys)
    report = verify(table.store)
    assert report.ok, report
    last = [roll for roll in rolls(table) if roll.notation == "1d20"][-1]
    found = what_if(table.store, reading={}, faces={last.key: [2]})
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


def test_a_roll_that_is_made_by_hand_in_the_midst_of_others_by_links() -> None:
    """While the fight waits for it the log verifies as well, and when it has gone on."""
    players = Players("alex")
    table = players.join(opened())
    for (id, sheet), at in zip(list(packaged_sheets("srd35").items())[:2], ((1, 1), (4, 1)), strict=True):
        assert table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at)).refused is None
    _, last = table.state.combatants
    table = Table(table.store, hands=[last])
    players.play(table, acts.Begin())
    assert table.waiting is not None
    assert (table.waiting.who, table.waiting.notation) == (last, "1d20")
    assert rolls(table)[-1].provenance == "joint"
    report = verify(table.store)
    assert report.ok, report
    table.choose("7")
    assert [roll.provenance for roll in rolls(table)] == ["joint", "physical"]
    assert verify(table.store).ok


@pytest.mark.parametrize("whom", ["everybody", "first", "second"])
def test_hands_that_come_while_the_fight_waits_for_links(whom: str) -> None:
    """What links were asked for is thrown by links; the rolls that follow are made by hand."""
    players = Players("alex", "kim")
    table = players.join(opened())
    sheets = list(packaged_sheets("srd35").values())
    for id, sheet, at in zip(("first", "second"), sheets, ((1, 1), (4, 1)), strict=False):
        assert table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at)).refused is None
    table.declare(acts.Begin())
    asked = 0
    while table.waiting is not None:
        table = Table(table.store, hands=[whom])
        if table.waiting is not None and table.waiting.notation:
            table.choose("7")
        else:
            players.give(table)
            asked += 1
        report = verify(table.store)
        assert report.ok, report
    assert asked == 2
    found = [roll.provenance for roll in rolls(table)]
    assert found == (["joint", "joint"] if whom == "first" else ["joint", "physical"])


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


def test_a_chain_that_is_used_up_says_so() -> None:
    """Nothing is recorded; the player begins another chain, or leaves."""
    players = Players("alex", length=1)
    table = entered(players, players.join(opened()))
    first, second = table.state.order
    with pytest.raises(ChainUsedUp, match=r"all of alex's chain \(1 link\) was given"):
        table.declare(acts.Attack(actor=first, target=second))
    later = Players("alex", length=5)
    later.join(table)
    later.play(table, acts.Attack(actor=first, target=second))
    assert verify(table.store).ok
