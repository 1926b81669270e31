"""What a table shows during an evening of random gestures stays as it was read and found right."""

import pytest

from companion.registry import GAMES
from tests.every_game import REFERENCE
from tests.ui.transcripts import trays
from tests.ui.transcripts.evenings import GESTURES, file_of, invented, transcript, written


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_shows_what_its_transcript_says(game: str) -> None:
    """Where a change of what is shown is wanted, write the transcripts anew by scripts/goldens and read the diff."""
    assert file_of(game).is_file(), "run scripts/goldens, and read what it has written"
    kept = file_of(game).read_text(encoding="utf-8")
    assert transcript(game, written(kept)).splitlines() == kept.splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_tray_and_phones_show_what_their_transcript_says(game: str) -> None:
    assert trays.file_of(game).is_file(), "run scripts/goldens, and read what it has written"
    kept = trays.file_of(game).read_text(encoding="utf-8")
    assert trays.trays(game, trays.gestures_of(game)).splitlines() == kept.splitlines()


def test_an_evening_of_a_game_that_has_none_yet_is_invented() -> None:
    gestures = list(invented(REFERENCE))
    assert len(gestures) == GESTURES
    assert {"press", "choose", "play"} <= {name for name, *_arguments in gestures}
    assert written(transcript(REFERENCE, gestures)) == gestures
