"""What is open to a combatant now, and why the rest is not: the rules themselves are asked."""

from collections.abc import Iterable
from itertools import islice, pairwise
from typing import Final, cast

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.noticed import OVERHEAD, met_unseen
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Refusal
from affray.engine.table.candidates import NOT_ALL, UNLISTED, candidates, samples
from affray.engine.table.put_together import PUT_TOGETHER
from affray.engine.table.runner import refusal_of
from affray.engine.table.ways import Way, most_squares, ways
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.declared import AnyAct, Declared
from affray.projections.state import Combatant

MOST: Final = 500
"""So many declarations of a kind are judged: among a crowd with many weapons there would be no end."""


class Closed(Struct, frozen=True, gc=False):
    """A kind of declaration of which nothing is open: its name, why the first is refused, the rule."""

    kind: str
    reason: str
    rule: str


class Legal(Struct, frozen=True, gc=False):
    """The declarations that are open to a combatant.

    `open` holds them ready to be declared, `ways` those of them that are moves by the square they lead to,
    with their cost in feet and whom they pass. `closed` tells why each other kind is refused. Of the kinds in
    `not_all` more may be declared than is listed: farther ways, other places, words of one's own.
    """

    who: str
    open: tuple[AnyAct, ...]
    ways: tuple[Way, ...]
    closed: tuple[Closed, ...]
    not_all: tuple[str, ...]


def legal(fight: Fight, combatant: Combatant, *, known: bool = False) -> Legal:
    """Return what a combatant may declare now; the state is left as it is.

    Ways that lead into somebody whom the combatant does not perceive are refused by no rule, yet they get it
    nowhere: they are left out, unless what is `known` to it is asked. Each candidate is begun as play begins
    it, and given up before its first step. O(candidates), of which there are `MOST` of a kind at most.
    """
    found: list[AnyAct] = []
    closed: list[Closed] = []
    more: list[str] = []
    goer = mount_of(fight, combatant) or combatant
    reach = ways(fight, goer, known=known)
    for kind in fight.dialect.acts:
        name = str(kind.__struct_config__.tag)
        if kind.declared_by == "game master":
            continue
        if kind in UNLISTED:
            barred = forbidden(fight, kind(actor=combatant.id))
            if barred is None:
                mine, barred = judged(fight, samples(fight, combatant, kind))
                barred = None if mine else barred
            if barred is None:
                more.append(name)
            else:
                closed.append(Closed(name, barred.reason, barred.rule))
            continue
        together = PUT_TOGETHER.get(kind)
        proposed = together(fight, combatant, reach) if together else candidates(fight, combatant, kind)
        some = list(islice(proposed, MOST + 1))
        mine, refusal = judged(fight, some[:MOST], None if known else goer)
        found += mine
        cut = len(some) > MOST or (kind is acts.Move and len(reach) == most_squares(goer))
        if mine and (kind in NOT_ALL or cut):
            more.append(name)
        if not mine and refusal is not None:
            closed.append(Closed(name, refusal.reason, refusal.rule))
    paths = {act.path for act in found if isinstance(act, acts.Move)}
    open_ways = tuple(way for way in reach if way.path in paths)
    return Legal(combatant.id, tuple(found), open_ways, tuple(closed), tuple(more))


def forbidden(fight: Fight, act: Act) -> Refusal | None:
    """Return why a combatant may not declare anything of the kind, whatever it says; None if it may."""
    try:
        permit(fight, act)
    except Refusal as refusal:
        return refusal
    return None


def judged(
    fight: Fight, proposed: Iterable[Act], goer: Combatant | None = None
) -> tuple[list[AnyAct], Refusal | None]:
    """Return the declarations that are open, and why the first that is not is refused.

    Those that would have a `goer` walk into somebody unseen are not.
    """
    mine: list[AnyAct] = []
    first: Refusal | None = None
    for act in dict.fromkeys(proposed):
        refusal = refusal_of(fight, Declared(fight.declaration, cast(AnyAct, act), ""))
        if refusal is None and goer is not None:
            refusal = runs_into_unseen(fight, goer, act)
        if refusal is None:
            mine.append(cast(AnyAct, act))
        elif first is None:
            first = refusal
    return mine, first


def runs_into_unseen(fight: Fight, goer: Combatant, act: Act) -> Refusal | None:
    """Return where the way of a declaration leads into somebody unseen, None if it does not."""
    path: tuple[Square, ...] = (act.to,) if isinstance(act, acts.Step) else getattr(act, "path", ())
    how = "charge" if isinstance(act, acts.Charge) else getattr(act, "how", "") or "normal"
    if isinstance(act, acts.Jump):
        how = OVERHEAD[0]
    for here, there in pairwise((goer.at, *path)):
        met = met_unseen(fight, goer, here, there, there == path[-1], how)
        if met is not None:
            return Refusal(f"somebody unseen is at {met.at[0]},{met.at[1]}", met.rule)
    return None
