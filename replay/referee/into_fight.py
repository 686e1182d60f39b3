"""Take the attacks of a log from elsewhere into a fight: declared there, by the dice that the log shows.

Its faces are recorded with the provenance `imported`; what the log does not show, the fight's own dice throw.
The fight decides by its own sheets and rules, and what the log tells otherwise is said.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from affray.engine.dice import ImpossibleFaces, Notation, Source, Throw
from affray.engine.dice.notation import throw_from
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.acts import Attack, EndTurn
from affray.events.facts.combat import AttackResolved, ConfirmationResolved, DamageResolved
from affray.events.facts.flow import Rolled
from affray.events.stores.store import Store
from affray.projections.state import Combatant
from affray.replay.names import People, UnknownCombatant
from affray.replay.referee.checks import yield_attack_exchanges
from affray.replay.referee.claims import Claim, Claims
from affray.replay.referee.written_rolls import get_counting_dice

IMPORTED = "imported"


class NotBegun(AffrayError):
    """A fight in which nobody's turn is running yet."""


class ImportedAttack(Struct, frozen=True):
    """What became of one attack of a log: its line, who attacks whom, and whether it was declared.

    `first` and `last` are the positions of its events, 0 for none. `why` says why it was not declared or was
    refused. `otherwise` is what the log tells otherwise than the fight decides, `own` which dice the log does
    not show, and `ended` whose turns ended before it.
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
        """Whether it was declared, and the fight decides as the log tells."""
        return self.first > 0 and not self.why and not self.otherwise


class ImportedDice:
    """The faces that a log shows for one attack, by purpose, in order; for anything else the dice `then`."""

    def __init__(self, attacker: str, faces: dict[str, tuple[int, ...]], then: Source) -> None:
        self.attacker, self.faces, self.then = attacker, dict(faces), then

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Return the throw that the log shows; what `then` says where it shows none, or none of such dice."""
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
    """Declare the attacks of a log in a fight, one after the other, and yield what became of each.

    Turns are ended until the attacker's has come, within one round. An attack of somebody whom the fight does
    not know, or of which the log does not say who or whom, is left out. Raises NotBegun, and what a table
    raises that is opened. Stops where the fight waits for an answer.
    """
    table = Table(store, branch)
    if not table.state.active and table.waiting is None:
        raise NotBegun("nobody's turn is running in this fight: bring the combatants in, and begin it")
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
        return ImportedAttack(line, said, whom, why="the text does not say who attacks, or whom")
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
            line, attacker, target, why="the attacker's turn does not come", ended=tuple(ended)
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
    """Return the faces that an attack shows, by the purpose of the roll: attack, confirm, damage."""
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
    """Return the weapon of the attacker's that a log names; "" for the first one held."""
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
        return "nothing was struck", (), ()
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
        yield f"the text comes to {attack.total}, the fight to {struck.total}"
    if attack.needed is not None and attack.needed != struck.needed:
        yield f"the text has {attack.against or 'a defense of'} {attack.needed}, the fight {struck.needed}"
    if attack.outcome and (attack.outcome == "miss") != (struck.result == "miss"):
        yield f"the text tells {attack.outcome}, the fight decides {result}"
    elif attack.outcome == "critical" and result != "critical":
        yield f"the text tells a critical hit, the fight decides {result}"
    damage = next((one for one in rest if one.kind == "damage"), None)
    if dice.faces.get("damage") and hurt is not None:
        dealt = hurt.dice[0].notation if hurt.dice else "none"
        yield f"the damage dice of the text are none of the fight's: {dealt}"
    elif damage is not None and hurt is not None and damage.total is not None and damage.total != hurt.total:
        yield f"the text deals {damage.total}, the fight {hurt.total}"
