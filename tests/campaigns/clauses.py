"""The campaign on clauses: take each clause of a rule away and see whether its scenario notices.

    python tests/campaigns/clauses.py [DIALECT] [--rule PREFIX] [--sample N] [--processes N] [--json]

    python tests/campaigns/clauses.py srd35                       # prove all clauses of a dialect
    python tests/campaigns/clauses.py --sample 60 --seed 3        # a random sample of all dialects
    python tests/campaigns/clauses.py srd35 --outline --rule srd35.charge
                                                                  # what there is to state clauses from
    python tests/campaigns/clauses.py srd35 --find draft.txt      # find the scenarios for a draft
    python tests/campaigns/clauses.py srd35 --add draft.txt       # add what is found to the dialect

A clause (engine/book/clauses.py) states in `at` what plays it, and in `mutate` how it is removed:

    srd35.charge.bonus/attack                  a figure of the catalogue: shift a number by one, a word to
                                               "not" and the word
    rules/attacks/attack_roll:roll | weapon.far > 5
                                               part of a function, as its source reads (or begins):
                                               drop a statement, a condition among several, a summand;
                                               invert a condition, a comparison, a sum; shift a number or a
                                               comparison by one; skip-item: leave out an item of a list
    rules/attacks/attack_roll:roll | weapon.far > 5 | 2
                                               the second such part of the function
    dialects/srd35/gear:NAMES | "club"         an item of a table at the top of a module: skip-item, shift
    dialects/srd35/prerequisites:cleave | abilities/str
                                               a prerequisite of a feat: drop, shift
    srd35/attacks.attack_bonus | firearms      a stage of a point, by the name of its function: drop, invert

A draft has the id of a rule, and its clauses below it: kind, text, `@`, at, `!`, mutate; or kind,
text, `?` and why no scenario can notice; or kind, text, `~` and why it has no effect on a fight.

    srd35.charge.distance
    figure: at least 10 ft @ /min_squares ! shift
    condition: in a straight line @ rules/attacks/charge:refuse_swerving | raise Refusal ! drop

The start of what the source says is enough, and needed where it is a text or a keyword: `'pin`, `cites=`.
Instead of a draft `--find` also takes a file of clauses, whose open ones it tries again.

A scenario notices if it no longer holds what its table says. Prints the clauses whose scenarios do not, and
ends with 1 if there are any. Progress goes to standard error.
"""

import argparse
import ast
import importlib
import json
import multiprocessing
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import Book, dialects, nudged
from affray.engine.book.catalogue import data_folder, read_prerequisites
from affray.engine.book.clauses import FILE, KINDS, Clause, Clauses, parse_clauses, read_clauses
from affray.engine.chapters import tables_in
from affray.engine.dialects import load
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.table.scenario_parts import Scenario
from affray.engine.testing import check
from affray.events.errors import AffrayError
from affray.replay.cli.rules import cited_by
from affray.replay.rulebook.places import find_code_places
from tests.campaigns.logic import AGAIN, PATIENCE, SECONDS, TooLong, prepare_process, reached
from tests.campaigns.mutants import (
    ENGINE,
    TURNED,
    Site,
    forget,
    function_at,
    function_changed,
    in_order,
    left_out,
    stages_changed,
    turning,
)
from tests.campaigns.played import played
from tests.scenarios.cases import HERE, all_cases, scenarios_in

BAR = 25
"""The progress is told after so many clauses."""
PREREQUISITES = "/prerequisites"
"""The name of the table of feats among the modules of a dialect."""
MOST_TRIED = 400
"""So many scenarios are tried for a clause of a draft, those that cite its rule first."""


class BadClause(Exception):
    """A clause whose removal cannot be carried out as it is stated."""


