"""Explanations for people, with the wording of the rules and the readings in force."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.book import Book, UnknownRule, dialects
from affray.engine.book.card import wrapped
from affray.engine.language.cast import Cast, capitalized, dialect_words
from affray.engine.language.names import folded, names_of
from affray.engine.text.narrate import SILENT, Narrator
from affray.events.codec import decode
from affray.events.errors import AffrayError, printable
from affray.events.facts import combat, flow
from affray.events.facts.flow import Rolled
from affray.events.field_kinds import TextKind, texts
from affray.events.stores.store import Store
from affray.projections.audit import Explanation, Part, explain
from affray.projections.fold import fold
from affray.projections.rolls import foreknown, origin
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.outcome_odds import Chance, chances
from affray.replay.log.declarations import decides, event_at, group_of
from affray.replay.log.playhead import Playhead, state_at
from affray.replay.log.register import Verdict, register
from affray.replay.log.rules_for_fight import book_of
from affray.replay.redecide.rulings import parse_amendment

RULED = "ruling:"
"""The beginning of a citation of a ruling."""


class Cited(Struct, frozen=True, omit_defaults=True):
    """A rule involved, as the catalogue words it; empty texts if the catalogue lacks it.

    `address` is its place in a rulebook, if one was named (`affray why --rulebook`). A `general` rule holds
    for every roll of its kind.
    """

    id: str
    title: str
    section: str
    text: str
    provenance: str
    address: str = ""
    general: bool = False


class InForce(Struct, frozen=True):
    """A contested rule that concerned the outcome, and the reading in force; `ruling` is the ruling that set
    it, if any.
    """

    option: str
    title: str
    question: str
    reading: str
    meaning: str
    default: bool
    ruling: str = ""


WHOLE = "one rule with its code and scenarios: affray rules --id ID; all: affray rules DIALECT --page"
"""Where to find more about the rules of an explanation."""


class Why(Struct, tag_field="format", tag="affray-why", dict=True):
    """An explanation with the texts of rules and rulings, and the names of the combatants by id.

    Its JSON form is described in `replay/why.schema.json`; the `version` grows when a field is removed or
    changes its meaning.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import import_notation, why
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = why(store, "main", 19)
    >>> [part.value for part in found.explanation.parts if part.side == "attack"]
    [5, 3, 1, 1]
    >>> found.rules[0].text
    'Attack roll: d20 + attack bonus against AC; equal or higher hits.'
    """

    explanation: Explanation
    rules: list[Cited]
    contested: list[InForce]
    names: dict[str, str]
    rulings: list[Verdict] = field(default_factory=list)
    odds: list[Chance] = field(default_factory=list)
    version: Literal[1] = 1

    @property
    def roll_modes(self) -> Mapping[str, str]:
        """The kinds of modifier that change the dice of a test, in words; none if it was read from JSON."""
        found: Mapping[str, str] = self.__dict__.get("roll_mode_words", {})
        return found

    @property
    def spoken(self) -> Explanation:
        """The explanation with names for ids; one read from JSON is unchanged, with ids."""
        found: Explanation = self.__dict__.get("spoken_words", self.explanation)
        return found


def why(store: Store, branch: str, seq: int) -> Why:
    """Explain event `seq` of a branch (the main line for "").

    O(the event's declaration, and its distance to a checkpoint); if a reading was chosen or a ruling is
    involved, O(events). Raises AffrayError if there is no such event.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import why
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> why(store, "main", 52).explanation.sentence
    'ogre hits sorcerer with greatclub: 20 vs AC 17'
    """
    branch = branch or store.main_line()
    event_at(store, branch, seq)
    group = group_of(store, branch, seq)
    before = state_at(store, branch, group[0].seq - 1)
    state = fold((event for event in group if event.seq <= seq), duplicate(before))
    found = explain(group, seq, words=dialect_words(state))
    found.dice = [replace(die, origin=origin(die.provenance, state.contributions)) for die in found.dice]
    book = book_of(state) if state.packages else None
    if book is None and state.dialect in dialects():
        book = Book.load(state.dialect, tables=state.tables)
    book = book or Book(state.dialect, (), (), {})  # The rules are not installed: their ids are cited alone.
    rules = [_cited(book, id) for id in found.rules if not id.startswith(RULED)]
    setters = _setters(store, branch, seq) if state.options else {}
    chosen = book.chosen(state.options, state.defaults)
    contested = [
        InForce(
            option=entry.option,
            title=entry.title,
            question=entry.question,
            reading=(reading := book.reading(entry.option, chosen)).name,
            meaning=reading.meaning,
            default=reading.name == entry.default,
            ruling=setters.get(entry.option, ""),
        )
        for entry in book.contested.values()
        if any(rule in entry.rules for rule in found.rules)
    ]
    cast = Cast.of(state)
    # Modifiers, citations, dice and answers all name a ruling in the same way.
    ids = set(re.findall(rf"{RULED}(\w+)", msgspec.json.encode(found).decode()))
    ids |= {one.ruling for one in contested if one.ruling}
    on_the_way = {link.seq for link in found.chain}
    facts = [decode(event) for event in group if event.seq in on_the_way]
    people = {text for fact in facts for holds, text in texts(fact) if holds is TextKind.COMBATANT}
    ids |= set(_entered_otherwise(store, branch, seq, people, state))
    ids |= {fact.id for event in group if event.type == "ruled" and (fact := decode(event)).id}
    last = group[-1]
    struck = last.type == "invalidated"
    rulings = [
        one
        for one in (register(store).rulings if ids or struck else ())
        if one.id in ids or (struck and one.subject == found.declaration and one.verdict == "void")
    ]
    names = {id: cast.name(id) for id in state.combatants}
    made = Why(found, rules, contested, names, rulings, _odds(store, branch, found, before))
    spoken = explain(group, seq, cast.saying, cast.words)
    spoken.dice = [
        replace(die, origin=known.origin) for die, known in zip(spoken.dice, found.dice, strict=True)
    ]
    made.__dict__["spoken_words"] = spoken
    made.__dict__["roll_mode_words"] = cast.words.roll_modes
    return made


def _entered_otherwise(
    store: Store, branch: str, seq: int, people: Set[str], state: Encounter
) -> Iterator[str]:
    """Yield the rulings on a line that changed the entry of a combatant involved in an event.

    Such a ruling is at the beginning of a branch. O(depth of the branch).
    """
    for line in store.lineage(branch):
        if not line.parent:
            return
        for event in store.read(line.name, line.at, min(line.at + 1, seq)):
            if event.type == "ruled":
                fact = decode(event)
                changes = (parse_amendment(change, fact.scope) for change in fact.changes)
                named = {folded(change.who) for change in changes if change is not None}
                for one in state.combatants.values():
                    if one.id in people and fact.id and {folded(one.id), *names_of(one.sheet.name)} & named:
                        yield fact.id
        seq = min(seq, line.at)


def _odds(store: Store, branch: str, found: Explanation, before: Encounter) -> list[Chance]:
    """Return the odds of the dice outcomes on the way; none if today's rules cannot compute them."""
    try:
        return chances(store, branch, [link.seq for link in found.chain], before)
    except AffrayError:
        return []


def _setters(store: Store, branch: str, seq: int) -> dict[str, str]:
    """Return for each option the ruling that set its value at an event, "" for none. O(events)."""
    found: dict[str, str] = {}
    for event in store.read(branch, upto=seq):
        if event.type == "options.changed":
            fact = decode(event)
            by = next((id.removeprefix(RULED) for id in fact.cites if id.startswith(RULED)), "")
            found.update(dict.fromkeys(fact.options, by))
    return found


def _cited(book: Book, id: str) -> Cited:
    try:
        rule = book[id]
    except UnknownRule:
        return Cited(id, "", "", "", "")
    return Cited(id, rule.title, rule.section, rule.text, rule.provenance, general=rule.general)


_TITLES = {
    "attack": "attack roll",
    "defense": "defense",
    "parts": "check",
    "opposed_parts": "opposed check",
    "damage_parts": "Hit Dice in all",
    "modifiers": "damage",
    "effect": "effect",
}


def text(found: Why, width: int = 88) -> str:
    """Return the explanation as text for people: the outcome, the way there, dice, totals, rules."""
    return "\n".join(yield_text_rows(found, width))


def yield_text_rows(found: Why, width: int = 88) -> list[str]:
    """Return the rows of the explanation; text by people cannot begin a new row."""
    it, names = found.spoken, found.names
    place = f"r{it.round}.t{it.turn}" if it.turn else f"r{it.round}"
    by = f", said by {it.by}" if it.by else ""
    lines = [
        f"{it.stream}#{it.seq}  {place}  {it.type}",
        *wrapped(capitalized(it.sentence, (*names, *names.values())).rstrip(".") + ".", width),
        *(f"  {link.key}" for link in it.chain if link.seq == it.seq and link.type != "rolled" and link.key),
    ]
    if it.declaration:
        lines += ["", "Declared", *wrapped(f"{it.chain[0].text}{by}", width, "  ")]
    # The dice have their own list, and the declaration is above.
    steps = [link for link in it.chain if link.type not in ("declared", "rolled") and link.seq != it.seq]
    if steps:
        lines += ["", "Events before it"]
        for link in steps:
            lines += wrapped(f"#{link.seq:<5} {link.text}", width, "  ", " " * 9)
            if link.key:
                lines.append(f"{' ' * 9}{link.key}")
    if it.dice:
        lines += ["", "Dice", *_dice(it)]
    shown: dict[tuple[str, ...], int] = {}
    for seq, side in dict.fromkeys((part.seq, part.side) for part in it.parts):
        parts = [part for part in it.parts if (part.seq, part.side) == (seq, side)]
        title = capitalized(_TITLES[side], ())
        title += f" of {names.get(parts[0].who, parts[0].who)}" if parts[0].who else ""
        if seq != it.seq:
            title += f" {'in' if parts[0].who else 'of'} #{seq}"
        sums = list(_sum(parts, found.roll_modes))
        # A confirmation has the same modifiers as the attack: they are listed once.
        before = shown.setdefault((side, parts[0].who, *sums), seq)
        lines += ["", title, *(sums if before == seq else [f"  as for #{before}"])]
    if found.odds:
        lines += ["", "Odds", *(f"  {chance}" for chance in found.odds)]
    if found.rules:
        lines += ["", "Rules"]
        for rule in found.rules:
            lines += [] if rule.general else _rule(rule, width)
        if general := ", ".join(rule.id for rule in found.rules if rule.general):
            lines += wrapped(f"of every such roll: {general}", width, "  ", "    ")
        lines += wrapped(WHOLE, width, "  ")
    if found.rulings:
        lines += ["", "Rulings"]
        for ruling in found.rulings:
            lines += wrapped(format_ruling(ruling), width, "  ", "    ")
    for reading in found.contested:
        kept = "the default" if reading.default else "chosen for this encounter"
        kept = f"by ruling {reading.ruling}" if reading.ruling else kept
        lines += ["", f"Contested: {reading.title}"]
        lines += wrapped(reading.question, width, "  ")
        lines += wrapped(
            f"-> {reading.option} = {reading.reading} ({kept}): {reading.meaning}", width, "  ", "     "
        )
    return [printable(line) for line in lines]


def sums(found: Why) -> Iterator[str]:
    """Yield the total of the modifiers of the event itself, without earlier ones: a title and rows."""
    it = found.explanation
    for side in dict.fromkeys(part.side for part in it.parts if part.seq == it.seq):
        parts = [part for part in it.parts if (part.seq, part.side) == (it.seq, side)]
        of = f" of {found.names.get(parts[0].who, '')}" if parts[0].who else ""
        yield f"{capitalized(_TITLES[side], ())}{of}"
        yield from _sum(parts, found.roll_modes)


def format_ruling(ruling: Verdict) -> str:
    """Return a ruling in one line: author, verdict, reason, and scope."""
    author = ruling.author or "the game master"
    reach = {"event": "for this event", "onward": "from there on", "fight": "for the whole fight"}
    means = f" ({', '.join(ruling.changes)})" if ruling.changes else ""
    scope = f", {reach.get(ruling.scope, ruling.scope)}" if ruling.verdict != "upheld" else ""
    about = f" on event {ruling.event} of {ruling.parent}" if ruling.event else ""
    return f"{ruling.id}  {ruling.verdict} by {author}{about}{scope}: {ruling.text}{means}"


def _dice(it: Explanation) -> Iterator[str]:
    key = max(len(die.key) for die in it.dice)
    notation = max(len(die.notation) for die in it.dice)
    for die in it.dice:
        faces = ", ".join(_face(face, at, die.dropped, die.rerolled) for at, face in enumerate(die.faces))
        total = f" = {die.total}" if len(die.faces) > 1 or die.faces != (die.total,) else ""
        yield f"  {die.key:<{key}}  {die.notation:<{notation}}  {faces}{total}  ({die.origin})"
    for word, known in dict.fromkeys((die.origin, foreknown(die.provenance)) for die in it.dice):
        if known:
            yield f"  {word}: {known}"


def _face(face: int, at: int, dropped: Iterable[int], rerolled: Iterable[int]) -> str:
    return f"{face} rerolled" if at in rerolled else f"{face} dropped" if at in dropped else str(face)


def _sum(parts: list[Part], modes: Mapping[str, str]) -> Iterator[str]:
    named = [_of_sum(part, modes) for part in parts]
    width = min(44, max(map(len, named)))
    for part, name in zip(parts, named, strict=True):
        value = "" if part.kind in modes else f"{part.value:+d}"
        if part.denied:
            value = f"({value})" if value else ""
            yield f"  {value:>6}  {name:<{width}}  does not count: {part.denied}"
        else:
            yield f"  {value:>5}   {name:<{width}}  {part.rule or 'by ruling'}"
    yield f"  {sum(part.value for part in parts if not part.denied):>+5}   in total"


def _of_sum(part: Part, modes: Mapping[str, str]) -> str:
    """Return the name of a modifier with its kind; one that changes the dice has no value."""
    if part.kind in modes:
        return f"{modes[part.kind]}: {part.source}"
    return f"{part.source} ({part.kind})" if part.source != part.kind else part.kind


def _rule(rule: Cited, width: int) -> Iterator[str]:
    if not rule.title:
        yield f"  {rule.id}  (not in today's catalogue)"
        return
    mark = "" if rule.provenance == "text" else f"  [{rule.provenance}]"
    yield f"  {rule.id}  {rule.title}{mark}"
    yield from wrapped(rule.text, width, "    ")


# --- The explanation of a whole turn: its declarations, their results, and the totals

_UNSAID = (SILENT | {Rolled, flow.RoundEnded}) - {combat.EffectEnded}


class TurnExplained(Struct, tag_field="format", tag="affray-why-turn"):
    """A turn, or a round, from event `first` to `last` of a branch; `outcomes` explains the decisions.

    Its JSON form is described in `replay/why.schema.json`, with `outcomes` as `events`.
    """

    branch: str
    first: int
    last: int
    outcomes: list[Why] = field(name="events")
    version: Literal[1] = 1


def turn_explained(store: Store, branch: str, position: str) -> TurnExplained:
    """Explain the turn (r1.t3) or the round (r1) that begins at a position.

    O(events of the line, and the cost of explaining each outcome). Raises BadPosition.
    """
    playhead = Playhead(store, branch)
    timeline = playhead.timeline
    first = timeline.seq_of(position)
    mark = timeline.at_or_before(first)
    following = timeline.after(first, rounds=mark is not None and not mark.turn)
    until_round = timeline.after(first, rounds=True)
    ends = [one.seq - 1 for one in (following, until_round) if one is not None]
    last = min([*ends, timeline.last])
    outcomes = [
        found
        for event in store.read(playhead.branch, first - 1, last)
        if event.type != "declared" and decides(decode(event))
        for found in [why(store, playhead.branch, event.seq)]
    ]
    return TurnExplained(playhead.branch, first, last, outcomes)


def turn_rows(store: Store, turn: TurnExplained, width: int) -> Iterator[str]:
    """Yield the explanation of a turn for people: each event, totals below it, and the rules."""
    known = {found.explanation.seq: found for found in turn.outcomes}
    narrator = Narrator(state_at(store, turn.branch, turn.first - 1))
    for event in store.read(turn.branch, turn.first - 1, turn.last):
        fact = decode(event)
        said = narrator.brief(fact)
        if type(fact) in _UNSAID:
            continue
        heading = type(fact) in (flow.RoundBegan, flow.TurnBegan, flow.Declared)
        if heading:
            yield ""
        indent = "" if heading else "  "
        yield from wrapped(f"#{event.seq:<5} {said}", width, indent, indent + " " * 7)
        if found := known.get(event.seq):
            yield from (f"       {row}" for row in sums(found))
    rules = {rule.id: rule.title for found in turn.outcomes for rule in found.rules}
    if rules:
        yield from ("", "Rules")
        wide = max(map(len, rules))
        yield from (f"  {id:<{wide}}  {title}".rstrip() for id, title in rules.items())
    yield from ("", "One event with its dice and the text of its rules: affray why DB SEQ")
