"""Futurepath: what its scenario tables cite, the arithmetic of advantages, and whole random fights."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from affray.engine.book import Book
from affray.engine.chapters import tables_in
from affray.engine.dialects import load
from affray.engine.dialects.futurepath.conditions import TABLE
from affray.engine.dialects.futurepath.turns.flow import price_of_free_action
from affray.engine.fight.fight import Fight
from affray.engine.kernel.turns import is_decided
from affray.engine.steps import Refusal
from affray.engine.table.appending import Outcome
from affray.engine.table.scenario import read_scenarios
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.engine.testing import check
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import Declared
from affray.events.facts.sheet import Abilities, Bonus, Modifier, Sheet, Thing, Weapon
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.projections.state import Encounter, freeze
from affray.replay.text.options import yield_allowed_acts

TABLES = Path(__file__).parent.parent / "scenarios" / "futurepath"

RIFLE = Weapon("rifle", "2d8", "ballistic", "projectile", range=80, hands=2, family="longarm", ammunition=9)
MACHETE = Weapon("machete", "1d6", threat=19)
SOLDIER = Sheet(
    "Soldier",
    20,
    abilities=Abilities(str=14, dex=14),
    base_attack=6,
    armor=(Bonus(3, "class"), Bonus(4, "equipment")),
    weapons=(RIFLE, MACHETE),
    feats=("extra attack",),
)


def a_fight(**options: str) -> Fight:
    """Return a fight without combatants under some readings."""
    return Fight(Encounter(dialect="futurepath", options=options), load("futurepath"))


def cited() -> set[str]:
    """Return the ids of all rules that the scenario tables cite."""
    found: set[str] = set()
    for file in tables_in(TABLES):
        for scenario in read_scenarios(file, within=TABLES):
            store = MemoryStore()
            check(scenario, store)
            for event in store.read("main"):
                fact = decode(event)
                found.update(getattr(fact, "cites", ()))
                rule = getattr(fact, "rule", "")
                found.update((rule,) if rule else ())
                parts = [getattr(fact, name, ()) for name in ("attack", "defense", "parts", "modifiers")]
                found.update(part.rule for some in parts for part in some)
    return found


@pytest.fixture(scope="module")
def citations() -> set[str]:
    """The citations of all tables, played once."""
    return cited()


def test_every_citation_resolves(citations: set[str]) -> None:
    """Whatever a table cites stands in the catalogue of this dialect and no other."""
    book = Book.load("futurepath")
    assert sorted(rule for rule in citations if rule not in book) == []


def test_the_tables_cover_many_rules(citations: set[str]) -> None:
    """The number of rules that the tables put to use does not fall."""
    assert len(citations) >= 150


def test_what_the_text_leaves_out_is_marked() -> None:
    """Every rule that was filled in says so in its provenance and its title."""
    for rule in Book.load("futurepath"):
        assert (rule.provenance == "assumed") == rule.id.startswith("futurepath.assumed."), rule.id
        assert rule.title.startswith("Assumed") == (rule.provenance == "assumed"), rule.id


def test_every_condition_rests_on_rules() -> None:
    """Every condition's topic and every figure that it changes stand in the catalogue."""
    dialect = load("futurepath")
    for name, rule in TABLE.items():
        assert dialect.book.topic_id(rule.topic), name
        if rule.dexterity_topic:
            assert dialect.book.topic_id(rule.dexterity_topic), name
        for change in rule.changes:
            assert isinstance(dialect.book.topic_figure(change.topic, *change.path), int | float), name


advantages = st.lists(st.sampled_from([("minor", 1), ("moderate", 2), ("major", 4)]), max_size=8)
penalties = st.lists(st.integers(-8, -1), max_size=6)


