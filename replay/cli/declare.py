"""`affray do`: every act of the engine as a command, with options from the act's fields."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from affray.engine.dice import Manual
from affray.engine.record.acts import purposes
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.dice import by_hand
from affray.engine.table.legal import with_a_way
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import COMMON_FIELDS, JsonObject
from affray.events.facts.flow import AnyAct, Declared
from affray.events.stores.store import Store
from affray.events.validation import Unreadable, fitted, read_json
from affray.projections.fold import fold
from affray.replay.act_words import ACTS, BadWords, bare, converted, custom_values, parse_typed_value
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
from affray.replay.cli.terminal.printing import print_json, put
from affray.replay.names import MANY, ONE, People

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
        kind: object = str
        if isinstance(self.type, inspect.LiteralType):
            kind = click.Choice([str(value) for value in self.type.values if value != ""])
        elif isinstance(bare(self.type), inspect.IntType):
            kind = int
        return click.Option(
            [self.flag, self.name],
            type=kind,
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


def value_of(type: object, raw: Any, flag: str) -> Any:
    """Return the plain value of the text typed for a field. Raises UsageError naming the option."""
    try:
        return parse_typed_value(type, raw)
    except ValueError as error:
        raise click.UsageError(f"{flag} {raw if isinstance(raw, str) else ' '.join(raw)}: {error}") from None


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

Build = Callable[[Table, JsonObject], AnyAct]

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
        """Return the command of an act."""
        if name.startswith("{"):
            whole = _make_json_decoder(name)
            return click.Command("json", callback=_callback(ctx, whole), params=[*SHARED])
        act = ACTS.get(name)
        if act is not None:
            return _command(ctx, name, act)
        own = name if "." in name else _people(ctx).custom_act(name)
        return _custom_command(ctx, own) if own else None


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
    '  affray do fight.db \'{"act": "stand", "actor": "fighter"}\'',
)
@database
def do(db: Path) -> None:
    """Declare one act and print what happens.

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

    def build(table: Table, given: JsonObject) -> AnyAct:
        typed = _Words(given["typed"], given.get("actor"), master, main, given.get("active"))
        return _build(table, name, found, typed, given)

    first = re.split(r"\n\s*\n", act.__doc__ or "")[0].replace("`", "")
    return click.Command(name, callback=_callback(ctx, build), params=params, help=first, epilog=example)


def _custom_command(ctx: click.Context, name: str) -> click.Command:
    """Return the command of an act that only the dialect of a fight knows."""

    def build(table: Table, given: JsonObject) -> AnyAct:
        people = People.find_combatants_in_fights(table.state)
        if name not in people.acts:
            raise BadWords(f"there is no act {name!r}{did_you_mean(name, people.acts)}")
        actor = given.get("active") or table.state.active
        return converted(people.named(custom_values(name, given["typed"], people, actor)))

    typed = click.Argument(
        ["typed"], nargs=-1, metavar="[ACTOR] [FIELDS]...", shell_complete=complete_combatants
    )
    told = "An act of an installed dialect: its fields in order, or by name as FIELD=VALUE."
    example = f"Example: affray do fight.db {name} ..."
    params: list[click.Parameter] = [typed, *SHARED]
    return click.Command(name, callback=_callback(ctx, build), params=params, help=told, epilog=example)


class _Words(msgspec.Struct):
    """The words typed without an option's name."""

    words: tuple[str, ...]
    actor: str | None
    master: bool
    main: Field | None
    active: str | None

    def split(self, table: Table, people: People) -> tuple[str, list[str]]:
        """Return the actor and the words for the main field.

        A single word belongs to the main field if there is one; of several, the first is the actor if it
        names a combatant. If the main field is a list of combatants, only the combatant whose turn it is
        counts as the actor.
        """
        rest = list(self.words)
        if self.master:
            return "", rest
        if self.actor is not None:
            return people.find_id_of_combatant(self.actor), rest
        active = table.state.active if self.active is None else self.active
        if rest and (
            self.main is None or (people.knows(rest[0]) and self._is_actor_named_first(rest, people, active))
        ):
            return people.find_id_of_combatant(rest.pop(0)), rest
        if not active:
            raise click.UsageError("no turn is running: name the actor with --actor")
        return active, rest

    def _is_actor_named_first(self, rest: list[str], people: People, active: str) -> bool:
        """Return whether the first word, which names a combatant, is the actor."""
        assert self.main is not None
        if self.main.repeated and self.main.combatants:
            return len(rest) > 1 and (not active or people.find_id_of_combatant(rest[0]) == active)
        return len(rest) > 1 or self.main.repeated


