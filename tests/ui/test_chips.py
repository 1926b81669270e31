"""What players hold, to look at: each kind of it by the face of a component, or in words."""

from itertools import pairwise

import pytest

from companion.amounts import NOT_TOLD, Amount, Holding, counted, listed, number
from companion.registry import print_and_play_board
from companion.wording.texts import game_texts
from tests.every_game import EVERY_GAME
from tests.ui.tables import RecordingPresenter, play_view, state_after
from ui.drawing.board_drawing import drawing_of
from ui.printed.pictures import chip_pictures
from ui.printed.piles import pile
from ui.services.text import translated_texts, use_language
from ui.table.held_chips import chips_of
from ui.view_models.play_view import ChipView

TEXTS = game_texts("city_of_marble")
HELD = {
    "capitol": (
        Holding("cards", number(12)),
        Holding("unfinished", tuple(Amount(value=height) for height in (1, 1, 2, 3))),
        Holding("completed", listed(["1-round", "1-triangular", "2-triangular"])),
        Holding("roofs", counted({"round": 2, "triangular": 1})),
    ),
    "thurn_and_taxis": (
        Holding("cards", number(3)),
        Holding("route", listed(["Ingolstadt", "Regensburg", "Sigmaringen"])),
        Holding("houses", number(12)),
        Holding("bonus tiles", number(4)),
        Holding("office tiles", counted({"postmaster": 2, "carrier": 1})),
    ),
    "city_of_marble": (
        Holding("atrium", counted({"red": 1, "yellow": 1, "green": 2, "blue": 1})),
        Holding("magistrates", number(2)),
        Holding("Imperium", counted({"temple": 1, "baths": 2, "arena": 1})),
        Holding("coins", number(0)),
        Holding("bridges", number(1)),
    ),
}


def test_each_kind_is_counted_by_itself_and_nothing_keeps_its_place():
    held = (Holding("atrium", counted({"red": 2, "blue": 1})), Holding("magistrates", number(0)))
    chips = chips_of(held, TEXTS, "city_of_marble")
    assert [(chip.component, chip.kind, chip.count) for chip in chips] == [
        ("ward", "red", 2),
        ("ward", "yellow", 0),
        ("ward", "green", 0),
        ("ward", "blue", 1),
        ("magistrate", "", 0),
    ]


def test_pieces_listed_one_by_one_are_counted_together():
    chips = chips_of((Holding("roofs", listed(["round", "round", "triangular"])),), game_texts("capitol"), "capitol")
    assert [(chip.component, chip.count) for chip in chips] == [("round roof", 2), ("triangular roof", 1)]


def test_the_uppermost_bonus_tiles_show_their_faces_with_what_each_is_worth():
    held = (Holding("next bonus tiles", (Amount("route-5", value=2), Amount("Baden", value=3))),)
    chips = chips_of(held, game_texts("thurn_and_taxis"), "thurn_and_taxis")
    assert [(chip.component, chip.kind, chip.numbers) for chip in chips] == [
        ("bonus tile", "5", "2"),
        ("bonus tile", "Baden", "3"),
    ]


def test_what_nobody_has_told_is_not_counted():
    (chip,) = chips_of((Holding("cards", listed([NOT_TOLD])),), game_texts("capitol"), "capitol")
    assert (chip.component, chip.count, chip.numbers, chip.words) == ("roof card back", None, "?", "cards not told")


def test_what_has_no_face_is_told_in_words_unless_there_is_none():
    held = (Holding("points", number(3)), Holding("cards", ()), Holding("carriage", (Amount(value=4),)))
    chips = chips_of(held, TEXTS, "city_of_marble")
    assert [(chip.words, chip.component) for chip in chips] == [("points 3", ""), ("carriage 4", "")]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_named_component_has_faces_that_differ(game):
    board = print_and_play_board(game)
    pictures = chip_pictures(board, 24)
    for component in drawing_of(game).holdings.values():
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


def test_floors_on_one_another_are_towers_and_a_number_says_how_many_are_alike():
    held = (Holding("unfinished", tuple(Amount(value=height) for height in (3, 2, 3))), Holding("unfinished", ()))
    chips = chips_of(held, game_texts("capitol"), "capitol")
    assert [(chip.component, chip.storeys, chip.top, chip.figure) for chip in chips] == [
        ("floor", 2, "", ""),
        ("floor", 3, "", "2"),
    ]
    assert [chip.words for chip in chips] == ["unfinished 2", "unfinished 3, 3"]


@pytest.mark.parametrize("storeys", range(1, 8))
def test_a_tower_has_a_line_for_each_storey_and_stays_within_a_face(storeys):
    pictures = chip_pictures(print_and_play_board("capitol"), 24)
    floor, roof = (pictures.cell_of(name, "", "red") for name in ("floor", "round roof"))
    for top in (None, roof):
        lain = pile(floor, storeys, top)
        assert len(lain) == storeys + (top is not None)
        for lower, upper in pairwise(lain[:storeys]):
            assert upper.y - lower.y - lower.height >= 0.5
        assert all(part.x >= 0 and part.x + part.width <= floor.width + 0.01 for part in lain)
        assert all(part.y >= 0 and part.y + part.height <= floor.height + 0.01 for part in lain)
        assert top is None or lain[-1].y >= lain[-2].y + lain[-2].height - 0.01
    assert pile(floor, 0) == [(floor, 0, 0, floor.width, floor.height)]


