"""Worlds of Adventure as a whole: fights that end, the plan of a round, waiting players, the injury table."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dialects.woa.damage.injury import closest_row, entry_for, injury_rows
from affray.engine.dialects.woa.turns.tactics import propose
from affray.engine.dice import Scripted, seed_of
from affray.engine.fight.fight import Fight
from affray.engine.table import policies
from affray.engine.table.scenario import packaged, play, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts, flow
from affray.events.facts.combat import AttackResolved, Dismounted, Moved
from affray.events.facts.flow import Refused
from affray.events.facts.sheet import Abilities, Sheet, Weapon
from affray.projections.fold import fold
from affray.projections.state import Encounter, digest, freeze

WAR_TRAINED = ("war-trained", "military saddle")
HORSE = Sheet(
    name="Horse",
    hp=40,
    size="large",
    tall=False,
    kind="animal",
    legs=4,
    speed=50,
    abilities=Abilities(str=16, dex=12, con=14, int_=2),
    base_attack=3,
    weapons=(Weapon("hoof", "1d6", "bludgeoning", "natural"),),
)
GUARD = Sheet(
    name="Guard",
    hp=12,
    abilities=Abilities(str=12, dex=12, con=12),
    classes={"warrior": 4},
    base_attack=2,
    weapons=(Weapon("club", "1d6"),),
)


def ready(*sides: tuple[str, str, tuple[int, int]], **options: str) -> Table:
    """Return a table with guards on the map, not begun."""
    table = Table.create(
        MemoryStore(), dialect="woa", terrain=("......", "......"), options=options, seed=seed_of("woa")
    )
    for id, side, at in sides:
        assert table.declare(acts.Enter(id=id, side=side, sheet=GUARD, at=at)).refused is None
    return table


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_a_fight_ends_and_its_digests_hold(seed: str) -> None:
    """The packaged fight is over after three rounds or more, and every round's digest is that of the fold."""
    store = MemoryStore()
    table = play(packaged("demo_woa"), store, seed=seed_of(seed))
    events = list(store.read("main"))
    ends = [event for event in events if event.type == "round.ended"]
    assert table.state.round >= 3
    assert len(ends) >= 2
    for end in ends:
        fact = decode(end)
        assert isinstance(fact, flow.RoundEnded)
        assert fact.state == digest(fold(events[: end.seq - 1]))
    standing = {
        one.side for one in table.state.combatants.values() if not {"unconscious", "dead"} & {*one.conditions}
    }
    assert len(standing) == 1
    assert not [event for event in events if event.type == "refused"]


def test_every_round_declares_rolls_and_resolves() -> None:
    """In every round all plans come before the first initiative, and that before the first turn."""
    store = MemoryStore()
    play(packaged("demo_woa"), store, seed=seed_of("order"))
    rank = {"plan.made": 1, "initiative.rolled": 2, "turn.began": 3}
    rounds: dict[int, list[int]] = {}
    invalidated = 0
    for event in store.read("main"):
        if event.type == "plan.made" and "woa.resolve.invalidated-action" in decode(event).cites:
            invalidated += 1
        elif event.type in rank:
            rounds.setdefault(event.round, []).append(rank[event.type])
    assert len(rounds) >= 3
    for number, kinds in rounds.items():
        assert kinds == sorted(kinds), number
        assert {1, 2, 3} == set(kinds)


def test_a_player_may_think_about_a_reaction() -> None:
    """A fight that waits for dodge or block goes on from the answer as if it had never stopped."""
    logs = []
    for policy in (policies.ask, policies.cautious):
        table = ready(("a", "red", (0, 0)), ("b", "blue", (1, 0)))
        table.use(answers=policy)
        table.declare(acts.Begin())
        table.declare(acts.Plan(actor="a", actions=(acts.Intent("standard", "attack", "b"),)))
        table.declare(acts.Plan(actor="b", actions=(acts.Intent("standard", "attack", "a"),)))
        first = table.state.active
        outcome = table.declare(acts.Attack(actor=first, target="ab".replace(first, "")))
        if policy is policies.ask:
            assert outcome.waiting is not None
            assert outcome.waiting.options == ("dodge", "block", "decline")
            assert table.choose("decline").waiting is None
        logs.append(
            [event.data for event in table.store.read("main") if event.type not in ("asked", "chosen")]
        )
        assert freeze(fold(table.store.read("main"))) == freeze(table.state)
    assert logs[0] == logs[1]


def test_propose_plans_what_is_intended() -> None:
    """The plan for an attack keeps a move in hand, that for a move attacks the nearest enemy afterwards."""
    table = ready(("a", "red", (0, 0)), ("b", "blue", (5, 0)), ("c", "blue", (3, 0)))
    fight = table.fight
    who = fight.combatant("a")
    plan = propose(fight, who, acts.Move(actor="a", path=((1, 0), (2, 0))))
    assert plan.actions == (acts.Intent("move", "move"), acts.Intent("standard", "attack", "c"))
    plan = propose(fight, who, acts.Attack(actor="a", target="b"))
    assert plan.actions == (acts.Intent("standard", "attack", "b"), acts.Intent("move", "move"))
    charge = acts.Charge(actor="a", target="b")
    assert propose(fight, who, charge).actions == (acts.Intent("full-round", "charge", "b"),)
    assert propose(fight, who, None).actions == ()


