"""`affray do`: every act of the engine as a command, with options from the act's fields."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from msgspec import Struct, inspect

from affray.engine.dice import Manual
from affray.engine.language.acts import ACTS, SHORT, bare
from affray.engine.language.names import MANY, ONE, People, Unclear
from affray.engine.language.sentences import Declaration, Waits, throw_faces
from affray.engine.record.acts import purposes
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.dice import by_hand
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import COMMON_FIELDS, JsonObject
from affray.events.facts.flow import Declared
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.replay.cli.group import GuidingGroup
from affray.replay.cli.terminal.base import (
    Refused,
    Teller,
    answering,
    complete_branches,
    complete_combatants,
    database,
    event_json,
    is_at_prompt,
    log_on_line,
    reading,
    writing,
)
from affray.replay.cli.terminal.line import DB, command_of
from affray.replay.cli.terminal.printing import print_json, put
from affray.replay.language import Meaning, Moment, Ruling

# --- From the fields of an act to options, and from words to values


class Field(Struct, frozen=True):
    """One field of an act as a command-line option."""

    name: str
    type: object
    meaning: str = ""

    @property
    def flag(self) -> str:
        """The option's name."""
        return "--" + self.name.replace("_", "-")

    @property
    def repeated(self) -> bool:
        """Whether the field holds any number of values."""
        return isinstance(self.type, inspect.VarTupleType)

    @property
    def combatants(self) -> bool:
        """Whether the values are combatants, or attacks at them."""
        return self.name in ONE or self.name in MANY or self.name == "strikes"

    @property
    def metavar(self) -> str:
        """The name of the value in the help."""
        return f"[{self.name.upper()}]" + ("..." if self.repeated else "")

    @property
    def example(self) -> str:
        """An example value."""
        return _example(self.name, self.type)

    @property
    def typed(self) -> str:
        """The example as typed after the option: quoted if it is several words."""
        return f'"{self.example}"' if " " in self.example and "'" not in self.example else self.example

    @property
    def is_needed_for_effect(self) -> bool:
        """Whether the act has no effect without it: the path of a movement along a path."""
        return self.name == "path" and self.meaning == _sentence(COMMON_FIELDS["path"])

    def option(self) -> click.Option:
        """Return the option for this field."""
        if isinstance(bare(self.type), inspect.BoolType):
            return click.Option(
                [f"{self.flag}/--no-{self.flag[2:]}", self.name], default=None, help=self.meaning
            )
        return click.Option(
            [self.flag, self.name],
            multiple=self.repeated,
            shell_complete=complete_combatants if self.combatants else None,
            help=f"{self.meaning} For example {self.typed}." if self.example else self.meaning,
        )


