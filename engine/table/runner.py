"""The one mechanism behind playing, resuming, verifying and asking what-if.

`resolve` drives a resolver: facts are applied to the working state and collected, rolls are put to
a dice source, choices to the policy. Given the events recorded earlier for the same declaration, it
checks that the resolver repeats them byte for byte before it continues.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dice import ALGORITHM, DRAWN, Drawn, LinksWanted, Source, parse
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import touched_by
from affray.engine.kernel.actions import permit, refuse_unread
from affray.engine.kernel.turns import announcement, is_decided
from affray.engine.steps import Choice, Distraction, Interrupted, Refusal, Roll, Steps
from affray.engine.table.appending import Resolution
from affray.engine.table.dice import draw
from affray.engine.table.policies import Answers, is_unchosen
from affray.events.codec import LABELS, TAG_OF, as_read, decode, encode, encode_into
from affray.events.envelope import Encoded, Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.acts import Act, Custom
from affray.events.facts.flow import Asked, Chosen, Declared, Refused, Rolled, RoundEnded
from affray.events.field_kinds import without_reasons
from affray.projections.fold import HANDLERS
from affray.projections.state import Encounter, digest

_KINDS = {
    kind: (tag, version, HANDLERS.get(kind), touched_by(kind)) for kind, (tag, version) in LABELS.items()
}
"""For each kind of fact its label, what folds it, and what a memory forgets after it, if anything."""

ROOM = 2048
"""Bytes that most facts fit into."""

ENDED: Final[Any] = object()
"""Stands for the step after the last one."""


class RulesChanged(AffrayError):
    """Re-deciding a declaration gave another result than the log: where, and both versions."""

    def __init__(self, event: Event | None, expected: bytes, found: bytes) -> None:
        place = f"{event.stream}#{event.seq}" if event is not None else "the end of the declaration"
        super().__init__(
            f"the rules now decide differently at {place}: "
            f"recorded {_brief(expected)}, today {_brief(found)}; a ruling is needed"
        )
        self.event, self.expected, self.found = event, expected, found


def resolve(
    fight: Fight,
    declared: Declared,
    *,
    seq: int,
    dice: Source,
    answers: Answers,
    recorded: Iterable[Event] = (),
    refused_id: str = "",
    tell: Callable[[object], object] | None = None,
) -> Resolution:
    """Drive one declaration until it is done, refused or waiting.

    `fight.state` must be the state just before the declaration and is carried along. `seq` is the
    position of the Declared event. `recorded` are the events already logged for this declaration
    (Declared first): they are compared and not returned again. Raises RulesChanged where the current
    rules differ from them. A refused declaration gets the id `refused_id`, if given. With `tell`
    no entries are made: it is called with each fact, and with each roll when it is requested.
    """
    state = fight.state
    out: list[Entry] = []
    add = out.append
    written = bytearray(ROOM if tell is None else 0)
    past = list(recorded)[::-1] if recorded else []  # the next one last
    actor = declared.act.actor

    def emit(fact: Struct) -> None:
        tag, version, handler, touch = _KINDS[type(fact)]
        if tell is not None:
            tell(fact)
        elif not past:
            encode_into(fact, written)
            add(Encoded(tag, version, state.round, state.turn, actor, seq, bytes(written)))
        else:
            event, data = past.pop(), encode(fact)
            if event.data != data and not _is_equivalent(event, fact, state):
                raise RulesChanged(event, event.data, data)
        if handler is not None:
            handler(state, fact)
            if touch is not None:
                touch(fight.memory, fact)

    resumed = bool(past)
    told = len(past) - 1 if past else 0  # except for the declaration itself
    decided = fight.memory.company[is_decided]
    drawn: Drawn | None = None
    steps: Steps[None] | None = None
    fact: Any = declared
    sent: Any = None
    while True:
        if resumed:
            emit(fact)
        else:
            # The work of `emit` when nothing is compared, inlined: every fact of every fight passes here.
            tag, version, handler, touch = _KINDS[type(fact)]
            if tell is not None:
                tell(fact)
            else:
                encode_into(fact, written)
                add(Encoded(tag, version, state.round, state.turn, actor, seq, bytes(written)))
            # A die rolled at once leaves no question open, which is all that a roll could change.
            if handler is not None and fact is not sent:
                handler(state, fact)
                if touch is not None:
                    touch(fight.memory, fact)
        # Only exceptions of the rules are meant here, never those of dice or answers.
        try:
            if steps is None:
                steps = begun(fight, declared)
            # Most end after a fact: reported by a value, as an exception takes as long as a fact.
            step = next(steps, ENDED) if sent is None else steps.send(sent)
            while type(step) is Distraction:  # no casting is under way that it could disturb
                step = next(steps, ENDED)
            if step is ENDED:
                break
        except (StopIteration, Interrupted) as ended:
            if isinstance(ended, Interrupted):
                emit(ended.lost)
            elif steps is None:
                raise AffrayError(f"the resolver of {declared.id} ended before it began") from ended
            break
        except Refusal as refusal:
            if len(out) > 1 or len(past) < told:
                raise AffrayError(f"a resolver refused after its first step: {refusal}") from refusal
            named = declared
            if refused_id:
                # It has a different id, which does not advance the count of ids.
                named = replace(declared, id=refused_id)
                out.clear()
                state.declarations -= 1
                emit(named)
            refused = Refused(named.id, refusal.reason, refusal.rule)
            emit(refused)
            return Resolution(out, refused=refused)
        kind = type(step)
        if kind is Roll:
            if tell is not None:
                tell(step)
            key = fight.key(step.who, step.purpose)
            notation = parse(step.notation)
            fight.roller = step.who
            try:
                thrown = dice.throw(key, notation)
            except LinksWanted as wanted:
                drawn = wanted.dice
                missing = draw(
                    drawn, declared.id, state, emit, lambda: bool(past) and past[-1].type == "asked"
                )
                if missing is not None:
                    return Resolution(out, waiting=missing)
                thrown = dice.throw(key, notation)
            if thrown is None or (past and past[-1].type == "asked"):
                asked = Asked(key, step.who, f"roll {notation} for {step.purpose}", (), "", str(notation))
                emit(asked)
                if thrown is None:
                    return Resolution(out, waiting=asked)
            throw, provenance = thrown
            algorithm = ALGORITHM if provenance == "seeded" or provenance in DRAWN else ""
            fact = sent = Rolled(
                key,
                step.who,
                step.notation,
                throw.faces,
                throw.total,
                provenance,
                algorithm,
                throw.dropped,
                throw.rerolled,
                throw.exploded,
            )
        elif kind is Choice:
            key = fight.key(step.who, step.purpose)
            answer = answers(fight, key, step)
            if answer is None or (past and past[-1].type == "asked"):
                asked = Asked(key, step.who, step.question, step.options, step.rule)
                emit(asked)
                if answer is None:
                    return Resolution(out, waiting=asked)
            sent = answer[0]
            if drawn is not None and not is_unchosen(fight, key, step, answer):
                drawn.renew()
            fact = Chosen(key, step.who, sent, answer[1], step.question, step.options, step.rule)
        else:
            fact, sent = step, None
    for fact in fight.memory.company[fight.dialect.kernel.afterwards]:
        emit(fact)
    if not decided and fight.memory.company[is_decided] and (told_so := announcement(fight)) is not None:
        emit(told_so)
    if past:
        raise RulesChanged(past[-1], past[-1].data, b"nothing more")
    return Resolution(out)


def refusal_of(fight: Fight, declared: Declared) -> Refusal | None:
    """Return why the rules refuse a new declaration, None if they let it begin.

    The state is unchanged: a resolver refuses before its first step or never.
    """
    try:
        steps = begun(fight, declared)
        next(steps, None)
        steps.close()
    except Refusal as refusal:
        return refusal
    return None


def begun(fight: Fight, declared: Declared) -> Steps[None]:
    """Return the dialect's steps for a declaration; from now on rolls are named after it.

    Refuses an unknown or forbidden declaration, and one with fields that no rule reads.
    """
    act: Act = declared.act
    if type(act) is Custom:
        act = fight.dialect.understood(act)
    fight.declaration, fight.scope, fight.counts, fight.doing = declared.id, "", {}, act
    actor = fight.state.combatants.get(act.actor)
    fight.used_before = actor.resources if actor is not None else {}
    resolver = fight.dialect.acts.get(type(act))
    if resolver is None:
        name = act.__struct_config__.tag
        raise Refusal(
            f"{fight.dialect.name} knows no {name!r}", fight.dialect.kernel.rule_about(fight, type(act))
        )
    if not fight.dialect.heeded[type(act)].is_plain(act):
        refuse_unread(fight, act)
    permit(fight, act)
    return fight.dialect.kernel.watch(fight, resolver(fight, act))


def _is_equivalent(event: Event, fact: Struct, state: Encounter) -> bool:
    """Return whether a recorded event says the same as `fact` in an older schema, view or wording.

    A field added since has its default in the event, and must have it in the fact.
    """
    if event.type != TAG_OF[type(fact)]:
        return False
    told = decode(event)
    if type(fact) is RoundEnded and told.view != fact.view:
        fact = replace(fact, state=digest(state, told.view), view=told.view)
    return encode(without_reasons(told)) == encode(without_reasons(as_read(fact)))


def _brief(data: bytes) -> str:
    text = data.decode(errors="replace")
    return text if len(text) <= 160 else text[:157] + "..."
