"""Those who were carried are followed back through the logs; what is not so is named field by field."""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine.kernel.arrival import state_code
from affray.engine.table.table import Table
from affray.engine.text.narrate import lines
from affray.events import MemoryStore
from affray.events.codec import decode, encode
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import Declared
from affray.events.stores.store import Store
from affray.replay import Between, Journey, Logs, career, carry, follow_back, fork, promote, verify
from affray.replay.campaign.origins import SAYS_ORIGIN, arrivals, identity
from affray.replay.explain.blame import Blame, yield_origins_in_earlier_fights
from affray.replay.log_files import SECRETS, copy_log
from affray.replay.privacy.redaction import Redaction
from tests.replay.test_carried import met

Edit = Callable[[list[Entry]], None]


def opened(name: str, seed: bytes) -> Table:
    """Return a new fight of the campaign."""
    return Table.create(MemoryStore(), dialect="srd35", terrain=("." * 12,) * 8, name=name, seed=seed * 32)


@cache
def campaign() -> tuple[MemoryStore, MemoryStore, MemoryStore]:
    """Return three logs: the fighter is hurt at the ford, goes on to the bridge, and as rolf to the tower."""
    ford = met()
    ford.declare(acts.Hazard(target="fighter", damage="1d6", source="the river"))
    ford.declare(acts.Hazard(target="fighter", condition="shaken", source="the river"))
    ford.declare(acts.Hazard(target="ogre", damage="300d6", source="the falls"))
    bridge, tower = opened("the bridge", b"b"), opened("the tower", b"t")
    carry(ford.store, ["fighter"], bridge.store)
    bridge = Table(bridge.store)
    bridge.declare(acts.Hazard(target="fighter", damage="1d4", source="a stone"))
    journey = Journey(names={"fighter": "rolf"}, between=Between(after=600))
    carry(bridge.store, ["fighter"], tower.store, journey=journey)
    return ford.store, bridge.store, tower.store  # type: ignore[return-value]


def at_hand(*stores: Store) -> Logs:
    """Return logs by the names that they have in their first events."""
    return Logs((decode(next(iter(store.read("main", 0, 1)))).name, store) for store in stores)


def rechained(store: Store, edit: Edit) -> MemoryStore:
    """Return the main line after an edit by somebody who computes every digest anew."""
    entries = [
        Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in store.read("main")
    ]
    edit(entries)
    made = MemoryStore()
    for name in SECRETS:
        if secret := store.secret(name):
            made.keep_secret(name, secret)
    made.append("main", entries, 0)
    return made


def entry_changed(change: Callable[[acts.Enter], acts.Enter], also: Edit = lambda entries: None) -> Edit:
    """Return what changes the entry of whoever comes from another fight."""

    def edit(entries: list[Entry]) -> None:
        for place, entry in enumerate(entries):
            if entry.type == "declared" and SAYS_ORIGIN in entry.data:
                fact = msgspec.json.decode(entry.data, type=Declared)
                entries[place] = replace(entry, data=encode(replace(fact, act=change(fact.act))))  # type: ignore[arg-type]
        also(entries)

    return edit


def with_origin(**change: Any) -> Edit:
    """Return what changes the origin that somebody gives."""
    return entry_changed(lambda act: replace(act, origin=replace(act.origin, **change)))


def with_state(**change: Any) -> Callable[[acts.Enter], acts.Enter]:
    """Return what changes what somebody brings along, and the digest of that with it."""

    def changed(act: acts.Enter) -> acts.Enter:
        assert act.carried
        assert act.sheet
        carried = replace(act.carried, **change)
        return replace(act, carried=carried, origin=replace(act.origin, state=state_code(act.sheet, carried)))

    return changed


def test_the_way_back_leads_through_all_logs() -> None:
    """Of three logs in a row each is reached, verified, and whoever left it derived from it again."""
    ford, bridge, tower = campaign()
    found = follow_back(tower, at_hand(ford, bridge), "the tower")
    assert found.ok, found
    assert [str(one) for one in found.followed] == [
        f"the tower main#2: rolf is as it left the bridge (fighter, main#{bridge.head('main').seq})",
        f"the bridge main#2: fighter is as it left the ford (fighter, main#{ford.head('main').seq})",
    ]
    assert [(check.name, check.count) for check in found.checks] == [("origins", 2), ("logs", 2)]


