"""The cards of the play screen: choices in the tray or on the shelf, and what of them lies on the board as a ghost."""

from dataclasses import replace
from itertools import permutations

import pytest

from tests.ui.tables import (
    BOARD,
    RecordingPresenter,
    legal_choices,
    play_view,
    show,
    state_after,
    touch_board,
)
from ui.table.picking import CardView
from ui.view_models.play_view import ChipView, ChoiceView, PieceState, PieceView

pytestmark = pytest.mark.window


@pytest.fixture
def presenter():
    return RecordingPresenter(play_view(state_after(120)))


@pytest.fixture
def screen(start, presenter):
    return start(presenter)


def cards(screen):
    from ui.widgets.tray import FaceCard

    return list(screen.all(FaceCard))


def test_few_choices_lie_in_the_tray_one_by_one(screen, presenter):
    screen.resize(1280, 800)
    choices = (*(ChoiceView(f"draw {n}", f"Draw {n}", "Draw") for n in range(3)), ChoiceView("end", "End", "End"))
    show(screen, presenter, replace(presenter.shown, choices=choices, buttons=()))
    assert {card.key for card in cards(screen)} == {choice.key for choice in choices}
    assert len(screen.app.screens.current_screen.ids.cards.buttons) == len(choices)


def test_of_many_choices_the_groups_lie_in_the_tray_and_open(screen, presenter):
    screen.resize(1280, 800)
    choices = legal_choices(state_after(92), 400)
    show(screen, presenter, replace(presenter.shown, choices=choices, buttons=()))
    groups = list(dict.fromkeys(choice.group for choice in choices))
    members = {group: [choice.text for choice in choices if choice.group == group] for group in groups}
    told = [group if len(members[group]) > 1 else members[group][0] for group in groups]
    assert [card.label for card in cards(screen)] == told
    assert screen.app.screens.current_screen.ids.primary.text == ""  # it would record nothing
    screen.tap(next(card for card in cards(screen) if card.key == groups[1]))
    screen.frames()
    assert {choice.group for choice in choices if choice.key in {card.key for card in cards(screen)}} == {groups[1]}
    screen.tap(cards(screen)[0])
    screen.until(lambda: bool(presenter.asked))
    assert presenter.asked == [("choice", cards(screen)[0].key)]


def test_what_is_opened_can_be_put_away(screen, presenter):
    choices = tuple(ChoiceView(f"{g} {n}", f"{g} {n}", f"Group {g}") for g in range(4) for n in range(6))
    show(screen, presenter, replace(presenter.shown, choices=choices, buttons=()))
    ids = screen.app.screens.current_screen.ids
    screen.tap(cards(screen)[0])
    screen.frames()
    assert ids.leave.width > 0
    screen.tap(ids.leave)
    screen.frames()
    assert ids.leave.width == 0
    assert presenter.asked == []


@pytest.mark.parametrize("size", [(480, 800), (800, 480)])
def test_players_are_shown_beside_many_choices_on_a_small_screen(screen, presenter, size):
    from ui.widgets.panels import PlayerPanel

    screen.resize(*size)
    choices = tuple(ChoiceView(f"show {n}", f"Turn over town {n}", "Turn over") for n in range(22))
    show(screen, presenter, replace(presenter.shown, choices=choices))
    ids = screen.app.screens.current_screen.ids
    assert len(ids.shelf.buttons) == 22
    for panel in screen.all(PlayerPanel):
        assert panel.height >= panel.ids.top.height
        assert panel.to_window(*panel.pos)[1] >= ids.shelf.to_window(0, ids.shelf.top)[1] - 1
        assert panel.to_window(panel.x, panel.top)[1] <= size[1]


