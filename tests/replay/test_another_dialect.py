"""A fight decided again under another rulebook: the same dice, other rules, a log that stands by itself."""

from itertools import permutations

import pytest

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.replay.rule_changes.another_dialect import Crossing, DoesNotFit, decide_under, lines, page
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.fights import demo, opened
from tests.house.links_played import Players, entered, fought
from tests.house.links_played import opened as opened_by_links
from tests.relatives import RELATIVES


def rolls(store: MemoryStore) -> dict[str, tuple[int, ...]]:
    """Return the faces of each roll by key."""
    return {fact.key: fact.faces for fact in map(decode, store.read("main")) if hasattr(fact, "faces")}


def shared_rolls(store: MemoryStore, into: MemoryStore, found: Crossing) -> list[str]:
    """Return the keys of the rolls of both that take the same dice; each must show the same faces."""
    mine, theirs = rolls(store), rolls(into)
    keys = [key for key in mine if key in theirs and key not in found.fresh]
    assert {key: theirs[key] for key in keys} == {key: mine[key] for key in keys}
    return keys


@pytest.fixture(scope="module")
def fight() -> MemoryStore:
    """The packaged srd35 fight, played to its end."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    return store


def test_the_same_dice_fall(fight: MemoryStore) -> None:
    """Rolls that both rulebooks make show the same faces; the new log verifies, seed and all."""
    into = MemoryStore()
    found = decide_under(fight, "pf1", into)
    assert len(shared_rolls(fight, into, found)) > 20
    report = verify(into)
    assert report.ok, report
    assert next(iter(into.read("main", 0, 1))).data.find(b'"pf1"') > 0
    assert found.same < found.declarations == found.same + len(found.partings)


def test_differences_name_the_rules_of_both(fight: MemoryStore) -> None:
    """Ysolde bleeds to death at -10 under one rulebook, and at her Constitution under the other."""
    found = decide_under(fight, "pf1", into := MemoryStore())
    told = "\n".join(lines(found))
    assert "srd35.injury.dead" in told
    assert "pf1.injury.stabilize" in told
    assert any(one.id == "Ysolde" and one.changes["alive"] == (False, True) for one in found.combatants)
    for event in into.read("main"):
        assert not any(rule.startswith("srd35.") for rule in getattr(decode(event), "cites", ()))
    html = page(found)
    assert "<th scope=col>srd35</th><th scope=col>pf1</th>" in html
    assert "srd35.injury.dead" in html


def test_faces_of_dice_that_players_had_a_part_in_are_imported() -> None:
    """The seed of the new log cannot give them again."""
    players = Players("alex")
    table = fought(players, entered(players, players.join(opened_by_links())), 6)
    found = decide_under(table.store, "pf1", into := MemoryStore())
    assert "players contributed to the dice" in found.not_carried[0]
    origins = {fact.provenance for fact in map(decode, into.read("main")) if hasattr(fact, "faces")}
    assert "imported" in origins
    assert verify(into).ok


def test_a_secret_seed_is_not_needed(fight: MemoryStore) -> None:
    """Of a log whose seed is secret the faces are taken over as they fell."""
    copy = MemoryStore()
    copy.restore(fight.branches(), [event for event in fight.read_all() if event.type != "encounter.closed"])
    found = decide_under(copy, "pf1", into := MemoryStore())
    assert "the seed is still secret" in found.not_carried[0]
    assert len(shared_rolls(copy, into, found)) > 20
    assert verify(into).ok


def test_what_cannot_enter_is_named_at_once() -> None:
    """All that is in the way, and nothing is recorded."""
    store = MemoryStore()
    play(packaged("demo_futurepath"), store)
    into = MemoryStore()
    with pytest.raises(DoesNotFit, match=r"cannot play this fight: .*'ballistic' in 'weapon rifle'.*; "):
        decide_under(store, "srd35", into)
    assert into.head("main").seq == 0
    with pytest.raises(DoesNotFit, match="already"):
        decide_under(store, "futurepath", into)
    with pytest.raises(AffrayError, match="no encounter"):
        decide_under(MemoryStore(), "pf1", into)


@pytest.mark.parametrize(("a", "b"), list(permutations(RELATIVES, 2)))
def test_whatever_crosses_verifies(a: str, b: str) -> None:
    """Each packaged fight under each other rulebook is refused by name or ends in a log that verifies."""
    store = MemoryStore()
    play(demo(a), store)
    into = MemoryStore()
    if a == "futurepath":
        with pytest.raises(DoesNotFit, match=f"^{b} cannot play this fight"):
            decide_under(store, b, into)
        return
    found = decide_under(store, b, into)
    assert verify(into).ok
    assert found.declarations == found.same + sum(one.a is not None for one in found.partings)
    assert list(lines(found))


def test_a_ruled_line_with_refusals_crosses() -> None:
    """What was refused before stays refused, and a branch can be taken as well."""
    store = MemoryStore()
    table = opened("srd35", store, 4)
    table.declare(acts.Begin())
    table.declare(acts.Move(actor=table.state.active, path=((90, 90),)))
    table.declare(acts.EndTurn(actor=table.state.active))
    branch = what_if(store, reading={"soft_cover_blocks_aoo": "off"}).name
    found = decide_under(store, "pf1", into := MemoryStore(), branch=branch)
    assert found.not_carried == ["readings of contested rules of srd35 stay behind: soft_cover_blocks_aoo"]
    assert verify(into).ok
    assert Table(into).state.begun
