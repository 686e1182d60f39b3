"""Whatever is done to the lines of an exported fight is found, and named by its line."""

from hashlib import sha256
from random import Random

import msgspec
import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.errors import AffrayError, BrokenExport
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.log.branches import fork
from affray.replay.verification.seals import compared, sealed


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    """A whole fight with a branch as JSON Lines."""
    store, out = MemoryStore(), Lines()
    play(packaged("demo_srd35"), store).declare(acts.Close(reason="over"))
    fork(store, "r3", "second", "main")
    export_jsonl(store, out)
    return bytes(out).splitlines(keepends=True)


class Lines(bytearray):
    """Bytes to write to."""

    write = bytearray.extend


def resealed(lines: list[bytes]) -> list[bytes]:
    """Return the lines with an end line that fits, as a careful forger writes it."""
    body = lines[:-1]
    end = b'{"events":%d,"sha256":"%s"}\n' % (len(body) - 1, sha256(b"".join(body)).hexdigest().encode())
    return [*body, end]


def refused(lines: list[bytes]) -> AffrayError:
    """Return the error that reading these lines ends with."""
    with pytest.raises(AffrayError) as caught:
        import_jsonl(lines, MemoryStore())
    return caught.value


def test_any_byte_of_any_exported_event_is_covered(lines: list[bytes]) -> None:
    """A bit flipped anywhere in any event's line is found in that line, though the end line fits."""
    dice = Random(7)
    for number, line in enumerate(lines[1:-1], start=2):
        for _ in range(2):
            flipped = bytearray(line)
            flipped[dice.randrange(len(line) - 1)] ^= 1 << dice.randrange(7)
            spoiled = list(lines)
            spoiled[number - 1] = bytes(flipped)
            error = refused(resealed(spoiled))
            assert isinstance(error, BrokenExport)
            assert error.line in (number, number + 1)  # a flip can make a line end


def test_lines_moved_dropped_or_doubled_are_found(lines: list[bytes]) -> None:
    """The first line that stands where it cannot is named."""
    at = 50
    swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
    dropped = [*lines[:at], *lines[at + 1 :]]
    doubled = [*lines[: at + 1], *lines[at:]]
    for edited, line in ((swapped, at + 1), (dropped, at + 1), (doubled, at + 2)):
        error = refused(resealed(edited))
        assert isinstance(error, BrokenExport)
        assert error.line == line
        assert "was expected" in error.reason


def test_an_export_cut_at_a_line_is_found_without_its_end_line_and_by_the_seal(lines: list[bytes]) -> None:
    """Cut short it lacks its end; with a forged end it is shorter than the seal says."""
    whole = MemoryStore()
    import_jsonl(lines, whole)
    seal = sealed(whole, "main")
    assert "without its end line" in str(refused(lines[:200]))
    header = msgspec.json.decode(lines[0])
    header["branches"] = header["branches"][:1]
    cut = MemoryStore()
    first = msgspec.json.encode(header) + b"\n"
    import_jsonl(resealed([first, *lines[1:200], lines[-1]]), cut)
    assert compared(cut, seal).outcome == "shorter"
