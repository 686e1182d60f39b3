"""The guests: a file beside the log that is never begun anew, and that several servers share."""

import json
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from affray.events import logging
from affray.events.errors import AffrayError, LogUnavailable, NewerLog
from affray.replay import log_files
from affray.replay.serve import access as accesses
from affray.replay.serve.access import (
    MAX_BYTES,
    MOST_GUESTS,
    Access,
    BadAccess,
    BadInvitation,
    Guest,
    access_path,
)
from affray.replay.workers import PYTHON

POSIX = pytest.mark.skipif(os.name != "posix", reason="rights of files as in POSIX")
GM = "g" * 32


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where the log of a fight would be."""
    return tmp_path / "fight.db"


def kept(log: Path) -> dict[str, object]:
    """Return what the file of a log's guests holds."""
    found: dict[str, object] = json.loads(access_path(log).read_bytes())
    return found


def write(log: Path, **fields: object) -> None:
    """Write a file of guests, good but for the fields given."""
    good: dict[str, object] = {
        "format": "affray-serve",
        "version": 1,
        "guests": [{"token": GM, "role": "game master"}],
        "hidden": [],
    }
    access_path(log).write_text(json.dumps(good | fields))
    access_path(log).chmod(0o600)


def test_it_begins_with_a_game_master(log: Path) -> None:
    """Whose token is long, and stands in the file beside the log, which says what it is."""
    (master,) = Access.open(log).guests
    assert (master.role, len(master.token)) == ("game master", 32)
    found = kept(log)
    assert (access_path(log).name, found["format"], found["version"]) == ("fight.db-serve", "affray-serve", 2)
    assert [file.name for file in log.parent.iterdir()] == ["fight.db-serve"]


def test_the_same_links_hold_after_a_restart(log: Path) -> None:
    """Guests and hidden combatants are those of before."""
    access = Access.open(log)
    player = access.invite("player", ["brannoc", "wolf"], "Anna")
    watcher = access.invite("onlooker")
    access.hide("imp")
    again = Access.open(log)
    assert again.guests == access.guests
    assert again.guest_of(player.token) == Guest(player.token, "player", ("brannoc", "wolf"), "Anna")
    assert again.guest_of(watcher.token) == watcher
    assert again.hidden == ("imp",)


