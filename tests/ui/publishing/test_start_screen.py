"""What an organiser's event has a table play next, on the first screen in a real window."""

import pytest

from companion.publishing.messages import AssignedSeat, Assignment
from companion.publishing.status import PublishingStatus
from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.publishing import PublishedView
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


class _Organised:
    """A table to which an organiser's event assigns a round, or nothing."""

    assignment = None

    @property
    def view(self):
        return PublishedView(True, True, "", PublishingStatus(True, assignment=self.assignment, assigned_at="2099"))

    def tick(self, loop):
        """Nobody is told anything."""

    def close(self):
        """Nothing is open."""


def test_the_round_of_an_event_comes_before_everything_else(start, tmp_path):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        play_at_random(new_session(store, 2, "begun"), 9, seed=1)
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        shell.publishing = _Organised()
        _look(start(None, shell=shell))
        shell.close()


def _look(screen):
    def current(screen):
        return screen.app.screens.current_screen

    start = current(screen)
    go_on = start.ids.go_on
    assert go_on.strong
    assert start.ids.assigned.__self__.parent is None
    seats = (AssignedSeat(1, "Ada"), AssignedSeat(2, "Bo"))
    _Organised.assignment = Assignment("Ides of March", 2, "aqua_romana", seats)
    start.refresh()
    screen.frames()
    assert not go_on.strong
    first = start.ids.assigned.__self__
    assert (first.strong, first.text) == (True, "Play now · Ides of March, round 2: Ada, Bo")
    assert first.top > start.ids.hero.top
    screen.tap(first)
    assert current(screen).wizard.draft.names == ("Ada", "Bo")
    screen.app.back()
    _Organised.assignment = None
    current(screen).refresh()
    assert first.parent is None
