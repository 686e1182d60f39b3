"""What somebody can declare, as imperatives.

An act is one combatant's intention; `actor` is who acts ("" for the game master). Squares are
(x, y) pairs counted from the upper left; distances are feet. A path lists every square entered,
without the one the mover stands on; for a creature of several squares it names its upper left one.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.events.facts.limits import Name, Number, Words
from affray.events.facts.sheet import Rider, Sheet, Size

Square = tuple[Number, Number]
Path = Annotated[tuple[Square, ...], Meta(max_length=1000)]
Names = Annotated[tuple[Name, ...], Meta(max_length=1000)]


class Act(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="act"):
    """Root of all declarations."""

    actor: Name = ""


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


class Plan(Act, frozen=True, gc=False, tag="plan"):
    """Declare at the start of a round what the actor means to do (dialects that ask for it).

    `after` names somebody whose turn the actor waits for, should it be the faster one.
    """

    actions: Annotated[tuple["Intent", ...], Meta(max_length=20)] = ()
    after: Name = ""


class Intent(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One declared action: its type, what it is ("attack", "move", "cast", ...) and at whom."""

    type: Literal["standard", "move", "full-round"]
    what: Name
    target: Name = ""


class EndTurn(Act, frozen=True, gc=False, tag="end-turn"):
    """Finish the actor's turn."""


class Move(Act, frozen=True, gc=False, tag="move"):
    """Move along a path. `how`: normal, or a way that the dialect knows ("defensive", "tumble").

    In srd35 also "squeeze" into narrow spaces, "minimum" for the 5 feet that are always possible, "wriggle"
    into a tight space by Escape Artist. In woa "crawl", "crowd" into the space of others, and "squeeze" or
    "wriggle" (against a `dc`) where it is so many feet `wide` and `high` (0: as the map has it).

    Ways that rest on a skill may go over a `surface` ("severe", "2-6 in", "rough") or up a wall of a `dc`,
    and `fast` at a penalty; `up` is the height gained in feet, below 0 lost. `draw` names a weapon to be
    taken in hand on the way.
    """

    path: Path = ()
    how: Name = "normal"
    surface: Name = ""
    dc: Number = 0
    fast: bool = False
    up: Number = 0
    draw: Name = ""
    wide: Number = 0
    high: Number = 0


class Step(Act, frozen=True, gc=False, tag="step"):
    """Take the short step (5 feet) that does not provoke."""

    to: Square = (0, 0)


class Withdraw(Act, frozen=True, gc=False, tag="withdraw"):
    """Leave melee with care: the dialect's withdraw or tactical retreat."""

    path: Path = ()


class Run(Act, frozen=True, gc=False, tag="run"):
    """Spend the round running in a straight line."""

    path: Path = ()


#: A special attack that takes the place of an ordinary one.
Special = Literal["", "trip", "disarm", "sunder", "grapple", "push"]


class Jump(Act, frozen=True, gc=False, tag="jump"):
    """Leap as part of a move: `long` over the squares of `path` after the first `takeoff` of them, `high`
    for `feet` up, `hop` onto something waist-high, `down` for `feet` into `onto`.
    """

    kind: Literal["long", "high", "hop", "down"] = "long"
    path: Path = ()
    takeoff: Number = 0
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0


class Lift(Act, frozen=True, gc=False, tag="lift"):
    """Handle a weight of `pounds`: `take` it along, `put` it down, hold it `overhead`, lift it off the
    `ground`, or `drag` it along `path`.
    """

    pounds: Number = 0
    how: Literal["take", "put", "overhead", "ground", "drag"] = "take"
    path: Path = ()


class Flyby(Act, frozen=True, gc=False, tag="flyby"):
    """Fly along `path` and do `then` after the first `after` squares of it."""

    path: Path = ()
    up: Number = 0
    after: Number = 0
    then: "Attack | Cast" = field(default_factory=lambda: Attack())


