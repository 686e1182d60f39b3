"""Stacking: printed examples, tables per dialect, and what must hold for any modifiers."""

from collections.abc import Iterable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.modifiers import multiply
from affray.engine.rules.attacks.stacking import STACKING, GradingRules, stack_graded, stack_typed
from affray.events.facts.sheet import Modifier

NAMED = frozenset({"armor", "deflection", "morale", "shield", "size"})


def mods(*parts: str) -> list[Modifier]:
    """Modifiers from "value kind source" texts."""
    split = [part.split(maxsplit=2) for part in parts]
    return [Modifier(int(value), kind, source, f"test.{kind}") for value, kind, source in split]


def deny(parts: Iterable[Modifier], kinds: frozenset[str], reason: str) -> tuple[Modifier, ...]:
    """Return the parts with every bonus of these kinds denied, as the rules of a dialect deny them."""
    return tuple(
        replace(part, denied=reason) if part.value > 0 and part.kind in kinds and not part.denied else part
        for part in parts
    )


TYPED = [
    ("different types add up", ("5 base BAB", "3 ability Strength", "1 size Small", "1 morale bless"), 10),
    ("one type: the best counts", ("2 deflection ring", "1 deflection shield-of-faith"), 2),
    ("armor and shield are two types", ("8 armor plate", "2 shield heavy-shield"), 10),
    ("two armors do not add", ("8 armor plate", "4 armor mage-armor"), 8),
    ("dodge bonuses add up", ("1 dodge Dodge", "4 dodge Mobility", "2 dodge fighting-defensively"), 7),
    ("racial bonuses add up", ("2 racial dwarf", "4 racial giants"), 6),
    (
        "circumstances of different causes add up",
        ("2 circumstance flanking", "1 circumstance high-ground"),
        3,
    ),
    ("one circumstance counts once", ("2 circumstance flanking", "2 circumstance flanking"), 2),
    ("untyped from two sources add up", ("1 untyped Weapon-Focus", "1 untyped Point-Blank"), 2),
    ("untyped from one source counts once", ("1 untyped prayer", "2 untyped prayer"), 2),
    ("one source, two types: both", ("1 morale heroism", "1 untyped heroism"), 2),
    ("penalties add up", ("-2 penalty shaken", "-2 penalty entangled", "-4 penalty prone"), -8),
    ("a penalty of one source counts once, the worse", ("-2 penalty range", "-4 penalty range"), -4),
    ("a penalty does not meet a bonus of its type", ("1 size Small", "-1 size Enlarged"), 0),
    ("two abilities add up", ("3 ability Dexterity", "2 ability Wisdom"), 5),
    ("nothing is zero", (), 0),
    ("zeros are harmless", ("0 armor none", "0 armor clothes", "2 armor leather"), 2),
]


@pytest.mark.parametrize(("why", "parts", "total"), TYPED, ids=[case[0] for case in TYPED])
def test_bonuses_stack_by_type(why: str, parts: Sequence[str], total: int) -> None:
    """The d20 rule of bonus types, in whatever order the modifiers come."""
    for order in list(permutations(mods(*parts)))[:24]:
        assert stack_typed(order).total == total


def test_named_penalties_count_once_where_the_dialect_says_so() -> None:
    """Of the penalty types a dialect names, only the worst counts; the others still add up."""
    parts = mods("-1 morale doom", "-2 morale crushing-despair", "-1 penalty a", "-1 penalty b")
    assert stack_typed(parts).total == -5
    tally = stack_typed(parts, named=NAMED)
    assert tally.total == -4
    assert tally.parts[0].denied == "overruled by crushing-despair -2 (same type: morale)"


def test_a_suppressed_modifier_says_what_overruled_it() -> None:
    """What does not count stays in its place with the reason, and the stacking rule is cited."""
    parts = mods("1 deflection shield-of-faith", "4 armor chain", "2 deflection ring")
    tally = stack_typed(parts, rule="srd35.bonus.same-type")
    assert [part.source for part in tally.parts] == ["shield-of-faith", "chain", "ring"]
    assert tally.parts[0].denied == "overruled by ring +2 (same type: deflection)"
    assert tally.cites == ("srd35.bonus.same-type",)
    assert [part.denied for part in tally.parts[1:]] == ["", ""]


def test_no_rule_is_cited_when_nothing_was_suppressed() -> None:
    """A tally without a conflict cites no stacking rule and keeps the very modifiers it was given."""
    parts = mods("1 deflection ring", "4 armor chain")
    tally = stack_typed(parts, rule="srd35.bonus.same-type")
    assert tally.cites == ()
    assert all(new is old for new, old in zip(tally.parts, parts, strict=True))


