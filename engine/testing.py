"""Helpers for testing rules: play a scenario and check its expectations.

`check(scenario)` plays strictly (every die is scripted or declared to come from the seed) and raises
AssertionError with one clear sentence if the log differs from the scenario.

`affray.replay.conformance(dialect)` checks everything that a dialect has to satisfy. It verifies and narrates
logs, so it is in `replay`, which the engine does not import.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from affray.engine.table.appending import Outcome
from affray.engine.table.scenario import fixed_seed, play_line, set_up
from affray.engine.table.scenario_parts import Line, Scenario
from affray.engine.table.table import Table
from affray.events.errors import did_you_mean
from affray.events.facts.base import JsonObject
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store

PARTS: Final = ("attack", "defense", "parts", "opposed_parts", "modifiers", "damage_parts")
"""The fields of facts that are lists of modifiers."""

FORMS: Final = {
    "parts": "{attack = {size = -1}}",
    "denied": '{defense = ["dexterity"]}',
    "sources": '{attack = ["flanking"]}',
    "arms": '{longsword = {damage = "1d8"}}',
    "sheet_has": "{speed = 30}",
    "cites": '["srd35.attack.roll"]',
    "uncited": '["srd35.attack.roll"]',
}
"""Examples of the expectations that are not a field to be equal."""


def check(
    scenario: Scenario, store: Store | None = None, changes: Mapping[str, object] | None = None
) -> Table:
    """Play a scenario and assert all of its expectations; return the table at its end.

    `changes` alters figures of the rule catalogue, so that a mutation can be noticed. Dice that neither the
    script nor a seed gives are those of the scenario's name, so that a test never depends on chance.
    """
    seed = fixed_seed(scenario)
    log = store if store is not None else MemoryStore()
    table = set_up(scenario, log, seed=seed, changes=changes)
    start = scenario.begin
    begin = start.act()
    opening = Line(begin, scenario.dice, scenario.choose, scenario.expect, after=scenario.after)
    for number, line in enumerate((opening, *scenario.script)):
        outcome = play_line(table, line, strict=True)
        where = f"{scenario.name}, {'begin' if number == 0 else f'line {number}'}"
        proposed(where, outcome, line)
        expect(where, outcome, line)
        after(where, table, line)
    missing = uncited(scenario, log)
    assert not missing, missing[0]
    return table


def uncited(scenario: Scenario, log: Store) -> list[str]:
    """Return, in one sentence, the rules of a scenario that its log does not cite; "" if it cites all."""
    if not scenario.cites:
        return []
    cited = {rule for event in log.read_all() for rule in cited_in_text(event.data)}
    missing = [rule for rule in scenario.cites if rule not in cited]
    return [f"{scenario.name}: nothing in its log cites {', '.join(missing)}"] if missing else []


def proposed(where: str, outcome: Outcome, line: Line) -> None:
    """Assert that automatic play has declared the line's act, field by field."""
    if line.declares is not None:
        act = outcome.facts[0].act
        assert act == line.declares, f"{where}: automatic play declares {act}, not {line.declares}"


def expect(where: str, outcome: Outcome, line: Line) -> None:
    """Assert that the outcome holds the expected facts in order and none of the forbidden types."""
    # Most facts are of other types, and need no comparison.
    for want in line.expect:
        if fault := malformed(want):
            raise AssertionError(f"{where}: expected {want}; {fault}")
    asked = [*(want.get("type", "") for want in line.expect), *line.never]
    facts = [
        fact_as_dict(fact) if "" in asked or type_of(fact) in asked else {"type": type_of(fact)}
        for fact in outcome.facts
    ]
    if outcome.refused is not None and all(want.get("type") != "refused" for want in line.expect):
        raise AssertionError(f"{where}: refused: {outcome.refused.reason} [{outcome.refused.rule}]")
    place = 0
    for want in line.expect:
        nearest = ""
        for index in range(place, len(facts)):
            problem = mismatch(facts[index], want)
            if not problem:
                place = index + 1
                break
            if facts[index]["type"] == want.get("type"):
                nearest = nearest or problem
        else:
            kinds = ", ".join(fact["type"] for fact in facts[place:])
            raise AssertionError(f"{where}: expected {want}; {nearest or f'only {kinds} follow'}")
    for kind in line.never:
        found = next((fact for fact in facts if fact["type"] == kind), None)
        if found is not None:
            raise AssertionError(f"{where}: there must be no {kind}, but: {found}")


def type_of(fact: Struct) -> str:
    """Return the type of a fact, as in the log."""
    return str(fact.__struct_config__.tag)


def fact_as_dict(fact: object) -> JsonObject:
    """Return a fact as plain data, `type` included."""
    # By way of JSON, so that a tuple of the fact compares with a list of the table.
    value: JsonObject = msgspec.json.decode(msgspec.json.encode(fact))
    return value


def cited_in(value: object) -> list[str]:
    """Return the ids that a fact as plain data cites, in order: its own, and those of all modifiers in it."""
    found: list[str] = []
    _gather(value, found)
    return found


def _gather(value: object, found: list[str]) -> None:
    if isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str):
                if name == "rule" and inner:
                    found.append(inner)
            elif name == "cites" and isinstance(inner, list):
                found += [id for id in inner if isinstance(id, str)]
            elif isinstance(inner, dict | list):
                _gather(inner, found)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict | list):
                _gather(inner, found)


def cited_in_text(data: bytes) -> list[str]:
    """Return the ids that a fact as JSON cites. O(bytes), and quick if there can be none."""
    if b'"rule"' in data or b'"cites"' in data or b"\\u" in data:
        return cited_in(msgspec.json.decode(data))
    return []


