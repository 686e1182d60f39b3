"""Where logs are kept: in memory, in a SQLite file, in a PostgreSQL database."""
