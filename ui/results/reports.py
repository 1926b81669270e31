"""Writes the reports of a game: the record, the score sheet as JSON, CSV and a page to print, a link."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

from companion.exports.report import score_document
from companion.exports.score_exports import BYTE_ORDER_MARK, bg_stats_link, score_csv
from companion.session.session import Session
from ui.results.score_page import score_page

RECORD = "record.jsonl"


EXPORTS = "exports"


def export_folder(base: Path, session: Session) -> Path:
    """The export folder of one game in `base`."""
    return base / EXPORTS / f"{session.created[:10]}-{session.table.game}-{session.id[:8]}"


def write_reports(session: Session, folder: Path) -> tuple[Path, ...]:
    """Write record.jsonl, score.json, score.csv, score.html and bgstats.txt, all or none; return their paths.

    Raises OSError, which names the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    document = score_document(session.game, session.state, session.record_status)
    score = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    latest = session.entries[-1].time if session.entries else session.created
    texts = {
        RECORD: session.export(),
        "score.json": score,
        "score.csv": BYTE_ORDER_MARK + score_csv(document),
        "bgstats.txt": bg_stats_link(document, session.game.info.title, session.id, session.created, latest) + "\n",
        "score.html": score_page(session.game, session.state, session.record_status),
    }
    with ExitStack() as stack:
        drafts = {folder / name: folder / f".{name}.partial" for name in texts}
        for (path, draft), text in zip(drafts.items(), texts.values(), strict=True):
            stack.callback(draft.unlink, missing_ok=True)
            try:
                draft.write_text(text, encoding="utf-8")
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from error
        for path, draft in drafts.items():
            draft.replace(path)
    return tuple(drafts)
