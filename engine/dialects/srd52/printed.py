"""Printed actions of a stat block: a line of a sheet for each, read into a record, and Multiattack.

A line is "name: clause; clause": what takes the action, how often, whom it concerns, the saving throw, and
what follows. The sheet's `actions` hold them:

    "fire breath: recharge 5; cone 30; dex 17; 16d6 fire; half"
    "tentacle: attack; to large; grappled; escape 14"
    "paralyzing tentacles: only grappled; con 13; poisoned; with paralyzed; repeats; minute"
    "pounce: legendary; move half; makes rend"

An `attack` describes the further effects of a hit with the weapon of its name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_company, per_fight
from affray.engine.record.acts import details_of
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.errors import counted
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.sheet import SCORES, Sheet
from affray.projections.state import Combatant

Damage = tuple[tuple[str, str], ...]
"""Dice of damage, each with its type."""


class Action(Struct, frozen=True, gc=False, kw_only=True):
    """A printed action: when it is used, on whom, and what it does.

    kind: what takes it: "action", "bonus", "legendary"; "attack" for further effects of a hit; "aura
        start", "aura end" and "death" for traits that act by themselves.
    recharge: the lowest roll of a die that brings it back; 0 if it needs none.
    uses: uses a day; 0 for no limit.
    rest: it comes back with a rest.
    once: not again until the next turn of its owner starts.
    shape, feet, width: its area and sizes in feet; "" for one creature, "space" for its owner's own space,
        "path" for the spaces that it enters.
    within: how far away the target, or the centre of the area, may be, in feet.
    only, but: what targets are, and are not: conditions by its owner, kinds of creature, "enemies".
    to_size: the largest size of its targets.
    save, dc: the saving throw against it.
    damage, half: its damage, and whether a successful save halves it and avoids everything else.
    conditions: the effects of a failed save, or of a hit; the first one carries the others.
    escape: the DC to escape from the grapple.
    parts: how many creatures it grapples at a time, one with each claw or tentacle.
    until: the moment at which they end: "its start", "its end" (of the next turn of the target), "own start",
        "own end"; "" for none.
    minute: they last a minute at most.
    repeats: the target repeats the save at the end of its turns.
    then: the condition in place of the first one after a second failure.
    again: the save is repeated after a second failure as well.
    resist_once: a creature that succeeds is immune to it for a day.
    each_turn, each_own: damage at the start of the turns of the target, and of its owner.
    push, pull: feet straight away and straight toward.
    drain: the type of damage that lowers the hit point maximum as well; "all" for every one.
    lowers: an ability, and the dice or number by which its score is lowered; fatal: a score of 0 kills.
    feeds: the type of damage that its owner regains as hit points.
    swallow: damage of one turn from inside, the DC of the save against spitting out, the feet out of a
        corpse, how many it holds.
    charge: feet straight toward the target immediately before a hit, for what is below.
    extra: more damage of a hit.
    edge_extra, edge_dice, charge_dice, hurt_dice, held_dice, weak_dice: more damage with Advantage; other
        dice with Advantage, after a charge, on a Bloodied target, on one that it grapples, while Bloodied.
    edge: when its attack rolls have Advantage: "grappled", "wounded", "first round".
    slow: feet that the target loses; -1 for half of its Speed.
    dazed: what the target cannot do: "reactions", "bonus", "both" (an action or a Bonus Action, not both).
    vexed: the next attack against the target has Advantage; sapped: its next attack has Disadvantage.
    moves: how its owner moves first: "half" or "full" of its Speed, or feet of a leap or teleport.
    free: the movement provokes nothing.
    makes: attacks that follow, one of which is chosen.
    takes: general actions that it consists of.
    heals, temporary, aid: dice of hit points or temporary ones for its owner, and more Armor Class.
    kills: hit points at most at which the target drops to 0 instead.
    requires: what must have happened in the turn: "mauled".
    broken: damage to the target ends it.
    web: its target is restrained by a web that can be destroyed: "web", or one that clubs harm ("soft web").
    awake: an aura that stops while its owner is Incapacitated.
    straight: the movement goes straight toward an enemy; leap: the feet of a jump.
    follows: another action, or an attack, that follows.
    """

    name: str
    kind: str = "action"
    recharge: int = 0
    uses: int = 0
    rest: bool = False
    once: bool = False
    shape: str = ""
    feet: int = 0
    width: int = 5
    within: int = 0
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    to_size: str = ""
    save: str = ""
    dc: int = 0
    damage: Damage = ()
    half: bool = False
    conditions: tuple[str, ...] = ()
    escape: int = 0
    parts: int = 1
    until: str = ""
    minute: bool = False
    repeats: bool = False
    then: str = ""
    again: bool = False
    resist_once: bool = False
    each_turn: Damage = ()
    each_own: Damage = ()
    push: int = 0
    pull: int = 0
    drain: str = ""
    lowers: tuple[str, str] = ("", "")
    fatal: bool = False
    feeds: str = ""
    swallow: tuple[int, ...] = ()
    charge: int = 0
    extra: Damage = ()
    edge_extra: Damage = ()
    edge_dice: Damage = ()
    charge_dice: Damage = ()
    hurt_dice: Damage = ()
    held_dice: Damage = ()
    weak_dice: Damage = ()
    edge: str = ""
    slow: int = 0
    dazed: str = ""
    vexed: bool = False
    sapped: bool = False
    moves: str = ""
    free: bool = False
    straight: bool = False
    leap: int = 0
    makes: tuple[str, ...] = ()
    follows: str = ""
    takes: tuple[str, ...] = ()
    heals: str = ""
    temporary: str = ""
    aid: int = 0
    kills: int = 0
    requires: str = ""
    awake: bool = False
    broken: bool = False
    web: str = ""

    def lasts(self) -> bool:
        """Return whether something of it stays on its target besides conditions that end by themselves."""
        tied = len(self.tied()) > 1 or self.escape or self.then or self.broken
        return bool(tied or self.repeats or self.each_turn or self.each_own or self.swallow)

    def tied(self) -> tuple[str, ...]:
        """Return the conditions that end together; Prone ends by standing up."""
        return tuple(one for one in self.conditions if one != "prone")


# --- Reading a line

Fields = Mapping[str, Any]
DICE: Final = r"(?:\d+d\d+(?: ?[+-] ?\d+)?|\d+)"
KINDS: Final = ("action", "bonus", "legendary", "attack", "aura start", "aura end", "death")


def damage_in(text: str) -> Damage:
    """Return the damage in a text: "2d6 fire, 1d6 cold"."""
    return tuple((found[1].replace(" ", ""), found[2]) for found in re.finditer(rf"({DICE}) ([a-z]+)", text))


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list: "blinded, restrained"."""
    return tuple(one.strip() for one in text.split(",") if one.strip())


