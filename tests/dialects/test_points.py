"""What is said of the points of a record: every one of them, its stages in order, its rules."""

import re
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import Chapters, dialects, load
from affray.engine.record.acts import purposes
from affray.engine.record.compose import gather, refine, steps, when
from affray.replay.rulebook.points import UnknownPoint, compare_points, plain_record, points, same
from tests.relatives import RELATIVES


def lay(fight: object, blow: object) -> list[str]:
    """Lay a stage's part down (srd35.flank.bonus)."""
    return ["lay"]


def more(fight: object, blow: object) -> list[str]:
    """Add a stage's part."""
    return ["more"]


@pytest.mark.parametrize("dialect", RELATIVES)
def test_every_point_is_told(dialect: str) -> None:
    """Each field of each chapter's record is there, with what it is for and what stands at it."""
    rules = load(dialect)
    found = points(rules)
    assert [(one.chapter, one.name) for one in found] == [
        (chapter, field)
        for chapter in Chapters.__struct_fields__
        for field in getattr(rules, chapter).__struct_fields__
    ]
    for one in found:
        assert one.purpose, f"{one.chapter}.{one.name} is not in the docstring of its record"
        if one.kind in ("acts", "list"):
            value = getattr(getattr(rules, one.chapter), one.name)
            held = value.__struct_fields__ if isinstance(value, Struct) else value
            assert len(one.stages) == len(held)
        elif one.kind != "value":
            # A dialect may forbid nothing, and have no features at a point.
            assert one.stages or one.kind in ("prohibit", "listed"), f"{one.chapter}.{one.name}"
            assert all(":" in stage.function or stage.made_of for stage in one.stages)


@pytest.mark.parametrize("chapter", Chapters.__struct_fields__)
def test_every_chapter_has_plain_values(chapter: str) -> None:
    """A chapter's plain values are a record of its type, and its docstring names no point too many."""
    kind = type(getattr(load("srd35"), chapter))
    assert type(plain_record(chapter)) is kind
    assert list(purposes(kind)) == list(kind.__struct_fields__)


def test_a_composition_is_told_stage_by_stage() -> None:
    """The stages stand in order, each with when it is asked and the rules of its source."""
    rules = load("srd35")
    situation = gather(lay, when("target.conditions", more))
    changed = replace(rules, attacks=replace(rules.attacks, attack_situation=situation))
    (told,) = points(changed, "attacks.attack_situation")
    assert told.kind == "gather"
    assert [(one.function.rpartition(":")[2], one.when) for one in told.stages] == [
        ("lay", ()),
        ("more", ("target.conditions",)),
    ]
    assert [one.rule for one in told.stages[0].cites] == ["srd35.flank.bonus"]
    assert not told.plain
    (found,) = compare_points(rules, changed, "attack_situation")
    assert not found.same
    assert [one.function.rpartition(":")[2] for one in found.only_b] == ["lay", "more"]


def test_a_stage_cites_what_its_source_names() -> None:
    """Topics lead to the dialect's ids, also through its topics.toml, and figures through its figures."""
    (told,) = points(load("srd35"), "turns.acts")
    by_act = {stage.label: stage for stage in told.stages}
    assert ("srd35.flow.sequence", "encounter.closed") in [
        (one.rule, one.topic) for one in by_act["close"].cites
    ]
    assert by_act["speak"].plain
    assert not by_act["enter"].plain


def test_the_same_composition_made_twice_is_the_same() -> None:
    """Two points are alike if they are made of the same stages in the same order, asked at the same times."""
    assert same(gather(lay, more), gather(lay, more))
    assert not same(gather(lay, more), gather(more, lay))
    assert not same(gather(lay, more), gather(lay, when("target.conditions", more)))
    assert not same(gather(lay, more), lay)
    assert not same(steps(lay), refine(lay))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["attacks", "attacks.miss_chance", "miss_chance"])
def test_a_name_selects(name: str) -> None:
    """A chapter, a point with its chapter, and a point's bare name."""
    found = points(load("pf1"), name)
    assert "miss_chance" in [one.name for one in found]
    assert {one.chapter for one in found} == {"attacks"}


def test_an_unknown_name_meets_with_the_nearest() -> None:
    """Who misspells a point is told what it may have been."""
    with pytest.raises(UnknownPoint, match=r"'mis_chance'; did you mean attacks.miss_chance"):
        points(load("srd35"), "mis_chance")
    with pytest.raises(UnknownPoint, match=r"did you mean attacks.finesse"):
        points(load("srd35"), "attacks.finess")


def test_a_dialect_differs_in_nothing_from_itself() -> None:
    """No point of a record differs from the same record's."""
    assert all(one.same for one in compare_points(load("woa"), load("woa")))


def test_acts_that_only_one_knows() -> None:
    """Of the acts are told those that only one dialect knows, and those that both resolve in other ways."""
    (found,) = compare_points(load("srd35"), load("pf1"), "attacks.acts")
    assert "manyshot" in [one.label for one in found.only_a]
    assert found.only_b == ()
    assert "charge" in found.differing
    assert "total-defense" not in found.differing


def test_the_path_of_a_blow_is_told_as_it_is() -> None:
    """The table in docs/architecture.md names points that there are, each with how its stages combine."""
    rules, page = load("srd35"), Path(__file__).parents[2] / "docs" / "architecture.md"
    row = re.compile(r"^\| `(\w+)\.([\w`, ]+)` \| ([\w ]+) \|", re.MULTILINE)
    found = row.findall(page.read_text(encoding="utf-8"))
    assert len(found) > 20
    for chapter, names, kind in found:
        for name in names.split("`, `"):
            (told,) = points(rules, f"{chapter}.{name}")
            assert kind.startswith(told.kind), name


@pytest.mark.parametrize("name", sorted(dialects()))
def test_a_declaration_stands_in_one_chapter(name: str) -> None:
    """Of two that name the same, the later would silently take the place of the other."""
    dialect = load(name)
    found = [kind for chapter in Chapters.__struct_fields__ for kind in getattr(dialect, chapter).acts]
    assert [kind.__name__ for kind in found if found.count(kind) > 1] == []
