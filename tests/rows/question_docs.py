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
from affray.replay.rows.questions import QUESTIONS, Answer, answer, asked_of

DOCS = Path(__file__).parents[2] / "docs"
SCENARIO = DOCS / "examples" / "ambush.toml"

HEAD = """# Ten questions to a fight

`affray ask` puts a question to logs in SQL and draws the answer; the ten below go by name, any other is a
text that begins with `SELECT`. What there is to ask says [rows.md](rows.md), or `affray rows --columns all`.

```sh
affray demo --db fight.db --seed s6
affray ask cover fight.db
affray ask all fight.db --page questions.html
affray ask luck fight.db --svg luck.svg
affray ask "SELECT weapon, avg(total) AS mean FROM damage GROUP BY weapon" fight.db
affray ask --list
```

`LOGS` may be any number of logs and folders, or one file that `affray rows` has made: then nothing is read
but that, and an answer takes milliseconds (below 100 ms for a fight of 100,000 events). A combatant goes by
its id; of several fights what one id did in all of them is added up. The charts below are of one fight:

    affray play docs/examples/ambush.toml --db ford.db
    affray ask all ford.db --page ford.html
"""

TAIL = """
## Other tools

**Datasette** shows the rows file with these ten as named queries, and says of every column what it means:

```sh
affray rows fight.db --metadata fight.metadata.json
```

    datasette fight.rows.db --metadata fight.metadata.json

Give it the rows file, not the log. Of a fight that goes on, `affray rows fight.db --for heroes --into
heroes.db` makes one that players may see.

**DuckDB, Arrow, polars, Spark** read the data set of any number of fights as one table
(`pip install 'affray[tables]'`):

    affray rows logs/ --format parquet --into rows
    duckdb -c "SELECT dialect, avg(damage.total) FROM 'rows/damage/**/*.parquet' damage GROUP BY dialect"

All ten run there word for word once each table is a view of its folder (`CREATE VIEW attacks AS FROM
'rows/attacks/**/*.parquet'`). DuckDB can also attach the SQLite file itself, but only by an extension that it
downloads; the wheels that bring it without a network stop at DuckDB 1.5.5, so DuckDB 2 cannot attach SQLite
offline. Parquet needs no extension.

**pandas and polars**, without a file between (`pip install 'affray[frames]'` brings all that is named here):

    from affray.engine.table.scenario import packaged, play
    from affray.events import MemoryStore
    from affray.projections import frames
    from affray.replay import rows_of

    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    attacks = frames.in_pandas(rows_of(store))["attacks"]
    print(attacks.groupby("attacker")[["hit", "chance"]].mean())

`frames.in_polars` and `frames.in_arrow` give the same tables. **Spreadsheets** open the CSV of
`affray rows fight.db --format csv --into tables`; nothing in it is run as a formula.
"""

