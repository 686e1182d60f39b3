"""The entries of a rule catalogue: rules, contested rules and their readings."""

from typing import Any

from msgspec import Struct


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


class Prerequisites(Struct, frozen=True, forbid_unknown_fields=True):
    """What a feat asks of whoever has it, and the rule that prints it.

    `abilities` are the least scores ("str": 13), `base_attack` the least base attack bonus, `levels` those of
    classes. `feats` are other feats; one for something, such as a weapon, is named "weapon focus (*)".
    `granted` are the classes that give the feat without.
    """

    name: str
    rule: str
    abilities: dict[str, int] = {}
    base_attack: int = 0
    feats: tuple[str, ...] = ()
    levels: dict[str, int] = {}
    granted: tuple[str, ...] = ()