class Job(Struct, frozen=True):
    """A clause of a rule to be removed, and the titles of the scenarios that may notice."""

    rule: str
    clause: Clause
    titles: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the clause in messages."""
        return f"{self.rule} {self.clause.n}"


# --- Removing a clause: from a function, a table, a list of stages, or the figures


@contextmanager
def removed(clause: Clause) -> Iterator[Mapping[str, object]]:
    """Remove a clause for a while; yield the figures of the catalogue that change with it.

    Raises BadClause where `at` or `mutate` does not fit.
    """
    place, _, rest = clause.at.partition(" | ")
    fragment, _, number = rest.rpartition(" | ") if rest.rpartition(" | ")[2].isdecimal() else (rest, "", "1")
    if not clause.mutate or not place:
        raise BadClause("'at' and 'mutate' are needed")
    if not rest:
        yield changed_figure(place, clause.mutate)
        return
    change: AbstractContextManager[None]
    if place.partition(":")[0].endswith(PREREQUISITES):
        change = prerequisite_changed(place, rest, clause.mutate)
    elif ":" not in place:
        change = stages_changed(place, lambda made: without_stage(made.stages, fragment, clause.mutate))
    elif place.partition(":")[2] in tables_of(place.partition(":")[0]):
        change = table_changed(place, fragment, int(number), clause.mutate)
    else:
        change = function_changed(place, lambda one: site_of(one, fragment, int(number), clause.mutate))
    try:
        with change:
            yield {}
    except (AttributeError, KeyError, ImportError, FileNotFoundError) as error:
        raise BadClause(f"no place {place!r}: {error!r}") from error


def changed_figure(address: str, mutate: str) -> Mapping[str, object]:
    """Return the figure at an address, changed a little."""
    rule, _, path = address.partition("/")
    value: Any = Book.load(rule.partition(".")[0])[rule].figures
    try:
        for part in path.split("/"):
            value = value[int(part)] if isinstance(value, list) else value[part.replace("~1", "/")]
    except (KeyError, IndexError, ValueError, TypeError):
        raise BadClause(f"no figure {address!r}") from None
    if isinstance(value, bool):
        return {address: not value}
    if mutate != "shift" or not isinstance(value, int | float | str):
        raise BadClause(f"the figure {address} can be shifted only, and must be a number or a text")
    changed = nudged(value)
    return {address: f"not {value}" if changed == value else changed}


@contextmanager
def prerequisite_changed(place: str, path: str, mutate: str) -> Iterator[None]:
    """Let a feat lack a prerequisite of the dialect's table for a while, or require one more of it.

    The path is a field of the table, and its key or item: "base_attack", "abilities/str", "feats/dodge".
    """
    module, _, feat = place.partition(":")
    table: Any = read_prerequisites(module.split("/")[1])
    if feat not in table:
        raise BadClause(f"no feat {feat!r} in {module}")
    whole = table[feat]
    changed = replace(demands_with(whole, path, mutate), some=demands_with(whole.some, path, mutate))
    if changed == whole:
        raise BadClause(f"{mutate} does not apply to {path!r} of {feat}")
    table[feat] = changed
    forget()
    try:
        yield
    finally:
        table[feat] = whole
        forget()


def demands_with(demands: Any, path: str, mutate: str) -> Any:
    """Return what a feat asks for, without one demand or with one more of it."""
    field, _, key = path.partition("/")
    value, more = getattr(demands, field, ()), mutate == "shift"
    if isinstance(value, dict):
        value = {name: least + (name == key) for name, least in value.items() if more or name != key}
    elif isinstance(value, tuple):
        value = tuple(one for one in value if key and one != key)
    elif value:
        value = value + 1 if more else type(value)()
    return replace(demands, **{field: value}) if hasattr(demands, field) else demands


def without_stage(stages: Sequence[Any], name: str, mutate: str) -> list[Any]:
    """Return the stages without the one of that name, or with its condition inverted."""
    found = [at for at, stage in enumerate(stages) if getattr(stage.function, "__name__", "") == name]
    if not found:
        names = ", ".join(getattr(one.function, "__name__", "") for one in stages)
        raise BadClause(f"no stage {name!r} among {names}")
    made, at = list(stages), found[0]
    if mutate == "drop" and len(made) == 1:
        made[0] = replace(made[0], condition="False", holds=None)
    elif mutate == "drop":
        del made[at]
    elif mutate == "invert" and made[at].condition:
        made[at] = replace(made[at], condition=f"not ({made[at].condition})")
    else:
        raise BadClause(f"the stage {name} can be dropped, or inverted if it has a condition")
    return made


def site_of(tree: ast.AST, fragment: str, number: int, mutate: str) -> Site:
    """Return the part of a function that reads so, and how it changes. Raises BadClause."""
    found = parts_like(tree, fragment)
    if len(found) < number:
        raise BadClause(f"{fragment!r} is found {len(found)} times in the function")
    node, parent = found[number - 1]
    change = CHANGES[mutate](node, parent)
    if change is None:
        raise BadClause(f"{mutate} does not apply to {ast.unparse(node)[:60]!r}")
    return change


def parts_like(tree: ast.AST, fragment: str) -> list[tuple[ast.AST, ast.AST]]:
    """Return the nodes that read like the fragment, else those that begin with it, each with its parent."""
    with_parents = [
        (node, parent) for parent in [tree, *in_order(tree)] for node in ast.iter_child_nodes(parent)
    ]
    inside = {id(one) for one in in_order(tree)}
    read = [(node, parent, ast.unparse(node)) for node, parent in with_parents if id(node) in inside]
    try:
        wanted = ast.unparse(ast.parse(fragment))
    except SyntaxError:
        wanted = fragment
    exact = [(node, parent) for node, parent, text in read if text == wanted]
    return exact or [(node, parent) for node, parent, text in read if text.startswith(wanted)]


Changed = Site | None
"""How a part changes, None if it cannot."""


def dropped(node: ast.AST, parent: ast.AST) -> Changed:
    """Leave a statement out, an operand of `and` or `or`, a summand, an item."""
    if isinstance(node, ast.Raise | ast.AugAssign | ast.Expr | ast.Return | ast.Continue | ast.Break):
        return Site(node, "", left_out)
    if isinstance(node, ast.If):
        return Site(node, "", lambda one: ast.If(ast.Constant(False), one.body, one.orelse))  # type: ignore[attr-defined]
    if isinstance(node, ast.Yield | ast.YieldFrom) and isinstance(parent, ast.Expr):
        return Site(parent, "", left_out)
    if isinstance(node, ast.Call) and isinstance(parent, ast.Expr):
        return Site(parent, "", left_out)
    if isinstance(parent, ast.BoolOp):
        kept = [one for one in parent.values if one is not node]
        return Site(parent, "", lambda one: kept[0] if len(kept) == 1 else ast.BoolOp(one.op, kept))  # type: ignore[attr-defined]
    if isinstance(parent, ast.BinOp):
        return Site(parent, "", lambda one: one.right if one.left is node else one.left)  # type: ignore[attr-defined]
    return without_item(node, parent)


def without_item(node: ast.AST, parent: ast.AST) -> Changed:
    """Leave out an item of a list, or an argument with a name."""
    for field in ("elts", "keywords", "args"):
        items = getattr(parent, field, None)
        if isinstance(items, list) and any(one is node for one in items):
            kept = {field: [one for one in items if one is not node]}
            return Site(parent, "", partial(with_field, **kept))
    if isinstance(parent, ast.Dict):
        pairs = list(zip(parent.keys, parent.values, strict=True))
        left = [pair for pair in pairs if node not in pair]
        keys, values = [one for one, _ in left], [one for _, one in left]
        return Site(parent, "", lambda one: ast.Dict(keys, values))
    return None


def with_field(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a node like another, with some other fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def inverted(node: ast.AST, parent: ast.AST) -> Changed:
    """Turn a condition, a comparison, the lesser and the greater, or a sum around."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return Site(node, "", lambda one: with_field(one, test=ast.UnaryOp(ast.Not(), one.test)))  # type: ignore[attr-defined]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return Site(node, "", lambda one: with_field(one, op=other))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPPOSITES:
        name = ast.Name(OPPOSITES[node.func.id], ast.Load())
        return Site(node, "", lambda one: with_field(one, func=name))
    if isinstance(node, ast.Return) and node.value is not None:
        return Site(node, "", lambda one: ast.Return(ast.UnaryOp(ast.Not(), one.value)))  # type: ignore[attr-defined]
    if isinstance(node, ast.expr):
        return Site(node, "", lambda one: ast.UnaryOp(ast.Not(), one))  # type: ignore[arg-type]
    return None


OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


def shifted(node: ast.AST, parent: ast.AST) -> Changed:
    """Move a comparison, a number or a text by one."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
        return Site(node, "", turning(0, TURNED[type(node.ops[0])][0]))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Site(node, "", lambda one: ast.Constant(f"not {one.value}"))  # type: ignore[attr-defined]
    if isinstance(node, ast.keyword):
        return Site(node, "", lambda one: ast.keyword(one.arg, one_more(one.value)))  # type: ignore[attr-defined]
    if isinstance(node, ast.expr):
        return Site(node, "", one_more)
    return None


def one_more(node: Any) -> ast.expr:
    """Return a number raised by one."""
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


CHANGES: Mapping[str, Callable[[ast.AST, ast.AST], Changed]] = {
    "drop": dropped,
    "invert": inverted,
    "shift": shifted,
    "skip-item": without_item,
}


@cache
def tables_of(module: str) -> Mapping[str, ast.expr]:
    """Return what the names at the top of a module are given, by name."""
    try:
        tree = ast.parse((ENGINE / f"{module}.py").read_text(encoding="utf-8"))
    except OSError:
        raise BadClause(f"no module {module!r}") from None
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign):
            target = node.targets[0]
        if isinstance(target, ast.Name) and node.value is not None:  # type: ignore[attr-defined]
            found[target.id] = node.value  # type: ignore[attr-defined]
    return found


@contextmanager
def table_changed(place: str, fragment: str, number: int, mutate: str) -> Iterator[None]:
    """Let a table at the top of a module be another for a while, wherever its name has been imported."""
    module, _, name = place.partition(":")
    tables_of.cache_clear()  # the change is made to nodes of a fresh tree
    holder = ast.Expr(tables_of(module)[name])
    site = site_of(holder, fragment, number, mutate)
    changed = ast.fix_missing_locations(ast.Expression(replaced_in(holder, site).value))
    there = importlib.import_module(f"affray.engine.{module.replace('/', '.')}")
    old = getattr(there, name)
    new = eval(compile(changed, f"<mutant of {place}>", "eval"), dict(vars(there)))
    holders = [
        (one, key)
        for label, one in list(sys.modules.items())
        if label.startswith("affray.")
        for key, value in list(vars(one).items())
        if value is old
    ]
    before = dict(old) if isinstance(old, dict) else set(old) if isinstance(old, set) else None
    refill(old, new)
    for one, key in holders:
        setattr(one, key, new)
    forget()
    try:
        yield
    finally:
        refill(old, before)
        for one, key in holders:
            setattr(one, key, old)
        forget()


def replaced_in(holder: ast.Expr, site: Site) -> ast.Expr:
    """Return the expression with its site changed."""
    from tests.campaigns.mutants import Put

    made: ast.Expr = Put(site).visit(holder)
    return made


def refill(table: object, content: Any) -> None:
    """Give a table that can change, and that others may hold, other content."""
    if isinstance(table, dict | set) and content is not None:
        table.clear()
        table.update(content)


# --- Playing the scenarios of a clause with the clause removed


@cache
def scenarios_by_title(dialect: str) -> Mapping[str, Scenario]:
    """Return the scenarios of a dialect by title."""
    return dict(case for file in tables_in(HERE / dialect) for case in scenarios_in(file))


def noticed_by(job: Job) -> str:
    """Return the first scenario of a job that fails without the clause, "" for none. Raises BadClause.

    Code that breaks has not been noticed to be missing, unless what is missing would have kept it from that.
    """
    cases = scenarios_by_title(job.rule.partition(".")[0])
    guards = job.clause.at.partition(" | ")[2].startswith(("raise ", "if "))
    broken: Exception | None = None
    with removed(job.clause) as figures:
        for title in job.titles:
            for changes in [figures, *squares(figures)]:
                signal.setitimer(signal.ITIMER_PROF, SECONDS, AGAIN)
                try:
                    check(cases[title], changes=changes or None)
                except (AssertionError, AffrayError, TooLong):
                    return title
                except (NameError, BadClause):
                    raise
                except Exception as error:
                    if guards:
                        return title
                    broken = error
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0)
    if broken is not None:
        raise BadClause(f"the code breaks without it: {broken!r}")
    return ""


def squares(figures: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the changed figures moved further, by a square: on the map 11 feet are as far as 10."""
    for address, value in figures.items():
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            yield {address: nudged(value, SQUARE_FT - 1)}


