"""The table: one fight over one line of a log. The facade that programs use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.dialects import load, packages_for
from affray.engine.dice import ALGORITHM, Manual, Recorded, Source, commitment, new_seed
from affray.engine.fight.fight import RECORDED, Fight, has_effects
from affray.engine.fight.memory import Mode
from affray.engine.table import policies
from affray.engine.table.appending import (
    ROLL,
    Nobody,
    NothingAsked,
    Outcome,
    Resolution,
    WrongAnswer,
    end_event_rulings,
    ending_entries,
    faces_of,
    refuse_barriers,
)
from affray.engine.table.appending import MustAnswer as MustAnswer
from affray.engine.table.appending import TooLate as TooLate
from affray.engine.table.appending import UnknownChain as UnknownChain
from affray.engine.table.dice import JointDice, TableDice, given, is_for_link, kept_seed, replaying
from affray.engine.table.legal import Legal, Price, legal, price
from affray.engine.table.policies import Answers, checked_answers
from affray.engine.table.runner import resolve
from affray.engine.version import VERSION
from affray.events import logging
from affray.events.chain import SALT_KEY, salt_key
from affray.events.codec import as_read, decode, entry
from affray.events.envelope import Event
from affray.events.errors import AffrayError, Conflict
from affray.events.facts.acts import Close, Enter, Rule
from affray.events.facts.flow import (
    REFUSED,
    AnyAct,
    ChainLeft,
    Chosen,
    CombatantEntered,
    Declared,
    EncounterOpened,
    LinkGiven,
    Ruled,
)
from affray.events.facts.sheet import Barrier, Ground
from affray.events.secrets import SEED
from affray.events.stores.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, Question, duplicate

# --- The parts of a fight that belong to its rulebook and are lost under another one


def yield_unsupported_parts(
    dialect: str, *, readings: Iterable[str], tables: Iterable[str], house_rules: Iterable[str]
) -> Iterator[str]:
    """Yield in sentences the parts of a dialect's fight that another rulebook does not use."""
    for what, there in (
        ("readings of contested rules", readings),
        ("tables of the campaign", tables),
        ("house rules", house_rules),
    ):
        if names := ", ".join(sorted(there)):
            yield f"{what} of {dialect} stay behind: {names}"


# --- The first event of a log: an encounter with its dialect, its map and its sealed dice

ENGINE = f"affray {VERSION}"


def open_encounter(
    store: Store,
    *,
    dialect: str,
    terrain: Sequence[str],
    name: str,
    options: Mapping[str, str],
    seed: bytes | None,
    changes: Mapping[str, object] | None,
    barriers: Sequence[Barrier],
    ground: Sequence[Ground],
    tables: Mapping[str, str],
    house_rules: Iterable[str],
    salted: bool,
) -> None:
    """Store the seed (a new one without any) and append the first event; raise the errors of `Table.create`.

    A `salted` log can be published in parts without allowing guesses of the withheld ones.
    """
    packages = packages_for(dialect, house_rules)
    rules = load(dialect, changes, tables, packages)
    rules.book.check_readings(options)
    rules.book.check_changes(options)
    refuse_barriers(terrain, barriers, rules)
    if seed is None:  # a stored one was left by a process that died before the next step
        seed = store.secret(SEED) or new_seed()
    opened = as_read(
        EncounterOpened(
            name=name,
            dialect=dialect,
            options=dict(sorted(options.items())),
            terrain=tuple(terrain),
            commitment=commitment(seed),
            algorithm=ALGORITHM,
            engine=ENGINE,
            catalogue=f"{dialect}/{len(rules.book)}",
            barriers=tuple(barriers),
            ground=tuple(ground),
            tables=dict(tables),
            packages=packages or UNSET,
            until_closed=True,
            things_lie=True,
            defaults=rules.book.defaults,
            words=rules.recorded_words
            if rules.own_acts or any(one.name == dialect for one in packages)
            else UNSET,
        )
    )
    head = store.head("main")
    if head.seq:
        raise Conflict("main", 0, head.seq)
    # First the seed: a crash in between must not leave an encounter whose dice cannot be revealed.
    store.keep_secret(SEED, seed)
    if salted:
        store.keep_secret(SALT_KEY, salt_key(seed))
    store.append("main", [entry(opened, 0, 0, "", 1)], 0)
    logging.info("encounter.opened", name=name, dialect=dialect)