@given(advantages, penalties)
def test_the_largest_advantage_counts_whole_and_penalties_in_full(
    good: list[tuple[str, int]], bad: list[int]
) -> None:
    """The tally is the largest advantage, half of the others (of 1: 1), at most 12, and all penalties."""
    parts = [Modifier(value, kind, f"good {n}", "r") for n, (kind, value) in enumerate(good)]
    parts += [Modifier(value, "penalty", f"bad {n}", "r") for n, value in enumerate(bad)]
    fight = a_fight()
    tally = fight.dialect.attacks.stack(fight, parts)
    sizes = sorted((value for _, value in good), reverse=True)
    wanted = min(12, sum(sizes[:1]) + sum(max(1, size // 2) for size in sizes[1:]))
    assert tally.total == wanted + sum(bad)
    assert tally.failed == (sum(bad) <= -20)


@given(advantages)
def test_the_old_rules_add_everything_up(good: list[tuple[str, int]]) -> None:
    """Under the old rules alone nothing is halved and nothing is capped."""
    parts = [Modifier(value, kind, f"good {n}", "r") for n, (kind, value) in enumerate(good)]
    fight = a_fight(edition="old-only")
    assert fight.dialect.attacks.stack(fight, parts).total == sum(value for _, value in good)


def started(seed: bytes, **options: str) -> Table:
    """Return a fight of two against two that has begun."""
    table = Table.create(
        MemoryStore(), dialect="futurepath", terrain=["............"] * 6, options=options, seed=seed
    )
    for id, side, at in (("a", "x", (0, 0)), ("b", "x", (1, 3)), ("c", "y", (9, 1)), ("d", "y", (10, 4))):
        held = ("machete",) if id in "ac" else ("rifle",)
        table.declare(acts.Enter(id=id, side=side, sheet=SOLDIER, at=at, held=held))
    table.declare(acts.Begin(unaware=("d",)))
    return table


@pytest.mark.parametrize("spent", range(6))
def test_free_actions_have_their_price(spent: int) -> None:
    """The second and the fourth free action of a turn cost an action, the others nothing."""
    table = started(b"price" * 7)
    fight = table.fight
    fight.state.round = 1
    who = fight.state.combatants["a"]
    who.spent = {"free": spent, "forgone-move": int(spent >= 2), "forgone-attack": int(spent >= 4)}
    options, topic = price_of_free_action(fight, who)
    costs = {1: ("move", "attack"), 3: ("attack",)}
    assert options == costs.get(spent, ())
    assert fight.dialect.book.topic_id(topic)


def test_five_free_actions_are_too_many_by_the_strict_reading() -> None:
    """Exactly four free actions fill a round when the contested wording is taken literally."""
    table = started(b"price" * 7, four_free_actions="exactly-four")
    who = table.fight.state.combatants["a"]
    who.spent = {"free": 4, "forgone-move": 1, "forgone-attack": 1}
    with pytest.raises(Refusal, match="has taken 4 free actions"):
        price_of_free_action(table.fight, who)


@settings(max_examples=12, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.sampled_from(["new-over-old", "old-only"]))
def test_automatic_fights_end_and_fold(seed: bytes, edition: str) -> None:
    """Tactics play a fight of either edition without a refusal, and its log folds to the live state."""
    table = started(seed, edition=edition)
    refused = []
    play_on(table, 12, lambda outcome: refused.append(outcome.refused))
    assert [one for one in refused if one is not None] == []
    assert freeze(fold(table.store.read("main"))) == freeze(table.state)
    book = Book.load("futurepath")
    for event in table.store.read("main"):
        fact = decode(event)
        assert all(rule in book for rule in getattr(fact, "cites", ())), event.type
        if isinstance(fact, AttackResolved):
            counted = sum(part.value for part in fact.attack if not part.denied)
            assert fact.total == fact.natural + counted
            assert fact.needed == sum(part.value for part in fact.defense if not part.denied)


GUN = Weapon(
    "machine gun",
    "2d8",
    "ballistic",
    "projectile",
    range=60,
    hands=2,
    family="firearm",
    ammunition=25,
    traits=("automatic only",),
)


@pytest.mark.parametrize("feats", [(), ("extra attack",), ("burst fire",)])
def test_who_only_fires_automatically_fights_on(feats: tuple[str, ...]) -> None:
    """Automatic play fires automatically, at the enemy or at its place, and ends with the machete.

    For nobody takes a whole round to reload who has that.
    """
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=["." * 24] * 6, seed=b"guns" * 8)
    slow = structs.replace(GUN, traits=(*GUN.traits, "internal-magazine"))
    gunner = structs.replace(SOLDIER, hp=60, feats=feats, weapons=(slow, MACHETE))
    for id, side, at in (("a", "x", (0, 0)), ("b", "x", (0, 4)), ("c", "y", (20, 1)), ("d", "y", (20, 4))):
        table.declare(acts.Enter(id=id, side=side, sheet=gunner, at=at, held=("machine gun",)))
    table.declare(acts.Begin())
    played: list[Outcome] = []
    play_on(table, 30, played.append)
    assert [one.refused for one in played if one.refused is not None] == []
    declared = [fact for event in table.store.read("main") if isinstance(fact := decode(event), Declared)]
    fired = [one.act for one in declared if isinstance(one.act, acts.Attack) and one.act.autofire]
    assert len(fired) == 8
    assert {one.at is None for one in fired} == {feats != ("burst fire",)}
    assert table.fight.memory.company[is_decided]


def test_automatic_play_reloads_between_bursts() -> None:
    """Whose magazine is too empty for a burst fills it with a move action and fires on in the same turn."""
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=["." * 24] * 6, seed=b"guns" * 8)
    gunner = structs.replace(SOLDIER, hp=60, weapons=(GUN, MACHETE))
    for id, side, at in (("a", "x", (0, 0)), ("c", "y", (20, 1))):
        table.declare(acts.Enter(id=id, side=side, sheet=gunner, at=at, held=("machine gun",)))
    table.declare(acts.Begin())
    played: list[Outcome] = []
    play_on(table, 5, played.append)
    assert [one.refused for one in played if one.refused is not None] == []
    done = [one.facts[0].act for one in played]
    mine = [type(act) for act in done if act.actor == "a" and not isinstance(act, acts.EndTurn)]
    assert mine[:5] == [acts.Attack, acts.Attack, acts.Load, acts.Attack, acts.Attack]


def test_automatic_fire_at_an_area_spares_friends() -> None:
    """Who has Burst Fire sweeps a place around the enemy where nobody of its own side stands, or none."""
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=["." * 24] * 6, seed=b"guns" * 8)
    gunner = structs.replace(SOLDIER, feats=("burst fire",), weapons=(GUN,))
    entries = [("a", "x", (0, 2)), ("c", "y", (10, 2)), ("b", "x", (11, 2)), ("d", "x", (9, 1))]
    for id, side, at in entries:
        held = ("machine gun",) if id == "a" else ()
        table.declare(acts.Enter(id=id, side=side, sheet=gunner, at=at, held=held))
    shot = table.fight.dialect.attacks.usual_shot
    a, c, d = (table.state.combatants[id] for id in "acd")
    assert shot(table.fight, a, c, GUN).at == (9, 2)
    d.at = (9, 2)
    assert shot(table.fight, a, c, GUN) is None