class Extinguish(Act, frozen=True, gc=False, tag="extinguish"):
    """Put out the flames on `target` or oneself: by smothering them, perhaps `rolling`, or in `water`."""

    target: Name = ""
    water: bool = False
    rolling: bool = False


class TendFeet(Act, frozen=True, gc=False, tag="tend-feet"):
    """Treat the feet of `target` that caltrops have pierced."""

    target: Name = ""


class Charge(Act, frozen=True, gc=False, tag="charge"):
    """Rush along `path` and attack `target` at its end, perhaps with a special attack on its `item`.

    `power` is what Power Attack takes off the attack rolls. A `stunt` says how else one comes at the target
    ("leaps from the ledge"), with the check of a `skill` against `dc` that it is thought to take.
    """

    target: Name = ""
    path: Path = ()
    weapon: Name = ""
    special: Special = ""
    item: Name = ""
    power: Number = 0
    stunt: Name = ""
    skill: Name = ""
    dc: Number = 0


class Attack(Act, frozen=True, gc=False, tag="attack"):
    """Make one attack. An empty `weapon` means the first one held.

    `power` and `expertise` are what Power Attack and Combat Expertise take off the attack rolls;
    `stunning` tries to stun with the fist. `at` names a square instead of a target: whoever
    unseen is there, or for what splashes the grid corner at its upper left. `aim` takes a full round to line
    up a blow at a thing.
    """

    target: Name = ""
    weapon: Name = ""
    thrown: bool = False
    nonlethal: bool | None = None
    defensively: bool = False
    power: Number = 0
    expertise: Number = 0
    stunning: bool = False
    at: Square | None = None
    aim: bool = False


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One attack of a full attack, or the special attack in its place.

    `item` is what a disarm or sunder aims at, for a grapple which of its options is meant. `off_hand`
    strikes with the off hand, or with the other end of a double weapon.
    """

    target: Name
    weapon: Name = ""
    thrown: bool = False
    special: Special = ""
    item: Name = ""
    off_hand: bool = False
    stunning: bool = False


class FullAttack(Act, frozen=True, gc=False, tag="full-attack"):
    """Make every attack that base attack bonus, weapons and feats allow, in this order.

    Where the dialect lets attacks be decided one by one, fewer strikes than there are leave the rest
    open: another full attack of the same turn goes on with them. `second` names the weapon of the off
    hand if it is to strike later; `power`, `expertise`, `rapid_shot` and `whirlwind` are feats.
    A monk's `flurry` is one attack or two more, all less sure.
    """

    strikes: Annotated[tuple[Strike, ...], Meta(max_length=100)] = ()
    nonlethal: bool | None = None
    defensively: bool = False
    flurry: bool = False
    power: Number = 0
    expertise: Number = 0
    second: Name = ""
    rapid_shot: bool = False
    whirlwind: bool = False


class Manyshot(Act, frozen=True, gc=False, tag="manyshot"):
    """Loose several `arrows` at once at one target."""

    target: Name = ""
    weapon: Name = ""
    arrows: Number = 2


class UseFeat(Act, frozen=True, gc=False, tag="use-feat"):
    """Bring a feat to bear that is no action: for Dodge, on which `target`."""

    feat: Name = ""
    target: Name = ""


class Skirmish(Act, frozen=True, gc=False, tag="skirmish"):
    """Move along `path`, attack `target`, move `onward`: by Spring Attack in melee, or Shot on the Run."""

    path: Path = ()
    target: Name = ""
    weapon: Name = ""
    onward: Path = ()


class Trample(Act, frozen=True, gc=False, tag="trample"):
    """Run over everybody smaller along `path`."""

    path: Path = ()


class TotalDefense(Act, frozen=True, gc=False, tag="total-defense"):
    """Do nothing but defend."""


class Aid(Act, frozen=True, gc=False, tag="aid"):
    """Help `friend` against `opponent`: with the next attack or with the defense.

    Or, without an opponent, with its next check of a skill ("check") or against a condition that holds
    it ("condition"); `what` names the skill or the condition.
    """

    friend: Name = ""
    opponent: Name = ""
    benefit: Literal["attack", "defense", "check", "condition"] = "attack"
    what: Name = ""


class Delay(Act, frozen=True, gc=False, tag="delay"):
    """Wait; act later in the order with Resume."""


class Resume(Act, frozen=True, gc=False, tag="resume"):
    """Take the delayed turn now."""


class Trigger(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """When a readied act goes off: `who` (or anybody hostile) does `what`.

    `what`: "attacks", "casts", "moves" (enters or leaves a square within `feet`, 0 = reach).
    """

    what: Literal["attacks", "casts", "moves"]
    who: Name = ""
    feet: Number = 0


class Ready(Act, frozen=True, gc=False, tag="ready"):
    """Prepare an act for a trigger, perhaps with a 5-foot step (`step`) before it."""

    trigger: Trigger = Trigger("moves")
    then: (
        "Attack | Move | Cast | Step | TotalDefense | Stand | Brace | Trip | Disarm | Sunder | Feint"
        " | Counter"
    ) = field(default_factory=Attack)
    step: Square | None = None


class Brace(Act, frozen=True, gc=False, tag="brace"):
    """Set a bracing weapon against a charge (only as a readied act); `target` says which of a pair."""

    weapon: Name = ""
    target: Name = ""


class Mount(Act, frozen=True, gc=False, tag="mount"):
    """Climb into the saddle of `target`; `fast` tries to do so as a free action."""

    target: Name = ""
    fast: bool = False


class Dismount(Act, frozen=True, gc=False, tag="dismount"):
    """Climb down to the square `to` beside the mount; `fast` tries to do so as a free action."""

    to: Square = (0, 0)
    fast: bool = False


class Guide(Act, frozen=True, gc=False, tag="guide"):
    """Do from the saddle (`what`) what the skill of riding is for.

    "control" keeps a frightened mount in hand, "knees" frees both hands, "cover" hangs beside the
    mount, "spur" makes it faster, "leap" carries both straight along `path` over what lies there.
    """

    what: Literal["control", "knees", "cover", "spur", "leap"] = "control"
    path: Path = ()


class Ride(Act, frozen=True, gc=False, tag="ride"):
    """Let the mount go along `path` and act from the saddle on the way.

    `pace` is a move, a double move or a run. Shots fall at half the way, a spell after the number of squares
    that `after` names (one for each shot where a reading lets them fall anywhere).
    """

    path: Path = ()
    pace: Literal["move", "double", "run"] = "double"
    then: "Attack | FullAttack | Cast" = field(default_factory=Attack)
    after: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()


class Redirect(Act, frozen=True, gc=False, tag="redirect"):
    """Direct a spell that is at work at other `targets`, or at a square for an area."""

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


class Cast(Act, frozen=True, gc=False, tag="cast"):
    """Cast a spell of the sheet at targets, or at a square for an area.

    `opening` is the size in square feet of a hole in the wall through which it is cast.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    opening: Number = 0


