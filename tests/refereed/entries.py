"""What was rolled in random fights, as records that can be written down in any format, or spoilt first."""

import random

from msgspec import Struct, field

from affray.engine.dice import parse, throw
from affray.engine.dice.notation import Dice, Notation
from affray.events.codec import decode
from affray.events.facts import combat
from affray.events.facts.flow import Rolled
from affray.events.stores.store import Store

OTHER_DICE = (
    "4d6kh3",
    "2d20kh1+5",
    "2d20kl1+2",
    "3d6!+1",
    "4d6dl1",
    "3d8rr<2+4",
    "2d10+1d6+3",
    "1d100",
    "d%-20",
    "3d12-2",
)
"""Rolls that no rule of a fight asks for, and people write all the same."""


class Shown(Struct):
    """Dice of one term and what they show: each face with its fate ("", dropped, rerolled, exploded)."""

    notation: str
    count: int
    sides: int
    faces: list[tuple[int, str]]
    sign: int = 1

    @property
    def value(self) -> int:
        """What the dice that count come to."""
        return self.sign * sum(face for face, fate in self.faces if fate not in ("dropped", "rerolled"))


class Entry(Struct):
    """One line that a log tells: `constants` are what the notation adds, `shown` what is shown of them."""

    kind: str
    who: str = ""
    target: str = ""
    label: str = ""
    dice: list[Shown] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    total: int = 0
    outcome: str = ""
    against: str = ""
    needed: int | None = None
    numbers: tuple[int, ...] = ()
    excuse: str = ""

    @property
    def sum(self) -> int:
        """What dice and constants come to."""
        return sum(one.value for one in self.dice) + sum(self.shown)


