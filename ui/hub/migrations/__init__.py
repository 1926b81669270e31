"""The steps that bring a database of the hub up to date, run by Alembic at its start (`ui.hub.database`)."""