def try_out(job: Job) -> tuple[Job, str, str]:
    """Return a job, the scenario that notices, and what is wrong with the clause; in a process of its own."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        try:
            said = ["", noticed_by(job)]
        except Exception as error:
            said = [str(error) if isinstance(error, BadClause) else repr(error), ""]
        os.write(outlet, json.dumps(said).encode())
        os._exit(0)
    os.close(outlet)
    text = b""
    patience = PATIENCE + len(job.titles) * 0.1
    while select.select([inlet], [], [], patience)[0] and (more := os.read(inlet, 65536)):
        text += more
    os.close(inlet)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    fault, title = json.loads(text) if text else ("its process has not come to an end", "")
    return job, title, fault


def tried(jobs: Sequence[Job], processes: int) -> Iterator[tuple[Job, str, str]]:
    """Yield each job with the scenario that notices and what is wrong, telling how many are done."""
    done = 0
    for name in {job.rule.partition(".")[0] for job in jobs}:
        scenarios_by_title(name)  # read once, for all processes to come
    with multiprocessing.get_context("fork").Pool(processes, prepare_process) as pool:
        for found in pool.imap_unordered(try_out, jobs, chunksize=2):
            done += 1
            if done % BAR == 0 or done == len(jobs):
                print(f"\r{done}/{len(jobs)} clauses", end="", file=sys.stderr, flush=True)
            yield found
    print(file=sys.stderr)


def jobs_of(names: Iterable[str], prefix: str = "") -> list[Job]:
    """Return the clauses of dialects that name a scenario, as jobs."""
    return [
        Job(rule, clause, (clause.scenario,))
        for name in names
        for rule, clauses in read_clauses(name).items()
        for clause in clauses
        if rule.startswith(prefix) and clause.scenario
    ]


def sampled(jobs: list[Job], many: int, seed: str) -> list[Job]:
    """Return a random sample of jobs, the same for the same seed."""
    return random.Random(seed).sample(jobs, min(many, len(jobs)))


# --- The scenarios for a draft


@cache
def citing(dialect: str) -> Mapping[str, list[str]]:
    """Return for each rule the titles of the scenarios whose logs cite it."""
    found: dict[str, list[str]] = {}
    for title, case in scenarios_by_title(dialect).items():
        for rule in cited_by(played(case).read_all()):
            found.setdefault(rule, []).append(title)
    return found


@cache
def entering_without(dialect: str) -> Mapping[str, list[str]]:
    """Return for each feat the titles of the scenarios whose combatants enter without what it asks for."""
    found: dict[str, list[str]] = {}
    for title, case in scenarios_by_title(dialect).items():
        for event in played(case).read_all():
            for feat in json.loads(event.data).get("unusable") or ():
                found.setdefault(feat.partition(" (")[0], []).append(title)
    return found


def passing_by_place(dialect: str, places: Iterable[str]) -> dict[str, list[str]]:
    """Return for each function the titles of the scenarios of a dialect that pass through it."""
    wanted, asked = [], sorted(set(places))
    for place in asked:
        module, colon, name = place.partition(":")
        if colon and not module.endswith(PREREQUISITES) and name not in tables_of(module):
            try:
                function_at(module, name)
            except (AttributeError, ImportError, AssertionError):
                continue
            wanted.append(place)
    lacking = {
        place: entering_without(dialect).get(place.partition(":")[2].partition(" (")[0], [])
        for place in asked
        if place.partition(":")[0].endswith(PREREQUISITES)
    }
    titles = [title for title, _ in all_cases()]
    numbers = [at for at, title in enumerate(titles) if title.startswith(f"{dialect}/")]
    found = reached(wanted, numbers) if wanted else {}
    passing = {place: [titles[at] for at in sorted({*found.get((place, 0), [])})] for place in wanted}
    return {**passing, **lacking}


def read_draft(dialect: str, file: Path) -> dict[str, tuple[Clause, ...]]:
    """Return the clauses of a draft, or of a file with its scenarios. Raises BadClause naming the line."""
    if file.suffix == ".jsonl":
        return parse_clauses(file.read_bytes(), str(file))
    book = Book.load(dialect)
    draft: dict[str, list[Clause]] = {}
    own: list[Clause] = []
    rule = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        kind, colon, rest = line.strip().partition(": ")
        where = f"{file}, line {number}"
        if not line.strip() or line.startswith("#"):
            continue
        if not colon:
            rule = line.strip()
            if rule not in book or rule in draft:
                raise BadClause(f"{where}: no rule {rule!r}, or a second time")
            own = draft[rule] = []
            continue
        if kind not in KINDS:
            raise BadClause(f"{where}: {kind!r} is none of {', '.join(KINDS)}")
        own.append(drafted(rest, len(own) + 1, kind, rule, where))
    return {rule: tuple(clauses) for rule, clauses in draft.items()}


def drafted(said: str, n: int, kind: Any, rule: str, where: str) -> Clause:
    """Return the clause of a line of a draft."""
    for mark, field in (("?", "unproven"), ("~", "no_effect")):
        text, found, reason = said.partition(f" {mark} ")
        if found and " @ " not in said:
            return Clause(n, kind, text.strip(), **{field: reason.strip()})
    text, _, rest = said.partition(" @ ")
    at, _, mutate = rest.rpartition(" ! ")
    if mutate not in CHANGES or not at:
        raise BadClause(
            f"{where}: expected 'text @ at ! {'|'.join(CHANGES)}', 'text ? reason' or 'text ~ reason'"
        )
    at = f"{rule}{at.strip()}" if at.startswith("/") else at.strip()
    return Clause(n, kind, text.strip(), at, mutate)  # type: ignore[arg-type]


def known_scenarios(files: Iterable[bytes]) -> dict[tuple[str, str, str], str]:
    """Return the scenarios that earlier runs found, by rule, at and mutate."""
    return {
        (rule, one.at, one.mutate): one.scenario
        for data in files
        for rule, clauses in parse_clauses(data).items()
        for one in clauses
        if one.scenario
    }


def find_scenarios(dialect: str, file: Path, processes: int) -> int:
    """Find the scenarios for a draft; print the clauses that none notices, and those that are wrong.

    What is found is kept next to the draft, and tried first the next time.
    """
    draft, found = read_draft(dialect, file), file.with_suffix(".jsonl")
    before = known_scenarios([found.read_bytes()] if found.exists() else [])
    load(dialect)
    cases = scenarios_by_title(dialect)
    wanted = [(rule, one) for rule, clauses in draft.items() for one in clauses if one.at]
    named: dict[tuple[str, int], str] = {}
    faults: dict[tuple[str, int], str] = {}
    cites = citing(dialect)

    def attempt(titles: Callable[[str, Clause], Iterable[str]]) -> None:
        jobs = [
            Job(rule, one, tuple(titles(rule, one)))
            for rule, one in wanted
            if (rule, one.n) not in named and (rule, one.n) not in faults
        ]
        for job, title, fault in tried([job for job in jobs if job.titles], processes):
            if fault:
                faults[job.rule, job.clause.n] = fault
            elif title:
                named[job.rule, job.clause.n] = title

    def kept(rule: str, one: Clause) -> Iterable[str]:
        title = before.get((rule, one.at, one.mutate))
        return [title] if title in cases else []

    attempt(kept)

    def citing_it(rule: str, one: Clause) -> Iterable[str]:
        of_figure = "" if " | " in one.at else one.at.partition("/")[0]
        return [*dict.fromkeys((*cites.get(rule, ()), *cites.get(of_figure, ())))][:MOST_TRIED]

    attempt(citing_it)
    left = [one for rule, one in wanted if (rule, one.n) not in named and " | " in one.at]
    passing = passing_by_place(dialect, (one.at.partition(" | ")[0] for one in left)) if left else {}

    def others(rule: str, one: Clause) -> Iterable[str]:
        place = one.at.partition(" | ")[0]
        own = {*cites.get(rule, ())[:MOST_TRIED]}
        return [title for title in passing.get(place, cases) if title not in own][:MOST_TRIED]

    attempt(others)
    lines = []
    for rule, clauses in draft.items():
        made = tuple(replace(one, scenario=named.get((rule, one.n), "")) for one in clauses)
        lines.append(msgspec.json.encode(Clauses(rule, made)))
    found.write_bytes(b"\n".join(lines) + b"\n")
    for rule, one in wanted:
        if (rule, one.n) not in named:
            told = faults.get((rule, one.n), "no scenario notices")
            print(f"{rule} {one.n}: {told}\n    {one.text}\n    @ {one.at} ! {one.mutate}")
    states = [one.state for clauses in parse_clauses(found.read_bytes()).values() for one in clauses]
    counts = ", ".join(f"{states.count(state)} {state}" for state in sorted({*states}))
    print(f"{len(states)} clauses of {len(draft)} rules: {counts}")
    return 1 if "open" in states else 0


def add(dialect: str, file: Path) -> int:
    """Add the rules of a draft, as its scenarios were found, to the dialect's file."""
    draft = parse_clauses(file.with_suffix(".jsonl").read_bytes(), str(file))
    book = Book.load(dialect)
    for rule in draft:
        book[rule]  # raises UnknownRule
    known = {**read_clauses(dialect), **draft}
    lines = [msgspec.json.encode(Clauses(rule.id, known[rule.id])) for rule in book if rule.id in known]
    Path(str(data_folder(dialect) / FILE)).write_bytes(b"\n".join(lines) + b"\n")
    print(f"{len(draft)} rules added, {len(lines)} of {len([*book])} have their clauses")
    return 0


