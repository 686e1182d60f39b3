"""The players' copy of fights with hostile ids and names: nothing of who is hidden, and all of the rest."""

import random
from collections.abc import Iterator
from functools import cache
from io import BytesIO, StringIO
from typing import Any, ClassVar

import msgspec
import pytest

from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.events.codec import decode, encode, entry
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.flow import Disputed, OrderSet, Ruled
from affray.events.facts.sheet import Sheet
from affray.events.stores.memory import MemoryStore
from affray.projections.tables import tables, write
from affray.replay.log.declarations import groups
from affray.replay.privacy.redaction import (
    Redaction,
    audit_redacted,
    export_redacted,
    find_events_with_user_words,
    shown,
)
from affray.replay.privacy.visibility import Mentions, plain, whose
from affray.replay.verification.seals import sealed
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.house.wild import anywhere

pytestmark = pytest.mark.slow

HOSTILE = (
    'quo"te"d', "back\\slash\\n", "two words", "do.t.ted", "o'brien", "<b>bold&amp;", "hash#2", "aoo:colon",
    "オーガ来た", "naïve café", '{"who":"x"}', "=1+1;cmd", "ünï-cöde", "semi;colon, comma", "(paren) [brack]",
    "$HOME `x`", "%41%00", "under_score",
)  # fmt: skip
NAMES = (
    'Gh"arm', "Bör\\k", "Zalthar, mage 5", "The Pale One", "Öger.Fürst", "Mc'Gee", "<script>",
    "Nr#1", "Aoo:x", "影の者", "Straße", "Weird {name}", "=SUM(A1)", "Ünd, the 2nd", "Semi; Colon",
    "[Brackets]", "$Money", "100%",
)  # fmt: skip


def wild(dialect: str, seed: int, names: tuple[str, ...] = HOSTILE) -> MemoryStore:
    """Return the log of a wild fight of people with such ids, who speak of each other, with rulings."""
    dice = random.Random(f"{dialect} {seed}")
    plainly = opened(dialect, MemoryStore(), seed).state
    store = MemoryStore()
    table = Table.create(
        store, dialect=dialect, terrain=plainly.terrain, options=plainly.options, seed=b"s" * 32
    )
    table.use(answers=policies.auto)
    ids = dice.sample(names, len(plainly.combatants))
    called = dice.sample(NAMES, len(ids))
    for id, name, one in zip(ids, called, plainly.combatants.values(), strict=True):
        sheet = msgspec.structs.replace(one.sheet, name=name)
        table.declare(acts.Enter(id=id, side=one.side, sheet=sheet, at=one.at))
    table.declare(acts.Begin())
    play_wildly(table, dice, 25)
    for id, name in zip(ids, called, strict=True):
        for words in (f"Look:\n{name}!", f"is that {id}?", f"{name.upper()} again", "nobody in particular"):
            speaker = dice.choice(ids)
            table.declare(acts.Speak(actor=speaker, words=words))
    table.declare(acts.Attack(actor=ids[0], target=called[1]))
    table.declare(acts.Move(actor=ids[0], how=f"toward {ids[1]}"))
    play_wildly(table, dice, 15)
    head, state = store.head("main").seq, table.state
    facts: list[Any] = [
        Disputed("Q1", "player", f"{called[0]} was nowhere near", 3),
        Ruled("gm", "upheld", "as it stands", id="R1"),
        Ruled("gm", "upheld", f"by {ids[-1]}", id="R2"),
        OrderSet(order=tuple(ids[:1]), why=f"{ids[0]}, {ids[-1]} at 15 by a roll-off"),
    ]
    made: list[Entry] = [
        entry(fact, state.round, state.turn, "", head + at) for at, fact in enumerate(facts, start=1)
    ]
    store.append("main", made, head)
    return store


@cache
def fight(dialect: str, seed: int) -> MemoryStore:
    """Return such a log, made once."""
    return wild(dialect, seed)


