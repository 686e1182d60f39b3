"""The stores of logs: in memory, in a SQLite file, in a PostgreSQL database."""