# --- An outline of what there is to state clauses from


def outline(dialect: str, prefix: str, first: int, last: int) -> None:
    """Print each rule with its figures, the code that names it and the scenarios that cite it."""
    book = Book.load(dialect)
    cites = citing(dialect)
    addresses: dict[str, list[str]] = {}
    for figure in book.figures():
        addresses.setdefault(figure.rule, []).append(f"{figure.address} = {figure.value}")
    for number, rule in enumerate(book, 1):
        if not rule.id.startswith(prefix) or not first <= number <= last:
            continue
        print(f"\n{rule.id} ({rule.tier}, {rule.provenance}): {rule.text}")
        for one in addresses.get(rule.id, [])[:40]:
            print(f"  figure {one}")
        for place in find_code_places(book, rule.id):
            print(f"  code   {place.file}:{place.line} {place.name}")
        found = cites.get(rule.id, [])
        for title in found[:8]:
            print(f"  play   {title}")
        if len(found) > 8:
            print(f"  play   and {len(found) - 8} more")


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dialect", nargs="?", default="", help="only this dialect")
    parser.add_argument("--rule", default="", help="only rules whose ids begin so")
    parser.add_argument("--sample", type=int, default=0, help="so many clauses, at random")
    parser.add_argument("--seed", default="0", help="which sample")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--find", type=Path, metavar="DRAFT", help="find the scenarios for a draft")
    parser.add_argument("--add", type=Path, metavar="DRAFT", help="add a draft to the dialect")
    parser.add_argument("--outline", action="store_true", help="print what there is to state clauses from")
    parser.add_argument("--lines", default="1-9999", help="with --outline: these lines of rules.jsonl")
    wanted = parser.parse_args()
    if (wanted.find or wanted.add or wanted.outline) and wanted.dialect not in dialects():
        parser.error(f"name a dialect: {', '.join(dialects())}")
    try:
        return carry_out(wanted)
    except BadClause as error:
        print(error, file=sys.stderr)
        return 2