def everything(value: Any) -> Iterator[str]:
    """Yield every text anywhere in decoded JSON, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from everything(one)
    elif isinstance(value, list):
        for one in value:
            yield from everything(one)


def confirming(store: MemoryStore) -> set[int]:
    """Return the events that would confirm a guess at what others hold back."""
    return {event.seq for event in store.read("main") if event.type in ("round.ended", "encounter.closed")}


def named(store: MemoryStore, words: set[str]) -> set[int]:
    """Return the events in whose actor or data one of the words stands, by looking at every text there is."""
    found = set()
    for event in store.read("main"):
        texts = [event.actor, *everything(msgspec.json.decode(event.data))]
        if any(plain(word) in plain(text) for word in words for text in texts):
            found.add(event.seq)
    return found


def sheets(store: MemoryStore) -> dict[str, str]:
    """Return the names of the sheets by id."""
    facts = (decode(event) for event in store.read("main") if event.type == "combatant.entered")
    return {fact.id: fact.sheet.name for fact in facts}


def distinct(store: MemoryStore) -> dict[str, str]:
    """Return those whose id and names stand in nobody else's, so that their text alone says who is meant."""
    found = sheets(store)
    called = {id: [plain(one) for one in (id, name, name.partition(",")[0])] for id, name in found.items()}
    return {
        id: name
        for id, name in found.items()
        if not any(a in b for other in found if other != id for b in called[other] for a in called[id])
    }


def copied(store: MemoryStore, **rules: Any) -> bytes:
    """Return a players' copy."""
    out = BytesIO()
    export_redacted(store, "main", out, Redaction(store, "main", **rules))
    return out.getvalue()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_of_who_is_hidden_and_all_of_the_rest(dialect: str, seed: int) -> None:
    """No text anywhere in the copy holds id or name, every event that does not name it is there unchanged."""
    store = fight(dialect, seed)
    seal = sealed(store)
    for id, name in distinct(store).items():
        words = {id, name, name.partition(",")[0]}
        wanted = named(store, words) | confirming(store)
        assert 0 < len(wanted) < seal.seq
        data = copied(store, hide=(id,))
        lines = [msgspec.json.decode(line) for line in data.splitlines()[1:-1]]
        hidden = {line["seq"] for line in lines if "data" not in line}
        assert hidden == wanted
        for text in everything(lines):
            assert not any(plain(word) in plain(text) for word in words), text
        for word in (id, name):
            for spelled in (word.encode(), msgspec.json.encode(word)[1:-1], word.encode().hex().encode()):
                assert spelled not in data
        for line, raw, event in zip(lines, data.splitlines()[1:-1], store.read("main"), strict=True):
            if "data" in line:
                salt = event.salt.hex().encode()
                assert raw.endswith(b',"data":' + event.data + b',"salt":"' + salt + b'"}')
                assert (line["digest"], line["actor"]) == (event.digest.hex(), event.actor)
        audit = audit_redacted(data.splitlines(keepends=True), seal)
        assert (audit.verdict.outcome, audit.hidden) == ("same", len(wanted))
        assert copied(store, hide=(name,)) == data


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tables_hold_what_the_copy_shows(dialect: str) -> None:
    """Every table of a redacted line, in CSV: no cell names who is hidden, no row of another is missing."""
    store = fight(dialect, 1)
    for id, name in distinct(store).items():
        redaction = Redaction(store, "main", hide=(id,))
        there = {event.seq for event in shown(store, "main", redaction.why)}
        for table in tables():
            out = StringIO()
            write(shown(store, "main", redaction.why), table, out)
            for word in (id, name):
                assert plain(word) not in plain(out.getvalue())
                assert word.replace('"', '""') not in out.getvalue()
            if table == "events":
                assert len(out.getvalue().split("\r\n")) - 2 >= len(there)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("hidden", ["a", "i", "e", "x"])
def test_a_short_id_hides_no_more_than_its_own(dialect: str, hidden: str) -> None:
    """An id that stands inside other words, or is a word of the rules, hides what names it, and nothing else.

    Where it stands as a word of its own in a sentence nobody can tell, and the sentence is hidden.
    """
    names = (hidden, "attack", "move", "main", "standard", "seeded", "fly", "d4")
    store = wild(dialect, 1, names)
    mentions = Mentions(sheets(store), (hidden,))
    if hidden not in sheets(store):
        with pytest.raises(AffrayError):
            Redaction(store, "main", hide=(hidden,))
        return
    for line, event in zip(copied(store, hide=(hidden,)).splitlines()[1:-1], store.read("main"), strict=True):
        texts = [event.actor, *everything(msgspec.json.decode(event.data))]
        if event.seq in confirming(store):
            assert b'"data":' not in line
        elif b'"data":' not in line:
            assert any(mentions.within(text.replace("/", " ").replace(":", " ")) for text in texts), event
        else:
            assert hidden not in texts, event


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("id", ["attack", "move", "standard", "main", "seeded"])
def test_an_id_that_is_a_word_of_the_rules(dialect: str, id: str) -> None:
    """Others' moves, rolls and turns are shown, whatever a hidden combatant is called."""
    store = wild(dialect, 2, (id, "hero two", "third", "fourth", "fifth", "sixth", "seventh", "eighth"))
    if id not in sheets(store):
        return
    redaction = Redaction(store, "main", hide=(id,))
    for event in store.read("main"):
        if event.type in ("turn.began", "rolled", "moved", "round.began", "budget.renewed"):
            fact = decode(event)
            if event.actor != id and getattr(fact, "who", "") != id and id not in getattr(fact, "key", ""):
                assert redaction.why(event) == "", event


