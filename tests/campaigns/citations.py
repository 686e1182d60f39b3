"""The citation campaign: find citations of rules that had no part in what cites them.

    python tests/campaigns/citations.py srd35 [--rule PREFIX] [--file PART] [--all] [--plain] [--json]

Each rule with numbers among its figures has them altered, up and down and by much; each declaration of the
scenario tables whose outcome cites the rule is decided again from the state it was made in, with the recorded
dice and answers. Where whatever is altered changes nothing of the declaration, the citation is a suspect: the
rule may have had no part there. A DC or a bonus that stands in the fact is a change also where the die beat
it anyway.

A suspect may be right all the same, since rules speak by words as well. The tool knows these cases: a
modifier has its value from the rule it names, though an earlier declaration laid it down (those are not tried
at all); the rule of the act, by which its action was spent; the rule that defines the condition which the
event names; what is refused, asked or merely said by a rule; and what citations.toml lists, with its reason.
What is left over is unexplained and makes the exit status 1. With --all the explained ones are listed too,
and events that stay as they are while something else of their declaration changes. With --plain the rules
without numbers are listed, each with the kinds of event that cite it and an example, the most cited first.
"""

import argparse
import json
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import Book, Figure, nudged
from affray.engine.book.rules import walk
from affray.engine.dialects import Dialect, load
from tests.campaigns.again import Citing, Decided, decided
from tests.campaigns.played import counted, scenarios_of

SPOKEN = frozenset({"refused", "rule.applied", "asked", "chosen"})
SPENT = frozenset({"action.spent", "reaction.spent", "act.readied"})
STEPS = (1, -1, 5, -5, 20)
#: Of a rule whose figures change nothing together, so many are also tried one by one.
MOST_SINGLE = 60
REASONS = Path(__file__).with_name("citations.toml")


class Suspect(Struct, frozen=True):
    """A citation of a rule whose figures change nothing there; `why` it is right all the same, if known."""

    rule: str
    type: str
    scenario: str
    seq: int
    says: str
    why: str = ""


class Found(Struct):
    """What a campaign has found.

    `beside` are events that stay as they are while something else of their declaration changes, `plain` says
    for each rule without numbers how often which type of event cites it, with an example.
    """

    tried: int
    numbered: int
    suspects: list[Suspect]
    beside: list[Suspect]
    plain: dict[str, dict[str, tuple[int, str]]]

    def stale(self, dialect: str) -> list[str]:
        """Return the entries of citations.toml on rules of a dialect that explain nothing."""
        used = {(one.rule, one.type) for one in (*self.suspects, *self.beside) if one.why}
        return [
            f"{rule} on {kind}"
            for rule, events in listed().items()
            if rule.startswith(f"{dialect}.") and not any((rule, kind) in used for kind in events)
            for kind in events
        ]

    def unexplained(self) -> list[Suspect]:
        """Return the suspects for which no reason is known."""
        return [one for one in self.suspects if not one.why]


def altered(figures: Iterable[Figure], step: int) -> dict[str, Any]:
    """Return the changes that raise each of some figures by `step`, or lower it, but not past nothing."""
    changes = {}
    for figure in figures:
        value = figure.value
        if isinstance(value, str):
            value = re.sub(r"\d+", lambda found: str(max(1, int(found.group()) + step)), value)
        else:
            value = nudged(value, step if step > 0 or not 0 < value < -step else -1)
        changes[figure.address] = value
    return changes


def unmoved(
    rule: str, figures: Sequence[Figure], where: Sequence[Decided]
) -> tuple[set[int], set[tuple[int, int]]]:
    """Return which of the declarations no altered figure changes, and which of their citing events.

    A declaration is named by its place in `where`, an event by that and its place among those that cite.
    """
    still = set(range(len(where)))
    same = {(at, place) for at, one in enumerate(where) for place in range(len(one.cites[rule]))}
    came = [one.came() for one in where]

    def attempt(changes: Mapping[str, Any], among: Iterable[int]) -> None:
        for at in sorted(among):
            found = where[at].again(changes)
            if found != came[at]:
                still.discard(at)
                for place, citing in enumerate(where[at].cites[rule]):
                    if found is None or not found[citing.event.data]:
                        same.discard((at, place))

    for number, step in enumerate(STEPS):
        attempt(altered(figures, step), {at for at, _ in same} if number < 2 else set(still))
    # Figures that are raised together may keep each other in balance.
    for figure in figures if 1 < len(figures) <= MOST_SINGLE else ():
        for step in STEPS:
            if still:
                attempt(altered([figure], step), set(still))
    return still, same


@cache
def listed() -> dict[str, dict[str, str]]:
    """Return the reasons of citations.toml: by rule, then by type of event."""
    found: dict[str, dict[str, str]] = {}
    for entry in tomllib.loads(REASONS.read_text(encoding="utf-8"))["right"]:
        for rule in entry["rules"]:
            found.setdefault(rule, {}).update(dict.fromkeys(entry["events"], entry["why"]))
    return found


