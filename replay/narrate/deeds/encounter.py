"""What the game master declares, in words."""

from typing import Final

from affray.events.facts import acts
from affray.events.facts.carried import Origin
from affray.events.wording import counted
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling
from affray.replay.narrate.words import listed, square

ENOUGH: Final = 12
"""So many digits of a log's digest tell it from all others of a campaign."""


def hazard_in_words(act: acts.Hazard, cast: Cast) -> str:
    return f"{cast.name(act.target)} faces {act.source}"


def fall_in_words(act: acts.Fall, cast: Cast) -> str:
    if act.pounds:
        return f"{act.pounds} lb. fall {act.feet} ft. on {cast.name(act.target)}"
    into = {"ground": "", "soft": " onto soft ground", "water": " into water"}
    return f"{cast.name(act.target)} falls {act.feet} ft.{into[act.onto]}"


def expose_in_words(act: acts.Expose, cast: Cast) -> str:
    degree = f" ({act.degree})" if act.degree else ""
    if act.over:
        return f"{cast.name(act.target)} is out of the {act.to}"
    return f"{cast.name(act.target)} is exposed to {act.to}{degree}"


def fiat_in_words(act: acts.Fiat, cast: Cast) -> str:
    """Return what the game master sets from now on, and why."""
    said = [
        f"has {counted(act.hp, 'hit point')}" if act.hp is not None else "",
        f"is {listed(act.gains)}" if act.gains else "",
        f"is no longer {listed(act.loses)}" if act.loses else "",
        f"is at {square(act.at)}" if act.at is not None else "",
        f"acts on {act.initiative}" if act.initiative is not None else "",
    ]
    what = listed(list(filter(None, said)))
    why = f": {act.text}" if act.text else ""
    return f"{cast.name(act.target)} {what} from now on{why}" if what else ""


def arrival_in_words(act: acts.Enter, cast: Cast) -> str:
    """Return from which fight somebody comes, "" for one who comes from none."""
    if not isinstance(act.origin, Origin):
        return ""
    origin = act.origin
    was = f", as {origin.id}," if origin.id != act.id else ""
    fight = origin.fight or "another fight"
    return f"{act.id} comes{was} from {fight}, event {origin.seq} of log {origin.log[:ENOUGH]}"


DEEDS: dict[type, Telling] = {
    acts.Enter: arrival_in_words,
    acts.Begin: lambda act, cast: "",
    acts.Close: lambda act, cast: "",
    acts.Rule: lambda act, cast: "",
    acts.Sleep: lambda act, cast: f"{cast.name(act.target)} sleeps",
    acts.Fiat: fiat_in_words,
    acts.Circumstance: lambda act, cast: (
        (
            f"{cast.name(act.target)} finds the next check {'hampered' if act.hampers else 'favored'}"
            if act.changes in ("check", "dc")
            else f"{cast.name(act.target)} fights under "
            f"{act.row or ('unfavorable' if act.hampers else 'favorable') + ' conditions'} ({act.changes})"
        )
        + (f": {act.why}" if act.why else "")
    ),
    acts.Hazard: hazard_in_words,
    acts.Rest: lambda act, cast: "",
    acts.Fall: fall_in_words,
    acts.Expose: expose_in_words,
    acts.Opening: lambda act, cast: f"{cast.name(act.opponent)} gets an opening at {cast.name(act.target)}",
}