def test_the_usual_full_attack_fires_automatically_as_often_as_bullets_last() -> None:
    """Of what only fires automatically each strike does so; ten bullets fly with each."""
    table = started(b"guns" * 8)
    a, c = (table.state.combatants[id] for id in "ac")
    usual = table.fight.dialect.attacks.usual_strikes
    assert usual(table.fight, a, c, GUN) == (acts.Strike("c", GUN.name, autofire=True),) * 2
    a.resources[GUN.name] = 6
    assert len(usual(table.fight, a, c, GUN)) == 1
    assert len(usual(table.fight, a, c, structs.replace(GUN, ammunition=None))) == 2
    assert usual(table.fight, a, c, RIFLE) == (acts.Strike("c", "rifle"),) * 2


DOOR = Sheet("Door", 120, thing=Thing(table="steel door"))
WALL = Sheet("Wall", 90, thing=Thing(hardness=8, break_dc=35), traits=("covers (total)",))


def rooms(*rows: str, weapons: tuple[Weapon, ...] = (MACHETE,), thing: Sheet = DOOR) -> Table:
    """Return a fight between two that begins in two rooms, with a door or a wall between these at 6,2."""
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=list(rows), seed=b"door" * 8)
    fighter = structs.replace(SOLDIER, weapons=weapons)
    for id, side, at in (("a", "x", (0, 0)), ("b", "y", (12, 0))):
        table.declare(acts.Enter(id=id, side=side, sheet=fighter, at=at, held=(weapons[0].name,)))
    table.declare(acts.Enter(id="door", side="house", sheet=thing, at=(6, 2)))
    table.declare(acts.Begin())
    return table


