"""The referee's own books: who stands where, with what left, under what, as the events tell it.

They are kept from the JSON of the events and nothing else. Places are (column, row), heights and distances
feet, spaces squares a side.
"""

from dataclasses import dataclass, field
from typing import Any

Fact = dict[str, Any]
Square = tuple[int, int]

SIZES = ("fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal")
FEET = 5
"""A square's side in feet."""


@dataclass(slots=True)
class Held:
    """A condition or an effect that holds: what it is, until when, since which round and turn."""

    name: str
    source: str
    until: Fact
    level: int = 0
    aloft: bool = False
    stat: str = ""
    since: tuple[int, int] = (0, 0)

    @property
    def told(self) -> str:
        """What it is called."""
        return self.stat or self.name


@dataclass(slots=True)
class Body:
    """A combatant in the books."""

    id: str
    side: str
    sheet: Fact
    at: Square
    space: int
    hp: int
    max_hp: int
    nonlethal: int
    temporary: int = 0
    stretch: Square = (0, 0)
    acted: bool = False
    mount: str = ""
    rider: str = ""
    initiative: int | None = None
    initiative_modifier: int = 0
    delaying: bool = False
    readied: Fact | None = None
    held: list[str] = field(default_factory=list)
    conditions: dict[str, Held] = field(default_factory=dict)
    effects: dict[str, Held] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    reactions: dict[str, int] = field(default_factory=dict)
    opportunities: list[str] = field(default_factory=list)
    resources: dict[str, int] = field(default_factory=dict)
    damage: dict[str, int] = field(default_factory=dict)
    drain: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The size category as a number; medium is 4."""
        return SIZES.index(self.sheet["size"])

    def has(self, *names: str) -> bool:
        """Say whether the combatant is under one of these conditions."""
        return any(name in self.conditions for name in names)

    def is_a(self, *traits: str) -> bool:
        """Say whether the sheet lists one of these traits, or has it as its kind."""
        own = [*(trait.lower() for trait in self.sheet["traits"]), self.sheet["kind"].lower()]
        return any(one in own for one in traits)

    def feat(self, name: str) -> bool:
        """Say whether the sheet lists a feat."""
        return any(one.lower() == name for one in self.sheet["feats"])

    def squares(self, at: Square | None = None) -> set[Square]:
        """Return the squares that the combatant takes up, where it stands or at `at`."""
        x, y = self.at if at is None else at
        wide, high = self.space + self.stretch[0], self.space + self.stretch[1]
        return {(x + dx, y + dy) for dx in range(wide) for dy in range(high)}

    def height(self) -> int:
        """Return how many feet above the ground the combatant is."""
        return next((one.level for one in self.conditions.values() if one.aloft), 0)


@dataclass(slots=True)
class Book:
    """Everything that the referee knows of a fight, written up event by event."""

    dialect: str = ""
    options: dict[str, str] = field(default_factory=dict)
    terrain: list[str] = field(default_factory=list)
    ground: list[Fact] = field(default_factory=list)
    barriers: list[Fact] = field(default_factory=list)
    bodies: dict[str, Body] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    round: int | None = None
    turn: int = 0
    active: str = ""
    phase: str = ""
    begun: bool = False
    closed: bool = False
    decided: bool = False
    """One side at most stands: the fight is as good as over."""
    voided: bool = False
    """The game master has closed the declaration in its middle."""
    surprised: list[str] = field(default_factory=list)
    act: Fact = field(default_factory=dict)
    declaration: str = ""
    told: list[Fact] = field(default_factory=list)
    """What has come of the declaration so far."""
    triggered: dict[str, Fact] = field(default_factory=dict)
    """The acts kept ready that the declaration has triggered, by who takes them."""
    waits: bool = False
    """A question is open: the declaration is not over."""

    def at(self, square: Square) -> str:
        """Return the terrain of a square; beyond the map it is nothing."""
        x, y = square
        if 0 <= y < len(self.terrain) and 0 <= x < len(self.terrain[0]):
            return self.terrain[y][x]
        return " "

    def write(self, fact: Fact) -> None:
        """Enter what an event tells; what only explains changes nothing."""
        if fact["type"] == "declared":
            self.act, self.declaration, self.told = fact["act"], fact["id"], []
            self.voided, self.triggered = False, {}
        else:
            self.told.append(fact)
        entry = getattr(self, "_" + fact["type"].replace(".", "_").replace("-", "_"), None)
        if entry is not None:
            entry(fact)

    def _encounter_opened(self, fact: Fact) -> None:
        self.dialect, self.options = fact["dialect"], dict(fact["options"])
        self.terrain, self.ground, self.barriers = fact["terrain"], fact["ground"], fact["barriers"]

    def _door_moved(self, fact: Fact) -> None:
        for one in self.barriers:
            if one.get("door") == fact["door"]:
                one["open"] = fact["open"]

    def walled_off(self, here: Square, there: Square) -> bool:
        """Return whether a wall or a closed door stands between two squares side by side."""
        return any(
            {place(one["here"]), place(one["there"])} == {here, there}
            and one.get("cover") == "total"
            and not one.get("open")
            for one in self.barriers
        )

    def _options_changed(self, fact: Fact) -> None:
        self.options.update(fact["options"])

    def _combatant_entered(self, fact: Fact) -> None:
        self.bodies[fact["id"]] = Body(
            id=fact["id"],
            side=fact["side"],
            sheet=fact["sheet"],
            at=place(fact["at"]),
            space=fact["space"],
            hp=fact["hp"],
            max_hp=fact["max_hp"],
            nonlethal=fact["nonlethal"],
            acted=fact["acted"],
            initiative=fact["initiative"],
            held=list(fact["held"]),
        )

    def _asked(self, fact: Fact) -> None:
        self.waits = True

    def _chosen(self, fact: Fact) -> None:
        self.waits = False

    _rolled = _chosen

    def _ruled(self, fact: Fact) -> None:
        self.waits, self.voided = False, True

    def _encounter_decided(self, fact: Fact) -> None:
        self.decided = True

    def _awareness_settled(self, fact: Fact) -> None:
        self.begun, self.surprised = True, fact["surprised"]

    def _initiative_rolled(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        body.initiative, body.initiative_modifier = fact["total"], fact["modifier"]

    def _order_set(self, fact: Fact) -> None:
        self.order = list(fact["order"])

    def _initiative_changed(self, fact: Fact) -> None:
        self.order = list(fact["order"])
        self.bodies[fact["who"]].initiative = fact["value"]

    def _round_began(self, fact: Fact) -> None:
        self.round, self.turn, self.active, self.phase = fact["number"], 0, "", fact["phase"]

    def _phase_changed(self, fact: Fact) -> None:
        self.phase = fact["phase"]

    def _round_ended(self, fact: Fact) -> None:
        self.active = ""

    def _turn_began(self, fact: Fact) -> None:
        self.turn, self.active = fact["number"], fact["who"]
        body = self.bodies[fact["who"]]
        body.acted, body.delaying = True, False

    def _turn_ended(self, fact: Fact) -> None:
        self.active = ""

    def _turn_delayed(self, fact: Fact) -> None:
        self.bodies[fact["who"]].delaying = True

    def _budget_renewed(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        if "actions" in fact["what"]:
            body.spent = {}
        if "reactions" in fact["what"]:
            body.reactions, body.opportunities = {}, []

    def _action_spent(self, fact: Fact) -> None:
        spent = self.bodies[fact["who"]].spent
        for kind in (fact["kind"], *fact.get("also", ())):
            spent[kind] = spent.get(kind, 0) + fact["amount"]

    def _reaction_spent(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        body.reactions[fact["kind"]] = body.reactions.get(fact["kind"], 0) + fact["amount"]
        if fact["opportunity"]:
            body.opportunities.append(fact["opportunity"])

    def _act_readied(self, fact: Fact) -> None:
        self.bodies[fact["who"]].readied = fact["act"]

    def _ready_ended(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        if fact["how"] == "triggered" and body.readied is not None:
            self.triggered[body.id] = body.readied
        body.readied = None

    def _encounter_closed(self, fact: Fact) -> None:
        self.closed, self.active = True, ""

    def _moved(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        if fact["path"]:
            body.at = place(fact["path"][-1])
            if body.rider:
                self.bodies[body.rider].at = body.at
        if fact["space"]:
            body.space, body.stretch = fact["space"], place(fact["stretch"])
        for kind in ("feet", "diagonals"):
            body.spent[kind] = body.spent.get(kind, 0) + fact[kind]

    def _mounted(self, fact: Fact) -> None:
        rider, mount = self.bodies[fact["who"]], self.bodies[fact["mount"]]
        rider.mount, rider.at, rider.space, mount.rider = mount.id, place(fact["at"]), fact["space"], rider.id

    def _dismounted(self, fact: Fact) -> None:
        rider, mount = self.bodies[fact["who"]], self.bodies[fact["mount"]]
        rider.mount, rider.at, rider.space, mount.rider = "", place(fact["at"]), fact["space"], ""

    def _mount_directed(self, fact: Fact) -> None:
        mount = self.bodies[fact["mount"]]
        mount.acted, mount.spent = True, {}
        if fact["renewed"]:
            mount.reactions, mount.opportunities = {}, []

    def _hit_points_changed(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        body.hp, body.nonlethal, body.temporary = fact["hp"], fact["nonlethal"], fact["temporary"]

    def _maximum_changed(self, fact: Fact) -> None:
        self.bodies[fact["who"]].max_hp = fact["max_hp"]

    def _condition_gained(self, fact: Fact) -> None:
        self.bodies[fact["who"]].conditions[fact["condition"]] = Held(
            fact["condition"],
            fact["source"],
            fact["until"],
            fact["level"],
            fact["aloft"],
            since=(self.round or 0, self.turn),
        )

    def _condition_lost(self, fact: Fact) -> None:
        self.bodies[fact["who"]].conditions.pop(fact["condition"], None)

    def _effect_gained(self, fact: Fact) -> None:
        self.bodies[fact["who"]].effects[fact["id"]] = Held(
            fact["id"],
            fact["modifier"]["source"],
            fact["until"],
            fact["modifier"]["value"],
            stat=fact["stat"],
            since=(self.round or 0, self.turn),
        )

    def _effect_ended(self, fact: Fact) -> None:
        self.bodies[fact["who"]].effects.pop(fact["id"], None)

    def _side_changed(self, fact: Fact) -> None:
        self.bodies[fact["who"]].side = fact["side"]

    def _item_changed(self, fact: Fact) -> None:
        body, item = self.bodies[fact["who"]], fact["item"]
        if fact["state"] in ("loaded", "unloaded"):
            return
        body.held = [one for one in body.held if one != item]
        if fact["state"] == "held":
            body.held.append(item)

    def _item_struck(self, fact: Fact) -> None:
        lost, name = self.bodies[fact["bearer"]].resources, f"damage to {fact['item']}"
        lost[name] = lost.get(name, 0) + fact["dealt"]

    def _resource_spent(self, fact: Fact) -> None:
        used = self.bodies[fact["who"]].resources
        used[fact["resource"]] = used.get(fact["resource"], 0) + fact["amount"]

    def _ability_changed(self, fact: Fact) -> None:
        body = self.bodies[fact["who"]]
        body.damage[fact["ability"]], body.drain[fact["ability"]] = fact["damage"], fact["drain"]


def place(pair: Any) -> Square:
    """Return a square from its JSON."""
    x, y = pair
    return x, y