def test_reactions_are_renewed_each_round() -> None:
    """A reaction of one round does not count in the next."""
    table = ready(("a", "red", (0, 0)), ("b", "blue", (1, 0)))
    table.declare(acts.Begin())
    table.declare(acts.Plan(actor="a", actions=(acts.Intent("standard", "attack", "b"),)))
    table.use(Scripted({"a/initiative": 20, "b/initiative": 1}))
    table.declare(acts.Plan(actor="b"))
    table.use(Scripted({"a/attack": 2}))
    table.declare(acts.Attack(actor="a", target="b"))
    assert table.state.combatants["b"].reactions == {"dodge": 1}
    table.use()
    table.declare(acts.EndTurn(actor="a"))
    table.declare(acts.EndTurn(actor="b"))
    assert table.state.round == 2
    assert table.state.phase == "declare"
    assert table.state.combatants["b"].reactions == {}
    assert table.state.combatants["b"].plan == ()


def fight(**options: str) -> Fight:
    """Return a fight without anybody in it."""
    return Fight(Encounter(dialect="woa", options=options, terrain=("..",)), load("woa"))


def test_the_injury_table_ascends_and_marks_what_is_assumed() -> None:
    """Rows follow each other; exactly the entries that the text prints are not assumed."""
    rows = injury_rows(fight())
    for one, after in pairwise(rows):
        assert after.entry > one.entry, after.name
    printed = {32: "Leg broken", 36: "Wrist broken", 55: "Hand severed or damaged beyond recovery"}
    assert {row.entry: row.name for row in rows if not row.assumed} == printed
    known = load("woa").conditions.table
    assert [name for row in rows for name in row.conditions if name not in known] == []


def test_a_body_part_takes_the_nearest_entry_that_fits() -> None:
    """A blow to the leg that rolls 36, a broken wrist, breaks the leg: entry 32."""
    row = entry_for(fight(), 36)
    assert row is not None
    assert row.name == "Wrist broken"
    assert closest_row(fight(), 36, "leg").entry == 32


def test_entries_beyond_the_table_take_its_ends() -> None:
    """A roll below or above the table means its first or last row."""
    rows = injury_rows(fight())
    assert entry_for(fight(), -1000) == rows[0]
    assert entry_for(fight(), 10_000) == rows[-1]
    assert entry_for(fight(unprinted_tables="printed-only"), 20) is None


def test_automatic_play_is_never_refused() -> None:
    """Plans and acts that automatic play proposes fit each other in many fights."""
    for number in range(12):
        store = MemoryStore()
        fight = set_up(packaged("demo_woa"), store, seed=seed_of(f"auto {number}"))
        fight.declare(acts.Begin())
        play_on(fight, 30)
        refused = [decode(event) for event in store.read("main") if event.type == "refused"]
        assert refused == []


def ridden(table: Table, sheet: Sheet, *, traits: tuple[str, ...], held: tuple[str, ...]) -> list[Any]:
    """Let a rider fight a guard on foot by tactics for some rounds; return all facts."""
    horse = replace(HORSE, traits=traits)
    table.declare(acts.Enter(id="horse", side="a", sheet=horse, at=(0, 0)))
    table.declare(acts.Enter(id="rider", side="a", sheet=sheet, at=(0, 0), riding="horse", held=held))
    table.declare(acts.Enter(id="guard", side="b", sheet=replace(GUARD, speed=5), at=(9, 0), held=("club",)))
    assert table.declare(acts.Begin()).refused is None
    play_on(table, 6)
    return [decode(event) for event in table.store.read(table.branch)]


def meadow(seed: str) -> Table:
    """Return a table on open ground."""
    terrain = ("............",) * 4
    return Table.create(MemoryStore(), dialect="woa", terrain=terrain, seed=seed_of(seed))


@pytest.mark.parametrize("number", range(4))
def test_left_to_itself_a_rider_rides_up_and_strikes_and_so_does_a_trained_mount(number: int) -> None:
    """Automatic play guides the mount to the enemy, attacks from the saddle and has the mount attack."""
    rider = replace(GUARD, base_attack=6, hp=60, skills={"ride": 12})
    facts = ridden(meadow(f"rider {number}"), rider, traits=WAR_TRAINED, held=("club",))
    assert not [fact for fact in facts if isinstance(fact, Refused)]
    assert [fact for fact in facts if isinstance(fact, Moved) and fact.who == "horse"]
    attackers = {fact.attacker for fact in facts if isinstance(fact, AttackResolved)}
    assert {"rider", "horse"} <= attackers


@pytest.mark.parametrize("number", range(4))
def test_left_to_itself_a_rider_gets_off_a_mount_from_which_it_cannot_fight(number: int) -> None:
    """Without stirrups and a bow automatic play dismounts, and fights on foot."""
    facts = ridden(meadow(f"walker {number}"), replace(GUARD, hp=60), traits=(), held=("club",))
    assert not [fact for fact in facts if isinstance(fact, Refused)]
    assert [fact for fact in facts if isinstance(fact, Dismounted) and fact.who == "rider"]
    assert "rider" in {fact.attacker for fact in facts if isinstance(fact, AttackResolved)}


def test_left_to_itself_an_archer_keeps_a_frightened_horse_in_hand_and_shoots() -> None:
    """Automatic play controls a mount that is not trained, frees both hands and shoots from the saddle."""
    bow = Weapon("longbow", "1d8", wield="projectile", range=100, hands=2, family="bow")
    archer = replace(GUARD, weapons=(bow,), skills={"ride": 25})
    facts = ridden(meadow("archer"), archer, traits=("military saddle",), held=("longbow",))
    assert not [fact for fact in facts if isinstance(fact, Refused)]
    assert "rider" in {fact.attacker for fact in facts if isinstance(fact, AttackResolved)}
