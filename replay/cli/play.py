"""`affray play`, `demo`, `new`: play a scenario file to its end, or open a new fight."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import read_folder, read_tables
from affray.engine.book.packages import offered_dialects
from affray.engine.dialects import dialects
from affray.engine.dice import seed_of
from affray.engine.kernel.turns import is_decided
from affray.engine.maps import GroundPlan, map_in
from affray.engine.table import policies
from affray.engine.table.appending import Outcome, WrongAnswer
from affray.engine.table.scenario import (
    demo_name,
    fixed_seed,
    packaged,
    packaged_names,
    play_line,
    read_scenario,
    refuse_no_beginning,
    set_up,
    under,
)
from affray.engine.table.scenario_parts import BadScenario, Line, Scenario, reading_of
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.engine.testing import after, expect, proposed, uncited
from affray.engine.text.words import format_notable_modifiers
from affray.events.codec import decode
from affray.events.errors import AffrayError, counted, did_you_mean, shell_command
from affray.events.facts.acts import Close
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import Refused
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.cli.terminal.base import (
    DIALECT,
    LOG,
    Teller,
    answering,
    as_json,
    beginning,
    creating,
    database,
    packages,
)
from affray.replay.cli.terminal.base import Refused as base_Refused
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import ask, print_json, say
from affray.replay.viewer.frames import everybody

if TYPE_CHECKING:
    from affray.replay.verification.verify import Report


# --- Fights by name: included ones, and scenario files

files_within = click.option(
    "--within",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="The folder that must contain the files it names; default: its own folder.",
)


def complete_fights(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of the included fights; the shell also completes files."""
    ships = beginning(incomplete, ((one, "") for one in packaged_names()))
    return [*ships, CompletionItem(incomplete, "file")]


def find_fight(name: Path, within: Path | None = None) -> Scenario:
    """Return the scenario of a file, or else the included one of this name. Raises BadScenario.

    Files that the scenario names must be in its own folder, or in `within`.
    """
    dialect, dot, _ = str(name).rpartition(".")
    of_package = bool(dot) and dialect in offered_dialects()
    ships = not name.exists() and (of_package or str(name) in packaged_names())
    if not ships and not name.suffix and not name.exists():
        meant = did_you_mean(str(name), packaged_names())
        raise BadScenario(f"there is no file and no included fight named {name}{meant}")
    return packaged(str(name)) if ships else read_scenario(name, within=within)


def tell_remarks(outcome: Outcome) -> None:
    """Print on standard error the fields of a sheet that no rule reads."""
    for line in outcome.remarks:
        say(line, err=True)


# --- `affray play`: a scenario file from first line to last


class Unanswered(Exception):
    """The fight waits for an answer without a terminal to ask at."""


@click.command(
    epilog="\b\nExamples:\n  affray play bridge.toml --db bridge.db --policy ask\n  affray play gunfight"
)
@click.argument("scenario", shell_complete=complete_fights, type=click.Path(path_type=Path))
@click.option("--db", type=LOG, help="Store the log in this new file.")
@click.option("--dialect", default="", help="Play it under this rulebook instead of its own.")
@click.option(
    "--seed",
    default="",
    help="Seed of the dice: any text (a guessed text reveals all dice), or 64 hexadecimal digits.",
)
@click.option(
    "--policy",
    type=click.Choice(["auto", "ask"]),
    default="auto",
    show_default=True,
    help="Answer questions by automatic play or yourself.",
)
@files_within
@packages
@as_json
def play(
    scenario: Path,
    db: Path | None,
    dialect: str,
    seed: str,
    policy: str,
    within: Path | None,
    json: bool,
) -> None:
    """Play a scenario file, or an included fight by its name, and print what happens.

    With --policy ask, you answer the questions of the fight. Without a terminal, the fight stays waiting in
    its file, and the command to continue is printed.

    Exit status 1: the rules refused a line of the script that does not expect it, or an outcome differs from
    the file (expect, never, after, declares, cites). A file with expected outcomes and no seed is played with
    dice derived from its name; with --seed or --policy ask outcomes are not compared.

    With --dialect its sheets, script and dice are played by another rulebook: parts that it does not know are
    listed, and the outcomes that the script expects are ignored.
    """
    found = find_fight(scenario, within)
    if dialect:
        found, left = under(found, dialect)
        for line in left:
            say(line, err=True)
    other_rules, ask_people = bool(dialect), policy == "ask"
    if db is None:
        played = play_through(
            found, MemoryStore(), seed=seed, ask=ask_people, json=json, db=None, other_rules=other_rules
        )
    else:
        with creating(db, discard=(AffrayError,)) as store:
            played = play_through(
                found, store, seed=seed, ask=ask_people, json=json, db=db, other_rules=other_rules
            )
    for told in played.otherwise:
        say(told, err=True)
    if played.refused:
        number, first = played.refused[0]
        many = f"{counted(len(played.refused), 'line')} of the script refused"
        raise base_Refused(f"{many}, first line {number}: {first.reason} ({first.rule})")
    if played.otherwise:
        raise base_Refused(f"{counted(len(played.otherwise), 'line')} differ from the expected outcome")


