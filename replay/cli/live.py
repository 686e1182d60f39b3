"""`affray add`, `choose`, `auto`: play a fight one declaration at a time."""

import shlex
from collections.abc import Collection
from pathlib import Path

import click
import msgspec
from click.shell_completion import CompletionItem
from msgspec.structs import fields

from affray.engine.dice import Manual
from affray.engine.kernel.turns import is_decided
from affray.engine.language.cast import Cast
from affray.engine.language.names import People
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.dice import by_hand
from affray.engine.table.scenario import sheet_of
from affray.engine.table.scenario_parts import (
    BadScenario,
    Entrant,
    Scenario,
    packaged_sheets,
    read_sheets,
    read_text,
    read_toml,
)
from affray.engine.table.table import Table
from affray.engine.table.tactics import TurnLimit, next_act
from affray.events.errors import AffrayError, did_you_mean, nearest, shell_command
from affray.events.facts import acts
from affray.events.facts.acts import Enter
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.cli.declare import report
from affray.replay.cli.play import files_within
from affray.replay.cli.terminal.base import (
    Refused,
    Teller,
    add_entry_options,
    answering,
    as_json,
    beginning,
    complete_combatants,
    complete_from_log,
    database,
    event_json,
    is_at_prompt,
    on_branch,
    option_on_line,
    parse_entry_square,
    request_id,
    said,
    writing,
)
from affray.replay.cli.terminal.printing import print_json, put
from affray.replay.text.options import listed, name_of

# --- Playing a fight one declaration at a time: add, choose


def complete_sheets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the files of the folder of blocks in the line, else the included sheets of the dialect."""
    block = option_on_line(ctx, "block", "--block", "--statblock")
    if block is not None:
        from affray.replay.cli.statblock import list_block_files

        return beginning(
            incomplete, ((one.stem, "") for one in list_block_files(block)) if block.is_dir() else ()
        )
    return complete_from_log(
        ctx,
        incomplete,
        lambda store: ((one, "") for one in packaged_sheets(fold(store.read("main", upto=1)).dialect)),
    )


@click.command(
    epilog="\b\nExamples:\n  affray add fight.db --id ogre --side monsters --at 8,3 --use ogre\n"
    "  affray add fight.db --id ogre --side monsters --at 8,3 --block - < pasted.txt\n"
    "  affray add fight.db --id wolf --side monsters --at 8,3 --block bestiary --use wolf"
)
@database
@click.option("--id", "id", required=True, help="The id that declarations use.")
@click.option("--side", required=True, help="The side that it fights for.")
@click.option("--at", required=True, help="Its square, or its upper left square: 8,3.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A TOML file: one sheet, or several by name.")
@click.option(
    "--block",
    "--statblock",
    "block",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A printed stat block: a file, - for standard input, or a folder of blocks.",
)
@click.option("--accept-unread", is_flag=True, help="Accept the block although parts that matter are unread.")
@click.option(
    "--use",
    default="",
    shell_complete=complete_sheets,
    help="A named sheet of that file, one of that folder of blocks, or an included one of the dialect.",
)
@files_within
@click.option("--hp", type=int, help="Current hit points, if not all.")
@add_entry_options
@click.option("--initiative", type=int, help="Its initiative, in place of a roll.")
@click.option("--policy", type=click.Choice(sorted(policies.NAMED)), help="Policy for its questions.")
@request_id
@as_json
def add(
    db: Path,
    id: str,
    side: str,
    at: str,
    sheet: Path | None,
    block: Path | None,
    accept_unread: bool,
    use: str,
    within: Path | None,
    hp: int | None,
    initiative: int | None,
    policy: str | None,
    request: str,
    json: bool,
    **states: object,
) -> None:
    """Add a combatant to a fight, before it begins or later.

    Parts of a stat block that were not understood are counted on standard error; affray statblock lists them.
    The parts that matter (Armor Class, Hit Dice, base attack, saves, attacks) must be understood or accepted.
    """
    if block is not None and (sheet is not None or (use and (str(block) == "-" or not block.is_dir()))):
        raise click.UsageError("use either --block, or --sheet and --use")
    if within is not None and sheet is None:
        raise click.UsageError("--within needs --sheet")
    if accept_unread and block is None:
        raise click.UsageError("--accept-unread needs --block")
    if block is None and sheet is None and not use:
        raise click.UsageError("a combatant needs --sheet FILE, --use NAME or both, or --block FILE")
    from affray.replay.cli.statblock import make_sheet_of_block

    with writing(db) as store:
        table = Table(store, hands=by_hand(store))
        act = Enter(
            id=id,
            side=side,
            sheet=make_sheet_of_block(table.state.dialect, block, use, accept_unread)
            if block is not None
            else _sheet(table.state.dialect, sheet, use, id, within),
            at=parse_entry_square(at),
            hp=hp,
            initiative=initiative,
            policy=policy or "",
            **People.find_combatants_in_fights(table.state).named(said(states)),
        )
        report(store, table, table.declare(act, request=request), db, json)


@click.command(epilog="Example: affray choose fight.db take")
@database
@click.argument("answer")
@click.option("--by", default="person", show_default=True, help="Name of the answerer, for the record.")
@click.option("--ask", is_flag=True, help="Also let the fight wait for the next choice.")
@click.option("--manual", is_flag=True, help="Also let the fight wait for the next roll.")
@request_id
@on_branch
@as_json
def choose(
    db: Path, answer: str, by: str, ask: bool, manual: bool, request: str, branch: str, json: bool
) -> None:
    """Answer the question that a fight waits for; a roll with the results of its dice, as 4,6."""
    with writing(db) as store:
        table = Table(
            store,
            branch,
            answers=policies.by_combatant(policies.ask if ask else policies.auto),
            dice=Manual(lambda key, notation: None) if manual else None,
            hands=by_hand(store),
        )
        people, asked = People.find_combatants_in_fights(table.state), table.waiting
        if asked is not None and answer not in asked.options and people.knows(answer):
            answer = people.find_id_of_combatant(answer)
        report(store, table, table.choose(answer, by, request), db, json)


def _sheet(dialect: str, file: Path | None, use: str, id: str, within: Path | None) -> Sheet:
    """Return the sheet of a file, or an included one of the dialect. Raises BadScenario."""
    named: JsonObject = {}
    where = str(file or f"sheets of {dialect}")
    if file is not None:
        raw = read_toml(read_text(file), str(file))
        shares = "sheets_from" in raw
        named = raw.get("sheets", {} if shares else raw)
        if not isinstance(named, dict) or (use and not isinstance(named.get(use, {}), dict)):
            raise BadScenario(f"{file}: a sheet is a table of fields")
        if shares:
            named = {**read_sheets(str(raw["sheets_from"]), str(file), within), **named}
        if not use and "hp" not in raw:
            raise BadScenario(
                f"{file} contains several sheets; choose one with --use: {', '.join(sorted(named))}"
            )
        named = named if use else {"sheet": raw}
    elif use not in packaged_sheets(dialect):
        ship = sorted(packaged_sheets(dialect))
        near = nearest(use, ship)
        meant = f" (did you mean {near}?)" if near else ""
        raise BadScenario(f"no sheet {use!r} in {dialect}{meant}; available: {', '.join(ship)}")
    holder = Scenario(map=(), combatants=(), dialect=dialect, name=where, sheets=named)
    return sheet_of(holder, Entrant(id=id, side="", at=(0, 0), use=use or "sheet"))


# --- `affray auto`: automatic play of the current turn, in a fight that people play

EXAMPLES = """\b
Examples:
  affray auto fight.db
  affray auto fight.db monsters
  affray auto fight.db gharm skit --policy ask
  affray auto fight.db --propose