def test_equal_bonuses_of_one_type_count_once() -> None:
    """Of two equal bonuses the first counts, even when they are the same object twice."""
    ring = mods("2 deflection ring")[0]
    tally = stack_typed([ring, ring])
    assert (tally.total, [bool(part.denied) for part in tally.parts]) == (2, [False, True])


def test_a_source_named_like_a_type_suppresses_nothing() -> None:
    """A source that happens to be called as a type is no conflict."""
    assert stack_typed(mods("2 untyped armor", "4 armor chain", "-1 penalty armor")).total == 5


@pytest.mark.parametrize("dialect", ["srd35"])
def test_default_kinds_agree_with_the_table_of_bonus_types(dialect: str) -> None:
    """The types that the catalogue lets stack are those that stack by default."""
    rows = Book.load(dialect).figure(f"{dialect}.bonus.types-table")
    assert {row["type"] for row in rows if row["stacks"] is not False} <= STACKING
    assert not {row["type"] for row in rows if row["stacks"] is False} & STACKING


TIE = {"below_a_tie_in_full": True}
GRADED = [
    ("first printed example", ("4 major a", "2 moderate b", "1 minor c"), {}, 6),
    ("second example by the formula", ("4 major a", "4 major b", "2 moderate c"), {}, 7),
    (
        "second example as printed",
        ("4 major a", "4 major b", "2 moderate c"),
        {"below_a_tie_in_full": True},
        8,
    ),
    (
        "first example under the other reading",
        ("4 major a", "2 moderate b", "1 minor c"),
        {"below_a_tie_in_full": True},
        6,
    ),
    ("half of a minor dropped", ("4 major a", "2 moderate b", "1 minor c"), {"half_of_one": 0}, 5),
    ("one advantage counts whole", ("4 major a",), {}, 4),
    ("two minors", ("1 minor a", "1 minor b"), {}, 2),
    ("an odd bonus is halved downwards", ("10 advantage cover", "7 advantage b"), {}, 12),
    ("cap on many advantages", tuple(f"4 major m{n}" for n in range(9)), {}, 12),
    ("cap on a single one", ("15 advantage a",), {}, 12),
    (
        "statistics are outside grading and cap",
        ("9 base BAB", "5 ability Dexterity", "4 major a", "2 moderate b"),
        {},
        19,
    ),
    ("disadvantages count in full", ("-4 major a", "-2 moderate b", "-1 minor c"), {}, -7),
    ("advantages and disadvantages do not cancel", ("4 major a", "2 moderate b", "-4 major c"), {}, 1),
    ("nothing", (), {}, 0),
]


@pytest.mark.parametrize(("why", "parts", "settings", "total"), GRADED, ids=[case[0] for case in GRADED])
def test_advantages_are_graded(why: str, parts: Sequence[str], settings: dict[str, int], total: int) -> None:
    """The largest advantage counts whole, the others half, at most the cap; penalties in full."""
    for order in list(permutations(mods(*parts)))[:24]:
        assert stack_graded(order, **settings).total == total  # type: ignore[arg-type]


def test_the_printed_examples_come_out_of_the_catalogue() -> None:
    """Magnitudes and cap are the catalogue's own figures, and give the printed bonus of 6."""
    book = Book.load("futurepath")
    grade = book.figure("futurepath.advantage.levels")
    cap = book.figure("futurepath.advantage.cap", "max_total_advantage")
    parts = [
        Modifier(grade[name], name, name, "futurepath.advantage.levels")
        for name in ("minor", "major", "moderate")
    ]
    assert stack_graded(parts, cap=cap).total == 6


@pytest.mark.parametrize(
    ("parts", "failed"),
    [
        (("-4 major a", "-15 penalty b"), False),
        (("-4 major a", "-16 penalty b"), True),
        (("-4 major a", "-16 penalty b", "4 major c"), True),
        (("-15 penalty b", "-5 ability Strength", "-8 size Colossal"), False),
    ],
)
def test_twenty_points_of_penalty_fail_automatically(parts: Sequence[str], failed: bool) -> None:
    """Penalties of -20 or worse fail whatever the advantages; low statistics are no disadvantages."""
    assert stack_graded(mods(*parts)).failed is failed


