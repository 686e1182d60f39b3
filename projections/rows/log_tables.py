"""The tables that say of which logs the rows are, and of which pieces each line of play is made."""

from affray.projections.rows.column import Kinds, number, text, truth

FIGHTS = Kinds(
    "fights",
    "a log",
    ("encounter.opened",),
    (
        text("fight", "the log, as in every other table"),
        text("log", "the name of its file, without its folder; the name of the fight in a database"),
        text("name", "what the encounter is called"),
        text("dialect", "the rules it is played by"),
        text("main", "its main line"),
        number("events", "events of the main line", "events"),
        number("branches", "branches, the root included"),
        text("date", "when its file was last written, as year and month"),
    ),
)
"""What is known of each log as a whole."""

LINES = Kinds(
    "lines",
    "a piece of a line of play: the events of a branch that the line passes through",
    (),
    (
        text("fight", "the log"),
        text("line", "the line of play: the name of the branch with which it ends"),
        text("branch", "the branch on which these events stand"),
        number("after", "the piece begins behind this position", "events"),
        number("upto", "and ends with this one", "events"),
        truth("main", "whether the line is the main line"),
    ),
)
"""Of which pieces each line of play is made."""
