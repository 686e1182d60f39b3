"""Groups of commands that tell the nearest one where a name is none of theirs."""

import click


class GuidingGroup(click.Group):
    """A group whose error for an unknown command names the one that was meant."""

    what = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the words name. Raises UsageError for none, with the nearest one."""
        if not ctx.resilient_parsing and args[0][:1] != "-" and self.get_command(ctx, args[0]) is None:
            from affray.events.errors import did_you_mean

            meant = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"No such {self.what} {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)
