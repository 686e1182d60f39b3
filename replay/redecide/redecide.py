"""Decide recorded declarations again on a line with a change."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, takewhile
from typing import Any, Protocol

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from affray.engine.dice import (
    DRAWN,
    MASTER,
    RULED,
    Drawn,
    ImpossibleFaces,
    Notation,
    Overridden,
    Seeded,
    joint_seed,
    parse,
    rethrow,
)
from affray.engine.dice.distribution import distribution
from affray.engine.dice.distribution import faces_for as faces_of_total
from affray.engine.dice.notation import same_dice
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.kernel.turns import turns_are_over
from affray.engine.steps import Choice
from affray.engine.table.appending import ONE_DECLARATION, Resolution
from affray.engine.table.dice import players
from affray.engine.table.policies import AGAIN, Answers, auto, checked_answers
from affray.engine.table.runner import refusal_of, resolve
from affray.events.codec import entry
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.acts import EndTurn
from affray.events.facts.base import LONGEST_NAME, Fact
from affray.events.facts.combat import EffectEnded, EffectGained
from affray.events.facts.flow import (
    REFUSED,
    Asked,
    BranchPromoted,
    ChainBegun,
    ChainLeft,
    Declared,
    EncounterOpened,
    Invalidated,
    OptionsChanged,
    Refused,
    Rolled,
    Ruled,
)
from affray.projections.audit import rolls_of
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate
from affray.replay.log.declarations import BESIDE, POLICY, Recording, Script, fact_of
from affray.replay.redecide.rulings import Ruling, Sorted, relevant, sort

# --- Rulings on a roll's outcome by a word: the nearest die result that gives the outcome

GOOD = {"hit": True, "success": True, "miss": False, "failure": False}
"""The words, and whether they favour the roller."""

Trial = Callable[[Mapping[str, tuple[int, ...]]], Sequence[object]]
"""Returns the facts of a declaration with other dice results for some keys."""


class NoSuchOutcome(AffrayError):
    """No roll or several rolls of that name were made, or no result of its die gives that outcome."""


def concerns(roll: str, declaration: str, subject: str) -> bool:
    """Return whether a roll, named by its key or its purpose, belongs to a declaration.

    A purpose alone means the declaration `subject`, which is ruled on.
    """
    return declaration == (roll.split("/")[0] if "/" in roll else subject)


def faces_for(roll: str, word: str, trial: Trial) -> tuple[str, tuple[int, ...]]:
    """Return the key of a roll and the die results that give the outcome named by a word.

    These are the actual results if possible, else those of the nearest total, the lower of two. O(totals)
    trials. Raises NoSuchOutcome.
    """
    facts = trial({})
    known = dict(outcomes(facts))
    keys = [key for key in known if roll in (key, purpose_of(key), purpose_of(key).split("-")[0])]
    if len(keys) != 1:
        there = ", ".join(keys or known) or "none"
        several = (
            f"{len(keys)} rolls are named {roll!r}: give the key" if keys else f"no roll {roll!r} was made"
        )
        raise NoSuchOutcome(f"{several}; rolls with a hit or a success: {there}")
    key = keys[0]
    rolled = next(fact for fact in facts if type(fact) is Rolled and fact.key == key)
    if known[key] == GOOD[word]:
        return key, rolled.faces
    notation = parse(rolled.notation)
    for total in sorted(distribution(rolled.notation).ways, key=lambda one: (abs(one - rolled.total), one)):
        with suppress(ImpossibleFaces):
            faces = faces_of_total(notation, total)
            if dict(outcomes(trial({key: faces}))).get(key) == GOOD[word]:
                return key, faces
    raise NoSuchOutcome(
        f"no result of {key} ({rolled.notation}) makes it a {word}: change its modifiers or the outcome"
    )


def purpose_of(key: str) -> str:
    """Return the purpose of a roll, from its key."""
    return key.split("/")[-2] if "/" in key else key


def outcomes(facts: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """Yield the keys of rolls with an outcome, and whether it was good for the roller."""
    rolled = {fact.key for fact in facts if type(fact) is Rolled}
    for at, fact in enumerate(facts):
        kind = type(fact)
        if kind is combat.ContestResolved:
            for index in rolls_of(facts, at):
                yield facts[index].key, fact.won == (facts[index].who == fact.who)
        elif getattr(fact, "key", "") not in rolled:
            continue
        elif kind is combat.AttackResolved:
            yield fact.key, fact.result != "miss"
        elif kind is combat.ConfirmationResolved:
            yield fact.key, fact.confirmed
        elif kind is combat.CheckResolved:
            yield fact.key, fact.success
        elif kind is combat.MissChanceResolved:
            yield fact.key, not fact.missed


# --- Rulings for one event on a line that is decided again: in force for that declaration only
#
# Declarations may be in another order than on the original line, with others in between. A ruling for one
# declaration therefore ends before any other declaration, and is in force again for its own.


class Line(Protocol):
    """A line that is decided again, to which rulings are written."""

    fight: Fight

    def record(self, first: object, *rest: object) -> None:
        """Write facts that no rule decides, the first of them being the cause of all."""

    def options(
        self,
        reading: Mapping[str, str],
        by: str = "what-if",
        *,
        mine: bool = True,
        cites: tuple[str, ...] = (),
        restores: Mapping[str, str] | UnsetType = UNSET,
    ) -> None:
        """Change readings from here on."""


class EventRuling(Struct):
    """A ruling for one event: its fact, its consequences, and the readings that it changes.

    `restores` are the readings to restore, `holds` is true while it is in force. One that is `ours` is ended
    by this line, any other by the recorded end. One that is `over` is never in force again.
    """

    fact: Ruled
    facts: list[Fact]
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
    """The rulings for one event on a line, by their declarations."""

    def __init__(self, line: Line, subject: str = "") -> None:
        """Start with rulings for `subject` possibly in force, or else for the next declaration."""
        self.line = line
        self._by_subject: dict[str, list[EventRuling]] = {}
        self._met = find_rulings_in_force(line.fight.state)
        self._subject = subject
        self._last: EventRuling | None = None
        self._skipped: EventRuling | None = None

    def make(self, fact: Ruled, facts: list[Fact], options: dict[str, str]) -> None:
        """Write a new ruling; one for an event applies to the next declaration."""
        ruling = EventRuling(fact, facts, options, ours=True)
        self._apply(ruling, facts)
        if fact.scope == "event" and (ruling.effects or options):
            self._know(ruling)

    def meet(self, fact: Ruled, facts: Sequence[Fact]) -> None:
        """Take a recorded ruling that was just written."""
        if fact.scope == "event" and fact.subject and fact.verdict not in ("void", "upheld", "ends"):
            self._last = EventRuling(fact, list(facts), holds=True)
            self._know(self._last)

    def meet_options(self, changed: OptionsChanged) -> bool:
        """Return whether recorded readings belong to the end of a ruling that is already over.

        Readings that a ruling changes for its event are noted.
        """
        if changed.restores and self._last is not None:
            self._last.options, self._last.restores = dict(changed.options), dict(changed.restores)
        for ruling in chain.from_iterable(self._by_subject.values()):
            if not changed.restores and ruling.holds and changed.options.keys() == ruling.restores.keys():
                ruling.holds, ruling.over = bool(ruling.effects), not ruling.effects
        skipped, self._skipped = self._skipped, None
        return skipped is not None and changed.options.keys() == skipped.restores.keys()

    def meet_end(self, fact: Ruled, facts: Sequence[object]) -> bool:
        """Return whether the recorded end of a ruling must be written: whether it is still in force."""
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
        """Put rulings for one event in force if the next declaration is theirs."""
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
        """End this line's rulings for a declaration that was decided."""
        for ruling in self._by_subject.get(id, ()):
            if ruling.holds and ruling.ours:
                self._end(ruling)
                ruling.over = True

    def _know(self, ruling: EventRuling) -> None:
        self._by_subject.setdefault(ruling.fact.subject, []).append(ruling)

    def _apply(self, ruling: EventRuling, facts: Sequence[object]) -> None:
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