class Maintain(Act, frozen=True, gc=False, tag="maintain"):
    """Go on concentrating on the spell that lasts as long as one does."""


class Touch(Act, frozen=True, gc=False, tag="touch"):
    """Touch `targets` with the charge of a spell that is held: an opponent, or friends."""

    targets: Names = ()


class Counter(Act, frozen=True, gc=False, tag="counter"):
    """Counter the spell of `target`, or of whoever set it off (only as a readied act).

    With a `spell` of one's own; "" is the very spell that is being cast, once it is identified.
    """

    spell: Name = ""
    target: Name = ""


class Activate(Act, frozen=True, gc=False, tag="activate"):
    """Use a magic item of the sheet; `device` says that it takes Use Magic Device, perhaps blindly."""

    item: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    device: Literal["", "use", "blind"] = ""


class Identify(Act, frozen=True, gc=False, tag="identify"):
    """Recognize by Spellcraft the spell that `target` is casting, or one that is on it."""

    target: Name = ""
    spell: Name = ""


class LowerResistance(Act, frozen=True, gc=False, tag="lower-resistance"):
    """Let magic through until one's next turn."""


class Rouse(Act, frozen=True, gc=False, tag="rouse"):
    """Shake `target` out of what fascinates it."""

    target: Name = ""


class BreakFree(Act, frozen=True, gc=False, tag="break-free"):
    """Get out of what one is stuck in by Strength, or by cutting at it with a `weapon`."""

    weapon: Name = ""