def entries_of(store: Store, dice: random.Random) -> list[Entry]:
    """Return what a fight holds, with rolls of other kinds among it."""
    rolled: dict[str, Rolled] = {}
    sheets = {}
    found: list[Entry] = []
    last_attack: Entry | None = None
    for event in store.read(store.main_line()):
        fact = decode(event)
        if isinstance(fact, Rolled):
            rolled[fact.key] = fact
        elif isinstance(fact, combat.AttackResolved) and fact.key in rolled:
            last_attack = _attack(fact, rolled[fact.key])
            if last_attack is not None:
                found.append(last_attack)
        elif isinstance(fact, combat.ConfirmationResolved) and last_attack is not None and fact.key in rolled:
            entry = _confirmation(fact, rolled[fact.key])
            if entry is None:
                continue
            last_attack.outcome = "critical" if fact.confirmed else "threat"
            found.append(entry)
        elif isinstance(fact, combat.MissChanceResolved) and last_attack is not None and fact.missed:
            last_attack.outcome, last_attack.excuse = "miss", "concealment"
        elif isinstance(fact, combat.DamageResolved) and fact.dice:
            entry = _damage(fact, rolled)
            if entry is not None:
                found.append(entry)
        elif isinstance(fact, combat.HitPointsChanged) and fact.change < 0:
            numbers = (fact.hp - fact.change, -fact.change, fact.hp)
            found.append(Entry("hit points", sheets.get(fact.who, fact.who), numbers=numbers))
        elif isinstance(fact, combat.CheckResolved) and fact.key in rolled:
            entry = _check(fact, rolled[fact.key])
            if entry is not None:
                found.append(entry)
                if entry.kind == "save" and dice.random() < 0.3:
                    whole = dice.randint(2, 60)
                    found.append(Entry("half", fact.who, numbers=(whole, whole // 2)))
        if dice.random() < 0.05:
            found.append(_other(dice))
        if dice.random() < 0.02:
            found += _critical(dice)
    return found


def _twenty(rolled: Rolled, natural: int) -> Shown | None:
    if rolled.notation != "1d20" or rolled.faces != (natural,):
        return None
    return Shown("1d20", 1, 20, [(natural, "")])


def _constants(total: int, natural: int, parts: list[int]) -> list[int]:
    """Return what was added to a die, part by part if the parts come to it, else in one."""
    added = total - natural
    counted = [part for part in parts if part]
    if len(counted) <= 4 and sum(counted) == added:
        return counted
    return [added] if added else []


def _attack(fact: combat.AttackResolved, rolled: Rolled) -> Entry | None:
    twenty = _twenty(rolled, fact.natural)
    if twenty is None:
        return None
    parts = _constants(fact.total, fact.natural, [part.value for part in fact.attack if not part.denied])
    what = {"touch": "touch AC"}.get(fact.against, "AC")
    outcome = fact.result if fact.result in ("miss", "hit", "threat", "critical") else ""
    # Without a roll to confirm it a threat is all that can be told.
    outcome = "threat" if outcome == "critical" else outcome
    return Entry(
        "attack",
        fact.attacker,
        fact.target,
        fact.weapon or "unarmed",
        [twenty],
        parts,
        [*parts],
        fact.total,
        outcome,
        what,
        fact.needed,
    )


def _confirmation(fact: combat.ConfirmationResolved, rolled: Rolled) -> Entry | None:
    twenty = _twenty(rolled, fact.natural)
    if twenty is None:
        return None
    parts = _constants(fact.total, fact.natural, [part.value for part in fact.attack if not part.denied])
    outcome = "confirmed" if fact.confirmed else "not confirmed"
    return Entry(
        "confirmation",
        fact.attacker,
        fact.target,
        "",
        [twenty],
        parts,
        [*parts],
        fact.total,
        outcome,
        "AC",
        fact.needed,
    )


def _damage(fact: combat.DamageResolved, rolled: dict[str, Rolled]) -> Entry | None:
    dice = []
    for part in fact.dice:
        if part.key not in rolled:
            return None
        one = rolled[part.key]
        terms = [term for term in parse(one.notation).terms if isinstance(term, Dice)]
        if len(terms) != 1 or terms[0].reroll or terms[0].explode or terms[0].keep or terms[0].sign < 0:
            return None
        dice.append(
            Shown(
                f"{len(one.faces)}d{terms[0].sides}",
                len(one.faces),
                terms[0].sides,
                [(face, "") for face in one.faces],
            )
        )
    if not dice or fact.total < 1:
        return None
    added = fact.total - sum(one.value for one in dice)
    parts = [added] if added else []
    return Entry("damage", fact.attacker, fact.target, fact.weapon, dice, parts, [*parts], fact.total)


def _check(fact: combat.CheckResolved, rolled: Rolled) -> Entry | None:
    twenty = _twenty(rolled, fact.natural)
    if twenty is None:
        return None
    parts = _constants(fact.total, fact.natural, [part.value for part in fact.parts if not part.denied])
    save = fact.check.startswith("save.")
    names = {"save.fort": "Fortitude save", "save.ref": "Reflex save", "save.will": "Will save"}
    label = names.get(fact.check, f"{fact.check.rpartition('.')[2]} check")
    outcome = "success" if fact.success else "failure"
    return Entry(
        "save" if save else "check",
        fact.who,
        "",
        label,
        [twenty],
        parts,
        [*parts],
        fact.total,
        outcome,
        "DC",
        fact.dc,
    )


def _other(dice: random.Random) -> Entry:
    notation = parse(dice.choice(OTHER_DICE))
    thrown = throw(notation, lambda sides, count: tuple(dice.randint(1, sides) for _ in range(count)))
    shown, constants = _shown(notation, thrown.faces, thrown)
    return Entry("roll", "Ysolde", "", "Fate", shown, constants, [*constants], thrown.total)


def _critical(dice: random.Random) -> list[Entry]:
    """Return an attack that threatens a critical hit, the roll that confirms it or not, and the damage."""
    added, needed, twenty, second = (
        dice.randint(2, 12),
        dice.randint(12, 20),
        dice.randint(19, 20),
        dice.randint(1, 20),
    )
    confirmed = second == 20 or (second > 1 and second + added >= needed)
    if twenty < 20 and twenty + added < needed:
        return []
    rolled = [Shown("1d20", 1, 20, [(face, "")]) for face in (twenty, second)]
    faces = [dice.randint(1, 8) for _ in range(2 if confirmed else 1)]
    hurt = Shown(f"{len(faces)}d8", len(faces), 8, [(face, "") for face in faces])
    outcome, second_outcome = ("critical", "confirmed") if confirmed else ("threat", "not confirmed")
    who, target = dice.sample(("Brannoc", "Gharm", "Ysolde"), 2)
    return [
        Entry(
            "attack",
            who,
            target,
            "longsword",
            [rolled[0]],
            [added],
            [added],
            twenty + added,
            outcome,
            "AC",
            needed,
        ),
        Entry(
            "confirmation",
            who,
            target,
            "",
            [rolled[1]],
            [added],
            [added],
            second + added,
            second_outcome,
            "AC",
            needed,
        ),
        Entry("damage", who, target, "longsword", [hurt], [4], [4], sum(faces) + 4),
    ]


def _shown(notation: Notation, faces: tuple[int, ...], thrown: object) -> tuple[list[Shown], list[int]]:
    dice, constants, at = [], [], 0
    groups = [term for term in notation.terms if isinstance(term, Dice)]
    for term in notation.terms:
        if not isinstance(term, Dice):
            constants.append(term.value)
            continue
        many = term.count if len(groups) > 1 else len(faces)
        dice.append(
            Shown(
                str(term),
                term.count,
                term.sides,
                [(faces[n], _fate(thrown, n)) for n in range(at, at + many)],
            )
        )
        at += many
    return dice, constants


def _fate(thrown: object, index: int) -> str:
    for name in ("dropped", "rerolled", "exploded"):
        if index in getattr(thrown, name):
            return name
    return ""
