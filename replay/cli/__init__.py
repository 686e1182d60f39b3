"""The command line: `affray`."""

from affray.replay.cli.group import affray


def main() -> None:
    """Run the command that `sys.argv` names and leave with its exit status."""
    affray.main(prog_name="affray")


__all__ = ["affray", "main"]