class Prepare(Act, frozen=True, gc=False, tag="prepare"):
    """Fit an `item` with a fuse, or pour it out and light it `at` a square."""

    item: Name = ""
    at: Square | None = None


class Stand(Act, frozen=True, gc=False, tag="stand"):
    """Get up from prone.

    In woa perhaps only into a crouch (`to`), and "evading" blows by Acrobatics, "slowly", which is easier, or
    "quickly" as a free action.
    """

    to: Literal["", "crouching"] = ""
    how: Literal["", "evading", "slowly", "quickly"] = ""


class Drop(Act, frozen=True, gc=False, tag="drop"):
    """Let go of a held item, or of one's own footing with item "prone"."""

    item: Name = ""


class Draw(Act, frozen=True, gc=False, tag="draw"):
    """Take a weapon in hand; whoever fights with two may draw another one (`also`) with it."""

    item: Name = ""
    also: Name = ""


class Sheathe(Act, frozen=True, gc=False, tag="sheathe"):
    """Put a weapon away."""

    item: Name = ""


class Handle(Act, frozen=True, gc=False, tag="handle"):
    """Strap on, take off or drop the shield `item`; pick up, retrieve, move, open or close something."""

    item: Name = ""
    what: Literal[
        "ready-shield",
        "loose-shield",
        "drop-shield",
        "pick-up",
        "retrieve",
        "move",
        "move-heavy",
        "open",
        "close",
    ] = "pick-up"


class Load(Act, frozen=True, gc=False, tag="load"):
    """Load a weapon that needs it."""

    item: Name = ""


class CoupDeGrace(Act, frozen=True, gc=False, tag="coup-de-grace"):
    """Finish a helpless opponent."""

    target: Name = ""
    weapon: Name = ""


class Split(Act, frozen=True, gc=False, tag="split"):
    """Spend a standard action on a full-round action: to begin it, or on the next turn to complete it."""

    then: "CoupDeGrace | Load | Cast | FullAttack | Charge | Run | Withdraw" = field(
        default_factory=CoupDeGrace
    )


class Trip(Act, frozen=True, gc=False, tag="trip"):
    """Bring `target` to the ground, unarmed or with a weapon that trips."""

    target: Name = ""
    weapon: Name = ""


