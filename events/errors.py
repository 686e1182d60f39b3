"""The errors of logs, and helpers for messages."""

import shlex
from collections.abc import Iterable

LONGEST_MESSAGE = 600

UNNAMED = "is named"
"""The words in every refusal of a declaration that lacks a name: "no weapon is named"."""

MOST_LISTED = 8
"""The most known words listed in a message if none of them is near."""


class AffrayError(Exception):
    """Root of all errors of Affray; its message is one clear line.

    Quoted text is cut to its beginning and holds no line breaks or control characters.

    >>> from affray.engine import packaged
    >>> from affray.events import AffrayError
    >>> try:
    ...     packaged("tool")
    ... except AffrayError as fault:
    ...     print(fault)
    no packaged scenario 'tool'; did you mean toll?
    """

    def __str__(self) -> str:
        return clear_line(super().__str__())


def clear_line(text: str) -> str:
    """Return a text as one line without control characters, cut to what a person reads."""
    line = " ".join(text.split())
    if len(line) > LONGEST_MESSAGE:
        line = f"{line[: LONGEST_MESSAGE - 60]} ... ({len(line)} characters)"
    return printable(line)


def printable(text: str) -> str:
    """Return a text of the same length without characters that steer a terminal.

    Line breaks, tabs and other space become blanks; control characters, escapes, marks of direction,
    characters that take no room and lone surrogates become question marks.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " if one.isspace() else "?" for one in text)


def did_you_mean(word: str, known: Iterable[str], most: int = MOST_LISTED, whole: str = "") -> str:
    """Return what follows an unknown word in a message: the nearest known one, else all if they are few.

    Few are at most `most`; of more, `whole` is the command that lists them.
    """
    words = [one for one in known if one != word]  # the refused word was not meant
    listed = f"; all: {whole}" if whole and len(words) > most else ""
    if near := nearest(word, words):
        return f"; did you mean {near}?{listed}"
    if not words or len(words) > most:
        return listed
    return f"; there are {', '.join(words)}" if len(words) > 1 else f"; there is {words[0]}"


def nearest(word: str, known: Iterable[str], near: float = 0.6) -> str:
    """Return the nearest known word, "" if none is near; case is ignored.

    `near` is the required similarity, from 0 to 1.
    """
    from difflib import get_close_matches

    lowered = {one.lower(): one for one in known}
    return next((lowered[one] for one in get_close_matches(word.lower(), list(lowered), 1, near)), "")


class BrokenLog(AffrayError):
    """Stored events cannot be read, do not match their digests, or are in an impossible place.

    `seq` names the event and `reason` the fault; `verify` finds every fault of a log. Restore an older copy
    of the file, or use the events before the fault:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.engine import packaged, play
    >>> from affray.events import BrokenLog, SqliteStore
    >>> from affray.replay import state_at
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "fight.db"
    ...     with SqliteStore(file) as store:
    ...         table = play(packaged("demo_srd35"), store)
    ...     whole = file.read_bytes()
    ...     damaged = file.write_bytes(whole.replace(b'"natural":', b'"naturel":'))
    ...     with SqliteStore(file) as store:
    ...         try:
    ...             state_at(store, "main", 20)
    ...         except BrokenLog as fault:
    ...             print(fault)
    ...             print(state_at(store, fault.stream, fault.seq - 1).combatants["ogre"].hp)
    broken log: main#13: unreadable initiative.rolled: Object missing required field `natural`
    37
    """

    def __init__(self, stream: str, seq: int, reason: str) -> None:
        super().__init__(f"broken log: {stream}#{seq}: {reason}")
        self.stream, self.seq, self.reason = stream, seq, reason

    def in_file(self, file: str) -> None:
        """Add the name of the file to the message, unless it contains it."""
        if file not in self.args[0]:
            self.args = (f"{file}: {self.args[0]}",)


class Conflict(AffrayError):
    """Another writer appended first: the expected position is no longer the head.

    Nothing was written. The table has caught up with the log: check the state and declare again if it
    applies.

    >>> from affray.engine import Table, acts, packaged, set_up
    >>> from affray.events import Conflict, MemoryStore
    >>> store = MemoryStore()
    >>> first = set_up(packaged("demo_srd35"), store)
    >>> second = Table(store)
    >>> begun = first.declare(acts.Begin())
    >>> try:
    ...     second.declare(acts.Begin())
    ... except Conflict as fault:
    ...     print(fault)
    conflict on 'main': expected position 9, the log is at 23
    >>> second.state.round
    1
    """

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"conflict on {stream!r}: expected position {expected}, the log is at {actual}")
        self.stream, self.expected, self.actual = stream, expected, actual


class RequestReused(AffrayError):
    """A request id was reused with other events than the first time."""


class UnknownStream(AffrayError):
    """No branch of that name."""


class NotALog(AffrayError):
    """The file is not an Affray log.

    >>> from affray.events import NotALog, SqliteStore
    >>> try:
    ...     SqliteStore("LICENSE")
    ... except NotALog as fault:
    ...     print(fault)
    LICENSE: no SQLite database
    """


class NewerLog(AffrayError):
    """The log was written by a newer version of Affray than this one.

    It is left as it is: install that version, or one after it.

    >>> import sqlite3
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.events import NewerLog, SqliteStore
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "fight.db"
    ...     SqliteStore(file).close()
    ...     database = sqlite3.connect(file)
    ...     version = database.execute("PRAGMA user_version = 99")
    ...     database.close()
    ...     try:
    ...         SqliteStore(file)
    ...     except NewerLog as fault:
    ...         print(str(fault).partition(": ")[2])
    a log of schema 99, this Affray reads up to schema 3
    """


class LogUnavailable(AffrayError):
    """The log cannot be read or written now: locked, read-only, disk full, or not there.

    None of the entries was appended. Retry later, with the same `request` where the entries may have been
    recorded before the error.

    >>> from affray.events import LogUnavailable, SqliteStore
    >>> try:
    ...     SqliteStore("nowhere/fight.db")
    ... except LogUnavailable as fault:
    ...     print(fault)
    nowhere/fight.db: no directory nowhere
    """


class InvalidEntry(AffrayError):
    """An invalid entry: its data is not one JSON object on one line, or a field is out of range."""


class InvalidBranch(AffrayError):
    """An invalid branch: its name is bad or taken, or its parent was never at that position."""


class SecretExists(AffrayError):
    """A secret of that name is already stored, with another value."""


class SecretsMissing(LogUnavailable):
    """The secrets of a log are missing, unreadable, or belong to another log."""


class LogMoved(LogUnavailable):
    """The file of an open log was renamed, replaced or deleted: new events would be lost."""


class BrokenExport(BrokenLog):
    """An exported log was cut, edited or damaged; `line` counts from 1."""

    def __init__(self, line: int, reason: str, stream: str = "", seq: int = 0, file: str = "") -> None:
        where = f"line {line} of {file}" if file else f"line {line}"
        AffrayError.__init__(self, f"broken export: {where}: {reason}")
        self.line, self.stream, self.seq, self.reason = line, stream, seq, reason


# --- Counts, lists and squares in sentences, commands to run next, safe texts


def counted(count: int, word: str, several: str = "") -> str:
    """Return a count with its word: "1 round", "3 rounds"; `several` is an irregular plural ("0 dice")."""
    return f"{count} {word if count == 1 else several or word + 's'}"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence: "Aldric, Vex and the ogre"."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def square(at: tuple[int, int]) -> str:
    """Return a square as it is typed: "4,2"."""
    return f"{at[0]},{at[1]}"


def shell_command(*words: object) -> str:
    """Return a command of `affray` as it is typed into a shell: quoted where that needs it."""
    return shlex.join(["affray", *map(str, words)])


def escaped(json: str) -> str:
    """Return JSON on one line with the same meaning in which unprintable characters are escapes."""
    if json.isprintable():
        return json
    return "".join(one if one.isprintable() else _escape(one) for one in json)


def _escape(one: str) -> str:
    if one in "\t\r\n":  # between values: inside a text JSON has them escaped already
        return " "
    code = ord(one)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
