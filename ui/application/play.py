"""`companion play` and the app itself: a table of people, with a camera and boxes where there are any."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.board.layout import Board
from companion.detail import RECORDED
from companion.engine import GameRules
from companion.errors import CompanionError, InvalidDocument, StoreError, UnreadableGame
from companion.photographs.joining import refuse_what_is_left_out, seated
from companion.photographs.last_board import lying_options, shown_outcomes
from companion.position import Position
from companion.registry import GAMES, load_game
from companion.session.cutouts import cut_outs_of
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Player, Table
from companion.wording.sentences import Sentence
from ui.application.bootstrap import NO_DISPLAY, has_display
from ui.commands.camera_options import CameraOptions, add_camera_options, board_in_play, camera_options
from ui.commands.table_options import (
    RULING,
    SET_UP,
    add_table_options,
    check_names,
    drawn_by_lot,
    new_table,
    pairs,
)
from ui.commands.terminal import FAILED, FINE, WrongUse, complain, parser
from ui.hardware.likely_cameras import kept_lag
from ui.services.files import read_game
from ui.services.folders import BOARDS, cache_folder, data_folder, state_folder
from ui.services.kept_clock import KeptClock
from ui.services.settings import SETTINGS_FILE, Settings, load_settings
from ui.services.text import _, error_sentence, error_text, use_language
from ui.shell.devices import BOXES, Devices
from ui.shell.publishing import TablePublishing
from ui.shell.shell import Shell
from ui.shell.table_loop import TableLoop
from ui.table.presenter import Presenter
from ui.web.service import PhoneService
from vision.errors import VisionError

if TYPE_CHECKING:
    from firmware_bridge.protocol.addresses import BoxAddress
    from ui.hardware.boxes import TableBoxes

GAMES_FILE = "games.sqlite3"
ERROR_LOG = "errors.log"


def play(words: Sequence[str]) -> int:
    """`companion play`: goes on with the last unfinished game unless a new one is asked for."""
    options = parser("play", "Play at a real table, with a camera and button boxes where there are any.")
    options.add_argument("--game", choices=tuple(GAMES), help=f"{next(iter(GAMES))}, unless told")
    options.add_argument("--new", action="store_true", help="begin a new game even if one is unfinished")
    options.add_argument(
        "--from", dest="position", metavar="POSITION",
        help="join a game under way: begin from a position file, or from where a record stands",
    )  # fmt: skip
    options.add_argument(
        "--players", nargs="+", metavar="NAME", help="in seat order (as few as can play: Player 1, Player 2)"
    )
    options.add_argument(
        "--detail", choices=RECORDED, help="how much is told: everything (as usual), or what lies on the table"
    )  # fmt: skip
    add_table_options(options)
    add_camera_options(options)
    options.add_argument(
        "--box", action="append", default=[], metavar="B", help="serial:/dev/ttyACM0@1, mqtt:blue@2; others are found"
    )
    options.add_argument("--fullscreen", action="store_true", help="use the whole screen (F11 goes back to a window)")
    options.add_argument("--broker", metavar="HOST[:PORT]", help="the MQTT broker of wireless boxes")
    options.add_argument(
        "--phones", nargs="?", const="", metavar="ADDRESS", help="let phones of the local network be seats and buttons"
    )
    options.add_argument(
        "--publish", nargs="?", const="", metavar="BROKER",
        help="tell an organiser about the table, on this MQTT broker (default: the last one, else this machine's)",
    )  # fmt: skip
    chosen = options.parse_args(words)
    camera, boxes = camera_options(chosen), _addresses(chosen.box)
    if not has_display():  # before anything is written
        complain(NO_DISPLAY)
        return FAILED
    settings = _settings()
    use_language(settings.language)
    store, notices = open_store(data_folder() / GAMES_FILE)
    with store:
        for notice in notices:
            complain(notice)
        try:
            asked = _asked(store, chosen, camera)
            _check_seats(boxes, asked.table)
        except VisionError as error:
            complain(str(error))
            return FAILED
        return _show_table(
            asked, camera, chosen.box, chosen.broker, notices, settings, fullscreen=chosen.fullscreen,
            phones=chosen.phones, publishing=(TablePublishing(data_folder(), store.read), chosen.publish),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """The table that the command line asks for, and the function that opens its game once devices are ready."""

    table: Table
    open: Callable[[], Session]
    notices: tuple[Sentence, ...] = ()
    """what people are to know of the set-up once the game has begun"""
    on_terminal: tuple[Sentence, ...] | None = None
    """the same for who gave the command; None where it is the same"""


def _asked(store: Store, chosen: argparse.Namespace, camera: CameraOptions) -> _Asked:
    """The game that the command line asks for; refused if the given camera cannot follow it.

    Raises CompanionError, VisionError, WrongUse.
    """
    given_set_up, given_rulings = dict(pairs(chosen.set_up, SET_UP)), dict(pairs(chosen.ruling, RULING))
    game = chosen.game or next(iter(GAMES))
    if chosen.detail not in (None, *load_game(game).info.details):
        raise WrongUse(f"all of {load_game(game).info.title} lies on the table; leave out --detail")
    unfinished: Session | None = None
    notices: tuple[Sentence, ...] = ()
    if not chosen.new and chosen.position is None:
        unfinished, notices = _latest_unfinished(store, game)
    if chosen.position is not None and (given_set_up or given_rulings):
        raise WrongUse("a position has its own set-up and rulings; leave them out beside --from")
    if (unfinished is not None or chosen.position is not None) and chosen.board is not None:
        raise WrongUse("a game under way lies on the board it was begun on; leave out --board, or begin with --new")
    if unfinished is not None:
        session = unfinished
        if chosen.players or given_set_up or given_rulings:
            if not _is_this_table(session.table, chosen.players, given_set_up, given_rulings):
                raise WrongUse(
                    f"a game of {game} is unfinished, with players, set-up and rulings of its own;"
                    " leave these options out to go on with it, or begin another with --new"
                )
            complain(f"going on with the unfinished game of {game}; --new begins another")
        camera.check(session.table.board)
        return _Asked(session.table, lambda: _told(session, chosen.detail), notices)
    if chosen.position is not None:
        joined = joined_game(chosen.position, chosen.game, chosen.players)
        table = joined.state.table
        camera.check(table.board)
        return _Asked(table, lambda: _told(Session.join(store, joined), chosen.detail))
    board = board_in_play(game, chosen.board, chosen.profile, data_folder() / BOARDS)
    camera.check(board)
    rules = load_game(game)
    names = chosen.players or [_("Player {seat}").format(seat=seat) for seat in range(1, rules.info.seats[0] + 1)]
    new_table(game, names, given_set_up, given_rulings, board=board)
    known = laid_out(rules, board, camera, given_set_up)
    table = new_table(game, names, known, given_rulings, board=board)
    drawn = drawn_by_lot(rules, table, known)
    if drawn is None:
        return _Asked(table, lambda: _told(Session.create(store, table), chosen.detail), notices)
    at_table, in_full = drawn
    return _Asked(
        table, lambda: _told(Session.create(store, table), chosen.detail), (*notices, at_table), (*notices, in_full)
    )


def _latest_unfinished(store: Store, game: str) -> tuple[Session | None, tuple[Sentence, ...]]:
    """The game of this kind that was begun last and is not over, and what is to be told of later ones beyond repair.

    Raises StoreError.
    """
    notices: list[Sentence] = []
    while (game_id := store.latest_unfinished(game)) is not None:
        try:
            return Session.open(store, game_id), tuple(notices)
        except UnreadableGame as error:  # it is in the database no more
            notices.append(error.notice)
    return None, tuple(notices)


def _told(session: Session, detail: str | None) -> Session:
    """The game, told with this much detail from now on; as before for None.

    Raises CompanionError.
    """
    if detail is not None and detail != session.game.detail(session.state):
        session.choose_detail(detail)
    return session


def _is_this_table(
    table: Table, players: Sequence[str] | None, set_up: Mapping[str, str], rulings: Mapping[str, str]
) -> bool:
    """Whether a table is the one that these options would set up, as far as they say."""
    return (
        list(players or ()) in ([], [player.name for player in table.players])
        and all(",".join(table.options.get(name, ())) == chosen for name, chosen in set_up.items())
        and all(table.rulings.get(name) == reading for name, reading in rulings.items())
    )


def laid_out(
    game: GameRules[Any], board: Board, camera: CameraOptions, given: Mapping[str, str]
) -> Mapping[str, str]:  # fmt: skip
    """The set-up outcomes: those given, then those the camera reads from the board, and by lot those no camera can see.

    Raises CompanionError, VisionError, WrongUse.
    """
    lying = [option for option in lying_options(game, board) if option.name not in given]
    if camera.address is None or not lying:
        return given
    options = " and ".join(f"{SET_UP} {option.name}={option.example}" for option in lying)
    reading = camera.look(board)
    try:
        shown = shown_outcomes(game, board, reading.look, given)
    except InvalidDocument as error:
        sought = f"the camera looked for {error.entry}: {error.reason}"
        raise WrongUse(f"{sought}; say what lies there, as {options}") from error
    for option in lying:
        if option.name not in shown:
            why = reading.reason or f"no {option.name} can be seen on the board"
            raise WrongUse(f"{why}; lay out what the set-up turns up, or say what lies there, as {options}")
    seen = {option.name: ",".join(shown[option.name]) for option in lying}
    for name, names in seen.items():
        complain(f"the camera sees {name} {names}; {SET_UP} {name}=... says otherwise")
    return {**given, **seen}


def joined_game(name: str, game: str | None, names: Sequence[str] | None) -> Position:
    """The game under way in a position or record file, with these players' names if any are given.

    Raises InvalidDocument, WrongUse.
    """
    found = read_game(name)
    position = found.position
    if game not in (None, found.rules.info.id):
        raise WrongUse(f"{name} is a position of {found.rules.info.id}, not of {game}")
    if found.ended or found.rules.decide(found.state) is None:
        raise WrongUse(f"{name}: that game is over; there is nothing to go on with")
    refuse_what_is_left_out(position, name)
    if names is None:
        return position
    table = found.state.table
    check_names(names)
    if len(names) != len(table.players):
        raise WrongUse(f"{name} is a position of {len(table.players)} players, and --players names {len(names)}")
    players = tuple(Player(name, player.colour) for name, player in zip(names, table.players, strict=True))
    return seated(position, replace(table, players=players))


def main(*, fullscreen: bool = False) -> int:
    """The app: begins at the start screen."""
    if not has_display():
        complain(NO_DISPLAY)
        return FAILED
    try:
        store, notices = open_store(data_folder() / GAMES_FILE)
    except StoreError as error:
        complain(str(error))
        _show_refusal(error)
        return FAILED
    with store:
        for notice in notices:
            complain(notice)
        devices = partial(Devices, with_boxes=True)
        shell = Shell(store, data_folder(), devices=devices, notices=notices, introduces=True)
        shell.phones = PhoneService(data_folder())
        shell.publishing = TablePublishing(data_folder(), store.read)
        amiss = [told for told in (shell.publishing.resume(), shell.phones.resume()) if told]
        for told in amiss:
            complain(told)
        shell.notice = " ".join(filter(None, (shell.notice, *amiss)))
        opened = _prepared_app(fullscreen=fullscreen or shell.settings.full_screen)
        app = opened(None, shell.tick, shell.close, shell=shell, error_log=state_folder() / ERROR_LOG)
        _run(app)
    return FINE


def _show_table(
    asked: _Asked,
    camera: CameraOptions,
    boxes: Sequence[str],
    broker: str | None,
    notices: tuple[Sentence, ...],
    settings: Settings,
    *,
    fullscreen: bool,
    phones: str | None,
    publishing: tuple[TablePublishing, str | None],
) -> int:
    """Show the game, with phones at this address ("" for the likeliest) unless it is None.

    `publishing` is what tells an organiser about the table, and on which broker ("" for the last one) unless it is
    None. Camera, boxes, phones and window are opened first, so that a failure there leaves no new game in the store.
    """
    from firmware_bridge.errors import BridgeError

    try:
        with ExitStack() as stack:
            eye = camera.open(asked.table.board)
            if eye is not None:
                stack.callback(eye.close)
            opened, boxless = _boxes(boxes, broker, stack)
            if opened is not None:
                stack.callback(opened.close)
            service, published = _phones(phones, stack), _published(*publishing, stack)
            app = _prepared_app(fullscreen=fullscreen or settings.full_screen)
            session = _opened(asked, notices)
            kept_clock = KeptClock(data_folder(), session.id)
            presenter = Presenter(session)
            if boxless:
                presenter.devices.tell(BOXES, boxless, ok=False)
            minutes, seats = settings.clock, len(session.table.players)
            if eye is not None and camera.address is not None:
                presenter.set_camera_lag(kept_lag(settings, camera.address))
            presenter.time_players(minutes, kept_clock.read(seats, minutes))
            loop = TableLoop(presenter, eye, opened, cut_outs_of(data_folder(), session.id), kept_clock)
            stack.callback(loop.keep_clock)
            loop.start()
            loop.serve_phones, loop.publish = service.tick, published.tick
            shown = app(
                loop.presenter, loop.tick, settings=settings, error_log=state_folder() / ERROR_LOG, phones=service,
                publishing=published,
            )  # fmt: skip
            if phones is not None:
                shown.bind(on_start=lambda started: started.open("phones"))
            _run(shown)
    except (BridgeError, VisionError, CompanionError) as error:
        complain(str(error))
        return FAILED
    return FINE


def _phones(address: str | None, stack: ExitStack) -> PhoneService:
    """The phones' server, at work where there is an address ("" for the likeliest)."""
    service = PhoneService(data_folder())
    stack.callback(service.close)
    if address is not None:
        service.open(address)
        if service.moved:
            complain(service.moved)
    return service


