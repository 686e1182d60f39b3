"""One plain sentence for each fact."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET, Struct

from affray.events.errors import counted
from affray.events.facts import combat, flow
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import Origin
from affray.events.facts.words import NO_WORDS, DialectWords, filled
from affray.projections.deeds import IDS, Ids, declaration
from affray.projections.state import Combatant, Condition

# --- Conditions in sentences: their levels, phrases for combatants and objects

#: Conditions whose level is not shown: the check result against turned creatures, which the check itself has
#: shown, the round of the last wrestling or concentration, the state of fallen combatants.
UNCOUNTED = frozenset(
    {"turned", "concentrating", "grappling", "pinned", "arm-locked", "mouth clamped", "unconscious"}
)


def degree_words(condition: str, level: int, aloft: bool) -> str:
    """Return a condition with its level, or with its height in feet."""
    if aloft:
        return f"{condition} {level} ft. up"
    return f"{condition} {level}" if level and condition not in UNCOUNTED else condition


def describe_conditions(one: Combatant) -> Iterator[tuple[str, Condition]]:
    """Yield the conditions of a combatant in words, each with its details.

    A thing that no longer exists is destroyed; its other conditions are not mentioned.
    """
    thing = one.sheet.thing is not None
    for name, held in one.conditions.items():
        if not (thing and name in ("inanimate", "prone")):
            ruined = thing and name == "dead"
            yield "destroyed" if ruined else degree_words(name, held.level, held.aloft), held


HAD = ("advantage", " cover", " concealment", "exhaustion")
"""The endings of conditions that a combatant has, and is not."""


def being(condition: str, longer: bool = True) -> str:
    """Return the phrase for a condition: is prone, has total cover; no longer unless `longer`."""
    if condition.partition(" (")[0].rstrip(" 0123456789").endswith(HAD):
        article = "a " if "advantage" in condition else ""
        return f"has {article}{condition}" if longer else f"no longer has {article}{condition}"
    return f"is {condition}" if longer else f"is no longer {condition}"


def sentence(fact: object, words: DialectWords = NO_WORDS) -> str:
    """Return one sentence for a fact, in the words of its dialect; its type and fields if none is defined."""
    if worded := _WORDED.get(type(fact)):
        return worded(fact, words)
    tell = _SENTENCES.get(type(fact))
    return tell(fact) if tell is not None else _as_fields(fact)


def act_words(act: Struct) -> str:
    """Return an act as its fields, for programs: its name and its fields with names."""
    told = [str(act.__struct_config__.tag)]
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name in ("actor", "sheet", "carried") or value in ("", (), None, False, "normal", UNSET):
            continue
        told.append(name if value is True else f"{name} {_value(value)}")
    return ", ".join(told)


def _value(value: object) -> str:
    if isinstance(value, Origin):
        return f"{value.id} of {value.fight or 'another fight'} after event {value.seq}"
    if hasattr(value, "__struct_fields__"):
        return " ".join(
            _value(getattr(value, name)) for name in value.__struct_fields__ if getattr(value, name)
        )
    if isinstance(value, tuple):
        return (
            ",".join(map(str, value))
            if all(isinstance(v, int) for v in value)
            else " ".join(map(_value, value))
        )
    return str(value)


def _as_fields(fact: Any) -> str:
    names = (name for name in fact.__struct_fields__ if name not in ("cites", "sheet"))
    fields = ", ".join(f"{name} {_value(getattr(fact, name))}" for name in names)
    return f"{fact.__struct_config__.tag}: {fields}"


_BY = re.compile(r"^(?:d|xd?)\d+:")
"""The prefix of an effect's name: the declaration that caused it."""

_KEPT = re.compile(r'\{"act":"([a-z-]+)"')


def _round(number: int) -> str:
    return f"round {number}" if number else "the surprise round"


def source_words(source: str) -> str:
    """Return the source of a modifier in words: a pending act is shown by its name."""
    kept = _KEPT.match(source)
    return kept[1].replace("-", " ") if kept else _BY.sub("", source)


def _who(id: str) -> str:
    return id or "the game master"


def _declared(fact: flow.Declared, words: DialectWords) -> str:
    return f"{declaration(fact.act, Ids(words))} ({fact.id})"


def _refused(fact: flow.Refused) -> str:
    return f"{'stays refused, as when it was declared' if fact.stays else 'refused'}: {fact.reason}"


