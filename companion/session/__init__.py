"""A table's evening: the append-only log, its store, and the session that judges what is submitted."""
