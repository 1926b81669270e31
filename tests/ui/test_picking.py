"""What lies in the tray and what lies on the board as a ghost, without a window."""

from dataclasses import replace

from calibration.components import load_components
from companion.registry import game_folder, print_and_play_board
from tests.session.evenings import new_session, play_at_random
from tests.ui.tables import BOARD, legal_choices, state_after
from ui.services.text import translated_texts, use_language
from ui.table.choice_faces import brief_of, faces_of_action
from ui.table.latest_moves import LatestMoves
from ui.table.picking import Picking, short_names
from ui.table.presenter import Presenter
from ui.view_models.play_view import ChipView, ChoiceView, PieceState, PieceView

WARDS = [name for name in BOARD.spots if name.startswith("ward ")]


def laying(spot: str, colour: str, group: str = "Ward") -> ChoiceView:
    site = BOARD.spots[spot].site
    ghost = (PieceView(spot, colour, PieceState.PLACED),)
    return ChoiceView(f"{site} {colour}", f"Ward {site}, {colour}", group, (site,), ghost=ghost, kind="Play a ward")


def picking(*choices: ChoiceView) -> Picking:
    found = Picking()
    found.take(choices)
    return found


def test_texts_lose_what_they_have_in_common():
    assert short_names(["Turn over Ulm", "Turn over Linz"]) == ("Ulm", "Linz")
    assert short_names(["Play Ulm, as a new route", "Play Linz, as a new route"]) == ("Ulm", "Linz")
    assert short_names(["Pass", "Pass"]) == ("Pass", "Pass")
    assert short_names(["One more (temple)", "One more (baths)"]) == ("temple", "baths")
    moved = ["Move the builder on space 1", "Curve builder on space 1"]
    assert short_names(moved) == tuple(moved)
    assert short_names(["Draw red", "Draw red, blue"]) == ("red", "red, blue")


def test_a_name_that_is_but_a_number_is_told_with_its_words():
    ready = [ChoiceView(f"ready {seat}", f"The cards of Player {seat} lie ready", "Be ready") for seat in (3, 4)]
    found = picking(*ready)
    assert [card.text for card in found.cards(9)] == [choice.text for choice in ready]
    named = [
        replace(choice, text=f"The cards of {name} lie ready") for choice, name in zip(ready, ("Bo", "Al"), strict=True)
    ]
    assert [card.text for card in picking(*named).cards(9)] == ["Bo", "Al"]


def test_groups_lie_in_the_tray_where_there_is_no_room_for_single_choices():
    choices = [ChoiceView(f"{group} {n}", f"{group} {n}", group) for group in ("Draw", "Spend") for n in range(5)]
    tray = picking(*choices)
    assert [card.key for card in tray.cards(10)] == [choice.key for choice in choices]
    assert [(card.key, card.count) for card in tray.cards(9)] == [("Draw", 5), ("Spend", 5)]
    tray.open("Spend")
    assert [card.text for card in tray.cards(0)] == ["0", "1", "2", "3", "4"]


def test_no_more_groups_are_folded_than_must_be_first_those_that_the_board_shows_too():
    closing = [ChoiceView(f"close {n}", f"Close {n}", "Close") for n in range(6)]
    playing = [ChoiceView(f"play {n}", f"Play {n}", "Play", (f"city/{n}",)) for n in range(4)]
    ending = ChoiceView("end", "End the turn", "End")
    tray = picking(*playing, *closing, ending)

    def laid(room: int) -> list[str]:
        return [card.key for card in tray.cards_within(lambda cards: len(cards) <= room)]

    assert laid(8) == ["Play", *(each.key for each in closing), "end"]
    assert laid(7) == laid(3) == ["Play", "Close", "end"]
    alike = [replace(each, text="Go on") for each in (closing[0], playing[0])]
    assert [card.opens for card in picking(*alike, *playing[1:]).cards_within(lambda _cards: True)] == [False, True]


def test_the_first_choice_of_a_place_is_a_ghost_until_another_is_looked_at():
    one, other = WARDS[0], WARDS[40]
    tray = picking(laying(one, "red"), laying(one, "blue"), laying(other, "red"))
    assert [(piece.spot, piece.label, piece.state) for piece in tray.ghost()] == [(one, "red", PieceState.GHOST)]
    assert tray.place == (1, 2)
    assert [card.key for card in tray.cards(9)] == [laying(one, "red").key, laying(one, "blue").key]
    tray.look_at(laying(one, "blue").key)
    assert [piece.label for piece in tray.ghost()] == ["blue"]
    assert [place.number for place in tray.other_places(BOARD)] == [2]
    tray.go_to(2)
    assert tray.chosen == laying(other, "red")
    tray.next_place()
    assert tray.place == (1, 2)


def test_other_choices_let_go_of_what_was_looked_at():
    tray = picking(laying(WARDS[0], "red"), laying(WARDS[40], "red"))
    tray.next_place()
    tray.take((laying(WARDS[0], "blue"),))
    assert tray.place == (1, 1)
    assert tray.chosen == laying(WARDS[0], "blue")


def test_what_is_forbidden_is_no_ghost():
    tray = picking(replace(laying(WARDS[0], "red"), forbidden=True))
    assert tray.chosen is None
    assert [card.forbidden for card in tray.cards(9)] == [True]


def test_too_many_places_are_not_looked_at_one_by_one():
    assert picking(*(laying(spot, "red") for spot in WARDS[:60])).chosen is None


