"""Coverage-guided fuzzing of one target, or of all in turn.

    python tests/campaigns/fuzz.py TARGET|all --seconds N [--corpus FOLDER] [--plain]

Needs atheris (`pip install atheris`), which nothing else of the project does; `--plain` runs without it on
random bytes. A failing input is kept as FOLDER/crash-*; replay it with `--replay FILE`.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

NO_ATHERIS = 3
SLOWEST_SECONDS = 10


def main() -> int:
    """Run the campaign; 0 nothing found, 1 something, 3 without atheris."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--plain", action="store_true", help="random bytes, without atheris")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replay", type=Path, help="run this input only")
    given = parser.parse_args()
    if given.target == "all":
        return _all(given)
    if given.replay is not None or given.plain:
        from tests.fuzz.targets import TARGETS

        target = TARGETS[given.target]
        if given.replay is not None:
            target(given.replay.read_bytes())
            return 0
        return _plain(given.target, target, given.seconds, given.seed)
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: pip install atheris, or use --plain", file=sys.stderr)
        return NO_ATHERIS
    with atheris.instrument_imports(include=["affray"]):
        from tests.fuzz.targets import TARGETS
    corpus = given.corpus or Path(tempfile.mkdtemp(prefix=f"fuzz-{given.target}-"))
    corpus.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        dice = random.Random(given.seed)
        for number in range(60):
            (corpus / f"random-{number}").write_bytes(dice.randbytes(dice.choice((8, 60, 200, 500))))
    options = [
        f"-max_total_time={given.seconds}",
        f"-timeout={SLOWEST_SECONDS}",
        "-rss_limit_mb=2048",
        "-max_len=2048",
        f"-artifact_prefix={corpus}{os.sep}",
        "-len_control=0",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], TARGETS[given.target])
    atheris.Fuzz()
    return 0


def _all(given: argparse.Namespace) -> int:
    from tests.fuzz.targets import TARGETS

    worst = 0
    for name in TARGETS:
        words = [sys.executable, __file__, name, "--seconds", str(given.seconds), "--seed", str(given.seed)]
        words += ["--plain"] if given.plain else []
        worst = max(worst, abs(subprocess.run(words, check=False).returncode))
    return worst


def _plain(name: str, target: object, seconds: int, seed: int) -> int:
    dice, ran, found, slowest = random.Random(seed), 0, {}, 0.0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = dice.randbytes(dice.choice((4, 16, 64, 256, 600)))
        began = time.monotonic()
        try:
            target(data)  # type: ignore[operator]
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            key = (type(error).__name__, last.filename, last.lineno)
            if key not in found:
                found[key] = data
                print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
                for frame in traceback.extract_tb(error.__traceback__)[-4:]:
                    print(f"    {frame.filename}:{frame.lineno} {frame.line}", file=sys.stderr)
                print(f"    input {data.hex()[:400]}", file=sys.stderr)
        slowest = max(slowest, time.monotonic() - began)
        ran += 1
    print(f"{name}: {ran} inputs in {seconds} s, slowest {slowest:.2f} s, {len(found)} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