def test_graded_parts_show_what_counts_and_what_does_not() -> None:
    """A halved or capped advantage stands in two parts or three, and the deciding rules are cited."""
    cited = GradingRules(half="f.half", cap="f.cap", fail="f.fail")
    tally = stack_graded(mods("4 major aim", "4 major high-tech"), cap=5, rules=cited)
    assert [(part.value, part.source, part.denied) for part in tally.parts] == [
        (4, "aim", ""),
        (1, "high-tech", ""),
        (2, "high-tech", "halved: aim +4 counts in full"),
        (1, "high-tech", "over the cap of +5 on advantages"),
    ]
    assert tally.cites == ("f.half", "f.cap")


def test_denied_bonuses_leave_penalties_alone() -> None:
    """Who is flat-footed loses Dexterity and dodge bonuses but keeps a Dexterity penalty."""
    kinds = frozenset({"dexterity", "dodge"})
    parts = deny(
        mods("3 dexterity Dex", "1 dodge Dodge", "4 armor chain"), kinds, "flat-footed: Dexterity denied"
    )
    assert stack_typed(parts).total == 4
    assert [part.denied for part in parts] == ["flat-footed: Dexterity denied"] * 2 + [""]
    assert stack_typed(deny(mods("-2 dexterity Dex"), kinds, "flat-footed")).total == -2


def test_a_denied_bonus_overrules_nothing_and_keeps_its_first_reason() -> None:
    """A bonus that does not apply cannot suppress a lower one of its type."""
    strong = deny(mods("5 shield tower"), frozenset({"shield"}), "both hands full")
    tally = stack_typed([*deny(strong, frozenset({"shield"}), "again"), *mods("1 shield buckler")])
    assert tally.total == 1
    assert tally.parts[0].denied == "both hands full"


@pytest.mark.parametrize(
    ("factors", "result"), [((), 1), ((2,), 2), ((2, 2), 3), ((2, 3), 4), ((3, 3, 2), 6)]
)
def test_multipliers_combine_by_addition(factors: tuple[int, ...], result: int) -> None:
    """Doubled twice is tripled; a lance charge and a x3 critical give x4."""
    assert multiply(factors) == result


KINDS = [
    "armor",
    "base",
    "deflection",
    "dodge",
    "major",
    "minor",
    "moderate",
    "morale",
    "penalty",
    "size",
    "untyped",
]
any_modifier = st.builds(
    Modifier,
    value=st.integers(-8, 8),
    kind=st.sampled_from(KINDS),
    source=st.sampled_from(["", "a", "b", "c", "armor"]),
    rule=st.just("test.rule"),
    denied=st.sampled_from(["", "", "", "denied"]),
)
any_modifiers = st.lists(any_modifier, max_size=9)


@given(any_modifiers, st.randoms(use_true_random=False), st.sampled_from([frozenset[str](), NAMED]))
def test_order_never_matters(parts: list[Modifier], random: object, named: frozenset[str]) -> None:
    """The total is the same in whatever order the modifiers are given."""
    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert stack_typed(shuffled, named=named).total == stack_typed(parts, named=named).total
    mine, other = stack_graded(shuffled), stack_graded(parts)
    assert (mine.total, mine.failed) == (other.total, other.failed)


@given(any_modifiers)
def test_nothing_gets_lost(parts: list[Modifier]) -> None:
    """Applied and suppressed parts together are the input, and the applied ones are the total."""
    typed = stack_typed(parts)
    assert [(p.value, p.kind, p.source) for p in typed.parts] == [(p.value, p.kind, p.source) for p in parts]
    for tally in (typed, stack_graded(parts)):
        assert sum(part.value for part in tally.parts) == sum(part.value for part in parts)
        assert sum(part.value for part in tally.parts if not part.denied) == tally.total


@given(any_modifiers, st.sampled_from(["armor", "deflection", "morale", "size"]), st.integers(1, 8))
def test_a_lower_bonus_of_the_same_type_changes_nothing(parts: list[Modifier], kind: str, value: int) -> None:
    """Adding a bonus no higher than one of its type leaves the total as it was."""
    strong = [*parts, Modifier(8, kind, "best", "test.rule")]
    weak = Modifier(value, kind, "weaker", "test.rule")
    assert stack_typed([*strong, weak]).total == stack_typed(strong).total


@given(any_modifiers)
def test_stacking_twice_is_stacking_once(parts: list[Modifier]) -> None:
    """A tally's own parts add up to the same total again, and no reason changes."""
    once = stack_typed(parts)
    assert stack_typed(once.parts) == once
