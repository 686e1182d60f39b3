"""The referee shares nothing with what it judges."""

import ast
from pathlib import Path

HERE = Path(__file__).parent
ALLOWED = ("tests.referee", "collections", "dataclasses", "itertools", "json", "re", "typing")


def test_the_referee_knows_nothing_of_the_engine() -> None:
    """What judges imports nothing of the rules, the records, the projections: it reads JSON."""
    files = [file for file in sorted(HERE.glob("*.py")) if not file.name.startswith("test_")]
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            for name in names:
                assert name.startswith(ALLOWED), f"{file.name} imports {name}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("__import__", "eval", "exec"), file.name
