"""Players who name the hidden, by id or by name, in any text of any request: it is a word like any other.

Three fights are the same; in each the players say another word, of the same length: the id of who is hidden,
its name, a word that means nothing. The fields are those of the structs and of the table of routes, so that a
new one is in it by itself. All answers have the same status and the same bytes but for the word.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from msgspec import Struct
from msgspec import inspect as shapes

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.field_kinds import TextKind, field_kind
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.access import Guest
from affray.replay.serve.messages import Body, Declare
from affray.replay.serve.routes import TABLE, May
from tests.house.fights import DIALECTS
from tests.relatives import RELATIVES
from tests.serve.served import Reply, Served, enter, server
from tests.serve.test_eyes_types import acts_of_all_kinds

pytestmark = pytest.mark.slow

ID, NAME, WORD = WORDS = "zorgim", "Vexlor", "quaxby"
INNER = 1
"""So deep acts within acts are filled."""

Said = tuple[str, dict[str, Any]]
"""Which field, and a body with the word in it."""


def fight(log: Path, dialect: str) -> None:
    """Make a log: a hero beside an orc, a friend, and somebody who will be hidden."""
    with SqliteStore(log) as store:
        table = Table.create(store, dialect=dialect, terrain=["........"] * 6, seed=b"s")
        enter(table, "hero", "heroes", (1, 1), initiative=20)
        enter(table, "friend", "heroes", (1, 3), initiative=15)
        enter(table, "orc", "dark", (2, 1), initiative=10)
        enter(table, ID, "dark", (5, 4), initiative=5, name=NAME)
        table.declare(acts.Begin())
        for id in table.state.combatants if dialect == "woa" else ():
            plan = acts.Plan(actor=id, actions=(acts.Intent("standard", "attack", "orc"),))
            assert table.declare(plan).refused is None
        assert table.state.active == "hero"


def bodies(kind: type[Struct], word: str, depth: int) -> Iterator[Said]:
    """Yield plain data of a struct, with the word in one of its text fields at a time."""
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    base = {one.encode_name: usual for one in info.fields if (usual := _usual(kind, one)) is not None}
    base |= {info.tag_field: info.tag} if info.tag_field else {}
    for one in info.fields:
        for path, value in _with_word(one.type, word, depth):
            yield f"{one.name}{path}", {**base, one.encode_name: value}


def _usual(kind: type[Struct], field: shapes.Field) -> Any:
    """Return what a field has that is not the one tried: the hero acts, on the orc."""
    if field.name == "actor":
        return "hero"
    if field.name == "target" or (field.required and field_kind(kind, field.name) is TextKind.COMBATANT):
        return "orc"
    if not field.required:
        return None
    if isinstance(field.type, shapes.LiteralType):
        return field.type.values[0]
    return 3 if field.name == "at" else ""


def _with_word(shape: Any, word: str, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(shape, shapes.StrType):
        yield "", word
    elif isinstance(shape, shapes.UnionType):
        for one in shape.types:
            yield from _with_word(one, word, depth)
    elif isinstance(shape, shapes.VarTupleType):
        for path, value in _with_word(shape.item_type, word, depth):
            yield f"[]{path}", [value]
    elif isinstance(shape, shapes.StructType) and depth:
        for path, value in bodies(shape.cls, word, depth - 1):
            yield f".{shape.cls.__name__}.{path}", value


def cases(kinds: list[type[Struct]], depth: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield which field is tried, and the body for each of the words."""
    for kind in kinds:
        for tried in zip(*(bodies(kind, word, depth) for word in WORDS), strict=True):
            yield f"{kind.__name__}.{tried[0][0]}", [body for _, body in tried]


