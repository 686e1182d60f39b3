"""Declare the attacks of a log from elsewhere in a fight, with the dice that the log shows.

Its results are recorded with the provenance `imported`; dice that the log does not show are rolled by the
fight. The fight decides by its own sheets and rules, and differences from the log are reported.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from affray.engine.dice import ImpossibleFaces, Notation, Source, Throw
from affray.engine.dice.notation import throw_from
from affray.engine.language.names import People, UnknownCombatant
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.acts import Attack, EndTurn
from affray.events.facts.combat import AttackResolved, ConfirmationResolved, DamageResolved
from affray.events.facts.flow import Rolled
from affray.events.stores.store import Store
from affray.projections.state import Combatant
from affray.replay.referee.checks import yield_attack_exchanges
from affray.replay.referee.claims import Claim, Claims
from affray.replay.referee.written_rolls import get_counting_dice

IMPORTED = "imported"


class NotBegun(AffrayError):
    """A fight in which no turn is running yet."""


class ImportedAttack(Struct, frozen=True):
    """The result for one attack of a log: its line, attacker and target, and whether it was declared.

    `first` and `last` are the positions of its events, 0 for none. `why` is the reason it was not declared or
    was refused. `otherwise` lists the differences from the log, `own` the dice that the log does not show,
    and `ended` the combatants whose turns were ended before it.
    """

    line: int
    attacker: str
    target: str
    first: int = 0
    last: int = 0
    result: str = ""
    why: str = ""
    otherwise: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it was declared, with the outcome that the log reports."""
        return self.first > 0 and not self.why and not self.otherwise


class ImportedDice:
    """The results that a log shows for an attack, by purpose, in order; other rolls use `then`."""

    def __init__(self, attacker: str, faces: dict[str, tuple[int, ...]], then: Source) -> None:
        self.attacker, self.faces, self.then = attacker, dict(faces), then

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Return the throw that the log shows, or that of `then` if it shows none, or none of such dice."""
        parts = key.split("/")
        purpose = parts[-2] if len(parts) == 4 and parts[1] == self.attacker else ""
        shown = self.faces.get(purpose, ())
        try:
            found, used = throw_from(notation, shown, more=True) if shown else (None, 0)
        except ImpossibleFaces:
            found = None
        if found is None:
            return self.then.throw(key, notation)
        self.faces[purpose] = shown[used:]
        return found, IMPORTED


def take_in(store: Store, read: Claims, branch: str = "") -> Iterator[ImportedAttack]:
    """Declare the attacks of a log in a fight, one after the other, and yield the result of each.

    Turns are ended until the attacker's turn begins, within one round. An attack with an unknown attacker or
    target is left out. Raises NotBegun, and what opening a table raises. Stops when the fight waits for an
    answer.
    """
    table = Table(store, branch)
    if not table.state.active and table.waiting is None:
        raise NotBegun("no turn is running in this fight: add the combatants and begin it")
    for exchange in sorted(yield_attack_exchanges(read.claims), key=lambda one: (one[0].line, one[0].column)):
        if exchange[0].kind == "attack":
            yield _taken(table, exchange)


def _taken(table: Table, exchange: Sequence[Claim]) -> ImportedAttack:
    attack = exchange[0]
    line, said, whom = attack.line, attack.speaker, attack.target
    if table.waiting is not None:
        return ImportedAttack(
            line, said, whom, why=f"the fight waits for an answer: {table.waiting.question}"
        )
    if not said or not whom:
        return ImportedAttack(line, said, whom, why="the text does not name the attacker or the target")
    people = People.find_combatants_in_fights(table.state)
    try:
        attacker, target = people.find_id_of_combatant(said), people.find_id_of_combatant(whom)
    except UnknownCombatant as error:
        return ImportedAttack(line, said, whom, why=str(error))
    shown = get_shown_faces(exchange)
    if "attack" not in shown:
        return ImportedAttack(line, attacker, target, why="the text does not show the attack roll's die")
    ended: list[str] = []
    while table.state.active != attacker and len(ended) < len(table.state.combatants):
        active = table.state.active
        if (
            not active
            or table.declare(EndTurn(actor=active)).refused is not None
            or table.waiting is not None
        ):
            break
        ended.append(active)
    if table.state.active != attacker:
        return ImportedAttack(
            line, attacker, target, why="the attacker's turn did not come within a round", ended=tuple(ended)
        )
    dice = ImportedDice(attacker, shown, table.seeded)
    weapon = weapon_of(table.state.combatants[attacker], attack)
    before = table.seq
    table.use(dice)
    try:
        outcome = table.declare(Attack(actor=attacker, target=target, weapon=weapon))
    finally:
        table.use(None)
    if outcome.refused is not None:
        why = f"refused: {outcome.refused.reason} ({outcome.refused.rule})"
        return ImportedAttack(line, attacker, target, why=why, ended=tuple(ended))
    result, otherwise, own = _compared(outcome, exchange, dice, attacker)
    return ImportedAttack(
        line, attacker, target, before + 1, table.seq, result, "", otherwise, own, tuple(ended)
    )


def get_shown_faces(exchange: Sequence[Claim]) -> dict[str, tuple[int, ...]]:
    """Return the results that an attack shows, by the purpose of the roll: attack, confirm, damage."""
    found: dict[str, tuple[int, ...]] = {}
    purposes = {"attack": "attack", "confirmation": "confirm", "damage": "damage"}
    for claim in exchange:
        purpose = purposes.get(claim.kind, "")
        if not purpose or purpose in found:
            continue
        if purpose != "damage":
            if claim.natural is not None:
                found[purpose] = (claim.natural,)
            continue
        dice = [get_counting_dice(one) for one in claim.chain.thrown]
        if dice and dice[0] is not None:
            found[purpose] = tuple(die.face for die in dice[0])
    return found


def weapon_of(attacker: Combatant, attack: Claim) -> str:
    """Return the attacker's weapon that a log names; "" for the first one held."""
    said = f"{attack.weapon} {attack.label}".casefold()
    names = sorted((weapon.name for weapon in attacker.sheet.weapons), key=len, reverse=True)
    return next((name for name in names if re.search(rf"\b{re.escape(name.casefold())}\b", said)), "")


