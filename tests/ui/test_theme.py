"""Colours can be read, and never stand alone."""

import ast
from pathlib import Path

import pytest

from tests.ui.tables import BOARD
from ui.drawing import theme
from ui.drawing.theme import contrast, hexadecimal, piece_style, player_style

LETTERED = [(piece, label) for (piece, label), style in theme.PIECES.items() if style.letter]
SIGNED = [p for p in BOARD.pieces.values() if len(p.labels) > 1]


def test_contrast_is_that_of_wcag():
    assert contrast(theme.BLACK, theme.WHITE) == pytest.approx(21)
    assert contrast(hexadecimal("#767676"), theme.WHITE) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(("piece", "label"), LETTERED)
def test_letters_can_be_read_on_their_pieces(piece, label):
    style = piece_style(BOARD, piece, label)
    assert contrast(style.fill, style.ink) >= 4.5


@pytest.mark.parametrize("colour", BOARD.palette)
def test_pips_can_be_seen_on_their_colour(colour):
    style = player_style(BOARD, colour)
    assert contrast(style.fill, style.ink) >= 4.5


@pytest.mark.parametrize("ground", [theme.PANEL, theme.MARBLE, theme.SHEET])
@pytest.mark.parametrize("ink", [theme.INK, theme.MUTED, theme.PORPHYRY])
def test_texts_can_be_read(ink, ground):
    assert contrast(ink, ground) >= 4.5


@pytest.mark.parametrize("kind", theme.VERDICTS)
def test_verdicts_can_be_read_and_differ_in_sign(kind):
    sign, colour = theme.VERDICTS[kind]
    assert contrast(colour, theme.PANEL) >= 4.5
    assert [s for s, _ in theme.VERDICTS.values()].count(sign) == 1


def test_the_strong_button_can_be_read():
    assert contrast(theme.WHITE, theme.PORPHYRY) >= 7


@pytest.mark.parametrize("piece", SIGNED, ids=lambda piece: piece.name)
def test_labels_of_a_piece_differ_without_colour(piece):
    styles = [piece_style(BOARD, piece.name, label) for label in piece.labels]
    signs = {(style.letter, style.pips, style.notches) for style in styles}
    assert len(signs) == len(piece.labels)
    assert ("", 0, 0) not in signs


def test_a_label_nobody_has_styled_gets_a_colour_and_letters():
    style = piece_style(BOARD, "hill", "volcano")
    assert style.letter == "Vo"
    assert contrast(style.fill, style.ink) >= 4.5


def test_no_colour_of_a_theme_is_kept_from_when_a_module_was_imported():
    themed = {name for colours in theme.THEMES.values() for name in colours}
    kept = [
        (path.name, alias.name)
        for path in Path(theme.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "ui.drawing.theme"
        for alias in node.names
        if alias.name in themed
    ]
    assert kept == []
