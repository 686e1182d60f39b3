"""What each kind of fact makes of a row, behind the columns of its place."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from affray.events.facts import combat, declared, flow, rolled
from affray.events.facts.modifier import Modifier
from affray.projections.hit_chance import hitting, is_by_sums, reaching
from affray.replay.luck import thrown_for, was_given
from affray.replay.rows.spread import spread_of
from affray.replay.rows.standing import Standing

Cells = tuple[Any, ...]
Made = tuple[str, Cells]
"""The table that a row belongs to, and its cells behind those of its place."""

_BY = "; "
LEAST = "a hit deals at least"
"""How the record of damage begins of which no throw would have brought less."""


_NONE = Raw(b"[]")


class _Parts(Struct, gc=False):
    """The lists of modifiers of an event as its bytes have them."""

    attack: Raw = _NONE
    defense: Raw = _NONE
    parts: Raw = _NONE
    opposed_parts: Raw = _NONE
    modifiers: Raw = _NONE


parts_of = msgspec.json.Decoder(_Parts).decode


def _json(value: dict[str, int]) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _as_text(part: Raw) -> str:
    return bytes(part).decode()


def _sum_of_kind(parts: tuple[Modifier, ...], kind: str) -> int:
    return sum([part.value for part in parts if part.kind == kind and not part.denied])


def _blow(at: Standing, fact: Any) -> Cells:
    attacker, target = fact.attacker, fact.target
    return (attacker, target, *at.of(attacker), *at.of(target), at.apart(attacker, target))


def _sums(fact: Any) -> Cells:
    """Return what the d20 and both sides of the comparison came to, from `face` to `key`."""
    return (
        fact.natural,
        fact.total - fact.natural,
        fact.total,
        fact.needed,
        _sum_of_kind(fact.defense, "cover"),
        _sum_of_kind(fact.attack, "flanking"),
        fact.key,
    )


def _both_parts(data: bytes) -> Cells:
    lists = parts_of(data)
    return _as_text(lists.attack), _as_text(lists.defense)


def _attack_row(at: Standing, fact: combat.AttackResolved, data: bytes) -> Made:
    if fact.against == "armor class":
        at.met[fact.target] = fact.needed
    hit = fact.result != "miss"
    chance = float(hitting(fact)) if at.d20(fact.key) and is_by_sums(fact) else None
    key = fact.key.split("/", 2)
    return "attacks", (
        *_blow(at, fact),
        fact.weapon,
        fact.mode,
        fact.against,
        fact.result,
        hit,
        *_sums(fact),
        fact.total - fact.needed,
        chance,
        thrown_for(fact, at.given),
        len(key) > 1 and ":" in key[1],
        fact.why,
        *_both_parts(data),
    )


def _confirmation(at: Standing, fact: combat.ConfirmationResolved, data: bytes) -> Made:
    return "confirmations", (*_blow(at, fact), fact.confirmed, *_sums(fact), *_both_parts(data))


def _miss_chance(at: Standing, fact: combat.MissChanceResolved, data: bytes) -> Made:
    return "miss_chances", (*_blow(at, fact), fact.percent, fact.rolled, fact.missed, fact.key, fact.why)


def _damage_row(at: Standing, fact: combat.DamageResolved, data: bytes) -> Made:
    shown = sum([part.total for part in fact.dice])
    spread = spread_of(tuple([part.notation for part in fact.dice]))
    return "damage", (
        *_blow(at, fact),
        at.blows.get((fact.attacker, fact.target)),
        fact.weapon,
        fact.total,
        shown,
        fact.reduced,
        fact.multiplier,
        fact.nonlethal,
        _BY.join(dict.fromkeys([part.kind for part in fact.dice])),
        _BY.join([part.notation for part in fact.dice]),
        _as_text(parts_of(data).modifiers),
        fact.total - shown + spread.mean if spread else None,
        (1.0 if fact.why.startswith(LEAST) else spread.at_least(shown)) if spread else None,
        fact.why,
    )


def _hit_points_row(at: Standing, fact: combat.HitPointsChanged, data: bytes) -> Made:
    now: Cells = (fact.change, fact.hp, fact.nonlethal, fact.temporary)
    now = now if at.shows(fact.who) else (None, None, None, None)
    return "hit_points", (fact.who, *at.of(fact.who), *now, fact.why)


def _check(at: Standing, fact: combat.CheckResolved, data: bytes) -> Made:
    what, _, kind = fact.check.partition(".")
    save = what == "save"
    chance = None
    if at.d20(fact.key):
        bonus = fact.total - fact.natural
        chance = reaching(bonus, fact.dc, naturals=save) / 20
        came = fact.total >= fact.dc if not save or 1 < fact.natural < 20 else fact.natural == 20
        # What a rule decided otherwise (a roll that cannot succeed, a reroll) has no such chance.
        chance = chance if came == fact.success else None
    who = (fact.who, *at.of(fact.who))
    sums = (fact.natural, fact.total - fact.natural, fact.total, fact.dc, chance)
    parts = _as_text(parts_of(data).parts)
    if save:
        return "saves", (*who, kind, fact.success, *sums, parts, fact.key, fact.why)
    return "checks", (*who, "check", fact.check, "", fact.success, *sums, parts, "[]", fact.key, fact.why)


def _contest(at: Standing, fact: combat.ContestResolved, data: bytes) -> Made:
    lists = parts_of(data)
    sums = (None, None, fact.total, fact.opposed, None)
    told = (_as_text(lists.parts), _as_text(lists.opposed_parts), "", "")
    who = (fact.who, *at.of(fact.who))
    return "checks", (*who, "contest", fact.contest, fact.against, fact.won, *sums, *told)


def _turning(at: Standing, fact: combat.TurningResolved, data: bytes) -> Made:
    sums = (fact.natural, fact.total - fact.natural, fact.total, None, None)
    told = (_as_text(parts_of(data).parts), "[]", fact.key, f"reaches {fact.most} Hit Dice")
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
        _BY.join(map(str, faces)),
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
    told = (fact.key, fact.question, _BY.join(fact.options), fact.answer, fact.by, fact.rule)
    return "choices", (fact.who, *at.of(fact.who), *told)


def _ruled(at: Standing, fact: declared.Ruled, data: bytes) -> Made:
    about = (fact.subject, fact.event, fact.dispute, fact.scope, _BY.join(fact.changes))
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
    "attack.resolved": _attack_row,
    "check.resolved": _check,
    "chosen": _chosen,
    "combatant.entered": _entered,
    "condition.gained": _condition,
    "condition.lost": _condition_lost,
    "confirmation.resolved": _confirmation,
    "contest.resolved": _contest,
    "damage.resolved": _damage_row,
    "dismounted": _saddle,
    "disputed": _disputed,
    "effect.ended": _effect_ended,
    "effect.gained": _effect,
    "hit-points.changed": _hit_points_row,
    "invalidated": _invalidated,
    "miss-chance.resolved": _miss_chance,
    "mounted": _saddle,
    "moved": _moved,
    "refused": _refused,
    "rolled": _rolled,
    "round.began": _round,
    "ruled": _ruled,
    "turning.resolved": _turning,
}
"""What each type of event makes of a row, from how things stand, its fact and its bytes."""
