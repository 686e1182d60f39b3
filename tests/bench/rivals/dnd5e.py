"""Drive dnd5e-engine: four against four in reach of each other, one weapon attack a turn.

Runs in an environment of its own and prints one JSON object: attacks/s, whole fights/s and a checksum
over every attack event. The engine writes its events itself; nothing is stored and nothing is hashed
while the clock runs.
"""

import asyncio
import hashlib
import json
import sys
import time
from importlib.metadata import version

from dnd5e_engine import (
    EncounterMemberSpec,
    GridScene,
    IntentRejectedError,
    PartyMemberSpec,
    PlayerIntent,
    advance_monster_turn,
    cell_id,
    drain_pending_events,
    end_combat,
    get_live,
    parse_cell,
    start_combat,
    submit_player_intent,
)

ENDLESS = 1_000_000_000


async def opened(seed, hit_points):
    """Return the handle of a begun combat in which every hero reaches every brute's square or the next."""
    heroes = [
        PartyMemberSpec(
            entity_id=f"char:h{n}",
            name=f"h{n}",
            initiative=20,
            hp_current=hit_points,
            hp_max=hit_points,
            ac=16,
            strength=18,
            zone_id=cell_id(n, 1),
        )
        for n in range(4)
    ]
    brutes = [
        EncounterMemberSpec(
            entity_id=f"mon:o{n}",
            entity_type="Monster",
            name=f"o{n}",
            initiative=10,
            hp_current=hit_points,
            hp_max=hit_points,
            ac=13,
            attack_bonus=6,
            damage_dice="2d8+4",
            zone_id=cell_id(n, 2),
        )
        for n in range(4)
    ]
    started = await start_combat(
        session_id=f"bench-{seed}",
        party=heroes,
        encounter=brutes,
        grid_scene=GridScene(width=8, height=8),
        rng_seed=seed,
    )
    return started.handle


async def turn(handle):
    """Let the actor attack the nearest foe, by sword or from afar by bow; None when the combat is over."""
    live = get_live(handle)
    if live.ended:
        return None
    actor = live.initiative[live.current_turn_index].entity_id
    if actor in live.party_ids:
        foes = live.encounter_ids - live.dead_ids
        if not foes or actor in live.dead_ids:
            return None
        feet, target = min((squares(live, actor, foe), foe) for foe in foes)
        weapon = "longsword" if feet <= 1 else "longbow"
        intent = PlayerIntent(intent_type="attack", target_id=target, weapon_id=weapon)
        try:
            await submit_player_intent(handle, actor, intent)
        except IntentRejectedError:  # down and out for this turn
            await submit_player_intent(handle, actor, PlayerIntent(intent_type="pass"))
    else:
        await advance_monster_turn(handle)
    return drain_pending_events(handle)


def squares(live, one, other):
    """Return the distance of two combatants in squares."""
    (x, y), (u, v) = parse_cell(live.actor_zone[one]), parse_cell(live.actor_zone[other])
    return max(abs(x - u), abs(y - v))


def rolled(events):
    """Return how many attacks these events hold."""
    return sum(1 for event in events if event.type == "attack_rolled")


async def attacks(count):
    """Return attacks made, attacks/s and the events of a fight that nobody can lose."""
    handle = await opened(1, ENDLESS)
    for _ in range(16):
        await turn(handle)
    log, made, began = [], 0, time.perf_counter()
    while made < count:
        events = await turn(handle)
        made += rolled(events)
        log += events
    return made, made / (time.perf_counter() - began), log


async def fights(count):
    """Return fights/s of fights to the end, and their events."""
    log, began = [], time.perf_counter()
    for seed in range(count):
        handle = await opened(seed, 30)
        for _ in range(400):
            events = await turn(handle)
            if events is None:
                break
            log += events
        await end_combat(handle)
    return count / (time.perf_counter() - began), log


def checksum(log):
    """Return the digest of what the attacks showed; ids that the engine draws at random are left out."""
    shown = [[e.attacker_id, e.target_id, e.roll_total, e.is_hit] for e in log if e.type == "attack_rolled"]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


async def main():
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    made, speed, log = await attacks(count)
    each, more = await fights(max(2, count // 100))
    result = {"version": version("dnd5e-engine"), "attacks": made, "attacks/s": round(speed, 1)}
    print(json.dumps({**result, "fights/s": round(each, 2), "checksum": checksum(log + more)}))


asyncio.run(main())
