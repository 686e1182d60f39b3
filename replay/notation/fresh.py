"""What a text of the notation leaves out: an opening of its own, dice that are not thrown yet."""

from affray.engine.dice import Notation, Seeded
from affray.engine.dice.sources import Answer
from affray.engine.notation.tokens import NotationError
from affray.engine.table.scenario_parts import reading_of
from affray.engine.table.table import open_encounter
from affray.events.envelope import Entry
from affray.events.memory import MemoryStore
from affray.events.salts import SALT_KEY, salt_key
from affray.events.secrets import SEED
from affray.events.store import MAIN
from affray.replay.notation.header import Header, fitted_opening

_UNSAID = {"commitment": "", "algorithm": "", "engine": "", "catalogue": "", "name": "encounter", "cites": []}
ELSEWHERE = (
    "algorithm",
    "engine",
    "catalogue",
    "packages",
    "until_closed",
    "things_lie",
    "defaults",
    "cites",
    "salted",
)
"""Tags that only a fight has that was opened elsewhere."""


def fresh_opening(header: Header, line: int, secrets: dict[str, bytes]) -> Entry:
    """Return the opening of a fight by its dialect, map and options, and put its secrets into `secrets`.

    Raises NotationError, and what `open_encounter` raises.
    """
    given = header.opening
    options = given.get("options", {})
    if isinstance(options, dict):
        options = {name: reading_of(one) if isinstance(one, bool) else one for name, one in options.items()}
    for name in ELSEWHERE:
        if name in header.columns:
            raise NotationError(*header.columns[name], "the tag 'commitment' as well", name)
    if "dialect" not in given:
        raise NotationError(line, 1, "the tag 'dialect' before the first declaration")
    header.check_dialect()
    asked = {**_UNSAID, **given, "options": options, "terrain": header.rows, "type": "encounter.opened"}
    made = fitted_opening(asked, header.columns, line)
    store = MemoryStore()
    open_encounter(
        store,
        dialect=made.dialect,
        terrain=made.terrain,
        name=made.name,
        options=dict(made.options),
        seed=bytes.fromhex(header.seed) or None,
        changes=None,
        barriers=made.barriers,
        ground=made.ground,
        tables=dict(made.tables),
        house_rules=header.house_rules,
        salted=True,
    )
    seed = store.secret(SEED) or b""
    secrets.update({SEED: seed, SALT_KEY: salt_key(seed)})
    return next(iter(store.read(MAIN)))  # type: ignore[return-value]


class Rolling:
    """Dice by a seed for what a text leaves unknown: seeded if it is the fight's own, else imported."""

    def __init__(self, seeded: Seeded, own: bool) -> None:
        self._seeded, self._own = seeded, own

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """The seed's throw for this key; never None."""
        thrown = self._seeded.throw(key, notation)
        return thrown if self._own or thrown is None else (thrown[0], "imported")