class TestMentions:
    """When a text names somebody."""

    SHEETS: ClassVar = {"ogre": "Gharm, ogre", "goblin": "Goblin", "goblin-2": "Goblin", "art": "Arthur"}

    @pytest.mark.parametrize(
        "text",
        ["ogre", "the OGRE!", "Gharm", "gharm's axe", "ogres", "two\nogres", "x\nGharm", "(ogre)", '"ogre"',
         "ogre.hp", "aoo:ogre", "ogre#2", "move:ogre:1", "og\u200bre", "\uff47\uff48\uff41\uff52\uff4d",
         "GHARM,  OGRE", "Gharm_ogre", "d4/ogre/attack"],
    )  # fmt: skip
    def test_it_is_found(self, text: str) -> None:
        """By id, name or its first part, in any case, spelled with what is not seen, with an ending."""
        assert Mentions(self.SHEETS, ("ogre",)).within(text)

    @pytest.mark.parametrize(
        "text", ["", "progress", "ogress", "gharmony", "goblin", "o g r e", "ogre2", "groge"]
    )
    def test_it_is_not_found(self, text: str) -> None:
        """Inside another word it is another word."""
        assert not Mentions(self.SHEETS, ("ogre",)).within(text)

    def test_others_are_told_apart(self) -> None:
        """A name that two bear is neither's; a longer id of another one is that one's."""
        goblin = Mentions(self.SHEETS, ("goblin",))
        assert goblin.within("goblin at 12, goblin-2 at 9")
        assert not goblin.within("goblin-2 at 9")
        assert goblin.is_one("goblin")
        assert not goblin.is_one("goblin-2")
        assert not Mentions(self.SHEETS, ("goblin-2",)).within("a Goblin cries")
        assert not Mentions(self.SHEETS, ("art",)).within("at the start, a martial artist, Art2")
        assert Mentions(self.SHEETS, ("art",)).within("Arthur starts")
        assert Mentions({"オーガ": "影"}, ("オーガ",)).within("突然オーガが来た")


def test_words_of_people_are_told() -> None:
    """Whoever exports hears which events hold words in which people may have named anybody otherwise."""
    store = fight("srd35", 0)
    told = find_events_with_user_words(store.read("main"))
    spoken = {event.seq for event in store.read("main") if event.data.find(b'"act":"speak"') >= 0}
    assert spoken <= set(told) < set(range(store.head("main").seq + 1))


def test_a_branch_that_names_it_is_refused() -> None:
    """The name of a branch stands under every digest: it cannot be left out, so it is said."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["....", "...."])
    for at, id in enumerate(("ogre", "main", "hero")):
        table.declare(acts.Enter(id=id, side=id, sheet=Sheet(name=f"Gharm {at}", hp=5), at=(at, 0)))
    store.fork("if-gharm-0-flees", "main", table.seq)
    store.fork("again", "if-gharm-0-flees", table.seq)
    with pytest.raises(AffrayError, match="'if-gharm-0-flees' names what is to be hidden"):
        Redaction(store, "if-gharm-0-flees", hide=("ogre",))
    for branch, hidden in (("if-gharm-0-flees", "hero"), ("main", "main"), ("again", "ogre")):
        Redaction(store, branch, hide=(hidden,))


def test_fields_that_are_not_read_here_are_looked_at() -> None:
    """Another hand may have written more into an event than its fact holds."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["....", "...."])
    for at, id in enumerate(("ogre", "hero")):
        table.declare(acts.Enter(id=id, side=id, sheet=Sheet(name=id, hp=5), at=(at, 0)))
    head = store.head("main").seq
    for data in (
        b'{"cites":[],"nick":"ogre","number":1,"type":"turn.began","who":"hero"}',
        b'{"cites":[],"number":1,"type":"turn.began","who":"ogre","who":"hero"}',
        b'{"cites":[],"number":1,"type":"turn.began","ogre":1,"who":"hero"}',
        b'{"cites":[],"number":1,"type":"turn.began","who":"\\u006fgre"}',
    ):
        store.append("main", [Entry("turn.began", 1, 0, 0, "", head + 1, data)], head)
        head += 1
    store.append("main", [Entry("turn.began", 1, 0, 0, "", head, encode_turn())], head)
    redaction = Redaction(store, "main", hide=("ogre",))
    *bad, good = list(store.read("main"))[-5:]
    assert [bool(redaction.why(event)) for event in bad] == [True] * 4
    assert redaction.why(good) == ""


