"""Sharing a game: files of record and score, a picture, and a link for BG Stats. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import segno

from companion.exports.report import score_document
from companion.exports.score_exports import bg_stats_link
from companion.files.whole_files import write_whole
from companion.session.session import Session
from ui.results.reports import write_reports
from ui.services.text import _
from ui.view_models.form_view import FormModel, Note, Picks, Row, SectionHeading, ShownPicture, Tone, pick

QUIET = 4
"""modules of white around a QR code, as ISO/IEC 18004 asks for"""
PICTURE = "score.png"
SIDE = 720
"""pixels of the shown code, at most"""


def play_link(session: Session) -> str:
    """The link that opens BG Stats with this play filled in."""
    document = score_document(session.game, session.state, session.record_status)
    ended = session.entries[-1].time if session.entries else session.created
    return bg_stats_link(document, session.game.info.title, session.id, session.created, ended)


def qr_picture(text: str) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """The QR code of a text as a picture (height, width, blue green red), black on white.

    Raises ValueError where the text is longer than a code can hold.
    """
    modules = np.array([list(row) for row in segno.make_qr(text, error="l").matrix_iter(border=QUIET)], np.uint8)
    enlarged = np.kron(1 - modules, np.ones((max(1, SIDE // len(modules)),) * 2, np.uint8)) * np.uint8(255)
    return np.repeat(enlarged[:, :, np.newaxis], 3, axis=2)


class Sharing(FormModel):
    """Shows the code to scan, and writes files to `folder` on request.

    `picture` is a PNG of the score sheet, if there is one.
    """

    zooms = False

    def __init__(self, session: Session, folder: Path, picture: bytes | None = None) -> None:
        self._session, self._folder, self._picture = session, folder, picture
        self._written: tuple[Path, ...] = ()
        self._problem = ""
        try:
            self._code: ShownPicture | None = ShownPicture(qr_picture(play_link(session)), 1)
        except ValueError:
            self._code = None

    def heading(self) -> str:
        """What the screen is about."""
        return _("Share")

    def picture(self) -> ShownPicture | None:
        """The code for BG Stats."""
        return self._code

    def rows(self) -> Sequence[Row]:
        """The code's caption, and the buttons that write files."""
        rows: list[Row] = [SectionHeading(_("BG Stats"))]
        if self._code is not None:
            rows.append(Note(_("Scan the code with the phone that has BG Stats; the play is filled in there.")))
        else:
            rows.append(Note(_("The play is too long for a code; its link is among the files."), Tone.BAD))
        rows += [
            SectionHeading(_("Files")),
            Note(_("A page to print, a picture, the score as CSV and JSON, the whole record, the link for BG Stats.")),
            Picks("write", (pick("", _("Write the files")),), columns=1),
        ]
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        elif self._written:
            names = ", ".join(path.name for path in self._written)
            rows.append(Note(_("{files} are in {folder}").format(files=names, folder=self._folder), Tone.GOOD))
        return rows

    def touch(self, key: str, value: str) -> None:
        """Write the files."""
        try:
            written = write_reports(self._session, self._folder)
            if self._picture is not None:
                written = (*written, self._folder / PICTURE)
                write_whole(written[-1], self._picture)
        except OSError as error:
            self._problem = _("The files could not be written: {why}").format(why=error.strerror or error)
            return
        self._problem, self._written = "", written