"""


@click.command(epilog=EXAMPLES)
@database
@click.argument("whom", nargs=-1, shell_complete=complete_combatants)
@click.option("--propose", is_flag=True, help="Print the next act without declaring it.")
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Stop after this many rounds.",
)
@click.option(
    "--policy",
    type=click.Choice(sorted(policies.NAMED)),
    default="auto",
    show_default=True,
    help="Policy for questions of combatants without one.",
)
@click.option("--by", default="tactics", show_default=True, help="Name of the declarer, for the record.")
@on_branch
@as_json
def auto(
    db: Path,
    whom: tuple[str, ...],
    propose: bool,
    rounds: int,
    policy: str,
    by: str,
    branch: str,
    json: bool,
) -> None:
    """Play the current turn automatically, act by act until it ends.

    WHOM are combatants or sides: play continues, turn after turn, as long as it is the turn of one of them.
    The tactics are those of affray play: they approach and attack. Play stops when a person must answer a
    question or roll physical dice, and continues when the command is called again. Each act is a declaration
    like any other, which affray undo can undo.
    """
    with writing(db) as store:
        answers = policies.by_combatant(policies.NAMED[policy])
        table = Table(store, branch, answers=answers, hands=by_hand(store))
        turns = _Turns(table, _find_named_combatants(table.state, whom), rounds, by)
        if table.waiting is not None:
            asked = table.waiting
            raise AffrayError(
                f"the fight waits: {asked.question} {answering(db, store, table.branch, asked)}"
            )
        act = turns.next()
        if act is None:
            raise Refused(f"nothing was declared: {turns.why_not}")
        if propose:
            _tell_proposed(db, table, act, json)
            return
        teller = None if json else Teller(store, table.branch, after=table.seq)
        while act is not None:
            outcome = turns.declare(act)
            if teller is not None:
                teller.go_on(upto=outcome.events[-1].seq)
            act = turns.next()
        _tell_end(db, store, turns, json)
        if turns.stuck:
            raise Refused(turns.why_not)


class _Turns:
    """The turns that tactics play at a table: the current one, or all those of some combatants."""

    def __init__(self, table: Table, whom: Collection[str], rounds: int, by: str) -> None:
        self.table, self.whom, self.rounds, self.by = table, whom, rounds, by
        self._began = table.state.round
        self.declared: list[tuple[AnyAct, Outcome]] = []
        self.why_not, self.stuck = "", False
        self.told = False
        """Whether the printed story already shows whose turn is next."""
        self._turn: tuple[int, int, str] | None = None
        self._limit = TurnLimit()

    def next(self) -> AnyAct | None:
        """Return the next act of these combatants; None at the end, with the reason in `why_not`."""
        act = None if self._stopped() else self._get_proposed_act()
        if act is None:
            return None
        state = self.table.state
        actor = getattr(act, "actor", "") or state.active
        turn = state.round, state.turn, actor
        theirs = not actor or actor in self.whom if self.whom else self._turn in (None, turn)
        if not theirs:
            self.why_not, self.told = f"next is {Cast.of(state).name(actor)}", bool(state.active)
            return None
        self._turn = turn
        return act

    def declare(self, act: AnyAct) -> Outcome:
        """Declare an act, and return its outcome."""
        outcome = self.table.declare(act, self.by)
        self.declared.append((act, outcome))
        return outcome

    def _stopped(self) -> bool:
        state = self.table.state
        if self.table.waiting is not None:
            self.why_not = "a person must answer"
        elif state.closed:
            self.why_not = "the encounter is closed"
        elif not state.round:
            self.why_not = "the fight has not begun"
        elif is_decided(self.table.fight):
            self.why_not = "one side is left standing"
        elif state.round >= self._began + self.rounds:
            self.why_not = f"the limit of rounds is reached: {self.rounds}"
        return bool(self.why_not)

    def _get_proposed_act(self) -> AnyAct | None:
        """Return the act that tactics propose: after a refusal the end of the turn, after two None."""
        refused = [outcome.refused for _, outcome in self.declared[-2:]]
        if refused and refused[-1] is not None:
            if len(refused) > 1 and refused[0] is not None:
                self.why_not, self.stuck = (
                    f"tactics are stuck: {refused[-1].reason} ({refused[-1].rule})",
                    True,
                )
                return None
            return acts.EndTurn(actor=self.table.state.active)
        if reason := self._limit.reason_to_stop(self.table.state):
            self.why_not, self.stuck = f"tactics stop: {reason}", True
            return None
        return next_act(self.table, self.whom)


def _find_named_combatants(state: Encounter, words: Collection[str]) -> frozenset[str]:
    """Return the ids of the named combatants and of all in the named sides. Raises UsageError."""
    people = People.find_combatants_in_fights(state)
    sides = {one.side for one in state.combatants.values()}
    found: set[str] = set()
    for word in words:
        if word in sides and word not in people.ids:
            found.update(one.id for one in state.combatants.values() if one.side == word)
        elif people.knows(word):
            found.add(people.find_id_of_combatant(word))
        else:
            meant = did_you_mean(word, [*sorted(sides), *people.ids])
            raise click.UsageError(f"{word!r} is not a side or a combatant{meant}")
    return frozenset(found)


def _tell_proposed(db: Path, table: Table, act: AnyAct, json: bool) -> None:
    """Print the next act, and the command that declares it."""
    if json:
        print_json({"act": act})
        return
    cast = Cast.of(table.state)
    put(f"{cast.name(getattr(act, 'actor', ''))}: {name_of(act)} {listed(act, cast)}".rstrip())
    on = () if table.branch == table.store.main_line() else ("--branch", table.branch)
    said = ((one.name, getattr(act, one.name), one.default) for one in fields(type(act)))
    told = {name: value for name, value, usual in said if value != usual and value is not None}
    text = msgspec.json.encode({"act": act.__struct_config__.tag, **told}).decode()
    words = shell_command("do", db, text, *on)
    put(f"(declare it with: {shlex.join(['do', text]) if is_at_prompt() else words})")


def _tell_end(db: Path, store: Store, turns: _Turns, json: bool) -> None:
    """Print where the tactics stopped, and why."""
    waiting = turns.table.waiting
    if json:
        print_json(
            {
                "declarations": [
                    {
                        "act": act,
                        "events": [event_json(one) for one in outcome.events],
                        "refused": outcome.refused,
                    }
                    for act, outcome in turns.declared
                ],
                "waiting": waiting,
                "stopped": turns.why_not,
            }
        )
    elif waiting is not None and not is_at_prompt():
        put(f"    {answering(db, store, turns.table.branch, waiting)}")
    elif waiting is None and not turns.stuck and not turns.told:
        put(f"({turns.why_not})")