def find_rulings_in_force(state: Encounter) -> list[EventRuling]:
    """Return the rulings for one event in the state, ruling by ruling, the readings last."""
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


class BranchWriter:
    """A new line being written: the working state, and the result of each declaration."""

    def __init__(
        self,
        fight: Fight,
        seq: int,
        faces: Mapping[str, Sequence[int]],
        policy: Answers,
        seed: bytes | None,
        ids: set[str],
        earlier: Callable[[], Iterable[str]] = tuple,
        *,
        ruled: Sorted | None = None,
        rules: Mapping[str, str] | None = None,
        leave_open: bool = False,
        revive: Iterable[str] = (),
        amended: Iterable[str] = (),
        inserted: Iterable[str] = (),
        ruled_for: str = "",
    ) -> None:
        self.fight, self.seq, self.policy, self.ids = fight, seq, checked_answers(policy), ids
        self._earlier = earlier
        self.ruled, self.rules, self.leave_open = ruled or Sorted(), dict(rules or {}), leave_open
        self.revive = {*revive, *self.ruled.revived}
        self.amended, self.inserted = set(amended), frozenset(inserted)
        self.chosen: dict[str, None] = {}
        self.worded: dict[str, None] = {}
        self.subject = ""
        self.waiting: Asked | None = None
        self.entries: list[Entry] = []
        self.invalidated: dict[str, tuple[str, str]] = {}
        self.allowed: dict[str, tuple[str, str]] = {}
        self.revived: list[str] = []
        self.refused: dict[str, tuple[str, str]] = {}
        self.possible: list[str] = []
        self.fresh: list[str] = []
        self.asked: dict[str, str] = {}
        self.ended: dict[str, str] = {}
        self.keys: list[str] = []
        self.choices: list[str] = []
        self.count = 0
        self._seed = seed
        changed = {key: tuple(shown) for key, shown in faces.items()} | self.ruled.faces
        by = {key: self.rules[key] for key in self.ruled.faces if key in self.rules}
        self._changed = Overridden(changed, self, by)
        self._recording = Recording({}, {}, {})
        self._drawn = Drawn(self._recording.link)
        self._open = ""
        self._voided: dict[str, str] = {}
        self._event_rulings = EventRulings(self, ruled_for)
        self._options: set[str] = set()
        self._last = ""

    @property
    def overridden(self) -> Mapping[str, None]:
        """The keys of the rolls replaced so far, in order."""
        return self._changed.used

    @property
    def numbering(self) -> tuple[str, ...]:
        """The state that the ids of turns ended by policy depend on, besides the remaining groups."""
        return self._last, *self.ended

    def options(
        self,
        reading: Mapping[str, str],
        by: str = "what-if",
        *,
        mine: bool = True,
        cites: tuple[str, ...] = (),
        restores: Mapping[str, str] | UnsetType = UNSET,
    ) -> None:
        """Change readings from here on; requested ones are not undone by recorded ones."""
        if mine:
            self._options.update(reading)
        else:
            reading = {option: value for option, value in reading.items() if option not in self._options}
        if reading:
            options = dict(sorted(reading.items()))
            back = {option: restores[option] for option in options if option in restores} if restores else {}
            changed = OptionsChanged(options=options, by=by, cites=cites, restores=back or UNSET)
            self.record(changed)
            # The fight's caches were computed under the old reading.
            seed = self.fight.seed
            self.fight = Fight(self.fight.state, self.fight.dialect)
            self.fight.seed = seed

    def rule(self, ruling: Ruling, subject: str, facts: list[Fact]) -> None:
        """Write a ruling on the next declaration, with its consequences."""
        self.subject = subject
        fact = make_ruled_fact(ruling, "void" if ruling.void else ruling.verdict, subject)
        self._event_rulings.make(fact, facts, sort(ruling).options)
        if ruling.void:
            self._voided[subject] = ruling.text

    def play(self, script: Script) -> None:
        """Decide a recorded group again."""
        first, rest = script.facts[0], script.facts[1:]
        kind = type(first)
        if kind is Declared:
            self._declaration(first, script.facts)
        elif kind is OptionsChanged:
            if not self._event_rulings.meet_options(first):
                self.options(first.options, first.by, mine=False, cites=first.cites, restores=first.restores)
        elif kind in BESIDE:
            self.record(first)
        elif kind is Ruled and relevant(self.fight, rest):
            self._ruled(first, rest)
        elif kind not in (Ruled, BranchPromoted, EncounterOpened):
            raise AffrayError(f"a {kind.__name__} belongs to no declaration: verify the log first")

    def _ruled(self, first: Ruled, rest: Sequence[Fact]) -> None:
        """Write a recorded ruling again, or its end if it is still in force."""
        if first.verdict == "ends" and not self._event_rulings.meet_end(first, rest):
            return
        self.record(first, *rest)
        self._event_rulings.meet(first, rest)
        if first.verdict == "void":
            self._voided[first.subject] = first.text

    def end_turn(self, who: str) -> bool:
        """End a turn by policy ("" moves on without a turn); False if the rules refuse it."""
        id = self._id_of_its_own()
        self._event_rulings.before(id)
        self._know((), "")
        result = self._resolve(Declared(id, EndTurn(actor=who), POLICY))
        self.waiting = result.waiting
        if result.refused is not None:
            # Only the declaration itself was counted, and it will not be recorded.
            self.fight.state.declarations -= 1
            return False
        self.ids.add(id)
        self.ended[id] = who
        self._write(result.entries)
        return True

    def _id_of_its_own(self) -> str:
        """Return the id of a declaration that is not on the original line."""
        number = 1
        # A what-if on a what-if: turns ended by policy before the fork have already used names.
        self.ids.update(self._earlier())
        self._earlier = tuple
        while (id := f"{self._last or 'd0'}.{number}") in self.ids:
            number += 1
        return id

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the recorded results of a key, else new ones; None for the roll that the fight waits for."""
        if key == self._open:
            return None
        found = self._recording.faces.get(key)
        if found is not None and found[1] in DRAWN and MASTER not in self.fight.state.chains:
            found = None  # declared later, and moved to before the chains began
        # Drawn dice depend on their links, and so do new ones in a fight with chains.
        if found[1] in DRAWN if found else players(self.fight.state):
            thrown = self._drawn.throw(key, notation)
            if not found:
                self.fresh.append(key)
            return thrown
        # Other dice than recorded are another roll.
        if found is not None and same_dice(parse(self._recording.notations[key]), notation):
            with suppress(ImpossibleFaces):
                return rethrow(notation, found[0]), found[1]
        if self._seed is None:
            raise AffrayError(f"{key} ({notation}) was not rolled and the seed is unknown: give its results")
        self.fresh.append(key)
        return Seeded(joint_seed(self._seed, self.fight.state.contributions)).throw(key, notation)

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the recorded answer of a key, else that of policy; None for the pending question."""
        if key == self._open:
            return None
        given = self.ruled.choices.get(key)
        if given is not None:
            if given not in choice.options:
                raise AffrayError(
                    f"{given!r} is not an answer to {choice.question}: {', '.join(choice.options)}"
                )
            self.chosen[key] = None
            return given, self.rules.get(key, AGAIN)
        found = self._recording.answers.get(key)
        if found is not None and found[0] in choice.options:
            return found
        said = self.policy(fight, key, choice)
        if said is None and self.leave_open:
            return None
        answer, by = said or auto(fight, key, choice) or (choice.options[0], "")
        self.asked[key] = answer
        return answer, f"{AGAIN}/{by}"[:LONGEST_NAME]

    def _declaration(self, first: Declared, facts: Sequence[object]) -> None:
        """Decide a declaration again, with the rulings for it alone."""
        self._event_rulings.before(first.id)
        self._decide(first, facts)
        if self.waiting is None:
            self._event_rulings.after(first.id)

    def _decide(self, first: Declared, facts: Sequence[object]) -> None:
        self.count += 1
        if not first.id.startswith(REFUSED):
            self._last = first.id.split(".")[0]
        last = facts[-1]
        ruled = last if type(last) is Ruled else None
        question = facts[-2] if ruled else last
        self._know(facts, question.key if type(question) is Asked else "")
        if first.id in self._voided:
            self.record(first, Invalidated(first.id, f"ruled void: {self._voided[first.id]}", ""))
            self.invalidated[first.id] = (f"ruled void: {self._voided[first.id]}", "")
            return
        if type(last) is Refused and first.id not in self.revive:
            self._refused_before(first, last)
            return
        start = self.seq + 1
        self._come_to(first)
        # An inserted declaration that is refused does not change the numbers of the others.
        apart = f"{REFUSED}{first.id}" if first.id in self.inserted and first.id[0] != REFUSED else ""
        result = self._resolve(first, apart)
        entries, refused = result.entries, result.refused
        if type(last) is Refused and refused is None:
            self.revived.append(first.id)
        elif refused is not None and (type(last) is Refused or first.id in self.amended):
            self.refused[refused.id] = (refused.reason, refused.rule)
        elif refused is not None:
            fact = Invalidated(refused.id, refused.reason, refused.rule)
            entries[-1] = replace(entry(fact, 0, 0, "", 0), **_place(entries[-1]))
            self.invalidated[first.id] = (refused.reason, refused.rule)
        elif type(last) is Invalidated:
            self.possible.append(first.id)
        self._write(entries)
        if result.waiting is not None and (ruled is None or result.waiting.key != self._open):
            # The line ends here, also if the question was already pending: no declaration is possible until
            # it is answered.
            self.waiting = result.waiting
        elif result.waiting is not None and ruled is not None:
            state = self.fight.state
            self._write([entry(ruled, state.round, state.turn, "", start)])
            apply(state, ruled)

    def _refused_before(self, first: Declared, then: Refused) -> None:
        """Refuse again a declaration that was refused, even if the rules would allow it now."""
        state, start = self.fight.state, self.seq + 1
        self.record(first)
        refusal = refusal_of(self.fight, first)
        if refusal is not None:
            fact = Refused(first.id, refusal.reason, refusal.rule)
        else:
            fact = Refused(first.id, then.reason, then.rule, stays=True)
            self.allowed[first.id] = (then.reason, then.rule)
        self._write([entry(fact, state.round, state.turn, first.act.actor, start)])
        apply(state, fact)

    def _come_to(self, first: Declared) -> None:
        """Find dice results with which the rolls of a declaration have the outcomes ruled in words."""
        for roll, word in self.ruled.words.items():
            if roll in self.worded or not concerns(roll, first.id, self.subject):
                continue
            kept = {**self.asked}, {**self.chosen}, [*self.fresh]

            def trial(changes: Mapping[str, tuple[int, ...]]) -> list[object]:
                fight = Fight(duplicate(self.fight.state), self.fight.dialect)
                fight.seed = self.fight.seed
                dice = Overridden({**self._changed.changes, **changes}, self)
                self._drawn = Drawn(self._recording.link)
                resolved = resolve(fight, first, seq=self.seq + 1, dice=dice, answers=self.answer)
                return [fact_of(made) for made in resolved.entries]

            key, faces = faces_for(roll, word, trial)
            self._drawn = Drawn(self._recording.link)
            self.asked, self.chosen, self.fresh = kept
            self._changed.changes[key] = faces
            self._changed.by.update({key: self.rules[roll]} if roll in self.rules else {})
            self.worded[roll] = None

    def _know(self, facts: Sequence[object], open: str) -> None:
        self._recording, self._open = Recording.of(facts), open
        self._drawn = Drawn(self._recording.link)

    def _resolve(self, declared: Declared, refused_id: str = "") -> Resolution:
        return resolve(
            self.fight,
            declared,
            seq=self.seq + 1,
            dice=self._changed,
            answers=self.answer,
            refused_id=refused_id,
        )

    def record(self, first: object, *rest: object) -> None:
        """Write facts that no rule decides, the first of them being the cause of all."""
        state, cause = self.fight.state, self.seq + 1
        actor = first.act.actor if type(first) is Declared else ""
        for fact in (first, *rest):
            self._write([entry(fact, state.round, state.turn, actor, cause)])
            apply(state, fact)
        self.fight.memory.touch_everything()

    def _write(self, entries: list[Entry]) -> None:
        self.entries += entries
        self.seq += len(entries)
        self.keys += [key_of(made) for made in entries if made.type == "rolled"]
        self.choices += [key_of(made) for made in entries if made.type == "chosen"]