def carry_out(wanted: argparse.Namespace) -> int:
    """Do what the command line asks for; return how the process ends."""
    if wanted.find:
        return find_scenarios(wanted.dialect, wanted.find, wanted.processes)
    if wanted.add:
        return add(wanted.dialect, wanted.add)
    if wanted.outline:
        first, _, last = wanted.lines.partition("-")
        outline(wanted.dialect, wanted.rule, int(first), int(last or first))
        return 0
    began = time.monotonic()
    jobs = jobs_of([wanted.dialect] if wanted.dialect else dialects(), wanted.rule)
    if wanted.sample:
        jobs = sampled(jobs, wanted.sample, wanted.seed)
    wrong = {job.name: fault for job, title, fault in tried(jobs, wanted.processes) if fault or not title}
    told = {
        "clauses": len(jobs),
        "noticed": len(jobs) - len(wrong),
        "not noticed": {name: fault or "its scenario does not fail" for name, fault in sorted(wrong.items())},
        "seconds": round(time.monotonic() - began),
    }
    if wanted.json:
        print(json.dumps(told, indent=1))
    else:
        for name, fault in sorted(wrong.items()):
            print(f"{name}: {fault or 'its scenario does not fail'}")
        print(f"{len(jobs)} clauses, {len(jobs) - len(wrong)} noticed; {told['seconds']} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
