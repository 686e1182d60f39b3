"""Random declarations, sensible and senseless, for property tests."""

import random
from collections.abc import Callable

from affray.engine.fight import Fight
from affray.engine.scenario import Scenario, packaged, set_up
from affray.engine.table import Table
from affray.engine.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.projections.state import Combatant

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
    kinds = (
        lambda: acts.EndTurn(actor=actor),
        lambda: acts.Move(actor=actor, path=path),
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
            actor=actor, strikes=tuple(acts.Strike(target, weapon) for _ in range(dice.randint(0, 3)))
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
            trigger=acts.Trigger(dice.choice(("attacks", "casts", "moves"))),
            then=acts.Attack(weapon=weapon),
        ),
        lambda: acts.Cast(
            actor=actor,
            spell=dice.choice([spell.name for spell in who.sheet.spells] or ["wish"]),
            targets=(target,),
            at=path[-1],
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
        lambda: acts.Hazard(target=target, save="ref", dc=15, damage="2d6", damage_type="fire"),
        *special_attacks(dice, actor, target, weapon, path),
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
