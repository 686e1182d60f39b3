"""Writes docs/questions.md with its charts, and docs/rows.md, from the questions and the declared columns.

python tests/rows/question_docs.py
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.scenario import play, read_scenario
from affray.events import SqliteStore
from affray.projections.rows import FIGHTS, LINES, PLACE_COLUMNS, TABLES, Kinds
from affray.replay.cli.rows import answer_lines
from affray.replay.rows.charts import chart
from affray.replay.rows.questions import QUESTIONS, Answer, answer, open_rows_for_queries

DOCS = Path(__file__).parents[2] / "docs"
SCENARIO = DOCS / "examples" / "ambush.toml"

HEAD = """# Ten questions about a fight

`affray ask` asks logs a question in SQL and draws the answer. The ten questions below have names; any other
is a text that begins with `SELECT`. The tables and columns are listed in [rows.md](rows.md), and by `affray
rows --columns all`.

```sh
affray demo --db fight.db --seed s6
affray ask cover fight.db
affray ask all fight.db --page questions.html
affray ask luck fight.db --svg luck.svg
affray ask "SELECT weapon, avg(total) AS mean FROM damage GROUP BY weapon" fight.db
affray ask --list
```

`LOGS` can be any number of logs and folders, or one file made by `affray rows`, which takes milliseconds
(under 100 ms for a fight of 100,000 events). Combatants are identified by id: results of several fights are
added up for each id. The charts below are from one fight:

    affray play docs/examples/ambush.toml --db ford.db
    affray ask all ford.db --page ford.html
"""

TAIL = """
## Other tools

**Datasette** shows the rows file with these ten questions as named queries, and the meaning of every column:

```sh
affray rows fight.db --metadata fight.metadata.json
```

    datasette fight.rows.db --metadata fight.metadata.json

Give it the rows file, not the log. During a fight, `affray rows fight.db --for heroes --into heroes.db` makes
a rows file that players may see.

**DuckDB, Arrow, polars and Spark** read the data set of any number of fights as one table
(`pip install 'affray[tables]'`):

    affray rows logs/ --format parquet --into rows
    duckdb -c "SELECT dialect, avg(damage.total) FROM 'rows/damage/**/*.parquet' damage GROUP BY dialect"

All ten queries run there unchanged if each table is a view of its folder (`CREATE VIEW attacks AS FROM
'rows/attacks/**/*.parquet'`). DuckDB can also attach the SQLite file, but only with an extension that it
downloads. Wheels of that extension exist up to DuckDB 1.5.5, so DuckDB 2 cannot attach SQLite offline.
Parquet needs no extension.

**pandas and polars**, without an intermediate file (`pip install 'affray[frames]'` installs everything named
here):

    from affray.engine.table.scenario import packaged, play
    from affray.events import MemoryStore
    from affray.projections import frames
    from affray.replay import rows_of

    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    attacks = frames.in_pandas(rows_of(store))["attacks"]
    print(attacks.groupby("attacker")[["hit", "chance"]].mean())

`frames.in_polars` and `frames.in_arrow` return the same tables. **Spreadsheets** open the CSV files of
`affray rows fight.db --format csv --into tables`; no text in them is run as a formula.
"""

ROWS_HEAD = """# The rows of a log

`affray rows` makes tables of logs for SQL, data frames and spreadsheets ([questions.md](questions.md)). One
row is one event: its data, and the state of its combatants **just before it**. The lists below, the SQL, the
Arrow schema and the CSV headings are all made from the declarations in `projections/rows.py`.

```sh
affray demo --db fight.db
affray rows fight.db
affray rows fight.db --format csv --into tables
affray rows --columns attacks
```

## Where they are

| made by | result |
|---|---|
| `affray rows fight.db` | `fight.rows.db`, SQLite next to the log: every branch once, views by line |
| `affray rows logs/ --format parquet --into rows` | a data set of all main lines (also `arrow`, `csv`) |
| `affray.replay.rows_of(store)` | the rows one by one, each with the name of its table |
| `affray.projections.frames` | data frames of pandas or polars, or Arrow tables |

A data set has a folder for each table: `rows/attacks/dialect=srd35/year=2026/month=11/part-00001.parquet`.

The views are in a separate file, not in the log. Much of a row is in no single event (positions, hit points
left, chances), so no view of the events could show it: rows must be written. In the log they would delay the
players while they are written, be out of date after the next event, double the data to copy and verify, and
share a file with the seed in an old log. A rows file can be deleted and made again. It is written completely
or not at all; an existing rows file is replaced, any other file is not. It does not follow the log: make it
again after more play.