def test_a_storey_alone_is_a_block_that_one_sees():
    floor = chip_pictures(print_and_play_board("capitol"), 24).cell_of("floor", "", "red")
    (block,) = pile(floor, 1)
    assert block.height >= 0.4 * floor.height
    assert block.height > 2 * pile(floor, 2)[0].height
    assert block.width == pile(floor, 2)[0].width


@pytest.mark.window
@pytest.mark.parametrize("language", ["en", "it", "de"])
@pytest.mark.parametrize(
    ("game", "colour"), [("capitol", "red"), ("thurn_and_taxis", "red"), ("city_of_marble", "white")]
)
def test_no_chip_leaves_its_card_and_none_is_dropped_while_there_is_room(game, colour, language, start):
    from ui.widgets.chips import FACE, ChipStrip, chip_art, row_height
    from ui.widgets.scale import scale

    screen = start(RecordingPresenter(play_view(state_after(10))))
    board = print_and_play_board(game)
    screen.until(lambda: chip_art.of(board, round(scale.unit * FACE)) is not None)
    use_language(language)
    try:
        chips = chips_of(HELD[game], translated_texts(game), game)
    finally:
        use_language("en")
    wholes = set()
    for width in (60, 94, 140, 230, 420):
        for height in (0, 8, 18, 30, 42, 70, 200):
            strip = ChipStrip(board=board, colour=colour, chips=chips, size=(width, height))
            placed, step, is_whole = strip.fitted()
            wholes.add(is_whole)
            rows = int((height + 1) / row_height(step))
            assert all(each.left >= 0 and each.left + each.width <= width + 0.01 for each in placed)
            assert {each.row for each in placed} == set(range(rows if not is_whole else len({e.row for e in placed})))
            assert all(each.row < rows for each in placed)
            shown = {(each.chip.component, each.chip.kind, each.chip.count) for each in placed}
            assert not is_whole or shown >= {(c.component, c.kind, c.count) for c in chips if c.count != 0}
    assert wholes == {True, False}


def test_completed_buildings_are_faces_alike_ones_together():
    held = (Holding("completed", listed(["1-round", "2-triangular", "2-triangular"])),)
    chips = chips_of(held, game_texts("capitol"), "capitol")
    assert [(chip.component, chip.storeys, chip.top, chip.count, chip.figure) for chip in chips] == [
        ("floor", 1, "round roof", 1, ""),
        ("floor", 2, "triangular roof", 2, "2"),
    ]


def test_a_building_that_is_held_is_seen_by_its_storey():
    assert ChipView("completed 1 round", "floor", "1-round", 1, "1", storeys=1, top="round roof").printed == "1"
    assert ChipView("stacks 3 red", "ward", "red", 3).printed == "red"


def _wards(*held):
    return chips_of(held, TEXTS, "city_of_marble")


def test_wards_stand_in_the_same_places_and_those_just_drawn_beside_the_same_face():
    atrium, domus = (
        Holding("atrium", counted({"yellow": 1, "red": 2})),
        Holding("domus", counted({"blue": 1, "red": 1})),
    )
    chips = _wards(atrium, domus)
    assert [(chip.kind, chip.count, chip.added) for chip in chips] == [
        ("red", 2, 1),
        ("yellow", 1, 0),
        ("green", 0, 0),
        ("blue", 0, 1),
    ]
    assert [chip.is_none for chip in chips] == [False, False, True, False]
    assert chips[0].words == "atrium 2 red, domus 1 red"


def test_a_stack_that_is_used_up_keeps_its_place():
    assert [(chip.kind, chip.count) for chip in _wards(Holding("stacks", counted({"blue": 9, "yellow": 4})))] == [
        ("red", 0),
        ("yellow", 4),
        ("green", 0),
        ("blue", 9),
    ]


def test_wards_of_which_nobody_told_the_colour_are_not_given_one():
    chips = _wards(Holding("atrium", counted({"untold": 3})), Holding("domus", counted({"untold": 2})))
    assert [(chip.kind, chip.count, chip.added) for chip in chips] == [("untold", 3, None), ("untold", 2, None)]


@pytest.mark.window
def test_a_ward_that_is_drawn_moves_no_other_on_the_screen(start):
    from ui.widgets.chips import FACE, ChipStrip, chip_art
    from ui.widgets.scale import scale

    screen = start(RecordingPresenter(play_view(state_after(10))))
    board = print_and_play_board("city_of_marble")
    screen.until(lambda: chip_art.of(board, round(scale.unit * FACE)) is not None)
    coins = Holding("coins", number(3))
    few = _wards(Holding("atrium", counted({"yellow": 1})), Holding("domus", ()), coins)
    many = _wards(Holding("atrium", counted({"red": 1, "blue": 2})), Holding("domus", counted({"red": 2})), coins)
    for width in (150, 240, 500):
        left = [
            [
                (each.left, each.row, each.more > 0)
                for each in ChipStrip(board=board, chips=chips, size=(width, 300)).fitted()[0]
            ]
            for chips in (few, many)
        ]
        assert left[0] == left[1]
        assert [more for _left, _row, more in left[0]] == [True] * 4 + [False]
