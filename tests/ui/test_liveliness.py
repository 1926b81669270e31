"""What is seen and heard of a change: pieces on their way, points that are counted up, sounds."""

from __future__ import annotations

import wave
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.registry import print_and_play_board
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from scripts import sounds
from tests.tables import table_of
from tests.ui.test_demo_games import new_presenter
from ui.drawing.board_frame import BoardFrame
from ui.printed.motion import MOST, SECONDS, Movement, Way, compose_moving, movements, without
from ui.printed.scene import Filled, Looks, Shown, compose_scene
from ui.simulated_table.players import seated
from ui.table.cues import Cue, cues_of, gains
from ui.table.presenter import Presenter
from ui.view_models.play_view import PieceState, PieceView, PlayView

BOARD = print_and_play_board("city_of_marble")
LOOKS = Looks(BoardFrame(2.0, (0.0, 800.0)), None)
WARDS = [spot.name for spot in BOARD.spots.values() if spot.piece == "ward"]


def pieces(*labels: str, first: int = 0, state: PieceState = PieceState.PLACED) -> tuple[PieceView, ...]:
    return tuple(PieceView(WARDS[first + at], label, state) for at, label in enumerate(labels))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((), pieces("red"), [(Way.LAID, WARDS[0], "red", "")]),
        (pieces("red"), (), [(Way.TAKEN, WARDS[0], "red", "")]),
        (pieces("red"), pieces("red", first=5), [(Way.MOVED, WARDS[5], "red", WARDS[0])]),
        (pieces("red"), pieces("blue"), [(Way.LAID, WARDS[0], "blue", "")]),
        (pieces("red"), pieces("blue", first=5), [(Way.LAID, WARDS[5], "blue", ""), (Way.TAKEN, WARDS[0], "red", "")]),
        (pieces("red"), pieces("red", state=PieceState.LATEST), []),
        ((), pieces("red", state=PieceState.GHOST), []),
        ((), pieces(*["red"] * (MOST + 1)), []),
    ],
)
def test_what_moves_is_what_differs_unless_it_is_too_much(
    before: tuple[PieceView, ...], after: tuple[PieceView, ...], told: list[tuple[str, ...]]
) -> None:
    assert movements(BOARD, before, after) == tuple(Movement(*each) for each in told)


@pytest.mark.parametrize("way", ["laid", "moved"])
def test_a_piece_comes_from_elsewhere_and_ends_where_it_lies(way: str) -> None:
    before = pieces("red", first=5) if way == "moved" else ()
    after = pieces("red")
    moving = movements(BOARD, before, after)

    def corners(parts: Any) -> Any:
        (points,) = (each.points for each in parts if isinstance(each, Filled))
        return np.array(points)

    def on_the_way(share: float) -> Any:
        return corners(compose_moving(BOARD, LOOKS, before, after, moving, share * SECONDS[Way(way)]))

    lies = corners(compose_scene(BOARD, LOOKS, Shown(after)))
    assert on_the_way(1.0) == pytest.approx(lies)
    begun, middle = np.abs(on_the_way(0.0) - lies).max(), np.abs(on_the_way(0.5) - lies).max()
    assert begun > middle > 1
    assert without(after, moving) == ()


def test_a_piece_that_is_taken_goes_up_and_fades() -> None:
    before = pieces("red")
    (moving,) = movements(BOARD, before, ())
    early, late = (
        compose_moving(BOARD, LOOKS, before, (), [moving], share * SECONDS[Way.TAKEN]) for share in (0.1, 0.9)
    )
    assert max(y for _x, y in late[0].points) > max(y for _x, y in early[0].points)


def views(game: str) -> list[tuple[PlayView, PlayView, Session]]:
    """A game of simulated players, as it is shown before and after each action."""
    session = Session.create(None, table_of(game, 2))
    presenter = Presenter(session)
    players, found = seated(session.game, session.state, Random(2)), []
    while session.game.decide(session.state) is not None:
        before, state = presenter.view(), session.state
        action = players.choose(state, Random(len(found)))
        presenter.act(action)
        players = players.after(state, action, session.state)
        found.append((before, presenter.view(), session))
    return found


