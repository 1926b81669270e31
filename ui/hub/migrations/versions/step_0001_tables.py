"""Tables, their games and entries, refusals, codes and settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make what the first version of the hub needs."""
    op.create_table(
        "tables",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("given_name", sa.String(80), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("registered_at", sa.String(32), nullable=False),
        sa.Column("state_number", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("state_at", sa.String(32), nullable=False),
        sa.Column("presence_number", sa.BigInteger, nullable=False),
        sa.Column("connection", sa.BigInteger, nullable=False),
        sa.Column("is_online", sa.Boolean, nullable=False),
        sa.Column("word_number", sa.BigInteger, nullable=False),
        sa.Column("assignment", sa.Text, nullable=False),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("call_taken_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("game_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("began_at", sa.String(32), nullable=False),
        sa.Column("unbroken", sa.Integer, nullable=False),
        sa.Column("highest", sa.Integer, nullable=False),
        sa.Column("finished_at", sa.String(32), nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], ondelete="CASCADE"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("game_id", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("taken_at", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"),
    )
    op.create_table(
        "players",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("game_id", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False, index=True),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"),
    )
    op.create_table(
        "refusals",
        sa.Column("reason", sa.String(40), primary_key=True),
        sa.Column("claimed", sa.String(64), primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("latest_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "codes",
        sa.Column("code", sa.String(40), primary_key=True),
        sa.Column("issued_at", sa.String(32), nullable=False),
        sa.Column("used_by", sa.String(64), nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Remove it all."""
    for name in ("settings", "codes", "refusals", "players", "entries", "games", "tables"):
        op.drop_table(name)
