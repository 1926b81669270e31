"""A player leaves and a game is ended early, from the menu of the table: what is asked, said, shown and undone."""

from random import Random

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.every_game import EVERY_GAME, FOR_THREE, at_most, seats_for_leaving, some_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import sight, table_of
from ui.results.review import Review
from ui.services.text import use_language
from ui.table.presenter import Presenter
from ui.table.table_menu import TableMenu
from ui.view_models.form_view import Note, Picks


def table(game, seats=3, actions=0):
    session = Session.create(None, table_of(game, seats), clock=clock())
    play_at_random(session, actions, 1)
    return Presenter(session)


def transcript(menu):
    lines = [f"# {menu.heading()}"]
    for row in menu.rows():
        match row:
            case Note(text):
                lines.append(text)
            case Picks(_, found):
                lines += [f"- {each.text}" for each in found]
    return lines


def test_the_transcript_of_leaving():
    presenter = table("city_of_marble")
    menu = TableMenu(presenter, lambda: None)
    menu.touch("page", "leave")
    assert transcript(menu) == [
        "# A player leaves",
        "Who leaves? The pieces stay, the turns of that seat pass, the points count without a place.",
        "- Player 1",
        "- Player 2",
        "- Player 3",
    ]
    menu.touch("leave", "1")
    view = presenter.view()
    assert view.verdict.headline == "Player 1 has left. The others go on."
    assert [(player.has_left, player.acts) for player in view.players] == [(True, False), (False, True), (False, False)]
    assert view.undo == "Undo: Player 1 leaves"
    assert view.log[-1].text.startswith("Player 1 leaves. Player 1 ends the turn.")
    assert [row[1:] for row in view.score.ranking] == [("Player 2", 0, 0), ("Player 3", 0, 0), ("Player 1", 0, 0)]
    assert view.score.notes == ("Player 1 left before the end, keeps the points and has no place.",)
    menu.touch("page", "leave")
    assert transcript(menu)[1] == (
        "Who leaves? One player alone ends the game: the points are as they stand, and nobody has won."
    )
    assert transcript(menu)[2:] == [
        "- Player 2",
        "- Player 3",
        "Who is back, and plays from the next turn on?",
        "- Player 1",
    ]
    menu.touch("leave", "3")
    assert transcript(menu)[1:] == [
        "If Player 3 leaves, the game ends here, and nobody has won.",
        "- Player 3 leaves: end the game",
        "- No, we go on",
    ]
    assert not presenter.session.is_over
    menu.touch("leave", "3")
    view = presenter.view()
    assert view.prompt == "Ended early. The score is as it stands."
    assert not any(player.acts for player in view.players)
    presenter.on_intent(Intent(IntentKind.UNDO))
    presenter.on_intent(Intent(IntentKind.UNDO))
    assert not any(player.has_left for player in presenter.view().players)
    assert presenter.view().redo == "Redo: Player 1 leaves"
    menu.touch("leave", "2")
    menu.touch("return", "2")
    assert presenter.view().undo == "Undo: Player 2 is back"
    assert presenter.view().verdict.headline == "Player 2 is back."
    assert not any(player.has_left for player in presenter.view().players)


def test_with_two_players_a_touch_by_mistake_ends_no_game():
    presenter, left = table("capitol", seats=2), []
    menu = TableMenu(presenter, lambda: left.append("menu"))
    menu.touch("page", "leave")
    menu.touch("leave", "2")
    menu.touch("stay", "")
    menu.touch("leave", "1")
    assert menu.back()
    assert "- Player 2" in transcript(menu)
    assert (presenter.session.is_over, left) == (False, [])
    menu.touch("leave", "1")
    menu.touch("leave", "1")
    assert (presenter.session.is_over, left) == (True, ["menu"])


@pytest.mark.parametrize("game", FOR_THREE)
def test_the_others_answer_for_who_left_from_any_box(game):
    presenter, random, asked = table(game, seats_for_leaving(game), at_most(game, 12)), Random(4), []
    presenter.on_leave(2)
    session = presenter.session
    for _ in range(60):
        if session.actors == (2,):
            asked.append(presenter.view().prompt)
            assert presenter.on_intent(Intent(IntentKind.DONE, seat=1))
        legal = session.legal_actions()
        if not legal:
            break
        presenter.act(random.choice(legal))
    assert all(prompt.startswith("Player 2 has left, the others do it. ") for prompt in asked)
    assert session.record_status.left == {2}


