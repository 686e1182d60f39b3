"""Riding in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb
from affray.replay.narrate.words import square


def ride(act: acts.Ride, cast: Cast) -> str:
    paces = {"move": "rides", "double": "rides at a double move", "run": "rides at a run"}
    end = f" to {square(act.path[-1])}" if act.path else ""
    target = getattr(act.then, "target", "")
    doing = f"{act.then.__struct_config__.tag}{f' on {cast.name(target)}' if target else ''}"
    return f"{cast.name(act.actor)} {paces[act.pace]}{end}, {doing} on the way"


_GUIDING = {
    "control": "keeps the frightened mount in hand",
    "knees": "guides the mount with the knees",
    "cover": "drops down beside the mount",
    "spur": "spurs the mount",
    "leap": "has the mount leap",
}


DEEDS: dict[type, Telling] = {
    acts.Mount: verb("mounts", "target"),
    acts.Dismount: lambda act, cast: f"{cast.name(act.actor)} dismounts to {square(act.to)}",
    acts.Guide: lambda act, cast: f"{cast.name(act.actor)} {_GUIDING[act.what]}",
    acts.Ride: ride,
}