def malformed(want: JsonObject) -> str:
    """Return why an expectation cannot be compared with any fact, "" if it can."""
    for name, wanted in want.items():
        # Facts have fields `parts` and `denied` too, which hold no mappings.
        if name not in FORMS or (name in ("parts", "denied") and not isinstance(wanted, dict)):
            continue
        if name in ("cites", "uncited"):
            fits = isinstance(wanted, list)
        else:
            inner = () if name == "sheet_has" or not isinstance(wanted, dict) else wanted.values()
            kinds = (dict,) if name in ("parts", "arms") else (dict, list)
            fits = isinstance(wanted, dict) and all(isinstance(one, kinds) for one in inner)
        if not fits:
            return f"{name} has the form {FORMS[name]}, not {wanted!r}"
        if name in ("parts", "denied", "sources"):
            for unknown in (one for one in wanted if one not in PARTS):
                return f"there is no list of modifiers {unknown!r}{did_you_mean(unknown, PARTS)}"
    return ""


def _modifiers(fact: JsonObject, name: str) -> list[JsonObject]:
    """Return the modifiers in a field of a fact, none if it has no such list."""
    return [one for one in fact.get(name) or () if isinstance(one, dict) and "denied" in one]


def mismatch(fact: JsonObject, want: JsonObject) -> str:
    """Return the part of `want` that the fact does not fulfil, "" if it fulfils all.

    Most names are fields, to be equal. `cites` are rules that the fact has to cite anywhere in it, `uncited`
    those that it may not; `parts` maps a list of modifiers to the sums of their kinds that count (or is that
    list), `denied` to the kinds of those that do not, `sources` to the sources of some that count, each with
    its rule or without; `sheet_has` and `arms` look into the sheet of a combatant that enters.
    """
    for name, wanted in want.items():
        if name == "parts" and isinstance(wanted, Mapping):
            problem = _parts_as_wanted(fact, wanted)
        elif name == "denied" and isinstance(wanted, Mapping):
            problem = _denied(fact, wanted)
        elif name == "sources":
            problem = _sources(fact, wanted)
        elif name == "arms":
            problem = _arms(fact, wanted)
        elif name == "sheet_has":
            sheet = fact.get("sheet") or {}
            wrong = [field for field, value in wanted.items() if sheet.get(field) != value]
            problem = f"{wrong[0]} is {sheet.get(wrong[0])!r}, not {wanted[wrong[0]]!r}" if wrong else ""
        elif name == "uncited":
            cited = list(dict.fromkeys(cited_in(fact)))
            found = [rule for rule in wanted if rule in cited]
            problem = f"cites {', '.join(found)}" if found else ""
        elif name == "cites":
            cited = list(dict.fromkeys(cited_in(fact)))
            missing = [rule for rule in wanted if rule not in cited]
            problem = f"does not cite {', '.join(missing)} but {', '.join(cited)}" if missing else ""
        else:
            problem = "" if fact.get(name) == wanted else f"{name} is {fact.get(name)!r}, not {wanted!r}"
        if problem:
            return problem
    return ""


def _parts_as_wanted(fact: JsonObject, wanted: Mapping[str, Mapping[str, int]]) -> str:
    for name, kinds in wanted.items():
        for kind, value in kinds.items():
            applied = [
                part["value"]
                for part in _modifiers(fact, name)
                if part["kind"] == kind and not part["denied"]
            ]
            if sum(applied) != value:
                return f"{name} has {kind} {sum(applied)}, not {value}"
    return ""


def _sources(fact: JsonObject, wanted: Mapping[str, list[str] | Mapping[str, str]]) -> str:
    for name, sources in wanted.items():
        counted = {part["source"]: part["rule"] for part in _modifiers(fact, name) if not part["denied"]}
        missing = [source for source in sources if source not in counted]
        if missing:
            return f"{name} has nothing from {', '.join(missing)} but from {', '.join(counted)}"
        if isinstance(sources, Mapping):
            for source, rule in sources.items():
                if counted[source] != rule:
                    return f"{source} is in {name} by {counted[source]}, not {rule}"
    return ""


def _arms(fact: JsonObject, wanted: Mapping[str, JsonObject]) -> str:
    """Compare fields of weapons and worn items, by their names, on the sheet that a fact holds."""
    sheet = fact.get("sheet") or {}
    found = {one["name"]: one for one in (*sheet.get("weapons", ()), *sheet.get("worn", ()))}
    for name, fields in wanted.items():
        for field, value in fields.items():
            actual = found.get(name, {}).get(field)
            if actual != value:
                return f"{field} of the {name} is {actual!r}, not {value!r}"
    return ""


def _denied(fact: JsonObject, wanted: Mapping[str, list[str]]) -> str:
    for name, kinds in wanted.items():
        denied = {part["kind"] for part in _modifiers(fact, name) if part["denied"]}
        missing = [kind for kind in kinds if kind not in denied]
        if missing:
            return f"{', '.join(missing)} is not denied in {name}"
    return ""


def after(where: str, table: Table, line: Line) -> None:
    """Assert the script's expectations of the state afterwards."""
    for id, wanted in line.after.items():
        if id == "encounter":
            found: Struct = table.state
        elif id in table.state.combatants:
            found = table.state.combatants[id]
        else:
            raise AssertionError(f"{where}: there is no combatant {id}")
        for name, value in wanted.items():
            if name not in found.__struct_fields__:
                meant = did_you_mean(name, found.__struct_fields__)
                raise AssertionError(f"{where}: {id} has no {name!r} to expect afterwards{meant}")
            actual = msgspec.json.decode(msgspec.json.encode(getattr(found, name)))
            if name == "conditions" and isinstance(value, list):
                actual, value = sorted(actual), sorted(value)
            if actual != value:
                raise AssertionError(f"{where}: {id}'s {name} is {actual!r}, not {value!r}")
