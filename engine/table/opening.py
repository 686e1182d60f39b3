"""The first event of a log: an encounter with its dialect, its map and its sealed dice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from affray.engine.dialects import load, packages_for
from affray.engine.dice import ALGORITHM, commitment, new_seed
from affray.engine.table.map_borders import refuse_barriers
from affray.engine.version import VERSION
from affray.events import oplog
from affray.events.codec import as_read, entry
from affray.events.errors import Conflict
from affray.events.facts.flow import EncounterOpened
from affray.events.facts.terrain import Barrier, Ground
from affray.events.salts import SALT_KEY, salt_key
from affray.events.secrets import SEED
from affray.events.store import Store

ENGINE = f"affray {VERSION}"


def open_encounter(
    store: Store,
    *,
    dialect: str,
    terrain: Sequence[str],
    name: str,
    options: Mapping[str, str],
    seed: bytes | None,
    changes: Mapping[str, Any] | None,
    barriers: Sequence[Barrier],
    ground: Sequence[Ground],
    tables: Mapping[str, str],
    house_rules: Iterable[str],
    salted: bool,
) -> None:
    """Keep the seed (a new one without any) and append the first event; raises what `Table.create` does.

    A `salted` log can be given away in parts of which what is held back cannot be guessed.
    """
    packages = packages_for(dialect, house_rules)
    rules = load(dialect, changes, tables, packages)
    rules.book.check_readings(options)
    rules.book.check_changes(options)
    refuse_barriers(terrain, barriers, rules)
    if seed is None:  # one that is kept already was left by a process that died before the next step
        seed = store.secret(SEED) or new_seed()
    opened = as_read(
        EncounterOpened(
            name=name,
            dialect=dialect,
            options=dict(sorted(options.items())),
            terrain=tuple(terrain),
            commitment=commitment(seed),
            algorithm=ALGORITHM,
            engine=ENGINE,
            catalogue=f"{dialect}/{len(rules.book)}",
            barriers=tuple(barriers),
            ground=tuple(ground),
            tables=dict(tables),
            packages=packages or UNSET,
            until_closed=True,
            things_lie=True,
            defaults=rules.book.defaults,
        )
    )
    head = store.head("main")
    if head.seq:
        raise Conflict("main", 0, head.seq)
    # First the seed: a crash in between must not leave an encounter whose dice nobody can open.
    store.keep_secret(SEED, seed)
    if salted:
        store.keep_secret(SALT_KEY, salt_key(seed))
    store.append("main", [entry(opened, 0, 0, "", 1)], 0)
    oplog.info("encounter.opened", name=name, dialect=dialect)
