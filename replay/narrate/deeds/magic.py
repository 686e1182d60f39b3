"""Spells, items and turning in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb
from affray.replay.narrate.words import listed, square


def _at(act: acts.Cast | acts.Activate, cast: Cast) -> str:
    if act.targets == (act.actor,):
        return " on itself"
    return f" at {listed(map(cast.name, act.targets))}" if act.targets else ""


def cast(act: acts.Cast, cast: Cast) -> str:
    at = _at(act, cast)
    at = f" at {square(act.at)}" if act.at is not None else at
    how = " on the defensive" if act.defensively else ""
    return f"{cast.name(act.actor)} casts {act.spell}{at}{how}"


def activate(act: acts.Activate, cast: Cast) -> str:
    at = _at(act, cast)
    at = f" at {square(act.at)}" if act.at is not None else at
    return f"{cast.name(act.actor)} uses the {act.item}{at}"


def identify(act: acts.Identify, cast: Cast) -> str:
    spell = act.spell or "the spell"
    return f"{cast.name(act.actor)} studies {spell} of {cast.name(act.target)}"


def turn_undead(act: acts.TurnUndead, cast: Cast) -> str:
    who, named = cast.name(act.actor), listed(map(cast.name, act.targets))
    if act.what == "dispel":
        return f"{who} dispels the turning of {act.kind}"
    if act.what == "order":
        return f'{who} orders {named}: "{act.words}"' if act.words else f"{who} gives {named} orders"
    verb = {"release": "gives up the command of"}.get(act.what, f"{act.what}s")
    boost = f" with {act.boost}" if act.boost else ""
    return f"{who} {verb} {named or act.kind}{boost}"


DEEDS: dict[type, Telling] = {
    acts.Redirect: lambda act, cast: f"{cast.name(act.actor)} redirects {act.spell}",
    acts.Cast: cast,
    acts.Maintain: verb("goes on concentrating"),
    acts.Dismiss: lambda act, cast: f"{cast.name(act.actor)} ends {act.spell}",
    acts.Touch: lambda act, cast: (
        f"{cast.name(act.actor)} touches {listed(map(cast.name, act.targets)) or 'nobody'}"
    ),
    acts.Counter: lambda act, cast: (
        f"{cast.name(act.actor)} counters" + (f" with {act.spell}" if act.spell else "")
    ),
    acts.Activate: activate,
    acts.Identify: identify,
    acts.LowerResistance: verb("lowers its spell resistance"),
    acts.TurnUndead: turn_undead,
}
