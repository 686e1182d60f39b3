"""Special attacks in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb, with_weapon
from affray.replay.narrate.words import listed, square


def grab(act: acts.Grab, cast: Cast) -> str:
    who, target = cast.name(act.actor), cast.name(act.target) if act.target else ""
    if act.what == "start":
        part = "" if act.part == "body" else f" by the {act.part}"
        return f"{who} grabs at {target}{part}"
    if act.what == "drag":
        end = f" to {square(act.path[-1])}" if act.path else ""
        return f"{who} drags {target or 'the opponents it holds'}{end}"
    if act.what == "escape":
        holders = listed(map(cast.name, act.targets)) if act.targets else target
        return f"{who} tries to get free of {holders}"
    verbs = {"release": "lets go of", "squeeze": "squeezes", "throw": "tries to throw"}
    return f"{who} {verbs[act.what]} {target or 'all it holds'}"


def aim_in_words(verb: str, act: acts.Disarm | acts.Sunder, cast: Cast) -> str:
    target = cast.name(act.target)
    if not act.item:
        return f"{verb} {target}" if verb == "disarms" else f"{verb} what {target} holds"
    return f"{verb} {target} of the {act.item}" if verb == "disarms" else f"{verb} {target}'s {act.item}"


DEEDS: dict[type, Telling] = {
    acts.Trip: lambda act, cast: f"{cast.name(act.actor)} trips {cast.name(act.target)}{with_weapon(act)}",
    acts.Disarm: lambda act, cast: (
        f"{cast.name(act.actor)} {aim_in_words('disarms', act, cast)}{with_weapon(act)}"
    ),
    acts.Sunder: lambda act, cast: (
        f"{cast.name(act.actor)} {aim_in_words('strikes at', act, cast)}{with_weapon(act)}"
    ),
    acts.BullRush: verb("bull rushes", "target"),
    acts.Push: verb("pushes", "target"),
    acts.Stunt: lambda act, cast: (
        f"{cast.name(act.actor)} tries {act.what or 'a stunt'} with {cast.name(act.target)}"
    ),
    acts.Overrun: verb("overruns", "target"),
    acts.Feint: verb("feints at", "target"),
    acts.Demoralize: verb("tries to demoralize", "target"),
    acts.Pilfer: lambda act, cast: (
        f"{cast.name(act.actor)} tries to take the {act.item} from {cast.name(act.target)}"
    ),
    acts.DirtyTrick: lambda act, cast: (
        f"{cast.name(act.actor)} plays a dirty trick on {cast.name(act.target)}"
    ),
    acts.Recover: lambda act, cast: f"{cast.name(act.actor)} tries to be {act.condition} no longer",
    acts.Drag: verb("drags", "target"),
    acts.Reposition: verb("tries to reposition", "target"),
    acts.Steal: lambda act, cast: (
        f"{cast.name(act.actor)} tries to take the {act.item} from {cast.name(act.target)}{with_weapon(act)}"
    ),
    acts.Grapple: lambda act, cast: (
        f"{cast.name(act.actor)} grapples {cast.name(act.target)}"
        + ("" if act.what == "start" else f" ({act.what.replace('-', ' ')})")
    ),
    acts.Grab: grab,
}