class Played(Struct, frozen=True):
    """A fight that was played: its table, and by number the refused lines of the script.

    Lines that expect their refusal are left out. `otherwise` lists the differences from the scenario's
    expectations, as far as they were compared.
    """

    table: Table
    refused: tuple[tuple[int, Refused], ...]
    otherwise: tuple[str, ...] = ()


def play_through(
    scenario: Scenario,
    store: Store,
    *,
    seed: str,
    ask: bool,
    json: bool,
    db: Path | None,
    other_rules: bool = False,
) -> Played:
    """Play a scenario into an empty store and print it, to its end or until it waits.

    A fight that automatic play has brought to its end is closed, which reveals the seed. If a question
    interrupts a scripted line, the line's remaining dice are not used; with `other_rules` they are printed.
    """
    answers = policies.by_combatant(policies.ask if ask else policies.auto)
    stated = has_expected_outcomes(scenario) and not other_rules
    compared = stated and not seed and not ask
    if stated and not compared:
        why = "other dice (--seed)" if seed else "your answers (--policy ask)"
        say(f"expected outcomes are not compared: the file is played with {why}", err=True)
    key = seed_of(seed) if seed else fixed_seed(scenario) if compared else None
    table = set_up(scenario, store, seed=key, answers=answers, watch=tell_remarks)
    otherwise: list[str] = []
    teller = Teller(store, table.branch, json=json)
    refused: list[tuple[int, Refused]] = []
    start = scenario.begin
    begin = start.act()
    try:
        first = Line(begin, scenario.dice, scenario.choose, scenario.expect, after=scenario.after)
        begun = play_line(table, first, spare=[] if other_rules else None)
        refuse_no_beginning(scenario, begun)
        tell_and_ask(table, teller)
        if compared:
            otherwise += differing(f"{scenario.name}, begin", table, begun, first)
        for number, line in enumerate(scenario.script, 1):
            spare: list[str] | None = [] if other_rules else None
            outcome = play_line(table, line, spare=spare)
            refusal = outcome.refused
            for left in spare or ():
                say(f"line {number} of the script: {left}", err=True)
            if refusal is not None and not any(one.get("type") == "refused" for one in line.expect):
                refused.append((number, refusal))
            tell_and_ask(table, teller)
            if compared and (number, refusal) not in refused:
                otherwise += differing(f"{scenario.name}, line {number}", table, outcome, line)
        if compared:
            otherwise += uncited(scenario, store)
        last = table.state.round + scenario.auto
        while scenario.auto and not is_decided(table.fight) and table.state.round <= last:
            before = table.seq
            play_on(table, max(0, last - table.state.round), teller.go_on)
            tell_and_ask(table, teller)
            if table.seq == before:
                break
        if scenario.auto and is_decided(table.fight) and not table.state.closed:
            table.declare(Close(reason="one side stands"))
            teller.go_on()
    except Unanswered:
        teller.go_on()
        print_answering_command(table, db)
    return Played(table, tuple(refused), tuple(otherwise))


def has_expected_outcomes(scenario: Scenario) -> bool:
    """Return whether a scenario states any expected outcome."""
    lines = any(line.expect or line.never or line.after or line.declares for line in scenario.script)
    return bool(lines or scenario.expect or scenario.after or scenario.cites)


def differing(where: str, table: Table, outcome: Outcome, line: Line) -> list[str]:
    """Return the difference between an outcome and a line's expectation, in one sentence; nothing if there is
    none.
    """
    try:
        proposed(where, outcome, line)
        expect(where, outcome, line)
        after(where, table, line)
    except AssertionError as error:
        return [str(error)]
    return []


