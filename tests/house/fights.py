"""Random declarations, sensible and senseless, for property tests."""

import random
from collections.abc import Callable
from itertools import combinations
from typing import get_args

from msgspec.structs import replace

from affray.engine.fight.fight import KERNEL, Fight, is_helpless
from affray.engine.fight.memory import Mode
from affray.engine.kernel.places import anchors_of, squares_apart_in_height, squares_of
from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.scenario_parts import Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.combat import Until
from affray.events.facts.flow import AnyAct
from affray.events.stores.store import Store
from affray.projections.state import Combatant, Encounter
from tests.house.links_played import answer

DIALECTS = ("srd35", "pf1", "futurepath", "woa", "srd52")


def demo(dialect: str) -> Scenario:
    """Return the packaged fight of a dialect."""
    return packaged(f"demo_{dialect}")


def opened(dialect: str, store: Store, seed: int, memory: Mode | bool = True) -> Table:
    """Return a table with the packaged combatants on the map, not begun."""
    return set_up(demo(dialect), store, seed=f"random fight {seed}".encode(), memory=memory)


def random_path(dice: random.Random, who: Combatant, most: int = 6) -> tuple[tuple[int, int], ...]:
    """Return a random walk from where a combatant stands."""
    x, y = who.at
    path = []
    for _ in range(dice.randint(1, most)):
        x, y = x + dice.choice((-1, 0, 1)), y + dice.choice((-1, 0, 1))
        path.append((x, y))
    return tuple(path)


HOWS = ("normal", "defensive", "tumble", "careful", "backwards", "squeeze", "minimum", "wriggle")
INTENTS = ("attack", "move", "cast", "defend", "charge", "withdraw", "ready", "wait", "dance")
CONDITIONS = ("prone", "stunned", "blinded", "dazed", "shaken", "entangled", "nauseated", "fatigued")
DOWN_OR_HELD = ("dying", "stable", "unconscious", "grappling")
MOST = 12
"""Random fights bring in no more combatants than this."""


def random_entry(dice: random.Random, state: Encounter, like: Combatant) -> AnyAct:
    """Return the entry of a copy of somebody, often on squares that are free."""
    number = len(state.combatants) + 1
    if number > MOST:
        return acts.EndTurn(actor=state.active)
    sheet = dice.choice(list(state.combatants.values())).sheet
    return acts.Enter(
        id=f"{dice.choice(('late', like.id))}{number}",
        side=dice.choice((like.side, like.side, "strangers")),
        sheet=replace(sheet, name=f"{sheet.name} {number}"),
        at=(dice.randint(-1, len(state.terrain[0])), dice.randint(-1, len(state.terrain))),
        hp=dice.choice((None, None, 1, 0, -3)),
        nonlethal=dice.choice((0, 0, 0, 5)),
        conditions=dice.choice(((), (), ("prone",), ("stunned",))),
        initiative=dice.choice((None, 5, 30)),
        acted=dice.random() < 0.5,
    )