def _build(table: Table, name: str, found: list[Field], typed: _Words, given: JsonObject) -> AnyAct:
    people = People.find_combatants_in_fights(table.state)
    actor, rest = typed.split(table, people)
    values: JsonObject = {"act": name}
    if actor:
        values["actor"] = actor
    for field in found:
        raw = given.get(field.name)
        if raw is not None and raw != ():
            values[field.name] = value_of(field.type, raw, field.flag)
    main = typed.main
    if rest and (main is None or (len(rest) > 1 and not main.repeated)):
        raise click.UsageError(f"{name}: unexpected words {' '.join(rest)!r}")
    if rest and main is not None:
        values[main.name] = value_of(main.type, tuple(rest) if main.repeated else rest[0], main.flag)
    act = _converted(people.named(values))
    if isinstance(act, acts.FullAttack) and len(rest) == 1 and people.knows(rest[0]):
        return _aim_all_attacks(table, act)
    return with_a_way(table.fight, act)


def _aim_all_attacks(table: Table, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack with all attacks at the only named target."""
    attacker, fight = table.state.combatants.get(act.actor), table.fight
    target = table.state.combatants[act.strikes[0].target]
    if attacker is None:
        return act
    bare, attacks = replace(act, strikes=()), fight.dialect.attacks
    if replace(bare, actor="") == acts.FullAttack():
        strikes = attacks.usual_strikes(fight, attacker, target, find_weapon(fight, attacker, ""))
    else:  # a flurry and the like have their own attacks
        strikes = tuple(act.strikes[0] for _ in attacks.attack_series(fight, attacker, bare))
    return replace(act, strikes=strikes or act.strikes)


def _converted(values: object) -> AnyAct:
    try:
        act: AnyAct = fitted(acts.custom_form(values), AnyAct)
    except Unreadable as error:
        raise click.UsageError(str(error)) from None
    return act


def _make_json_decoder(text: str) -> Build:
    """Return a function that builds the act written in JSON."""
    try:
        values = read_json(text)
    except Unreadable as error:
        raise click.UsageError(f"not JSON: {error}") from None
    _converted(values)

    def build(table: Table, given: JsonObject) -> AnyAct:
        return _converted(People.find_combatants_in_fights(table.state).named(values))

    return build


def _callback(ctx: click.Context, build: Build) -> Callable[..., None]:
    """Return the function of a command: open the log of the group, declare the act, print the result."""

    def run(**given: Any) -> None:
        db: Path = ctx.params["db"]
        with writing(db) as store:
            answers = policies.by_combatant(policies.ask if given["ask"] else policies.auto)
            dice = Manual(lambda key, notation: None) if given["manual"] else None
            table = Table(store, given["branch"], answers=answers, dice=dice, hands=by_hand(store))
            known = store.recorded(given["request"]) if given["request"] else []
            if known and isinstance(first := decode(known[0]), Declared):
                # The turn may have changed since; an actor left out still means the combatant of that time.
                given = {**given, "active": first.act.actor}
            act = build(table, given)
            if table.waiting is not None and not known:
                asked = table.waiting
                how = answering(db, store, table.branch, asked)
                raise AffrayError(f"the fight waits: {asked.question} {how}")
            outcome = table.declare(act, given["by"], given["request"])
            report(store, table, outcome, db, given["json"])

    return run
