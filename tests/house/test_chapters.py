"""One list of chapters: the records, the folders of rules, dialects and scenarios, the docs."""

from pathlib import Path

import pytest

from affray.engine.chapters import CHAPTERS, KERNEL_CHAPTERS
from affray.engine.dialects import Chapters, dialects, load
from affray.engine.record.compose import composition_of
from tests.relatives import RELATIVES

ROOT = Path(__file__).parents[2]


#: What stands beside the chapters: tables of contents, plain values, answers to the kernel, what all share.
BESIDE = {
    "__init__",
    "__pycache__",
    "around_acts",
    "contents",
    "contested",
    "plain",
    "as_kernel",
    "table_cells",
    "tables",
}


def chapters_in(folder: Path) -> set[str]:
    """Return the names of the modules and folders of a folder that stand for chapters."""
    folders = {one.name for one in folder.iterdir() if one.is_dir() and any(one.glob("*.*"))}
    return (folders | {one.stem for one in folder.glob("*.py")}) - BESIDE


def test_a_dialect_has_a_record_for_each_chapter() -> None:
    """The table of contents lists the chapters in their order."""
    assert Chapters.__struct_fields__ == CHAPTERS


@pytest.mark.parametrize("folder", ["engine/rules", *(f"engine/dialects/{name}" for name in dialects())])
def test_rules_stand_in_chapters(folder: str) -> None:
    """Rules stand in the files or folders of their chapters, for all dialects or for one."""
    assert chapters_in(ROOT / folder) <= {*CHAPTERS, *KERNEL_CHAPTERS}


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_declaration_stands_in_one_chapter(dialect: str) -> None:
    """No two chapters of a dialect resolve the same declaration."""
    chapters = [getattr(load(dialect), name).acts for name in CHAPTERS]
    assert len(load(dialect).acts) == sum(map(len, chapters))


@pytest.mark.parametrize("dialect", dialects())
def test_points_are_answered_by_functions_that_say_what_they_do(dialect: str) -> None:
    """Every stage of every point has a docstring, whatever its kind of combination."""
    silent = []
    for chapter in CHAPTERS:
        record = getattr(load(dialect), chapter)
        for name in record.__struct_fields__:
            point = getattr(record, name)
            if callable(point):
                stages = composition_of(point).stages
                silent += [f"{chapter}.{name}" for stage in stages if not stage.function.__doc__]
    assert silent == []


def test_the_page_on_chapters_names_them() -> None:
    """The docs list the chapters in their order."""
    page = " ".join((ROOT / "docs" / "chapters.md").read_text(encoding="utf-8").split())
    assert ", ".join(f"`{name}`" for name in CHAPTERS) in page
