"""Advantage, Disadvantage and dice that count for more: wherever a fight is explained, and in rulings."""

import re
from fractions import Fraction

import pytest

from affray.engine import packaged, play
from affray.engine.table.scenario import parse_scenario
from affray.engine.text.narrate import lines
from affray.events.codec import decode
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.flow import Rolled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.chance.luck import luck
from affray.replay.chance.outcome_odds import chances
from affray.replay.chance.recorded_tests import mean_damage
from affray.replay.explain.disputes import rule
from affray.replay.explain.why import text, why
from affray.replay.redecide.rulings import BadRuling


@pytest.fixture(scope="module")
def demo() -> Store:
    """Return the packaged fight: the rogue aims steadily, the fighter saps the ogre."""
    store = MemoryStore()
    play(packaged("demo_srd52"), store)
    return store


def attacks(store: Store, branch: str = "main") -> list[tuple[int, AttackResolved, Rolled]]:
    """Return each attack with its event and its roll."""
    facts = [(event.seq, decode(event)) for event in store.read(branch)]
    rolls = {fact.key: fact for _, fact in facts if isinstance(fact, Rolled)}
    return [(seq, fact, rolls[fact.key]) for seq, fact in facts if isinstance(fact, AttackResolved)]


def under(store: Store, notation: str) -> tuple[int, AttackResolved, Rolled]:
    """Return the first attack with these dice."""
    return next(one for one in attacks(store) if one[2].notation == notation)


def both(rolled: Rolled) -> str:
    """Return both dice of a roll in words, the unused one marked."""
    faces = [f"{face} dropped" if at in rolled.dropped else f"{face}" for at, face in enumerate(rolled.faces)]
    return ", ".join(faces)


def test_a_story_shows_both_dice_and_the_sources(demo: Store) -> None:
    """The unused die is marked; Proficiency Bonuses are no news."""
    told = "\n".join(lines((decode(event) for event in demo.read("main")), width=200))
    for _, fact, rolled in attacks(demo):
        if rolled.notation.startswith("2d20"):
            assert f"{rolled.notation} ({both(rolled)}) = {fact.natural} + " in told
    assert "[Advantage: " in told
    assert "[Disadvantage: sap of Maera]" in told
    assert "proficiency]" not in told


def test_an_explanation_names_the_sources_without_a_value(demo: Store) -> None:
    """They change the dice, not the sum."""
    seq, fact, rolled = under(demo, "2d20kh1")
    told = text(why(demo, "main", seq))
    assert f"  2d20kh1  {both(rolled)} = {fact.natural}" in told
    for one in fact.attack:
        if one.kind == "advantage":
            assert re.search(rf"\n +Advantage: {one.source} +{one.rule}\n", told)
    assert "+0" not in told


def test_odds_are_those_of_two_dice(demo: Store) -> None:
    """Both dice miss, or the worse of them hits."""
    for notation in ("2d20kh1", "2d20kl1"):
        seq, fact, _ = under(demo, notation)
        fails = fact.needed - (fact.total - fact.natural) - 1
        misses = Fraction(fails**2 if notation == "2d20kh1" else 400 - (20 - fails) ** 2, 400)
        (found, *_) = chances(demo, "main", [seq])
        assert found.fraction == (misses if found.outcome == "misses" else 1 - misses)


def test_both_dice_count_for_luck(demo: Store) -> None:
    """The d20s of a combatant are all that were rolled for it."""
    rolled = [decode(event) for event in demo.read("main") if event.type == "rolled"]
    mine = [face for one in rolled if one.who == "Tobin" and "d20" in one.notation for face in one.faces]
    (tobin,) = [one for one in luck(demo).combatants if one.who == "Tobin"]
    assert tobin.d20s == len(mine)
    assert tobin.d20_mean == round(sum(mine) / len(mine), 2)


