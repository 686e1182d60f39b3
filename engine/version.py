"""The version of Affray, stated here and nowhere else.

The build reads it from this file, `affray --version` prints it, and every log keeps it in its first event.
"""

VERSION = "0.1.0"
