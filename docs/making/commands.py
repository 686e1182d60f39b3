"""The page of all commands, from what they say of themselves."""

import inspect
from collections.abc import Iterator
from textwrap import dedent

import click

from affray.replay.cli.group import COMMANDS, affray
from making.words import fenced, plain


def told() -> str:
    """Return each command by section: usage, what it does, its options, examples."""
    top = click.Context(affray, info_name="affray")
    lines: list[str] = []
    for section, names in COMMANDS.items():
        lines += [f"## {section}", ""]
        for name in names:
            command = affray.get_command(top, name)
            assert command is not None
            lines += [f"### {name}", "", *_command(command, click.Context(command, top, info_name=name)), ""]
    return "\n".join(lines)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield fenced(f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}")
    yield ""
    yield from _paragraphs(command.help or "")
    asked = (one for one in command.get_params(context) if one.name != "help")
    records = [found for one in asked if (found := one.get_help_record(context)) and found[1]]
    if records:
        yield "| option | what it does |"
        yield "|---|---|"
        for option, meaning in records:
            yield f"| `{option.replace('|', chr(92) + '|')}` | {plain(meaning)} |"
        yield ""
    yield from _paragraphs(command.epilog or "")


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text: those laid out by hand as they stand, examples as commands."""
    for block in inspect.cleandoc(text).split("\n\n"):
        head, _, rest = block.partition("\n")
        if head.strip() != "\b":
            yield plain(block)
        elif rest.startswith("Examples:"):
            yield fenced(dedent(rest.partition("\n")[2]), "sh")
        else:
            yield fenced(dedent(rest))
        yield ""
