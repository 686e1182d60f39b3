"""Declarations of scenarios, decided again with other figures of the rule catalogue."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from affray.engine.dice import Recorded, Seeded, seed_of
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import auto
from affray.engine.table.runner import resolve
from affray.engine.table.scenario_parts import Scenario
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.flow import Declared
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate
from affray.replay.log.declarations import Recording, groups
from affray.replay.log.rules_for_fight import make_fight_context
from tests.campaigns.played import played


class Citing(Struct, frozen=True):
    """An event that cites a rule; `valued` says that one of its modifiers has its value from the rule."""

    event: Event
    valued: bool

    def says(self) -> str:
        """Return in a few words what the event says."""
        value = msgspec.json.decode(self.event.data)
        names = ("reason", "what", "why", "check", "condition", "kind", "contest", "how", "item", "state")
        return "; ".join(str(value[name]) for name in names if value.get(name))[:90]


class Decided(Struct):
    """One declaration of a scenario: the state before it, what came of it, and what cites which rule."""

    scenario: str
    seed: bytes
    state: Encounter
    first: Declared
    events: list[Event]
    known: Recording
    cites: dict[str, list[Citing]] = field(default_factory=dict)

    def came(self) -> Counter[bytes]:
        """Return what came of it."""
        return Counter(event.data for event in self.events)

    def again(self, changes: Mapping[str, Any]) -> Counter[bytes] | None:
        """Return what comes of it with other figures, the dice and answers as recorded; None if it breaks."""
        try:
            found = resolve(
                make_fight_context(duplicate(self.state), self.seed, dict(changes)),
                self.first,
                seq=self.events[0].seq,
                dice=Recorded(self.known.faces, Seeded(self.seed), strict=False),
                answers=RecordedAnswers(self.known.answers, auto),
            )
        except Exception:
            return None  # a figure that breaks a step is used in it
        return Counter(entry.data for entry in found.entries)


def decided(name: str, scenario: Scenario) -> Iterator[Decided]:
    """Yield the declarations of a scenario, in order."""
    state, seed = Encounter(), seed_of(scenario.seed or scenario.name)
    for group in groups(played(scenario).read("main")):
        facts = [decode(event) for event in group]
        if type(facts[0]) is Declared:
            one = Decided(name, seed, duplicate(state), facts[0], group, Recording.of(facts))
            for event in group[1:]:
                for rule, valued in cited(event).items():
                    one.cites.setdefault(rule, []).append(Citing(event, valued))
            yield one
        for fact in facts:
            apply(state, fact)


def cited(event: Event) -> dict[str, bool]:
    """Return the rules that an event cites, each with whether one of its modifiers has its value from it."""
    value = msgspec.json.decode(event.data)
    found = dict.fromkeys(value.get("cites", ()), False)
    if value.get("rule"):
        found[value["rule"]] = False
    return found | dict.fromkeys(modifier_rules(value), True)


def modifier_rules(value: Any) -> Iterator[str]:
    """Yield the rules of all modifiers within a fact."""
    if isinstance(value, dict):
        if "denied" in value and value.get("rule"):
            yield value["rule"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from modifier_rules(inner)