FLAGS: Final[Mapping[str, Fields]] = {
    "rest": {"rest": True},
    "once a round": {"once": True},
    "half": {"half": True},
    "minute": {"minute": True},
    "repeats": {"repeats": True},
    "again": {"again": True},
    "resisted once": {"resist_once": True},
    "vexed": {"vexed": True},
    "sapped": {"sapped": True},
    "free": {"free": True},
    "straight": {"straight": True},
    "awake": {"awake": True},
    "broken": {"broken": True},
    "fatal": {"fatal": True},
    **{name: {"web": name} for name in ("web", "soft web")},
    **{name: {"kind": name} for name in KINDS},
}
"""Clauses without anything else in them."""

DICE_OF_POINTS: Final = re.compile(r"(\d+)d(\d+)(?: ?[+-] ?\d+)?")
"""Dice of hit points."""

NUMBERS: Final = (
    *("recharge", "uses", "within", "escape", "parts", "push", "pull", "charge", "aid", "kills", "leap"),
)
"""Clauses of a word and a number."""
WORDS: Final = ("until", "then", "drain", "feeds", "dazed", "moves", "follows", "heals")
"""Clauses of a word and another."""
LISTS: Final = ("only", "but", "makes", "takes")
"""Clauses of a word and a list."""
HARMS: Final = (
    *("each_turn", "each_own", "extra", "edge_extra", "edge_dice", "charge_dice", "hurt_dice"),
    *("held_dice", "weak_dice"),
)
"""Clauses of a word, with blanks for "_", and damage."""

