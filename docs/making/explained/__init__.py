"""The drawings of the explanations, each made from the code and from a fight that is played for it."""

from pathlib import Path

from making.explained import contents_table, dice_addresses, path_of_declaration, seal_tree

PICTURES = {
    "path-of-a-declaration": path_of_declaration.picture,
    "dice-addresses": dice_addresses.picture,
    "seal-tree": seal_tree.picture,
    "contents-table": contents_table.picture,
}
"""How each is made, by the name of its file."""

KEPT = Path(__file__).parents[2] / "explanations" / "pictures"
"""Where they are kept for whoever reads the pages without a build; a test finds them as they are made now."""


def write(folder: Path) -> None:
    """Make each, and write it into a folder."""
    for name, picture in PICTURES.items():
        (folder / f"{name}.svg").write_text(picture(), encoding="utf-8")
