"""Dice: notation, throws, the keyed generator, and the sources that faces come from."""

from affray.engine.dice.joint import joint_seed
from affray.engine.dice.keyed import ALGORITHM, BadSeed, commitment, faces, new_seed
from affray.engine.dice.notation import DiceNotationError, Notation, parse
from affray.engine.dice.sources import (
    PROVENANCES,
    RULED,
    DiceExhausted,
    LeftoverDice,
    Manual,
    Overridden,
    Recorded,
    Scripted,
    Seeded,
    Source,
)
from affray.engine.dice.throw import ImpossibleFaces, Throw, describe, rethrow, throw

__all__ = [
    "ALGORITHM",
    "PROVENANCES",
    "RULED",
    "BadSeed",
    "DiceExhausted",
    "DiceNotationError",
    "ImpossibleFaces",
    "LeftoverDice",
    "Manual",
    "Notation",
    "Overridden",
    "Recorded",
    "Scripted",
    "Seeded",
    "Source",
    "Throw",
    "commitment",
    "describe",
    "faces",
    "joint_seed",
    "new_seed",
    "parse",
    "rethrow",
    "throw",
]