FORMS: Final[tuple[tuple[str, Callable[[re.Match[str]], Fields]], ...]] = (
    (r"(cone|emanation) (\d+)", lambda one: {"shape": one[1], "feet": int(one[2])}),
    (r"(sphere|cylinder) (\d+) within (\d+)", lambda one: area_within(one)),
    (r"line (\d+) (\d+)", lambda one: {"shape": "line", "feet": int(one[1]), "width": int(one[2])}),
    (r"space|path", lambda one: {"shape": one[0]}),
    (r"to (tiny|small|medium|large|huge)", lambda one: {"to_size": one[1]}),
    (r"(str|dex|con|int|wis|cha) (\d+)", lambda one: {"save": one[1], "dc": int(one[2])}),
    (r"swallow (\d+) (\d+) (\d+) (\d+)", lambda one: {"swallow": tuple(map(int, one.groups()))}),
    (r"edge (grappled|wounded|first round)", lambda one: {"edge": one[1]}),
    (rf"lowers (str|dex|con|int|wis|cha) ({DICE})", lambda one: {"lowers": (one[1], one[2])}),
    (r"slow (half|\d+)", lambda one: {"slow": -1 if one[1] == "half" else int(one[1])}),
    (r"requires ([a-z ]+)", lambda one: {"requires": one[1]}),
    (rf"temporary ({DICE})", lambda one: {"temporary": one[1]}),
    (rf"{DICE} [a-z]+(?:, {DICE} [a-z]+)*", lambda one: {"damage": damage_in(one[0])}),
)
"""Other clauses."""


def area_within(found: re.Match[str]) -> Fields:
    """Return the fields of an area around a point."""
    return {"shape": found[1], "feet": int(found[2]), "within": int(found[3])}


def clause_of(text: str, conditions: Iterable[str]) -> Fields | None:
    """Return the fields of an action that a clause states; None for one that is not understood."""
    if flag := FLAGS.get(text):
        return flag
    first, _, rest = text.partition(" ")
    if first in NUMBERS and rest.isdecimal():
        return {first: int(rest)}
    if first in WORDS and rest:
        return {first: rest}
    if first in LISTS and rest:
        return {first: listed(rest)}
    for name in HARMS:
        words = name.replace("_", " ")
        if text.startswith(f"{words} "):
            return {name: damage_in(text.removeprefix(words))}
    for form, made in FORMS:
        if found := re.fullmatch(form, text):
            return made(found)
    names = listed(text.removeprefix("with "))
    known = frozenset(conditions)
    return {"conditions": names} if names and known.issuperset(names) else None


def read_action(line: str, conditions: Iterable[str], rule: str) -> Action:
    """Return the action of a line of a sheet. Refuses a clause that is not understood."""
    name, _, rest = line.partition(":")
    if not name.strip():
        raise Refusal(f"an action needs a name: {line!r}", rule)
    found = Action(name=name.strip())
    for text in (one.strip() for one in rest.split(";") if one.strip()):
        fields = clause_of(text, conditions)
        if fields is None:
            raise Refusal(f"{found.name}: {text!r} is no clause of an action", rule)
        if "conditions" in fields:
            fields = {"conditions": (*found.conditions, *fields["conditions"])}
        found = replace(found, **fields)
    return found


@per_fight(Same("sheet"))
def actions_of_sheet(fight: Fight, sheet: Sheet) -> Mapping[str, Action]:
    """Return the printed actions of a sheet by name. Refuses one that is not understood."""
    rule, lines = fight.rule("monster.actions"), fight.dialect.custom_of(sheet).actions
    known = fight.dialect.kernel.conditions
    made = [read_action(line, known, rule) for line in lines]
    return {one.name: one for one in made}