def _chosen(fact: flow.Chosen) -> str:
    return f"{_who(fact.who)} chooses {fact.answer} ({fact.question or fact.key}; by {fact.by})"


def faces(roll: Rolled) -> str:
    """Return the results of the dice of a roll, with those that do not count marked."""
    lost = {*roll.dropped, *roll.rerolled}
    return ", ".join(f"{face} dropped" if at in lost else str(face) for at, face in enumerate(roll.faces))


def _rolled(fact: Rolled, words: DialectWords) -> str:
    shown, purpose = faces(fact), roll_words(fact.key, words)
    total = f" = {fact.total}" if fact.faces != (fact.total,) else ""
    if not fact.faces:
        return f"{_who(fact.who)} counts {fact.total} for {purpose}, without a die"
    return f"{_who(fact.who)} rolls {fact.notation} for {purpose}: {shown}{total}"


def stat_words(stat: str, words: DialectWords = NO_WORDS) -> str:
    """Return the number that an effect changes, that of a check in the words of its dialect."""
    return words.checks.get(stat, stat.replace("-", " "))


def roll_words(key: str, words: DialectWords = NO_WORDS) -> str:
    """Return the purpose of a roll by its key, that of a check in the words of its dialect."""
    parts = key.split("/")
    if len(parts) < 3:
        return key
    return check_label(parts[-2], words) or parts[-2].replace("-", " ")


def check_label(purpose: str, words: DialectWords) -> str:
    """Return the dialect's label of a check by the purpose of its roll, "" if it has none."""
    labels = {name.replace(".", "-"): label for name, label in words.checks.items()}
    return labels.get(purpose.replace(".", "-"), "")


def defense(against: str, words: DialectWords = NO_WORDS) -> str:
    """Return the short name of the defense that an attack is rolled against."""
    return words.defenses.get(against, against)


def compared(fact: combat.AttackResolved, words: DialectWords, total: str = "") -> str:
    """Return what an attack roll is compared with, in the words of its dialect: "17 vs AC 15"."""
    if words.attack:
        values = {"natural": fact.natural, "against": fact.against, "needed": fact.needed}
        return filled(words.attack, {**values, "total": total or fact.total})
    return f"{total or fact.total} vs {defense(fact.against, words)} {fact.needed}"


def _attack(fact: combat.AttackResolved, words: DialectWords) -> str:
    hits = {"miss": "misses", "hit": "hits", "critical": "scores a critical hit on"}
    hit = hits.get(fact.result, "hits and threatens a critical on")
    # The totals say why, unless a rule decided against them.
    why = "" if (fact.total >= fact.needed) == (fact.result != "miss") else f" ({fact.why})"
    return f"{fact.attacker} {hit} {fact.target} with {fact.weapon}: {compared(fact, words)}{why}"


def _confirmation(fact: combat.ConfirmationResolved) -> str:
    return (
        f"{fact.attacker} {'confirms' if fact.confirmed else 'does not confirm'} the critical: "
        f"{fact.total} vs {fact.needed}"
    )


def _miss_chance(fact: combat.MissChanceResolved) -> str:
    result = "misses" if fact.missed else "does not miss"
    return f"miss chance {fact.percent}% ({fact.why}): {fact.rolled} {result}"


def _damage(fact: combat.DamageResolved) -> str:
    kind = " nonlethal" if fact.nonlethal else ""
    times = f" (multiplied by {fact.multiplier})" if fact.multiplier > 1 else ""
    less = f", {fact.reduced} of it absorbed" if fact.reduced else ""
    why = f" ({fact.why})" if fact.why else ""
    return f"{fact.attacker} deals {fact.total}{kind} damage to {fact.target}{times}{less}{why}"


def _hit_points(fact: combat.HitPointsChanged) -> str:
    more = f", {fact.nonlethal} nonlethal" if fact.nonlethal else ""
    return f"{fact.who} has {counted(fact.hp, 'hit point')}{more} ({fact.change:+d}: {fact.why})"


def _gained(fact: combat.ConditionGained) -> str:
    return f"{fact.who} {being(fact.condition)} ({fact.source})"


def _lost(fact: combat.ConditionLost) -> str:
    return f"{fact.who} {being(fact.condition, False)} ({fact.why})"


def _moved(fact: combat.Moved) -> str:
    end = fact.path[-1] if fact.path else fact.start
    return f"{fact.who} goes from {_value(fact.start)} to {_value(end)}, {fact.feet} ft. ({fact.how})"