def _published(published: TablePublishing, broker: str | None, stack: ExitStack) -> TablePublishing:
    """The table's way to an organiser: on this broker ("" for the last one), or as the settings say for None."""
    stack.callback(published.close)
    if broker is not None:
        chosen = published.preferences
        published.open(replace(chosen, broker=broker or chosen.broker), remembers=False)
    elif told := published.resume():
        complain(told)
    return published


def _opened(asked: _Asked, notices: tuple[Sentence, ...]) -> Session:
    """The game that is asked for, with what its table must know."""
    session = asked.open()
    for notice in asked.notices if asked.on_terminal is None else asked.on_terminal:
        complain(notice)
    session.notices = tuple(dict.fromkeys((*notices, *asked.notices, *session.notices)))
    return session


def _settings() -> Settings:
    """The user's settings; the usual ones where they cannot be read, which is told on the terminal."""
    try:
        return load_settings(data_folder() / SETTINGS_FILE)
    except InvalidDocument as error:
        complain(f"the settings could not be read and are as at first: {error}")
        return Settings()


def _addresses(texts: Sequence[str]) -> tuple[BoxAddress, ...]:
    from firmware_bridge.errors import InvalidBoxAddress
    from firmware_bridge.protocol.addresses import BoxAddress

    try:
        return tuple(map(BoxAddress.parse, texts))
    except InvalidBoxAddress as error:
        raise WrongUse(str(error)) from error


