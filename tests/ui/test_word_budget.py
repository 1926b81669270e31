"""How many words a usual turn takes on the play screen, beside names and numbers."""

import re
from random import Random
from statistics import median, quantiles

import pytest

from companion.registry import load_game
from ui.simulated_table.demo import demo_table, parse, playable
from ui.simulated_table.players import seated
from ui.table.choice_faces import labels_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window

BUDGET = 40
ACTIONS = 16
_WORD = re.compile(r"[^\W\d_]{2,}")
_TAG = re.compile(r"\[/?[a-z]+(?:=[^\]]*)?\]")


def words_shown(screen, names: set[str]) -> list[str]:
    """The words of all texts that the screen shows. Chips are names of pieces with their counts and do not count."""
    from kivy.uix.label import Label

    texts = [
        _TAG.sub("", widget.text)
        for widget in screen.walk()
        if isinstance(widget, Label) and widget.text and widget.opacity and min(widget.size) > 1
    ]
    return [word for text in texts for word in _WORD.findall(text) if word not in names]


@pytest.mark.parametrize("game", playable())
def test_a_usual_turn_takes_few_words(start, game):
    from companion.session.session import Session

    session = Session.create(
        None, demo_table(parse(["--game", game, "--players", str(min(3, load_game(game).info.seats[1]))]))
    )
    presenter = Presenter(session)
    driver = start(presenter)
    names = {word for player in session.table.players for word in player.name.split()}
    names |= {word for label in labels_of(game).get("city card", ()) for word in _WORD.findall(label)}
    names |= {presenter.texts.place(name) for name in names}
    players, counts = seated(session.game, session.state, Random(1)), []
    for number in range(ACTIONS):
        if session.is_over:
            break
        before, action = session.state, players.choose(session.state, Random(number))
        presenter.act(action)
        players = players.after(before, action, session.state)
        driver.app.refresh()
        driver.frames(1)
        counts.append(len(words_shown(driver.app.screens.current_screen, names)))
    told = f"{game}: median {median(counts):g}, p90 {quantiles(counts, n=10)[-1]:g}, most {max(counts)} words"
    assert median(counts) <= BUDGET, told