def fields_of(struct: type[Struct]) -> list[Field]:
    """Return the fields of an act in order."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    told = {**COMMON_FIELDS, **purposes(struct)}
    return [Field(one.name, one.type, _sentence(told.get(one.name, ""))) for one in info.fields]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_NAMED = {
    "path": "3,2 4,2",
    "to": "3,2",
    "at": "3,2",
    "target": "ogre",
    "targets": "ogre,goblin",
    "friend": "rogue",
    "opponent": "ogre",
    "weapon": "longsword",
    "item": "longsword",
    "spell": "bless",
    "unaware": "ogre",
    "stealthy": "ogre",
    "turn": "fighter",
    "words": "'Stand back!'",
    "strikes": "ogre ogre,dagger",
    "actions": "standard,attack,ogre",
    "trigger": "moves,ogre,10",
    "then": "attack,target=ogre",
    "ambushes": "rogue,ogre,dagger",
    "save": "ref",
    "dc": "15",
    "damage": "2d6",
    "damage_type": "fire",
    "condition": "prone",
    "source": "'a pit trap'",
    "reason": "truce",
    "round": "3",
}


def _example(name: str, type: object) -> str:
    if name in _NAMED:
        return _NAMED[name]
    return "3,2" if isinstance(type, inspect.TupleType) else ""


# --- `affray do`: every act of the engine as a command, with options from the act's fields

Say = Callable[[Moment, JsonObject], Meaning]
"""Returns what a command says, from the words and options given to it. Raises Unclear."""

SHARED: tuple[click.Option, ...] = (
    click.Option(["--ask"], is_flag=True, help="Let the fight wait for every choice (see affray choose)."),
    click.Option(["--manual"], is_flag=True, help="Roll physical dice for this act (see affray manual)."),
    click.Option(["--by"], default="", help="Name of the declarer, for the record."),
    click.Option(
        ["--branch"], default="", shell_complete=complete_branches, help="A branch; default: the main line."
    ),
    click.Option(["--request"], default="", help="An id of yours; a repeated command with it runs once."),
    click.Option(["--json"], is_flag=True, help="Print JSON."),
)
"""Options of every act."""


class ActGroup(GuidingGroup):
    """A group with a command for each act; a JSON object in place of a name is the act itself."""

    what = "act"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; help on an act works without a log."""
        if args and args[0] in ACTS and not Path(args[0]).exists():
            if not {"-h", "--help"} & {*args}:
                ctx.fail(f"the file of the fight must come first: affray do fight.db {args[0]} ...")
            args = ["DB", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tags of the acts, and the short names of those that only the fight's dialect knows."""
        return sorted({*ACTS, *_people(ctx).short_acts})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of an act, or that of any line of the short language."""
        name = SHORT[name][0] if name in SHORT else name
        own = _people(ctx).custom_act(name)
        if name in ACTS and not own:
            return _command(ctx, name, ACTS[name])
        if own:
            return _custom_command(ctx, own)
        return None if name.startswith("-") else _line_command(ctx, name)


def _people(ctx: click.Context) -> People:
    """Return the combatants of the fight in the line, and the acts of its dialect; none without a log."""
    db = log_on_line(ctx)
    if db is None:
        return People({})
    with reading(db) as store:
        return People.find_combatants_in_fights(fold(store.read(store.main_line())))


@click.group(
    cls=ActGroup,
    subcommand_metavar="ACT [ACTOR] [ARGS]... [OPTIONS]",
    epilog="\b\nExamples:\n  affray do fight.db attack fighter ogre --weapon longsword\n"
    "  affray do fight.db full-attack gharm\n"
    "  affray do fight.db move 3,2 4,2\n"
    '  affray do fight.db "a gharm 17 5"\n'
    '  affray do fight.db \'{"act": "stand", "actor": "fighter"}\'',
)
@database
def do(db: Path) -> None:
    """Declare one act and print what happens, or do what a line of the short language says.

    ACTOR may be left out in its own turn. Combatants are given by id, or by a unique name. For a description
    of an act and its options: affray do ACT --help.
    """


def report(store: Store, table: Table, outcome: Outcome, db: Path, json: bool) -> None:
    """Print the result of a declaration. Raises Refused to set the exit status too."""
    if json:
        events = [event_json(event) for event in outcome.events]
        print_json(
            {
                "events": events,
                "refused": outcome.refused,
                "waiting": outcome.waiting,
                "remarks": outcome.remarks,
            }
        )
    if outcome.refused is not None:
        raise Refused(f"refused: {outcome.refused.reason} ({outcome.refused.rule})")
    if not json:
        first, last = outcome.events[0].seq, outcome.events[-1].seq
        Teller(store, table.branch, after=first - 1).go_on(upto=last)
        for remark in outcome.remarks:
            put(remark, err=True)
        if outcome.waiting is not None and not is_at_prompt():
            put(f"    {answering(db, store, table.branch, outcome.waiting)}")


def _command(ctx: click.Context, name: str, act: type[acts.Act]) -> click.Command:
    found = [field for field in fields_of(act) if field.name != "actor"]
    main = found[0] if found else None
    master = act.declared_by == "game master"
    metavar = " ".join(filter(None, ("" if master else "[ACTOR]", main.metavar if main else "")))
    params: list[click.Parameter] = [
        click.Argument(["typed"], nargs=-1, metavar=metavar, shell_complete=complete_combatants)
    ]
    if not master:
        told = "Who acts; default: the combatant whose turn it is."
        params.append(click.Option(["--actor"], shell_complete=complete_combatants, help=told))
    params += [*(field.option() for field in found), *SHARED]
    words = ["" if master else "fighter", main.example if main else ""]
    words += [
        f"{field.flag} {field.typed}" for field in found if field is not main and field.is_needed_for_effect
    ]
    example = " ".join(filter(None, ("Example: affray do fight.db", name, *words)))

    def say(now: Moment, given: JsonObject) -> Meaning:
        options = [] if given.get("actor") is None else [f"--actor={given['actor']}"]
        for field in found:
            raw = given.get(field.name)
            values = raw if isinstance(raw, tuple) else () if raw is None else (raw,)
            options += [
                f"{field.flag}={str(one).lower() if isinstance(one, bool) else one}" for one in values
            ]
        return now.sentences.declared(name, [*given["typed"], *options])

    first = re.split(r"\n\s*\n", act.__doc__ or "")[0].replace("`", "")
    return ActCommand(name, callback=_callback(ctx, say), params=params, help=first, epilog=example)


class ActCommand(click.Command):
    """The command of an act: an unknown option is reported as it is in a line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words. Raises Unclear for an unknown option, with the nearest one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [option for param in self.params for option in param.opts if option[:2] == "--"]
            whole = f"affray do DB {self.name} --help"
            meant = did_you_mean(error.option_name, known, whole=whole)
            raise Unclear(f"{self.name!r} has no {error.option_name}{meant}") from None


def _custom_command(ctx: click.Context, name: str) -> click.Command:
    """Return the command of an act that only the dialect of a fight knows."""

    def say(now: Moment, given: JsonObject) -> Meaning:
        return now.sentences.declared(name, given["typed"])

    told = "An act of an installed dialect: its fields in order, or by name as FIELD=VALUE."
    return _make_typed_command(ctx, name, "[ACTOR] [FIELDS]...", say, told, f"{name} ...")


def _line_command(ctx: click.Context, name: str) -> click.Command:
    """Return the command of a line of the short language that begins with a word, or is one text."""

    def say(now: Moment, given: JsonObject) -> Meaning:
        rest = shlex.join(given["typed"])
        is_text = " " in name or name[:1] == "{"
        line = f"{name if is_text else shlex.quote(name)} {rest}".strip()
        return now.meaning(line, again=given["known"])

    told = "A line of the short language, as at the prompt of affray table."
    return _make_typed_command(ctx, name, "[WORDS]...", say, told, '"a gharm 17"')


def _make_typed_command(
    ctx: click.Context, name: str, metavar: str, say: Say, told: str, example: str
) -> click.Command:
    typed = click.Argument(
        ["typed"], nargs=-1, metavar=metavar, shell_complete=complete_combatants, type=click.UNPROCESSED
    )
    return click.Command(
        name,
        callback=_callback(ctx, say),
        params=[typed, *SHARED],
        help=told,
        epilog=f"Example: affray do fight.db {example}",
        context_settings={"ignore_unknown_options": True},
    )


def _callback(ctx: click.Context, say: Say) -> Callable[..., None]:
    """Return the function of a command: open the log of the group, do what is said, print the result."""

    def run(**given: Any) -> None:
        db: Path = ctx.params["db"]
        with writing(db) as store:
            known = store.recorded(given["request"]) if given["request"] else []
            first = decode(known[0]) if known else None
            # The turn may have changed since; an actor left out still means the combatant of that time.
            active = first.act.actor if isinstance(first, Declared) else ""
            now = Moment(store, active, given["branch"])
            try:
                meaning = say(now, {**given, "known": bool(known)})
            except Waits as waits:
                how = answering(db, store, now.branch, now.state.pending) if now.state.pending else ""
                raise AffrayError(f"{waits} {how}") from None
            if isinstance(meaning, Declaration):
                _declare(store, meaning, db, given, known=bool(known))
                return
        words = command_of(meaning, now.state.dialect, given["by"] or "GM")
        flags = [f"--{name}" for name in ("json", "ask", "manual") if given[name]]
        for name in ("branch", "request", "by"):
            if given[name] and not (name == "by" and isinstance(meaning, Ruling)):
                flags += [f"--{name}", given[name]]
        root = ctx.find_root()
        line = [*(str(db) if word == DB else word for word in words), *flags]
        root.command.main(line, prog_name="affray", obj=root.obj)

    return run


def _declare(store: Store, said: Declaration, db: Path, given: JsonObject, *, known: bool) -> None:
    """Declare an act, answer its rolls with the faces given for them, and print the result."""
    answers = policies.by_combatant(policies.ask if given["ask"] else policies.auto)
    dice = Manual(lambda key, notation: None) if given["manual"] or said.faces else None
    table = Table(store, given["branch"], answers=answers, dice=dice, hands=by_hand(store))
    if table.waiting is not None and not known:
        how = answering(db, store, table.branch, table.waiting)
        raise AffrayError(f"the fight waits: {table.waiting.question} {how}")
    request = given["request"]

    def choose(answer: str, number: int) -> Outcome:
        return table.choose(answer, request=f"{request}.{number}" if request else "")

    outcome, fault = table.declare(said.act, given["by"], request), None
    try:
        for further in throw_faces(outcome, said.faces, choose):
            outcome = further
    except AffrayError as error:  # what was declared before it is printed first
        fault = error
    report(store, table, outcome, db, given["json"])
    if fault is not None:
        raise fault
