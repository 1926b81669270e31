"""How Alembic runs the steps: on the connection that `ui.hub.database` opened."""

from __future__ import annotations

from alembic import context

from ui.hub.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
)  # fmt: skip
with context.begin_transaction():
    context.run_migrations()