def random_act(dice: random.Random, fight: Fight) -> AnyAct:
    """Return any declaration by anybody, most of them by whoever's turn it is."""
    state = fight.state
    ids = [*state.combatants, "nobody"] if dice.random() < 0.03 else list(state.combatants)
    actor = state.active if state.active and dice.random() < 0.93 else dice.choice(ids)
    if dice.random() < 0.01:
        actor = dice.choice(("", "nobody"))
    who = state.combatants.get(actor) or next(iter(state.combatants.values()))
    target = dice.choice(ids)
    weapons = ["", *(weapon.name for weapon in who.sheet.weapons), "unarmed strike"]
    weapon = dice.choice(weapons)
    path = random_path(dice, who)
    spell = dice.choice([spell.name for spell in who.sheet.spells] or ["wish"])
    kinds = (
        lambda: acts.EndTurn(actor=actor),
        lambda: acts.Move(actor=actor, path=path),
        lambda: acts.Move(actor=actor, path=path, how=dice.choice(HOWS)),
        lambda: acts.Step(actor=actor, to=path[0]),
        lambda: acts.Withdraw(actor=actor, path=path),
        lambda: acts.Run(actor=actor, path=path),
        lambda: acts.Charge(actor=actor, target=target, path=path, weapon=weapon),
        lambda: acts.Attack(
            actor=actor,
            target=target,
            weapon=weapon,
            thrown=dice.random() < 0.2,
            nonlethal=dice.choice((None, None, True, False)),
            defensively=dice.random() < 0.1,
        ),
        lambda: acts.FullAttack(
            actor=actor,
            strikes=tuple(
                acts.Strike(dice.choice((target, target, dice.choice(ids))), weapon, dice.random() < 0.2)
                for _ in range(dice.randint(0, 4))
            ),
            nonlethal=dice.choice((None, None, True, False)),
            defensively=dice.random() < 0.2,
        ),
        lambda: acts.TotalDefense(actor=actor),
        lambda: acts.Aid(
            actor=actor,
            friend=dice.choice(ids),
            opponent=target,
            benefit="attack" if dice.random() < 0.5 else "defense",
        ),
        lambda: acts.Delay(actor=actor),
        lambda: acts.Resume(actor=actor),
        lambda: acts.Ready(
            actor=actor,
            trigger=acts.Trigger(
                dice.choice(("attacks", "casts", "moves")),
                dice.choice(("", "", *ids)),
                dice.choice((0, 0, 5, 10, 30, 1000)),
            ),
            then=random_deed(dice, fight),
        ),
        lambda: acts.Cast(
            actor=actor,
            spell=spell,
            targets=tuple(dice.choice(ids) for _ in range(dice.choice((0, 1, 1, 1, 2)))),
            at=dice.choice((path[-1], path[0], who.at, None)),
            defensively=dice.random() < 0.5,
        ),
        lambda: acts.Stand(actor=actor),
        lambda: acts.Drop(actor=actor, item=dice.choice(("prone", weapon))),
        lambda: acts.Draw(actor=actor, item=weapon),
        lambda: acts.Sheathe(actor=actor, item=weapon),
        lambda: acts.CoupDeGrace(actor=actor, target=target, weapon=weapon),
        lambda: acts.KnockoutBlow(actor=actor, target=target, weapon=weapon),
        lambda: acts.Stabilize(actor=actor, target=target),
        lambda: acts.Speak(actor=actor, words="have at you"),
        lambda: acts.Refocus(actor=actor),
        lambda: acts.Load(actor=actor, item=weapon),
        lambda: acts.Brace(actor=actor, weapon=weapon),
        lambda: acts.Plan(
            actor=actor,
            actions=tuple(
                acts.Intent(
                    dice.choice(("standard", "move", "full-round")),
                    dice.choice(INTENTS),
                    dice.choice(("", target)),
                )
                for _ in range(dice.randint(0, 3))
            ),
            after=dice.choice(("", "", "", target)),
        ),
        lambda: acts.Hazard(
            target=target,
            save=dice.choice(("", "fort", "ref", "will")),
            dc=dice.choice((-5, 5, 15, 100)),
            damage=dice.choice(("", "2d6", "1d4-3", "2", "1d6+1d4[fire]")),
            damage_type=dice.choice(("", "fire", "cold")),
            on_save=dice.choice(("negates", "half")),
            condition=dice.choice(("", "", "", *CONDITIONS)),
        ),
        lambda: random_entry(dice, state, who),
        lambda: acts.Begin(unaware=(target,)),
        *special_attacks(dice, actor, target, weapon, path),
        *feats(dice, actor, target, weapon, weapons),
    )
    return dice.choice(kinds)()


def random_fiat(dice: random.Random, fight: Fight, target: str) -> AnyAct:
    """Return what the game master might set of somebody, sensible and senseless."""
    one = fight.state.combatants.get(target)
    held = tuple(one.conditions) if one is not None else ()
    said: dict[str, object] = {
        "hp": dice.choice((-100, -12, -3, -1, 0, 1, 5, 1000)),
        "gains": (dice.choice((*CONDITIONS, *DOWN_OR_HELD, "dead")),),
        "loses": (dice.choice((*held, "prone")),),
        "at": (dice.randint(-1, len(fight.state.terrain[0])), dice.randint(-1, len(fight.state.terrain))),
        "initiative": dice.randint(-5, 30),
    }
    chosen = dice.sample(sorted(said), dice.choice((1, 1, 1, 2, 3)))
    return acts.Fiat(target=target, text="so be it", **{name: said[name] for name in chosen})  # type: ignore[arg-type]