def _provoked(fact: combat.Provoked) -> str:
    denied = f", but {fact.by} may not take it: {fact.denied}" if fact.denied else ""
    return f"{fact.who} {fact.reason} and provokes {fact.by}{denied}"


def _check(fact: combat.CheckResolved, words: DialectWords) -> str:
    result = "succeeds" if fact.success else "fails"
    why = f" ({fact.why})" if fact.why else ""
    check = words.checks.get(fact.check, fact.check)
    if is_first_of_contest(fact):
        return f"{fact.who} tries {check} against {fact.against}: {fact.total}{why}"
    return f"{fact.who} {result} at {check}: {total_of_check(fact)}{why}"


def is_first_of_contest(fact: combat.CheckResolved) -> bool:
    """Return whether a check is the first of a contest, whose total the other side must reach."""
    return bool(fact.against) and not fact.dc


def total_of_check(fact: combat.CheckResolved) -> str:
    """Return the total of a check with the number that it had to reach, or must not exceed."""
    if fact.against:
        return f"{fact.total} against {fact.dc} of {fact.against}"
    if not fact.under:
        return f"{fact.total} against {fact.dc}"
    return (
        f"at most {fact.dc}, not {fact.total}" if fact.total > fact.dc else f"{fact.total}, at most {fact.dc}"
    )


def _contest(fact: combat.ContestResolved) -> str:
    won = "wins" if fact.won else "loses"
    return f"{fact.who} {won} the {fact.contest} against {fact.against}: {fact.total} to {fact.opposed}"


def _turning(fact: combat.TurningResolved) -> str:
    whole = f", {fact.damage} in all" if fact.damage_key else ""
    most = counted(fact.most, "Hit Die", "Hit Dice")
    return f"{fact.who}'s turning check of {fact.total} affects {fact.kind} of up to {most}{whole}"


def _initiative(fact: flow.InitiativeRolled) -> str:
    if fact.natural:
        return f"{fact.who} has initiative {fact.total} ({fact.natural} {fact.modifier:+d})"
    shared = next((part.source for part in fact.parts if part.kind == "group"), "")
    return f"{fact.who} has initiative {fact.total} ({shared or 'given'})"


def _order(fact: flow.OrderSet) -> str:
    return f"the order is {', '.join(fact.order)}" + (f" ({fact.why})" if fact.why else "")


def _reaction(fact: flow.ReactionSpent) -> str:
    against = f" against {fact.against}" if fact.against else ""
    if fact.kind == "opportunity":
        return f"{fact.who} makes an attack of opportunity{against}"
    return f"{fact.who} uses its {fact.kind}{against}"


def _decided(fact: flow.EncounterDecided) -> str:
    left = f"one side stands, {fact.side}" if fact.side else "nobody stands"
    return f"{left}: close the encounter, or play on"


def _spent(fact: flow.ActionSpent, words: DialectWords) -> str:
    name = words.actions.get(fact.kind)
    if name is None:
        # Other counts of a turn: shots, attacks made, the direction of movement.
        kinds = ", ".join((fact.kind, *(fact.also or ())))
        return f"{fact.who}: {kinds} {fact.amount:+d}" + (f" ({fact.what})" if fact.what else "")
    many = f"{fact.amount} {name}s" if fact.amount > 1 else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"{fact.who} spends {many}" + (f" on: {fact.what}" if fact.what else "")


def _resource(fact: combat.ResourceSpent) -> str:
    if fact.amount < 0:
        return f"{fact.who} gets {-fact.amount} back: {fact.resource}"
    return f"{fact.who} uses {fact.amount}: {fact.resource}"


def _counter(fact: combat.CounterChanged) -> str:
    why = f" ({fact.why})" if fact.why else ""
    return f"{fact.who}, {fact.counter}: {fact.value or 'none'}{why}"


def _effect_ended(fact: combat.EffectEnded) -> str:
    name = _BY.sub("", fact.id).replace(":", " ")
    return f"{name} of {fact.who} is over" + (f" ({fact.why})" if fact.why else "")


def _casting_ended(fact: flow.CastingEnded) -> str:
    return f"{fact.spell or 'the spell'} of {fact.who} is {fact.how or 'over'}"


def _afflicted(fact: combat.AfflictionHeld) -> str:
    return f"{fact.rider.name} takes hold of {fact.who}" + (f" ({fact.by})" if fact.by else "")


def _ruled(fact: flow.Ruled) -> str:
    subject = f" on {fact.subject}" if fact.subject else ""
    return f"{_who(fact.author)} rules{subject} ({fact.verdict}): {fact.text}"


