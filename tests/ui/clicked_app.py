"""The app, played by somebody else's clicks: `python -m tests.ui.clicked_app SET-UP WIDTH HEIGHT FOLDER`.

From the start screen through the set-up wizard to the score sheet it prints where to touch next, a line `x y button` in
window coordinates from the top left, each once the touch before has been answered and drawn. Last comes `over` with
what was played, as JSON. SET-UP are options of the demo, GAME first.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.session.store import Store
from companion.table import Table
from ui.application import bootstrap
from ui.drawing.board_frame import site_outline, site_places
from ui.drawing.marks import DISC
from ui.printed.numbers import number_centres
from ui.screens import settling
from ui.shell.shell import Shell
from ui.simulated_table.demo import demo_table, parse
from ui.simulated_table.players import seated
from ui.table.legal_choices import MOST_CHOICES, LegalChoices
from ui.view_models.setup_view import SetupStep

STORE = "games.sqlite3"
LONGEST_WAIT = 10.0
"""seconds after which a touch is taken for one that changed nothing"""
MOST_IDLE = 3
"""such touches, after which no more are asked for"""
FRAMES = 2
"""until what a touch changed is laid out"""
LEFT, WHEEL_DOWN = 1, 5
Place = tuple[float, float, int]


@dataclass
class Played:
    """What came of it. `most_taps` are those of the action that took the most, `scrolls` turns of the wheel in all."""

    game: str = ""
    totals: tuple[int, ...] = ()
    actions: int = 0
    taps: int = 0
    most_taps: int = 0
    most_taps_for: str = ""
    scrolls: int = 0
    idle: list[str] = field(default_factory=list)
    """touches that changed nothing"""


class Guide:
    """Says where a player who knows the app would touch the screen next."""

    def __init__(self, app: Any, table: Table, seed: int) -> None:
        self._app, self._table, self._seed = app, table, seed
        self._players: Any = None
        self._action: Any = None
        self._number = -1
        self._taps = 0
        self.played = Played()

    def next(self) -> Place | None:
        """Where to touch now; None once the score sheet is shown."""
        screen = self._app.screens.current_screen
        match screen.name:
            case "start":
                return self._place(screen.ids.new)
            case "setup":
                return self._set_up(screen)
            case "play":
                return self._play(screen)
        return None

    def shown(self) -> tuple[Any, ...]:
        """What a touch may change."""
        screen = self._app.screens.current_screen
        match screen.name:
            case "setup":
                return screen.name, screen.wizard.step, screen.wizard.draft
            case "play":
                picking, scroll = screen.picking, screen.ids.shelf.ids.scroll
                looked_at = picking.group, picking.place, picking.chosen, screen.ids.board.showing.legal
                return id(self._app.presenter.view()), looked_at, screen.ids.board.sheet, scroll.scroll_y
        return (screen.name,)

    def _set_up(self, screen: Any) -> Place:
        """What is not as wanted is changed; then on to the next page."""
        draft, wanted, ids = screen.wizard.draft, self._table, screen.ids
        match screen.wizard.step:
            case SetupStep.GAME if draft.game != wanted.game:
                return self._place(next(press for press in ids.games.children if press.key == wanted.game))
            case SetupStep.PLAYERS if len(draft.names) < len(wanted.players):
                return self._place(ids.add_seat)
            case SetupStep.OPTIONS:
                for option, question in zip(draft.options, reversed(ids.questions.children), strict=True):
                    chosen, asked = draft.outcomes[option.name], wanted.options[option.name]
                    surplus = [name for name in chosen if name not in asked] if option.count > 1 else []
                    for name in (*surplus, *(name for name in asked if name not in chosen)):
                        return self._place(next(press for press in question.ids.picks.children if press.key == name))
        return self._place(ids.go_on)

    def _play(self, screen: Any) -> Place:
        session = self._app.presenter.session
        if len(session.moves) != self._number:
            self._next_action(session)
        if session.is_over:
            return self._place(screen.ids.score)
        self._taps += 1
        self.played.taps += 1
        if self._taps > self.played.most_taps:
            self.played.most_taps, self.played.most_taps_for = self._taps, self._action.text
        return self._press(screen) or self._choice(screen) or self._narrow(screen)

    def _next_action(self, session: Any) -> None:
        game, state = session.game, session.state
        if self._players is None:
            self._players = seated(game, state, Random(self._seed))
        else:
            self._players = self._players.after(self._state, self._action, state)
        self._number, self._taps, self._state = len(session.moves), 0, state
        self.played.game = session.id
        if not session.is_over:
            self._action = self._players.choose(state, Random(1000 * self._seed + self._number))

    def _press(self, screen: Any) -> Place | None:
        """The button that does the action."""
        game, state = self._app.presenter.session.game, self._app.presenter.session.state
        primary = screen._primary
        if primary is not None and self._action.text in (getattr(primary, "key", ""), getattr(primary, "does", "")):
            return self._place(screen.ids.primary)
        if game.closing_action(state, game.decide(state).actors[0]) != self._action:
            return None
        done = next((each for each in screen.ids.buttons.children if each.intent == "done"), None)
        return self._place(done) if done is not None else None

    def _choice(self, screen: Any) -> Place | None:
        """The card that does the action; what brings it into view."""
        choice = next((each for each in screen.picking.choices if each.key == self._action.text), None)
        if choice is None:
            return None
        cards = {each.key: each for each in (*screen.ids.cards.buttons, *screen.ids.shelf.buttons)}
        if choice.key in cards:
            return self._card(screen, cards[choice.key])
        board = screen.ids.board
        from kivy.metrics import dp

        ghosts = [board.shown.spots[piece.spot].centre for piece in board.showing.ghost]
        disc = dp(DISC) / board.frame.scale
        centres = number_centres(board.showing.places, next(iter(ghosts), None), disc)
        for place, centre in zip(board.showing.places, centres, strict=True):
            if choice.sites and place.outline == site_outline(board.shown, choice.sites[0]):
                x, y = board.frame.pixel(centre)
                return x, self._app.root.height - y, LEFT
        if choice.group in cards:
            return self._card(screen, cards[choice.group])
        if screen.picking.group not in ("", choice.group):
            return self._place(screen.ids.leave)
        return None

    def _card(self, screen: Any, card: Any) -> Place:
        """A card, or a turn of the wheel that brings it into view."""
        x, y, _button = self._place(card)
        scroll = next(each for each in (screen.ids.shelf, screen.ids.cards) if card in each.buttons).ids.scroll
        low, high = scroll.to_window(0, scroll.y)[1], scroll.to_window(0, scroll.top)[1]
        if low < self._app.root.height - y < high:
            return x, y, LEFT
        self.played.scrolls += 1
        x, y, _button = self._place(scroll)
        return x, y, WHEEL_DOWN

    def _narrow(self, screen: Any) -> Place:
        """The site on the board that leaves the fewest choices beside the wanted one; else all that is possible."""
        left, board = self._narrowing(), screen.ids.board
        places = site_places(board.shown)
        here = [site for site in left if site in places]
        if here:
            x, y = board.frame.pixel(places[min(here, key=left.__getitem__)][0])
            return x, self._app.root.height - y, LEFT
        if left:
            return self._place(screen.ids.sheet)
        return self._place(screen.ids.help)

    def _narrowing(self) -> dict[str, int]:
        """How many choices a touch of each site would leave, where it would leave fewer than there are now."""
        session, texts = self._app.presenter.session, self._app.presenter.texts
        now = [choice.key for choice in self._app.presenter.view().choices]
        most = len(now) if self._action.text in now else MOST_CHOICES + 1
        offers, left = LegalChoices(session), {}
        named = offers.sites(self._action)
        for site in (place for sheet in session.table.board.sheets for place in site_places(sheet)):
            if site not in named and site.rpartition("/")[2] not in named:
                continue
            offers.marked = (site,)
            keys = [choice.key for choice in offers.choices(texts)]
            if self._action.text in keys and len(keys) < most:
                left[site] = len(keys) - (site in self._action.sites)
        return left

    def _place(self, widget: Any) -> Place:
        x, y = widget.to_window(*widget.center)
        return x, self._app.root.height - y, LEFT


class Watch:
    """Tells where to touch as soon as the touch before was answered and what came of it is drawn."""

    def __init__(self, app: Any, guide: Guide) -> None:
        self._app, self._guide = app, guide
        self._asked_at, self._frames = 0.0, 0
        self._before: Any = None

    def look(self, _elapsed: float) -> None:
        """Once a frame."""
        from kivy.clock import Clock

        now, shown = Clock.get_time(), self._guide.shown()
        if shown == self._before and now - self._asked_at < LONGEST_WAIT:
            self._frames = 0
            return
        self._frames += 1
        if self._frames < FRAMES:
            return
        if shown == self._before:
            self._guide.played.idle.append(str(shown))
        self._asked_at, self._frames, self._before = now, 0, shown
        place = self._guide.next() if len(self._guide.played.idle) < MOST_IDLE else None
        if place is not None:
            tell(" ".join(str(round(value)) for value in place))
            return
        if not self._guide.played.idle:
            score = self._app.presenter.view().score
            self._guide.played.actions = len(self._app.presenter.session.moves)
            self._guide.played.totals = tuple(row[2] for row in sorted(score.ranking))
        tell("over " + json.dumps(asdict(self._guide.played)))
        self._app.stop()


def tell(line: str) -> None:
    """Say something to whoever clicks."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: str, size: tuple[int, int], folder: Path) -> None:
    """Wait for clicks from the start screen on, as fast as they come."""
    settling.SETTLING = 0.0
    bootstrap.prepare(folder / "kivy", size=size)
    from kivy.clock import Clock

    from ui.application.app import CompanionApp

    with Store(folder / STORE) as store:
        shell = Shell(store, folder)
        app = CompanionApp(None, shell.tick, shell.close, shell=shell, error_log=folder / "errors.log")
        wanted = parse(["--game", *words.split()])
        watch = Watch(app, Guide(app, demo_table(wanted), wanted.seed))
        app.bind(on_start=lambda _app: Clock.schedule_interval(watch.look, 0))
        app.run()


if __name__ == "__main__":
    main(sys.argv[1], (int(sys.argv[2]), int(sys.argv[3])), Path(sys.argv[4]))
