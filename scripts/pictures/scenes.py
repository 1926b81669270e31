"""The scenes to photograph: a name, and the steps that lead there. Importing this opens the window."""

from __future__ import annotations

from collections.abc import Callable

from companion.registry import print_and_play_board
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from scripts.pictures.told_scenes import TOLD_SCENES
from scripts.pictures.visit import Visit
from ui.services.text import _
from ui.simulated_table.view import CameraView
from ui.table.presenter import Presenter
from ui.web.service import PhoneService

MARBLE = print_and_play_board("city_of_marble")
CORNERS = ((40, 40, 0), (550, 40, 0), (550, 380, 0), (40, 380, 0))
"""of what is traced, in millimetres on the board of the photograph"""
LONG_PATH = 4
"""towns of a route worth seeing"""


def setup(step: str, game: str = "city_of_marble") -> Callable[[Visit], None]:
    """A page of the set-up."""

    def show(visit: Visit) -> None:
        visit.app.open("setup")
        visit.screen.change(visit.screen.wizard.choose_game, game)
        if step == "board":
            for option in filter(visit.screen.wizard.outcome_problem, visit.screen.wizard.draft.options):
                for name in option.names[: option.count]:
                    visit.screen.change(visit.screen.wizard.choose_outcome, option.name, name)
        visit.screen.change(visit.screen.wizard.go_to, step)

    return show


def mid_game(game: str) -> Callable[[Visit], None]:
    """The table in the middle of a game."""

    def show(visit: Visit) -> None:
        visit.play(game)

    return show


def watched(visit: Visit) -> None:
    """A camera and two boxes follow the game."""
    presenter = visit.play("city_of_marble")
    for seat in (1, 2):
        presenter.devices.tell(_("box {seat}").format(seat=seat), _("ready"), ok=True)
    visit.see(presenter, {})


def other_sheet(visit: Visit) -> None:
    """The map of the roads beside the board."""
    visit.play("thurn_and_taxis")
    visit.screen.turn_sheet()


def on_the_way(visit: Visit) -> None:
    """A path is being laid on the board."""
    presenter = taken_back(
        visit, "thurn_and_taxis", lambda shown: (path := shown.view().path) is not None and len(path.sites) >= LONG_PATH
    )
    visit.app.open_table(presenter)
    visit.app.refresh()


def taken_back(visit: Visit, game: str, is_there: Callable[[Presenter], bool]) -> Presenter:
    """A copy of the prepared game, in which as much is taken back as leads to what a scene shows."""
    presenter = Presenter(Session.read(None, visit.play(game).session.export(), game))
    visit.undo_until(presenter.session, lambda: is_there(presenter))
    return presenter


def wish(kind: IntentKind, game: str = "city_of_marble") -> Callable[[Visit], None]:
    """One of the buttons was pressed."""

    def show(visit: Visit) -> None:
        visit.play(game).on_intent(Intent(kind))
        visit.app.refresh()

    return show


def refused(visit: Visit) -> None:
    """The camera sees a ward where no rule allows it."""
    presenter = visit.play("city_of_marble")
    taken = presenter.session.game.appearance(presenter.session.state)
    free = [name for name in presenter.board.spots if name.startswith("ward ") and name not in taken]
    for spot in free:
        visit.see(presenter, {spot: "blue"})
        if presenter.refused is not None:
            return
        visit.see(presenter, {})


def differing(visit: Visit) -> None:
    """Table and record differ in several places."""
    presenter = visit.play("city_of_marble")
    look = presenter.session.game.appearance(presenter.session.state)
    wards = [spot for spot in look if spot.startswith("ward ")]
    buildings = [spot for spot in look if spot.startswith("building ")]
    visit.see(presenter, {wards[0]: "", wards[1]: "yellow" if look[wards[1]] != "yellow" else "red", buildings[0]: ""})


def correcting(game: str) -> Callable[[Visit], None]:
    """The latest action was another one."""

    def show(visit: Visit) -> None:
        visit.play(game).on_correct()
        visit.app.refresh()

    return show


def correcting_ward(visit: Visit, *, is_chosen: bool = False) -> None:
    """A ward was laid wrongly; `is_chosen`: another one lies there as a ghost."""
    presenter = visit.play("city_of_marble")
    wards = [move.number for move in presenter.session.moves if (move.action or "").startswith("ward ")]
    presenter.on_correct(wards[-1])
    visit.app.refresh()
    if is_chosen:
        laying = [choice.key for choice in presenter.view().choices if choice.ghost]
        visit.screen.touch(laying[-1], opens=False)