@POSIX
def test_its_owner_alone_may_read_it(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment in which it is made, whatever the mask; also while another one takes its place."""
    made: list[int] = []
    opened = os.open

    def watching(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        handle = opened(path, flags, mode, **more)
        if flags & os.O_CREAT:
            made.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    before = os.umask(0)
    try:
        monkeypatch.setattr(os, "open", watching)
        Access.open(log).invite("onlooker")
    finally:
        os.umask(before)
    assert made == [0o600, 0o600]
    assert stat.S_IMODE(access_path(log).stat().st_mode) == 0o600


@POSIX
def test_one_that_others_may_read_is_noted(log: Path) -> None:
    """As with the secrets of the log."""
    Access.open(log)
    access_path(log).chmod(0o644)
    with logging.captured() as noted:
        Access.open(log)
    assert [(one["event"], one["mode"]) for one in noted] == [("serve.exposed", "644")]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"format": "affray-swing"}, "no file of guests"),
        ({"version": 0}, "it is damaged"),
        ({"version": "1"}, "it is damaged"),
        ({"guests": []}, "no guest is the game master"),
        ({"guests": [{"token": GM, "role": "onlooker"}]}, "no guest is the game master"),
        ({"guests": [{"token": GM, "role": "referee"}]}, "Invalid enum value 'referee'"),
        ({"guests": [{"token": "", "role": "game master"}]}, "it is damaged"),
        ({"guests": [{"token": "short", "role": "game master"}]}, "it is damaged"),
        ({"guests": [{"token": GM + "\n", "role": "game master"}]}, "it is damaged"),
        ({"guests": [{"token": GM, "role": "game master"}] * 2}, "two guests have the same token"),
        ({"guests": [{"token": GM, "role": "game master", "combatants": ["a"]}]}, "a player's"),
        (
            {"guests": [{"token": GM, "role": "game master"}, {"token": "p" * 32, "role": "player"}]},
            "a player has at least one combatant",
        ),
        ({"guests": [{"token": GM, "role": "game master", "rights": "all"}]}, "rights"),
        ({"hidden": "imp"}, "it is damaged"),
        ({"seen": []}, "seen"),
    ],
)
def test_another_file_is_refused(log: Path, fields: dict[str, object], told: str) -> None:
    """In one line that names it; what was there stays."""
    write(log, **fields)
    before = access_path(log).read_bytes()
    with pytest.raises(BadAccess) as raised:
        Access.open(log)
    assert str(access_path(log)) in str(raised.value)
    assert told in str(raised.value)
    assert access_path(log).read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b" " * 5_000_000])
def test_no_file_of_guests(log: Path, data: bytes) -> None:
    """Cut, or something else, or far too long."""
    access_path(log).write_bytes(data)
    with pytest.raises(BadAccess, match=r"fight\.db-serve: "):
        Access.open(log)
    assert access_path(log).read_bytes() == data


def test_a_file_that_is_too_long(log: Path) -> None:
    """Is none, though its beginning would be one."""
    write(log)
    with access_path(log).open("ab") as file:
        file.write(b" " * MAX_BYTES)
    with pytest.raises(BadAccess, match="cannot be read: larger than 4000 kB"):
        Access.open(log)


def test_one_of_a_newer_release(log: Path) -> None:
    """Is refused by name, whatever else is in it."""
    write(log, version=3, guests={"by": "name"})
    with pytest.raises(NewerLog, match="guests of version 3, this Affray reads up to 2"):
        Access.open(log)


def test_a_folder_in_its_place(log: Path) -> None:
    """Is no file; nor is there one in a folder that is not there."""
    access_path(log).mkdir()
    with pytest.raises(BadAccess, match="cannot be read: no regular file"):
        Access.open(log)
    with pytest.raises(LogUnavailable, match="cannot be kept: No such file"):
        Access.open(log.parent / "nowhere" / "fight.db")


def test_it_lies_beside_the_log_itself(log: Path) -> None:
    """Whatever link leads there."""
    log.touch()
    (log.parent / "elsewhere").mkdir()
    link = log.parent / "elsewhere" / "link.db"
    link.symlink_to(log)
    assert Access.open(link).guests == Access.open(log).guests
    assert [file.name for file in link.parent.iterdir()] == ["link.db"]


@pytest.mark.parametrize(
    ("role", "combatants", "told"),
    [
        ("player", (), "a player has at least one combatant"),
        ("player", ("a", "a"), "named once"),
        ("player", ("",), "named once"),
        ("player", ("a" * 201,), "Expected `str` of length <= 200"),
        ("player", ("\ud800",), "surrogates"),
        ("onlooker", ("a",), "a guest with the role onlooker has none"),
        ("game master", ("a",), "a guest with the role game master has none"),
        ("gamemaster", (), "no role 'gamemaster'; did you mean game master?"),
        ("", (), "no role ''"),
    ],
)
def test_who_cannot_be_invited(log: Path, role: str, combatants: tuple[str, ...], told: str) -> None:
    """A player has combatants, others have none; nothing is written."""
    access = Access.open(log)
    before = access_path(log).read_bytes()
    with pytest.raises(BadInvitation) as raised:
        access.invite(role, combatants)
    assert told in str(raised.value)
    assert access_path(log).read_bytes() == before


@pytest.mark.parametrize("name", ["x" * 201, "two\nlines", "\x1b[2J", "\ud800"])
def test_no_name(log: Path, name: str) -> None:
    """A name fits on a line and steers no terminal."""
    with pytest.raises(BadInvitation, match="the name of a guest"):
        Access.open(log).invite("onlooker", name=name)


def test_there_is_always_a_game_master(log: Path) -> None:
    """The last one cannot be withdrawn; one of two can."""
    access = Access.open(log)
    (first,) = access.guests
    access.invite("onlooker")
    with pytest.raises(BadInvitation, match="the last game master stays"):
        access.withdraw(first.token)
    second = access.invite("game master")
    access.withdraw(first.token)
    assert access.guest_of(first.token) is None
    assert access.guest_of(second.token) == second
    with pytest.raises(BadInvitation, match="no guest has that token"):
        access.withdraw(first.token)


@pytest.mark.parametrize("change", [str.upper, lambda one: one[:-1], lambda one: one + "A", lambda one: ""])
def test_another_token_is_nobodys(log: Path, change: object) -> None:
    """Neither a part of one, nor more, nor none; nor what is no token at all."""
    access = Access.open(log)
    (master,) = access.guests
    assert callable(change)
    assert access.guest_of(change(master.token)) is None
    for strange in ("é", "\ud800", "\x00", "x" * 100_000):
        assert access.guest_of(strange) is None


def test_every_guest_is_compared(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time does not tell how far down the list a guest stands."""
    access = Access.open(log)
    (master,) = access.guests
    for _ in range(4):
        access.invite("onlooker")
    compared: list[bytes] = []

    def comparing(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return one == other

    monkeypatch.setattr(accesses, "compare_digest", comparing)
    assert access.guest_of(master.token) == master
    assert compared == [guest.token.encode() for guest in access.guests]


def test_hidden_and_seen_again(log: Path) -> None:
    """Each once, however often it is said."""
    access = Access.open(log)
    for one in ("wolf", "imp", "imp"):
        access.hide(one)
    assert access.hidden == ("imp", "wolf")
    access.unhide("wolf")
    before = access_path(log).stat()
    access.unhide("wolf")
    assert os.path.samestat(access_path(log).stat(), before)
    assert (access.hidden, Access.open(log).hidden) == (("imp",), ("imp",))
    with pytest.raises(BadInvitation, match="200 characters"):
        access.hide("x" * 201)
    assert Access.open(log).hidden == ("imp",)


def test_what_another_server_changes_holds_here(log: Path) -> None:
    """From the next question on: a new guest is known, a withdrawn one is not, who is hidden is hidden."""
    here, there = Access.open(log), Access.open(log)
    guest = there.invite("onlooker")
    assert here.guest_of(guest.token) == guest
    there.hide("imp")
    assert here.hidden == ("imp",)
    there.withdraw(guest.token)
    assert here.guest_of(guest.token) is None


def test_no_guest_of_two_servers_is_lost(log: Path) -> None:
    """Four processes and four threads invite at once, the first of them making the file."""
    code = (
        "import sys; from affray.replay.serve.access import Access\n"
        "access = Access.open(sys.argv[1])\n"
        "for _ in range(25): print(access.invite('onlooker', name=sys.argv[2]).token)\n"
    )
    started = [
        subprocess.Popen([*PYTHON, "-c", code, str(log), f"p{number}"], stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    tokens: list[str] = []

    def inviting() -> None:
        access = Access.open(log)
        tokens.extend(access.invite("onlooker").token for _ in range(25))

    threads = [threading.Thread(target=inviting) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in started:
        told, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        tokens.extend(told.split())
    access = Access.open(log)
    assert len(set(tokens)) == 200
    assert {guest.token for guest in access.guests if guest.role == "onlooker"} == set(tokens)
    assert len(access.guests) == 201
    assert [file.name for file in log.parent.iterdir()] == ["fight.db-serve"]


def test_one_writer_waits_for_the_other(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so if the other never ends; nothing is written then."""
    access = Access.open(log)
    monkeypatch.setattr(log_files, "BUSY_SECONDS", 0.05)
    with log_files.lock_folder(log), pytest.raises(AffrayError, match="another command is writing it"):
        access.invite("onlooker")
    assert len(access.guests) == 1


def test_a_file_that_is_spoilt_meanwhile(log: Path) -> None:
    """The fight goes on with the guests it had, which is noted once; nothing is written over the file."""
    access = Access.open(log)
    (master,) = access.guests
    access_path(log).write_bytes(b"{")
    with logging.captured() as noted:
        assert access.guest_of(master.token) == master
        assert access.guest_of(master.token) == master
    assert [one["event"] for one in noted].count("serve.guests") == 1
    with pytest.raises(BadAccess, match="it is damaged"):
        access.invite("onlooker")
    assert access_path(log).read_bytes() == b"{"


def test_a_file_that_is_gone_meanwhile(log: Path) -> None:
    """Is not made again behind the back of who took it away."""
    access = Access.open(log)
    (master,) = access.guests
    access_path(log).unlink()
    assert access.guest_of(master.token) == master
    with pytest.raises(BadAccess, match="it is gone"):
        access.hide("imp")
    assert not access_path(log).exists()


def test_a_disk_that_is_full(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guest is not invited, the file is what it was, no part of another one is left."""
    access = Access.open(log)
    before = access_path(log).read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LogUnavailable, match="No space left"):
        access.invite("onlooker")
    assert (access_path(log).read_bytes(), len(access.guests)) == (before, 1)
    assert [file.name for file in log.parent.iterdir()] == ["fight.db-serve"]


def test_there_are_not_too_many_guests(log: Path) -> None:
    """The list stays one that is read in a moment."""
    write(
        log,
        guests=[{"token": f"{number:032}", "role": "game master"} for number in range(MOST_GUESTS)],
    )
    with pytest.raises(BadInvitation, match="there are 1000 guests already"):
        Access.open(log).invite("onlooker")
