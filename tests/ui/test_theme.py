"""Colours can be read, and never stand alone."""

import ast
from itertools import combinations
from pathlib import Path

import pytest

from companion.registry import print_and_play_board
from tests.every_game import EVERY_GAME
from ui.drawing import marks, theme
from ui.drawing.theme import contrast, hexadecimal, seal_of

GROUNDS = ("TABLE", "PANEL", "PAPER")
FIELDS = [(kind, colour, field) for kind, (_sign, colour, field) in theme.VERDICT_ROLES.items()]


def test_contrast_is_that_of_wcag():
    assert contrast(theme.BLACK, theme.WHITE) == pytest.approx(21)
    assert contrast(hexadecimal("#767676"), theme.WHITE) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ink", ["INK", "MUTED", "TITLE"])
def test_texts_can_be_read_on_every_ground(name, ground, ink):
    colours = theme.THEMES[name]
    assert contrast(hexadecimal(colours[ink]), hexadecimal(colours[ground])) >= 4.5


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize("role", ["MARK", "EDGE"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_what_must_be_seen_stands_out_from_every_ground(name, role, ground):
    colours = theme.THEMES[name]
    assert contrast(hexadecimal(colours[role]), hexadecimal(colours[ground])) >= 3


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize(("kind", "colour", "field"), FIELDS)
def test_verdicts_can_be_read_on_their_field_and_on_cards(name, kind, colour, field):
    colours = theme.THEMES[name]
    for ground in (field, "PANEL"):
        assert contrast(hexadecimal(colours[colour]), hexadecimal(colours[ground])) >= 4.5
        assert contrast(hexadecimal(colours["INK"]), hexadecimal(colours[ground])) >= 4.5


def test_verdicts_differ_in_sign():
    signs = [sign for sign, _colour in theme.VERDICTS.values()]
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize("name", theme.THEMES)
def test_the_strong_button_can_be_read(name):
    colours = theme.THEMES[name]
    assert contrast(hexadecimal(colours["ON_PORPHYRY"]), hexadecimal(colours["PORPHYRY"])) >= 7


@pytest.mark.parametrize("game", EVERY_GAME)
def test_players_seals_differ_without_colour_and_can_be_read(game):
    board = print_and_play_board(game)
    seals = [seal_of(board, colour) for colour in board.palette]
    assert len({seal.letter for seal in seals}) == len(board.palette)
    assert all(contrast(seal.fill, seal.ink) >= 3 for seal in seals)


def test_marks_differ_without_colour():
    """In their dashes, their widths or the sign beside the piece."""
    looks = {
        state: (
            type(mark).__name__,
            bool(getattr(mark, "dash", (0.0,))[0]),
            getattr(mark, "width", getattr(mark, "bands", None)),
            marks.SIGNS.get(state, ""),
            marks.OPACITY[state],
        )
        for state, mark in marks.AROUND.items()
    }
    assert all(one != other for one, other in combinations(looks.values(), 2))


@pytest.mark.parametrize("ring", [marks.POSSIBLE, marks.LEGAL, marks.REFUSED, marks.DIFFERS, marks.OWED])
def test_rings_stand_out_from_the_white_below_them_which_stands_out_from_ink(ring):
    assert contrast(ring.colour, theme.WHITE) >= 4.5
    assert ring.under > ring.width
    assert contrast(theme.WHITE, marks.INK) >= 7


def test_no_colour_of_a_theme_is_kept_from_when_a_module_was_imported():
    themed = {name for colours in theme.THEMES.values() for name in colours}
    kept = [
        (path.name, alias.name)
        for path in Path(theme.__file__).parent.parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "ui.drawing.theme"
        for alias in node.names
        if alias.name in themed
    ]
    assert kept == []
