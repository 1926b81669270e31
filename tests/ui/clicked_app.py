"""An app that is played by somebody else's clicks: `python -m tests.ui.clicked_app SET-UP REMAINING FOLDER`.

Prints where to click next, a line `x y button` in window coordinates from the top left, until the score sheet of the
finished game is shown: then `over` with the totals. All but the last REMAINING actions are played beforehand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.ui.test_demo_games import new_presenter
from ui import bootstrap
from ui.offers import concerned_sites
from ui.presenter import Presenter
from ui.simulated_table.players import seated

SIZE = (1280, 800)
AGAIN = 0.5
"""seconds after which a click that changed nothing is followed by the next idea"""
Place = tuple[float, float, int]
LEFT, WHEEL_DOWN = 1, 5


def played_actions(words: str) -> list[Any]:
    """The actions of the simulated players' game."""
    presenter = new_presenter(words)
    session = presenter.session
    actions: list[Any] = []
    players = seated(session.game, session.state, Random(1))
    while session.game.decide(session.state) is not None:
        before = session.state
        action = players.choose(before, Random(len(actions)))
        presenter.act(action)
        players = players.after(before, action, session.state)
        actions.append(action)
    return actions


class Guide:
    """Says where a player would touch the screen to do the next action."""

    def __init__(self, app: Any, presenter: Presenter, actions: list[Any]) -> None:
        self._app, self._presenter, self._actions = app, presenter, actions
        self._done = 0
        self._ideas: Iterator[Place] = iter(())

    def next(self) -> Place | None:
        """Where to touch now; None once the score sheet is shown."""
        screen = self._app.screens.current_screen
        if screen.name == "score":
            return None
        done = len(self._presenter.session.moves)
        if done != self._done:
            self._done, self._ideas = done, iter(())
        if self._presenter.session.is_over:
            return self._place(screen.ids.score)
        action = self._actions[done]
        return self._press(screen, action) or self._idea(screen, action)

    def _press(self, screen: Any, action: Any) -> Place | None:
        """What does the action if it can be seen; what leads to it in the list of choices."""
        game, state = self._presenter.session.game, self._presenter.session.state
        decision = game.decide(state)
        if decision is not None and game.closing_action(state, decision.actors[0]) == action:
            button = next(each for each in screen.ids.buttons.children if each.intent == "done")
            return self._place(button)
        choice = next((each for each in self._presenter.view().choices if each.key == action.text), None)
        if choice is None:
            return None
        choices = screen.ids.choices
        for press in choices.ids.groups.children:
            if press.group == choice.group and not press.strong:
                return self._place(press)
        rows = choices.ids.rows
        low, high = rows.to_window(0, rows.y)[1], rows.to_window(0, rows.top)[1]
        for button in (each for row in rows.walk() for each in [row] if getattr(each, "key", "") == action.text):
            x, y, _button = self._place(button)
            if low + 10 < SIZE[1] - y < high - 10 and button.opacity:
                return x, y, LEFT
        x, y, _button = self._place(rows)
        return x, y, WHEEL_DOWN

    def _idea(self, screen: Any, action: Any) -> Place:
        """Ask what is possible; touch the sites that it is about, one after the other."""
        place = next(self._ideas, None)
        if place is None:
            self._ideas = self._all_ideas(screen, action)
            place = next(self._ideas)
        return place

    def _all_ideas(self, screen: Any, action: Any) -> Iterator[Place]:
        yield self._place(next(each for each in screen.ids.buttons.children if each.intent == "help"))
        board = screen.ids.board
        for number in range(len(board.board.sheets)):
            if number:
                yield self._place(screen.ids.sheet)
            for site in sorted(concerned_sites(self._presenter.session, action)):
                if site in board._places:
                    x, y = board.frame.pixel(board._places[site][0])
                    yield x, SIZE[1] - y, LEFT

    def _place(self, widget: Any) -> Place:
        x, y = widget.to_window(*widget.center)
        return x, SIZE[1] - y, LEFT


def tell(line: str) -> None:
    """Say something to whoever clicks."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: str, remaining: int, folder: Path) -> None:
    """Play the beginning, then wait for clicks."""
    bootstrap.prepare(folder, size=SIZE)
    from kivy.clock import Clock

    from ui.app import CompanionApp

    actions, presenter = played_actions(words), new_presenter(words)
    for action in actions[: -remaining if remaining else 0]:
        presenter.act(action)
    app = CompanionApp(presenter, lambda: None)
    guide = Guide(app, presenter, actions)
    shown: list[Any] = [None, 0.0]

    def look(_elapsed: float) -> None:
        view, now = presenter.view(), Clock.get_time()
        screen = app.screens.current_screen
        state = (id(view), screen.name, screen.ids.choices._group if screen.name == "play" else "")
        if state == shown[0] and now - shown[1] < AGAIN:
            return
        shown[:] = [state, now]
        place = guide.next()
        if place is None:
            score = presenter.view().score
            assert score is not None
            tell(f"over {sorted(row[2] for row in score.ranking)}")
            app.stop()
        else:
            tell(" ".join(str(round(value)) for value in place))

    Clock.schedule_interval(look, 0.06)
    app.run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
