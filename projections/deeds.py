"""Declarations in words, as a player would say them."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from msgspec.structs import fields, replace

from affray.events.errors import counted, listed, square
from affray.events.facts import acts
from affray.events.facts.sheet import Origin
from affray.events.facts.words import NO_WORDS, DialectWords, filled


class Names(Protocol):
    """The names of combatants by id, of the game master for "", and the words of the dialect."""

    words: DialectWords

    def name(self, id: str) -> str: ...


class Ids:
    """Names every combatant by its id."""

    def __init__(self, words: DialectWords = NO_WORDS) -> None:
        self.words = words

    def name(self, id: str) -> str:
        """Return the id; "the game master" for ""."""
        return id or "the game master"


IDS: Final = Ids()


Telling = Callable[[Any, Names], str]


class Armed(Protocol):
    """An act with a weapon."""

    @property
    def weapon(self) -> str:
        """The weapon, "" for none."""
        ...


class Mover(Protocol):
    """An act along a path."""

    @property
    def actor(self) -> str:
        """The mover."""
        ...

    @property
    def path(self) -> acts.Path:
        """The squares entered, in order."""
        ...


def with_weapon(act: Armed) -> str:
    """Return the weapon that an act names, in words."""
    return f" with {act.weapon}" if act.weapon else ""


def ways(act: object) -> str:
    """Return the ways in which an attack is made, in brackets."""
    ways = [
        *(("thrown",) if getattr(act, "thrown", False) else ()),
        *(("firing automatically",) if fires_automatically(act) else ()),
        *(("fighting defensively",) if getattr(act, "defensively", False) else ()),
        *(("to subdue",) if getattr(act, "nonlethal", False) else ()),
        *((f"Power Attack {power}",) if (power := getattr(act, "power", 0)) else ()),
        *((f"Combat Expertise {traded}",) if (traded := getattr(act, "expertise", 0)) else ()),
        *(("Stunning Fist",) if getattr(act, "stunning", False) else ()),
        *(("Rapid Shot",) if getattr(act, "rapid_shot", False) else ()),
        *(("Whirlwind Attack",) if getattr(act, "whirlwind", False) else ()),
    ]
    return f" ({', '.join(ways)})" if ways else ""


def fires_automatically(act: object) -> bool:
    """Return whether an attack, or one of several, is automatic fire."""
    return any(getattr(one, "autofire", False) for one in (act, *getattr(act, "strikes", ())))


def path(verb: str) -> Telling:
    """Return a function that describes an act along a path by its destination."""

    def words(act: Mover, cast: Names) -> str:
        end = f" to {square(act.path[-1])}" if act.path else ""
        how = getattr(act, "how", "normal")
        return f"{cast.name(act.actor)} {verb}{end}" + ("" if how in ("normal", "") else f" ({how})")

    return words


def verb(verb: str, field: str = "") -> Telling:
    """Return a function that describes an act by one verb and the value of `field`."""

    def words(act: acts.Act, cast: Names) -> str:
        value = getattr(act, field) if field else ""
        return f"{cast.name(act.actor)} {verb}" + (f" {cast.name(value)}" if value else "")

    return words


def ready_in_words(act: acts.Ready, cast: Names) -> str:
    return f"{cast.name(act.actor)} readies {readied(act, cast)}"


def readied(act: acts.Ready, cast: Names) -> str:
    who = cast.name(act.trigger.who) if act.trigger.who else "an enemy"
    what = f"{act.trigger.what}{f' within {act.trigger.feet} ft.' if act.trigger.feet else ''}"
    step = f" after a step to {square(act.step)}" if act.step is not None else ""
    return f"{later(act.then, cast)}{step} for when {who} {what}"


#: The fields that identify a pending act and its target.
THINGS = ("ability", "feat", "skill", "spell", "item", "weapon", "poison", "what")
OTHERS = ("target", "friend")


def later(act: acts.Act, cast: Names) -> str:
    """Return the words for a pending act: its name and what it names."""
    usual = {one.name: one.default for one in fields(act)}
    things = [str(getattr(act, name)) for name in THINGS if getattr(act, name, None) != usual.get(name)]
    named = [getattr(act, name, "") for name in OTHERS] + list(getattr(act, "targets", ()))
    said = ", ".join((*things, *(cast.name(one) for one in named if one)))
    tag = str(act.__struct_config__.tag)
    return f"{tag} ({said})" if said else tag


def plan(act: acts.Plan, cast: Names) -> str:
    said = means(act.actor, [(one.what, one.target) for one in act.actions], cast)
    return f"{said}: {readied(act.ready, cast)}" if act.ready is not None else said


def means(who: str, intents: Iterable[tuple[str, str]], cast: Names) -> str:
    """Return the sentence for a plan: the act and its target ("" for none)."""
    said = []
    for what, target in intents:
        if what == "nothing":
            continue
        at = " at" if what == "cast" else ""
        said.append(f"{what}{at} {cast.name(target)}" if target else what)
    return f"{cast.name(who)} means to {', then '.join(said) or 'wait'}"


def custom(act: acts.Custom, cast: Names) -> str:
    """Return an act of an installed dialect in its words, otherwise its name and its fields."""
    known = cast.words.acts.get(act.name)
    values = {name: _custom_value(value, cast) for name, value in act.fields.items()}
    if known is not None:
        blank = dict.fromkeys(known.fields, "")
        return " ".join(filled(known.sentence, {**blank, **values, "actor": cast.name(act.actor)}).split())
    said = ", ".join(f"{name} {value}" for name, value in values.items())
    title = act.name.rpartition(".")[2].replace("-", " ")
    return f"{cast.name(act.actor)}: {title}" + (f" ({said})" if said else "")


def _custom_value(value: object, cast: Names) -> str:
    if isinstance(value, str):
        return cast.name(value) if value else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        if len(value) == 2 and all(isinstance(one, int) for one in value):
            return square((value[0], value[1]))
        return listed([_custom_value(one, cast) for one in value])
    return str(value)


_TURNS: dict[type, Telling] = {
    acts.Custom: custom,
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


def charge_in_words(act: acts.Charge, cast: Names) -> str:
    if act.stunt:
        return f"{cast.name(act.actor)} {act.stunt} at {cast.name(act.target)}{with_weapon(act)}"
    return f"{cast.name(act.actor)} charges {cast.name(act.target)}{ways(act)}"


def full_attack_in_words(act: acts.FullAttack, cast: Names) -> str:
    targets = dict.fromkeys(cast.name(strike.target) for strike in act.strikes)
    at = f" on {listed(targets)}" if targets else ""
    kind = "strikes a flurry of blows" if act.flurry else "makes a full attack"
    step = f" with a step to {square(act.step)}" if act.step is not None else ""
    return f"{cast.name(act.actor)} {kind}{at}{step}{ways(act)}"


def attack_in_words(act: acts.Attack, cast: Names) -> str:
    at = f"attacks {cast.name(act.target)}"
    if act.at is not None:
        at = f"aims at {square(act.at)}"
    if act.take:
        at += f", taking {act.take}"
    return f"{cast.name(act.actor)} {at}{ways(act)}"


_ATTACKS: dict[type, Telling] = {
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
        f"{cast.name(act.actor)} shoots {counted(act.arrows, 'arrow')} at once at {cast.name(act.target)}"
    ),
    acts.TotalDefense: verb("goes on total defense"),
    acts.Brace: lambda act, cast: f"{cast.name(act.actor)} braces{with_weapon(act)}",
    acts.Ignore: lambda act, cast: f"{cast.name(act.actor)} ignores {listed(map(cast.name, act.targets))}",
    acts.CoupDeGrace: lambda act, cast: (
        f"{cast.name(act.actor)} gives {cast.name(act.target)} the coup de grace{with_weapon(act)}"
    ),
    acts.KnockoutBlow: lambda act, cast: (
        f"{cast.name(act.actor)} tries to knock {cast.name(act.target)} out{with_weapon(act)}"
    ),
    acts.AwesomeBlow: verb("strikes an awesome blow at", "target"),
}


def grab(act: acts.Grab, cast: Names) -> str:
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


def aim_in_words(verb: str, act: acts.Disarm | acts.Sunder, cast: Names) -> str:
    target = cast.name(act.target)
    if not act.item:
        return f"{verb} {target}" if verb == "disarms" else f"{verb} what {target} holds"
    return f"{verb} {target} of the {act.item}" if verb == "disarms" else f"{verb} {target}'s {act.item}"


_MANEUVERS: dict[type, Telling] = {
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
    acts.Recover: lambda act, cast: f"{cast.name(act.actor)} tries to stop being {act.condition}",
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


def move_in_words(act: acts.Move, cast: Names) -> str:
    if act.how not in _WAYS:
        return path("moves")(act, cast)
    end = f" to {square(act.path[-1])}" if act.path else ""
    height = f", {abs(act.up)} ft. {'up' if act.up > 0 else 'down'}" if act.up else ""
    return f"{cast.name(act.actor)} {_WAYS[act.how]}{end}{height}" + (" (fast)" if act.fast else "")


def stand(act: acts.Stand, cast: Names) -> str:
    up = "rises into a crouch" if act.to else "stands up"
    return f"{cast.name(act.actor)} {up}" + (f" ({act.how})" if act.how else "")


def clamber(act: acts.Clamber, cast: Names) -> str:
    ways = {
        "climb": "climbs onto",
        "jump": "leaps onto",
        "up": "climbs on, up",
        "stand": "finds its balance on the back of",
        "off": "gets down from",
    }
    return f"{cast.name(act.actor)} {ways[act.what]} {cast.name(act.target)}"


def shake_off(act: acts.ShakeOff, cast: Names) -> str:
    how = "tries to pry {} off" if act.how == "pry" else "bucks to throw {} off"
    return f"{cast.name(act.actor)} {how.format(cast.name(act.target))}"


def jump(act: acts.Jump, cast: Names) -> str:
    who = cast.name(act.actor)
    if act.kind == "long":
        return f"{who} leaps to {square(act.path[-1])}" if act.path else f"{who} leaps"
    how = {"high": f"jumps {act.feet} ft. up", "hop": "hops up", "down": f"jumps {act.feet} ft. down"}
    return f"{who} {how[act.kind]}"


_MOVEMENT: dict[type, Telling] = {
    acts.Move: move_in_words,
    acts.Withdraw: path("withdraws"),
    acts.Run: path("runs"),
    acts.Step: lambda act, cast: f"{cast.name(act.actor)} steps to {square(act.to)}",
    acts.Stand: stand,
    acts.Clamber: clamber,
    acts.ShakeOff: shake_off,
    acts.Jump: jump,
}


def _at(act: acts.Cast | acts.Activate, cast: Names) -> str:
    if act.targets == (act.actor,):
        return " on itself"
    return f" at {listed(map(cast.name, act.targets))}" if act.targets else ""


def cast(act: acts.Cast, cast: Names) -> str:
    at = _at(act, cast)
    at = f" at {square(act.at)}" if act.at is not None else at
    how = " on the defensive" if act.defensively else ""
    return f"{cast.name(act.actor)} casts {act.spell}{at}{how}"


def activate(act: acts.Activate, cast: Names) -> str:
    at = _at(act, cast)
    at = f" at {square(act.at)}" if act.at is not None else at
    return f"{cast.name(act.actor)} uses the {act.item}{at}"


def identify(act: acts.Identify, cast: Names) -> str:
    spell = act.spell or "the spell"
    return f"{cast.name(act.actor)} studies {spell} of {cast.name(act.target)}"


def turn_undead(act: acts.TurnUndead, cast: Names) -> str:
    who, named = cast.name(act.actor), listed(map(cast.name, act.targets))
    if act.what == "dispel":
        return f"{who} dispels the turning of {act.kind}"
    if act.what == "order":
        return f'{who} orders {named}: "{act.words}"' if act.words else f"{who} gives {named} orders"
    verb = {"release": "gives up the command of"}.get(act.what, f"{act.what}s")
    boost = f" with {act.boost}" if act.boost else ""
    return f"{who} {verb} {named or act.kind}{boost}"


_MAGIC: dict[type, Telling] = {
    acts.Redirect: lambda act, cast: f"{cast.name(act.actor)} redirects {act.spell}",
    acts.Cast: cast,
    acts.Maintain: verb("goes on concentrating"),
    acts.Dismiss: lambda act, cast: f"{cast.name(act.actor)} ends {act.spell}",
    acts.Touch: lambda act, cast: (
        f"{cast.name(act.actor)} touches {listed(map(cast.name, act.targets)) or 'nobody'}"
    ),
    acts.Counter: lambda act, cast: (
        f"{cast.name(act.actor)} counters" + (f" with {act.spell}" if act.spell else "")
    ),
    acts.Activate: activate,
    acts.Identify: identify,
    acts.LowerResistance: verb("lowers its spell resistance"),
    acts.TurnUndead: turn_undead,
}


_DOWN = {
    "prone": "drops prone",
    "crouching": "crouches",
    "kneeling": "kneels down",
    "sitting": "sits down on the ground",
    "seated": "sits down",
}


def prepare_in_words(act: acts.Prepare, cast: Names) -> str:
    if act.rounds and act.at:
        how = f"plants the {act.item} at {square(act.at)}, to go off in {counted(act.rounds, 'round')}"
    else:
        how = (
            f"pours out and lights the {act.item} at {square(act.at)}"
            if act.at
            else f"prepares the {act.item}"
        )
    return f"{cast.name(act.actor)} {how}"


def lift(act: acts.Lift, cast: Names) -> str:
    weight = f"{act.pounds} lb."
    how = {
        "take": f"takes up {weight}",
        "put": f"puts down {weight}",
        "overhead": f"lifts {weight} overhead",
        "ground": f"lifts {weight} off the ground",
        "drag": f"drags {weight}",
    }
    return f"{cast.name(act.actor)} {how[act.how]}"


def drop_in_words(act: acts.Drop, cast: Names) -> str:
    if act.to is not None:
        return f"{cast.name(act.actor)} hurls the {act.item} to {square(act.to)}"
    return f"{cast.name(act.actor)} {_DOWN.get(act.item, f'drops the {act.item}')}"


_GEAR: dict[type, Telling] = {
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


def extinguish(act: acts.Extinguish, cast: Names) -> str:
    whose = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} puts out the flames{whose}"


_CARE: dict[type, Telling] = {
    acts.Rouse: verb("shakes", "target"),
    acts.BreakFree: verb("strains to get free"),
    acts.Bind: lambda act, cast: f"{cast.name(act.actor)} binds {cast.name(act.target)} with {act.item}",
    acts.GetFree: verb("tries to get free"),
    acts.Stabilize: verb("gives first aid to", "target"),
    acts.Treat: verb("looks after", "target"),
    acts.Extinguish: extinguish,
    acts.TendFeet: verb("tends the feet of", "target"),
}


def aid_in_words(act: acts.Aid, cast: Names) -> str:
    friend, opponent = cast.name(act.friend), cast.name(act.opponent)
    if act.benefit in ("check", "condition"):
        return f"{cast.name(act.actor)} helps {friend}" + (f" ({act.what})" if act.what else "")
    return f"{cast.name(act.actor)} aids {friend} against {opponent} ({act.benefit})"


def seek(act: acts.Seek, cast: Names) -> str:
    who = cast.name(act.actor)
    if act.sense == "grope":
        return f"{who} gropes in {listed(map(square, act.at))}"
    verb = {"spot": "looks", "listen": "listens", "scent": "sniffs"}[act.sense]
    return f"{who} {verb} for {cast.name(act.target)}"


def ability_in_words(act: acts.UseAbility, cast: Names) -> str:
    at = f" on {cast.name(act.target)}" if act.target and act.target != act.actor else ""
    return f"{cast.name(act.actor)} uses {act.ability}{at}"


_SKILLS: dict[type, Telling] = {
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


def ride(act: acts.Ride, cast: Names) -> str:
    paces = {"move": "rides", "double": "rides at a double move", "run": "rides at a run"}
    end = f" to {square(act.path[-1])}" if act.path else ""
    target = getattr(act.then, "target", "")
    doing = f"{act.then.__struct_config__.tag}{f' on {cast.name(target)}' if target else ''}"
    return f"{cast.name(act.actor)} {paces[act.pace]}{end}, {doing} on the way"


_GUIDING = {
    "control": "controls the frightened mount",
    "knees": "guides the mount with the knees",
    "cover": "takes cover behind the mount",
    "spur": "spurs the mount",
    "leap": "makes the mount jump",
}


_RIDING: dict[type, Telling] = {
    acts.Mount: verb("mounts", "target"),
    acts.Dismount: lambda act, cast: f"{cast.name(act.actor)} dismounts to {square(act.to)}",
    acts.Guide: lambda act, cast: f"{cast.name(act.actor)} {_GUIDING[act.what]}",
    acts.Ride: ride,
}


ENOUGH: Final = 12
"""The digits of a log's digest that distinguish it from all others of a campaign."""


