"""Files that nobody named: what is read of them, how they are written, what is left where that fails."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.engine.table.scenario import read_scenario, read_scenarios
from affray.engine.table.scenario_parts import BadScenario
from affray.events.errors import LogUnavailable
from affray.events.files import UnfitFile, atomic_folder, atomic_path, read_bytes, read_found, replacing
from affray.events.secrets import secrets_path
from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance.swing import beside, compute_stored_swing
from tests.cli.conftest import Run, copied

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")

FIGHT = """
dialect = "{dialect}"
map = {map}
{keys}
combatants = []
"""
SHEETS = '["town guard"]\nname = "Guard"\nhp = 9\n'


def pipe(at: Path) -> None:
    """Make a pipe that nobody writes to."""
    os.mkfifo(at)


def endless(at: Path) -> None:
    """Make a link to a device without end."""
    at.symlink_to("/dev/zero")


def device(at: Path) -> None:
    """Make a device without end itself, where that is allowed."""
    try:
        os.mknod(at, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("making a device is not allowed here")


def link(at: Path) -> None:
    """Make a link to a file of the user's, outside the folder."""
    secret = at.parent.parent / "private.txt"
    secret.write_text("s3cret = [")
    at.symlink_to(secret)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that somebody has sent."""
    found = tmp_path / "sent"
    found.mkdir()
    return found


@posix
@pytest.mark.parametrize("made", [pipe, endless, device, link])
def test_what_is_found_is_regular(folder: Path, made: Callable[[Path], None]) -> None:
    """A pipe keeps no reader waiting and a device does not fill the memory; a link stays in its folder."""
    made(folder / "file")
    with pytest.raises(UnfitFile):
        read_found(folder / "file", 100, folder)
    (folder / "real").write_bytes(b"x" * 100)
    (folder / "inside").symlink_to(folder / "real")
    assert read_found(folder / "inside", 100, folder) == b"x" * 100
    with pytest.raises(UnfitFile, match="larger than"):
        read_found(folder / "real", 99, folder)


@posix
def test_what_the_user_names_may_be_a_pipe(folder: Path) -> None:
    """As the shell makes one for `<(...)`; no more of it is read than is allowed."""
    assert read_bytes(Path(os.devnull), 10) == b""
    with pytest.raises(UnfitFile):
        read_bytes(Path("/dev/zero"), 10)


@posix
@pytest.mark.parametrize("made", [pipe, endless, device, link])
@pytest.mark.parametrize(
    ("dialect", "map", "keys"),
    [
        ("srd35", '["..."]', 'sheets_from = "{0}.toml"'),
        ("pf1", '"{0}.toml"', ""),
        ("futurepath", '"{0}.txt"', ""),
        ("srd35", '"{0}.dd2vtt"', ""),
        ("woa", '["..."]', 'tables = "tables"'),
    ],
)
def test_scenarios_name_regular_files(
    folder: Path, made: Callable[[Path], None], dialect: str, map: str, keys: str
) -> None:
    """Sheets, a map of either kind, a table: what is none is refused, and not a word of it is printed."""
    (folder / "tables").mkdir()
    for end in (".toml", ".txt", ".dd2vtt"):
        made(folder / f"other{end}")
    if keys.startswith("tables"):
        (folder / "other.toml").rename(folder / "tables" / "other.toml")
    text = FIGHT.format(dialect=dialect, map=map, keys=keys).replace("{0}", "other")
    (folder / "fight.toml").write_text(text)
    with pytest.raises(BadScenario, match=r"no regular file|not under the folder") as refused:
        read_scenario(folder / "fight.toml")
    assert "s3cret" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "way", ["../people.toml", "{}/people.toml", "../sent/../people.toml", "link/people.toml"]
)
def test_scenarios_stay_in_their_folder(folder: Path, run: Run, way: str) -> None:
    """By no path or link does a file name one elsewhere, unless --within says where it may lie."""
    (folder.parent / "people.toml").write_text(SHEETS)
    (folder / "link").symlink_to(folder.parent)
    keys = f'sheets_from = "{way.format(folder.parent)}"'
    file, table = folder / "fight.toml", folder / "table.toml"
    file.write_text(FIGHT.format(dialect="srd35", map='["..."]', keys=keys))
    table.write_text(f'dialect = "srd35"\n{keys}\n[[scenario]]\nmap = ["."]\ncombatants = []\n')
    for read in (lambda: read_scenario(file), lambda: read_scenarios(table)):
        with pytest.raises(BadScenario, match=r"not under the folder .*; .*--within FOLDER"):
            read()
    assert "town guard" in read_scenario(file, within=folder.parent).sheets
    assert "town guard" in read_scenarios(table, within=folder.parent)[0].sheets
    sheet = folder / "sheet.toml"
    sheet.write_text(f"{keys}\n[sheets]\n")
    db = folder / "fight.db"
    guard = (
        "add",
        db,
        "--id",
        "guard",
        "--side",
        "a",
        "--at",
        "0,0",
        "--sheet",
        sheet,
        "--use",
        "town guard",
    )
    refused = run("new", db, "--encounter", file)
    assert (refused.exit_code, "not under the folder" in refused.stderr, db.exists()) == (2, True, False)
    assert run("new", db, "--encounter", file, "--within", folder.parent).exit_code == 0
    assert "not under the folder" in run(*guard).stderr
    assert run(*guard, "--within", folder.parent).exit_code == 0
    assert run("play", file).exit_code == 2
    assert "not under the folder" not in run("play", file, "--within", folder.parent).stderr
    stray = run("new", folder / "x.db", "--dialect", "srd35", "--within", folder)
    assert (stray.exit_code, "--encounter" in stray.stderr) == (2, True)


@posix
def test_win_chances_leave_other_files_alone(played: Path, folder: Path, tmp_path: Path) -> None:
    """No link beside a log leads what is kept there elsewhere, and what lies there already is no obstacle."""
    log = copied(played, folder / "fight.db")
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    kept = beside(log)
    for name in (kept, Path(f"{kept}.part")):
        name.symlink_to(victim)
    with SqliteStore(log, readonly=True) as store:
        found = compute_stored_swing(store, log, runs=1)
        assert not kept.is_symlink()
        kept.unlink()
        os.mkfifo(kept)
        assert compute_stored_swing(store, log, runs=1) == found
    assert victim.read_text() == "as it was"
    assert stat.S_ISREG(kept.stat().st_mode)


@posix
@pytest.mark.parametrize("made", [pipe, link])
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal", "-secrets", "-serve", ".rows"])
def test_what_lies_beside_a_log(
    played: Path, folder: Path, run: Run, made: Callable[[Path], None], suffix: str
) -> None:
    """Commands end at once and change no other file, whatever bears the name of a file of the log."""
    log = copied(played, folder / "fight.db")
    place = folder / "fight.rows.db" if suffix == ".rows" else Path(f"{log}{suffix}")
    place.unlink(missing_ok=True)
    made(place)
    results = [run("log", log), run("fork", log, "--at", "r1", "--as", "x"), run("rows", log)]
    results += [run("serve", log, "--links")]
    for one in results:
        assert one.exit_code in (0, 2)
        assert one.exit_code == 0 or one.stderr.count("\n") == 1
    if suffix in ("-wal", "-shm", "-journal"):
        with pytest.raises(LogUnavailable, match=f"{suffix}: no regular file"):
            SqliteStore(log)
    private = folder.parent / "private.txt"
    assert not private.exists() or private.read_text() == "s3cret = ["
    assert not any("s3cret" in one.output for one in results)


def test_a_new_file_takes_the_place_whole(folder: Path) -> None:
    """It is made under a name that nobody can foresee, and leaves nothing where it does not come about."""
    path = folder / "file"
    with replacing(path, 0o600) as file:
        file.write(b"one")
        assert not path.exists()
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    with pytest.raises(FileExistsError), replacing(path, new=True) as file:
        file.write(b"two")
    with pytest.raises(OSError, match="No space left") as full, atomic_path(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert full.value.filename == str(path)
    with pytest.raises(FileExistsError), atomic_folder(folder):
        pass
    with pytest.raises(IsADirectoryError), atomic_folder(folder / "made") as made:
        made.write_bytes(b"")
    assert [one.name for one in folder.iterdir()] == ["file"]
    assert path.read_bytes() == b"one"


def test_secrets_are_not_read_through_a_link(played: Path, folder: Path, run: Run) -> None:
    """Those of a log lie beside it, or nowhere."""
    log = copied(played, folder / "fight.db")
    elsewhere = folder.parent / "secrets"
    secrets_path(log).rename(elsewhere)
    secrets_path(log).symlink_to(elsewhere)
    assert "not under the folder" in run("secrets", log).output