def random_deed(dice: random.Random, fight: Fight) -> acts.Doable:
    """Return something that a combatant can do, to be done later: what is declared by nobody yet."""
    while True:
        act = random_act(dice, fight)
        if isinstance(act, get_args(acts.Doable)):
            return replace(act, actor="")


def special_attacks(
    dice: random.Random, actor: str, target: str, weapon: str, path: tuple[tuple[int, int], ...]
) -> tuple[Callable[[], AnyAct], ...]:
    """Return declarations of special attacks, alone, in a charge or in a full attack."""
    names: tuple[acts.Special, ...] = ("trip", "disarm", "sunder", "grapple")
    return (
        lambda: acts.Trip(actor=actor, target=target, weapon=weapon),
        lambda: acts.Disarm(
            actor=actor, target=target, weapon=weapon, secured=dice.choice(("normal", "poorly", "well"))
        ),
        lambda: acts.Disarm(actor=actor, target=target, item=dice.choice(("amulet", weapon))),
        lambda: acts.Sunder(
            actor=actor, target=target, item=dice.choice(("", "wand")), hardness=5, hp=dice.randint(0, 5)
        ),
        lambda: acts.BullRush(actor=actor, target=target),
        lambda: acts.BullRush(actor=actor, target=target, path=path, charge=True),
        lambda: acts.Overrun(actor=actor, target=target, path=path, charge=dice.random() < 0.5),
        lambda: acts.Feint(actor=actor, target=target),
        lambda: acts.Hide(
            actor=actor,
            path=path[: dice.randint(0, 2)],
            how=dice.choice(("", "snipe", "distraction", "attacking")),
        ),
        lambda: acts.Seek(
            actor=actor,
            target=target,
            sense=dice.choice(("spot", "listen", "scent", "grope")),
            at=path[:2],
            reactive=dice.random() < 0.5,
        ),
        lambda: acts.Demoralize(actor=actor, target=target),
        lambda: acts.Pilfer(actor=actor, target=target, item="purse", fast=dice.random() < 0.5),
        lambda: acts.Skirmish(actor=actor, target=target, weapon=weapon, path=path[:2], onward=path[2:]),
        lambda: acts.Trample(actor=actor, path=path),
        lambda: acts.Handle(
            actor=actor,
            item=dice.choice((weapon, "door", "shield", "heavy shield")),
            what=dice.choice(("ready-shield", "loose-shield", "drop-shield", "pick-up", "retrieve", "open")),
        ),
        lambda: acts.Grapple(actor=actor, target=target),
        lambda: acts.Grapple(actor=actor, target=target, what="pin"),
        lambda: acts.Grapple(actor=actor, target=target, what="escape", skill=dice.random() < 0.3),
        lambda: acts.Grapple(
            actor=actor,
            target=target,
            what=dice.choice(("attack", "damage", "break-pin", "use-weapon", "move", "draw", "release")),
            weapon=weapon,
            path=path,
            lethal=dice.random() < 0.3,
        ),
        lambda: acts.Charge(actor=actor, target=target, path=path, special=dice.choice(names)),
        lambda: acts.FullAttack(
            actor=actor,
            strikes=tuple(
                acts.Strike(target, weapon, special=dice.choice(names)) for _ in range(dice.randint(1, 3))
            ),
        ),
    )


def feats(
    dice: random.Random, actor: str, target: str, weapon: str, weapons: list[str]
) -> tuple[Callable[[], AnyAct], ...]:
    """Return declarations that bring feats to bear, and acts done in parts or weighed by the game master."""
    strike = acts.Strike(target, weapon, off_hand=dice.random() < 0.5, stunning=dice.random() < 0.2)
    return (
        lambda: acts.Attack(
            actor=actor,
            target=target,
            weapon=weapon,
            power=dice.choice((0, 1, 3)),
            expertise=dice.choice((0, 0, 2)),
            stunning=dice.random() < 0.3,
        ),
        lambda: acts.FullAttack(
            actor=actor,
            strikes=(acts.Strike(target, dice.choice(weapons)), strike)[: dice.randint(0, 2)],
            power=dice.choice((0, 0, 2)),
            second=dice.choice(("", "", dice.choice(weapons))),
            rapid_shot=dice.random() < 0.2,
            whirlwind=dice.random() < 0.2,
        ),
        lambda: acts.Manyshot(actor=actor, target=target, weapon=weapon, arrows=dice.randint(0, 4)),
        lambda: acts.UseFeat(actor=actor, feat=dice.choice(("dodge", "luck")), target=target),
        lambda: acts.Draw(actor=actor, item=weapon, also=dice.choice(weapons)),
        lambda: acts.Split(
            actor=actor,
            then=dice.choice(
                (acts.CoupDeGrace(target=target), acts.Load(item=weapon), acts.Run(), acts.FullAttack())
            ),
        ),
        lambda: acts.Circumstance(
            target=target, hampers=dice.random() < 0.5, changes=dice.choice(("check", "dc"))
        ),
        lambda: acts.Stabilize(actor=actor, target=target, take=dice.choice((10, 20))),
    )


