"""What each kind of fact makes of a row, behind the columns of its place."""

from collections.abc import Callable
from typing import Any

import msgspec

from affray.events.facts import combat, declared, flow, rolled
from affray.projections.hit_chance import succeeding
from affray.replay.luck import was_given
from affray.replay.rows.blows import (
    BY,
    Cells,
    Made,
    as_share,
    as_text,
    attack_row,
    confirmation_row,
    damage_row,
    miss_chance_row,
    parts_of,
)
from affray.replay.rows.spread import spread_of
from affray.replay.rows.standing import Standing


def _json(value: dict[str, int]) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _hit_points_row(at: Standing, fact: combat.HitPointsChanged, data: bytes) -> Made:
    now: Cells = (fact.change, fact.hp, fact.nonlethal, fact.temporary)
    now = now if at.shows(fact.who) else (None, None, None, None)
    return "hit_points", (fact.who, *at.of(fact.who), *now, fact.why)


def _check(at: Standing, fact: combat.CheckResolved, data: bytes) -> Made:
    what, _, kind = fact.check.partition(".")
    chance = as_share(succeeding(fact, at.notations.get(fact.key, "")))
    who = (fact.who, *at.of(fact.who))
    sums = (fact.natural, fact.total - fact.natural, fact.total, fact.dc, chance)
    parts = as_text(parts_of(data).parts)
    if what == "save":
        return "saves", (*who, kind, fact.success, *sums, parts, fact.key, fact.why)
    return "checks", (*who, "check", fact.check, "", fact.success, *sums, parts, "[]", fact.key, fact.why)


def _contest(at: Standing, fact: combat.ContestResolved, data: bytes) -> Made:
    lists = parts_of(data)
    sums = (None, None, fact.total, fact.opposed, None)
    told = (as_text(lists.parts), as_text(lists.opposed_parts), "", "")
    who = (fact.who, *at.of(fact.who))
    return "checks", (*who, "contest", fact.contest, fact.against, fact.won, *sums, *told)


def _turning(at: Standing, fact: combat.TurningResolved, data: bytes) -> Made:
    sums = (fact.natural, fact.total - fact.natural, fact.total, None, None)
    told = (as_text(parts_of(data).parts), "[]", fact.key, f"reaches {fact.most} Hit Dice")
    return "checks", (fact.who, *at.of(fact.who), "turning", fact.what, fact.kind, None, *sums, *told)


def _moved(at: Standing, fact: combat.Moved, data: bytes) -> Made:
    to = fact.path[-1] if fact.path else fact.start
    path = "[" + ", ".join([f"[{x}, {y}]" for x, y in fact.path]) + "]"
    way = (fact.feet, len(fact.path), fact.diagonals, *to, path, "")
    return "moves", (fact.who, *at.of(fact.who), fact.how, *way)


def _saddle(at: Standing, fact: combat.Mounted | combat.Dismounted, data: bytes) -> Made:
    how = f"dismounts: {fact.how}" if isinstance(fact, combat.Dismounted) else "mounts"
    return "moves", (fact.who, *at.of(fact.who), how, 0, 0, 0, *fact.at, "[]", fact.mount)


def _condition(at: Standing, fact: combat.ConditionGained, data: bytes) -> Made:
    until = (fact.until.when, fact.until.who, fact.until.round)
    what = ("condition", "began", fact.condition, fact.source, fact.level, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what, *until)


def _condition_lost(at: Standing, fact: combat.ConditionLost, data: bytes) -> Made:
    what = ("condition", "ended", fact.condition, fact.why, None, None, None, None, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what)


def _effect(at: Standing, fact: combat.EffectGained, data: bytes) -> Made:
    until = (fact.until.when, fact.until.who, fact.until.round)
    what = ("effect", "began", fact.id, fact.modifier.source, None, fact.stat, fact.modifier.value)
    return "conditions", (fact.who, *at.of(fact.who), *what, *until)


def _effect_ended(at: Standing, fact: combat.EffectEnded, data: bytes) -> Made:
    what = ("effect", "ended", fact.id, fact.why, None, None, None, None, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what)


def _round(at: Standing, fact: flow.RoundBegan, data: bytes) -> Made:
    count, points = at.sides()
    sides = (sum(count.values()), _json(count), _json(points))
    return "rounds", (fact.number, fact.phase, *sides)


def _rolled(at: Standing, fact: rolled.Rolled, data: bytes) -> Made:
    given = was_given(fact)
    if given:
        at.given.add(fact.key)
    at.notations[fact.key] = fact.notation
    key = fact.key.split("/")
    spread = spread_of((fact.notation,))
    faces = fact.faces
    return "rolls", (
        fact.who,
        *at.of(fact.who),
        fact.key,
        key[-2] if len(key) > 2 else "",
        fact.notation,
        spread.sides if spread else None,
        BY.join(map(str, faces)),
        faces[0] if len(faces) == 1 else None,
        fact.total,
        len(fact.dropped),
        len(fact.rerolled),
        len(fact.exploded),
        spread.mean if spread else None,
        spread.at_least(fact.total) if spread else None,
        fact.provenance,
        not given,
    )


def _chosen(at: Standing, fact: declared.Chosen, data: bytes) -> Made:
    told = (fact.key, fact.question, BY.join(fact.options), fact.answer, fact.by, fact.rule)
    return "choices", (fact.who, *at.of(fact.who), *told)


def _ruled(at: Standing, fact: declared.Ruled, data: bytes) -> Made:
    about = (fact.subject, fact.event, fact.dispute, fact.scope, BY.join(fact.changes))
    return "rulings", ("ruling", fact.id, fact.author, fact.verdict, fact.text, *about)


def _disputed(at: Standing, fact: declared.Disputed, data: bytes) -> Made:
    about = (fact.subject, fact.event, "", "", "")
    return "rulings", ("dispute", fact.id, fact.by, "", fact.claim, *about)


def _refused(at: Standing, fact: declared.Refused, data: bytes) -> Made:
    return "refusals", ("refused", fact.id, fact.reason, fact.rule)


def _invalidated(at: Standing, fact: declared.Invalidated, data: bytes) -> Made:
    return "refusals", ("invalidated", fact.id, fact.reason, fact.rule)


def _entered(at: Standing, fact: flow.CombatantEntered, data: bytes) -> Made:
    sheet = fact.sheet
    kind = (sheet.kind, sheet.size, sheet.hit_dice, sheet.base_attack, sheet.speed)
    return "combatants", (fact.id, sheet.name, fact.side, *kind, fact.hp, fact.max_hp, *fact.at)


MAKERS: dict[str, Callable[[Standing, Any, bytes], Made]] = {
    "attack.resolved": attack_row,
    "check.resolved": _check,
    "chosen": _chosen,
    "combatant.entered": _entered,
    "condition.gained": _condition,
    "condition.lost": _condition_lost,
    "confirmation.resolved": confirmation_row,
    "contest.resolved": _contest,
    "damage.resolved": damage_row,
    "dismounted": _saddle,
    "disputed": _disputed,
    "effect.ended": _effect_ended,
    "effect.gained": _effect,
    "hit-points.changed": _hit_points_row,
    "invalidated": _invalidated,
    "miss-chance.resolved": miss_chance_row,
    "mounted": _saddle,
    "moved": _moved,
    "refused": _refused,
    "rolled": _rolled,
    "round.began": _round,
    "ruled": _ruled,
    "turning.resolved": _turning,
}
"""What each type of event makes of a row, from how things stand, its fact and its bytes."""
