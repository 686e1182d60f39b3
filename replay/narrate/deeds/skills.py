"""Skills, feats, help and speech in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, path
from affray.replay.narrate.words import listed, square


def aid_in_words(act: acts.Aid, cast: Cast) -> str:
    friend, opponent = cast.name(act.friend), cast.name(act.opponent)
    if act.benefit in ("check", "condition"):
        return f"{cast.name(act.actor)} helps {friend}" + (f" ({act.what})" if act.what else "")
    return f"{cast.name(act.actor)} aids {friend} against {opponent} ({act.benefit})"


def seek(act: acts.Seek, cast: Cast) -> str:
    who = cast.name(act.actor)
    if act.sense == "grope":
        return f"{who} gropes about in {listed(map(square, act.at))}"
    verb = {"spot": "looks", "listen": "listens", "scent": "sniffs"}[act.sense]
    return f"{who} {verb} for {cast.name(act.target)}"


def ability_in_words(act: acts.UseAbility, cast: Cast) -> str:
    at = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} uses {act.ability}{at}"


DEEDS: dict[type, Telling] = {
    acts.UseFeat: lambda act, cast: (
        f"{cast.name(act.actor)} uses {act.feat}"
        + (f" against {cast.name(act.target)}" if act.target else "")
    ),
    acts.Aid: aid_in_words,
    acts.Hide: path("hides"),
    acts.Seek: seek,
    acts.UseAbility: ability_in_words,
    acts.UseSkill: lambda act, cast: (
        f"{cast.name(act.actor)} uses {act.skill}" + (f" on {cast.name(act.target)}" if act.target else "")
    ),
    acts.Speak: lambda act, cast: f'{cast.name(act.actor)}: "{act.words}"',
}