def reason(dialect: Dialect, rule: str, citing: Citing, one: Decided) -> str:
    """Return why a citation is right although no number of the rule moves anything, "" if nobody knows."""
    event = citing.event
    if event.type in SPOKEN:
        return "a rule speaks by its words"
    value = msgspec.json.decode(event.data)
    names = {value.get("condition"), *str(value.get("skipped", "")).split(", ")}
    topics = [dialect.conditions.table[name].topic for name in names if name in dialect.conditions.table]
    if any(topic and dialect.book.topic_id(topic) == rule for topic in topics):
        return "the rule of the condition"
    if any(other.event.type in SPENT for other in one.cites[rule]):
        return "the rule of the act"
    return listed().get(rule, {}).get(event.type, "")


def kinds(rule: str, where: Iterable[Decided]) -> dict[str, tuple[int, str]]:
    """Return how often which type of event cites a rule, each with an example, the most frequent first."""
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for one in where:
        for citing in one.cites[rule]:
            kind = citing.event.type
            counts[kind] += 1
            example.setdefault(kind, f"{one.scenario} #{citing.event.seq}: {citing.says()}")
    return {kind: (times, example[kind]) for kind, times in counts.most_common()}


def campaign(dialect: str, prefix: str = "", part: str = "") -> Found:
    """Try every citation of the rules that begin with `prefix`, in scenarios with `part` in file or name."""
    book = Book.load(dialect)
    record = load(dialect)
    by_rule: dict[str, list[Decided]] = {}
    for name, scenario in counted([one for one in scenarios_of(dialect) if part in one[0]], "scenarios"):
        for one in decided(name, scenario):
            for rule in one.cites:
                if rule.startswith(prefix) and rule in book:
                    by_rule.setdefault(rule, []).append(one)
    found = Found(0, 0, [], [], {})
    for rule in counted(sorted(by_rule), "rules"):
        figures = list(walk(rule, book[rule].figures))
        if not figures:
            found.plain[rule] = kinds(rule, by_rule[rule])
            continue
        found.numbered += 1
        where = [one for one in by_rule[rule] if not any(citing.valued for citing in one.cites[rule])]
        found.tried += sum(len(one.cites[rule]) for one in where)
        still, same = unmoved(rule, figures, where)
        for at, place in sorted(same):
            citing = where[at].cites[rule][place]
            event, why = citing.event, reason(record, rule, citing, where[at])
            suspect = Suspect(rule, event.type, where[at].scenario, event.seq, citing.says(), why)
            (found.suspects if at in still else found.beside).append(suspect)
    return found


def grouped(suspects: Iterable[Suspect]) -> Iterator[str]:
    """Yield a line for each rule, type of event and reason, with how often and the first place."""
    places: dict[tuple[str, str, str], list[Suspect]] = {}
    for one in suspects:
        places.setdefault((one.rule, one.type, one.why), []).append(one)
    for (rule, kind, why), found in places.items():
        first = found[0]
        told = f"  [{why}]" if why else ""
        yield f"{rule} on {kind}, {len(found)}: {first.scenario} #{first.seq}: {first.says}{told}"


def main() -> None:
    """Run the campaign and print what it suspects."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dialect")
    parser.add_argument("--rule", default="", help="only rules whose id begins so")
    parser.add_argument("--file", default="", help="only scenarios with this in the file or in the name")
    parser.add_argument("--all", action="store_true", help="also what is explained, or beside a change")
    parser.add_argument("--plain", action="store_true", help="also the rules without numbers")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with every place")
    wanted = parser.parse_args()
    began = time.monotonic()
    found = campaign(wanted.dialect, wanted.rule, wanted.file)
    bare = found.unexplained()
    sums = {
        "dialect": wanted.dialect,
        "rules with numbers": found.numbered,
        "rules without": len(found.plain),
        "citations tried": found.tried,
        "moved or beside a change": found.tried - len(found.suspects),
        "explained": len(found.suspects) - len(bare),
        "unexplained": len(bare),
        "seconds": round(time.monotonic() - began),
    }
    if wanted.json:
        lists = {"suspects": found.suspects if wanted.all else bare, "beside": found.beside * wanted.all}
        plain = found.plain if wanted.plain else {}
        print(json.dumps(msgspec.to_builtins({**sums, **lists, "plain": plain}), indent=1))
        sys.exit(bool(bare))
    for line in grouped(found.suspects if wanted.all else bare):
        print(line)
    if not (wanted.rule or wanted.file):
        for line in found.stale(wanted.dialect):
            print(f"explains nothing any more: {line}")
    for line in grouped(found.beside * wanted.all):
        print(f"beside a change: {line}")
    if wanted.plain:
        by_count = sorted(found.plain.items(), key=lambda item: -sum(times for times, _ in item[1].values()))
        for rule, events in by_count:
            print(rule)
            for kind, (times, example) in events.items():
                print(f"    {kind} {times}: {example}")
    print("; ".join(value if name == "dialect" else f"{name} {value}" for name, value in sums.items()))
    sys.exit(bool(bare))


if __name__ == "__main__":
    main()
