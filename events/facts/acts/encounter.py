"""The course of an encounter, and what the game master brings into it."""

from typing import Annotated, Literal

from msgspec import Meta

from affray.events.facts.base import Act, Name, Names, Number, Square, Words
from affray.events.facts.sheet import Rider, Sheet


class Enter(Act, frozen=True, gc=False, tag="enter"):
    """Bring a combatant into the encounter, before the fight or while it lasts.

    `hp`, `conditions`, `acted` and `held` let a scenario start in the middle; `riding` names the mount,
    already there, in whose saddle the combatant enters.
    """

    id: Name = ""
    side: Name = ""
    sheet: Sheet | None = None
    at: Square = (0, 0)
    hp: Number | None = None
    nonlethal: Number = 0
    conditions: Names = ()
    held: Names | None = None
    initiative: Number | None = None
    acted: bool = False
    policy: Name = ""
    riding: Name = ""


class Begin(Act, frozen=True, gc=False, tag="begin"):
    """Start the fight: settle awareness, surprise and initiative.

    `unaware` names the combatants who do not know of their opponents; `ambushes` are attacks
    (attacker, target, weapon) that open the fight where a dialect knows them. `round` above 1 and
    `turn` (whose turn it is) start in the middle.
    """

    unaware: Names = ()
    round: Number = 1
    turn: Name = ""
    ambushes: Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=200)] = ()


class Close(Act, frozen=True, gc=False, tag="close"):
    """End the encounter and reveal the seed of its dice."""

    reason: Words = ""


class Rule(Act, frozen=True, gc=False, tag="rule"):
    """A ruling of the game master on the declaration that is open.

    `verdict` "void" closes it as it stands: what was recorded remains, nothing more follows.
    """

    declaration: Name = ""
    verdict: Literal["void"] = "void"
    text: Words = ""
    author: Words = ""


class Circumstance(Act, frozen=True, gc=False, tag="circumstance"):
    """The game master finds that something makes the next check of `target` easier, or `hampers` it.

    `changes` says whether the check itself is modified or its DC. In woa circumstances last for the round and
    change "attack", "ac" or "save", by a `row` of the table of combat modifiers where one is named.
    """

    target: Name = ""
    hampers: bool = False
    changes: Literal["check", "dc", "attack", "ac", "save"] = "check"
    why: Words = ""
    row: Name = ""


class Hazard(Act, frozen=True, gc=False, tag="hazard"):
    """The game master confronts `target` with a saving throw: a trap, a fall, a poison cloud.

    `rider` is what it carries besides, by its own saving throw; `skill` a check ("spot", or "strength" for an
    ability) that is called for instead of the saving throw.

    Where a dialect tells them apart (woa): a success is `partial` if something milder comes of it; the attack
    fills an `area` that spreads from `origin`, or only touches its `edge`; it hurls `missiles`; it is a `pit`
    or `unexpected`. `injury` is a lasting one ("random", "random hand", or an injury's name) whose `cause` is
    the hazard, a trap or something else, `bleeding` the severity of a wound ("1d6", "2").
    """

    target: Name = ""
    save: Literal["", "fort", "ref", "will"] = ""
    dc: Number = 0
    damage: Name = ""
    damage_type: Name = ""
    on_save: Literal["negates", "half", "partial"] = "half"
    condition: Name = ""
    source: Name = "hazard"
    rider: Rider | None = None
    skill: Name = ""
    area: bool = False
    edge: bool = False
    missiles: bool = False
    pit: bool = False
    unexpected: bool = False
    origin: Square | None = None
    injury: Name = ""
    cause: Literal["hazard", "trap", "other"] = "hazard"
    bleeding: Name = ""


class Fall(Act, frozen=True, gc=False, tag="fall"):
    """The game master lets `target` fall `feet` onto or into what is below, water of a `depth` in feet.

    `pounds` makes it an object of that weight that falls on `target` instead.
    """

    target: Name = ""
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0
    pounds: Number = 0


class Expose(Act, frozen=True, gc=False, tag="expose"):
    """The game master exposes `target` to a danger of its surroundings, or with `over` ends that.

    `degree` tells contact from immersion, how strong a wind is, how one stands in water; `way` is the
    direction in which a wind blows; `shod` feet are the safer among caltrops. In woa darkness, a veil and
    cover have the degree that they are named by, and a "height" its feet.
    """

    target: Name = ""
    to: Literal[
        "fire",
        "acid",
        "lava",
        "boiling water",
        "smoke",
        "no air",
        "cold",
        "heat",
        "wind",
        "water",
        "darkness",
        "caltrops",
        "no daylight",
        "light",
        "improved cover",
        "veil",
        "height",
    ] = "fire"
    degree: Name = ""
    way: Square = (0, 0)
    shod: bool = False
    over: bool = False


class Rest(Act, frozen=True, gc=False, tag="rest"):
    """The game master lets time pass between fights: `hours` and `minutes`.

    Everybody rests, with `bed` the whole day. `healer` tends the wounded ("": nobody), with `care` for as
    long as it takes. What `interrupted` the rest ("": nothing) keeps it from healing where a dialect says so.
    """

    hours: Number = 0
    minutes: Number = 0
    bed: bool = False
    healer: Name = ""
    care: bool = False
    interrupted: Name = ""


class Sleep(Act, frozen=True, gc=False, tag="sleep"):
    """The game master lets `target` have slept, in what it wears."""

    target: Name = ""
