"""Declarations in words: what somebody says they do."""

from collections.abc import Callable, Iterable
from typing import Any

from affray.events.facts import acts
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.words import listed, square


def deed(act: acts.Act, cast: Cast) -> str:
    """Return the sentence for an act, "" for one whose outcome says it all."""
    words = _DEEDS.get(type(act))
    return words(act, cast) if words else f"{cast.name(act.actor)}: {act.__struct_config__.tag}"


def _with(act: Any) -> str:
    return f" with {act.weapon}" if act.weapon else ""


def _ways(act: Any) -> str:
    ways = [
        *(("thrown",) if getattr(act, "thrown", False) else ()),
        *(("fighting defensively",) if getattr(act, "defensively", False) else ()),
        *(("to subdue",) if getattr(act, "nonlethal", False) else ()),
        *((f"Power Attack {act.power}",) if getattr(act, "power", 0) else ()),
        *((f"Combat Expertise {act.expertise}",) if getattr(act, "expertise", 0) else ()),
        *(("Stunning Fist",) if getattr(act, "stunning", False) else ()),
        *(("Rapid Shot",) if getattr(act, "rapid_shot", False) else ()),
        *(("Whirlwind Attack",) if getattr(act, "whirlwind", False) else ()),
    ]
    return f" ({', '.join(ways)})" if ways else ""


