"""The words of an installed dialect, recorded with a fight so that its log reads without the package."""

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct, field

from affray.events.facts.base import Name, Names, Words

Labels = Annotated[dict[Name, Words], Meta(max_length=1000)]
"""Labels by the name of what they label."""


class ActWords(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """An act of a dialect in words.

    `sentence` names the actor and the fields in braces: "{actor} parleys with {target}". `fields` are the
    fields, each with what it holds: "a combatant", "a number".
    """

    sentence: Words
    fields: Labels = field(default_factory=dict)


class DialectWords(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The words of a dialect. What it does not name is written as it is recorded.

    `attack` is the comparison of an attack in words, with the fields `total`, `natural`, `against` and
    `needed` of the outcome in braces: "{total}, needs {needed} to hit {against}". `defense` is the usual
    defense of a combatant, `defenses` are short names of what attacks are rolled against, `checks` the
    names of checks and saving throws, `roll_modes` those of the kinds of modifier that change the dice of a
    test and not its sum, `ongoing` the effects that are what their source names and no number, `actions` the
    names of the kinds of action that a turn counts, `fallen` the conditions that tell how a combatant that
    lost hit points is, `dead` those that mean death, `fields` the labels of the dialect's fields of a sheet,
    `acts` its own acts.
    """

    title: Words = ""
    attack: Words = ""
    defense: Words = ""
    defenses: Labels = field(default_factory=dict)
    checks: Labels = field(default_factory=dict)
    actions: Labels = field(default_factory=dict)
    roll_modes: Labels = field(default_factory=dict)
    ongoing: Names = ()
    fallen: Names = ()
    dead: Names = ("dead",)
    fields: Labels = field(default_factory=dict)
    acts: Annotated[dict[Name, ActWords], Meta(max_length=1000)] = field(default_factory=dict)


NO_WORDS = DialectWords()
"""The words of a fight that records none."""


ATTACK_FIELDS = ("total", "natural", "against", "needed")
"""What the sentence of an attack can name."""


def fields_in(template: str) -> list[str]:
    """Return the names in braces in a template."""
    return re.findall(r"\{(\w+)\}", template)


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return a template with each name in braces replaced by its value; names without a value stay."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), template)