def test_what_is_not_at_hand_is_told() -> None:
    """Where a log is missing the way ends, which is no fault and is said."""
    ford, bridge, tower = campaign()
    found = follow_back(tower, at_hand(bridge))
    assert found.ok
    assert "not followed" in str(found.followed[1])
    assert found.checks[0].note == f"not followed: {identity(ford)[:12]} not available"


FORGED: dict[str, Edit] = {
    "event 5 of 'main' is a different event there": with_origin(seq=5),
    "event 9999 of 'main' is a different event there": with_origin(seq=9999),
    "is a different event there": with_origin(digest="0" * 64),
    "no combatant 'figther'": with_origin(id="figther"),
    "no branch": with_origin(branch="other"),
    "conditions: left with [": entry_changed(with_state(conditions=())),
    "hp: left with": entry_changed(with_state(hp=3)),
    "sheet.base_attack: left with": entry_changed(
        lambda act: with_state()(replace(act, sheet=replace(act.sheet, base_attack=20)))  # type: ignore[arg-type]
    ),
    "origin.state: left with": with_origin(state="0" * 64),
}


@pytest.mark.parametrize("told", FORGED)
def test_a_forged_entry_is_found(told: str) -> None:
    """Another event, another person, another figure: each is named, though every digest fits."""
    ford, bridge, _ = campaign()
    found = follow_back(rechained(bridge, FORGED[told]), at_hand(ford), "the bridge")
    assert not found.ok
    assert told in str(found.followed[0])
    assert not found.checks[0].ok


def test_a_forged_log_is_not_at_hand() -> None:
    """An origin that names no log at hand is not followed, and one that names its own log is a fault."""
    ford, bridge, _ = campaign()
    elsewhere = follow_back(rechained(bridge, with_origin(log="9" * 64)), at_hand(ford))
    assert "not followed" in str(elsewhere.followed[0])
    own = follow_back(rechained(bridge, with_origin(log=identity(bridge))), at_hand(ford))
    assert "it is this log itself" in str(own.followed[0])
    assert not own.ok


def test_a_changed_number_of_the_fact_is_found_in_the_log_itself() -> None:
    """Hit points of the entry that are not those brought along are decided otherwise by the rules."""
    _, bridge, _ = campaign()

    def edit(entries: list[Entry]) -> None:
        place = next(at for at, one in enumerate(entries) if one.type == "combatant.entered")
        fact = msgspec.json.decode(entries[place].data)
        entries[place] = replace(entries[place], data=encode({**fact, "hp": fact["hp"] + 1}))

    report = verify(rechained(bridge, edit))
    assert not report["outcomes"].ok


def test_a_changed_former_log_is_found() -> None:
    """What was changed in the log from which somebody comes is found there, or by the digest of the event."""
    ford, bridge, _ = campaign()

    def less(entries: list[Entry]) -> None:
        place = next(at for at, one in enumerate(entries) if one.type == "hit-points.changed")
        fact = msgspec.json.decode(entries[place].data)
        entries[place] = replace(entries[place], data=encode({**fact, "hp": fact["hp"] + 1}))

    found = follow_back(bridge, at_hand(rechained(ford, less)))
    assert not found.ok
    assert "is a different event there" in str(found.followed[0])
    assert not found.checks[1].ok

    def cut(entries: list[Entry]) -> None:
        del entries[max(at for at, one in enumerate(entries) if one.type == "declared") :]

    assert "is a different event there" in str(follow_back(bridge, at_hand(rechained(ford, cut))).followed[0])


def test_nobody_comes_twice() -> None:
    """One who has already come does not come again under another name."""
    ford, bridge, _ = campaign()
    before = list(bridge.read("main"))
    again = decode(before[1])
    twin = replace(again.act, id="twin", at=(9, 6))
    table = Table(copied(bridge))
    assert table.declare(twin).refused is None
    found = follow_back(table.store, at_hand(ford))
    assert [one.ok for one in found.followed] == [True, False]
    assert "has already come" in str(found.followed[1])


def copied(store: Store) -> MemoryStore:
    """Return a copy of a log."""
    made = MemoryStore()
    copy_log(store, made)
    return made