def touched(visit: Visit, *, is_allowed: bool) -> None:
    """A place of the board was touched where a ward may lie, or where it may not."""
    presenter = taken_back(
        visit, "city_of_marble", lambda shown: any(action.text.startswith("ward ") for action in shown.legal)
    )
    visit.app.open_table(presenter)
    wards = sorted({action.sites[0] for action in presenter.legal if action.text.startswith("ward ")})
    taken = presenter.session.game.appearance(presenter.session.state)
    free = [spot.site for spot in MARBLE.spots.values() if spot.piece == "ward" and spot.name not in taken]
    presenter.on_site(wards[0] if is_allowed else next(site for site in free if site not in wards))
    visit.app.refresh()


def table_page(page: str, game: str = "capitol") -> Callable[[Visit], None]:
    """The menu of a table."""

    def show(visit: Visit) -> None:
        visit.play(game)
        visit.app.open("table")
        if page:
            visit.touch(("page", page))

    return show


def curtain(visit: Visit) -> None:
    """A closed hand is looked at."""
    table_page("secrets")(visit)
    rows = [widget for widget in visit.screen.walk() if type(widget).__name__ == "HiddenRow"]
    rows[0].state = "down"


def score(game: str) -> Callable[[Visit], None]:
    """The score sheet of a finished game, or of one under way where it was not played to its end."""

    def show(visit: Visit) -> None:
        visit.finish(game)
        if visit.app.screens.current != "score":
            visit.app.open("score")
        visit.screen.show_lines()
        visit.screen.touch_line(0)

    return show


def the_end(game: str) -> Callable[[Visit], None]:
    """The places, the sheet and the points through the game."""

    def show(visit: Visit) -> None:
        visit.finish(game)
        if visit.app.screens.current != "score":
            visit.app.open("score")
        visit.screen.ids.event.show_all()

    return show


def score_plot(visit: Visit) -> None:
    """The score through the game."""
    score("city_of_marble")(visit)
    visit.screen.turn()


def share(visit: Visit) -> None:
    """What can be taken away, with a code to scan."""
    score("city_of_marble")(visit)
    visit.screen.share()


def review(visit: Visit) -> None:
    """A finished game, step by step."""
    visit.app.open("review", game=visit.prepared.over["city_of_marble"])
    visit.screen.change(visit.screen.review.move, -20)


def past(visit: Visit) -> None:
    """The list of games, one of them chosen."""
    visit.app.open("past")
    visit.screen.choose(visit.prepared.begun["capitol"])


def past_asking(visit: Visit) -> None:
    """A game is about to be deleted."""
    past(visit)
    visit.screen.choose(visit.prepared.over["capitol"])
    visit.screen.ask()


def opened(screen: str) -> Callable[[Visit], None]:
    """A screen as it is come to."""

    def show(visit: Visit) -> None:
        visit.app.open(screen)

    return show


def found_rules(visit: Visit) -> None:
    """Rules found by a word."""
    visit.app.open("help")
    visit.screen.ids.words.text = "temp"


def camera(view: str) -> Callable[[Visit], None]:
    """The camera set-up with markers found."""

    def show(visit: Visit) -> None:
        visit.app.shell.devices.use_camera(str(visit.prepared.photographs))
        visit.app.open("cameras")
        visit.until(lambda: len(visit.form.marks()) > 3)
        visit.touch(("view", view))
        visit.until(lambda: visit.form.picture() is not None or bool(visit.form.board().pieces))
        visit.settle(20)

    return show


def photograph_page(page: str) -> Callable[[Visit], None]:
    """The score from a photograph, up to a page."""

    def show(visit: Visit) -> None:
        visit.app.open("photograph")
        visit.touch(("way", "files"))
        if page == "files":
            return
        visit.choose_photograph()
        visit.until(lambda: visit.form.page == "players")
        while visit.form.page != page:
            visit.touch(("way", "next"))
        if page == "spots":
            visit.form.tap_site("G7")
            visit.screen.update()

    return show


def tracing_page(page: str) -> Callable[[Visit], None]:
    """A board of one's own, up to a page."""

    def show(visit: Visit) -> None:
        visit.app.open("tracing")
        if page == "start":
            return
        visit.touch(("way", "files"))
        visit.choose_photograph()
        visit.until(lambda: visit.form.page == "corners")
        pose = CameraView().pose(MARBLE)
        count = 3 if page == "corners" else 4
        for corner in pose.project(CORNERS[:count]):
            visit.form.tap((float(corner[0]), float(corner[1])))
        if page == "corners":
            visit.screen.update()
            return
        visit.touch(("way", "straighten"))
        if page == "places":
            visit.touch(("way", "place"))

    return show


def teaching(page: str) -> Callable[[Visit], None]:
    """Four corners for a board without markers, and what is learnt of it."""

    def show(visit: Visit) -> None:
        visit.app.open("teach", board=MARBLE)
        if page == "start":
            return
        visit.touch(("way", "file"))
        visit.choose_photograph()
        visit.until(lambda: visit.form.picture() is not None)
        width, height = MARBLE.size
        for corner in CameraView().pose(MARBLE).project([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)]):
            visit.form.tap((float(corner[0]), float(corner[1])))
        visit.screen.update()

    return show