def hazard_in_words(act: acts.Hazard, cast: Names) -> str:
    return f"{cast.name(act.target)} faces {act.source}"


def fall_in_words(act: acts.Fall, cast: Names) -> str:
    if act.pounds:
        return f"{act.pounds} lb. fall {act.feet} ft. on {cast.name(act.target)}"
    into = {"ground": "", "soft": " onto soft ground", "water": " into water"}
    return f"{cast.name(act.target)} falls {act.feet} ft.{into[act.onto]}"


def expose_in_words(act: acts.Expose, cast: Names) -> str:
    degree = f" ({act.degree})" if act.degree else ""
    if act.over:
        return f"{cast.name(act.target)} is out of the {act.to}"
    return f"{cast.name(act.target)} is exposed to {act.to}{degree}"


def fiat_in_words(act: acts.Fiat, cast: Names) -> str:
    """Return the state that the game master sets from now on, and the reason."""
    said = [
        f"has {counted(act.hp, 'hit point')}" if act.hp is not None else "",
        f"is {listed(act.gains)}" if act.gains else "",
        f"is no longer {listed(act.loses)}" if act.loses else "",
        f"is at {square(act.at)}" if act.at is not None else "",
        f"acts on {act.initiative}" if act.initiative is not None else "",
    ]
    what = listed(list(filter(None, said)))
    why = f": {act.text}" if act.text else ""
    return f"{cast.name(act.target)} {what} from now on{why}" if what else ""


