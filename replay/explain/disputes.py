"""Disputes and rulings: record a dispute, and decide it."""

from msgspec import UNSET, Struct

from affray.engine.table.policies import Answers
from affray.events.codec import as_read, decode, entry
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts.flow import Declared, Disputed, OptionsChanged
from affray.events.stores.store import Store
from affray.projections.fold import apply
from affray.projections.state import duplicate
from affray.replay.difference import Difference, diff
from affray.replay.log.branches import promote
from affray.replay.log.declarations import find_known_seed, group_of, groups, scripts
from affray.replay.log.playhead import state_at
from affray.replay.log.register import Dispute, Register, UnknownDispute, Verdict, register, verdict_of
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.redecide.redecide import make_ruled_fact
from affray.replay.redecide.rulings import BadRuling, Ruling, concerned, facts_of, sort, with_whole_rolls
from affray.replay.whatif.what_if import WhatIf, what_if

VERDICTS = ("uphold", "overturn", "amend")
_PAST = {"uphold": "upheld", "overturn": "overturned", "amend": "amended"}


class Decided(Struct):
    """The result of a ruling: its place in the register, and for one that changed the past the new branch."""

    ruling: Verdict
    whatif: WhatIf | None = None
    difference: Difference | None = None
    promoted: bool = False


def dispute(
    store: Store,
    seq: int,
    by: str,
    claim: str,
    branch: str = "",
    request: str = "",
    *,
    by_chance: bool | None = None,
) -> Dispute:
    """Record a dispute of an event of a branch (the main line for ""), and return the dispute.

    Nothing else changes. `by_chance` is recorded with it: whether the claim names a combatant that is hidden
    from the player who makes it. Raises AffrayError if there is no such event or while the branch waits for
    an answer.
    """
    branch = branch or store.main_line()
    first = decode(group_of(store, branch, seq)[0])
    subject = first.id if type(first) is Declared else ""
    id = f"Q{len(register(store).disputes) + 1}"
    fact = as_read(Disputed(id, by, claim, seq, subject, UNSET if by_chance is None else by_chance))
    at = _append(store, branch, [[fact]], request)
    return Dispute(fact.id, by, claim, branch, seq, subject, at)


def rule(
    store: Store,
    verdict: str,
    text: str,
    *,
    by: str = "",
    at: int | None = None,
    dispute: str = "",
    changes: tuple[str, ...] = (),
    revive: tuple[str, ...] = (),
    scope: str = "event",
    branch: str = "",
    name: str = "",
    answers: Answers | None = None,
    leave_open: bool = False,
    promoting: bool = False,
    request: str = "",
) -> Decided:
    """Rule on an event or a dispute and return the result.

    `verdict` is uphold (no change: recorded at the end of the branch), overturn (without `changes` the
    declaration is void) or amend. The latter two make a branch on which the fight is decided again, `name`
    or ruling-R1; with `promoting` it becomes the main line, unless a ruling for one event changes nothing.
    The declarations of `revive`, which were refused when they were made, are decided there too. Without
    event and dispute and with `scope` "onward" the changes apply from the end of the branch on. Everything
    that the ruling affects cites it as ruling:R1. `request` is that of `Store.append`, for events on the
    line itself or the promotion. Raises BadRuling, UnknownDispute and what `what_if` raises; nothing is
    recorded then.
    """
    known = register(store)
    if verdict not in VERDICTS:
        raise BadRuling(f"{verdict!r} is not a verdict: choose one of {', '.join(VERDICTS)}")
    if dispute:
        question = known.dispute(dispute)
        if at is None:
            at, branch = question.event, branch or question.branch
    branch = branch or store.main_line()
    changes = (*changes, *(f"revive {one}" for one in revive))
    if verdict == "uphold" and changes:
        raise BadRuling("upholding has no changes: overturn or amend instead")
    if verdict == "amend" and not changes:
        raise BadRuling("an amendment needs changes")
    changes = _about_whole_rolls(store, branch, changes)
    named = sort(Ruling(text, changes, scope=scope)).amendments
    if at is None and named:
        line = list(groups(store.read(branch)))
        at = line[concerned(named, scripts(line, ""))][0].seq
    if at is None and not (verdict == "amend" and scope in ("onward", "fight")):
        raise BadRuling("name the event of the ruling, or amend from now on with the scope onward")
    id = f"R{len(known.rulings) + 1}"
    ruling = Ruling(text, changes, by, id, dispute, at or 0, scope, _PAST[verdict])
    if verdict == "uphold":
        subject = _subject(store, branch, at or 1)
        fact = as_read(make_ruled_fact(ruling, "upheld", subject))
        seq = _append(store, branch, [[fact]], request)
        return Decided(verdict_of(fact, branch, branch, seq, counts=branch == store.main_line()))
    if at is None and scope == "onward":
        return _from_now_on(store, branch, ruling, request)
    made = what_if(
        store,
        branch,
        at=at,
        ruling=ruling,
        name=name or f"ruling-{id}",
        answers=answers,
        leave_open=leave_open,
    )
    found = diff(store, branch, made.name)
    # A ruling with a longer scope may still matter to declarations to come.
    no_effect = found.no_effect and scope == "event" and len(found.idle) >= len(changes)
    promoting = promoting and not no_effect
    if promoting:
        promote(store, made.name, by, request)
    return Decided(register(store).ruling(id), made, found, promoting)


def _about_whole_rolls(store: Store, branch: str, changes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the changes with each single die as its whole roll. O(events) if there is one, else O(1)."""
    if not any(" die " in change for change in changes):
        return changes
    rolls = (decode(event) for event in store.read(branch) if event.type == "rolled")
    return with_whole_rolls(changes, {roll.key: roll.faces for roll in rolls})


def _from_now_on(store: Store, branch: str, ruling: Ruling, request: str) -> Decided:
    """Put a ruling in force from the end of a branch on, without a new branch."""
    state = state_at(store, branch, store.head(branch).seq)
    fight = make_fight_context(state, find_known_seed(store, branch))
    found = sort(ruling)
    if found.faces or found.choices or found.revived or found.words:
        raise BadRuling("future dice, choices and declarations cannot be ruled on: name an event")
    made_true = facts_of(fight, ruling, "now")
    fight.dialect.book.check_readings(found.options)
    facts = [[make_ruled_fact(ruling, ruling.verdict, ""), *made_true]]
    if found.options:
        options = dict(sorted(found.options.items()))
        facts.append([OptionsChanged(options=options, by=ruling.author or "ruling", cites=(ruling.rule,))])
    _append(store, branch, facts, request)
    return Decided(register(store).ruling(ruling.id))


def _subject(store: Store, branch: str, seq: int) -> str:
    first = decode(group_of(store, branch, seq)[0])
    return first.id if type(first) is Declared else ""


def _append(store: Store, branch: str, facts: list[list[Struct]], request: str) -> int:
    """Append groups of facts at the end of a branch and return the position of the first."""
    head = store.head(branch).seq
    state = duplicate(state_at(store, branch, head))
    if state.pending is not None:
        raise AffrayError(
            f"{branch!r} waits for an answer ({state.pending.question}): answer the question first"
        )
    entries: list[Entry] = []
    for group in facts:
        cause = head + len(entries) + 1
        for fact in group:
            entries.append(entry(fact, state.round, state.turn, "", cause))
            apply(state, fact)
    store.append(branch, entries, head, request)
    return head + 1


__all__ = [
    "VERDICTS",
    "Decided",
    "Dispute",
    "Register",
    "UnknownDispute",
    "Verdict",
    "dispute",
    "register",
    "rule",
]