def test_what_nobody_can_leave_undone_is_done_by_the_others():
    route, closing = ["Ulm", "Augsburg", "Muenchen"], {"housed": ["Ulm"], "waiting": ["Baiern"]}
    start = {"stage": "house", "player": {"1": {"route": route}}, "houses": {"Ulm": [1]}, "closing": closing}
    session = Session.create(None, table_of("thurn_and_taxis", 3), start=start, clock=clock())
    presenter = Presenter(session)
    presenter.on_leave(1)
    assert session.actors == (1,)
    assert presenter.view().prompt.startswith("Player 1 has left, the others do it. Player 1: ")
    presenter.on_choice("house Augsburg")
    assert "house Augsburg" in [move.action for move in session.moves]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_game_ended_early_names_no_winner_and_goes_on_after_an_undo(game):
    presenter = table(game, some_seats(game, 1), at_most(game, 15))
    menu = TableMenu(presenter, lambda: None)
    before = presenter.session.actors
    menu.touch("page", "end")
    assert transcript(menu) == [
        "# End early",
        "Why? The points are counted as they stand, and nobody is named the winner.",
        "- Time is up",
        "- We have had enough",
        "- For another reason",
        "Undo takes it back, and the game goes on.",
    ]
    menu.touch("end", "Time is up")
    view = presenter.view()
    assert view.score.heading == "Ended early"
    assert (view.score.final, view.score.decided) == (True, False)
    first, *others = view.score.notes
    assert first == "The points are those of the moment at which the game was ended; nobody has won."
    assert len(others) == (game == "capitol")  # whose round is not yet counted
    assert view.choices == ()
    assert view.buttons[0].text == "Done"
    assert not any(player.acts for player in view.players)
    assert view.undo == "Undo: ended early (Time is up)"
    review = Review(presenter.session).view()
    assert review.text == "ended early (Time is up)"
    assert not any(player.acts for player in review.players)
    presenter.on_intent(Intent(IntentKind.UNDO))
    assert presenter.session.actors == before
    assert presenter.view().score.heading in ("Score so far", "If it ended now")


def test_the_reason_of_an_early_end_is_recorded_in_english_and_shown_in_the_language_of_the_table():
    presenter = table("city_of_marble")
    menu = TableMenu(presenter, lambda: None)
    use_language("it")
    try:
        menu.touch("page", "end")
        row = next(row for row in menu.rows() if isinstance(row, Picks))
        assert row.picks[0].text == "Il tempo è finito"
        menu.touch("end", row.picks[0].key)
        assert presenter.session.entries[-1].reason == "Time is up"
        assert presenter.view().log[-1].text == "finita in anticipo (Il tempo è finito)"
        use_language("de")
        presenter.tell_anew()
        assert "Zeit" in presenter.view().log[-1].text
    finally:
        use_language("en")
    record = presenter.session.export().replace("Time is up", "Il tempo è finito")
    old = Presenter(Session.read(None, record, "record"))
    assert old.view().log[-1].text == "ended early (Il tempo è finito)"


def test_a_table_that_is_cleared_after_an_early_end_changes_nothing():
    presenter = table("city_of_marble", actions=20)
    board = presenter.board
    presenter.on_observation(sight(board, presenter.session.game.appearance(presenter.session.state)))
    presenter.on_end_early("Time is up")
    entries = presenter.session.entries
    for second in range(1, 6):
        presenter.on_observation(sight(board, {}, time=float(second)))
    assert presenter.session.entries == entries
    assert presenter.view().verdict.headline == "Ended early. The score is as it stands."


def test_a_joined_game_says_so_in_review_and_score():
    first = table("capitol", actions=10).session
    state = first.state
    session = Session.create(None, state.table, first.game.state_document(state), clock=clock())
    presenter = Presenter(session)
    assert presenter.view().score.notes[0].startswith("Joined in progress")
    review = Review(session)
    review.go(0)
    assert review.view().text == "The board as it lay when the game was joined."
    assert presenter.view().undo == ""


def test_a_camera_sees_past_the_turn_of_who_left():
    """Two turns are laid before anybody presses; between them is the seat that left."""
    presenter = table("city_of_marble")
    presenter.on_leave(2)
    ahead = Session.read(None, presenter.session.export(), "record", clock=clock())
    for words in ("ward E8-F8 red", "ward F8-G7 blue", "end"):
        ahead.submit(ahead.game.parse_action(words, ahead.state))
    third = next(action for action in ahead.legal_actions() if "green" in action.text and "ward" in action.text)
    assert ahead.submit(third, seat=3).entry is not None
    look = ahead.game.appearance(ahead.state)
    for second in range(3):
        presenter.on_observation(sight(presenter.board, look, time=float(second)))
    presenter.on_choice("candidate 0")
    assert presenter.session.actors == (3,)
    assert presenter.session.game.appearance(presenter.session.state) == look