_WAYS = {
    "double": "makes a double move",
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


def _move(act: acts.Move, cast: Cast) -> str:
    if act.how not in _WAYS:
        return _path("moves")(act, cast)
    end = f" to {square(act.path[-1])}" if act.path else ""
    height = f", {abs(act.up)} ft. {'up' if act.up > 0 else 'down'}" if act.up else ""
    return f"{cast.name(act.actor)} {_WAYS[act.how]}{end}{height}" + (" (fast)" if act.fast else "")


_DOWN = {
    "prone": "drops prone",
    "crouching": "crouches",
    "kneeling": "kneels down",
    "sitting": "sits down on the ground",
    "seated": "sits down",
}


def _stand(act: acts.Stand, cast: Cast) -> str:
    up = "rises into a crouch" if act.to else "stands up"
    return f"{cast.name(act.actor)} {up}" + (f" ({act.how})" if act.how else "")


def _path(verb: str) -> Callable[[Any, Cast], str]:
    def words(act: Any, cast: Cast) -> str:
        end = f" to {square(act.path[-1])}" if act.path else ""
        how = getattr(act, "how", "normal")
        return f"{cast.name(act.actor)} {verb}{end}" + ("" if how in ("normal", "") else f" ({how})")

    return words


def _verb(verb: str, field: str = "") -> Callable[[Any, Cast], str]:
    def words(act: Any, cast: Cast) -> str:
        value = getattr(act, field) if field else ""
        return f"{cast.name(act.actor)} {verb}" + (f" {cast.name(value)}" if value else "")

    return words


def _charge(act: acts.Charge, cast: Cast) -> str:
    if act.stunt:
        return f"{cast.name(act.actor)} {act.stunt} at {cast.name(act.target)}{_with(act)}"
    return f"{cast.name(act.actor)} charges {cast.name(act.target)}{_ways(act)}"


def _full_attack(act: acts.FullAttack, cast: Cast) -> str:
    targets = dict.fromkeys(cast.name(strike.target) for strike in act.strikes)
    at = f" on {listed(targets)}" if targets else ""
    kind = "strikes a flurry of blows" if act.flurry else "makes a full attack"
    return f"{cast.name(act.actor)} {kind}{at}{_ways(act)}"


def _cast(act: acts.Cast, cast: Cast) -> str:
    at = f" at {listed(map(cast.name, act.targets))}" if act.targets else ""
    at = f" at {square(act.at)}" if act.at is not None else at
    how = " on the defensive" if act.defensively else ""
    return f"{cast.name(act.actor)} casts {act.spell}{at}{how}"


def _activate(act: acts.Activate, cast: Cast) -> str:
    at = f" at {listed(map(cast.name, act.targets))}" if act.targets else ""
    at = f" at {square(act.at)}" if act.at is not None else at
    return f"{cast.name(act.actor)} uses the {act.item}{at}"


def _identify(act: acts.Identify, cast: Cast) -> str:
    spell = act.spell or "the spell"
    return f"{cast.name(act.actor)} studies {spell} of {cast.name(act.target)}"


def _attack(act: acts.Attack, cast: Cast) -> str:
    at = f"attacks {cast.name(act.target)}"
    if act.at is not None:
        at = f"aims at {square(act.at)}"
    return f"{cast.name(act.actor)} {at}{_ways(act)}"


def _prepare(act: acts.Prepare, cast: Cast) -> str:
    how = f"pours out and lights the {act.item} at {square(act.at)}" if act.at else f"prepares the {act.item}"
    return f"{cast.name(act.actor)} {how}"


def _ready(act: acts.Ready, cast: Cast) -> str:
    who = cast.name(act.trigger.who) if act.trigger.who else "an enemy"
    what = f"{act.trigger.what}{f' within {act.trigger.feet} ft.' if act.trigger.feet else ''}"
    step = f" after a step to {square(act.step)}" if act.step is not None else ""
    return f"{cast.name(act.actor)} readies {act.then.__struct_config__.tag}{step} for when {who} {what}"


def _plan(act: acts.Plan, cast: Cast) -> str:
    return means(act.actor, [(one.what, one.target) for one in act.actions], cast)


def means(who: str, intents: Iterable[tuple[str, str]], cast: Cast) -> str:
    """Return the sentence for a plan: what, and at whom ("" for nobody)."""
    said = []
    for what, target in intents:
        at = " at" if what == "cast" else ""
        said.append(f"{what}{at} {cast.name(target)}" if target else what)
    return f"{cast.name(who)} means to {', then '.join(said) or 'wait'}"


def _hazard(act: acts.Hazard, cast: Cast) -> str:
    return f"{cast.name(act.target)} faces {act.source}"


def _jump(act: acts.Jump, cast: Cast) -> str:
    who = cast.name(act.actor)
    if act.kind == "long":
        return f"{who} leaps to {square(act.path[-1])}" if act.path else f"{who} leaps"
    how = {"high": f"jumps {act.feet} ft. up", "hop": "hops up", "down": f"jumps {act.feet} ft. down"}
    return f"{who} {how[act.kind]}"


def _lift(act: acts.Lift, cast: Cast) -> str:
    weight = f"{act.pounds} lb."
    how = {
        "take": f"takes up {weight}",
        "put": f"puts down {weight}",
        "overhead": f"lifts {weight} overhead",
        "ground": f"lifts {weight} off the ground",
        "drag": f"drags {weight}",
    }
    return f"{cast.name(act.actor)} {how[act.how]}"


def _flyby(act: acts.Flyby, cast: Cast) -> str:
    return f"{_path('flies')(act, cast)}; on the way {deed(act.then, cast) if act.then.actor else 'it acts'}"


def _fall(act: acts.Fall, cast: Cast) -> str:
    if act.pounds:
        return f"{act.pounds} lb. fall {act.feet} ft. on {cast.name(act.target)}"
    into = {"ground": "", "soft": " onto soft ground", "water": " into water"}
    return f"{cast.name(act.target)} falls {act.feet} ft.{into[act.onto]}"


def _expose(act: acts.Expose, cast: Cast) -> str:
    degree = f" ({act.degree})" if act.degree else ""
    if act.over:
        return f"{cast.name(act.target)} is out of the {act.to}"
    return f"{cast.name(act.target)} is exposed to {act.to}{degree}"


def _extinguish(act: acts.Extinguish, cast: Cast) -> str:
    whose = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} puts out the flames{whose}"


def _ride(act: acts.Ride, cast: Cast) -> str:
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


def _aid(act: acts.Aid, cast: Cast) -> str:
    friend, opponent = cast.name(act.friend), cast.name(act.opponent)
    if act.benefit in ("check", "condition"):
        return f"{cast.name(act.actor)} helps {friend} ({act.what})"
    return f"{cast.name(act.actor)} aids {friend} against {opponent} ({act.benefit})"


def _aimed(verb: str, act: acts.Disarm | acts.Sunder, cast: Cast) -> str:
    target = cast.name(act.target)
    if not act.item:
        return f"{verb} {target}" if verb == "disarms" else f"{verb} what {target} holds"
    return f"{verb} {target} of the {act.item}" if verb == "disarms" else f"{verb} {target}'s {act.item}"


