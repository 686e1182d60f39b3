"""Conditions as data: what each one adds, denies and forbids, by topic of the rule that says so."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, condition_changes, is_down, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.record.conditions import ConditionRule
from affray.engine.rules.conditions.mental_actions import STILL, can_act_by_mind
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def condition_parts(fight: Fight, combatant: Combatant, stat: str) -> Iterator[Modifier]:
    """Yield the modifiers that the conditions of a combatant give to `stat`.

    One state counts once: what counts already by another condition is there too, denied.
    """
    for name, change, denied in condition_changes(fight, combatant, stat):
        part = fight.modifier(change.topic, *change.path, kind=change.kind, source=name)
        if change.each:
            part = replace(part, value=part.value * combatant.conditions[name].level)
        if change.halve or change.negate:
            value = -part.value if change.negate else part.value
            # Two points of an ability are one of its modifier; what is left over does nothing.
            value = int(value / 2) if change.halve else value
            # A lower ability is another thing than the condition's own penalty: both count.
            kind = "ability" if change.halve else part.kind
            source = f"{name}: lower ability" if change.halve else part.source
            part = Modifier(value, kind, source, part.rule)
        yield replace(part, denied=denied) if denied else part


def effect_parts(combatant: Combatant, stat: str, against: str) -> Iterator[Modifier]:
    """Yield the passing modifiers of a combatant to `stat` that hold against one opponent."""
    for effect in combatant.effects:
        if effect.stat == stat and effect.against in ("", against):
            yield effect.modifier


def ruled_out(
    combatant: Combatant, stat: str, parts: Sequence[Modifier], against: str = ""
) -> Sequence[Modifier]:
    """Return the parts with those denied that a ruling has struck out by source or kind.

    Such a ruling is an effect on "no." and the stat, whose modifier has what is struck out for its
    source and the ruling for its rule.
    """
    if not combatant.effects:
        return parts
    stat = f"no.{stat}"
    struck = [one.modifier for one in combatant.effects if one.stat == stat and one.against in ("", against)]
    if not struck:
        return parts
    names = {one.source.casefold(): one.rule for one in struck}
    made = []
    for part in parts:
        rule = names.get(part.source.casefold(), names.get(part.kind.casefold()))
        if rule is not None and not part.denied:
            part = replace(part, denied=f"ruled out ({rule})" if rule else "ruled out")
        made.append(part)
    return made


#: What the figure of a condition leaves of a turn.
BUDGETS: dict[object, str] = {0: "none", "1 move OR 1 standard": "single", "1 move": "move"}


def actions_of(fight: Fight, rule: ConditionRule) -> str:
    """Return what a condition leaves of a turn: "any", "single", "move", "flight", "mental" or "none"."""
    if not rule.budget:
        return rule.actions
    return BUDGETS.get(fight.figure(rule.topic, rule.budget), "any")


def number_of_condition(combatant: Combatant, name: str) -> int:
    """Return the number that the source of a condition ends with; 0 for one given by its name alone."""
    said = combatant.conditions[name].source.rpartition(" ")[2]
    return int(said) if said.isdecimal() else 0


def powerless(fight: Fight, combatant: Combatant, mind: bool = False) -> bool:
    """Say whether a combatant's body, or its `mind` either, can do nothing at all just now, down or not."""
    return any(leaves_powerless(fight, name, mind) for name in combatant.conditions)


def leaves_powerless(fight: Fight, name: str, mind: bool = False) -> bool:
    """Say whether a condition lets its bearer's body, or its `mind` either, do nothing at all."""
    rule = rule_of(fight, name)
    return rule.down or actions_of(fight, rule) in (STILL[1:] if mind else STILL)


def has_no_attack(fight: Fight, combatant: Combatant) -> bool:
    """Say whether conditions leave a combatant no attack at all: nothing, its mind only, a move or flight."""
    rules = [rule_of(fight, name) for name in combatant.conditions]
    return any(rule.down or actions_of(fight, rule) in (*STILL, "move", "flight") for rule in rules)


def bars_all_action(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Say whether a condition leaves its bearer nothing at all to do, not even by its mind."""
    left = actions_of(fight, rule_of(fight, name))
    return left == "none" or (left == "mental" and not can_act_by_mind(combatant))


def can_react(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the condition that forbids reactions, "" when none does."""
    for name in combatant.conditions:
        rule = rule_of(fight, name)
        ready = rule.reactions or (rule.reflexes and "combat reflexes" in combatant.sheet.feats)
        if not ready or actions_of(fight, rule) in STILL or rule.down:
            return rule.topic
    return ""


def blind_to(fight: Fight, combatant: Combatant) -> str:
    """Return the condition that keeps a combatant from seeing, "" when none does."""
    return next((name for name in combatant.conditions if rule_of(fight, name).sightless), "")


def brings_about(fight: Fight, victim: Combatant, when: str) -> Steps[None]:
    """Do what the conditions of a combatant bring about: "each_turn", "turn_over", "hurt", "healed"."""
    for name in list(victim.conditions):
        steps = getattr(rule_of(fight, name), when)
        if steps is not None and name in victim.conditions:
            yield from steps(fight, victim)


def falls_prone(combatant: Combatant, source: str, cites: tuple[str, ...]) -> Iterator[ConditionGained]:
    """Yield that a combatant falls prone; nothing of one that lies already."""
    if "prone" not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition="prone", source=source, cites=cites)


def come_over(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Put a condition on that takes its bearer's attention, and end what that leaves no room for.

    Nothing keeps it off here: immunities and what combines are for the point `conditions.gain`.
    """
    yield fact
    yield from fight.dialect.conditions.lapses(fight, fact)


def can_act(fight: Fight, combatant: Combatant) -> bool:
    """Say whether anything at all can be done on this turn."""
    return not any(
        rule_of(fight, name).down or bars_all_action(fight, combatant, name) for name in combatant.conditions
    )


def rule_on_condition(fight: Fight, name: str, otherwise: str) -> str:
    """Return the id of the rule on a condition, of one that the dialect does not list on another topic."""
    table = fight.dialect.conditions.table
    return fight.rule(table[name].topic if name in table else otherwise)


def refuse_down(fight: Fight, combatant: Combatant, what: str) -> None:
    """Refuse to a combatant that is down what takes no action, by the rule of its condition."""
    for name in combatant.conditions:
        if (rule := rule_of(fight, name)).down:
            raise Refusal(f"{combatant.id} is {name} and cannot {what}", fight.rule(rule.topic))


@per_company()
def is_decided(fight: Fight) -> bool:
    """Say whether at most one side still has somebody standing."""
    side = None
    for one in fight.state.combatants.values():
        if one.side != side and not (one.conditions and is_down(fight, one)):
            if side is not None:
                return False
            side = one.side
    return True
