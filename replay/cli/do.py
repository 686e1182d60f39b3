"""`affray do`: every act of the engine as a command, its options read off the act's own fields."""

import re
from pathlib import Path
from typing import Any

import click
import msgspec

from affray.engine.table import Outcome, Table
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.replay.cli.base import Refused, Teller, as_json, event_json, print_json, writing
from affray.replay.cli.fields import Field, fields_of, value_of

_ELSEWHERE = ("enter", "rule")
"""Acts with a command of their own: add and ruling."""

_MASTER = ("begin", "hazard", "close")
"""Acts of the game master, which have no actor."""

ACTS: dict[str, type[acts.Act]] = {
    str(act.__struct_config__.tag): act
    for act in AnyAct.__args__
    if act.__struct_config__.tag not in _ELSEWHERE
}


class ActGroup(click.Group):
    """A group with a command for each act; a JSON object in place of a name is the act itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tags of the acts."""
        return sorted(ACTS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of an act."""
        if name.startswith("{"):
            return click.Command(name, callback=lambda: _declare(ctx, _decoded(name)))
        act = ACTS.get(name)
        return None if act is None else _command(ctx, name, act)


@click.group(
    cls=ActGroup,
    subcommand_metavar="ACT [ACTOR] [ARGS]... [OPTIONS]",
    epilog="Examples: affray do fight.db attack fighter ogre --weapon longsword; affray do fight.db move"
    ' 3,2 4,2; affray do fight.db \'{"act": "stand", "actor": "fighter"}\'',
)
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--ask", is_flag=True, help="Let the fight wait for every choice (answer with affray choose).")
@click.option("--manual", is_flag=True, help="Let the fight wait for every roll: you throw the dice.")
@click.option("--by", default="", help="Who declares it, for the record.")
@as_json
def do(db: Path, ask: bool, manual: bool, by: str, json: bool) -> None:
    """Declare one act and tell what comes of it.

    ACTOR may be left out in its own turn. Options of an act: affray do DB ACT --help.
    """


def _command(ctx: click.Context, name: str, act: type[acts.Act]) -> click.Command:
    found = [field for field in fields_of(act) if field.name != "actor"]
    main = found[0] if found else None
    master = name in _MASTER
    metavar = " ".join(filter(None, ("" if master else "[ACTOR]", main.metavar if main else "")))
    params: list[click.Parameter] = [click.Argument(["words"], nargs=-1, metavar=metavar)]
    if not master:
        params.append(click.Option(["--actor"], help="Who acts; whoever's turn it is without it."))
    params += [field.option() for field in found]
    words = ("" if master else "fighter", main.example if main else "")
    example = " ".join(filter(None, ("Example: affray do fight.db", name, *words)))

    def run(words: tuple[str, ...], actor: str | None = None, **given: Any) -> None:
        said = _Words(words, actor, master, main)
        _declare(ctx, lambda table: _build(table, name, found, said, given))

    first = re.split(r"\n\s*\n", act.__doc__ or "")[0]
    return click.Command(name, callback=run, params=params, help=first, epilog=example)


class _Words(msgspec.Struct):
    words: tuple[str, ...]
    actor: str | None
    master: bool
    main: Field | None

    def split(self, table: Table) -> tuple[str, list[str]]:
        """Return the actor and the words for the main field.

        A single word is the main field where there is one; of several the first is the actor if a
        combatant is called so.
        """
        rest = list(self.words)
        if self.master:
            return "", rest
        if self.actor is not None:
            return self.actor, rest
        known = table.state.combatants
        several = len(rest) > 1 or (self.main is not None and self.main.repeated)
        if rest and (self.main is None or (several and rest[0] in known)):
            return rest.pop(0), rest
        return table.state.active, rest


def _build(table: Table, name: str, found: list[Field], words: _Words, given: dict[str, Any]) -> AnyAct:
    actor, rest = words.split(table)
    values: dict[str, Any] = {"act": name}
    if actor:
        values["actor"] = actor
    for field in found:
        raw = given.get(field.parameter)
        if raw is not None and raw != ():
            values[field.name] = value_of(field.type, raw, field.flag)
    main = words.main
    if rest and main is None:
        raise click.UsageError(f"{name} takes no {rest[0]!r}")
    if rest and main is not None:
        if len(rest) > 1 and not main.repeated:
            who = " (no combatant is called so)" if not words.master and words.actor is None else ""
            raise click.UsageError(f"{name}: {' '.join(rest)!r} are too many words{who}")
        values[main.name] = value_of(main.type, tuple(rest) if main.repeated else rest[0], "--" + main.name)
    return _converted(values)


def _converted(values: Any) -> AnyAct:
    try:
        act: AnyAct = msgspec.convert(values, AnyAct)
    except msgspec.ValidationError as error:
        raise click.UsageError(str(error)) from None
    return act


def _decoded(text: str) -> Any:
    try:
        values = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise click.UsageError(f"not JSON: {error}") from None
    return lambda table: _converted(values)


def _declare(ctx: click.Context, build: Any) -> None:
    """Open the log that the group was given, declare the act and tell the outcome."""
    from affray.engine import policies
    from affray.engine.dice import Manual

    given = ctx.params
    with writing(given["db"]) as store:
        answers = policies.by_combatant(policies.ask if given["ask"] else policies.auto)
        dice = Manual(lambda key, notation: None) if given["manual"] else None
        table = Table(store, answers=answers, dice=dice)
        act = build(table)
        before = table.seq
        report(store, table, before, table.declare(act, given["by"]), given["db"], given["json"])


def report(store: Store, table: Table, before: int, outcome: Outcome, db: Path, json: bool) -> None:
    """Tell what came of a declaration. Raises Refused, so that the exit status says it too."""
    if json:
        print_json(
            {
                "events": [event_json(event) for event in outcome.events],
                "refused": outcome.refused,
                "waiting": outcome.waiting,
            }
        )
    if outcome.refused is not None:
        raise Refused(f"refused: {outcome.refused.reason} ({outcome.refused.rule})")
    if not json:
        Teller(store, table.branch, after=before).go_on()
        if outcome.waiting is not None:
            answer = outcome.waiting.options[0] if outcome.waiting.options else "4,6"
            click.echo(f"answer with: affray choose {db} {answer}")
