"""Explanations: an outcome traced back through its causes to the dice, the modifiers and the declaration."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import combat, flow
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import Modifier
from affray.events.facts.words import NO_WORDS, DialectWords
from affray.events.field_kinds import One
from affray.projections.sentence import act_words, sentence
from affray.projections.timeline import filed


class Link(Struct, frozen=True):
    """One event between the declaration and the outcome, as a sentence.

    A roll, a question and an answer have the `key` by which they can be changed.
    """

    seq: int
    type: str
    text: str
    key: str = ""


class Die(Struct, frozen=True):
    """A roll that contributed: its purpose, faces and origin (see `origin`)."""

    seq: int
    key: str
    who: str
    notation: str
    faces: tuple[int, ...]
    total: int
    provenance: str
    dropped: tuple[int, ...]
    rerolled: tuple[int, ...]
    origin: str = ""


class Part(Struct, frozen=True):
    """A modifier of a side of an event; `denied` is the reason if it did not count.

    `who` is the combatant that rolled with it, if two did.
    """

    seq: int
    side: str
    value: int
    kind: str
    source: str
    rule: str
    denied: str
    who: str = ""


class Explanation(Struct):
    """The complete explanation of one event.

    `chain` leads from the declaration to the event itself; `rules` are the ids of all rules cited on
    the way, the event's own first.
    """

    stream: str
    seq: int
    type: str
    round: int
    turn: int
    sentence: str
    declaration: str
    actor: str
    act: str
    by: str
    chain: list[Link]
    dice: list[Die]
    parts: list[Part]
    rules: list[str]


_SIDES = ("attack", "defense", "parts", "opposed_parts", "damage_parts", "modifiers")

# The causes of a fact, nearest first: the latest such event before it that shares a combatant.
_FOLLOWS: dict[type, tuple[type, ...]] = {
    combat.AttackResolved: (flow.ReactionSpent, flow.ReadyEnded),
    combat.ConfirmationResolved: (combat.AttackResolved,),
    combat.MissChanceResolved: (combat.AttackResolved,),
    combat.DamageResolved: (
        combat.ConfirmationResolved,
        combat.MissChanceResolved,
        combat.AttackResolved,
        combat.CheckResolved,
    ),
    combat.HitPointsChanged: (combat.DamageResolved, combat.CheckResolved, Rolled),
    combat.ConditionGained: (
        combat.HitPointsChanged,
        combat.ConditionGained,
        combat.CheckResolved,
        combat.ContestResolved,
        combat.AttackResolved,
        combat.TurningResolved,
    ),
    combat.ConditionLost: (
        combat.HitPointsChanged,
        combat.CheckResolved,
        combat.ContestResolved,
        combat.TurningResolved,
    ),
    combat.ItemChanged: (
        combat.ConditionGained,
        combat.ItemStruck,
        combat.ContestResolved,
        combat.AttackResolved,
    ),
    combat.ItemStruck: (combat.ContestResolved, combat.AttackResolved),
    combat.ContestResolved: (combat.AttackResolved,),
    combat.EffectEnded: (combat.AttackResolved,),
    combat.EffectGained: (combat.TurningResolved,),
    combat.SideChanged: (combat.ConditionGained, combat.ConditionLost),
    flow.RuleApplied: (combat.TurningResolved,),
    combat.InjurySuffered: (combat.HitPointsChanged, combat.DamageResolved, combat.AttackResolved),
    flow.ReactionSpent: (flow.Chosen,),
    flow.ReadyEnded: (flow.Chosen,),
    flow.InitiativeChanged: (flow.ReadyEnded,),
    flow.OrderSet: (flow.InitiativeRolled,),
    flow.Chosen: (combat.Provoked,),
}
# All earlier ones of these count, not only the latest.
_ALL = {(flow.OrderSet, flow.InitiativeRolled)}


class Saying(Protocol):
    """Returns a fact as sentences are made of it, such as with names for ids."""

    def __call__(self, fact: One, /) -> One:
        """Return the fact to describe."""
        ...


def unchanged(fact: One, /) -> One:
    """Return a fact as it is."""
    return fact


def explain(
    group: Iterable[Event], seq: int, saying: Saying = unchanged, words: DialectWords = NO_WORDS
) -> Explanation:
    """Explain event `seq` from the events of its declaration (the declaration first).

    Sentences are made from the results of `saying` for the facts, which can replace ids by names, in the
    `words` of the dialect.
    O(events of the declaration). Raises AffrayError if the event is not among them, BrokenLog and
    NewerLog as `decode` does.
    """
    events = list(group)
    facts = [decode(event) for event in events]
    found = next((index for index, event in enumerate(events) if event.seq == seq), None)
    if found is None:
        raise AffrayError(f"event {seq} does not follow from that declaration")
    first = facts[0]
    chain = sorted({0, *causes(facts, found)})
    event, fact, said = events[found], facts[found], saying(first)
    round, turn = filed(event, fact)
    is_declared = type(first) is flow.Declared
    return Explanation(
        stream=event.stream,
        seq=seq,
        type=event.type,
        round=round,
        turn=turn,
        sentence=sentence(saying(fact), words),
        declaration=first.id if is_declared else "",
        actor=first.act.actor if is_declared else "",
        act=act_words(said.act) if is_declared else sentence(said, words),
        by=first.by if is_declared else "",
        chain=[_link(events[index], facts[index], saying, words) for index in chain],
        dice=[_die(events[index], facts[index]) for index in chain if type(facts[index]) is Rolled],
        parts=[part for index in chain for part in parts_of_fact(events[index].seq, facts[index])],
        rules=list(dict.fromkeys(rule for index in (found, *chain) for rule in cited(facts[index]))),
    )


def causes(facts: Sequence[object], index: int) -> set[int]:
    """Return the indices of the facts that led to the one at `index`, itself included.

    `facts` are those of one declaration, the declaration first. O(their number) for each cause.
    """
    seen: set[int] = set()
    left = [index]
    while left:
        at = left.pop()
        if at not in seen:
            seen.add(at)
            left += _before(facts, at)
    return seen


def _before(facts: Sequence[Any], at: int) -> Iterator[int]:
    fact = facts[at]
    keys = set(_keys(fact))
    if keys:
        yield from (i for i in range(at) if type(facts[i]) is Rolled and facts[i].key in keys)
    if type(fact) is combat.ContestResolved:
        yield from rolls_of(facts, at)
    for kind in _FOLLOWS.get(type(fact), ()):
        near = [i for i in range(at - 1, 0, -1) if type(facts[i]) is kind and _related(facts[i], fact)]
        if near:
            yield from near if (type(fact), kind) in _ALL else near[:1]
            return


def rolls_of(facts: Sequence[Any], at: int) -> list[int]:
    """Return the indices of the two rolls that the contest at index `at` compared, the initiator's first.

    A side with a fixed result has none. The opponent's roll may have another name, but then directly precedes
    the contest.
    """
    contest = facts[at]
    found = []
    for who in (contest.who, contest.against):
        for i in range(at - 1, 0, -1):
            roll = facts[i]
            if type(roll) is not Rolled or roll.who != who:
                continue
            if i == at - 1 or roll.key.split("/")[-2:-1] == [contest.contest]:
                found.append(i)
                break
    return found


def _related(cause: Any, fact: Any) -> bool:
    """Return whether two facts name the same combatants, in roles in which one can cause the other."""
    if type(cause) is combat.AttackResolved and hasattr(fact, "attacker"):
        return cause.attacker == fact.attacker and cause.target in _people(fact)
    if type(fact) is combat.AttackResolved:
        # An attack belongs to the reaction in whose scope it was rolled.
        return cause.who == fact.attacker and f":{cause.who}/" in fact.key
    if type(fact) is flow.Chosen:
        return bool(cause.by == fact.who and not cause.denied)
    if type(cause) is flow.Chosen:
        return bool(cause.who == fact.who)
    if type(cause) is combat.TurningResolved:
        # One check decides about all combatants in its range.
        return True
    if type(cause) is Rolled:
        return "hazard" in cause.key or cause.who in (_people(fact))
    return bool(_people(cause) & _people(fact)) or type(fact) is flow.OrderSet


def _people(fact: object) -> set[str]:
    """Return the combatants that a fact affects, or its actor if it affects no other."""
    for role in ("target", "bearer"):
        if hasattr(fact, role):
            return {getattr(fact, role)}
    if isinstance(fact, combat.ContestResolved):
        return {fact.who, fact.against}
    return {fact.who} if hasattr(fact, "who") else set()


def _keys(fact: object) -> Iterator[str]:
    if type(fact) in (Rolled, flow.Chosen, flow.Asked):
        return
    for name in ("key", "damage_key"):
        if key := getattr(fact, name, ""):
            yield key
    for part in getattr(fact, "dice", ()):
        yield part.key


def _link(event: Event, fact: Struct, saying: Saying, words: DialectWords) -> Link:
    key = fact.key if isinstance(fact, Rolled | flow.Chosen | flow.Asked) else ""
    return Link(event.seq, event.type, sentence(saying(fact), words), key)


def _die(event: Event, fact: Rolled) -> Die:
    return Die(
        event.seq,
        fact.key,
        fact.who,
        fact.notation,
        fact.faces,
        fact.total,
        fact.provenance,
        fact.dropped,
        fact.rerolled,
    )


def parts_of_fact(seq: int, fact: object) -> Iterator[Part]:
    modifiers: tuple[Modifier, ...]
    rollers = {}
    if type(fact) is combat.ContestResolved:
        rollers = {"parts": fact.who, "opposed_parts": fact.against}
    for side in _SIDES:
        modifiers = getattr(fact, side, ())
        for one in modifiers:
            who = rollers.get(side, "")
            yield Part(seq, side, one.value, one.kind, one.source, one.rule, one.denied, who)
    effect = getattr(fact, "modifier", None)
    if isinstance(effect, Modifier):
        yield Part(seq, "effect", effect.value, effect.kind, effect.source, effect.rule, effect.denied)


def cited(fact: object) -> Iterator[str]:
    """Yield the ids of the rules that a fact and its modifiers cite, with repetitions."""
    yield from getattr(fact, "cites", ())
    if rule := getattr(fact, "rule", ""):
        yield rule
    yield from (part.rule for part in parts_of_fact(0, fact) if part.rule)
