"""Random declarations, sensible and senseless, for property tests."""

import random
from collections.abc import Callable
from itertools import combinations

from msgspec.structs import replace

from affray.engine.fight import Fight
from affray.engine.scenario import Scenario, packaged, set_up
from affray.engine.table import Table
from affray.engine.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.projections.state import Combatant, Encounter

DIALECTS = ("srd35", "pf1", "futurepath", "woa")


def demo(dialect: str) -> Scenario:
    """Return the packaged fight of a dialect."""
    return packaged(f"demo_{dialect}")


def opened(dialect: str, store: Store, seed: int) -> Table:
    """Return a table with the packaged combatants on the map, not begun."""
    return set_up(demo(dialect), store, seed=f"random fight {seed}".encode())


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
            then=dice.choice(
                (
                    acts.Attack(weapon=weapon),
                    acts.Attack(target=target, weapon=weapon, thrown=dice.random() < 0.3),
                    acts.Move(path=path),
                    acts.Step(to=path[0]),
                    acts.Cast(spell=spell, targets=(target,), at=path[-1]),
                    acts.TotalDefense(),
                    acts.Stand(),
                    acts.Brace(weapon=weapon),
                )
            ),
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
            by=dice.choice(("spot", "listen", "scent", "grope")),
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
            table.choose(dice.choice(table.waiting.options))
            continue
        act = next_act(table) if dice.random() < 0.35 else random_act(dice, table.fight)
        if act is None:
            return
        table.declare(act)


def legal(fight: Fight) -> None:
    """Assert that the state is one that can be."""
    state = fight.state
    for one in state.combatants.values():
        assert one.hp <= one.max_hp
        assert one.nonlethal >= 0
        assert one.temporary >= 0
        assert fight.field.passable(one.at, one.space), f"{one.id} stands in a wall at {one.at}"
        assert len(one.opportunities) == len(set(one.opportunities))
        limit, _ = fight.dialect.points.opportunities(fight, one)
        assert one.reactions.get("opportunity", 0) <= max(1, limit)
        for spell in one.sheet.spells:
            if spell.uses is not None:
                assert one.resources.get(spell.name, 0) <= spell.uses
        allowed = 2
        assert one.spent.get("standard", 0) <= 1
        assert one.spent.get("standard", 0) + one.spent.get("move", 0) <= allowed
        assert one.spent.get("full-round", 0) <= 1
    if state.pending is not None:
        return  # in the middle of a move one may be passing a friend
    for a, b in combinations(state.combatants.values(), 2):
        if "dead" in a.conditions or "dead" in b.conditions:
            continue
        if any(state in one.conditions for one in (a, b) for state in DOWN_OR_HELD):
            continue
        apart = (
            a.at[0] + a.space <= b.at[0]
            or b.at[0] + b.space <= a.at[0]
            or a.at[1] + a.space <= b.at[1]
            or b.at[1] + b.space <= a.at[1]
        )
        assert apart, f"{a.id} and {b.id} stand in one space"
    assert sorted(set(state.order)) == sorted(state.order)