def carried_from_in_words(act: acts.Enter, cast: Names) -> str:
    """Return the fight that a combatant was carried over from, "" for none."""
    if not isinstance(act.origin, Origin):
        return ""
    origin = act.origin
    was = f", as {origin.id}," if origin.id != act.id else ""
    fight = origin.fight or "another fight"
    return f"{act.id} comes{was} from {fight}, event {origin.seq} of log {origin.log[:ENOUGH]}"


_ENCOUNTER: dict[type, Telling] = {
    acts.Enter: carried_from_in_words,
    acts.Begin: lambda act, cast: "",
    acts.Close: lambda act, cast: "",
    acts.Rule: lambda act, cast: "",
    acts.Sleep: lambda act, cast: f"{cast.name(act.target)} sleeps",
    acts.Fiat: fiat_in_words,
    acts.Circumstance: lambda act, cast: (
        (
            f"{cast.name(act.target)} finds the next check {'hampered' if act.hampers else 'favored'}"
            if act.changes in ("check", "dc")
            else f"{cast.name(act.target)} fights under "
            f"{act.row or ('unfavorable' if act.hampers else 'favorable') + ' conditions'} ({act.changes})"
        )
        + (f": {act.why}" if act.why else "")
    ),
    acts.Hazard: hazard_in_words,
    acts.Rest: lambda act, cast: "",
    acts.Fall: fall_in_words,
    acts.Expose: expose_in_words,
    acts.Opening: lambda act, cast: f"{cast.name(act.opponent)} gets an opening at {cast.name(act.target)}",
}


