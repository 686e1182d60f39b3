"""Odds and luck: exact where they say so, reproducible everywhere."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.dice.distribution import distribution
from affray.engine.table.table import Table
from affray.engine.testing import check
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.stores.memory import MemoryStore
from affray.projections.state import duplicate, freeze
from affray.replay.chance.luck import fairness, luck, p_value
from affray.replay.chance.odds import odds, wilson
from affray.replay.chance.outcome_odds import Chance, RedecidedDeclaration, chances, percent
from affray.replay.explain.why import text, why
from affray.replay.whatif.what_if import what_if
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.relatives import RELATIVES
from tests.replay.fights import fought
from tests.replay.fights import opened as opened_by_hand
from tests.scenarios.cases import all_cases


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance of an attack on a d20 of which 1 always misses and 20 always hits."""
    if any(rule.endswith(".disadvantage.auto-fail") for rule in fact.cites):
        return Fraction(1, 20)
    return Fraction(max(1, min(19, 21 - (fact.needed - (fact.total - fact.natural)))), 20)


@pytest.mark.parametrize("dialect", RELATIVES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_odds_of_an_attack_are_those_of_its_numbers(dialect: str, seed: int) -> None:
    """Putting all faces to the rules gives what bonus and defense say, natural 1 and 20 apart."""
    store = MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(seed), 30)
    for event in list(store.read("main")):
        if event.type == "attack.resolved" and "/attack/" in (fact := decode(event)).key:
            found = chances(store, "main", [event.seq])[0]
            hit = found.fraction if found.outcome == "hits" else 1 - found.fraction
            assert hit == hitting(fact)
            assert found.possible == found.favourable + sum(found.others.values()) == 20


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(4))
def test_every_roll_has_its_odds(dialect: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a roll says of its faces is what comes of deciding all again; whatever is rolled has odds."""
    store = MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(seed), 30)
    events = list(store.read("main"))
    asked = [event.seq for event in events if event.type == "rolled" or event.type.endswith(".resolved")]
    told = {seq: chances(store, "main", [seq]) for seq in asked}
    assert all(told[event.seq] for event in events if event.type == "rolled")
    monkeypatch.setattr(RedecidedDeclaration, "_told", lambda self, fact, ranges: [])
    for seq in asked:
        if not any(chance.possible == 400 for chance in told[seq]):
            assert told[seq] == chances(store, "main", [seq])


@pytest.mark.parametrize(
    "name",
    [
        "srd35/bull-rush: the one who is moved provokes, but not from the other of the two",
        "srd35/grapple: and equal modifiers roll again",
        "srd35/overrun: size and legs count, and the better of Strength and Dexterity",
        "srd35/turning: the turned may run or withdraw away, and must stand up first",
        "woa/grapple-round: woa grapple check: a tie lets nobody act and takes the advantage away",
        "woa/grapple-many: woa grapple of three: when one leaves, the others grapple on",
    ],
)
def test_what_two_dice_decide(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opposed checks, grapples and turnings say of all their faces what deciding all again comes to."""
    store = MemoryStore()
    check(dict(all_cases())[name], store)
    asked = [
        event.seq
        for event in store.read("main")
        if event.type in ("attack.resolved", "contest.resolved", "turning.resolved")
    ]
    told = {seq: chances(store, "main", [seq]) for seq in asked}
    assert asked
    assert all(told.values())
    monkeypatch.setattr(RedecidedDeclaration, "_told", lambda self, fact, ranges: [])
    for seq in asked:
        for chance, again in zip(told[seq], chances(store, "main", [seq]), strict=True):
            assert decided(chance) == decided(again)


def decided(chance: Chance) -> dict[str, int]:
    """Return what so many cases lead to, but for those in which a tie has both roll again."""
    cases = {**chance.others, chance.outcome: chance.favourable}
    return {name: n for name, n in cases.items() if name not in ("rolls again", "is not rolled")}


def test_odds_of_a_contest_are_those_of_both_dice() -> None:
    """A disarm counts all pairs of faces; why shows both dice, and asked about one of them the contest."""
    table = opened_by_hand()
    who = table.state.active
    target = "ogre" if table.state.combatants[who].side == "heroes" else "fighter"
    table.declare(acts.Disarm(actor=who, target=target))
    store = table.store
    event = next(event for event in store.read("main") if event.type == "contest.resolved")
    fact = decode(event)
    bonus, other = (sum(part.value for part in side) for side in (fact.parts, fact.opposed_parts))
    wins = sum(one + bonus > two + other for one in range(1, 21) for two in range(1, 21))
    (chance,) = chances(store, "main", [event.seq])
    assert chance.fraction == Fraction(wins if fact.won else 400 - wins, 400)
    found = why(store, "main", event.seq)
    explained = found.explanation
    assert f"Check of {found.names[fact.who]}\n" in text(found)
    assert f"Opposed check of {found.names[fact.against]}\n" in text(found)
    assert [die.who for die in explained.dice] == [fact.who, fact.against]
    for die in explained.dice:
        own, contest = chances(store, "main", [die.seq])
        assert own.favourable == 21 - die.total
        assert contest == chance


def test_odds_of_saves_and_damage() -> None:
    """A hazard's save and the damage of a blow have exact odds; why shows them; a move has none."""
    table = fought(rounds=3, close=False)
    table.declare(acts.Hazard(target="fighter", save="fort", dc=15, damage="2d6"))
    store = table.store
    save = next(e.seq for e in store.read("main") if b'"check":"save.fort"' in e.data)
    (found,) = chances(store, "main", [save])
    fact = decode(next(store.read("main", save - 1, save)))
    bonus = fact.total - fact.natural
    wins = sum(face == 20 or (face > 1 and face + bonus >= 15) for face in range(1, 21))
    assert found.fraction == Fraction(wins if fact.success else 20 - wins, 20)
    blow = next(event for event in store.read("main") if event.type == "damage.resolved")
    (damage,) = chances(store, "main", [blow.seq])
    dice = decode(blow).dice
    cases = distribution(*(part.notation for part in dice)).ways
    shown = sum(part.total for part in dice)
    assert damage.fraction == Fraction(
        sum(n for total, n in cases.items() if total >= shown), sum(cases.values())
    )
    told = text(why(store, "main", blow.seq))
    assert "\nOdds\n" in told
    assert "damage or more" in told
    assert chances(store, "main", [store.head("main").seq]) == []
    assert chances(store, "main", [1]) == []


def test_percent_is_never_rounded_to_none_or_all() -> None:
    """What is possible is more than nothing, what is not sure is less than all."""
    assert percent(Fraction(1, 100_000)) == "0.1 %"
    assert percent(Fraction(99_999, 100_000)) == "99.9 %"
    assert (percent(Fraction(0)), percent(Fraction(1)), percent(Fraction(1, 2))) == (
        "0.0 %",
        "100.0 %",
        "50.0 %",
    )


@pytest.mark.parametrize(
    ("chi", "freedom", "p"),
    [
        (3.841458820694124, 1, 0.05),
        (30.14352720564616, 19, 0.05),
        (18.30703805, 10, 0.05),
        (2.0, 2, 0.36787944),
        (124.342, 100, 0.05),
        (0.0, 5, 1.0),
        (500.0, 5, 0.0),
    ],
)
def test_p_values_are_those_of_the_tables(chi: float, freedom: int, p: float) -> None:
    """Known quantiles of chi-square come out."""
    assert p_value(chi, freedom) == pytest.approx(p, abs=1e-6)


def test_fairness_of_even_and_loaded_dice() -> None:
    """Even counts are beyond suspicion, a die that shows only sixes is not."""
    assert fairness(6, dict.fromkeys(range(1, 7), 10)).p_value == 1.0
    assert fairness(6, {6: 60}).p_value < 0.0001
    assert fairness(6, {6: 60}).mean == 6
    assert fairness(6, {6: 30}).enough
    assert not fairness(6, {6: 29}).enough


def test_luck_adds_up_and_leaves_given_faces_out() -> None:
    """Sides are the sums of their combatants, expectations those of the attacks; given dice do not count."""
    store = fought(rounds=4).store
    found = luck(store)
    attacks = [decode(e) for e in store.read("main") if e.type == "attack.resolved"]
    attacks = [fact for fact in attacks if "/attack/" in fact.key]
    assert (
        sum(one.attacks for one in found.sides)
        == len(attacks)
        == sum(one.attacks for one in found.combatants)
    )
    assert sum(one.hits for one in found.sides) == sum(fact.result != "miss" for fact in attacks)
    expected = float(sum(map(hitting, attacks), Fraction(0)))
    assert sum(one.expected_hits for one in found.sides) == pytest.approx(expected, abs=0.02)
    for one in found.combatants:
        mine = "".join("h" if f.result != "miss" else "m" for f in attacks if f.attacker == one.who)
        assert one.best.length == max(map(len, mine.split("m")), default=0)
        assert one.worst.length == max(map(len, mine.split("h")), default=0)
    key = attacks[-1].key
    made = what_if(store, faces={key: [20]})
    fewer = luck(store, made.name)
    assert 20 not in {size.sides: size for size in fewer.dice}[20].counts.values()
    facts = [decode(e) for e in store.read(made.name) if e.type == "rolled"]
    thrown = sum(len(f.faces) for f in facts if f.notation == "1d20" and f.provenance == "seeded")
    assert {size.sides: size for size in fewer.dice}[20].thrown == thrown


def test_the_same_seed_gives_the_same_odds_however_many_jobs() -> None:
    """One process or two: the table is the same; another seed gives another one; the log is untouched."""
    table = fought(rounds=1, close=False)
    before = len(list(table.store.read_all()))
    one = odds(table.store, "end", runs=12, seed="x")
    assert odds(table.store, "end", runs=12, seed="x", jobs=2) == one
    other = odds(table.store, "end", runs=12, seed="y")
    assert (other.wins, other.lives, other.rounds) != (one.wins, one.lives, one.rounds)
    assert sum(share.count for share in one.wins.values()) == 12
    assert len(list(table.store.read_all())) == before
    with pytest.raises(AffrayError, match="one run"):
        odds(table.store, "end", runs=0)
    table.declare(acts.Close(reason="enough"))
    with pytest.raises(AffrayError, match="nothing to play on"):
        odds(table.store, "end", runs=1)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_can_be_played_on(dialect: str) -> None:
    """From the middle of a turn of the packaged fight, and a run leaves the starting state as it was."""
    table = opened(dialect, MemoryStore(), 3)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(3), 12)
    found = odds(table.store, "end", runs=5)
    assert found.lives.keys() == table.state.combatants.keys()
    assert all(0 <= share.low <= 100 * share.count / 5 <= share.high <= 100 for share in found.lives.values())
    again = Table(table.store)
    assert freeze(duplicate(again.state)) == freeze(again.state)


def test_wilson_intervals() -> None:
    """The textbook values, and never beyond 0 and 1."""
    low, high = wilson(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0