def _compared(
    outcome: Outcome, exchange: Sequence[Claim], dice: ImportedDice, attacker: str
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    facts = [decode(event) for event in outcome.events]
    struck = next(
        (one for one in facts if isinstance(one, AttackResolved) and one.attacker == attacker), None
    )
    if struck is None:
        return "no attack was resolved", (), ()
    confirmed = next((one for one in facts if isinstance(one, ConfirmationResolved)), None)
    hurt = next((one for one in facts if isinstance(one, DamageResolved) and one.attacker == attacker), None)
    result = struck.result
    if confirmed is not None:
        result = "critical" if confirmed.confirmed else "hit"
    own = tuple(
        f"{one.key.rsplit('/', 2)[-2]} {one.notation}"
        for one in facts
        if isinstance(one, Rolled) and one.provenance != IMPORTED
    )
    return result, tuple(_otherwise(exchange, struck, hurt, result, dice)), own


def _otherwise(
    exchange: Iterable[Claim],
    struck: AttackResolved,
    hurt: DamageResolved | None,
    result: str,
    dice: ImportedDice,
) -> Iterator[str]:
    attack, *rest = exchange
    if attack.total is not None and attack.total != struck.total:
        yield f"the text has a total of {attack.total}, the fight {struck.total}"
    if attack.needed is not None and attack.needed != struck.needed:
        yield f"the text has {attack.against or 'a defense of'} {attack.needed}, the fight {struck.needed}"
    if attack.outcome and (attack.outcome == "miss") != (struck.result == "miss"):
        yield f"the text reports {attack.outcome}, the fight decides {result}"
    elif attack.outcome == "critical" and result != "critical":
        yield f"the text reports a critical hit, the fight decides {result}"
    damage = next((one for one in rest if one.kind == "damage"), None)
    if dice.faces.get("damage") and hurt is not None:
        dealt = hurt.dice[0].notation if hurt.dice else "none"
        yield f"the damage dice of the text are not those of the fight: {dealt}"
    elif damage is not None and hurt is not None and damage.total is not None and damage.total != hurt.total:
        yield f"the text deals {damage.total}, the fight {hurt.total}"