def actions_of(fight: Fight, combatant: Combatant) -> Mapping[str, Action]:
    """Return the printed actions of a combatant by name."""
    return actions_of_sheet(fight, combatant.sheet)


@per_company("kind")
def owners_of(fight: Fight, kind: str) -> tuple[str, ...]:
    """Return the ids of the combatants that have a printed action of a kind, in order of entry."""
    return tuple(
        id
        for id, one in fight.state.combatants.items()
        if any(action.kind == kind for action in actions_of(fight, one).values())
    )


def refuse_busy(fight: Fight, attacker: Combatant, weapon: str, target: Combatant) -> None:
    """Refuse an attack on a creature with a claw or maw whose every one holds another."""
    action = actions_of(fight, attacker).get(weapon)
    if action is None or not action.escape:
        return
    held = [
        one.id
        for one in fight.state.combatants.values()
        if any(
            (effect.stat, effect.against, effect.modifier.source) == (LASTING, attacker.id, weapon)
            for effect in one.effects
        )
    ]
    if len(held) >= action.parts and target.id not in held:
        rule = fight.rule("grapple.one-per-hand")
        raise Refusal(f"the {weapon} of {attacker.id} holds {', '.join(held)}", rule)


LASTING: Final = "action"
"""The stat of a printed action's effect, which lasts with the conditions of the action."""


def action_named(fight: Fight, combatant: Combatant, name: str, *kinds: str) -> Action:
    """Return a printed action of some kinds. Refuses others."""
    found = actions_of(fight, combatant)
    usable = [one.name for one in found.values() if one.kind in kinds]
    if name not in usable:
        raise unknown_word("action", name, usable, fight.rule("monster.actions"), combatant.id)
    return found[name]


OBJECT: Final = "object"
"""The kind of a thing, which is no creature."""


def refuse_unread(fight: Fight, sheet: Sheet) -> None:
    """Refuse a sheet of an unknown type, with a line that is not understood, or naming attacks it lacks."""
    kinds = fight.figure("monster.types")
    if sheet.kind not in kinds and sheet.kind != OBJECT:
        raise unknown_word("type of creature", sheet.kind, kinds, fight.rule("monster.types"), sheet.name)
    dice = DICE_OF_POINTS.fullmatch(fight.dialect.custom_of(sheet).hit_points)
    die = fight.figure("monster.hit-dice", sheet.size) if sheet.kind != OBJECT else ""
    if fight.dialect.custom_of(sheet).hit_points and (dice is None or f"d{dice[2]}" != die):
        reason = f"{sheet.name}: hit points of a {sheet.size} creature are rolled with {die}"
        raise Refusal(reason, fight.rule("monster.hit-dice"))
    found, rule = actions_of_sheet(fight, sheet), fight.rule("monster.actions")
    own = fight.dialect.custom_of(sheet)
    weapons = [weapon.name for weapon in sheet.weapons]
    known = [*weapons, *found]
    named = [(one, weapons) for action in found.values() for one in action.makes if one]
    named += [(action.name, weapons) for action in found.values() if action.kind == "attack"]
    named += [
        (action.follows, weapons if action.kind == "attack" else list(found))
        for action in found.values()
        if action.follows
    ]
    named += [(one, known) for slots in routines(own.multiattack) for slot in slots for one in slot]
    for name, among in named:
        if name not in among:
            raise unknown_word("attack or action", name, among, rule, sheet.name)
    for action in found.values():
        if action.save and action.save not in SCORES:
            raise unknown_word("ability", action.save, SCORES, rule)


# --- Multiattack: what is left of it

STRIKES_WITH: Final = "strikes with "
"""The beginning of the counters of a turn for attacks, and uses of actions, of the Attack action."""

Slots = Sequence[tuple[str, ...]]


@cache
def routines(multiattack: tuple[str, ...]) -> Sequence[Slots]:
    """Return the alternatives of a Multiattack: "or" alone separates them, " or " the choices of one part."""
    found: list[list[tuple[str, ...]]] = [[]]
    for one in multiattack:
        if one == "or":
            found.append([])
        else:
            found[-1].append(tuple(one.split(" or ")))
    return [slots for slots in found if slots]