`affray ask "SELECT ..." fight.db` queries the same views of the log itself, made in memory, without a second
file. SQLite can query both files together, with each row joined to its event:

    sqlite3 fight.db "ATTACH 'fight.rows.db' AS r;
      SELECT a.attacker, a.chance, e.data
      FROM r.attacks a JOIN events e ON e.stream = a.branch AND e.seq = a.seq"

A log in PostgreSQL is named by its address, all fights of a database by the address of the database
([postgres.md](postgres.md)); the rows file is then `FIGHT.rows.db` in the current folder:

    affray rows 'postgresql:///games#friday'
    affray rows postgresql:///games --format parquet --into rows --date 2026-11

A log contains no date. Year and month are those of the last write to its file, or of `--date 2026-11`, which
is required for a data set of fights in a database. Two copies of one fight are counted once, using the longer
one.

## Lines of play

In the rows file, the view `attacks` has only the attacks of the **main line**, and so have all views named
below: a query that ignores branches counts nothing twice and nothing that was undone. `attacks_by_line` has
the attacks of every line, with the name of the `line` in the first column; events shared by lines are listed
for each of them:

    SELECT line, avg(hit) FROM attacks_by_line GROUP BY line

The table `own_attacks` has each attack of the log once, with its branch, and `lines` lists the pieces of each
line. The main line is the one at the time when the rows are made: make them again after `affray promote`. A
data set has only the main lines.

## What is left out

No seed, no notes or secrets of the log, no sheets, and no words except those of rulings and disputes. With
`--for SIDE` and `--hide ID`, rows are left out as in a player's copy ([trust.md](trust.md)), and hit points
and Armor Class of other combatants are empty in the remaining rows.

## The meaning of cells

A distance is calculated by the engine between the nearest squares of both combatants, with height and
squeezing, and with diagonals as the rules count them. A `reaction` is an attack of opportunity, an attack of
a readied act, or a missile thrown back, on any turn. Damage has two columns: `total` before reductions and
`dealt` after them. Armor Class is only known from attacks: it is the number that the last attack roll had to
reach, and empty before the first.

A **chance** is calculated from the totals in the event, not by deciding it again: over the twenty faces of
the d20, with the rules for 1 and 20 in attacks and saving throws. It is empty if no separate d20 decided (an
opposed check, a turning check, taking 10), or if the recorded result differs from that calculation.
Concealment is not part of an attack's chance, because it is rolled afterwards (`miss_chances`). `affray odds
--event` decides the event again for every face.
"""


def answers(folder: Path) -> dict[str, Answer]:
    """Return the answers to all questions about the page's fight, played into a log in a folder."""
    log = folder / "ford.db"
    with SqliteStore(log, synchronous="NORMAL") as store:
        play(read_scenario(SCENARIO), store)
    with open_rows_for_queries([log]) as connection:
        return {name: answer(connection, one) for name, one in QUESTIONS.items()}


def questions_page(found: dict[str, Answer]) -> str:
    """Return the page of questions."""
    return HEAD + "".join("\n".join(["", *_section(name, one)]) for name, one in found.items()) + TAIL


def _section(name: str, one: Answer) -> Iterator[str]:
    question = QUESTIONS[name]
    yield from (f"## {question.asked}", "", f"`affray ask {name}`", "")
    yield from (f"![{question.asked}](questions/{name}.svg)", "")
    yield from ("```sql", one.sql, "```", "", "```text")
    yield from list(answer_lines([(question, one)]))[1:]
    yield from ("```", "")


def charts(found: dict[str, Answer]) -> dict[str, str]:
    """Return the charts of the page by file name."""
    return {f"{name}.svg": chart(QUESTIONS[name], one.rows) + "\n" for name, one in found.items()}


def rows_page() -> str:
    """Return the page that lists every column."""
    lines = [ROWS_HEAD, "## In every table", ""]
    lines += _columns(Kinds("", "", (), PLACE_COLUMNS), 0)
    for table in (*TABLES.values(), FIGHTS, LINES):
        made = f" (`{'`, `'.join(table.events)}`)" if table.events else ""
        lines += ["", f"## {table.name}", "", f"One row is {table.row}{made}.", ""]
        place = len(PLACE_COLUMNS)
        lines += _columns(table, place if table.columns[:place] == PLACE_COLUMNS else 0)
    return "\n".join(lines) + "\n"


def _columns(table: Kinds, skipped: int) -> Iterator[str]:
    yield from ("| column | type | unit | meaning |", "|---|---|---|---|")
    for one in table.columns[skipped:]:
        yield f"| `{one.name}` | {one.kind} | {one.unit} | {one.meaning} |"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        told = answers(Path(made))
    (DOCS / "questions.md").write_text(questions_page(told), encoding="utf-8")
    (DOCS / "rows.md").write_text(rows_page(), encoding="utf-8")
    for file, drawing in charts(told).items():
        (DOCS / "questions" / file).write_text(drawing, encoding="utf-8")