def test_there_and_back_again() -> None:
    """Somebody may come back into the fight that it left, while that goes on; the way back ends there."""
    ford, bridge, _ = (copied(one) for one in campaign())
    journey = Journey(names={"fighter": "again"}, places={"fighter": (5, 6)})
    assert carry(bridge, ["fighter"], ford, journey=journey)[0].outcome.refused is None
    found = follow_back(ford, at_hand(bridge, ford), "the ford")
    assert found.ok, found
    assert [one.id for one in found.followed] == ["again", "fighter"]
    told = career("fighter", at_hand(ford, bridge))
    assert [(one.fight, one.id) for one in told.bouts] == [
        ("the ford", "fighter"), ("the bridge", "fighter"), ("the ford", "again"),
    ]  # fmt: skip


def test_other_lines_are_followed_too() -> None:
    """An entry on a branch is followed as one on the main line; one that both have is told once."""
    ford, bridge, _ = (copied(one) for one in campaign())
    fork(bridge, "end", "second", "main")
    line = Table(bridge, "second")
    line.declare(acts.Hazard(target="fighter", damage="1d4", source="a stone"))
    promote(bridge, "second", "gm")
    assert len(follow_back(bridge, at_hand(ford)).followed) == 1
    tower = opened("a tower", b"u")
    carry(bridge, ["fighter"], tower.store)
    (one,) = arrivals(tower.store.read("main"))
    assert one.origin.branch == "second"
    assert follow_back(tower.store, at_hand(ford, bridge)).ok


def test_an_export_and_a_copy_keep_it() -> None:
    """What is exported and read again, or copied, is followed as before: digests stay what they were."""
    ford, bridge, tower = campaign()
    out = BytesIO()
    export_jsonl(bridge, out)
    imported = MemoryStore()
    import_jsonl(BytesIO(out.getvalue()), imported)
    found = follow_back(copied(tower), at_hand(copied(ford), imported))
    assert found.ok
    assert len(found.followed) == 2


def test_blame_goes_on_into_the_fight_before() -> None:
    """What made the hit points what they are is told log by log, and an own change alone ends there."""
    ford, bridge, tower = campaign()
    logs = at_hand(ford, bridge)
    blame = Blame(tower)
    before = list(yield_origins_in_earlier_fights(blame, blame.of("rolf.hp"), logs))
    assert [one.log for one in before] == ["the bridge", "the ford"]
    stone, river = (one.blamed.makers[0].text for one in before if one.blamed is not None)
    assert "a stone" in stone
    assert "the river" in river
    assert list(yield_origins_in_earlier_fights(blame, blame.of("rolf.at"), logs)) == []
    (away,) = yield_origins_in_earlier_fights(blame, blame.of("rolf.hp"), Logs())
    assert (away.log, away.blamed) == ("", None)
    condition = list(yield_origins_in_earlier_fights(blame, blame.of("rolf.conditions.shaken"), logs))
    assert [one.log for one in condition] == ["the bridge", "the ford"]


def test_a_career_is_told_in_its_order() -> None:
    """The fights of one combatant come in the order of the chain, whatever the order of the logs."""
    ford, bridge, tower = campaign()
    for id, logs in (("fighter", (tower, ford, bridge)), ("rolf", (bridge, tower, ford))):
        told = career(id, at_hand(*logs))
        assert [(one.fight, one.id) for one in told.bouts] == [
            ("the ford", "fighter"), ("the bridge", "fighter"), ("the tower", "rolf"),
        ]  # fmt: skip
        first, second, third = told.bouts
        assert (first.at_last.hp, second.at_last.hp) == (second.at_first.hp, third.at_first.hp)
        assert first.taken == first.at_first.hp - first.at_last.hp
        assert second.taken == second.at_first.hp - second.at_last.hp
        assert (first.next, second.next, third.next) == ("the bridge", "the tower", "")
    alone = career("rolf", at_hand(tower))
    assert alone.missing == (identity(bridge),)
    with pytest.raises(AffrayError, match="there is no combatant 'odo'"):
        career("odo", at_hand(ford))


def test_the_story_says_from_where() -> None:
    """A reader of the story is told where somebody comes from; players of other sides are not."""
    ford, bridge, tower = campaign()
    told = "\n".join(lines(map(decode, tower.read("main"))))
    assert f"rolf comes, as fighter, from the bridge, event {bridge.head('main').seq}" in told
    table = Table(copied(tower))
    sheet = table.state.combatants["rolf"].sheet
    table.declare(acts.Enter(id="orc", side="monsters", sheet=sheet, at=(9, 6)))
    hidden = Redaction(table.store, "main", side="monsters")
    assert [hidden.why(event) != "" for event in table.store.read("main")][:3] == [False, True, True]
    assert ford is not bridge