def _disputed(fact: flow.Disputed) -> str:
    return f"{fact.by or 'somebody'} disputes event {fact.event}: {fact.claim}"


def _contributed(fact: flow.SeedContributed) -> str:
    return f"{fact.by or 'somebody'} contributes to the seed of the dice: {fact.words}"


def _chain_begun(fact: flow.ChainBegun) -> str:
    return f"{_whose(fact.by)} chain begins: {counted(fact.length, 'link')}, anchor {fact.anchor}"


def _link_given(fact: flow.LinkGiven) -> str:
    return f"link {fact.number} of {_whose(fact.by)} chain is given: {fact.link}"


def _chain_left(fact: flow.ChainLeft) -> str:
    reason = f": {fact.reason}" if fact.reason else ""
    return f"{fact.by} reveals no more links for the dice{reason}"


def _whose(by: str) -> str:
    return f"{by}'s" if by else "the game master's"


def _applied(fact: flow.RuleApplied) -> str:
    return f"{fact.who}: {fact.what}" if fact.who else fact.what


def _invalidated(fact: flow.Invalidated) -> str:
    return f"{fact.id} has become impossible: {fact.reason}"


def _asked(fact: flow.Asked) -> str:
    options = f" ({' / '.join(fact.options)})" if fact.options else ""
    return f"the fight waits for {_who(fact.who)}: {fact.question}{options}"


def _awareness(fact: flow.AwarenessSettled) -> str:
    return f"surprised: {', '.join(fact.surprised)}" if fact.surprised else "nobody is surprised"


def _planned(fact: flow.PlanMade) -> str:
    deeds = [" ".join(filter(None, (act, aim))) for _, act, aim in fact.actions if act != "nothing"]
    return f"{fact.who} means to {', then '.join(deeds) or 'wait'}"


def _reordered(fact: flow.InitiativeChanged) -> str:
    place = f"before {fact.before}" if fact.before else "last"
    return f"{fact.who} acts on initiative {fact.value} from now on, {place}"


def _effect(fact: combat.EffectGained, words: DialectWords) -> str:
    against = f" against {fact.against}" if fact.against else ""
    value = f"{fact.modifier.value:+d} to " if fact.modifier.value else ""
    source = source_words(fact.modifier.source)
    if fact.stat in words.ongoing:
        return f"{fact.who} is under {source}"
    told = f"{fact.who} has {value}{words.checks.get(fact.stat, fact.stat)}{against}"
    return told + (f" ({source})" if source else "")


def _injury(fact: combat.InjurySuffered) -> str:
    return f"{fact.who} suffers a lasting injury: {fact.name}"


def _casting(fact: flow.CastingBegan) -> str:
    moments = {"turn-end": "the end of the turn", "round-end": "the end of the round"}
    due = moments.get(fact.when) or (f"the turn in round {fact.due}" if fact.due else "")
    return f"{fact.who} casts {fact.act.spell}" + (f", which takes effect at {due}" if due else "")


