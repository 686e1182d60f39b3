"""`affray play`: a scenario file from its first line to its end."""

import sys
from pathlib import Path

import click
from msgspec import Struct

from affray.engine.dice import seed_of
from affray.engine.rules.conditions.conditions import is_decided
from affray.engine.table import policies
from affray.engine.table.appending import Outcome, WrongAnswer
from affray.engine.table.scenario import fixed_seed, play_line, refuse_no_beginning, set_up, under
from affray.engine.table.scenario_parts import Line, Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.engine.testing import after, expect, proposed, uncited
from affray.events.errors import AffrayError
from affray.events.facts.acts import Close
from affray.events.facts.declared import Refused as Refusal
from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.events.wording import counted
from affray.replay.cli.base import LOG, Refused, Teller, answering, as_json, creating
from affray.replay.cli.fights import complete_fights, files_within, find_fight, tell_remarks
from affray.replay.cli.printing import ask, say


class Unanswered(Exception):
    """The fight waits and nobody is there to answer."""


@click.command(
    epilog="\b\nExamples:\n  affray play bridge.toml --db bridge.db --policy ask\n  affray play gunfight"
)
@click.argument("scenario", shell_complete=complete_fights, type=click.Path(path_type=Path))
@click.option("--db", type=LOG, help="Keep the log in this new file.")
@click.option("--dialect", default="", help="Play it under this rulebook, not under its own.")
@click.option(
    "--seed",
    default="",
    help="Seed of the dice: any text (who guesses it knows all dice), or 64 hexadecimal digits.",
)
@click.option(
    "--policy",
    type=click.Choice(["auto", "ask"]),
    default="auto",
    show_default=True,
    help="Who answers questions: automatic play, or you.",
)
@files_within
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
    """Play a scenario file, or a fight that ships with Affray by its name, and tell what happens.

    With --policy ask the questions of the fight are put to you. Without a terminal the fight is left
    waiting in its file and the command to go on is printed.

    Exit status 1 says that the rules refused a line of the script that does not expect it, or that something
    came out otherwise than the file says (expect, never, after, declares, cites). A file that says so is
    played with the dice of its name where it has no seed; with --seed or --policy ask it is not compared.

    With --dialect its sheets, script and dice go by another rulebook: what that does not know is named, and
    what the script expects of the outcomes is left out.
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
        raise Refused(f"{many}, first line {number}: {first.reason} ({first.rule})")
    if played.otherwise:
        raise Refused(f"{counted(len(played.otherwise), 'line')} came out otherwise than the file says")


class Played(Struct, frozen=True):
    """A fight as it was played: its table, and by number the lines of the script that were refused.

    Lines that expect their refusal are none of these. `otherwise` says where something came out otherwise
    than the scenario says, as far as that was compared.
    """

    table: Table
    refused: tuple[tuple[int, Refusal], ...]
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
    """Play a scenario into an empty store, telling it, to where it ends or waits.

    A fight that automatic play has brought to its end is closed, which reveals the seed. When a
    question interrupts a scripted line, the line's dice that are left go unused; under `other_rules` than
    those that it was written for they are told.
    """
    answers = policies.by_combatant(policies.ask if ask else policies.auto)
    stated = states_outcomes(scenario) and not other_rules
    compared = stated and not seed and not ask
    if stated and not compared:
        why = "other dice (--seed)" if seed else "your answers (--policy ask)"
        say(f"what the file says of its outcomes is not compared: it is played with {why}", err=True)
    key = seed_of(seed) if seed else fixed_seed(scenario) if compared else None
    table = set_up(scenario, store, seed=key, answers=answers, watch=tell_remarks)
    otherwise: list[str] = []
    teller = Teller(store, table.branch, json=json)
    refused: list[tuple[int, Refusal]] = []
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
        say_how_to_go_on(table, db)
    return Played(table, tuple(refused), tuple(otherwise))


def states_outcomes(scenario: Scenario) -> bool:
    """Say whether a scenario says anywhere what comes of it."""
    lines = any(line.expect or line.never or line.after or line.declares for line in scenario.script)
    return bool(lines or scenario.expect or scenario.after or scenario.cites)


def differing(where: str, table: Table, outcome: Outcome, line: Line) -> list[str]:
    """Return what came out otherwise than a line says, in one sentence; nothing if it is as it says."""
    try:
        proposed(where, outcome, line)
        expect(where, outcome, line)
        after(where, table, line)
    except AssertionError as error:
        return [str(error)]
    return []


def tell_and_ask(table: Table, teller: Teller) -> None:
    """Tell what happened and put open questions to the person at the terminal. Raises Unanswered."""
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


def say_how_to_go_on(table: Table, db: Path | None) -> None:
    """Print, on standard error, the command that answers the open question."""
    question = table.waiting
    if question is None:
        return
    if db is None:
        say("the fight waits for an answer; play it with --db FILE to go on later", err=True)
        return
    say(f"the fight waits {answering(db, table.store, table.branch, question)}", err=True)