def test_every_face_lies_within_its_card_after_any_change_of_choices(screen, presenter):
    from kivy.graphics import Rectangle

    from ui.widgets.face_strip import FaceStrip

    def misplaced():
        """The cards with a picture on which no face is drawn, or one that reaches beyond the card."""
        found = []
        for card in filter(lambda each: each.has_picture, cards(screen)):
            (strip,) = (each for each in card.walk(restrict=True) if isinstance(each, FaceStrip))
            drawn = [each for each in strip._drawing.children if isinstance(each, Rectangle)]
            inside = [card.y <= each.pos[1] and each.pos[1] + each.size[1] <= card.top for each in drawn]
            if not inside or not all(inside):
                found.append(card.label)
        return found

    screen.resize(1280, 800)
    screen.until_printed()
    row, spot = screen.app.screens.current_screen.ids.cards, next(each for each in BOARD.spots if "ward" in each)
    figure = CardView("next", "Next place", figure="1 / 2"), CardView("2", "", figure="2")
    faces = (
        CardView("red", "red", pieces=(PieceView(spot, "red", PieceState.PLACED),)),
        CardView("blue", "", pieces=(PieceView(spot, "blue", PieceState.PLACED),)),
    )
    words = CardView("say", "Say it"), CardView("pass", "Pass")
    for shown in (part for pair in permutations((figure, faces, words), 2) for part in pair):
        row.show(shown, BOARD, screen.board.textures, "black")
        screen.frames(2)
        assert misplaced() == [], shown


def ghost_choices():
    """Two places that overlap, one of them with two colours."""
    from companion.board.layout import EMPTY

    view = play_view(state_after(92))
    taken = {piece.spot for piece in view.pieces if piece.label != EMPTY}
    one, other = [name for name in BOARD.spots if name.startswith("ward A") and name not in taken][:2]

    def choice(spot, colour):
        ghost = (PieceView(spot, colour, PieceState.PLACED),)
        site = BOARD.spots[spot].site
        return ChoiceView(
            f"{site} {colour}", f"Ward {site}, {colour}", "Ward", (site,), ghost=ghost, kind="Play a ward"
        )

    choices = (choice(one, "red"), choice(one, "blue"), choice(other, "red"))
    return replace(view, choices=choices, buttons=(), legal_sites=frozenset())


def test_the_likeliest_of_several_places_is_a_ghost_and_the_primary_button_lays_it(screen, presenter):
    show(screen, presenter, ghost_choices())
    ids, choices = screen.app.screens.current_screen.ids, presenter.shown.choices
    assert [piece.spot for piece in screen.board.showing.ghost] == [choices[0].ghost[0].spot]
    assert [place.number for place in screen.board.showing.places] == [2]
    assert ids.primary.text == "Play a ward"
    screen.tap(ids.primary)
    assert presenter.asked == [("choice", choices[0].key)]


LONG_ACTS = (
    "Play a ward, end the turn",
    "Lay the tile of the fountain and end the turn",
    "Posa la tessera della fontana e termina il turno",
)


@pytest.mark.parametrize("reader", [1.0, 1.6])
@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (480, 800)])
def test_the_words_of_the_primary_button_stay_within_it_in_two_lines_at_most(screen, presenter, size, reader):
    from ui.widgets.controls import extent, fits, lines_of
    from ui.widgets.scale import scale

    scale.reader = reader
    try:
        screen.resize(*size)
        for words in LONG_ACTS:
            view = ghost_choices()
            choices = tuple(replace(choice, kind=words) for choice in view.choices)
            show(screen, presenter, replace(view, choices=choices))
            screen.frames(2)
            button = screen.app.screens.current_screen.ids.primary
            frame = 2 * scale.unit * 5  # its golden line
            lines = lines_of(button.text, button.font_size, button.width - 2 * frame, bold=True)
            assert button.text == words
            assert lines <= 2
            assert lines * extent("Ag", button.font_size, bold=True)[1] <= button.height - frame
            assert fits(words, button.font_size, button.width - 2 * frame, button.height - frame, bold=True)
            assert not button.shorten
    finally:
        scale.reader = 1.0


def test_the_primary_button_takes_what_the_tray_has_left_for_its_words(screen, presenter):
    from ui.widgets.controls import lines_of
    from ui.widgets.tray import row_width

    screen.resize(1280, 800)
    view = ghost_choices()
    widths = []
    for words in ("Lay it", *LONG_ACTS[:2]):
        choices = tuple(replace(choice, kind=words) for choice in view.choices)
        show(screen, presenter, replace(view, choices=choices))
        screen.frames(2)
        ids = screen.app.screens.current_screen.ids
        button = ids.primary
        assert button.font_size == button.largest
        assert lines_of(words, button.font_size, button.width - button.inset, bold=True) == 1
        assert row_width(ids.cards.cards) <= ids.cards.width + 1
        widths.append(button.width)
    assert widths[0] < widths[1] < widths[2]