class Disarm(Act, frozen=True, gc=False, tag="disarm"):
    """Knock an `item` out of the target's hands or, unarmed, take it; "" means the weapon in hand.

    An item that is worn may be snatched; `secured` says how well it sits. With `both_hands` two empty hands
    reach for it, where a dialect knows that.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    secured: Literal["normal", "poorly", "well"] = "normal"
    both_hands: bool = False


class Sunder(Act, frozen=True, gc=False, tag="sunder"):
    """Strike the weapon or shield that `target` holds; "" means the weapon in hand.

    Another carried or worn object has the `size`, `hardness` and hit points (`hp`) given here, and perhaps a
    `material`; `secured` says whether it sits well, or under armor, where a dialect asks for it.
    """

    target: Name = ""
    weapon: Name = ""
    item: Name = ""
    size: Size = "tiny"
    hardness: Number = 0
    hp: Number = 0
    material: Name = ""
    secured: Literal["normal", "armored", "well"] = "normal"


class BullRush(Act, frozen=True, gc=False, tag="bull-rush"):
    """Push `target` straight back: from next to it, or at the end of a charge along `path`."""

    target: Name = ""
    path: Path = ()
    charge: bool = False


class Push(Act, frozen=True, gc=False, tag="push"):
    """Drive `target` straight back without harming it, in dialects whose rules call it so."""

    target: Name = ""


class Stunt(Act, frozen=True, gc=False, tag="stunt"):
    """Try `what` with `target`, a maneuver that no rule names; the game master says what it is like."""

    target: Name = ""
    what: Name = ""
    weapon: Name = ""


class Overrun(Act, frozen=True, gc=False, tag="overrun"):
    """Plow through the square of `target` on the way along `path`, in a move or in a charge.

    Where a dialect knows more ways, `whole` makes it a full-round action, and after a charge `strike` names
    whom to attack at its end, with `weapon`.
    """

    target: Name = ""
    path: Path = ()
    charge: bool = False
    whole: bool = False
    strike: Name = ""
    weapon: Name = ""


class Feint(Act, frozen=True, gc=False, tag="feint"):
    """Mislead `target` about the next blow."""

    target: Name = ""


class Grapple(Act, frozen=True, gc=False, tag="grapple"):
    """Grab `target`, or do one of the things (`what`) that one can do while grappling.

    `weapon` is a light weapon of one's own ("attack", "draw") or of the opponent ("use-weapon"); `path`
    is where a grapple is moved; `skill` escapes by Escape Artist; `lethal` damage instead of nonlethal. For
    "activate" and "component" `weapon` is the thing, and `completion` says that a spell must be completed.
    """

    target: Name = ""
    what: Literal[
        "start",
        "attack",
        "damage",
        "pin",
        "escape",
        "break-pin",
        "use-weapon",
        "move",
        "draw",
        "release",
        "activate",
        "component",
        "rake",
        "swallow",
    ] = "start"
    weapon: Name = ""
    path: Path = ()
    skill: bool = False
    lethal: bool = False
    completion: bool = False


class Don(Act, frozen=True, gc=False, tag="don"):
    """Put on armor or a shield (`item`), hastily or with a `helper`; it goes on for as long as it takes."""

    item: Name = ""
    hasty: bool = False
    helper: Name = ""


class Doff(Act, frozen=True, gc=False, tag="doff"):
    """Take off armor or a shield, perhaps with a `helper`."""

    item: Name = ""
    helper: Name = ""


class Gather(Act, frozen=True, gc=False, tag="gather"):
    """Gather the missiles that missed with the weapon `item`."""

    item: Name = ""


class Shelter(Act, frozen=True, gc=False, tag="shelter"):
    """Stand behind a tower shield for total cover instead of attacking."""


class Sleep(Act, frozen=True, gc=False, tag="sleep"):
    """The game master lets `target` have slept, in what it wears."""

    target: Name = ""


class Bind(Act, frozen=True, gc=False, tag="bind"):
    """Bind `target`, which is helpless or pinned, with rope or manacles; the `item` says which."""

    target: Name = ""
    item: Name = "hemp rope"


class GetFree(Act, frozen=True, gc=False, tag="get-free"):
    """Get out of a net or of bonds, by Strength or by `skill` (Escape Artist)."""

    skill: bool = False


class Burst(Act, frozen=True, gc=False, tag="burst"):
    """Break the object `target` with sudden force, perhaps with a crowbar or ram and `helpers`."""

    target: Name = ""
    tool: Literal["", "crowbar", "ram"] = ""
    helpers: Number = 0


class AwesomeBlow(Act, frozen=True, gc=False, tag="awesome-blow"):
    """Strike a smaller `target` so that it flies."""

    target: Name = ""
    weapon: Name = ""


class TurnUndead(Act, frozen=True, gc=False, tag="turn-undead"):
    """Channel positive or negative energy at creatures of a `kind`, or use what came of it.

    `what`: turn or rebuke them, bolster them or dispel their being turned; order or release those under
    command. `targets` names who is bolstered, ordered or released; `words` are the orders.
    """

    what: Literal["turn", "rebuke", "bolster", "dispel", "order", "release"] = "turn"
    kind: Name = "undead"
    targets: Names = ()
    words: Words = ""


class UseAbility(Act, frozen=True, gc=False, tag="use-ability"):
    """Use a special `ability` of the sheet ("rage", "smite evil", "lay on hands"), perhaps on `target`.

    `amount` is how much of it where that can be chosen; 0 as much as serves.
    """

    ability: Name = ""
    target: Name = ""
    amount: Number = 0


class Stabilize(Act, frozen=True, gc=False, tag="stabilize"):
    """Give first aid to a dying creature; `take` 10 counts the die as that, where the rules allow it."""

    target: Name = ""
    take: Number = 0


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


class Ignore(Act, frozen=True, gc=False, tag="ignore"):
    """Pay no heed to `targets` while flanked."""

    targets: Names = ()


class Speak(Act, frozen=True, gc=False, tag="speak"):
    """Say something."""

    words: Words = ""


class Refocus(Act, frozen=True, gc=False, tag="refocus"):
    """Spend the action to gather oneself for the next round's initiative."""