def play_wildly(table: Table, dice: random.Random, turns: int) -> None:
    """Declare at random for a while, with tactics now and then so that the fight gets on."""
    for _ in range(turns):
        if table.waiting is not None:
            answer(table, dice)
            continue
        act = next_act(table) if dice.random() < 0.35 else random_act(dice, table.fight)
        if act is None:
            return
        table.declare(act)


Pairs = set[tuple[str, str]]


def legal(fight: Fight, together: Pairs | None = None) -> None:
    """Assert that the state is one that can be.

    `together` remembers, from call to call, who has come to share squares by a rule: when what allowed it is
    over, they may stay until one of them leaves.
    """
    state = fight.state
    for one in state.combatants.values():
        legal_body(fight, one)
        legal_budget(fight, one)
        legal_pair(fight, one)
        for until in (
            *(condition.until for condition in one.conditions.values()),
            *(effect.until for effect in one.effects),
        ):
            assert not overdue(fight, until), f"{one.id} still has what lasts {until}"
    if state.pending is None:  # in the middle of a move one may be passing a friend
        legal_places(fight, set() if together is None else together)
    assert sorted(set(state.order)) == sorted(state.order)


def legal_body(fight: Fight, one: Combatant) -> None:
    """Assert that hit points, points of all kinds and the place of a combatant can be."""
    assert one.hp <= one.max_hp
    assert one.nonlethal >= 0
    assert one.temporary >= 0
    assert all(points > 0 for points in one.losses.values()), one.losses
    assert all(count >= 0 for count in one.reactions.values())
    # By how much a grapple check was won is remembered too, below 0 where it was lost.
    assert all(kind and (count >= 0 or kind == "grapple") for kind, count in one.spent.items()), one.spent
    spells = {spell.name for spell in one.sheet.spells}
    assert all(left >= 0 for name, left in one.resources.items() if name in spells), one.resources
    assert len({effect.id for effect in one.effects}) == len(one.effects)
    assert len({one.id for one in one.afflictions}) == len(one.afflictions)
    for square in anchors_of(one) if "incorporeal" not in one.sheet.traits else ():
        assert fight.field.passable(square, one.space), f"{one.id} stands in a wall at {square}"


def legal_budget(fight: Fight, one: Combatant) -> None:
    """Assert that a combatant has done no more than a turn and a round allow."""
    if fight.dialect.contents == (KERNEL,):
        assert one.spent.get("action", 0) <= MOST_ACTIONS, one.spent
        assert sum(one.reactions.values()) <= 1, one.reactions
        return
    assert len(one.opportunities) == len(set(one.opportunities))
    limit, _ = fight.dialect.opportunity.opportunities(fight, one)
    assert one.reactions.get("opportunity", 0) <= max(1, limit)
    for spell in one.sheet.spells:
        if spell.uses is not None:
            assert one.resources.get(spell.name, 0) <= spell.uses
    allowed = 2 + fight.dialect.turns.allowance(fight, one).extra
    assert one.spent.get("standard", 0) <= 1
    assert one.spent.get("standard", 0) + one.spent.get("move", 0) <= allowed
    assert one.spent.get("full-round", 0) <= 1


MOST_ACTIONS = 3
"""Nobody has more in a turn of fifth edition: one, one of Haste, and Action Surge."""


