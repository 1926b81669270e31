"""The result of a game as one picture to share: title, who has won, the board as it lies, everybody's points."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from kivy.core.text import Label as CoreLabel

from companion.board.layout import Board
from ui.drawing import theme
from ui.drawing.board_frame import shown_part
from ui.drawing.fonts import LETTERING, STRONG, reading_font
from ui.drawing.theme import Colour, Seal, hexadecimal
from ui.printed.edition import Picture
from ui.printed.image import board_image
from ui.view_models.play_view import ScoreView
from ui.widgets.painting import register_fonts

WIDTH, MARGIN, GAP = 1280, 48, 20
"""pixels of the picture, around all, between its parts"""
CARD = 104
"""pixels of the height of a player's card"""
_LIGHT = {role: hexadecimal(code) for role, code in theme.THEMES["marble"].items()}
"""a shared picture is light, whatever the screen is"""


def result_picture(
    title: str, score: ScoreView, board: Board, look: Mapping[str, str], seals: Mapping[int, Seal]
) -> bytes:
    """A PNG of a result; `look` is spot -> label, `seals` by seat.

    Raises CompanionError where the board cannot be drawn.
    """
    register_fonts()
    left, _top, right, _bottom = shown_part(board)
    inside = WIDTH - 2 * MARGIN
    laid = board_image(board, look, inside / (right - left))
    said = [_words(title.upper(), 40, _LIGHT["TITLE"], LETTERING)]
    said += [_words(text, size, _LIGHT["INK"]) for text, size in ((score.result, 28), (score.heading, 20)) if text]
    head = MARGIN + sum(words.shape[0] + GAP // 2 for words in said)
    rows = -(-len(score.ranking) // _columns(len(score.ranking)))
    height = head + laid.shape[0] + GAP + rows * (CARD + GAP) + MARGIN - GAP
    canvas = np.empty((height, WIDTH, 3), np.uint8)
    canvas[:] = _bytes(theme.mixed(_LIGHT["TABLE"], _LIGHT["TABLE_LIT"], 0.7))
    at = MARGIN
    for words in said:
        _paste(canvas, words, MARGIN, at)
        at += words.shape[0] + GAP // 2
    canvas[head : head + laid.shape[0], MARGIN : MARGIN + laid.shape[1]] = laid
    _cards(canvas, score, seals, head + laid.shape[0] + GAP)
    return cv2.imencode(".png", canvas, [cv2.IMWRITE_PNG_COMPRESSION, 6])[1].tobytes()


def _columns(count: int) -> int:
    return max(1, min(4, count))


def _cards(canvas: Picture, score: ScoreView, seals: Mapping[int, Seal], top: int) -> None:
    """A card for each player in the order of the ranking."""
    columns = _columns(len(score.ranking))
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    for number, (seat, name, points, rank) in enumerate(score.ranking):
        x, y = MARGIN + number % columns * (width + GAP), top + number // columns * (CARD + GAP)
        has_won = rank == 1 and score.decided
        _card(canvas, (x, y, width, CARD), _LIGHT["MARK" if has_won else "EDGE"], 4 if has_won else 2)
        if seat in seals:
            _seal(canvas, (x + 46, y + CARD // 2), 27, seals[seat])
        number_words = _words(str(points), 46, _LIGHT["INK"], STRONG)
        room = width - 100 - number_words.shape[1] - 24
        name_words = _words(f"{rank}. {name}" if rank else name, 26, _LIGHT["INK"])
        if name_words.shape[1] > room > 0:
            size = room, max(1, name_words.shape[0] * room // name_words.shape[1])
            name_words = np.asarray(cv2.resize(name_words, size, interpolation=cv2.INTER_AREA), np.uint8)
        _paste(canvas, name_words, x + 88, y + (CARD - name_words.shape[0]) // 2)
        end = x + width - 20 - number_words.shape[1]
        _paste(canvas, number_words, end, y + (CARD - number_words.shape[0]) // 2)


def _card(canvas: Picture, box: tuple[int, int, int, int], edge: Colour, line: int) -> None:
    x, y, width, height = box
    cv2.rectangle(canvas, (x, y), (x + width, y + height), _bytes(_LIGHT["PANEL"]), cv2.FILLED)
    cv2.rectangle(canvas, (x, y), (x + width, y + height), _bytes(edge), line, cv2.LINE_AA)


def _seal(canvas: Picture, centre: tuple[int, int], radius: int, seal: Seal) -> None:
    fill, ink = _bytes(seal.fill), _bytes(seal.ink)
    if seal.is_round:
        for reach, colour, line in ((radius, (32, 36, 46), -1), (radius - 2, fill, -1), (round(radius * 0.74), ink, 1)):
            cv2.circle(canvas, centre, reach, colour, line, cv2.LINE_AA)
    else:
        for reach, colour, line in ((radius, (32, 36, 46), -1), (radius - 2, fill, -1), (round(radius * 0.76), ink, 1)):
            low, high = (centre[0] - reach, centre[1] - reach), (centre[0] + reach, centre[1] + reach)
            cv2.rectangle(canvas, low, high, colour, line)
    letter = _words(seal.letter, radius, seal.ink, STRONG)
    _paste(canvas, letter, centre[0] - letter.shape[1] // 2, centre[1] - letter.shape[0] // 2)


def _bytes(colour: Colour) -> tuple[int, int, int]:
    """Blue, green, red of 0 to 255."""
    red, green, blue = (round(255 * part) for part in colour)
    return blue, green, red


def _words(text: str, size: int, colour: Colour, font: str = "") -> Picture:
    """A line of text (red, green, blue, opacity)."""
    label = CoreLabel(text=text, font_size=size, font_name=font or reading_font(text), color=(*colour, 1))
    label.refresh()
    width, height = label.texture.size
    return np.frombuffer(label.texture.pixels, np.uint8).reshape(height, width, 4)


def _paste(canvas: Picture, words: Picture, x: int, y: int) -> None:
    """Lay a text on the picture with its upper left corner there; what is beyond the rim is left out."""
    height, width = min(words.shape[0], canvas.shape[0] - y), min(words.shape[1], canvas.shape[1] - x)
    if height > 0 and width > 0:
        seen = words[:height, :width].astype(np.uint16)
        below, opaque = canvas[y : y + height, x : x + width], seen[:, :, 3:]
        below[:] = ((seen[:, :, 2::-1] * opaque + below * (255 - opaque) + 127) // 255).astype(np.uint8)
