"""`python -m affray.replay.cli` is `affray`."""

from affray.replay.cli import main

if __name__ == "__main__":
    main()