def _turn_undead(act: acts.TurnUndead, cast: Cast) -> str:
    who, named = cast.name(act.actor), listed(map(cast.name, act.targets))
    if act.what == "dispel":
        return f"{who} dispels the turning of {act.kind}"
    if act.what == "order":
        return f'{who} orders {named}: "{act.words}"' if act.words else f"{who} gives {named} orders"
    verb = {"release": "gives up the command of"}.get(act.what, f"{act.what}s")
    return f"{who} {verb} {named or act.kind}"


def _seek(act: acts.Seek, cast: Cast) -> str:
    who = cast.name(act.actor)
    if act.sense == "grope":
        return f"{who} gropes about in {listed(map(square, act.at))}"
    verb = {"spot": "looks", "listen": "listens", "scent": "sniffs"}[act.sense]
    return f"{who} {verb} for {cast.name(act.target)}"


def _ability(act: acts.UseAbility, cast: Cast) -> str:
    at = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} uses {act.ability}{at}"


_DEEDS: dict[type, Callable[[Any, Cast], str]] = {
    acts.Enter: lambda act, cast: "",
    acts.Begin: lambda act, cast: "",
    acts.EndTurn: lambda act, cast: "",
    acts.Close: lambda act, cast: "",
    acts.Rule: lambda act, cast: "",
    acts.Plan: _plan,
    acts.Move: _move,
    acts.Withdraw: _path("withdraws"),
    acts.Run: _path("runs"),
    acts.Step: lambda act, cast: f"{cast.name(act.actor)} steps to {square(act.to)}",
    acts.Charge: _charge,
    acts.Attack: _attack,
    acts.FullAttack: _full_attack,
    acts.Skirmish: lambda act, cast: (
        f"{cast.name(act.actor)} moves, attacks {cast.name(act.target)}{_with(act)} and moves on"
    ),
    acts.Trample: _path("tramples on"),
    acts.Manyshot: lambda act, cast: (
        f"{cast.name(act.actor)} looses {act.arrows} arrows at once at {cast.name(act.target)}"
    ),
    acts.UseFeat: lambda act, cast: (
        f"{cast.name(act.actor)} uses {act.feat}"
        + (f" against {cast.name(act.target)}" if act.target else "")
    ),
    acts.TotalDefense: _verb("goes on total defense"),
    acts.Aid: _aid,
    acts.Delay: _verb("delays"),
    acts.Resume: _verb("takes the delayed turn"),
    acts.Ready: _ready,
    acts.Brace: lambda act, cast: f"{cast.name(act.actor)} braces{_with(act)}",
    acts.Mount: _verb("mounts", "target"),
    acts.Dismount: lambda act, cast: f"{cast.name(act.actor)} dismounts to {square(act.to)}",
    acts.Guide: lambda act, cast: f"{cast.name(act.actor)} {_GUIDING[act.what]}",
    acts.Ride: _ride,
    acts.Redirect: lambda act, cast: f"{cast.name(act.actor)} redirects {act.spell}",
    acts.Cast: _cast,
    acts.Maintain: _verb("goes on concentrating"),
    acts.Touch: lambda act, cast: f"{cast.name(act.actor)} touches {listed(map(cast.name, act.targets))}",
    acts.Counter: lambda act, cast: f"{cast.name(act.actor)} counters with {act.spell}",
    acts.Activate: _activate,
    acts.Identify: _identify,
    acts.LowerResistance: _verb("lowers its spell resistance"),
    acts.Rouse: _verb("shakes", "target"),
    acts.BreakFree: _verb("strains to get free"),
    acts.Prepare: _prepare,
    acts.Stand: _stand,
    acts.Drop: lambda act, cast: f"{cast.name(act.actor)} {_DOWN.get(act.item, f'drops the {act.item}')}",
    acts.Ignore: lambda act, cast: (
        f"{cast.name(act.actor)} pays no heed to {listed(map(cast.name, act.targets))}"
    ),
    acts.Draw: lambda act, cast: (
        f"{cast.name(act.actor)} draws the {act.item}" + (f" and the {act.also}" if act.also else "")
    ),
    acts.Sheathe: lambda act, cast: f"{cast.name(act.actor)} puts the {act.item} away",
    acts.Handle: lambda act, cast: (
        f"{cast.name(act.actor)} handles the {act.item} ({act.what.replace('-', ' ')})"
    ),
    acts.Load: lambda act, cast: f"{cast.name(act.actor)} loads the {act.item}",
    acts.CoupDeGrace: lambda act, cast: (
        f"{cast.name(act.actor)} gives {cast.name(act.target)} the coup de grace{_with(act)}"
    ),
    acts.Trip: lambda act, cast: f"{cast.name(act.actor)} trips {cast.name(act.target)}{_with(act)}",
    acts.Disarm: lambda act, cast: f"{cast.name(act.actor)} {_aimed('disarms', act, cast)}{_with(act)}",
    acts.Sunder: lambda act, cast: f"{cast.name(act.actor)} {_aimed('strikes at', act, cast)}{_with(act)}",
    acts.BullRush: _verb("bull rushes", "target"),
    acts.Push: _verb("pushes", "target"),
    acts.Stunt: lambda act, cast: (
        f"{cast.name(act.actor)} tries {act.what or 'a stunt'} with {cast.name(act.target)}"
    ),
    acts.Overrun: _verb("overruns", "target"),
    acts.Feint: _verb("feints at", "target"),
    acts.Hide: _path("hides"),
    acts.Seek: _seek,
    acts.Demoralize: _verb("tries to demoralize", "target"),
    acts.Pilfer: lambda act, cast: (
        f"{cast.name(act.actor)} tries to take the {act.item} from {cast.name(act.target)}"
    ),
    acts.Grapple: lambda act, cast: (
        f"{cast.name(act.actor)} grapples {cast.name(act.target)}"
        + ("" if act.what == "start" else f" ({act.what.replace('-', ' ')})")
    ),
    acts.TurnUndead: _turn_undead,
    acts.UseAbility: _ability,
    acts.Don: lambda act, cast: f"{cast.name(act.actor)} puts on the {act.item}",
    acts.Doff: lambda act, cast: f"{cast.name(act.actor)} takes off the {act.item}",
    acts.Gather: lambda act, cast: f"{cast.name(act.actor)} gathers the missiles of the {act.item}",
    acts.Shelter: _verb("takes shelter behind the shield"),
    acts.Sleep: lambda act, cast: f"{cast.name(act.target)} sleeps",
    acts.Bind: lambda act, cast: f"{cast.name(act.actor)} binds {cast.name(act.target)} with {act.item}",
    acts.GetFree: _verb("tries to get free"),
    acts.Burst: _verb("throws its weight against", "target"),
    acts.AwesomeBlow: _verb("strikes an awesome blow at", "target"),
    acts.Stabilize: _verb("gives first aid to", "target"),
    acts.Circumstance: lambda act, cast: (
        (
            f"{cast.name(act.target)} finds the next check {'hampered' if act.hampers else 'favored'}"
            if act.changes in ("check", "dc")
            else f"{cast.name(act.target)} fights under "
            f"{act.row or ('unfavorable' if act.hampers else 'favorable') + ' conditions'} ({act.changes})"
        )
        + (f": {act.why}" if act.why else "")
    ),
    acts.Split: lambda act, cast: (
        f"{cast.name(act.actor)} spends half a round: {str(act.then.__struct_config__.tag).replace('-', ' ')}"
    ),
    acts.Speak: lambda act, cast: f'{cast.name(act.actor)}: "{act.words}"',
    acts.Refocus: _verb("gathers itself"),
    acts.Hazard: _hazard,
    acts.Envenom: lambda act, cast: (
        f"{cast.name(act.actor)} smears {act.poison or 'poison'} on the {act.weapon}"
    ),
    acts.Treat: _verb("looks after", "target"),
    acts.Rest: lambda act, cast: "",
    acts.Jump: _jump,
    acts.Lift: _lift,
    acts.Flyby: _flyby,
    acts.Fall: _fall,
    acts.Expose: _expose,
    acts.Extinguish: _extinguish,
    acts.TendFeet: _verb("tends the feet of", "target"),
}
