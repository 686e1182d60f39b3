"""What a damaged file may hold in the rows of its events: never an event, and told by name."""

import pytest

from affray.events.errors import BrokenLog
from affray.events.stores.sql_rows import FIELDS, decoded

GOOD = {
    "seq": 7, "type": "moved", "version": 1, "round": 1, "turn": 2, "actor": "orc", "cause": 0, "data": "{}",
    "digest": "ab", "salt": "",
}  # fmt: skip
WRONG = {
    "seq": (None, "7"), "type": (None, 7), "version": (None, "1"), "round": (None, "x"), "turn": (None, ""),
    "actor": (None, 3), "cause": (None, "0"), "data": (None, 5), "digest": (None, "xyz"), "salt": (None, "s"),
}  # fmt: skip


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in WRONG for value in WRONG[field]])
def test_a_row_of_other_types_is_no_event(field: str, value: object) -> None:
    """Every field of a row, empty and of another type: the error names the row where it has a number."""
    good = [GOOD[name] for name in FIELDS.split(", ")]
    bad = [{**GOOD, field: value}[name] for name in FIELDS.split(", ")]
    assert decoded(["main"], [good])[0].type == "moved"
    with pytest.raises(BrokenLog) as caught:
        decoded(["main", "main"], [good, bad])
    assert caught.value.seq == (0 if field in ("seq", "cause") else 7)
