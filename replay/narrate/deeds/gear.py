"""Things handled, worn and broken, in words."""

from affray.events.facts import acts
from affray.events.wording import counted
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb
from affray.replay.narrate.words import square

_DOWN = {
    "prone": "drops prone",
    "crouching": "crouches",
    "kneeling": "kneels down",
    "sitting": "sits down on the ground",
    "seated": "sits down",
}


def prepare_in_words(act: acts.Prepare, cast: Cast) -> str:
    if act.rounds and act.at:
        how = f"plants the {act.item} at {square(act.at)}, to go off in {counted(act.rounds, 'round')}"
    else:
        how = (
            f"pours out and lights the {act.item} at {square(act.at)}"
            if act.at
            else f"prepares the {act.item}"
        )
    return f"{cast.name(act.actor)} {how}"


def lift(act: acts.Lift, cast: Cast) -> str:
    weight = f"{act.pounds} lb."
    how = {
        "take": f"takes up {weight}",
        "put": f"puts down {weight}",
        "overhead": f"lifts {weight} overhead",
        "ground": f"lifts {weight} off the ground",
        "drag": f"drags {weight}",
    }
    return f"{cast.name(act.actor)} {how[act.how]}"


def drop_in_words(act: acts.Drop, cast: Cast) -> str:
    if act.to is not None:
        return f"{cast.name(act.actor)} hurls the {act.item} to {square(act.to)}"
    return f"{cast.name(act.actor)} {_DOWN.get(act.item, f'drops the {act.item}')}"


DEEDS: dict[type, Telling] = {
    acts.Prepare: prepare_in_words,
    acts.Drop: drop_in_words,
    acts.Draw: lambda act, cast: (
        f"{cast.name(act.actor)} draws the {act.item}" + (f" and the {act.also}" if act.also else "")
    ),
    acts.Sheathe: lambda act, cast: f"{cast.name(act.actor)} puts the {act.item} away",
    acts.Handle: lambda act, cast: (
        f"{cast.name(act.actor)} handles the {act.item} ({act.what.replace('-', ' ')})"
    ),
    acts.Grip: lambda act, cast: (
        f"{cast.name(act.actor)} takes the {act.item} in {act.hands} hand" + "s" * (act.hands == "both")
    ),
    acts.Load: lambda act, cast: f"{cast.name(act.actor)} loads the {act.item}",
    acts.Don: lambda act, cast: f"{cast.name(act.actor)} puts on the {act.item}",
    acts.Doff: lambda act, cast: f"{cast.name(act.actor)} takes off the {act.item}",
    acts.Gather: lambda act, cast: f"{cast.name(act.actor)} gathers the missiles of the {act.item}",
    acts.Shelter: verb("takes shelter behind the shield"),
    acts.Burst: verb("throws its weight against", "target"),
    acts.Repair: lambda act, cast: (
        f"{cast.name(act.actor)} repairs the {act.item or cast.name(act.target)}"
        + ("" if act.tools else " without tools")
    ),
    acts.Envenom: lambda act, cast: (
        f"{cast.name(act.actor)} smears {act.poison or 'poison'} on the {act.weapon}"
    ),
    acts.Lift: lift,
}