def matches(slots: Slots, names: Sequence[str]) -> bool:
    """Return whether each of some names fills a part of its own."""
    if not names:
        return True
    return any(
        matches([*slots[:at], *slots[at + 1 :]], names[1:])
        for at, slot in enumerate(slots)
        if names[0] in slot
    )


def done_of(combatant: Combatant) -> list[str]:
    """Return the names of the attacks, and uses of actions, of the Attack action in this turn."""
    return [
        name.removeprefix(STRIKES_WITH)
        for name, many in combatant.spent.items()
        if name.startswith(STRIKES_WITH)
        for _ in range(many)
    ]


def left_of(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the names of what the Multiattack of a combatant still allows, in order, each once."""
    parts = multiattack_of(fight, combatant)
    if not parts:
        return ()
    done, found = done_of(combatant), dict[str, None]()
    for slots in routines(parts):
        for slot in slots:
            found.update((name, None) for name in slot if matches(slots, [*done, name]))
    return tuple(found)


HEADS: Final = "heads"
"""The counter of a hydra's living heads, as far as it differs from that of its sheet."""


@per_company("combatant.id")
def multiattack_of(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the Multiattack of a combatant; with several heads it has an attack for each."""
    own = fields_of(fight, combatant).multiattack
    heads = combatant.counters.get(HEADS, 0)
    return own[:1] * (heads or sum(map(int, details_of("multiple heads", combatant.sheet.traits)))) or own


@cache
def longest(multiattack: tuple[str, ...]) -> int:
    """Return how many parts the longest alternative of a Multiattack has."""
    return max(map(len, routines(multiattack)), default=0)


# --- How often: Recharge, uses a day, once a round

RECHARGE: Final = "recharge "
"""The beginning of the resource of an action that comes back by a die or a rest."""
ONCE: Final = "once a round "
"""The beginning of the resource of an action that waits for its owner's next turn."""


def why_unavailable(fight: Fight, owner: Combatant, action: Action) -> tuple[str, str]:
    """Return why an action cannot be used now, and the rule; "" if it can."""
    used = owner.resources
    if action.recharge or action.rest:
        topic = "monster.recharge" if action.recharge else "monster.recharge-rest"
        waits = fight.option("recharge_start") == "roll-at-start" and action.recharge
        empty = waits and not owner.counters.get(f"{RECHARGE}{action.name}")
        if empty or used.get(f"{RECHARGE}{action.name}", 0) > 0:
            return f"{action.name} is not recharged", fight.rule(topic)
    if action.uses and used.get(action.name, 0) >= action.uses:
        return f"{action.name} has been used {counted(action.uses, 'time')} today", fight.rule(
            "monster.x-per-day"
        )
    if action.once and used.get(f"{ONCE}{action.name}", 0) > 0:
        reason = f"{action.name} waits for the next turn of {owner.id}"
        return reason, fight.rule("monster.legendary-once-per-round")
    if action.requires and not owner.spent.get(action.requires):
        return f"{action.name} needs its trigger", fight.rule("monster.trait-rampage")
    return "", ""


def refuse_unavailable(fight: Fight, owner: Combatant, action: Action) -> None:
    """Refuse an action that is not recharged or has no uses left."""
    reason, rule = why_unavailable(fight, owner, action)
    if reason:
        raise Refusal(f"{owner.id}: {reason}", rule)


def use_up(fight: Fight, owner: Combatant, action: Action) -> Steps[None]:
    """Count one use of a limited action."""
    for name, limited, topic in (
        (f"{RECHARGE}{action.name}", action.recharge, "monster.recharge"),
        (f"{RECHARGE}{action.name}", action.rest, "monster.recharge-rest"),
        (action.name, action.uses, "monster.x-per-day"),
        (f"{ONCE}{action.name}", action.once, "monster.legendary-once-per-round"),
    ):
        if limited:
            yield ResourceSpent(who=owner.id, resource=name, amount=1, cites=fight.rules(topic))
