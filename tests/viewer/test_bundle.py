"""Bundling ES modules into the script of a page."""

from pathlib import Path

import pytest

from affray.replay.viewer import bundle as bundling
from affray.replay.viewer import pages

PAGE = Path(__file__).parents[2] / "replay" / "viewer" / "page"
ENTRIES = {"main", "live", "overlay", "alone"}
TWO = {"a": 'import { b } from "./b.js";\n\nb();\n', "b": "export function b() {}\n"}


def bundled(modules: dict[str, str], entry: str = "a") -> str:
    return bundling.bundle(entry, modules.__getitem__)


def test_a_module_follows_those_that_it_imports() -> None:
    """Each module is included once, without its imports and the word `export`."""
    modules = {
        "a": '// A.\n\nimport { b, n } from "./b.js";\nimport { c } from "./c.js";\n\nb(n, c);\n',
        "b": 'import { c } from "./c.js";\n\nexport const n = 1;\nexport async function b() {\n  c();\n}\n',
        "c": "export class c {}\nexport async function* d() {}\nexport let e = 2;\n",
    }
    assert bundled(modules) == (
        "class c {}\nasync function* d() {}\nlet e = 2;\n"
        "\nconst n = 1;\nasync function b() {\n  c();\n}\n"
        "\n// A.\n\nb(n, c);\n"
    )


def test_comments_of_a_type_alone_are_left_out() -> None:
    """Only the compiler needs them; other comments stay."""
    modules = {
        "a": (
            "/** @type {{ n: number }} */\nconst a = { n: 1 };\n/** Go. */\n"
            "function go(/** @type {number} */ n, /** @type {Map<string, number>} */ more) {}\n"
        )
    }
    assert bundled(modules) == "const a = { n: 1 };\n/** Go. */\nfunction go(n, more) {}\n"


def test_functions_may_import_each_other() -> None:
    """In a cycle the module that is reached first comes last."""
    modules = {
        "a": 'import { b } from "./b.js";\n\nexport function a() {\n  b();\n}\n',
        "b": 'import { a } from "./a.js";\n\nexport function b() {\n  a();\n}\n',
    }
    assert bundled(modules) == "function b() {\n  a();\n}\n\nfunction a() {\n  b();\n}\n"


def test_an_unknown_module_is_an_error() -> None:
    """The error of the missing file."""
    with pytest.raises(KeyError, match="'b'"):
        bundled({"a": TWO["a"]})
    with pytest.raises(FileNotFoundError, match=r"missing\.js"):
        pages.script_of("missing")


def test_an_imported_name_is_exported() -> None:
    """Also in a cycle, where the imports are read before the exports."""
    with pytest.raises(ValueError, match=r"^a\.js: b\.js does not export b$"):
        bundled({**TWO, "b": "function b() {}\n"})
    with pytest.raises(ValueError, match=r"^b\.js: a\.js does not export a$"):
        bundled({**TWO, "b": 'import { a } from "./a.js";\n\nexport function b() {}\n'})


def test_a_name_is_declared_once() -> None:
    """All modules of a page share one scope: a second function of a name would replace the first."""
    with pytest.raises(ValueError, match=r"^b\.js: a\.js declares c too$"):
        bundled({"a": TWO["a"] + "function c() {}\n", "b": TWO["b"] + "const c = 1;\n"})


@pytest.mark.parametrize(
    "line",
    [
        'import "./b.js";',
        'import * as b from "./b.js";',
        'import b from "./b.js";',
        'import { b as c } from "./b.js";',
        'import { b } from "b";',
        'import { b } from "../b.js";',
        'import { b } from "https://example.org/b.js";',
        'const c = 1;\nimport { b } from "./b.js"; b();',
        "export default function b() {}",
        "export { c };",
        'export * from "./b.js";',
        "export const { c } = b;",
    ],
)
def test_another_form_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match=r"^a\.js: cannot bundle (import|export) "):
        bundled({**TWO, "a": f"{line}\n"})


def test_every_export_is_imported() -> None:
    """Every export has an importer, and every module belongs to a page."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in PAGE.glob("*.js")}
    imported = {
        (module, name)
        for text in sources.values()
        for names, module in bundling._IMPORT.findall(text)
        for name in names.split(", ")
    }
    exported = {
        (module, name)
        for module, text in sources.items()
        for export, _, name in bundling._DECLARATION.findall(text)
        if export
    }
    assert sorted(exported - imported) == []
    assert sorted(sources.keys() - ENTRIES - {module for module, _ in imported}) == []