def test_the_card_of_the_next_place_counts_in_one_line_above_its_word(screen, presenter):
    from ui.screens.play_tray import NEXT_PLACE
    from ui.widgets.controls import FittingText, lines_of

    for size in ((1280, 800), (800, 480), (480, 800)):
        screen.resize(*size)
        show(screen, presenter, ghost_choices())
        screen.frames(2)
        card = next(card for card in cards(screen) if card.key == NEXT_PLACE)
        told = [
            each
            for each in card.walk(restrict=True)
            if isinstance(each, FittingText) and each is not card and each.text
        ]
        assert [each.text for each in told] == ["1 / 2", "Next place"]
        figure, word = told
        assert lines_of(figure.text, figure.font_size, figure.width, bold=True) == 1
        assert lines_of(word.text, word.font_size, word.width, bold=True) == 1
        assert word.top <= figure.y + 1
        assert figure.font_size >= word.font_size


def test_a_numbered_place_is_gone_to_and_a_touch_on_the_ghost_lays_it(screen, presenter):
    from ui.printed.numbers import number_centres

    show(screen, presenter, ghost_choices())
    choices = presenter.shown.choices
    (place,) = screen.board.showing.places
    (centre,) = number_centres((place,), BOARD.spots[choices[0].ghost[0].spot].centre, 0.0)
    touch_board(screen, centre)
    assert presenter.asked == []
    assert [piece.spot for piece in screen.board.showing.ghost] == [choices[2].ghost[0].spot]
    touch_board(screen, BOARD.spots[choices[2].ghost[0].spot].centre)
    assert presenter.asked == [("choice", choices[2].key)]


def test_a_card_under_the_finger_lies_on_the_board(screen, presenter):
    from kivy.tests.common import UnitTestTouch

    screen.resize(1280, 800)
    show(screen, presenter, ghost_choices())
    blue = next(card for card in cards(screen) if card.key == presenter.shown.choices[1].key)
    finger = UnitTestTouch(*blue.to_window(*blue.center))
    finger.touch_down()
    screen.frames()
    assert [piece.label for piece in screen.board.showing.ghost] == ["blue"]
    finger.touch_up()
    screen.frames()
    assert presenter.asked == []
    assert [piece.label for piece in screen.board.showing.ghost] == ["blue"]
    screen.tap(next(card for card in cards(screen) if card.key == presenter.shown.choices[1].key))
    assert presenter.asked == [("choice", presenter.shown.choices[1].key)]


def test_the_next_place_takes_no_room_from_pieces_with_the_largest_texts(screen, presenter):
    from ui.screens.play_tray import NEXT_PLACE
    from ui.widgets.scale import scale

    scale.reader = 1.6
    try:
        screen.resize(480, 800)
        laying = ghost_choices()
        more = tuple(replace(laying.choices[0], key=str(number), text=str(number)) for number in range(4))
        show(screen, presenter, replace(laying, choices=(*laying.choices, *more)))
        screen.frames(3)
        ids = screen.app.screens.current_screen.ids
        assert NEXT_PLACE in {card.key for card in ids.cards.buttons}
        assert len(ids.shelf.buttons) > 4
        assert not any(card.key == NEXT_PLACE for card in ids.shelf.buttons)
    finally:
        scale.reader = 1.0


def test_a_card_that_had_a_face_shows_its_word_in_the_middle_without_one(screen, presenter):
    from ui.widgets.controls import FittingText
    from ui.widgets.tray import FaceCard

    face = ChipView("white aqueduct", "aqueduct white")
    for faces in ((), (face,), (), (face,), ()):
        choices = tuple(ChoiceView(key, key, faces=faces) for key in ("One", "Two"))
        show(screen, presenter, replace(presenter.shown, choices=choices, legal_sites=frozenset()))
        for card in screen.all(FaceCard):
            word = next(
                each for each in card.walk(restrict=True) if isinstance(each, FittingText) and each.text == card.label
            )
            assert word.height >= 0.7 * card.height if not faces else word.height <= 0.5 * card.height


