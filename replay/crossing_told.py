"""A fight under two rulebooks, told: in lines for a terminal, and as a page."""

from collections.abc import Iterator

from affray.events.wording import counted
from affray.replay.another_dialect import Crossing
from affray.replay.html_page import framed, markup_free
from affray.replay.two_rulebooks import Outcome, Parting, Side

NOTHING = "nothing else"
WIDE = 12
"""Columns of a terminal for the name of a rulebook."""


def summary(found: Crossing) -> Iterator[str]:
    """Yield in sentences how much differs, what of it cannot be made, and which dice are others."""
    many = counted(found.declarations, "declaration")
    yield f"{found.name}: {many} of {found.a} decided again under {found.b}; {found.same} came out the same"
    if found.impossible:
        yield f"{counted(len(found.impossible), 'declaration')} cannot be made any more"
    if found.fresh:
        yield f"{counted(len(found.fresh), 'roll')} that only {found.b} makes"
    if found.unrolled:
        yield f"{counted(len(found.unrolled), 'roll')} that only {found.a} made"
    if found.asked:
        yield f"{counted(len(found.asked), 'question')} that only {found.b} asks, answered by policy"
    if found.waiting:
        yield f"the fight stops at a question: {found.waiting}"
    yield from found.not_carried
    yield from found.unread


def standing(found: Crossing) -> Iterator[str]:
    """Yield who stands otherwise at the end."""
    for one in found.combatants:
        for name, (a, b) in one.changes.items():
            yield f"{one.id}: {name} {_shown(a)} | {_shown(b)}"


def lines(found: Crossing) -> Iterator[str]:
    """Yield the comparison in lines: of each declaration what only one of the rulebooks made of it."""
    yield from summary(found)
    if found.combatants:
        yield from ("", f"At the end ({found.a} | {found.b})")
        yield from (f"  {line}" for line in standing(found))
    for one in found.partings:
        yield from ("", one.said)
        for dialect, outcomes in _both(found, one):
            for number, outcome in enumerate(outcomes):
                yield f"  {'' if number else dialect:<{WIDE}}{outcome.text}"
                if outcome.rules:
                    yield f"  {'':<{WIDE}}  [{', '.join(outcome.rules)}]"


def page(found: Crossing, rulebook: str = "") -> str:
    """Return the comparison as one self-contained HTML file: both rulebooks side by side.

    Rules lead into the folder of rulebooks at that address.
    """
    body = [f"<p>{markup_free(line)}</p>" for line in summary(found)]
    if found.combatants:
        rows = "\n".join(map(markup_free, standing(found)))
        body += [
            f"<h2>At the end ({markup_free(found.a)} | {markup_free(found.b)})</h2>",
            f"<pre>{rows}</pre>",
        ]
    for one in found.partings:
        heads, cells = [], []
        for dialect, outcomes in _both(found, one):
            heads.append(f"<th scope=col>{markup_free(dialect)}</th>")
            cells.append(f"<td>{''.join(map(_cell, outcomes))}</td>")
        body.append(f"<h2>{markup_free(one.said)}</h2>")
        body.append(f"<table><tr>{''.join(heads)}</tr><tr>{''.join(cells)}</tr></table>")
    return framed(f"{found.name}: {found.a} and {found.b}", body, rulebook)


def _cell(outcome: Outcome) -> str:
    rules = f"<small>{markup_free(', '.join(outcome.rules))}</small>" if outcome.rules else ""
    return f"<p>{markup_free(outcome.text)}{rules}</p>"


def _both(found: Crossing, one: Parting) -> Iterator[tuple[str, list[Outcome]]]:
    """Yield each dialect with what it alone made of a declaration."""
    for dialect, side, other in ((found.a, one.a, one.b), (found.b, one.b, one.a)):
        yield dialect, list(_alone(side, other))


def _alone(side: Side | None, other: Side | None) -> Iterator[Outcome]:
    if side is None:
        yield Outcome("was not declared", ())
    elif side.impossible:
        yield Outcome(f"cannot be made: {side.impossible}", ())
    else:
        yield from side.beyond(other) or [Outcome(NOTHING, ())]


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