def test_points_that_were_won_are_told_to_whom_and_heard() -> None:
    changes = views("aqua_romana")
    for before, after, _session in changes:
        won = gains(before, after)
        had = {player.seat: player.points for player in before.players}
        assert {seat: had[seat] + points for seat, points in won.items()} == {
            player.seat: player.points for player in after.players if player.points > had[player.seat]
        }
        assert (Cue.COIN in cues_of(before, after, has_clock=False)) == bool(won) or after.score.final
    assert any(gains(before, after) for before, after, _session in changes)
    assert cues_of(changes[-1][0], changes[-1][1], has_clock=False) == (Cue.END,)
    session, presenter = changes[-1][2], Presenter(changes[-1][2])
    while True:  # what undoing brings back flies to nobody
        shown = presenter.view()
        presenter.on_intent(Intent(IntentKind.UNDO))
        assert not gains(shown, presenter.view())
        if len(session.moves) < len(changes) - 20:
            break


def test_each_kind_of_change_has_its_sound() -> None:
    session = Session.create(None, table_of("city_of_marble", 2))
    presenter = Presenter(session)

    def after(step: Any, *, has_clock: bool = False) -> tuple[Cue, ...]:
        before = presenter.view()
        step()
        return cues_of(before, presenter.view(), has_clock=has_clock)

    def act(text: str) -> Any:
        return lambda: presenter.act(session.game.parse_action(text, session.state))

    assert after(act("ward E8-F8 red")) == (Cue.STONE,)
    assert after(act("ward E8-F8 blue")) == (Cue.REFUSED,)
    assert after(act("draw red blue")) == (Cue.CARD,)
    assert after(act("end"), has_clock=True) == (Cue.CARD, Cue.TURN)
    assert after(lambda: presenter.on_intent(Intent(IntentKind.UNDO))) == (Cue.AGAIN,)
    assert after(lambda: None) == ()


def test_the_shipped_sounds_are_those_of_the_script_short_and_quiet(tmp_path: Path) -> None:
    assert sorted(sounds.SOUNDS) == sorted(Cue)
    for name, make in sounds.SOUNDS.items():
        shipped = sounds.FOLDER / f"{name}.wav"
        sounds.written(make(), tmp_path / shipped.name)
        assert shipped.stat().st_size <= 40_000
        levels = []
        for path in (shipped, tmp_path / shipped.name):
            with wave.open(str(path)) as sound:
                assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (sounds.RATE, 1, 2)
                data = sound.readframes(sound.getnframes())
            levels.append([int.from_bytes(data[at : at + 2], "little", signed=True) for at in range(0, len(data), 2)])
        assert levels[0] == pytest.approx(levels[1], abs=2)
        assert max(map(abs, levels[0])) == pytest.approx(32_767 * sounds.PEAK, abs=2)


@pytest.mark.window
def test_a_piece_is_seen_to_come_down_and_points_to_be_counted(start: Any) -> None:
    presenter = new_presenter("aqua_romana")
    driver = start(presenter)
    driver.until_printed()
    ids = driver.app.screens.current_screen.ids
    session, moved, flown = presenter.session, 0, 0
    players = seated(session.game, session.state, Random(2))
    for number in range(60):
        state = session.state
        action = players.choose(state, Random(number))
        presenter.act(action)
        players = players.after(state, action, session.state)
        driver.app.refresh()
        moved += bool(ids.board._moving._moving)
        flown += bool(ids.flying.children)
        if flown:
            gained = next(panel for panel in ids.players.children if panel.gains)
            assert gained.counted <= gained.points
            break
    assert moved
    assert flown
    driver.until(lambda: not ids.board._moving._moving and not ids.flying.children and gained.counted == gained.points)
    driver.until(lambda: not gained.gains)