def boxes(*, learning: bool) -> Callable[[Visit], None]:
    """A box that was found, and learning what its buttons mean."""

    def show(visit: Visit) -> None:
        visit.app.open("boxes")
        visit.until(lambda: any(getattr(row, "key", "") == "seat" for row in visit.form.rows()))
        visit.prepared.box.tap(2)
        visit.touch(("seat", "1"))
        if learning:
            visit.touch(("do", "learn"))

    return show


def phones(visit: Visit) -> None:
    """The code to scan while phones are on, and before."""
    visit.app.shell.phones = service = visit.app.shell.phones or PhoneService(visit.app.shell.folder)
    service.open("127.0.0.1", 0)
    visit.app.open("phones")


def rehearsed(visit: Visit) -> None:
    """The verdict of a rehearsal without camera and boxes."""
    visit.app.open("rehearse")
    visit.touch(("boxes", "no"), ("do", "begin"))
    visit.until(lambda: any(getattr(row, "key", "") == "do" for row in visit.form.rows()))


def error(visit: Visit) -> None:
    """Something went wrong."""
    visit.play("capitol")
    visit.app.report_error(ValueError("the disk is full"))


SCENES: dict[str, Callable[[Visit], None]] = {
    "start": lambda _visit: None,
    "setup-game": setup("game"),
    "setup-players": setup("players"),
    "setup-options": setup("options"),
    "setup-options-aqua_romana": setup("options", "aqua_romana"),
    "setup-options-thurn_and_taxis": setup("options", "thurn_and_taxis"),
    "setup-rulings": setup("rulings"),
    "setup-board": setup("board"),
    "setup-board-capitol": setup("board", "capitol"),
    "setup-board-thurn_and_taxis": setup("board", "thurn_and_taxis"),
    "play-city_of_marble": mid_game("city_of_marble"),
    "play-capitol": mid_game("capitol"),
    "play-aqua_romana": mid_game("aqua_romana"),
    "play-thurn_and_taxis": mid_game("thurn_and_taxis"),
    "play-watched": watched,
    "play-other-sheet": other_sheet,
    "play-help": wish(IntentKind.HELP),
    "play-help-thurn_and_taxis": wish(IntentKind.HELP, "thurn_and_taxis"),
    "play-refused": refused,
    "play-differences": differing,
    "correct-capitol": correcting("capitol"),
    "correct-thurn_and_taxis": correcting("thurn_and_taxis"),
    "table": table_page(""),
    "table-open": table_page("open", "thurn_and_taxis"),
    "table-history": table_page("history"),
    "table-secrets": table_page("secrets"),
    "table-curtain": curtain,
    "table-end": table_page("end"),
    **TOLD_SCENES,
    "end-city_of_marble": the_end("city_of_marble"),
    "end-capitol": the_end("capitol"),
    "score-city_of_marble": score("city_of_marble"),
    "score-capitol": score("capitol"),
    "score-aqua_romana": score("aqua_romana"),
    "score-thurn_and_taxis": score("thurn_and_taxis"),
    "score-plot": score_plot,
    "share": share,
    "review": review,
    "past": past,
    "past-delete": past_asking,
    "help": opened("help"),
    "help-search": found_rules,
    "settings": opened("settings"),
    "photograph": opened("photograph"),
    "photograph-files": photograph_page("files"),
    "photograph-players": photograph_page("players"),
    "photograph-spots": photograph_page("spots"),
    "photograph-answers": photograph_page("answers"),
    "cameras-none": opened("cameras"),
    "cameras": camera("camera"),
    "cameras-laid-over": camera("laid over"),
    "cameras-board": camera("board"),
    "lens": opened("lens"),
    "teach": teaching("start"),
    "teach-corners": teaching("corners"),
    "tracing": tracing_page("start"),
    "tracing-corners": tracing_page("corners"),
    "tracing-size": tracing_page("size"),
    "tracing-places": tracing_page("places"),
    "boxes": boxes(learning=False),
    "boxes-learning": boxes(learning=True),
    "phones": phones,
    "rehearse": opened("rehearse"),
    "rehearse-verdict": rehearsed,
    "play-path": on_the_way,
    "error": error,
    "correct-city_of_marble": correcting_ward,
    "correct-chosen": lambda visit: correcting_ward(visit, is_chosen=True),
    "correct-aqua_romana": correcting("aqua_romana"),
    "play-choosing": lambda visit: touched(visit, is_allowed=True),
    "play-not-here": lambda visit: touched(visit, is_allowed=False),
}
"""name -> how to get there from the start screen"""
