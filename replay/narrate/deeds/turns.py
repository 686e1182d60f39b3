"""Plans, delays and readiness in words."""

from collections.abc import Iterable

from msgspec.structs import fields

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, verb
from affray.replay.narrate.words import square


def ready_in_words(act: acts.Ready, cast: Cast) -> str:
    return f"{cast.name(act.actor)} readies {readied(act, cast)}"


def readied(act: acts.Ready, cast: Cast) -> str:
    who = cast.name(act.trigger.who) if act.trigger.who else "an enemy"
    what = f"{act.trigger.what}{f' within {act.trigger.feet} ft.' if act.trigger.feet else ''}"
    step = f" after a step to {square(act.step)}" if act.step is not None else ""
    return f"{later(act.then, cast)}{step} for when {who} {what}"


#: What says of an act that waits which one it is, and at whom.
THINGS = ("ability", "feat", "skill", "spell", "item", "weapon", "poison", "what")
OTHERS = ("target", "friend")


def later(act: acts.Act, cast: Cast) -> str:
    """Return the words for an act that waits: what it is called, and what and whom it names."""
    usual = {one.name: one.default for one in fields(act)}
    things = [str(getattr(act, name)) for name in THINGS if getattr(act, name, None) != usual.get(name)]
    named = [getattr(act, name, "") for name in OTHERS] + list(getattr(act, "targets", ()))
    said = ", ".join((*things, *(cast.name(one) for one in named if one)))
    tag = str(act.__struct_config__.tag)
    return f"{tag} ({said})" if said else tag


def plan(act: acts.Plan, cast: Cast) -> str:
    said = means(act.actor, [(one.what, one.target) for one in act.actions], cast)
    return f"{said}: {readied(act.ready, cast)}" if act.ready is not None else said


def means(who: str, intents: Iterable[tuple[str, str]], cast: Cast) -> str:
    """Return the sentence for a plan: what, and at whom ("" for nobody)."""
    said = []
    for what, target in intents:
        if what == "nothing":
            continue
        at = " at" if what == "cast" else ""
        said.append(f"{what}{at} {cast.name(target)}" if target else what)
    return f"{cast.name(who)} means to {', then '.join(said) or 'wait'}"


DEEDS: dict[type, Telling] = {
    acts.EndTurn: lambda act, cast: "",
    acts.Plan: plan,
    acts.Delay: verb("delays"),
    acts.Resume: verb("takes the delayed turn"),
    acts.Ready: ready_in_words,
    acts.Split: lambda act, cast: (
        f"{cast.name(act.actor)} spends half a round: {str(act.then.__struct_config__.tag).replace('-', ' ')}"
    ),
    acts.Refocus: verb("gathers itself"),
}
