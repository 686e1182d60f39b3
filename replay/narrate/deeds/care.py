"""Bonds, wounds and other troubles in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb


def extinguish(act: acts.Extinguish, cast: Cast) -> str:
    whose = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} puts out the flames{whose}"


DEEDS: dict[type, Telling] = {
    acts.Rouse: verb("shakes", "target"),
    acts.BreakFree: verb("strains to get free"),
    acts.Bind: lambda act, cast: f"{cast.name(act.actor)} binds {cast.name(act.target)} with {act.item}",
    acts.GetFree: verb("tries to get free"),
    acts.Stabilize: verb("gives first aid to", "target"),
    acts.Treat: verb("looks after", "target"),
    acts.Extinguish: extinguish,
    acts.TendFeet: verb("tends the feet of", "target"),
}