def tell_and_ask(table: Table, teller: Teller) -> None:
    """Print what happened and put pending questions to the person at the terminal. Raises Unanswered."""
    teller.go_on()
    while table.waiting is not None:
        if not sys.stdin.isatty():
            raise Unanswered
        question = table.waiting
        prompt = f"{question.who or 'game master'} ({', '.join(question.options) or question.notation})"
        default = question.options[0] if question.options else None
        try:
            table.choose(ask(prompt, default, teller.json))
        except WrongAnswer as error:
            say(str(error), err=True)
        except BrokenPipeError:
            raise Unanswered from None
        teller.go_on()


def print_answering_command(table: Table, db: Path | None) -> None:
    """Print, on standard error, the command that answers the pending question."""
    question = table.waiting
    if question is None:
        return
    if db is None:
        say("the fight waits for an answer; play it with --db FILE to continue later", err=True)
        return
    say(f"the fight waits {answering(db, table.store, table.branch, question)}", err=True)


# --- `affray demo`: an included fight from its first die to its verified log


@click.command(epilog="Example: affray demo --dialect srd35 --db demo.db")
@click.option("--dialect", type=DIALECT, default="srd35", show_default=True, help="The rules.")
@click.option("--db", type=LOG, help="A new file for the log.")
@click.option("--html", type=click.Path(path_type=Path), help="Also write the fight as a page to replay.")
@click.option("--seed", default="", help="Seed for other dice than the default ones: any text.")
@packages
@as_json
def demo(dialect: str, db: Path | None, html: Path | None, seed: str, json: bool) -> None:
    """Play the included fight of a dialect to its end, verify it and keep its log.

    The log is DIALECT-demo.db unless --db names another new file. --html writes a page that replays the fight
    in any browser.

    With --json, print the events as JSON Lines, and a last line with the report.
    """
    from affray.replay.verification.verify import verify

    fight = packaged(demo_name(dialect))
    db = db or Path(f"{dialect}-demo.db")
    if html is not None:
        refuse_log(html, db)
    with creating(db) as store:
        played = play_through(fight, store, seed=seed, ask=False, json=json, db=db)
        report = verify(store, played.table.branch)
        hit = striking(store, played.table.branch)
        if html is not None:
            from affray.replay.viewer import build

            with output(html, db) as file:
                file.write(build(store, played.table.branch).encode())
    if json:
        print_json({"db": str(db), "ok": report.ok, "report": report})
    else:
        tell_end(db, report, hit)
        if html is not None:
            say()
            say(f"Open {html} in a browser to replay it.")
    if not report.ok:
        raise SystemExit(1)


def striking(store: Store, branch: str) -> int:
    """Return the position of the hit with the most modifiers; 0 if there is no hit."""
    best, place, words = (-1, -1), 0, everybody(store).words
    for event in store.read(branch):
        if event.type == "attack.resolved":
            fact: AttackResolved = decode(event)
            parts = (*fact.attack, *fact.defense)
            worth = (len(format_notable_modifiers(parts, words)), len(parts))
            if fact.result != "miss" and worth > best:
                best, place = worth, event.seq
    return place


def tell_end(db: Path, report: "Report", hit: int) -> None:
    """Print the result of verifying the log and commands to try next."""
    say()
    if report.ok:
        checked = ", ".join(f"{check.name} {check.count}" for check in report.checks)
        say(f"Verified: {counted(report.events, 'event')}, every check passed ({checked}).")
    for check in report.checks:
        if not check.ok:
            say(f"Broken: {check.name}: {check.problem}")
    say(f"The log is {db}. Try next:")
    say()
    tries = [
        *([(shell_command("why", db, hit), "why an attack hit, with every modifier")] if hit else []),
        (shell_command("show", db, "--at", "r2"), "the state at the beginning of round 2"),
        (shell_command("log", db, "--from", "r2", "--to", "r3"), "its events"),
        (shell_command("verify", db), "check dice, digests and decisions again"),
        (shell_command("export", db, "--format", "markdown"), "the session as a report"),
        (
            shell_command("export", db, "--format", "html", "--out", "fight.html"),
            "the fight as a page to replay",
        ),
    ]
    wide = max(len(typed) for typed, _ in tries)
    for typed, what in tries:
        say(f"  {typed:<{wide}}  {what}")


# --- `affray new`: a fight that is open and not begun, on your own map or with all combatants of an encounter

_OPEN_GROUND = ("." * 20,) * 12