def test_what_is_none_of_the_others_kind_lies_in_the_tray_while_they_fill_the_shelf(screen, presenter):
    screen.resize(1280, 1000)
    likely = tuple(ChoiceView(f"amend {n}", f"Aqueduct piece number {n}, white", "Instead") for n in range(6))
    others = tuple(ChoiceView(f"other {n}", f"Something else {n}", "Instead", is_beside=True) for n in range(3))
    show(screen, presenter, replace(presenter.shown, choices=(*likely, *others), buttons=()))
    ids = screen.app.screens.current_screen.ids
    assert [card.key for card in ids.shelf.buttons] == [choice.key for choice in likely]
    assert [card.key for card in ids.cards.buttons] == [choice.key for choice in others]
    assert not ids.shelf.ids.scroll.do_scroll_y


def test_a_tray_without_cards_has_no_bar_to_scroll_by(screen, presenter):
    screen.resize(800, 480)
    ids = screen.app.screens.current_screen.ids
    choices = tuple(ChoiceView(f"draw {n}", f"Draw the wards number {n}", "Draw") for n in range(5))
    show(screen, presenter, replace(presenter.shown, choices=choices[:3], buttons=()))
    ids.cards.row = 4000
    show(screen, presenter, replace(presenter.shown, choices=(), buttons=()))
    assert not ids.cards.buttons
    assert not ids.cards.ids.scroll.do_scroll_x


def test_what_may_be_done_stands_alone_where_reasons_against_the_rest_would_crowd_it_out(screen, presenter):
    screen.resize(1280, 800)
    site = BOARD.spots["ward F8-G8"].site
    legal = tuple(
        ChoiceView(f"ward {colour}", f"Ward in {colour}", "Play a ward", (site,), kind="Play a ward")
        for colour in ("red", "yellow", "green", "blue")
    )
    forbidden = tuple(
        ChoiceView(f"lay {n}", f"Aqueduct number {n}", "Why not?", (site,), forbidden=True) for n in range(9)
    )
    show(screen, presenter, replace(presenter.shown, choices=(*legal, *forbidden), buttons=()))
    assert [(card.key, card.opens) for card in cards(screen)] == [
        *((choice.key, False) for choice in legal),
        ("Why not?", True),
    ]
    screen.tap(next(card for card in cards(screen) if card.key == "Why not?"))
    screen.frames()
    assert {card.key for card in cards(screen)} == {choice.key for choice in forbidden}


def test_a_question_has_its_answers_alone_in_the_tray(screen, presenter):
    screen.resize(1280, 800)
    question = "Phone 2 asks for the seat of Tiberio. May it sit there?"
    answers = tuple(ChoiceView(f"asked {each} join 2", each.title(), question) for each in ("yes", "no"))
    others = legal_choices(state_after(92), 400)
    show(screen, presenter, replace(presenter.shown, choices=(*answers, *others), buttons=()))
    ids = screen.app.screens.current_screen.ids
    assert ids.prompt.text == question
    assert ids.primary.text == ""
    assert [card.label for card in cards(screen)] == ["Yes", "No"]
    screen.tap(cards(screen)[0])
    screen.until(lambda: bool(presenter.asked))
    assert presenter.asked == [("choice", "asked yes join 2")]


def test_undo_keeps_its_word_where_the_tray_has_room_for_it(screen, presenter):
    screen.resize(1280, 800)
    from ui.widgets.scale import scale
    from ui.widgets.tray import SMALLEST, row_width

    undo = {"undo": "Undo: Player 2: Draw yellow, blue", "undone": "Draw yellow, blue", "redo": "Redo: End the turn"}
    heads = []
    for length in range(8, 30):
        names = [f"{number} {'m' * length}" for number in range(6)]
        choices = tuple(ChoiceView(f"key {name}", name, name) for name in names)
        show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), verdict=None, supply=(), **undo))
        shown = screen.app.screens.current_screen
        ids = shown.ids
        heads.append(bool(ids.undo.head_height))
        if not heads[-1] and not ids.shelf.buttons:
            free = shown.width - 2 * shown.gap - ids.redo.width - row_width(shown.cards, SMALLEST)
            assert not ids.undo.has_words_within(free - scale.unit * 64)
    assert heads[0]
    assert not all(heads)


def test_cards_with_faces_lie_within_the_tray_after_cards_of_words(screen, presenter):
    screen.resize(1280, 800)
    words = tuple(ChoiceView(f"say {n}", f"Say {n}") for n in range(4))
    show(screen, presenter, replace(presenter.shown, choices=words, buttons=()))
    faces = tuple(
        ChoiceView(f"draw {n}", f"Draw {n}", "Draw", faces=(ChipView("red", "ward", "red", 1),)) for n in range(3)
    )
    show(screen, presenter, replace(presenter.shown, choices=faces, buttons=()))
    row = screen.app.screens.current_screen.ids.cards
    assert len(cards(screen)) == 3
    for card in cards(screen):
        low = card.to_window(card.x, card.y)[1]
        assert row.y <= low
        assert low + card.height <= row.top


