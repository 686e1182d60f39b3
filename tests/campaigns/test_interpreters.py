"""The campaign of interpreters in small: what comes out otherwise than kept is told."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.campaigns import interpreters
from tests.scenarios.cases import all_cases
from tests.scenarios.plays import Plays, checked


def test_another_head_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four scenarios one is the same, one has another head, one was not kept, one does not hold."""
    title, case = next(one for one in all_cases() if not one[1].cites)
    broken = replace(case, cites=("srd35.no-such-rule",))
    cases = [(f"{title} {number}", broken if number == 3 else case) for number in range(4)]
    monkeypatch.setattr(interpreters, "all_cases", lambda: cases)
    for number, head in enumerate(("", "0" * 64)):
        play, _ = checked(cases[number][0], case)
        Plays(tmp_path).add(replace(play, head=head or play.head))
    found = interpreters.differing(tmp_path, 0)
    whys = ("is kept", "not kept", "nothing in its log cites srd35.no-such-rule")
    assert len(found) == len(whys)
    for fault, (name, _), why in zip(found, cases[1:], whys, strict=True):
        assert fault.startswith(f"{name}: "), fault
        assert why in fault, fault
