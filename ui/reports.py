"""Writes what is left of an evening: the record, the score sheet as JSON and as a page to print."""

from __future__ import annotations

import json
from pathlib import Path

from companion.report import score_document
from companion.session.session import Session
from ui.score_page import score_page

RECORD = "record.jsonl"


def write_reports(session: Session, folder: Path) -> tuple[Path, ...]:
    """Write record.jsonl, score.json and score.html; gives their paths.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ended = session.is_over
    score = json.dumps(score_document(session.game, session.state, ended=ended), indent=2, ensure_ascii=False) + "\n"
    texts = {
        RECORD: session.export(),
        "score.json": score,
        "score.html": score_page(session.game, session.state, ended=ended),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in texts)