def legal_pair(fight: Fight, one: Combatant) -> None:
    """Assert that a rider and its mount know each other and stand in one place."""
    if one.mount:
        mount = fight.state.combatants[one.mount]
        assert mount.rider == one.id, f"{one.id} rides {mount.id}, which {mount.rider or 'nobody'} rides"
        assert mount.at == one.at, f"{one.id} at {one.at} rides {mount.id} at {mount.at}"
    if one.rider:
        assert fight.state.combatants[one.rider].mount == one.id, f"{one.rider} has left {one.id}"


def overdue(fight: Fight, until: Until) -> bool:
    """Say whether something should have ended before this round began.

    Whoever has no turns of its own, or puts its turn off, is not looked at. Who has done in another's turn
    what it had readied has had no end of a turn in that round: that of the next ends what lasted until then.
    """
    state = fight.state
    if until.when == "round-end":
        return state.round > until.round
    who = state.combatants.get(until.who)
    if not until.when.startswith("turn-") or who is None or who.id not in state.order:
        return False
    # What begins in the midst of a turn goes on until the start of the next one.
    due = until.round + (until.when == "turn-start")
    late = state.round > due and until.round > 0
    if "readied" in who.spent or (until.when == "turn-end" and state.active == who.id):
        return False
    return late and not who.delaying and who.waited is None and not who.rider


def sharing(fight: Fight) -> Pairs:
    """Return who stands in one space already, for a fight that is watched from its middle on."""
    standing = [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
    taken = {one.id: set(squares_of(one)) for one in standing}
    return {(a.id, b.id) for a, b in combinations(standing, 2) if taken[a.id] & taken[b.id]}


def legal_places(fight: Fight, together: Pairs) -> None:
    """Assert that nobody stands in another's squares, at the same height, but by a rule that lets them."""
    standing = [one for one in fight.state.combatants.values() if "dead" not in one.conditions]
    taken = {one.id: set(squares_of(one)) for one in standing}
    for a, b in combinations(standing, 2):
        pair = (a.id, b.id)
        if taken[a.id].isdisjoint(taken[b.id]) or squares_apart_in_height(a, b):
            together.discard(pair)
        elif (
            shares(fight, a)
            or shares(fight, b)
            or b.id in (a.mount, a.rider)
            or of_two_sizes(fight, a, b)
            or crowds(fight, a)
            or fell_over(a, b)
            or fell_over(b, a)
        ):
            together.add(pair)
        else:
            assert pair in together or mounted_among(fight, a, b, together), (
                f"{a.id} and {b.id} stand in one space at {a.at} and {b.at}"
            )


def of_two_sizes(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether two may share a space because they differ in size (woa.size.shared-space.capacity)."""
    return fight.dialect.name == "woa" and a.sheet.size != b.sheet.size


def fell_over(one: Combatant, other: Combatant) -> bool:
    """Say whether one was pushed back into the other's space, or tripped there, and lies.

    srd35.bull-rush.fail, futurepath.overrun.blocked.
    """
    prone = one.conditions.get("prone")
    return prone is not None and prone.source in (f"over {other.id}", f"tripped by {other.id}")


def crowds(fight: Fight, one: Combatant) -> bool:
    """Say whether a rulebook lets as many crowd into one space as stand where a combatant does."""
    topic = "crowd.max-same-size"
    if not fight.book.has(topic):
        return False
    here = set(squares_of(one))
    others = [other for other in fight.state.combatants.values() if not here.isdisjoint(squares_of(other))]
    return sum(other.sheet.size == one.sheet.size for other in others) <= fight.figure(topic, "occupants")


def mounted_among(fight: Fight, a: Combatant, b: Combatant, together: Pairs) -> bool:
    """Say whether the mount of one, or of the other, shares its squares by a rule."""
    here, there = a.mount or a.id, b.mount or b.id
    pair = (here, there) if (here, there) in together else (there, here)
    return pair in together or any(shares(fight, fight.state.combatants[id]) for id in pair)


def shares(fight: Fight, one: Combatant) -> bool:
    """Say whether others may stand there: it is down, held, an open door, or of a kind that shares."""
    down = any(name in one.conditions for name in (*DOWN_OR_HELD, "open")) or is_helpless(fight, one)
    return down or one.sheet.size in ("fine", "diminutive", "tiny") or "swarm" in one.sheet.traits
