"""Attacks in words."""

from affray.events.facts import acts
from affray.events.wording import counted
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, path, verb, ways, with_weapon
from affray.replay.narrate.words import listed, square


def charge_in_words(act: acts.Charge, cast: Cast) -> str:
    if act.stunt:
        return f"{cast.name(act.actor)} {act.stunt} at {cast.name(act.target)}{with_weapon(act)}"
    return f"{cast.name(act.actor)} charges {cast.name(act.target)}{ways(act)}"


def full_attack_in_words(act: acts.FullAttack, cast: Cast) -> str:
    targets = dict.fromkeys(cast.name(strike.target) for strike in act.strikes)
    at = f" on {listed(targets)}" if targets else ""
    kind = "strikes a flurry of blows" if act.flurry else "makes a full attack"
    step = f" with a step to {square(act.step)}" if act.step is not None else ""
    return f"{cast.name(act.actor)} {kind}{at}{step}{ways(act)}"


def attack_in_words(act: acts.Attack, cast: Cast) -> str:
    at = f"attacks {cast.name(act.target)}"
    if act.at is not None:
        at = f"aims at {square(act.at)}"
    if act.take:
        at += f", taking {act.take}"
    return f"{cast.name(act.actor)} {at}{ways(act)}"


DEEDS: dict[type, Telling] = {
    acts.Charge: charge_in_words,
    acts.Attack: attack_in_words,
    acts.CalledShot: lambda act, cast: (
        f"{cast.name(act.actor)} aims at the {act.part} of {cast.name(act.target)}{ways(act)}"
    ),
    acts.FullAttack: full_attack_in_words,
    acts.Skirmish: lambda act, cast: (
        f"{cast.name(act.actor)} moves, attacks {cast.name(act.target)}{with_weapon(act)} and moves on"
    ),
    acts.Trample: path("tramples on"),
    acts.Manyshot: lambda act, cast: (
        f"{cast.name(act.actor)} looses {counted(act.arrows, 'arrow')} at once at {cast.name(act.target)}"
    ),
    acts.TotalDefense: verb("goes on total defense"),
    acts.Brace: lambda act, cast: f"{cast.name(act.actor)} braces{with_weapon(act)}",
    acts.Ignore: lambda act, cast: (
        f"{cast.name(act.actor)} pays no heed to {listed(map(cast.name, act.targets))}"
    ),
    acts.CoupDeGrace: lambda act, cast: (
        f"{cast.name(act.actor)} gives {cast.name(act.target)} the coup de grace{with_weapon(act)}"
    ),
    acts.KnockoutBlow: lambda act, cast: (
        f"{cast.name(act.actor)} tries to knock {cast.name(act.target)} out{with_weapon(act)}"
    ),
    acts.AwesomeBlow: verb("strikes an awesome blow at", "target"),
}
