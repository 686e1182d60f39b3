"""The ids of a line as one reader counts them."""

from affray.replay.serve.visibility import OwnIds


def test_each_letter_is_counted_by_what_is_told() -> None:
    """What is not told has no number of its own, and no two of those are called alike."""
    ids = OwnIds()
    for id, place in (("d1", 0), ("d2", 4), ("d3", 0), ("d4", 6), ("x1", 0), ("d7", 0)):
        ids.name(id, id[0], place)
    own = {id: ids.get(id, "?") for id in ("d1", "d2", "d3", "d4", "x1", "d7", "d5", "R1", "d70", "d")}
    assert own == {
        "d1": "d1",
        "d2": "d1.4",
        "d3": "d2",
        "d4": "d2.6",
        "x1": "x1",
        "d7": "d3",
        "d5": "?",
        "R1": "?",
        "d70": "?",
        "d": "?",
    }


def test_ids_of_another_form_are_kept_too() -> None:
    """Those of a branch, those out of order, and those that only a log written by hand has."""
    ids = OwnIds()
    for id in ("d5", "d5.1", "d3", "d03", "dispute", "d99999999999"):
        ids.name(id, "d", 0)
    assert [ids.get(id, "?") for id in ("d5", "d5.1", "d3", "d03", "dispute", "d99999999999")] == [
        *("d1", "d2", "d3", "d4", "d5", "d6"),
    ]