def deed(act: acts.Act, cast: Names) -> str:
    """Return the sentence for an act, "" if its outcome is sufficient."""
    words = _DEEDS.get(type(act))
    return words(act, cast) if words else f"{cast.name(act.actor)}: {act.__struct_config__.tag}"


_BARE: dict[type, Telling] = {
    acts.Enter: lambda act, cast: f"the game master brings in {act.id} of the {act.side}",
    acts.Begin: lambda act, cast: "the fight is to begin",
    acts.Close: lambda act, cast: "the game master closes the encounter",
    acts.Rest: lambda act, cast: "all combatants rest",
    acts.EndTurn: lambda act, cast: (
        f"{cast.name(act.actor)} ends the turn" if act.actor else "the game master ends the turn"
    ),
}
"""Declarations that a story leaves to their outcomes."""


def short_act_sentence(act: acts.Act, cast: Names) -> str:
    """Return a sentence for an act that has none in a story because its outcome is sufficient."""
    words = _BARE.get(type(act))
    return words(act, cast) if words else f"{cast.name(act.actor)}: {act.__struct_config__.tag}"


def declaration(act: acts.Act, cast: Names, actor: str = "") -> str:
    """Return a declaration as a sentence without its outcome, including the weapon.

    `actor` is the acting combatant if the act does not name it, as for a pending act.
    """
    act = replace(act, actor=act.actor or actor)
    said, weapon = deed(act, cast) or short_act_sentence(act, cast), getattr(act, "weapon", "")
    return said if weapon in said else f"{said} with {weapon}"


def _flyby(act: acts.Flyby, cast: Names) -> str:
    then = deed(replace(act.then, actor=act.then.actor or act.actor), cast)
    return f"{path('flies')(act, cast)}; on the way {then}"


_DEEDS: dict[type, Telling] = {
    **_ATTACKS,
    **_CARE,
    **_ENCOUNTER,
    **_GEAR,
    **_MAGIC,
    **_MANEUVERS,
    **_MOVEMENT,
    **_RIDING,
    **_SKILLS,
    **_TURNS,
    acts.Flyby: _flyby,
}