@click.command(
    epilog="\b\nExamples:\n  affray new fight.db --dialect srd35 --map bridge.txt --name Bridge\n"
    "  affray new ford.db --encounter toll"
)
@database
@click.option("--dialect", type=DIALECT, help="The rules to play by; an encounter has its own.")
@click.option("--map", "file", type=click.Path(path_type=Path), help="A file with the map: see below.")
@click.option("--rows", multiple=True, help="A row of the map, from the top; repeat it.")
@click.option(
    "--encounter",
    type=click.Path(path_type=Path),
    shell_complete=complete_fights,
    help="An included fight or a scenario file: use its map, its readings and its combatants.",
)
@click.option(
    "--name", default="", help="The title of the fight; default: encounter, or the title of the encounter."
)
@click.option("--option", "options", multiple=True, help="A reading, as OPTION=READING; repeat it.")
@click.option(
    "--seed",
    default="",
    help="Seed of the dice: any text (a guessed text reveals all dice), or 64 hexadecimal digits.",
)
@files_within
@click.option("--tables", type=click.Path(path_type=Path), help="A folder with tables of your campaign.")
@click.option("--house-rules", multiple=True, help="House rules of an installed package; repeat it.")
@packages
@as_json
def new(
    db: Path,
    dialect: str | None,
    file: Path | None,
    rows: tuple[str, ...],
    encounter: Path | None,
    name: str,
    options: tuple[str, ...],
    seed: str,
    within: Path | None,
    tables: Path | None,
    house_rules: tuple[str, ...],
    json: bool,
) -> None:
    """Open a new fight in a file.

    The map has a character for every 5-foot square: . floor, # wall, = low wall, ~ difficult, ^ high, % fog
    or foliage, T pillar or tree. Without --map and --rows it is open ground, 20 by 12 squares. The file of
    --map contains such rows, or it is a map in TOML (.toml), or one drawn with another program (.dd2vtt,
    .uvtt, .df2vtt): `affray map` reports on the last kind. With --encounter its combatants have entered and
    nothing has begun: its script is not played, and the dice follow from --seed or a new secret seed.
    """
    chosen = dict(_pair(option) for option in options)
    if encounter is not None:
        fight = find_fight(encounter, within)
        refuse_contradictions(fight, dialect, [file, *rows], chosen)
        if tables is not None and fight.tables:
            raise click.UsageError(f"{encounter} has its own tables: leave out --tables")
        fight = replace(fight, title=name or fight.title, options={**fight.options, **chosen})
        fight = replace(fight, house_rules=(*fight.house_rules, *house_rules))
    elif within is not None:
        raise click.UsageError("--within needs --encounter")
    elif dialect is None:
        raise click.UsageError(
            f"choose the rules with --dialect ({', '.join(dialects())}), or an --encounter"
        )
    elif file is not None and rows:
        raise click.UsageError("use either --map or --rows")
    else:
        plan = map_in(file) if file is not None else GroundPlan(rows or _OPEN_GROUND)
        fight = Scenario(
            map=plan.map,
            barriers=plan.barriers,
            ground=plan.ground,
            combatants=(),
            dialect=dialect,
            title=name or "encounter",
            options=dict(chosen),
            house_rules=house_rules,
        )
    if tables is not None:
        fight = replace(fight, tables=read_folder(tables, read_tables(fight.dialect)))
    with creating(db, discard=(AffrayError,)) as store:
        # The seed in a scenario is not secret: its readers would know all future dice.
        table = set_up(
            replace(fight, seed=""), store, seed=seed_of(seed) if seed else None, watch=tell_remarks
        )
        Teller(store, table.branch, json=json).go_on()


def refuse_contradictions(
    fight: Scenario, dialect: str | None, terrain: list[object], chosen: dict[str, str]
) -> None:
    """Refuse options that contradict the encounter. Raises UsageError."""
    what = fight.title or fight.name
    if dialect not in (None, fight.dialect):
        raise click.UsageError(f"{what!r} uses {fight.dialect}, not {dialect}: leave out --dialect")
    if any(terrain):
        raise click.UsageError(f"{what!r} has its own map: leave out --map and --rows")
    own = {name: reading_of(value) for name, value in fight.options.items()}
    for name, reading in chosen.items():
        if own.get(name, reading) != reading:
            raise click.UsageError(f"{what!r} is played with {name}={own[name]}, not with {name}={reading}")


def _pair(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"--option {option}: write it as OPTION=READING")
    return name, value
