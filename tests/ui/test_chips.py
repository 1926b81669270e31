"""What players hold, to look at: each kind of it by the face of a component, or in words."""

import pytest

from companion.amounts import Amount, Holding, counted, listed, number
from companion.registry import print_and_play_board
from companion.wording.texts import game_texts
from tests.every_game import EVERY_GAME
from ui.drawing.board_drawing import told_holdings
from ui.printed.pictures import chip_pictures
from ui.table.composing import chips_of

TEXTS = game_texts("city_of_marble")
COMPONENTS = {"atrium": "ward", "magistrates": "magistrate", "roofs": "{kind} roof"}


def test_each_kind_is_counted_by_itself_and_nothing_keeps_its_place():
    held = (Holding("atrium", counted({"red": 2, "blue": 1})), Holding("magistrates", number(0)))
    chips = chips_of(held, TEXTS, COMPONENTS)
    assert [(chip.component, chip.kind, chip.count) for chip in chips] == [
        ("ward", "red", 2),
        ("ward", "blue", 1),
        ("magistrate", "", 0),
    ]


def test_pieces_listed_one_by_one_are_counted_together():
    chips = chips_of((Holding("roofs", listed(["round", "round", "triangular"])),), TEXTS, COMPONENTS)
    assert [(chip.component, chip.count) for chip in chips] == [("round roof", 2), ("triangular roof", 1)]


def test_what_has_no_face_is_told_in_words_unless_there_is_none():
    held = (Holding("coins", number(3)), Holding("cards", ()), Holding("carriage", (Amount(value=4),)))
    chips = chips_of(held, TEXTS, COMPONENTS)
    assert [(chip.words, chip.component) for chip in chips] == [("coins 3", ""), ("carriage 4", "")]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_named_component_has_faces_that_differ(game):
    board = print_and_play_board(game)
    pictures = chip_pictures(board, 24)
    for component in told_holdings(game).values():
        first = component.partition("{kind}")[2].strip() or component
        faces = [face for face in pictures.cells if face.piece == component or face.piece.endswith(f" {first}")]
        assert faces, component
        for face in faces:
            assert pictures.cells[face].height <= 25
            assert pictures.cell_of(face.piece, face.label, "") == pictures.cells[face]


def test_a_face_is_found_by_kind_then_by_the_owners_colour():
    pictures = chip_pictures(print_and_play_board("capitol"), 24)
    assert pictures.cell_of("round roof", "round", "red") != pictures.cell_of("round roof", "round", "blue")
    assert pictures.cell_of("no such thing", "", "red") is None
