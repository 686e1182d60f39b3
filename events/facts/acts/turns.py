"""Acts about turns (ready, delay, plan) and the game master's acts for an encounter."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.facts.acts.attacks import (
    Activate,
    Attack,
    AwesomeBlow,
    Brace,
    BullRush,
    CalledShot,
    Cast,
    Charge,
    Counter,
    CoupDeGrace,
    Demoralize,
    DirtyTrick,
    Disarm,
    Dismiss,
    Drag,
    Feint,
    FullAttack,
    Grab,
    Grapple,
    Identify,
    Ignore,
    KnockoutBlow,
    LowerResistance,
    Maintain,
    Manyshot,
    Overrun,
    Pilfer,
    Push,
    Recover,
    Redirect,
    Reposition,
    Skirmish,
    Steal,
    Stunt,
    Sunder,
    TotalDefense,
    Touch,
    Trample,
    Trip,
    TurnUndead,
)
from affray.events.facts.acts.movement import (
    Aid,
    Bind,
    BreakFree,
    Burst,
    Clamber,
    Dismount,
    Doff,
    Don,
    Draw,
    Drop,
    Envenom,
    Extinguish,
    Gather,
    GetFree,
    Grip,
    Guide,
    Handle,
    Hide,
    Jump,
    Lift,
    Load,
    Mount,
    Move,
    Prepare,
    Repair,
    Rouse,
    Run,
    Seek,
    ShakeOff,
    Sheathe,
    Shelter,
    Speak,
    Stabilize,
    Stand,
    Step,
    TendFeet,
    Treat,
    UseAbility,
    UseFeat,
    UseSkill,
    Withdraw,
)
from affray.events.facts.base import Act, CustomFields, Name, Names, Number, Path, Square, Words
from affray.events.facts.sheet import Carried, Origin, Rider, Sheet

# --- Turns: plans, delays, readied and split acts, acts during a movement


class Flyby(Act, frozen=True, gc=False, tag="flyby"):
    """Fly along a path and act on the way.

    up: the height gained in feet; negative for lost.
    after: the number of squares before the act.
    then: the act.
    """

    path: Path = ()
    up: Number = 0
    after: Number = 0
    then: Attack | Cast = field(default_factory=Attack)


class Ride(Act, frozen=True, gc=False, tag="ride"):
    """Ride along a path and act from the saddle on the way.

    path: the squares that the mount enters.
    pace: a move, a double move or a run.
    then: the act; shots are fired at half the distance.
    after: the number of squares before a spell is cast; one number per shot if a reading lets shots be fired
        anywhere.
    """

    path: Path = ()
    pace: Literal["move", "double", "run"] = "double"
    then: Attack | FullAttack | Cast = field(default_factory=Attack)
    after: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()


class Delay(Act, frozen=True, gc=False, tag="delay"):
    """Wait, to act later in the order.

    count: the initiative count on which the turn comes, named in advance; if left out, "resume" takes the
        turn.
    """

    count: Number | None = None


class Resume(Act, frozen=True, gc=False, tag="resume"):
    """Take the delayed turn now."""


class EndTurn(Act, frozen=True, gc=False, tag="end-turn"):
    """End the turn; the next turn begins."""

    declared_by = "either"


class Custom(Act, frozen=True, gc=False, tag="custom"):
    """An act of an installed dialect, in the form in which every log can be read without the package.

    name: the act, with its dialect: "oldschool.parley".
    fields: the fields of the act, by name.
    """

    declared_by = "either"

    name: Name = ""
    fields: CustomFields = field(default_factory=dict)


def custom_form(said: object) -> object:
    """Return the plain data of an act with a dialect in its name in the form of `Custom`; others unchanged.

    `{"act": "oldschool.parley", "actor": "elf", "target": "orc"}` gets its target as one of the `fields`.
    """
    if not isinstance(said, dict) or "." not in str(said.get("act", "")):
        return said
    fields = {name: value for name, value in said.items() if name not in ("act", "actor")}
    return {"act": "custom", "actor": said.get("actor", ""), "name": said["act"], "fields": fields}


class Split(Act, frozen=True, gc=False, tag="split"):
    """Spend a standard action to begin a full-round action, or on the next turn to complete it.

    then: the full-round action.
    """

    then: (
        CoupDeGrace
        | KnockoutBlow
        | Stabilize
        | Load
        | Cast
        | FullAttack
        | Charge
        | Run
        | Withdraw
        | CalledShot
        | Activate
        | GetFree
        | BreakFree
        | Draw
        | Handle
        | Touch
        | Grapple
        | Grab
    ) = field(default_factory=CoupDeGrace)


class Refocus(Act, frozen=True, gc=False, tag="refocus"):
    """Refocus: spend the action to improve the initiative of the next round."""


Doable = (
    Attack
    | CalledShot
    | FullAttack
    | Manyshot
    | Charge
    | Skirmish
    | Trample
    | CoupDeGrace
    | KnockoutBlow
    | AwesomeBlow
    | Brace
    | TotalDefense
    | Ignore
    | Stabilize
    | Treat
    | TendFeet
    | Extinguish
    | Rouse
    | Bind
    | GetFree
    | BreakFree
    | Draw
    | Sheathe
    | Drop
    | Handle
    | Grip
    | Load
    | Gather
    | Prepare
    | Envenom
    | Don
    | Doff
    | Shelter
    | Lift
    | Burst
    | Repair
    | Cast
    | Redirect
    | Maintain
    | Dismiss
    | Touch
    | Counter
    | Activate
    | Identify
    | LowerResistance
    | TurnUndead
    | Trip
    | Disarm
    | Sunder
    | BullRush
    | Push
    | Stunt
    | Overrun
    | Feint
    | Grapple
    | Grab
    | Demoralize
    | Pilfer
    | DirtyTrick
    | Recover
    | Drag
    | Reposition
    | Steal
    | Move
    | Step
    | Withdraw
    | Run
    | Jump
    | Stand
    | Clamber
    | ShakeOff
    | Flyby
    | Ride
    | Mount
    | Dismount
    | Guide
    | UseFeat
    | UseAbility
    | UseSkill
    | Aid
    | Hide
    | Seek
    | Speak
    | Delay
    | Resume
    | Split
    | Refocus
    | Custom
)
"""The acts that `ready` can contain. The rules of each dialect refuse some of them."""


class Trigger(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What sets off a readied act.

    what: an attack, a casting, or entering or leaving a square.
    who: the combatant that triggers it; empty for any enemy.
    feet: the distance in feet within which a movement counts; 0 for the actor's reach.
    """

    what: Literal["attacks", "casts", "moves"]
    who: Name = ""
    feet: Number = 0


