"""The campaigns that need strace, in small: failing system calls and power cuts."""

import random
from pathlib import Path

import pytest

from tests.campaigns import power, syscalls
from tests.campaigns.crash import can_trace
from tests.campaigns.judge import Broken

pytestmark = pytest.mark.skipif(not can_trace(), reason="strace is not installed, or may not trace here")


@pytest.mark.parametrize("number", [0, 2])
def test_a_failing_call_loses_nothing(tmp_path: Path, number: int) -> None:
    """A write or flush that fails in the middle of a fight leaves everything acknowledged in the log."""
    _, told = syscalls.run(tmp_path, number, 7)
    assert told["acks"]


def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """With FULL, whatever part of the unflushed writes is on the disk, the log is whole and complete."""
    calls = power.traced(tmp_path.resolve(), "srd35", 3, "FULL")
    figures = power.cuts(calls, tmp_path, True, 24, random.Random(1))
    assert figures["cuts"] == 24
    assert figures["acknowledged"] > 100


def test_a_flush_left_out_is_noticed(tmp_path: Path) -> None:
    """The same writes without the flushes of the WAL lose acknowledgements: the campaign can fail."""
    calls = power.traced(tmp_path.resolve(), "srd35", 3, "FULL")
    lazy = [call for call in calls if not (call[0] == "fdatasync" and call[1].endswith("-wal"))]
    with pytest.raises(Broken, match="acknowledged were"):
        power.cuts(lazy, tmp_path, True, 24, random.Random(1))
