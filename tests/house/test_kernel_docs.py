"""The page on dialects lists the points of the kernel as they are."""

from affray.engine.record.kernel import Kernel
from tests.house.kernel_docs import BEGINS, ENDS, PAGE, groups, section

HOW = "run: python tests/house/kernel_docs.py"


def test_the_list_of_points_is_current() -> None:
    """The part between the two comments is made from the docstring of `Kernel`."""
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(BEGINS) == page.count(ENDS) == 1
    assert section() in page, HOW


def test_every_point_is_in_a_group() -> None:
    """No point is missing from the docstring, and none is listed twice."""
    listed = [name for _, names in groups() for name in names]
    assert sorted(listed) == sorted(Kernel.__struct_fields__)