def _check_seats(boxes: Sequence[BoxAddress], table: Table) -> None:
    """Refuse a box for a seat that the table does not have.

    Raises WrongUse.
    """
    for box in boxes:
        if box.seat is not None and box.seat not in table.seats:
            raise WrongUse(f"--box {box}: there is no seat {box.seat}; the game has {len(table.players)} players")


def _boxes(texts: Sequence[str], broker: str | None, stack: ExitStack) -> tuple[TableBoxes | None, str]:
    """The boxes of the table; None and the reason where a file about them does not hold, for touch alone suffices."""
    from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
    from ui.hardware.boxes import BINDINGS_FILE, open_boxes

    try:
        return open_boxes(texts, broker, data_folder() / BINDINGS_FILE, stack), ""
    except (InvalidBoxAddress, InvalidBrokerAddress) as error:
        raise WrongUse(str(error)) from error
    except InvalidDocument as error:
        complain(f"the table plays without button boxes: {error}")
        return None, error_text(error)


def _run(app: Any) -> None:
    """Run the app. Objects made before its first frame live as long as it does and are frozen for the garbage
    collector.
    """
    app.bind(on_start=lambda _app: gc.freeze())
    app.run()


def _show_refusal(error: StoreError) -> None:
    """Say why nothing starts in a window, until it is closed; not where nobody sees one."""
    from ui.application import bootstrap

    if bootstrap.is_seen():
        use_language(_settings().language)
        bootstrap.prepare(cache_folder() / "kivy")
        from ui.application.refused_start import RefusedStartApp

        RefusedStartApp(error_sentence(error)).run()


def _prepared_app(*, fullscreen: bool) -> Any:
    from ui.application import bootstrap

    bootstrap.prepare(cache_folder() / "kivy", fullscreen=fullscreen)
    from ui.application.app import CompanionApp

    return CompanionApp