class Ready(Act, frozen=True, gc=False, tag="ready"):
    """Ready an act for a trigger.

    trigger: the event that triggers it.
    then: the act, of a type of action that can be readied.
    step: the square of a 5-foot step before it.
    """

    trigger: Trigger = Trigger("moves")
    then: Doable = field(default_factory=Attack)
    step: Square | None = None


class Intent(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One planned action.

    type: the type of action; a grappler uses "grapple" for what it will do if the grapple allows it.
    what: the action ("attack", "move", "cast").
    target: the target.
    """

    type: Literal["standard", "move", "full-round", "free", "swift", "grapple"]
    what: Name
    target: Name = ""


class Plan(Act, frozen=True, gc=False, tag="plan"):
    """Declare the actions of a round at its start.

    actions: the actions of the round.
    after: a faster combatant to wait for.
    ready: the readied action and its trigger.
    """

    actions: Annotated[tuple[Intent, ...], Meta(max_length=20)] = ()
    after: Name = ""
    ready: Ready | None = None


# --- The encounter: combatants, beginning and end, the game master's decisions

Counts = Annotated[tuple[tuple[Name, Number], ...], Meta(max_length=200)]
"""Numbers by name."""


class Enter(Act, frozen=True, gc=False, tag="enter"):
    """Bring a combatant into the encounter, before or during the fight.

    id: its unique id.
    side: its side; combatants of other sides are opponents.
    sheet: its sheet.
    at: its square; for a large creature the upper left one.
    hp: its current hit points; all if left out.
    nonlethal: its nonlethal damage.
    conditions: its conditions.
    held: the weapons in its hands; if left out, the first that is neither natural nor unarmed.
    initiative: its initiative; rolled if left out.
    acted: it has already acted in this fight.
    policy: the policy that answers its questions: auto, cautious or ask.
    riding: the mount that it rides, which must have entered before.
    by: the causes of its conditions: pairs of a condition and a combatant that has entered before.
    levels: the degrees of its conditions, such as negative levels or feet in the air: pairs of both.
    losses: lost ability points, such as "str", or "str drain" if permanent: pairs of ability and number.
    used: what it has used up, such as arrows, spells or daily uses: pairs of name and number.
    grapples: the opponent it grapples, which has entered before, in the same space or next to it.
    grip: whether it pins that opponent or is pinned by it.
    unloaded: its weapons that must be loaded before the next shot.
    origin: the fight it comes from, and where it left that fight; absent if it comes from none.
    carried: its state when it left that fight, instead of separate hit points, conditions and so on.
    """

    declared_by = "game master"

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
    by: Annotated[tuple[tuple[Name, Name], ...], Meta(max_length=200)] = ()
    levels: Counts = ()
    losses: Counts = ()
    used: Counts = ()
    grapples: Name = ""
    grip: Name = ""
    unloaded: Names = ()
    # Left out if absent: the bytes of all other entries must stay the same in every release.
    origin: Origin | UnsetType = UNSET
    carried: Carried | UnsetType = UNSET


class Begin(Act, frozen=True, gc=False, tag="begin"):
    """Start the fight: settle awareness, surprise and initiative.

    unaware: the combatants unaware of their opponents.
    stealthy: the combatants that use stealth: an opponent that notices none of its opponents is unaware.
    round: the round in which play starts.
    turn: the combatant whose turn it is, in the middle of a round.
    ambushes: attacks that open the fight, each as attacker, target and weapon.
    """

    declared_by = "game master"

    unaware: Names = ()
    round: Number = 1
    turn: Name = ""
    ambushes: Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=200)] = ()
    stealthy: Names = ()


class Close(Act, frozen=True, gc=False, tag="close"):
    """End the encounter and reveal the seed of its dice.

    reason: the reason.
    """

    declared_by = "game master"

    reason: Words = ""


class Rule(Act, frozen=True, gc=False, tag="rule"):
    """Rule on the open declaration, as game master.

    declaration: its id.
    verdict: "void" closes it: its recorded events remain, and no more follow.
    text: the ruling in words.
    author: the author of the ruling.
    """

    declared_by = "game master"

    declaration: Name = ""
    verdict: Literal["void"] = "void"
    text: Words = ""
    author: Words = ""


class Fiat(Act, frozen=True, gc=False, tag="fiat"):
    """Set a combatant's state from now on, as game master; nothing is decided again.

    target: the combatant.
    hp: its new hit points; the state that the rules derive from them follows.
    gains: conditions that begin now.
    loses: conditions that end now.
    at: its new square; for a large creature the upper left one.
    initiative: its new initiative count.
    text: the reason, in words.
    """

    declared_by = "game master"

    target: Name = ""
    hp: Number | None = None
    gains: Names = ()
    loses: Names = ()
    at: Square | None = None
    initiative: Number | None = None
    text: Words = ""


class Circumstance(Act, frozen=True, gc=False, tag="circumstance"):
    """Give a roll a bonus or penalty for circumstances, as game master.

    target: the combatant that rolls.
    hampers: a penalty, not a bonus.
    changes: the roll or value that is modified.
    why: the circumstance, in words.
    row: a row of the table of combat modifiers.
    """

    declared_by = "game master"

    target: Name = ""
    hampers: bool = False
    changes: Literal["check", "dc", "attack", "ac", "save"] = "check"
    why: Words = ""
    row: Name = ""


class Hazard(Act, frozen=True, gc=False, tag="hazard"):
    """Confront a combatant with a danger, such as a trap or poison cloud, as game master.

    save: the saving throw.
    dc: the DC of the saving throw or check.
    damage: its damage.
    damage_type: the type of its damage.
    on_save: the effect of a successful save on the damage.
    condition: the condition that it causes.
    source: its name; the id of a combatant if that is the danger.
    rider: an additional effect with a separate saving throw.
    skill: the check made instead of a saving throw: a skill or an ability.
    area: it fills an area.
    edge: only the edge of its area touches the target.
    missiles: it fires missiles.
    pit: it is a pit.
    unexpected: the target does not expect it.
    origin: the square from which its area spreads.
    injury: the lasting injury that it leaves: its name, "random", or "random" and a part of the body.
    cause: the cause of the injury.
    bleeding: the severity of the wound that it opens ("1d6", "2").
    """

    declared_by = "game master"

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
    """Make a combatant fall, or an object fall on it, as game master.

    feet: the height of the fall.
    onto: where it lands.
    depth: the depth of the water in feet.
    pounds: the weight of an object that falls on the target instead; 0 for none.
    size: the size of an object that falls on the target instead; empty for none.
    opponent: the combatant that drops the object; empty if it falls by itself.
    """

    declared_by = "game master"

    target: Name = ""
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0
    pounds: Number = 0
    size: Literal["", "small", "medium", "large", "huge", "gargantuan", "colossal"] = ""
    opponent: Name = ""


class Opening(Act, frozen=True, gc=False, tag="opening"):
    """Offer an opponent an attack of opportunity that was overlooked, as game master.

    target: the combatant that provokes.
    opponent: the combatant that may attack.
    reason: what provokes, shown after the name of the target.
    """

    declared_by = "game master"

    target: Name = ""
    opponent: Name = ""
    reason: Name = ""


class Expose(Act, frozen=True, gc=False, tag="expose"):
    """Expose a combatant to a danger of the surroundings, or end that, as game master.

    to: the danger.
    degree: its degree: contact or immersion, the strength of a wind, the depth of water, how dark it is, the
        thickness of a veil, a height in feet.
    way: the direction of a wind or a cone of light.
    shod: the target wears shoes (against caltrops).
    over: the danger ends.
    """

    declared_by = "game master"

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
    """Let time pass between fights while all combatants rest, as game master.

    hours: the hours that pass.
    minutes: the minutes that pass.
    bed: complete bed rest for the whole day.
    healer: the combatant that tends the wounded; empty for none.
    care: the healer gives long-term care (in pf1: treats deadly wounds, one patient an hour).
    interrupted: what prevented the rest from healing; empty for nothing.
    resumed: the interruptions after which the rest was resumed.
    """

    declared_by = "game master"

    hours: Number = 0
    minutes: Number = 0
    bed: bool = False
    healer: Name = ""
    care: bool = False
    interrupted: Name = ""
    resumed: Number = 0


class Sleep(Act, frozen=True, gc=False, tag="sleep"):
    """Let a combatant have slept in what it wears, as game master."""

    declared_by = "game master"

    target: Name = ""
