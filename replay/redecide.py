"""Deciding recorded declarations again on a line where something has changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from affray.engine.dice import (
    DRAWN,
    MASTER,
    Drawn,
    ImpossibleFaces,
    Notation,
    Overridden,
    Seeded,
    joint_seed,
    parse,
    rethrow,
)
from affray.engine.dice.notation import same_dice
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice
from affray.engine.table.appending import Resolution
from affray.engine.table.dice import players
from affray.engine.table.policies import AGAIN, Answers, auto, checked_answers
from affray.engine.table.runner import refusal_of, resolve
from affray.events.codec import entry
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts.acts import EndTurn
from affray.events.facts.base import LONGEST_NAME
from affray.events.facts.declared import (
    REFUSED,
    Asked,
    BranchPromoted,
    Declared,
    Invalidated,
    Refused,
    Ruled,
)
from affray.events.facts.flow import EncounterOpened, OptionsChanged
from affray.projections.fold import apply
from affray.projections.state import duplicate
from affray.replay.groups import Recording
from affray.replay.outcome_by_word import concerns, faces_for
from affray.replay.ruling import Ruling, Sorted, relevant, sort
from affray.replay.ruling_scopes import EventRulings
from affray.replay.scripts import BESIDE, POLICY, Script, fact_of


class Again:
    """A new line being written: the working state, and what has become of each declaration."""

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
        """The keys whose faces were replaced so far, in order."""
        return self._changed.used

    @property
    def numbering(self) -> tuple[str, ...]:
        """What the ids of turns ended by policy depend on from here on, beside what is still to be played."""
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
        """Let other readings hold from here on; those asked for are not undone by recorded ones."""
        if mine:
            self._options.update(reading)
        else:
            reading = {option: value for option, value in reading.items() if option not in self._options}
        if reading:
            options = dict(sorted(reading.items()))
            back = {option: restores[option] for option in options if option in restores} if restores else {}
            changed = OptionsChanged(options=options, by=by, cites=cites, restores=back or UNSET)
            self.record(changed)
            # What the fight remembers was worked out under the old reading.
            seed = self.fight.seed
            self.fight = Fight(self.fight.state, self.fight.dialect)
            self.fight.seed = seed

    def rule(self, ruling: Ruling, subject: str, facts: list[Any]) -> None:
        """Write down a ruling on the declaration that comes next, with what it makes true."""
        self.subject = subject
        fact = ruled_fact(ruling, "void" if ruling.void else ruling.verdict, subject)
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
            raise AffrayError(f"a {kind.__name__} follows from no declaration: verify the log first")

    def _ruled(self, first: Ruled, rest: Sequence[Any]) -> None:
        """Write down a recorded ruling again, or its end as far as it is still in force."""
        if first.verdict == "ends" and not self._event_rulings.meet_end(first, rest):
            return
        self.record(first, *rest)
        self._event_rulings.meet(first, rest)
        if first.verdict == "void":
            self._voided[first.subject] = first.text

    def end_turn(self, who: str) -> bool:
        """End a turn by policy ("" passes on from no turn); False if the rules refuse it."""
        id = self._id_of_its_own()
        self._event_rulings.before(id)
        self._know((), "")
        result = self._resolve(Declared(id, EndTurn(actor=who), POLICY))
        self.waiting = result.waiting
        if result.refused is not None:
            # Nothing but the declaration itself has been counted, and it is not going to be recorded.
            self.fight.state.declarations -= 1
            return False
        self.ids.add(id)
        self.ended[id] = who
        self._write(result.entries)
        return True

    def _id_of_its_own(self) -> str:
        """Return the id of a declaration that nobody made on the line before."""
        number = 1
        # A what-if on a what-if: turns ended by policy before the fork have taken names already.
        self.ids.update(self._earlier())
        self._earlier = tuple
        while (id := f"{self._last or 'd0'}.{number}") in self.ids:
            number += 1
        return id

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the recorded faces of a key, else fresh ones; None for the roll the fight waits for."""
        if key == self._open:
            return None
        found = self._recording.faces.get(key)
        if found is not None and found[1] in DRAWN and MASTER not in self.fight.state.chains:
            found = None  # it was declared later, and came to stand before there were chains
        # What was drawn follows from its links, and so does what is new in a fight with chains.
        if found[1] in DRAWN if found else players(self.fight.state):
            thrown = self._drawn.throw(key, notation)
            if not found:
                self.fresh.append(key)
            return thrown
        # Other dice than then are another roll.
        if found is not None and same_dice(parse(self._recording.notations[key]), notation):
            with suppress(ImpossibleFaces):
                return rethrow(notation, found[0]), found[1]
        if self._seed is None:
            raise AffrayError(f"nobody rolled {key} ({notation}) and the seed is unknown: give its faces")
        self.fresh.append(key)
        return Seeded(joint_seed(self._seed, self.fight.state.contributions)).throw(key, notation)

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the recorded answer of a key, else what policy says; None for the question still open."""
        if key == self._open:
            return None
        given = self.ruled.choices.get(key)
        if given is not None:
            if given not in choice.options:
                raise AffrayError(f"{given!r} is no answer to {choice.question}: {', '.join(choice.options)}")
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

    def _declaration(self, first: Declared, facts: Sequence[Any]) -> None:
        """Decide a declaration again, with what is ruled for it alone."""
        self._event_rulings.before(first.id)
        self._decide(first, facts)
        if self.waiting is None:
            self._event_rulings.after(first.id)

    def _decide(self, first: Declared, facts: Sequence[Any]) -> None:
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
        # One that is put in between moves no number of those that count if it is refused.
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
            # The line ends here, also where the question was open before: nothing can be declared meanwhile.
            self.waiting = result.waiting
        elif result.waiting is not None and ruled is not None:
            state = self.fight.state
            self._write([entry(ruled, state.round, state.turn, "", start)])
            apply(state, ruled)

    def _refused_before(self, first: Declared, then: Refused) -> None:
        """Refuse once more what was refused when it was declared, also where the rules would allow it now."""
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
        """Look for faces with which the rolls of a declaration come to what is ruled in words."""
        for roll, word in self.ruled.words.items():
            if roll in self.worded or not concerns(roll, first.id, self.subject):
                continue
            kept = {**self.asked}, {**self.chosen}, [*self.fresh]

            def trial(changes: Mapping[str, tuple[int, ...]]) -> list[Any]:
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

    def _know(self, facts: Sequence[Any], open: str) -> None:
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

    def record(self, first: Any, *rest: Any) -> None:
        """Write facts that no rule decides, the first of them the cause of all."""
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


def ruled_fact(ruling: Ruling, verdict: str, subject: str) -> Ruled:
    """Return the fact that a ruling was made."""
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


def _place(made: Entry) -> dict[str, Any]:
    return {"round": made.round, "turn": made.turn, "actor": made.actor, "cause": made.cause}


def key_of(made: Entry) -> str:
    """Return the key of a roll's or an answer's entry."""
    return str(fact_of(made).key)