def make_ruled_fact(ruling: Ruling, verdict: str, subject: str) -> Ruled:
    """Return the fact of a ruling."""
    return Ruled(
        ruling.author,
        verdict,
        ruling.text,
        subject,
        ruling.id,
        ruling.dispute,
        ruling.event,
        ruling.scope,
        ruling.effects,
    )


def _place(made: Entry) -> dict[str, object]:
    return {"round": made.round, "turn": made.turn, "actor": made.actor, "cause": made.cause}


def key_of(made: Entry) -> str:
    """Return the key of a roll's or an answer's entry."""
    return str(fact_of(made).key)


# --- The order in which recorded declarations are decided again: each combatant in its own turn


class Redecider(Protocol):
    """A new line being written, as needed for the order."""

    fight: Fight
    waiting: Asked | None

    def play(self, script: Script) -> None:
        """Decide a recorded group again."""

    def end_turn(self, who: str) -> bool:
        """End a turn by policy; False if the rules refuse it."""


class Reach:
    """Play recorded groups in an order that fits the turns of the new line.

    Each combatant repeats in a turn its declarations of that turn, also if the order has changed. A turn
    without recorded declarations is passed by policy.
    """

    def __init__(
        self, again: Redecider, recorded: Iterable[Script], played: Callable[[Script], object] = id
    ) -> None:
        """Play into a new line; `played` is called with each recorded group once it was played."""
        self.again, self._played = again, played
        self.queue = list(recorded)

    def run(self) -> None:
        """Play everything. Declarations whose turn never comes are refused, and so become invalid.

        If the new line waits for an answer, it ends; the remaining groups stay in the queue.
        """
        while self.step():
            pass

    def step(self) -> bool:
        """Play the next group, and what comes before it; False if nothing can be played."""
        if not self.queue or self.again.waiting is not None:
            return False
        script = self.queue.pop(0)
        if script.owner:
            self._reach(script)
        if self.again.waiting is not None:
            self.queue.insert(0, script)
            return False
        self.again.play(script)
        self._played(script)
        return True

    def _reach(self, script: Script) -> None:
        """Advance the turn to the owner of a script, if it is still to come in its round."""
        for _ in range(4 * len(self.again.fight.state.combatants) + 4):
            fight = self.again.fight
            state = fight.state
            active = state.active
            if active == script.owner or state.closed or turns_are_over(fight) or not self._due(script):
                return
            own = [one for one in self._ahead() if one.owner == active and one.round == state.round]
            if active and own:
                for one in own:
                    self.queue.remove(one)
                    self.again.play(one)
                    self._played(one)
                    if self.again.waiting is not None:
                        return
                if state.active != active:
                    continue
            if not self.again.end_turn(active) or self.again.waiting is not None:
                return

    def _ahead(self) -> Iterator[Script]:
        """Yield the groups that may move ahead: none passes the beginning or the end of a chain."""
        return takewhile(lambda one: type(one.facts[0]) not in (ChainBegun, ChainLeft), self.queue)

    def _due(self, script: Script) -> bool:
        """Return whether the owner's turn in the script's round is still to come."""
        state = self.again.fight.state
        owner = state.combatants.get(script.owner)
        if (
            owner is None
            or owner.id not in state.order
            or not self.again.fight.dialect.kernel.can_act(self.again.fight, owner)
        ):
            return False
        if script.round != state.round or not state.active:
            return script.round >= state.round
        return state.active not in state.order or state.order.index(owner.id) > state.order.index(
            state.active
        )