class Table(JointDice):
    """A fight that is being played.

    Every call of `declare` and `choose` appends its events in one transaction, or none. `state` is
    what the log folds to and must not be written.

    With a `request` id, unique in the log, a call whose answer was lost may be repeated, by any process
    and after any crash: it is applied once and returns what was recorded. Raises RequestReused if the
    id came with another command before. After Conflict, or a log that could not be written, the table
    has caught up with the log, in O(events of the line).

    >>> from affray.engine import Scripted, Table, acts, packaged, set_up
    >>> from affray.events import MemoryStore
    >>> store = MemoryStore()
    >>> table = set_up(packaged("demo_srd35"), store)
    >>> outcome = table.declare(acts.Begin())
    >>> table.state.active
    'sorcerer'
    >>> table.declare(acts.EndTurn(actor="ogre")).refused.reason
    "ogre is out of turn: it is sorcerer's turn"
    >>> table.use(Scripted([17, 4]))
    >>> outcome = table.declare(acts.Attack(actor="sorcerer", target="goblin"))
    >>> [event.type for event in outcome.events][-1], table.state.combatants["goblin"].hp
    ('hit-points.changed', 8)
    >>> Table(store).state == table.state
    True
    """

    def __init__(
        self,
        store: Store,
        branch: str = "",
        *,
        dice: Source | None = None,
        answers: Answers | None = None,
        changes: Mapping[str, object] | None = None,
        memory: Mode | bool = True,
        hands: Iterable[str] = (),
    ) -> None:
        """Open the fight on a branch of `store`, the main line by default. O(events of the line).

        Raises SecretsMissing where the file with the seed of the dice is missing, unless the seed is
        revealed, `dice` are given, or all dice are physical.

        `dice` defaults to the encounter's seeded dice, `answers` to the combatants' own policies and
        automatic play. `changes` alters figures of the rule catalogue (see `Book.load`). `memory`
        selects how answers are cached (see `Mode`), without an effect on results; "checked" raises
        StaleAnswer. For the rolls of `hands` (ids, `side:NAME`, `everybody`; see `by_hand`) the fight
        waits until people have thrown them.
        """
        super().__init__(store, branch or store.main_line())
        self.answers = checked_answers(answers or policies.by_combatant())
        """The policy: a program's own is checked."""
        self._changes = changes
        self._memory = memory
        self._hands = tuple(hands)
        self._given = dice
        self._open_at = 0
        self._told: set[tuple[str, str]] = set()
        self._taken: set[str] = set()
        self._load()

    @classmethod
    def create(
        cls,
        store: Store,
        *,
        dialect: str,
        terrain: Sequence[str],
        name: str = "encounter",
        options: Mapping[str, str] | None = None,
        seed: bytes | None = None,
        dice: Source | None = None,
        answers: Answers | None = None,
        changes: Mapping[str, object] | None = None,
        barriers: Sequence[Barrier] = (),
        ground: Sequence[Ground] = (),
        tables: Mapping[str, str] | None = None,
        house_rules: Iterable[str] = (),
        memory: Mode | bool = True,
        salted: bool = True,
    ) -> Table:
        """Open a new encounter in an empty store.

        The seed of its dice is stored in the secrets of the log and revealed when the encounter closes.
        `tables` replace those of the dialect (`book.read_folder`) and become part of the log. So do the
        names, versions and digests of installed packages: that of the dialect, and `house_rules` by name. In
        a `salted` log the digest of a withheld event confirms no guess. Raises UnknownDialect, UnknownOption,
        UnknownReading, UnreadOption, UnreadFigure, BadTable, MissingPackage, BadPackage, GridError,
        InvalidEntry (a name that is no text), Conflict (the store is not empty).
        """
        open_encounter(
            store,
            dialect=dialect,
            terrain=terrain,
            name=name,
            options=options or {},
            seed=seed,
            changes=changes,
            barriers=barriers,
            ground=ground,
            tables=tables or {},
            house_rules=house_rules,
            salted=salted,
        )
        return cls(store, "main", dice=dice, answers=answers, changes=changes, memory=memory)

    @property
    def waiting(self) -> Question | None:
        """Return the question that the fight waits for."""
        return self.fight.state.pending

    @property
    def seeded(self) -> Source:
        """Return the encounter's own dice, by its seed."""
        return self._dice.seeded

    @property
    def dice(self) -> Source:
        """Return the dice in use: a program's own are checked."""
        return self._dice.source

    def use(self, dice: Source | None = None, answers: Answers | None = None) -> None:
        """Take other dice or another policy from here on."""
        self._given = dice
        self._dice.use(dice)
        if answers is not None:
            self.answers = checked_answers(answers)

    def legal(self, actor: str = "") -> Legal:
        """Return what a combatant may declare now, by default the one whose turn it is; nothing is declared.

        Declarations listed in `open` would not be refused; `closed` gives the reason and rule for each other
        kind. Raises Nobody for an unknown id, or for none while no turn is running; MustAnswer while the
        fight waits.
        """
        self._be_idle()
        combatant = self.state.combatants.get(actor or self.state.active)
        if combatant is None:
            raise Nobody(f"there is no combatant {actor!r} in this fight" if actor else "no turn is running")
        return legal(self.fight, combatant)

    def price(self, act: AnyAct) -> Price:
        """Return the price of a declaration along a given path; nothing is declared.

        The price is the cost, the movement left, the attacks of opportunity or the reason for a refusal, as
        `declare` would find them if no one attacked. Raises MustAnswer while the fight waits.
        O(combatants + squares).
        """
        self._be_idle()
        return price(self.fight, act)

    def declare(
        self, act: AnyAct, by: str = "", request: str = "", *, by_chance: bool | None = None
    ) -> Outcome:
        """Declare an act and append its events, in one transaction.

        Returns a refusal as a value. `by_chance` is recorded with it: whether its text names a combatant
        that is hidden from the player who declares it. Raises InvalidEntry for an act with fields of a wrong
        type or out of bounds, MustAnswer while the fight waits, Conflict when another writer has appended
        (the table has then caught up, and the act may be declared again).
        """
        if self._memory == "reopened":
            self._load()
        # As the log will read it: what could not be read back must not be resolved either.
        recorded = act if type(act) in RECORDED else self.fight.dialect.recorded(act)
        command = as_read(Declared("d0", recorded, by, UNSET if by_chance is None else by_chance))
        if type(command.act) is Rule:
            return self._once(request, self._rule, command.act)
        outcome = self._once(request, self._declare, command)
        return self._remarked(outcome, command.act) if type(command.act) is Enter else outcome

    def _remarked(self, outcome: Outcome, act: Enter) -> Outcome:
        """Return the outcome of an entry with the remarks on the sheet, the first time it enters."""
        if outcome.refused is not None or act.sheet is None:
            return outcome
        entered = next((fact for fact in outcome.facts if isinstance(fact, CombatantEntered)), None)
        told = [
            line
            for line in self.fight.dialect.kernel.remarks(self.fight.dialect, act.sheet, entered)
            if (act.sheet.name, line) not in self._told
        ]
        self._told.update((act.sheet.name, line) for line in told)
        return replace(outcome, remarks=tuple(told))

    def choose(self, answer: str, by: str = "person", request: str = "") -> Outcome:
        """Answer the open question (a roll: the faces, "4,6", or "roll" for the encounter's own dice; a link:
        its digits) and play on from there.

        The declaration is resolved again from its beginning with everything recorded so far. Raises
        NothingAsked, WrongAnswer, WrongLink, Conflict, or RulesChanged if the rules would now decide the
        beginning differently.
        """
        if by.startswith(policies.AGAIN):
            raise WrongAnswer(f"{by!r} is reserved for answers in lines that are decided again")
        return self._once(request, self._choose, as_read(Chosen("", "", answer, by)))

    def say(self, text: str, by: str = "", request: str = "") -> Outcome:
        """Declare or answer what a line of the short language means: `a gharm 17`, `m 5,3`, `skit hp 9`, `2`.

        The faces of physical dice after an act answer its rolls, and the fight waits for those that are not
        given. Raises Unclear with one sentence for a line that means nothing here, Several with the choices
        for one that means more than one thing, and what `declare` and `choose` raise. Rulings and undo are
        about the whole log: `affray.replay.say` takes them too.

        >>> from affray.engine import Table, packaged, set_up
        >>> from affray.events import MemoryStore
        >>> table = set_up(packaged("demo_srd35"), MemoryStore())
        >>> outcome = table.say("b")
        >>> outcome = table.say("a goblin 17 4")
        >>> table.state.combatants["goblin"].hp
        8
        >>> table.say("a gobelin")
        Traceback (most recent call last):
        affray.engine.language.names.UnknownCombatant: there is no combatant 'gobelin' in this fight; \
did you mean goblin?
        """
        from affray.engine.language.names import Unclear
        from affray.engine.language.sentences import Answer, Request, Sentences, throw_faces

        meaning = Sentences(self.fight).meaning(text)
        if isinstance(meaning, Answer):
            return self.choose(meaning.text, by or "person", request)
        if isinstance(meaning, Request):
            raise Unclear(f"{text!r} is no declaration")
        if not meaning.faces:
            return self.declare(meaning.act, by, request)
        kept = self._given
        self.use(Manual(lambda key, notation: None))
        try:
            outcome = self.declare(meaning.act, by, request)

            def choose(answer: str, number: int) -> Outcome:
                return self.choose(answer, by or "person", f"{request}.{number}" if request else "")

            for further in throw_faces(outcome, meaning.faces, choose):
                outcome = further
        finally:
            self.use(kept)
        return outcome

    def _declare(self, command: Declared) -> Callable[[], Resolution]:
        state = self.fight.state
        if state.pending is not None:
            self._be_idle()
        if type(command.act) is Close and not self._dice.seed:
            kept_seed(self.store, state.seed, needed=True)  # this would reveal it
        if state.restores or self.fight.memory.company[has_effects]:
            self._end_event_rulings()
        id = f"d{state.declarations + 1}"
        if id in self._taken:
            id = self._free(id)
        return partial(self._decided, replace(command, id=id))

    def _end_event_rulings(self) -> None:
        """End rulings for one declaration on a line that ends before or within that declaration."""
        if not end_event_rulings(self.fight.state):
            return
        state = duplicate(self.fight.state)
        entries = ending_entries(state, self._seq)
        try:
            self._seq += len(self.store.append(self.branch, entries, self._seq))
        except Conflict:
            self._catch_up()
            raise
        self.fight = self._fight(state)

    def _free(self, id: str) -> str:
        """Return another id for a declaration whose id is taken.

        On a redecided line declarations keep their ids, even where earlier ones no longer occur.
        """
        number = 1
        while f"{id}.{number}" in self._taken:
            number += 1
        return f"{id}.{number}"

    def _decided(self, declared: Declared) -> Resolution:
        """Resolve a declaration."""
        seq = self._seq + 1
        own = self._dice
        dice = own.source if own.plain else own.thrown(self.fight)
        refused = f"{REFUSED}{self.fight.state.refusals + 1}"
        if refused in self._taken:
            refused = self._free(refused)
        result = resolve(self.fight, declared, seq=seq, dice=dice, answers=self.answers, refused_id=refused)
        if result.waiting is not None:
            self._open_at = seq
        if self._taken:
            self._taken.add(declared.id if result.refused is None else refused)
        return result

    def _choose(self, command: Chosen) -> Callable[[], Resolution]:
        answer = command.answer
        question = self.fight.state.pending
        if question is None:
            self._be_current()
            raise NothingAsked("the fight waits for no answer")
        answers, faces = self.answers, dict[str, tuple[Sequence[int], str]]()
        link = None
        if is_for_link(question):
            link = given(self.store, self.state, question.who, answer)
        elif question.notation:
            own = answer == ROLL
            faces[question.key] = (
                self._dice.thrown_instead(question) if own else (faces_of(question, answer), "physical")
            )
        else:
            if answer not in question.options:
                self._be_current()
                raise WrongAnswer(f"{answer!r} is no answer; choose one of {', '.join(question.options)}")
            answers = policies.Recorded({question.key: (answer, command.by)}, answers)
        return partial(self._resumed, faces, answers, link)

    def _resumed(
        self,
        faces: Mapping[str, tuple[Sequence[int], str]],
        answers: Answers,
        link: LinkGiven | ChainLeft | None = None,
    ) -> Resolution:
        """Resume the open declaration with the answer that it waits for."""
        # Up to this table's position: events appended since then are a conflict, not a recording.
        recorded = list(self.store.read(self.branch, after=self._open_at - 1, upto=self._seq))
        fight = self._fight(fold(self.store.read(self.branch, upto=self._open_at - 1)))
        dice = self._dice.thrown_further(fight, [*map(decode, recorded), link])
        dice, answers = replaying(recorded, Recorded(faces, dice), answers)
        declared = decode(recorded[0])
        result = resolve(fight, declared, seq=self._open_at, dice=dice, answers=answers, recorded=recorded)
        self.fight = fight
        if result.waiting is None:
            self._open_at = 0
            return self._with_endings(result)
        return result

    def _with_endings(self, result: Resolution) -> Resolution:
        """Return the result of an open declaration, followed by the end of rulings for it only."""
        if not end_event_rulings(self.fight.state):
            return result
        entries = ending_entries(self.fight.state, self._seq + len(result.entries))
        self.fight = self._fight(self.fight.state)
        return replace(result, entries=[*result.entries, *entries])

    def _rule(self, act: Rule) -> Callable[[], Resolution]:
        if self.fight.state.pending is None:
            self._be_current()
            raise NothingAsked("no declaration is open to rule on")
        return partial(
            self._closed, Ruled(act.author, act.verdict, act.text, self.fight.state.pending.declaration)
        )

    def _closed(self, ruled: Ruled) -> Resolution:
        """Close the open declaration unfinished, by the game master's decision."""
        state = self.fight.state
        made = entry(ruled, state.round, state.turn, "", self._open_at)
        apply(state, ruled)
        self._open_at = 0
        return self._with_endings(Resolution([made]))

    def _load(self) -> None:
        """Take the state from the log."""
        self._seq = self._open_at = 0
        self._taken.clear()
        forked = len(list(self.store.lineage(self.branch))) > 1

        def watched() -> Iterator[Event]:
            for event in self.store.read(self.branch):
                self._seq = event.seq
                if event.type == "asked":
                    self._open_at = event.cause
                elif forked and event.type == "declared":
                    self._taken.add(decode(event).id)
                yield event

        state = fold(watched())
        if not state.dialect:
            raise AffrayError("the log holds no encounter")
        if state.pending is None:
            self._open_at = 0
        self._dice = TableDice(self.store, state, self._given, self._hands)
        self.fight = self._fight(state)
        self._behind = False

    def _fight(self, state: Encounter) -> Fight:
        rules = load(state.dialect, self._changes, state.tables, state.packages)
        fight = Fight(state, rules, self._memory)
        fight.seed = self._dice.seed
        return fight