ROWS_HEAD = """# The rows of a log

`affray rows` makes tables of logs for SQL, data frames and spreadsheets ([questions.md](questions.md)). One
row is one event: what it says, and how whoever it is about stood **just before it**. Each list below is made
from the one declaration from which the SQL, the Arrow schema and the CSV heading are made
(`projections/rows.py`).

```sh
affray demo --db fight.db
affray rows fight.db
affray rows fight.db --format csv --into tables
affray rows --columns attacks
```

## Where they are

| made by | what it is |
|---|---|
| `affray rows fight.db` | `fight.rows.db`, SQLite beside the log: every branch once, views by line |
| `affray rows logs/ --format parquet --into rows` | a data set of all main lines (`arrow`, `csv` too) |
| `affray.replay.rows_of(store)` | the rows one by one, each with the name of its table |
| `affray.projections.frames` | frames of pandas or polars, or Arrow tables |

A data set has a folder for each table: `rows/attacks/dialect=srd35/year=2026/month=11/part-00001.parquet`.

The views are in a file of their own and not in the log. Much of a row stands in no event by itself (who
stood where, who had how many hit points left, which chance there was), so no view over the events could
tell it: rows have to be written down. In the log they would hold up those who play while they are
written, stand beside newer events as if they knew them, double what is handed on and checked, and share a
file with the seed that an old log still holds. A rows file can be thrown away and made again. It is
written whole or not at all, and one that is there is replaced; any other file is not. It does not follow
the log: after more play it is made again.

From the log itself `affray ask "SELECT ..." fight.db` asks the same views, made in memory, without a second
file. And SQLite asks both files at once, each row by its place among the events:

    sqlite3 fight.db "ATTACH 'fight.rows.db' AS r;
      SELECT a.attacker, a.chance, e.data
      FROM r.attacks a JOIN events e ON e.stream = a.branch AND e.seq = a.seq"

A log in PostgreSQL goes by its address, all fights of a database by that of the database
([postgres.md](postgres.md)); the rows file then is `FIGHT.rows.db` in the folder where one is:

    affray rows 'postgresql:///games#friday'
    affray rows postgresql:///games --format parquet --into rows --date 2026-11

A log holds no date. Year and month are those in which its file was last written, or what `--date 2026-11`
says; of a fight in a database it has to be said for a data set. Two copies of one fight are counted once,
the longer of them.

## Lines of play

In the rows file the view `attacks` has the attacks of the **main line** alone, and so has every view of the
names below: a query that knows nothing of branches counts nothing twice and nothing that was taken back.
`attacks_by_line` has those of every line, with the name of the `line` in front; there what lines have in
common stands once for each:

    SELECT line, avg(hit) FROM attacks_by_line GROUP BY line

The table `own_attacks` has each attack of the log once, on the branch on which it stands, and `lines` says
which pieces a line is made of. The main line is that of the moment at which the rows are made: after `affray
promote` they are made again. A data set has the main lines alone.

## What is not in them

No seed, nothing that is kept with the log as a note or a secret, no sheet, no words but those of rulings and
disputes. With `--for SIDE` and `--hide ID` rows are left out as in a player's copy ([trust.md](trust.md)),
and hit points and armor class of others are empty in those that remain.

## What a cell says

A distance is the engine's: between the nearest squares of both, height and squeezing included, diagonals
as the rules count them. A `reaction` is an attack of opportunity, one of a readied act, or a missile
thrown back, whoever's turn it is. Damage is told as it was added up (`total`) and as it was `dealt`, less
what the target shrugged off. An armor class stands in no event but where somebody is struck at: it is
what the last attack roll had to reach, and empty before the first.

A **chance** is worked out from the sums that the event holds, not by deciding it again: over the twenty
faces of the d20, 1 and 20 as the rules have them for attacks and saving throws. It is empty where no d20
of its own decided (an opposed check, a turning check, taking 10), and where the record is not what that
arithmetic comes to. Concealment is not in an attack's chance: it is thrown for afterwards
(`miss_chances`). `affray odds --event` decides again for every face.
"""


def answers(folder: Path) -> dict[str, Answer]:
    """Return the answers to all questions about the fight of the page, played into a log in a folder."""
    log = folder / "ford.db"
    with SqliteStore(log, synchronous="NORMAL") as store:
        play(read_scenario(SCENARIO), store)
    with asked_of([log]) as connection:
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
    """Return the charts of the page by the names of their files."""
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
    yield from ("| column | holds | unit | meaning |", "|---|---|---|---|")
    for one in table.columns[skipped:]:
        yield f"| `{one.name}` | {one.kind} | {one.unit} | {one.meaning} |"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        told = answers(Path(made))
    (DOCS / "questions.md").write_text(questions_page(told), encoding="utf-8")
    (DOCS / "rows.md").write_text(rows_page(), encoding="utf-8")
    for file, drawing in charts(told).items():
        (DOCS / "questions" / file).write_text(drawing, encoding="utf-8")
