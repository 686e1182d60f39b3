"""What is said in the folder of a sample set: what is in it, and under which terms."""

from typing import Final

ABOUT: Final = """\
# The sample set of Affray

{fights} fights in four dialects of d20 rules, played by automatic play with fixed dice, built by
`affray samples` of version {version}: the same version builds the same fights, digest by digest.

| | |
|---|---|
| `fights.json` | one entry a fight: dialect, events, rounds, who won, the digest of its last event |
| `logs/` | the fights as logs (SQLite); each tenth has a branch in which one die fell otherwise |
| `logs/*-secrets` | the seed of each log's dice, kept beside it to play on with: no secret here |
| `notation/` | the same, to be read and written by people |
| `rows/` | the main lines as Parquet, a folder for each table, `dialect=/year=/month=` within |

Try `affray verify` on a log, `affray ask luck logs`, or in DuckDB:

    SELECT dialect, count(*) AS attacks
    FROM read_parquet('rows/attacks/**/*.parquet', hive_partitioning = true) GROUP BY dialect;

What was drawn, played and counted here is given to everybody by CC0 1.0 (see LICENSE). Names and figures
of rules and creatures are game content which their publishers have opened under the Open Game License:
they are not ours to give.
"""

CC0: Final = """\
CC0 1.0 Universal

To the extent possible under law, those who made this sample set have waived all copyright and related or
neighboring rights to it: https://creativecommons.org/publicdomain/zero/1.0/legalcode

That does not cover names and figures of rules and creatures, which their publishers have opened under the
Open Game License 1.0a. That licence ships with Affray.
"""
