"""The kernel: the points that every d20 fight needs, on one page.

A dialect without chapters is a module with `TITLE`, `KERNEL`, and `SHEET_FIELDS` if its sheets have fields of
their own. Its `KERNEL` replaces points of that in `engine/kernel/contents.py`. docs/dialects.md builds one.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.grid.battlefield import Square
from affray.engine.grid.lines_and_cover import Cover
from affray.engine.modifiers import Tally
from affray.engine.record.acts import Chapter, Context, Ruleset, SheetNames
from affray.engine.record.chapters import Around, Bands, ConditionRule, Left, Measure, StandingSums
from affray.engine.steps import Refusal, Steps
from affray.events.facts.base import Act
from affray.events.facts.flow import AnyAct, CombatantEntered
from affray.events.facts.sheet import Modifier, Sheet, Weapon
from affray.projections.state import Combatant, Effect


class Kernel(Chapter, frozen=True, kw_only=True):
    """What every d20 fight needs: turns, actions, tests, harm, conditions, movement, automatic play.

    The turn:

    initiative: roll the initiative of a combatant or its side, unless it is given (`fixed_initiative`).
    order: sort the combatants into the order of turns.
    open_round: what happens before the first turn of a round.
    close_round: what happens after the last turn of a round.
    open_turn: what happens before a combatant may act; renews its actions and reactions.
    close_turn: what happens as its turn ends.

    Actions:

    budget: how many actions of each kind a turn allows a combatant; the kinds are the dialect's words.
    action_type: the kind of action that a declaration takes; "" for none. The kernel's tactics do not attack
        or move without one.
    prohibitions: what a combatant's state forbids, asked before each of its declarations (`prohibit`).
    through_walls: refuse a declaration through a wall between squares; asked if there are any such walls.
    can_act: whether a combatant can act in this turn.
    around: the rules that wrap declarations of some types around their resolvers; each wraps those before it.
    watch: go through the steps of a declaration, with the consequences of each of its facts.
    afterwards: the facts that follow from the state after a declaration; cached until a combatant changes.
    rule_about: the id of the rule on declarations of a type.

    Tests:

    stack: add up modifiers by the dialect's stacking rule.
    test_dice: the dice of a combatant's test, by its purpose: "attack", "initiative", the name of a check.
    single_dice: the purposes of rolls of which rules read single dice, not only their total.
    standing_sums: the parts of an attack with a weapon by its name, "" for the usual one, and of the defense
        against it, before the roll.
    sure_faces: the totals of the dice that always fail and always succeed in a test, by its purpose and
        rules; 0 for none.

    Harm and conditions:

    injured: the consequences of a change of hit points, given the hit points before; also asked when a
        combatant enters with fewer than its maximum.
    conditions: what each condition does, by its name. The kernel reads `topic`, `down`, `actions`, `budget`,
        `moves`, `each_turn` and `turn_over` of a `ConditionRule`; the rest is for rules of the dialect.
    left_behind: why a condition from a source stays behind when its bearer is carried into another fight; ""
        if it goes along.
    time_over: how a condition, by its name, ends when its time is over; or the aftermath of such an effect.
    ending_rule: the rule by which a condition, otherwise an effect, is over now.

    Movement and reach:

    space: the space of a sheet in squares, and its reach in feet.
    speed: how far a combatant can move with one action now, in feet.
    measure: the cost of a path in feet, and the rules.
    occupants: the others whose space a combatant would share at a square.
    refuse_step: refuse a step into a square, as far as its mover knows.
    leaving: the enemies that may attack because a mover leaves a square, the first one given; it may still be
        somewhere else.
    can_react: whether an enemy has such an attack left.
    react: what enemies do before a mover leaves a square, given those that may attack and can; returns False
        if the mover cannot go on after that.
    arriving: what happens as a mover comes to a square, in a way of moving: the steps, which return whether
        it goes on; None for nothing.
    notices: those among some combatants that a mover perceives.
    unseen_in_step: the combatant that stops a step into a square although its mover does not perceive it.
    goer: the combatant that moves if one declares a movement: its mount, or itself.
    sight: the cover that one combatant has from the other, in melee or at range, and what gives it; None
        where there is no rule on cover.
    reach_bands: the distances in feet at which a combatant can attack, from and to.

    Means:

    arms: the weapons that a combatant can attack with as it is.
    pools: the daily or limited resources of a combatant, by name, with the amount of each.
    left: what a combatant has left of its turn, by the names of `words.actions` or as they are; its pools
        are listed in addition.
    features: what the traits and feats of a sheet do, by name, where a dialect has a table of them; the
        records are the dialect's.
    sheet_names: the names on a sheet that some rule looks for, and the fields that no rule reads.
    remarks: the parts of a sheet without effect, a sentence each, given how it entered.

    Automatic play:

    propose: what automatic play must declare outside turns, for the named combatants before others.
    next_declaration: what automatic play declares in a combatant's turn; None if nothing useful is left. An
        act of the dialect is returned as `fight.dialect.recorded(act)`.
    proposals: the declarations to try of each type with parts that depend on each other, such as paths.
    samples: declarations of a type that cannot be listed, of which one is legal if any is, given a function
        that yields those of another type.
    straight: the declarations that go straight at a target: the same with each path, by their types.
    """

    initiative: Callable[[Context, Combatant], Steps[None]]
    order: Callable[[Context, Sequence[str]], Steps[None]]
    open_round: Callable[[Context, int], Steps[None]]
    close_round: Callable[[Context], Steps[None]]
    open_turn: Callable[[Context, Combatant], Steps[None]]
    close_turn: Callable[[Context, Combatant], Steps[None]]
    budget: Callable[[Context, Combatant], Mapping[str, int]]
    action_type: Callable[[Context, Combatant, Act], str]
    prohibitions: Callable[[Context, Combatant, object], None]
    through_walls: Callable[[Context, Combatant, Act], None]
    can_act: Callable[[Context, Combatant], bool]
    around: tuple[Around, ...]
    watch: Callable[[Context, Steps[None]], Steps[None]]
    afterwards: Callable[[Context], Sequence[object]]
    rule_about: Callable[[Context, type[Act]], str]
    stack: Callable[[Context, Sequence[Modifier]], Tally]
    test_dice: Callable[[Context, Combatant, str], str]
    single_dice: frozenset[str]
    standing_sums: Callable[[Context, Combatant, Combatant, str], StandingSums]
    sure_faces: Callable[[Context, str, Collection[str]], tuple[int, int]]
    injured: Callable[[Context, Combatant, int], Steps[None]]
    conditions: Mapping[str, ConditionRule]
    left_behind: Callable[[Context, str, str], str]
    time_over: Callable[[Context, Combatant, str | Effect], Steps[None]]
    ending_rule: Callable[[Context, str, Effect | None], str]
    space: Callable[[Context, Sheet], tuple[int, int]]
    speed: Callable[[Context, Combatant], int]
    measure: Callable[[Context, Combatant, Sequence[Square], str], Measure]
    occupants: Callable[[Context, Combatant, Square], list[Combatant]]
    refuse_step: Callable[[Context, Combatant, Square, Square, bool, Combatant | None, str], None]
    leaving: Callable[[Context, Combatant, Square, Square, str], list[Combatant]]
    can_react: Callable[[Context, Combatant], bool]
    react: Callable[[Context, Combatant, Sequence[Combatant]], Steps[bool | None]]
    arriving: Callable[[Context, Combatant, Square, str], Steps[bool] | None]
    notices: Callable[[Context, Combatant, Iterable[Combatant]], list[Combatant]]
    unseen_in_step: Callable[[Context, Combatant, Square, Square, bool, str], Any]
    goer: Callable[[Context, Combatant], Combatant]
    sight: Callable[[Context, Combatant, Combatant, bool], Cover | None]
    reach_bands: Callable[[Context, Combatant], Bands]
    arms: Callable[[Context, Combatant], list[Weapon]]
    pools: Callable[[Context, Combatant], Iterable[tuple[str, int]]]
    left: Callable[[Context, Combatant], Iterable[Left]]
    features: Mapping[str, Any]
    sheet_names: SheetNames
    remarks: Callable[[Ruleset, Sheet, CombatantEntered | None], tuple[str, ...]]
    propose: Callable[[Context, Collection[str]], AnyAct | None]
    next_declaration: Callable[[Context, Combatant], AnyAct | None]
    proposals: Mapping[type[Act], Callable[..., Iterator[Act]]]
    samples: Callable[..., Iterator[Act]]
    straight: Mapping[type[Act], Callable[[Context, Combatant], Iterator[Any]]]


class OnlyKernel(Struct, frozen=True):
    """The contents of a dialect that takes up no chapter."""

    kernel: Kernel


class Untaken:
    """A chapter that a dialect has not taken up: it knows no acts, and refuses each of its points by name."""

    def __init__(self, dialect: str, chapter: str) -> None:
        self._dialect, self._chapter = dialect, chapter
        self.acts: Mapping[type[Act], Any] = {}
        self.rolls: dict[str, str] = {}
        self.questions: dict[str, tuple[str, ...]] = {}
        self.__struct_fields__: tuple[str, ...] = ()

    def __getattr__(self, point: str) -> Any:
        if point.startswith("__"):
            raise AttributeError(point)
        raise Refusal(f"{self._dialect} has no rule for {self._chapter}.{point}", "")