_SENTENCES: dict[type, Callable[[Any], str]] = {
    flow.Refused: _refused,
    flow.Chosen: _chosen,
    flow.Invalidated: _invalidated,
    flow.Disputed: _disputed,
    flow.SeedContributed: _contributed,
    flow.ChainBegun: _chain_begun,
    flow.LinkGiven: _link_given,
    flow.ChainLeft: _chain_left,
    flow.Ruled: _ruled,
    combat.ConfirmationResolved: _confirmation,
    combat.MissChanceResolved: _miss_chance,
    combat.DamageResolved: _damage,
    combat.HitPointsChanged: _hit_points,
    combat.ConditionGained: _gained,
    combat.ConditionLost: _lost,
    combat.Moved: _moved,
    combat.Provoked: _provoked,
    combat.ContestResolved: _contest,
    combat.TurningResolved: _turning,
    combat.SideChanged: lambda fact: f"{fact.who} fights for {fact.side} now ({fact.why})",
    flow.InitiativeRolled: _initiative,
    flow.OrderSet: _order,
    flow.ReactionSpent: _reaction,
    flow.RuleApplied: _applied,
    flow.RoundBegan: lambda fact: f"{_round(fact.number)} begins",
    flow.RoundEnded: lambda fact: f"{_round(fact.number)} ends",
    flow.TurnBegan: lambda fact: f"{fact.who}'s turn begins",
    flow.TurnEnded: lambda fact: f"{fact.who}'s turn ends" + (f" ({fact.skipped})" if fact.skipped else ""),
    flow.EncounterOpened: lambda fact: f"the encounter {fact.name!r} opens under {fact.dialect}",
    flow.EncounterDecided: _decided,
    flow.EncounterClosed: lambda fact: f"the encounter closes: {fact.reason}",
    flow.CombatantEntered: lambda fact: f"{fact.id} enters for {fact.side} at {_value(fact.at)}",
    flow.Asked: _asked,
    flow.BranchPromoted: lambda fact: f"{fact.name} becomes the main line",
    flow.AwarenessSettled: _awareness,
    flow.PhaseChanged: lambda fact: f"the round passes into its phase {fact.phase!r}",
    flow.BudgetRenewed: lambda fact: f"{' and '.join(fact.what)} of {fact.who} reset",
    flow.PlanMade: _planned,
    flow.TurnDelayed: lambda fact: f"{fact.who} delays its turn",
    flow.InitiativeChanged: _reordered,
    flow.ActReadied: lambda fact: f"ready: {declaration(fact.act.then, IDS, fact.who)}",
    flow.ReadyEnded: lambda fact: f"the readied act of {fact.who} is over ({fact.how})",
    combat.EffectEnded: _effect_ended,
    combat.GripChanged: lambda fact: (
        f"{fact.who} holds the {fact.item} in {'both hands' if fact.hands == 2 else 'one hand'}"
    ),
    combat.ItemChanged: lambda fact: (
        f"{fact.item} of {fact.who} {'lies' if fact.state == 'dropped' else f'is {fact.state}, from'} at "
        f"{fact.at[0]},{fact.at[1]}"
        if fact.at is not None
        else f"{fact.item} of {fact.who} is {fact.state}"
    ),
    combat.DoorMoved: lambda fact: f"{fact.who} {'opens' if fact.open else 'closes'} the door: {fact.door}",
    combat.AreaPlaced: lambda fact: (
        f"{fact.what}: an area of {fact.who}" if fact.who else f"{fact.what}: an area"
    ),
    combat.AreaEnded: lambda fact: f"the area is gone: {fact.what} ({fact.why})",
    combat.ResourceSpent: _resource,
    combat.CounterChanged: _counter,
    combat.InjurySuffered: _injury,
    flow.CastingBegan: _casting,
    flow.CastingEnded: _casting_ended,
    flow.TimePassed: lambda fact: (
        f"{counted(fact.minutes, 'minute')} pass{'es' if fact.minutes == 1 else ''}"
        + (f" ({fact.what})" if fact.what else "")
    ),
    combat.Mounted: lambda fact: f"{fact.who} mounts {fact.mount}",
    combat.Dismounted: lambda fact: f"{fact.who} {fact.how or 'gets'} off {fact.mount}",
    combat.MountDirected: lambda fact: f"{fact.who} directs {fact.mount}",
    combat.ItemStruck: lambda fact: (
        f"{fact.attacker} strikes {fact.item} of {fact.bearer} for {fact.dealt}: "
        f"{counted(fact.left, 'hit point')} left"
    ),
    combat.AbilityChanged: lambda fact: f"{fact.ability} of {fact.who} is {fact.score} now ({fact.why})",
    combat.FeatsChanged: lambda fact: (
        f"{fact.who} cannot use {', '.join(fact.unusable)} ({fact.why})"
        if fact.unusable
        else f"{fact.who} can use all its feats ({fact.why})"
    ),
    combat.MaximumChanged: lambda fact: (
        f"{fact.who} has {counted(fact.max_hp, 'hit point')} at most now ({fact.why})"
    ),
    combat.FormChanged: lambda fact: (
        f"{fact.who} has {'another' if fact.shifted else 'its true'} form ({fact.why})"
    ),
    combat.AfflictionHeld: _afflicted,
    combat.AfflictionEnded: lambda fact: f"the affliction of {fact.who} ends ({fact.why})",
    flow.OptionsChanged: lambda fact: (
        f"from here on {', '.join(f'{name} = {value}' for name, value in sorted(fact.options.items()))}"
    ),
}

_WORDED: dict[type, Callable[[Any, DialectWords], str]] = {
    flow.Declared: _declared,
    combat.AttackResolved: _attack,
    combat.CheckResolved: _check,
    combat.EffectGained: _effect,
    Rolled: _rolled,
    flow.ActionSpent: _spent,
}
"""The facts with words of the dialect."""
