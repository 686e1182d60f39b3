"""Movement in words."""

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.deeds.phrases import Telling, path
from affray.replay.narrate.words import square

_WAYS = {
    "double": "makes a double move",
    "brachiate": "swings along",
    "burrow": "burrows",
    "vault": "goes over",
    "leave": "asks to be let by",
    "crawl": "crawls",
    "crowd": "crowds in",
    "squeeze": "squeezes through",
    "wriggle": "wriggles through",
    "tumble": "tumbles",
    "balance": "balances",
    "climb": "climbs",
    "swim": "swims",
    "fly": "flies",
}


def move_in_words(act: acts.Move, cast: Cast) -> str:
    if act.how not in _WAYS:
        return path("moves")(act, cast)
    end = f" to {square(act.path[-1])}" if act.path else ""
    height = f", {abs(act.up)} ft. {'up' if act.up > 0 else 'down'}" if act.up else ""
    return f"{cast.name(act.actor)} {_WAYS[act.how]}{end}{height}" + (" (fast)" if act.fast else "")


def stand(act: acts.Stand, cast: Cast) -> str:
    up = "rises into a crouch" if act.to else "stands up"
    return f"{cast.name(act.actor)} {up}" + (f" ({act.how})" if act.how else "")


def clamber(act: acts.Clamber, cast: Cast) -> str:
    ways = {
        "climb": "climbs onto",
        "jump": "leaps onto",
        "up": "climbs on, up",
        "stand": "finds its balance on the back of",
        "off": "gets down from",
    }
    return f"{cast.name(act.actor)} {ways[act.what]} {cast.name(act.target)}"


def shake_off(act: acts.ShakeOff, cast: Cast) -> str:
    how = "tries to pry {} off" if act.how == "pry" else "bucks to throw {} off"
    return f"{cast.name(act.actor)} {how.format(cast.name(act.target))}"


def jump(act: acts.Jump, cast: Cast) -> str:
    who = cast.name(act.actor)
    if act.kind == "long":
        return f"{who} leaps to {square(act.path[-1])}" if act.path else f"{who} leaps"
    how = {"high": f"jumps {act.feet} ft. up", "hop": "hops up", "down": f"jumps {act.feet} ft. down"}
    return f"{who} {how[act.kind]}"


DEEDS: dict[type, Telling] = {
    acts.Move: move_in_words,
    acts.Withdraw: path("withdraws"),
    acts.Run: path("runs"),
    acts.Step: lambda act, cast: f"{cast.name(act.actor)} steps to {square(act.to)}",
    acts.Stand: stand,
    acts.Clamber: clamber,
    acts.ShakeOff: shake_off,
    acts.Jump: jump,
}
