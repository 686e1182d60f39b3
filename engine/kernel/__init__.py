"""The kernel: what every d20 fight needs, without the rules of any one game."""
