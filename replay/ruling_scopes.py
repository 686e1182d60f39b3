"""Rulings for one event on a line that is decided again: in force for that declaration, and for no other.

The order of declarations may differ from that on the line before, and others may come in between. So what is
ruled for one declaration ends before any other declaration, and holds again for its own.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from affray.engine.dice import RULED
from affray.engine.fight.fight import Fight
from affray.engine.table.appending import ONE_DECLARATION
from affray.events.facts.combat import EffectEnded, EffectGained
from affray.events.facts.declared import Ruled
from affray.events.facts.flow import OptionsChanged
from affray.projections.state import Encounter


class Line(Protocol):
    """A line that is decided again: what rulings are written to."""

    fight: Fight

    def record(self, first: Any, *rest: Any) -> None:
        """Write facts that no rule decides, the first of them the cause of all."""

    def options(
        self,
        reading: Mapping[str, str],
        by: str = "what-if",
        *,
        mine: bool = True,
        cites: tuple[str, ...] = (),
        restores: Mapping[str, str] | UnsetType = UNSET,
    ) -> None:
        """Let other readings hold from here on."""


class EventRuling(Struct):
    """A ruling for one event: its fact, the facts that it makes true, the readings that it changes.

    `restores` are the readings that come back, `holds` says whether it is in force. One that is `ours` is
    ended by this line, any other by what was recorded. One that is `over` never holds again.
    """

    fact: Ruled
    facts: list[Any]
    options: dict[str, str] = field(default_factory=dict)
    restores: dict[str, str] = field(default_factory=dict)
    holds: bool = False
    ours: bool = False
    over: bool = False

    @property
    def effects(self) -> list[EffectGained]:
        """The modifiers that it gives."""
        return [fact for fact in self.facts if type(fact) is EffectGained]


class EventRulings:
    """The rulings for one event that a line meets, by the declarations that they are about."""

    def __init__(self, line: Line, subject: str = "") -> None:
        """Begin where something may hold already that is ruled for `subject`, or else for the next one."""
        self.line = line
        self._by_subject: dict[str, list[EventRuling]] = {}
        self._met = rulings_in_force(line.fight.state)
        self._subject = subject
        self._last: EventRuling | None = None
        self._skipped: EventRuling | None = None

    def make(self, fact: Ruled, facts: list[Any], options: dict[str, str]) -> None:
        """Write a new ruling; one for an event holds for the declaration that comes next."""
        ruling = EventRuling(fact, facts, options, ours=True)
        self._apply(ruling, facts)
        if fact.scope == "event" and (ruling.effects or options):
            self._know(ruling)

    def meet(self, fact: Ruled, facts: Sequence[Any]) -> None:
        """Take note of a recorded ruling that was written just now."""
        if fact.scope == "event" and fact.subject and fact.verdict not in ("void", "upheld", "ends"):
            self._last = EventRuling(fact, list(facts), holds=True)
            self._know(self._last)

    def meet_options(self, changed: OptionsChanged) -> bool:
        """Say whether recorded readings belong to the end of a ruling that is over already.

        Readings that a ruling changes for its event are taken note of.
        """
        if changed.restores and self._last is not None:
            self._last.options, self._last.restores = dict(changed.options), dict(changed.restores)
        for ruling in chain.from_iterable(self._by_subject.values()):
            if not changed.restores and ruling.holds and changed.options.keys() == ruling.restores.keys():
                ruling.holds, ruling.over = bool(ruling.effects), not ruling.effects
        skipped, self._skipped = self._skipped, None
        return skipped is not None and changed.options.keys() == skipped.restores.keys()

    def meet_end(self, fact: Ruled, facts: Sequence[Any]) -> bool:
        """Say whether the recorded end of a ruling is to be written: whether it is still in force."""
        ended = {(one.who, one.id) for one in facts if type(one) is EffectEnded}
        for ruling in chain.from_iterable(self._by_subject.values()):
            given = {(one.who, one.id) for one in ruling.effects}
            if (ruling.fact.id and ruling.fact.id == fact.id) or given & ended:
                if ruling.holds:
                    ruling.holds, ruling.over = False, True
                    return True
                ruling.ours, self._skipped = True, ruling
                return False
        return True

    def before(self, id: str) -> None:
        """Let what is ruled for one event hold for the declaration that comes next, if it is that one."""
        self._last = self._skipped = None
        for ruling in self._met:
            ruling.fact = replace(ruling.fact, subject=self._subject or id)
            self._know(ruling)
        self._met = []
        for ruling in chain.from_iterable(self._by_subject.values()):
            if ruling.holds and ruling.fact.subject != id:
                self._end(ruling)
        for ruling in self._by_subject.get(id, ()):
            if not ruling.holds and not ruling.over:
                self._apply(ruling, ruling.effects)
                ruling.ours = True

    def after(self, id: str) -> None:
        """End what this line has ruled for a declaration that is decided."""
        for ruling in self._by_subject.get(id, ()):
            if ruling.holds and ruling.ours:
                self._end(ruling)
                ruling.over = True

    def _know(self, ruling: EventRuling) -> None:
        self._by_subject.setdefault(ruling.fact.subject, []).append(ruling)

    def _apply(self, ruling: EventRuling, facts: Sequence[Any]) -> None:
        fact, fight = ruling.fact, self.line.fight
        self.line.record(fact, *facts)
        if ruling.options:
            known = fight.state.restores
            ruling.restores = {name: known.get(name) or fight.option(name) for name in ruling.options}
            cites = (f"{RULED}{fact.id}",) if fact.id else ()
            lasts = fact.scope != "event"
            restores = UNSET if lasts else ruling.restores
            author = fact.author or "ruling"
            self.line.options(ruling.options, author, mine=lasts, cites=cites, restores=restores)
        ruling.holds = True

    def _end(self, ruling: EventRuling) -> None:
        why = "it was ruled for one declaration"
        ended = [EffectEnded(who=one.who, id=one.id, why=why) for one in ruling.effects]
        self.line.record(replace(ruling.fact, verdict="ends"), *ended)
        self.line.options(ruling.restores, ruling.fact.author or "ruling", mine=False)
        ruling.holds = False


def rulings_in_force(state: Encounter) -> list[EventRuling]:
    """Return what the state holds that was ruled for one event, ruling by ruling, the readings last."""
    found: dict[str, EventRuling] = {}
    for one in state.combatants.values():
        for effect in one.effects:
            if effect.until != ONE_DECLARATION:
                continue
            modifier = effect.modifier
            fact = Ruled("", "amended", modifier.source, id=modifier.rule.removeprefix(RULED))
            ruling = found.setdefault(modifier.rule, EventRuling(fact, [], holds=True))
            ruling.facts.append(
                EffectGained(
                    who=one.id,
                    id=effect.id,
                    stat=effect.stat,
                    modifier=modifier,
                    until=effect.until,
                    against=effect.against,
                    uses=effect.uses,
                    cites=(modifier.rule,) if modifier.rule else (),
                )
            )
    if state.restores:
        options = {name: state.options[name] for name in state.restores}
        fact = Ruled("", "amended", "readings for one declaration")
        found[""] = EventRuling(fact, [], options, dict(state.restores), holds=True)
    return list(found.values())
