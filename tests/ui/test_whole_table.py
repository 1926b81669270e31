"""Table and record are two positions: one answer for all spots that differ, in every game, undone and replayed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from companion.photographs.joining import as_it_lies
from companion.registry import load_game
from companion.session.intents import Intent, IntentKind
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.tracker import HISTORY
from tests.every_game import CAPTURING, EVERY_GAME, at_most, some_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import sight, table_of
from tests.ui.test_liveliness import LOOKS
from tests.ui.test_presenter import WatchedTable
from ui.drawing.marks import CROSS
from ui.printed.scene import Shown, Word, compose_scene
from ui.table.corrections.amending import KEEP, RECORD_RIGHT, TABLE_RIGHT
from ui.table.corrections.repair_choices import AS_IT_LIES, UNDO_TO
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind


def elsewhere() -> WatchedTable:
    """Three wards lie where no action put them."""
    evening = WatchedTable()
    for action in ("ward E8-F8 red", "draw red blue", "end"):
        evening.presenter.on_choice(action)
    evening.look = dict(evening.session.game.appearance(evening.session.state))
    evening.see()
    del evening.look["ward E8-F8"]
    evening.lay({"ward I3-J3": "green", "ward C6-C7": "red"})
    for _ in range(3):
        evening.see()
    return evening


def transcript(evening: WatchedTable) -> list[str]:
    view = evening.view
    told = [] if view.verdict is None else [view.verdict.headline]
    return [*told, *(f"{choice.group} | {choice.text}" for choice in view.choices)]


def test_the_transcript_of_a_table_that_is_right_as_a_whole() -> None:
    evening = elsewhere()
    assert transcript(evening)[:5] == [
        "Ward C6-C7, red is not allowed",
        "Refused | Put it back",
        "Refused | Record it anyway",
        "The table is right | The table is right",
        "The record is right | The record is right",
    ]
    evening.presenter.on_choice(TABLE_RIGHT)
    assert transcript(evening)[1:] == [
        "The table is right. How did it come about? | "
        "Take the board as it lies; all that no camera sees stays as recorded",
        "The table is right. How did it come about? | Leave it as it is",
    ]
    evening.presenter.on_choice(AS_IT_LIES)
    assert transcript(evening)[0] == "Recorded as it lies on the table."
    assert evening.view.log[-1].text == "the record was corrected (as it lies on the table)"
    assert evening.session.game.appearance(evening.session.state) == evening.look
    evening.see()
    assert evening.view.eyes == "watching"
    assert evening.view.undo == "Undo: the record was corrected (as it lies on the table)"
    assert verify(read_record(record_text(evening.session.log), "record")) == []
    evening.press(IntentKind.UNDO)
    assert "ward E8-F8" in evening.session.game.appearance(evening.session.state)


def test_the_record_is_right_as_a_whole_until_the_table_is_put_right() -> None:
    evening = elsewhere()
    evening.presenter.on_choice(RECORD_RIGHT)
    assert evening.presenter.tracker.owed == {"ward E8-F8", "ward I3-J3", "ward C6-C7"}
    assert transcript(evening)[0] == "Put the board as the record has it; the marked spots differ."
    evening.see()
    assert RECORD_RIGHT not in {choice.key for choice in evening.view.choices}
    evening.look = dict(evening.session.game.appearance(evening.session.state))
    evening.see()
    assert evening.presenter.tracker.owed == frozenset()
    assert len(evening.actions) == 3


def test_a_whole_table_may_be_left_as_it_is() -> None:
    evening = elsewhere()
    entries = evening.session.entries
    evening.presenter.on_choice(TABLE_RIGHT)
    evening.presenter.on_choice(KEEP)
    assert evening.session.entries == entries
    assert TABLE_RIGHT in {choice.key for choice in evening.view.choices}


def test_a_board_that_cannot_be_as_it_lies_is_told_with_the_reason() -> None:
    evening = elsewhere()
    evening.lay({"cube H5": "white", "building C5": "temple", "magistrate I3-J3": "purple"})
    for _ in range(3):
        evening.see()
    entries = evening.session.entries
    evening.presenter.on_choice(TABLE_RIGHT)
    assert transcript(evening)[0].startswith("No single action explains it.")
    assert "magistrate I3-J3: is purple, which nobody plays" in transcript(evening)[0]
    assert evening.session.entries == entries


@pytest.mark.parametrize("game_id", [game for game in EVERY_GAME if game != CAPTURING])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_table_that_was_put_back_many_entries_is_undone_in_two_taps(game_id: str, seed: int) -> None:
    """Where pieces move, a board as it lay long ago is proposed as further moves."""
    session = Session.create(None, table_of(game_id, some_seats(game_id, 1)), clock=clock())
    play_at_random(session, at_most(game_id, 18), seed)
    while (earlier := unlike_before(session)) is None:
        assert session.legal_actions()
        play_at_random(session, 1, seed + len(session.entries))
    number, look = earlier
    presenter = seen(session, look)
    presenter.on_choice(TABLE_RIGHT)
    choice = next(choice for choice in presenter.view().choices if choice.key == UNDO_TO)
    before = len(session.log.done)
    presenter.on_choice(UNDO_TO)
    assert session.game.appearance(session.state) == look
    undone = before - len(session.log.done)
    assert choice.text.startswith("Undo from Player ")
    assert choice.text.endswith(f" on ({undone} in all)")
    assert 0 < undone <= before - number + 1
    presenter.on_intent(Intent(IntentKind.REDO))
    assert session.game.appearance(session.state) != look


def unlike_before(session: Session) -> tuple[int, Mapping[str, str]] | None:
    """An entry before which the board lay quite otherwise, too long ago to be taken back, and how it lay then."""
    looks = [session.game.appearance(session.log.before(entry.number).state) for entry in session.entries]
    now = session.game.appearance(session.state)
    for number in range(len(looks) - HISTORY, 0, -1):
        look = looks[number - 1]
        if len(now.items() ^ look.items()) > 4 and look not in looks[-HISTORY:]:
            return number, look
    return None


def seen(session: Session, look: Mapping[str, str]) -> Presenter:
    """A presenter to whom a table that shows `look` is out of step."""
    presenter = Presenter(session, clock=lambda: 0.0)
    for moment in range(1, 4):
        presenter.on_observation(sight(session.table.board, look, time=float(moment)))
    verdict = presenter.view().verdict
    assert verdict is not None
    assert verdict.kind is VerdictKind.REFUSED
    return presenter


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_what_lies_of_another_game_is_taken_wherever_it_can_be(game_id: str) -> None:
    game, table, random, taken = load_game(game_id), table_of(game_id, some_seats(game_id, 1)), Random(6), 0
    for seed in range(12):
        session = Session.create(None, table, clock=clock(), game_id="mended")
        play_at_random(session, at_most(game_id, 10 + seed), seed)
        before, start = session.state, len(session.entries)
        play_at_random(session, random.randrange(1, 10), seed + 50)
        look = game.appearance(session.state)
        while len(session.entries) > start and session.state != before and session.can_undo() is not None:
            session.undo()
        try:
            change = as_it_lies(game, session.state, look)
        except ValueError:
            continue
        session.correct(change, "as it lies on the table")
        assert game.appearance(session.state) == look
        assert verify(read_record(record_text(session.log), "record")) == []
        play_at_random(session, 10, seed)
        taken += 1
    assert taken >= 6


def test_places_that_differ_are_numbered_alike_on_the_board_and_among_the_choices() -> None:
    evening = elsewhere()
    view = evening.view
    assert view.verdict is not None
    asked = [choice for choice in view.choices if choice.key.startswith((TABLE_RIGHT, RECORD_RIGHT)) and choice.sites]
    spots = [choice.key.removeprefix(TABLE_RIGHT) for choice in asked[::2]]
    assert spots == list(view.verdict.spots)[: len(spots)]
    assert [choice.group.partition(":")[0] for choice in asked[::2]] == [str(n) for n in range(1, len(spots) + 1)]
    assert len(spots) > 1
    scene = compose_scene(evening.session.table.board, LOOKS, Shown(view.pieces, verdict=view.verdict))
    words = {word.text for word in scene if isinstance(word, Word)}
    assert {str(number) for number in range(1, len(spots) + 1)} <= words
    assert CROSS not in words