def test_the_words_of_redo_give_way_before_those_of_undo(screen, presenter):
    screen.resize(1280, 800)
    undo = {"undo": "Undo: Draw yellow", "undone": "Draw yellow", "redo": "Redo: End the turn"}
    seen = set()
    for length in range(8, 30):
        names = [f"{number} {'m' * length}" for number in range(6)]
        choices = tuple(ChoiceView(f"key {name}", name, name) for name in names)
        show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), verdict=None, supply=(), **undo))
        ids = screen.app.screens.current_screen.ids
        seen.add((bool(ids.undo.foot_height), ids.redo.has_words_within(ids.redo.width)))
    assert (True, False) in seen, seen
    assert (False, True) not in seen


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
def test_words_below_pictures_are_whole_or_all_go_and_go_before_the_name_of_undo(screen, presenter, size):
    screen.resize(*size)
    undo = {"undo": "Undo: Draw yellow", "undone": "Draw yellow", "redo": ""}
    ids, seen = screen.app.screens.current_screen.ids, set()
    components = [f"ward {colour}" for colour in ("red", "yellow", "green", "blue")][: 4 if size[0] > 480 else 2]
    for length in range(2, 30, 2):
        choices = tuple(
            ChoiceView(f"key {each}", f"{each[5]}{'m' * length}", "Take", faces=(ChipView(each, each),))
            for each in components
        )
        show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), verdict=None, supply=(), **undo))
        screen.frames(2)
        if not ids.cards.buttons:
            continue
        labels = [
            label
            for card in ids.cards.buttons
            for label in card.walk(restrict=True)
            if label is not card and getattr(label, "text", "")
        ]
        assert [label.text for label in labels if label.is_shortened] == []
        assert len(labels) in (0, len(choices))
        assert ids.undo.head_height or not labels
        assert not ids.cards.ids.scroll.do_scroll_x
        seen.add(bool(labels))
    assert seen == {True, False}


def test_a_crowded_row_takes_all_the_room_before_its_words_grow_smaller(screen, presenter):
    screen.resize(800, 480)
    ids, crowded = screen.app.screens.current_screen.ids, []
    for length in range(2, 20):
        names = [f"{number} {'m' * length}" for number in range(4)]
        choices = tuple(ChoiceView(f"key {name}", name, name) for name in names)
        show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), verdict=None, supply=()))
        screen.frames(2)
        labels = [each for card in ids.cards.buttons for each in card.walk(restrict=True) if getattr(each, "text", "")]
        if any(label.font_size < label.largest for label in labels):
            crowded.append(ids.cards.width - (ids.cards.buttons[-1].right - ids.cards.buttons[0].x))
    assert crowded
    assert max(crowded) < 4


def test_undo_takes_what_a_narrow_tray_has_left_for_its_word(screen, presenter):
    from ui.services.text import use_language

    screen.resize(480, 800)
    ids, seen = screen.app.screens.current_screen.ids, set()
    use_language("de")
    try:
        ids.undo.text = "Zurücknehmen"
        for length in range(1, 24):
            choices = tuple(ChoiceView(f"key {n}", f"{n} {'m' * length}", f"Take {n}") for n in range(3))
            show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), verdict=None, supply=()))
            screen.frames(2)
            if ids.cards.buttons:
                seen.add(bool(ids.undo.head_height))
                left = ids.undo.width + ids.cards.width - (ids.cards.buttons[-1].right - ids.cards.buttons[0].x)
                assert ids.undo.head_height or not ids.undo.has_words_within(left - 8)
                assert ids.cards.x - ids.undo.right < 24  # no gaps of parts that are not there
        many = tuple(ChoiceView(f"key {n}", f"Number {n} of many", "Take") for n in range(20))
        show(screen, presenter, replace(presenter.shown, choices=many, buttons=(), verdict=None, supply=()))
        screen.frames(2)
        assert ids.shelf.buttons
        assert ids.undo.head_height
    finally:
        use_language("en")
    assert True in seen
