"""The tables of actions in Futurepath: whether the row of an action has it provoke."""

from affray.engine.fight.fight import Fight


def provokes_by_row(fight: Fight, topic: str, row: str) -> tuple[bool, str]:
    """Return whether an action provokes by its row of a table of the edition, and the table's rule.

    futurepath.table.actions.*.
    """
    return dict(fight.figure(topic))[row] == "yes", fight.rule(topic)