class Three:
    """The same fight thrice, with its guests; each time another word is said."""

    def __init__(self, served: list[Served]) -> None:
        """Invite the same to all, and hide somebody."""
        self.served = served
        self.guests: list[dict[str, Guest]] = []
        self.count = 0
        for one in served:
            invited = {id: one.access.invite("player", [id]) for id in ("hero", "friend")}
            self.guests.append({**invited, "onlooker": one.access.invite("onlooker")})
            assert one.ask(one.master, "POST", "/hidden", {"combatant": ID, "hidden": True}).status == 200
        self.sources = [one.get(one.master, "/events?limit=1")["events"][0]["source"] for one in served]
        self.now = served[0].get(self.guests[0]["hero"], "/session")["position"]

    def plain(self, at: int, text: str) -> str:
        """Return an answer without what differs between the fights anyway."""
        return text.replace(self.sources[at], "urn").replace(WORDS[at], "#")

    def same(self, tried: str, who: str, method: str, paths: list[str], sent: list[Any]) -> Reply:
        """Ask all three, assert that they answer the same, and return it."""
        answers = []
        for at, one in enumerate(self.served):
            answer = one.ask(self.guests[at][who], method, paths[at], sent[at])
            answers.append(Reply(answer.status, self.plain(at, answer.text)))
        for word, answer in zip(WORDS, answers, strict=True):
            assert answer == answers[-1], f"{tried}: as {word!r}"
        return answers[-1]

    def get(self, who: str, path: str) -> Reply:
        """Ask what is no matter of a word."""
        return self.same(path, who, "GET", [path] * 3, [None] * 3)

    def post(self, tried: str, path: str, sent: list[dict[str, Any]], who: str = "hero") -> Reply:
        """Send a command at the position now."""
        self.count += 1
        known = {"expected": self.now, "request": f"q{self.count}"}
        answer = self.same(tried, who, "POST", [path] * 3, [{**known, **body} for body in sent])
        self.now = answer.json.get("position") or self.now
        return answer

    def master(self, path: str, **body: Any) -> None:
        """Let each game master do the same."""
        for one in self.served:
            answer = one.post(one.master, path, **body)
            assert answer.status == 200, answer.text
        self.now = one.get(self.guests[-1]["hero"], "/session")["position"]

    def declare(self, tried: str, told: list[dict[str, Any]]) -> bool:
        """Declare, and answer what is asked; say whether it was done."""
        answer = self.post(tried, "/declarations", [{"act": act} for act in told])
        assert "required" not in answer.text, tried
        if answer.status != 200 or answer.json["refused"]:
            return False
        while (question := answer.json["question"]) is not None:
            assert question["options"], (tried, question)
            for one in self.served:
                answer = one.post(one.master, "/choices", answer=question["options"][0])
            self.now = one.get(self.guests[-1]["hero"], "/session")["position"]
        return True

    def assert_same(self, last: int) -> None:
        """Assert that nothing that can be looked at differs, of the last events each by itself."""
        for who in ("hero", "friend", "onlooker"):
            position = self.get(who, "/session").json["position"]
            line, _, end = position.rpartition(":")
            for path in (
                "/state",
                "/page",
                "/names",
                "/held",
                "/legal/hero",
                f"/events?after={line}:0&limit=1000",
            ):
                self.get(who, path)
            for seq in range(max(1, int(end) - last), int(end) + 1):
                self.get(who, f"/why/{seq}")
                self.get(who, f"/state?at={seq}")


@pytest.fixture
def three(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Three]:
    """Serve the fight in a dialect."""
    with ExitStack() as stack:
        found = []
        for word in WORDS:
            fight(tmp_path / f"{word}.db", request.param)
            found.append(stack.enter_context(server(tmp_path / f"{word}.db")))
        yield Three(found)


@pytest.mark.parametrize("three", DIALECTS, indirect=True, ids=DIALECTS)
def test_a_guess_in_any_declaration(three: Three, request: pytest.FixtureRequest) -> None:
    """Refused or done, it is answered alike, and told alike: to whoever said it, a friend, an onlooker."""
    depth = INNER if "srd35" in request.node.name else 0
    done = []
    for tried, told in cases(acts_of_all_kinds(), depth):
        if three.declare(tried, told):
            done.append((tried, told))
            three.master("/undo", count=1)
    assert "Speak.words" in dict(done)
    for tried, told in done:
        three.declare(tried, told)
    three.assert_same(20)
    # Whatever is ready now the orc sets off.
    three.master("/declarations", act={"act": "end-turn", "actor": "hero"})
    three.master("/declarations", act={"act": "end-turn", "actor": "friend"})
    three.master("/declarations", act={"act": "move", "actor": "orc", "path": [[3, 1], [4, 1]]})
    three.assert_same(5)


@pytest.mark.parametrize("three", ["srd35"], indirect=True)
def test_a_guess_in_any_request(three: Three) -> None:
    """In every part of a path, every word of a query, every text of a body, whoever asks."""
    count = 0
    for entry in TABLE:
        asked = [f"{{{name}}}" for name, _, _ in entry.named]
        path = entry.path.replace("{id}", "hero").replace("{seq}", "3")
        urls = [(name, entry.path) for name in asked] + [
            (f"?{one.name}", f"{path}?{one.name}={{word}}{more}")
            for one in entry.query
            for more in ("", "&act=charge", ":0:1")
        ]
        for name, url in urls:
            for who in ("hero", "onlooker"):
                paths = [
                    url.replace("{word}", word).replace(name, word).replace("{id}", "hero") for word in WORDS
                ]
                three.same(f"{entry.path} {name}", who, entry.method, paths, [None] * 3)
                count += 1
        if entry.body is None or entry.body is Declare:
            continue
        for tried in zip(*(bodies(entry.body, word, 0) for word in WORDS), strict=True):
            assert issubclass(entry.body, Body) or entry.may is May.MASTER
            three.count += 1
            known = {"expected": three.now, "request": f"b{three.count}"}
            sent = [
                {**body, **{name: said for name, said in known.items() if not body.get(name)}}
                for _, body in tried
            ]
            answer = three.same(f"{entry.path} {tried[0][0]}", "hero", entry.method, [path] * 3, sent)
            three.now = answer.json.get("position") or three.now
            count += 1
    assert count > 40
    three.assert_same(3)


