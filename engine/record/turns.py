"""The record of the chapter on turns: rounds, turns and what they allow."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from msgspec import Struct

from affray.engine.record.chapter import Chapter
from affray.engine.record.compose import amend, refine, steps
from affray.engine.record.context import Context, Resolver
from affray.engine.steps import Steps
from affray.events.facts.acts.turns import Ready
from affray.events.facts.base import Act
from affray.projections.state import Combatant, Effect

NO_ACTION: Final = ""
"""The type of action of what goes with something else, or is nothing that a turn counts."""

SEVERAL: Final = "several"
"""That of what takes more than one action of a turn, such as a move with a blow on the way."""


class Allowance(Struct, frozen=True):
    """How much one turn allows, and the topic of the rule that limits it.

    `standard` and `move` count actions of each type, `total` both together; a full-round action
    needs `full`. `step` counts short steps, `swift` swift actions. `swap` and
    `break_off` are the topics of the rules that let a move action take the place of the standard one and of
    the rest of a full attack, where they are cited; `swift_topic` is that of swift actions. `extra` are move
    actions on top of all that, by the rule on `extra_topic`.
    """

    standard: int = 1
    move: int = 2
    total: int = 2
    full: bool = True
    swift: int = 0
    step: int = 1
    topic: str = "action.types"
    swap: str = ""
    break_off: str = ""
    swift_topic: str = ""
    extra: int = 0
    extra_topic: str = ""


class Around(Struct, frozen=True):
    """A rule about many declarations, whatever carries them out.

    `stage(fight, act, found)` goes through the steps of each of the `acts` and adds its own. `ahead` may
    refuse the declaration before that, `change` returns it as it is to be carried out.
    """

    stage: Callable[[Context, Any, Steps[None]], Steps[None]]
    acts: tuple[type[Act], ...]
    ahead: Callable[[Context, Any], None] | None = None
    change: Callable[[Context, Any], Any] | None = None

    def carrying(self, resolver: Resolver) -> Resolver:
        """Return a resolver that carries out a declaration under this rule."""
        changed = resolver if self.change is None else amend(self.change, resolver)
        made: Resolver = refine(changed, self.stage)
        return made if self.ahead is None else steps(self.ahead, made)


class Turns(Chapter, frozen=True, kw_only=True):
    """Rounds, turns and what they allow.

    surprise: who is surprised, once, as a fight begins.
    initiative: roll a combatant's initiative.
    order: put those who rolled into the order of turns.
    open_round: what happens before the first turn of a round.
    close_round: what happens after the last turn of a round.
    open_turn: what happens before a combatant may act.
    close_turn: what happens as its turn ends.
    allowance: how much a turn lets a combatant do.
    ending_rule: the rule by which something that lasts is over, as a topic.
    propose: what automatic play must declare outside turns, by those who are named before others.
    table_rules: the rules of the table of actions on an act, by column and name of its row.
    told_safe: tell that an act provokes nothing, where the dialect has a rule on it.
    short_step_rules: the rules to cite for a short step.
    free_action: spend a free action; whether there is time for it.
    free_action_limit: whether one more free action is within reason.
    take_readied: carry out what was readied, once its trigger has come.
    watch: go through the steps of a declaration, with what follows from each of its facts.
    action_type: which type of action a declaration takes: standard, move, full-round, free; "" for none.
    readiable: which types of action can be readied, and the rule.
    prohibitions: what a combatant's state forbids, asked before each of its declarations.
    around: what goes on around declarations, whatever carries them out; each goes around those before it.
    turn_onset: what happens of itself as a turn begins.
    last_turn: which turn that was put off still comes once everybody else has had one, by its combatant's id.
    precedence: what the order goes by among several who delayed to the same count, the higher first.
    """

    surprise: Callable[[Context, Any], Steps[None]]
    initiative: Callable[[Context, Combatant], Steps[None]]
    order: Callable[[Context, Sequence[str]], Steps[None]]
    open_round: Callable[[Context, int], Steps[None]]
    close_round: Callable[[Context], Steps[None]]
    open_turn: Callable[[Context, Combatant], Steps[None]]
    close_turn: Callable[[Context, Combatant], Steps[None]]
    allowance: Callable[[Context, Combatant], Allowance]
    ending_rule: Callable[[Context, str, Effect | None], str]
    propose: Callable[[Context, Collection[str]], Any]
    table_rules: Callable[..., tuple[str, ...]]
    told_safe: Callable[[Context, Combatant, str, str, str], Steps[None]]
    short_step_rules: Callable[[Context, Combatant], tuple[str, ...]]
    free_action: Callable[..., Steps[bool]]
    free_action_limit: Callable[[Context, Combatant, str], Steps[bool]]
    take_readied: Callable[[Context, Combatant, Combatant, Ready], Steps[None]]
    watch: Callable[[Context, Steps[None]], Steps[None]]
    action_type: Callable[[Context, Combatant, Any], str]
    readiable: Callable[[Context], tuple[tuple[str, ...], str]]
    prohibitions: Callable[[Context, Combatant, Any], None]
    around: tuple[Around, ...]
    turn_onset: Callable[[Context, Combatant], Steps[None]]
    last_turn: Callable[[Context], Steps[str]]
    precedence: Callable[[Combatant], tuple[int, ...]]