def test_the_words_of_a_notation_name_the_faces():
    assert faces_of_action("city_of_marble", "draw red yellow", "white") == (
        ChipView("red", "ward", "red", 1),
        ChipView("yellow", "ward", "yellow", 1),
    )
    assert faces_of_action("city_of_marble", "recall F8-G8", "white") == (ChipView("white", "magistrate", "white", 1),)
    assert faces_of_action("capitol", "draw roof-3", "red") == (ChipView("red", "roof card", "red", 1),)
    assert faces_of_action("aqua_romana", "take double curve", "red") == (
        ChipView("double curve", "builder", "double curve", 1),
    )
    assert faces_of_action("thurn_and_taxis", "take deck", "red")[0].component == "city card back"
    assert faces_of_action("city_of_marble", "end", "white") == ()


def test_a_card_that_may_be_one_of_several_shows_the_faces_of_all():
    permits = ["white permit", "black permit", "red permit"]
    assert [face.component for face in faces_of_action("capitol", "draw permit", "red")] == permits
    pieces = load_components(game_folder("capitol") / "components.toml", print_and_play_board("capitol"))
    assert {*permits} <= {component.name for component in pieces}


def test_legal_choices_on_the_board_tell_what_they_lay():
    session = new_session(None, 2, "faces")
    play_at_random(session, 30, seed=4)
    presenter = Presenter(session)
    while not any(type(action).__name__ == "PlayWard" for action in presenter.legal):
        presenter.act(presenter.legal[0])
    ward = next(action for action in presenter.legal if type(action).__name__ == "PlayWard")
    presenter.on_site(ward.sites[0])
    choice = next(choice for choice in presenter.view().choices if choice.key == ward.text)
    assert (choice.ghost[0].spot, choice.ghost[0].label) == (f"ward {ward.sites[0]}", ward.colour)
    assert choice.kind == "Play a ward"


def test_the_latest_moves_are_those_that_can_be_seen():
    session = new_session(None, 2, "moves")
    play_at_random(session, 40, seed=2)
    texts = translated_texts("city_of_marble").at(session.table)
    moves = LatestMoves(session).view(texts, 40)
    assert [move.number for move in moves] == sorted((move.number for move in moves), reverse=True)
    assert all(move.faces or move.pieces or move.points for move in moves)
    lying = session.game.appearance(session.state)
    laid = next(move for move in moves if any(piece.spot.startswith("ward ") for piece in move.pieces))
    assert all(lying[piece.spot] == piece.label for piece in laid.pieces if piece.spot.startswith("ward "))


def test_latest_moves_that_were_told_before_are_told_alike_after_corrections_and_in_another_language():
    session = new_session(None, 2, "moves")
    play_at_random(session, 30, seed=2)
    texts = translated_texts("city_of_marble").at(session.table)
    moves = LatestMoves(session)
    assert len(moves.view(texts)) > 3
    play_at_random(session, 3, seed=5)
    assert moves.view(texts) == LatestMoves(session).view(texts)
    session.undo()
    assert moves.view(texts) == LatestMoves(session).view(texts)
    told = moves.view(texts)
    use_language("it")
    try:
        moves.anew()
        assert [move.text for move in moves.view(texts)] != [move.text for move in told]
    finally:
        use_language("en")


def test_every_choice_of_a_real_position_has_a_card():
    choices = legal_choices(state_after(92), 400)
    tray = picking(*choices)
    for group in tray.groups:
        tray.open(group)
        assert [card.key for card in tray.cards(0)] == [c.key for c in choices if c.group == group]


def test_buildings_are_shown_as_they_will_stand():
    told = {
        "floor new 2": [("floor", 1, ""), ("floor", 3, "")],
        "floor-5 1 1": [("floor", 2, ""), ("floor", 2, "")],
        "roof-3 round 2": [("roof card", 0, ""), ("floor", 2, "round roof")],
        "white 1-triangular Capitoline/1": [("white permit", 0, ""), ("floor", 1, "triangular roof")],
        "floor nothing": [("floor card", 0, "")],
        "ready 2": [("senator", 0, "")],
    }
    for notation, faces in told.items():
        found = faces_of_action("capitol", notation, "red")
        assert [(face.component, face.storeys, face.top) for face in found] == faces, notation
    assert brief_of(faces_of_action("capitol", "floor new 2", "red")) == "1 + 3"
    assert brief_of(faces_of_action("capitol", "ready 2", "red")) == ""


def test_beside_other_groups_it_is_said_what_is_done_to_each():
    played = [ChoiceView(f"{card} nothing", f"{card} card: played for nothing", "Play for nothing") for card in "AB"]
    tray = picking(*played, ChoiceView("pass", "Pass", "Pass"))
    assert [card.text for card in tray.cards(9)] == ["A card: played for nothing", "B card: played for nothing", "Pass"]
    tray.open("Play for nothing")
    assert [card.text for card in tray.cards(9)] == ["A", "B"]


def test_choices_that_only_their_groups_tell_apart_lie_in_groups():
    places = [
        ChoiceView(f"{side} {n}", f"The {side} is right", f"ward {n}") for n in "AB" for side in ("table", "record")
    ]
    tray = picking(ChoiceView("all", "The table is right", "The table is right"), *places)
    assert [(card.text, card.count) for card in tray.cards(60)] == [
        ("The table is right", 0),
        ("ward A", 2),
        ("ward B", 2),
    ]
    tray.open("ward B")
    assert [card.text for card in tray.cards(60)] == ["table", "record"]


def test_the_card_that_ends_a_bid_bears_its_players_colour():
    assert [face.kind for face in faces_of_action("capitol", "senator", "red")] == ["red"]