@pytest.mark.parametrize("three", RELATIVES, indirect=True, ids=RELATIVES)
def test_a_guess_that_waits(three: Three, request: pytest.FixtureRequest) -> None:
    """Words of an act that is ready are seen in the state, and told when it is taken."""
    for said in ("#", "I see #, and the #s!"):
        told = [{"act": "speak", "actor": "hero", "words": said.replace("#", word)} for word in WORDS]
        assert three.declare("speak", told)
    three.assert_same(3)
    ready = {"act": "ready", "actor": "hero", "trigger": {"what": "moves", "who": "orc"}}
    thens = [
        [{"act": "speak", "words": f"stop, {word}!"} for word in WORDS],
        [{"act": "handle", "item": word, "what": "pick-up"} for word in WORDS],
    ]
    is_ready = any(three.declare("ready", [{**ready, "then": then} for then in some]) for some in thens)
    three.assert_same(2)
    three.master("/declarations", act={"act": "end-turn", "actor": "hero"})
    three.master("/declarations", act={"act": "end-turn", "actor": "friend"})
    three.master("/declarations", act={"act": "move", "actor": "orc", "path": [[3, 1], [4, 1]]})
    three.post("answer", "/choices", [{"answer": word} for word in WORDS])
    three.post("dispute", "/disputes", [{"at": 5, "text": f"the {word} did it"} for word in WORDS])
    three.assert_same(9)
    assert is_ready or "woa" in request.node.name  # where nobody readies


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Serve the fight to a hero's player, with nobody hidden yet."""
    fight(tmp_path / "fight.db", "srd35")
    with server(tmp_path / "fight.db") as running:
        yield running


def test_what_others_say_of_it_stays_hidden(served: Served) -> None:
    """What the game master says for a hero, what was said while all saw it, and a player who knows."""
    hero, knows = served.access.invite("player", ["hero"]), served.access.invite("player", ["orc", ID])
    for guest, words in ((hero, f"there is {NAME} before"), (served.master, f"{NAME} by the master")):
        assert served.declare(guest, "speak", actor="hero", words=words).status == 200
    served.ask(served.master, "POST", "/hidden", {"combatant": ID, "hidden": True})
    assert served.declare(knows, "speak", actor="orc", words=f"{NAME} knows").status == 200
    assert served.declare(served.master, "speak", actor="hero", words=f"{NAME} again").status == 200
    assert served.declare(hero, "speak", actor="hero", words=f"{NAME} guesses").status == 200
    told = served.ask(hero, "GET", "/events?limit=1000").text
    assert f"{NAME} guesses" in told
    for words in ("before", "by the master", "knows", "again"):
        assert f"{NAME} {words}" not in told
    assert "by_chance" not in told


def test_a_guess_at_one_who_comes_later(tmp_path: Path) -> None:
    """What was said before somebody was there is told as it was, whoever comes unseen under that name."""
    with ExitStack() as stack:
        served = []
        for word in WORDS:
            with SqliteStore(tmp_path / f"{word}.db") as store:
                table = Table.create(store, dialect="srd35", terrain=["........"] * 6, seed=b"s")
                enter(table, "hero", "heroes", (1, 1), initiative=20)
                table.declare(acts.Begin())
            served.append(stack.enter_context(server(tmp_path / f"{word}.db")))
        three = Three(served)
        told = [{"act": "speak", "actor": "hero", "words": f"is the {word} here?"} for word in WORDS]
        assert three.declare("speak", told)
        three.post("dispute", "/disputes", [{"at": 1, "text": f"the {word}!"} for word in WORDS])
        three.assert_same(5)
        sheet = {"name": NAME, "hp": 9}
        three.master(
            "/declarations", act={"act": "enter", "id": ID, "side": "dark", "sheet": sheet, "at": [5, 5]}
        )
        three.assert_same(5)
        assert three.declare("speak", told)
        three.assert_same(5)
        position = three.get("onlooker", "/events?limit=1000").json
        assert "hidden" not in str([event["type"] for event in position["events"]])


@pytest.mark.parametrize("three", ["srd35"], indirect=True)
def test_a_guess_that_is_decided_again(three: Three) -> None:
    """Words stay what they were on a line that a ruling makes the main one."""
    three.master("/declarations", act={"act": "speak", "actor": "hero", "words": "not this"})
    for act in ({"act": "speak", "words": "#"}, {"act": "sheathe", "item": "#"}):
        three.post(
            act["act"],
            "/declarations",
            [
                {"act": {"actor": "hero", **{name: text.replace("#", word) for name, text in act.items()}}}
                for word in WORDS
            ],
        )
    events = three.served[0].get(three.served[0].master, "/events?limit=1000")["events"]
    at = next(one["data"]["seq"] for one in events if "not this" in str(one))
    three.master("/rulings", at=at, verdict="overturn", text="that was not said")
    assert three.now.startswith("ruling-R1:1")
    three.assert_same(9)
    assert three.get("hero", "/events?limit=1000").text.count("#") == 6