def encode_turn() -> bytes:
    """Return the data of an ordinary turn."""
    from affray.events.facts.flow import TurnBegan

    return encode(TurnBegan(who="hero", number=1))


def test_a_refused_entry_of_another_side_is_hidden() -> None:
    """Who never came onto the map is on no side: by the declaration's own word it is the others'."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["#...", "...."])
    table.declare(acts.Enter(id="hero", side="heroes", sheet=Sheet(name="Hero", hp=5), at=(1, 0)))
    refused = table.declare(acts.Enter(id="boss", side="dark", sheet=Sheet(name="Boss", hp=99), at=(0, 0)))
    assert refused.refused is not None
    assert b'"hp":99' not in copied(store, side="heroes")
    assert b'"hp":5' in copied(store, side="heroes")


def hazarded() -> MemoryStore:
    """Return a fight in which the game master hurts somebody of each side, and both."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["......"] * 4, seed=b"s")
    for id, side, at in (("hero", "heroes", (1, 1)), ("ogre", "dark", (3, 1))):
        sheet = Sheet(name=id.title(), hp=50)
        table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at))
    table.declare(acts.Begin())
    for target in ("ogre", "hero"):
        table.declare(acts.Hazard(target=target, damage="2d6", source="trap"))
        table.declare(acts.Fall(target=target, feet=0, pounds=300))
    return store


def test_dice_of_the_game_master_are_hidden_with_those_whom_they_hurt() -> None:
    """The roll is nobody's: what it tells is how much the monster lost."""
    store = hazarded()
    redaction = Redaction(store, "main", side="heroes")
    rolls = [(event, decode(event)) for event in store.read("main") if event.type == "rolled"]
    hidden = {fact.key: bool(redaction.why(event)) for event, fact in rolls if not fact.who}
    assert len(hidden) >= 2
    hurt = {decode(event).act.target: decode(event).id for event in store.read("main")
            if event.type == "declared" and isinstance(decode(event).act, acts.Hazard)}  # fmt: skip
    assert {key: hide for key, hide in hidden.items() if "/hazard/" in key} == {
        f"{hurt['ogre']}//hazard/1": True,
        f"{hurt['hero']}//hazard/1": False,
    }


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(12))
def test_what_is_nobody_s_shows_nothing_of_another_side(dialect: str, seed: int) -> None:
    """Dice and answers of the game master are hidden where they hurt, or are about, another side."""
    dice, store = random.Random(seed), MemoryStore()
    table = anywhere(dice, dialect, store, seed)
    table.use(answers=policies.auto)
    if table.waiting is None:
        play_wildly(table, dice, 30)
    entered = [decode(event) for event in store.read("main") if event.type == "combatant.entered"]
    sides = {one.id: one.side for one in entered}
    for side in set(sides.values()):
        redaction = Redaction(store, "main", side=side)
        others = {id for id, one in sides.items() if one != side}
        for group in groups(store.read("main")):
            facts = [decode(event) for event in group]
            pairs = list(zip(group, facts, strict=True))
            told = [pair for pair in pairs if pair[0].type in ("damage.resolved", "check.resolved")]
            hurt = {who for pair in told for who in whose(*pair)}
            for event, fact in pairs:
                if event.type not in ("rolled", "asked", "chosen") or fact.who:
                    continue
                if event.actor in others or (not event.actor and hurt & others):
                    assert redaction.why(event), event
