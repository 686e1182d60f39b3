"""The entries of a rule catalogue: rules, contested rules and their readings."""

from typing import Any, Literal

from msgspec import Struct

from affray.events.facts.base import Size


class Rule(Struct, frozen=True):
    """One rule of a dialect: its wording in our words and its figures.

    `figures` is plain JSON data (objects, lists, numbers, strings), None for a rule without any;
    it is shared between callers and must not be changed.
    `tier` is "core", "edge" or "advice"; `provenance` is "text" (printed in the dialect's text),
    "standard" (not printed there but published elsewhere), "assumed" (filled in by us) "campaign" (a
    table that an encounter brought along) or "house" (added by a package of house rules).
    """

    id: str
    title: str
    section: str
    kind: str
    text: str
    tier: str
    provenance: str
    figures: Any = None


class Reading(Struct, frozen=True):
    """One way to read a contested rule: `name` is the option's value, `meaning` what then holds."""

    name: str
    meaning: str


class Contested(Struct, frozen=True):
    """A place where the rule text is silent, damaged or contradicts itself.

    `option` names the setting of an encounter, `rules` the ids of the rules concerned,
    `default` the name of the reading that holds unless an encounter chooses another. `awaits` says what the
    dialect does not play yet, where no rule of it reads the option so far; "" if one does. `since` numbers
    the defaults of the dialect from which on `default` holds; a log whose opening has a lower number is
    decided by the reading `before`.
    """

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: tuple[Reading, ...]
    default: str
    awaits: str = ""
    since: int = 0
    before: str = ""


class Demands(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a feat asks of a creature. What is left out it does not ask for.

    abilities: the least scores ("str": 13).
    base_attack: the least base attack bonus.
    size: the least size.
    fly: a speed of flying.
    hands: how many hands.
    natural_attacks: how many natural attacks.
    feats: other feats; one for something, such as a weapon, is named "weapon focus (*)".
    proficient: proficiency with the "weapon" that the feat is for, or with a "shield".
    ranks: the least ranks in skills.
    levels: the least levels of classes, all of them.
    features: class features, one of which is enough: a trait, or a class with its least level ("paladin 4").
    """

    abilities: dict[str, int] = {}
    base_attack: int = 0
    size: Literal["", Size] = ""
    fly: bool = False
    hands: int = 0
    natural_attacks: int = 0
    feats: tuple[str, ...] = ()
    proficient: Literal["", "weapon", "shield"] = ""
    ranks: dict[str, int] = {}
    levels: dict[str, int] = {}
    features: tuple[str, ...] = ()


class Prerequisites(Demands, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a feat asks of a creature that has it.

    `rule` is the id of the feat's rule. `granted` are the classes that give the feat without prerequisites.
    `some` is what the reading "some" of the option `feat_prerequisites` asks for.
    """

    name: str
    rule: str
    granted: tuple[str, ...] = ()
    some: Demands = Demands()
