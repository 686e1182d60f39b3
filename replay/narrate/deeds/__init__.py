"""Declarations in words: what somebody says they do."""

from msgspec.structs import replace

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds import (
    attacks,
    care,
    encounter,
    gear,
    magic,
    maneuvers,
    movement,
    riding,
    skills,
    turns,
)
from affray.replay.narrate.deeds.phrases import Telling, path
from affray.replay.narrate.deeds.turns import means


def deed(act: acts.Act, cast: Cast) -> str:
    """Return the sentence for an act, "" for one whose outcome says it all."""
    words = _DEEDS.get(type(act))
    return words(act, cast) if words else f"{cast.name(act.actor)}: {act.__struct_config__.tag}"


_BARE: dict[type, Telling] = {
    acts.Enter: lambda act, cast: f"the game master brings in {act.id} of the {act.side}",
    acts.Begin: lambda act, cast: "the fight is to begin",
    acts.Close: lambda act, cast: "the game master closes the encounter",
    acts.Rest: lambda act, cast: "everybody rests",
    acts.EndTurn: lambda act, cast: (
        f"{cast.name(act.actor)} ends the turn" if act.actor else "the game master lets play go on"
    ),
}
"""Declarations that a story leaves to their outcomes."""


def bare_deed(act: acts.Act, cast: Cast) -> str:
    """Return a sentence for an act that has none in a story, where its outcome says it all."""
    words = _BARE.get(type(act))
    return words(act, cast) if words else f"{cast.name(act.actor)}: {act.__struct_config__.tag}"


def _flyby(act: acts.Flyby, cast: Cast) -> str:
    then = deed(replace(act.then, actor=act.then.actor or act.actor), cast)
    return f"{path('flies')(act, cast)}; on the way {then}"


_DEEDS: dict[type, Telling] = {
    **attacks.DEEDS,
    **care.DEEDS,
    **encounter.DEEDS,
    **gear.DEEDS,
    **magic.DEEDS,
    **maneuvers.DEEDS,
    **movement.DEEDS,
    **riding.DEEDS,
    **skills.DEEDS,
    **turns.DEEDS,
    acts.Flyby: _flyby,
}

__all__ = ["bare_deed", "deed", "means"]
