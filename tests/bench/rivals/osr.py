"""Drive osrlib's rule kernel: four fighters against four bugbears, one sword stroke or attack a turn.

Runs in an environment of its own and prints one JSON object: attacks/s, whole fights/s and a checksum
over every event. The kernel has no map and no declarations: the loop here only picks the next living
foe, which flatters it. Its events are objects; the attacks are measured once with these kept as they
are, and once written as JSON too, as a log on disk would need them. On Python 3.13 its sources are
compiled with annotations left as text, which is what the 3.14 that it asks for does by itself.
"""

import __future__

import hashlib
import importlib.machinery
import json
import sys
import time
from importlib.metadata import version

if sys.version_info < (3, 14):

    class Lazily(importlib.machinery.SourceFileLoader):
        """Compile modules with `from __future__ import annotations` in force."""

        def source_to_code(self, data, path, *, _optimize=-1):
            flags = __future__.annotations.compiler_flag
            return compile(data, path, "exec", flags, dont_inherit=True, optimize=_optimize)

        def get_code(self, fullname):
            return self.source_to_code(self.get_data(self.path), self.path)

    class Finder(importlib.machinery.PathFinder):
        """Find osrlib's modules for that loader."""

        @classmethod
        def find_spec(cls, name, path=None, target=None):
            spec = super().find_spec(name, path, target)
            if name.split(".")[0] == "osrlib" and spec is not None and str(spec.origin).endswith(".py"):
                spec.loader = Lazily(name, spec.origin)
            return spec

    sys.meta_path.insert(0, Finder)

from osrlib.core.alignment import Alignment
from osrlib.core.character import CHARACTER_CREATION_STREAM, create_character
from osrlib.core.combat import COMBAT_STREAM, AttackContext, resolve_attack
from osrlib.core.monsters import MONSTER_SPAWN_STREAM, spawn_monster
from osrlib.core.rng import RngStreams
from osrlib.core.ruleset import Ruleset
from osrlib.data import load_equipment, load_monsters

ENDLESS = 1_000_000_000
WINDOW = 100  # as many attacks as a window of the duel has
RULES = Ruleset()
SWORD = load_equipment().get("sword")
BUGBEAR = load_monsters().get("bugbear")


def sides(seed, hit_points=None):
    """Return heroes, brutes and the stream of combat dice; hit points as rolled unless given."""
    streams = RngStreams(master_seed=seed)
    heroes = [
        create_character(
            name=f"h{n}",
            class_id="fighter",
            alignment=Alignment.LAWFUL,
            ruleset=RULES,
            stream=streams.get(CHARACTER_CREATION_STREAM),
        ).character
        for n in range(4)
    ]
    spawn = streams.get(MONSTER_SPAWN_STREAM)
    brutes = [spawn_monster(BUGBEAR, id=f"o{n}", stream=spawn) for n in range(4)]
    if hit_points is not None:
        for one in (*heroes, *brutes):
            one.max_hp = one.current_hp = hit_points
    return heroes, brutes, streams.get(COMBAT_STREAM)


def round_of(heroes, brutes, stream, log):
    """Let everybody who stands attack the first foe who stands; return the attacks made."""
    made = 0
    for own, foes, attack in ((heroes, brutes, SWORD), (brutes, heroes, None)):
        for one in own:
            standing = [foe for foe in foes if foe.current_hp > 0]
            if one.current_hp <= 0 or not standing:
                continue
            with_ = attack or one.template.attacks[0].attacks[0]
            found = resolve_attack(
                one, standing[0], with_, context=AttackContext(), ruleset=RULES, stream=stream
            )
            log += found.events
            made += 1
    return made


def attacks(count, log, written=None):
    """Make attacks that never end the fight, `written` as JSON too; return how many, and the speeds."""
    made, speeds = 0, []
    heroes, brutes, stream = sides(1, ENDLESS)
    round_of(heroes, brutes, stream, [])
    while made < count:
        window, began = 0, time.perf_counter()
        while window < WINDOW:
            before = len(log)
            window += round_of(heroes, brutes, stream, log)
            if written is not None:
                written += [event.model_dump_json() for event in log[before:]]
        speeds.append(window / (time.perf_counter() - began))
        made += window
    return made, sorted(speeds)


def main():
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    log = []
    made, speeds = attacks(count, log)
    _, slower = attacks(count, [], [])
    fights = max(2, count // 50)
    began = time.perf_counter()
    for seed in range(fights):
        heroes, brutes, stream = sides(seed)
        while round_of(heroes, brutes, stream, log):
            pass
    each = fights / (time.perf_counter() - began)
    shown = [event.model_dump(mode="json") for event in log]
    digest = hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()
    result = {
        "version": version("osrlib"),
        "attacks": made,
        "attacks/s, best window": round(speeds[-1]),
        "attacks/s, median window": round(speeds[len(speeds) // 2]),
        "written as JSON, attacks/s, best window": round(slower[-1]),
        "written as JSON, attacks/s, median window": round(slower[len(slower) // 2]),
    }
    print(json.dumps({**result, "fights/s": round(each, 2), "checksum": digest}))


main()