class Hide(Act, frozen=True, gc=False, tag="hide"):
    """Hide from every opponent, perhaps at the end of a move along `path`.

    `how`: "snipe" hides again after a shot, "distraction" while attention is elsewhere, "attacking" even so.
    """

    path: Path = ()
    how: Literal["", "snipe", "distraction", "attacking"] = ""


class Seek(Act, frozen=True, gc=False, tag="seek"):
    """Try to notice `target` by a `sense`, or grope `at` two squares for whoever is there.

    `through` says what stands between, `wind` whether the target is upwind or downwind; a `reactive` try
    takes no action.
    """

    target: Name = ""
    sense: Literal["spot", "listen", "scent", "grope"] = "spot"
    at: Path = ()
    through: Literal["", "door", "stone wall"] = ""
    wind: Literal["", "upwind", "downwind"] = ""
    reactive: bool = False


class Demoralize(Act, frozen=True, gc=False, tag="demoralize"):
    """Frighten `target` in the middle of the fight."""

    target: Name = ""


class Pilfer(Act, frozen=True, gc=False, tag="pilfer"):
    """Take an `item` from `target` by sleight of hand; `fast` in passing, as a free action."""

    target: Name = ""
    item: Name = ""
    fast: bool = False


class Hazard(Act, frozen=True, gc=False, tag="hazard"):
    """The game master confronts `target` with a saving throw: a trap, a fall, a poison cloud.

    `rider` is what it carries besides, by its own saving throw; `skill` a check ("spot", or "strength" for an
    ability) that is called for instead of the saving throw.
    """

    target: Name = ""
    save: Literal["", "fort", "ref", "will"] = ""
    dc: Number = 0
    damage: Name = ""
    damage_type: Name = ""
    on_save: Literal["negates", "half"] = "half"
    condition: Name = ""
    source: Name = "hazard"
    rider: Rider | None = None
    skill: Name = ""


class Envenom(Act, frozen=True, gc=False, tag="envenom"):
    """Smear a dose of a poison that the actor carries on a weapon in hand."""

    weapon: Name = ""
    poison: Name = ""


class Treat(Act, frozen=True, gc=False, tag="treat"):
    """Look after a poisoned or diseased creature before its next saving throw."""

    target: Name = ""


class Rest(Act, frozen=True, gc=False, tag="rest"):
    """The game master lets time pass between fights: `hours` and `minutes`.

    Everybody rests, with `bed` the whole day. `healer` tends the wounded ("": nobody), with `care` for as
    long as it takes.
    """

    hours: Number = 0
    minutes: Number = 0
    bed: bool = False
    healer: Name = ""
    care: bool = False


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


class Rule(Act, frozen=True, gc=False, tag="rule"):
    """A ruling of the game master on the declaration that is open.

    `verdict` "void" closes it as it stands: what was recorded remains, nothing more follows.
    """

    declaration: Name = ""
    verdict: Literal["void"] = "void"
    text: Words = ""
    author: Words = ""


class Close(Act, frozen=True, gc=False, tag="close"):
    """End the encounter and reveal the seed of its dice."""

    reason: Words = ""