WALLED = ("......#......", "......#......", ".............", "......#......")


@pytest.mark.parametrize("weapons", [(MACHETE,), (RIFLE, MACHETE)])
def test_automatic_play_opens_the_door_that_parts_it_from_its_enemies(weapons: tuple[Weapon, ...]) -> None:
    """Whoever is cut off goes to the door and opens it, and the fight goes on through it to its end."""
    table = rooms(*WALLED, weapons=weapons)
    played: list[Outcome] = []
    play_on(table, 40, played.append)
    assert [one.refused for one in played if one.refused is not None] == []
    declared = [fact for event in table.store.read("main") if isinstance(fact := decode(event), Declared)]
    assert [one.act.item for one in declared if isinstance(one.act, acts.Handle)] == ["door"]
    assert table.fight.memory.company[is_decided]


def test_automatic_play_takes_the_way_around_a_door() -> None:
    """Where another way leads to the enemy the door stays closed, and nobody stops before it."""
    table = rooms(*WALLED[:3], ".............")
    play_on(table, 40)
    declared = [fact for event in table.store.read("main") if isinstance(fact := decode(event), Declared)]
    assert not [one for one in declared if isinstance(one.act, acts.Handle)]
    assert table.fight.memory.company[is_decided]


def test_automatic_play_passes_before_what_it_cannot_open() -> None:
    """A wall that is a thing bars the way for good; who is walled in ends its turns."""
    table = rooms(*WALLED, thing=WALL)
    begun = table.state.combatants["a"].at
    play_on(table, 2)
    declared = [fact for event in table.store.read("main") if isinstance(fact := decode(event), Declared)]
    assert {type(one.act) for one in declared} == {acts.Enter, acts.Begin, acts.EndTurn}
    assert table.state.combatants["a"].at == begun


def test_options_fire_automatically() -> None:
    """What is open with a weapon that only fires automatically is listed, and told as that."""
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=["." * 24], seed=b"guns" * 8)
    gunner = structs.replace(SOLDIER, weapons=(GUN,))
    for id, side, at in (("a", "x", (0, 0)), ("c", "y", (10, 0))):
        table.declare(acts.Enter(id=id, side=side, sheet=gunner, at=at, held=("machine gun",)))
    table.declare(acts.Begin())
    found = table.legal()
    attacks = [one for one in found.open if isinstance(one, acts.Attack)]
    enemy = "c" if found.who == "a" else "a"
    assert attacks == [acts.Attack(found.who, enemy, "machine gun", autofire=True)]
    told = dict(yield_allowed_acts(found))
    assert told["attack"] == f"{enemy}: machine gun autofire"
    assert told["full-attack"].startswith(f"{enemy} with machine gun (autofire), machine gun (autofire)")


def test_a_wrong_figure_is_noticed() -> None:
    """Changing the flat bonus of cover breaks the table that plays it."""
    scenario = next(
        one
        for one in read_scenarios(TABLES / "defense" / "defense.toml", within=TABLES)
        if one.name == "futurepath: plain cover gives 4"
    )
    with pytest.raises((AssertionError, msgspec.MsgspecError)):
        check(scenario, changes={"futurepath.modifier.defender-behind-cover/ranged": 5})
