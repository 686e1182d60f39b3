"""What an entry says of its combatant besides where it stands: wounds, grips, bonds, what is used up."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def counted(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[Any, ...]:
    """Return pairs of a name and a number. Raises UsageError for what is written otherwise."""
    found = []
    for text in given:
        name, equals, number = text.rpartition("=")
        if not (name and equals and number.removeprefix("-").isdecimal()):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as NAME=NUMBER")
        found.append((name, int(number)))
    return tuple(found)


def paired(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[Any, ...]:
    """Return pairs of a condition and a combatant. Raises UsageError for what is written otherwise."""
    found = []
    for text in given:
        name, equals, other = text.rpartition("=")
        if not (name and equals and other):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as CONDITION=COMBATANT")
        found.append((name, other))
    return tuple(found)


OPTIONS = (
    click.option("--nonlethal", type=int, default=0, help="Its nonlethal damage."),
    click.option("--condition", "conditions", multiple=True, help="A condition that holds; repeat it."),
    click.option(
        "--by", multiple=True, callback=paired, help="Whose doing it is, as CONDITION=COMBATANT; repeat it."
    ),
    click.option(
        "--level",
        "levels",
        multiple=True,
        callback=counted,
        help='How high it stands, as "energy drained=2"; repeat it.',
    ),
    click.option(
        "--loss",
        "losses",
        multiple=True,
        callback=counted,
        help='Ability points lost, as str=3 or "str drain=3"; repeat it.',
    ),
    click.option(
        "--used",
        multiple=True,
        callback=counted,
        help="What is used up, as longbow=5 for arrows; repeat it.",
    ),
    click.option("--held", multiple=True, help="A weapon in hand, if not the first one; repeat it."),
    click.option("--empty-handed", is_flag=True, help="With nothing in hand."),
    click.option("--unloaded", multiple=True, help="A weapon that must be loaded first; repeat it."),
    click.option("--riding", default="", help="The mount in whose saddle it sits."),
    click.option("--grapples", default="", help="The opponent that it grapples."),
    click.option(
        "--grip", type=click.Choice(("pins", "pinned")), help="It pins that opponent, or is pinned."
    ),
    click.option("--acted", is_flag=True, help="It has acted in this fight already."),
)
"""The options of an entry that say in which state a combatant is, in the order of the help."""


def entry_states(command: F) -> F:
    """Give a command these options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def said(states: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the entry that the options stand for. Raises UsageError where two contradict."""
    held, empty = states.pop("held"), states.pop("empty_handed")
    if held and empty:
        raise click.UsageError("--held says what is in hand, --empty-handed that nothing is")
    return {**states, "held": () if empty else held or None, "grip": states["grip"] or ""}


def square_said(text: str) -> tuple[int, int]:
    """Return the square of an entry that --at says. Raises click.UsageError for what is none."""
    x, _, y = text.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        raise click.UsageError(f"--at {text}: write a square as 8,3") from None