@pytest.mark.parametrize(
    ("change", "notation", "denied"),
    [
        ("maera.attack with advantage", "2d20kh1", set()),
        ("maera.attack with Disadvantage", "2d20kl1", set()),
        ("tobin.attack without advantage", "1d20", {"ruled out (ruling:R1)"}),
        ("tobin.attack with disadvantage", "1d20", {"cancelled by Advantage", "cancelled by Disadvantage"}),
    ],
)
def test_a_ruling_rolls_with_or_without(change: str, notation: str, denied: set[str]) -> None:
    """The first die falls as before; what is denied keeps its place with the reason."""
    store = MemoryStore()
    play(packaged("demo_srd52"), store)
    seq, before, roll = under(store, "2d20kh1" if change.startswith("tobin") else "1d20")
    made = rule(store, "amend", "the light is bad", by="GM", at=seq, changes=(change,), name="other")
    assert made.whatif is not None
    _, after, now = next(one for one in attacks(store, "other") if one[1].key == before.key)
    assert now.notation == notation
    assert now.faces[0] == roll.faces[0]
    assert {part.denied.partition(" (srd52")[0] for part in after.attack if part.denied} == denied


def test_one_die_of_two_is_corrected(demo: Store) -> None:
    """The other one stays as it fell."""
    store = MemoryStore()
    play(packaged("demo_srd52"), store)
    seq, fact, roll = under(store, "2d20kh1")
    rule(store, "amend", "cocked", by="GM", at=seq, changes=(f"{fact.key} die 2=15",), name="other")
    _, after, now = next(one for one in attacks(store, "other") if one[1].key == fact.key)
    assert (now.faces, after.natural) == ((roll.faces[0], 15), 15)
    for die, why_not in (("3", "that roll has 2 dice"), ("0", "that roll has 2 dice")):
        with pytest.raises(BadRuling, match=why_not):
            rule(store, "amend", "cocked", by="GM", at=seq, changes=(f"{fact.key} die {die}=15",))
    with pytest.raises(BadRuling, match="no roll has the key"):
        rule(store, "amend", "cocked", by="GM", at=seq, changes=("d99/Tobin/attack/1 die 1=15",))


def test_rolls_that_no_game_has_are_refused(demo: Store) -> None:
    """By name in fifth edition, altogether in a game without them."""
    with pytest.raises(BadRuling, match="there are advantage, disadvantage"):
        rule(demo, "amend", "lucky", by="GM", at=under(demo, "1d20")[0], changes=("maera.attack with luck",))
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    seq = next(event.seq for event in store.read("main") if event.type == "attack.resolved")
    who = decode(next(iter(store.read("main", seq - 1, seq)))).attacker
    with pytest.raises(BadRuling, match="no test of srd35 is rolled with or without 'advantage'"):
        rule(store, "amend", "lucky", by="GM", at=seq, changes=(f"{who}.attack with advantage",))


GREATSWORD = """
dialect = "srd52"
seed = "great weapons"
map = ["......", "......"]
combatants = [
  {id = "hero", side = "heroes", use = "champion", at = [1, 0], initiative = 20, change = "change"},
  {id = "ogre", side = "foes", use = "ogre", at = [2, 0], initiative = 1},
]
script = [{do = {act = "attack", actor = "hero", target = "ogre"}, dice = {attack = 15, damage = [1, 5]}}]
""".replace('"change"', '{feats = ["great weapon fighting"], weapons = ["greatsword"], worn = []}')


def test_dice_that_count_for_more_have_their_own_odds() -> None:
    """Great Weapon Fighting: 1 and 2 count as 3 on each die, in the total, its mean and its odds."""
    store = MemoryStore()
    play(parse_scenario(GREATSWORD), store)
    seq, fact = next(
        (event.seq, fact) for event in store.read("main") if isinstance(fact := decode(event), DamageResolved)
    )
    assert (fact.dice[0].notation, fact.dice[0].total, fact.total) == ("2d6min3", 8, 12)
    assert mean_damage(fact) == 8 + 4
    (found,) = chances(store, "main", [seq])
    assert (found.outcome, found.fraction) == ("12 damage or more", Fraction(7, 12))
