"""`companion demo`: a whole game on the simulated table, through the real camera, serial and MQTT code."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.detail import LEVELS, RECORDED, SCORE_ONLY
from companion.errors import CompanionError, NotRecorded
from companion.files.file_lock import take
from companion.frozen import FrozenDict
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.cutouts import cut_outs_beside
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Player, Table
from firmware_bridge.errors import BridgeError
from ui.commands.table_options import RULING, SET_UP, add_table_options, check_count, new_table, pairs
from ui.commands.terminal import FAILED, WRONG_USE, WrongUse, complain, failure, file_name, parser, whole_number
from ui.hardware.boxes import TableBoxes
from ui.results.reports import RECORD, write_reports
from ui.shell.table_loop import TableLoop
from ui.simulated_table.demo_devices import open_boxes, open_camera
from ui.simulated_table.demo_pictures import Pictures
from ui.simulated_table.director import Director
from ui.simulated_table.players import has_players
from ui.table.presenter import Presenter
from ui.table.table_questions import answers_to
from ui.web.service import PhoneService
from vision.errors import VisionError

NAMES = ("Giulia", "Tiberio", "Claudia", "Adriano", "Livia", "Marco", "Flavia", "Tullio")
PERIOD = 1 / 30
"""seconds between the ticks of the headless demo"""
SEED = 77
STORE, LOCK = "demo.sqlite3", ".demo-in-use"
LINGER, LONGEST_LINGER = 30, 86_400
"""seconds that the score sheet stays by default, and at most"""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """The command-line options; table options not given are the defaults, or those of the unfinished game."""

    game: str
    headless: bool
    camera: bool
    out: Path
    seed: int
    fresh: bool
    actions: int | None = None
    players: int | None = None
    detail: str | None = None
    """how much the players tell; None as the unfinished game, or everything"""
    set_up: Mapping[str, str] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    linger: int = LINGER
    """seconds that the score sheet stays in the window while nobody touches it"""
    phones: str | None = None
    """the address at which phones may come, "" for the likeliest; None for no phones"""


def parse(arguments: Sequence[str]) -> DemoOptions:
    """The options of the command line.

    Raises WrongUse.
    """
    options = parser("demo", "Play a whole game on the simulated table.")
    options.add_argument("--game", choices=playable(), default="city_of_marble")
    options.add_argument("--players", type=whole_number, metavar="N", help="how many play (as few as can)")
    add_table_options(options)
    options.add_argument(
        "--detail", choices=LEVELS, metavar="|".join(LEVELS),
        help="how much is told: everything (as usual), what lies on the table, or only the score at the end",
    )  # fmt: skip
    options.add_argument("--headless", action="store_true", help="without the window")
    options.add_argument(
        "--linger", type=whole_number, default=LINGER, metavar="SECONDS",
        help=f"how long the window stays after the end; touched, it stays until it is closed (default: {LINGER})",
    )  # fmt: skip
    options.add_argument("--no-camera", action="store_true", help="by touch and boxes alone")
    options.add_argument("--out", type=file_name, default=Path("out"), help="folder for the results (default: out)")
    options.add_argument("--seed", type=whole_number, default=SEED, help="another seed plays another game")
    options.add_argument("--fresh", action="store_true", help="begin anew instead of resuming an unfinished demo")
    options.add_argument(
        "--phones", nargs="?", const="", metavar="ADDRESS", help="let phones of the local network watch and sit down"
    )
    options.add_argument("--tables", metavar="N", help="so many tables, published for a hub (--tables N --help)")
    options.add_argument(
        "--actions",
        metavar="N",
        help="stop after N actions; what follows from them is recorded too; the next demo goes on",
    )
    chosen = options.parse_args(arguments)
    return DemoOptions(
        game=chosen.game,
        headless=chosen.headless,
        linger=min(chosen.linger, LONGEST_LINGER),
        camera=not chosen.no_camera,
        out=chosen.out,
        seed=chosen.seed,
        fresh=chosen.fresh,
        actions=_count(chosen.actions),
        players=chosen.players,
        detail=chosen.detail,
        set_up=dict(pairs(chosen.set_up, SET_UP)),
        rulings=dict(pairs(chosen.ruling, RULING)),
        phones=chosen.phones,
    )


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise WrongUse(f"--actions {text!r} is no number of actions")
    return int(text)


def playable() -> tuple[str, ...]:
    """The games that the simulated table can play: those with simulated players."""
    return tuple(game for game in GAMES if has_players(game))


def main(arguments: Sequence[str] = ()) -> int:
    """Play the demo; gives the exit code."""
    try:
        if any(word.partition("=")[0] == "--tables" for word in arguments):
            from ui.simulated_table import many_tables

            return many_tables.main(arguments)
        return play(parse(arguments))
    except WrongUse as error:
        complain(str(error))
        return WRONG_USE
    except (CompanionError, BridgeError, VisionError) as error:
        complain(str(error))
    except OSError as error:
        complain(failure(error))
    return FAILED


def play(options: DemoOptions) -> int:
    """Play one game to its end, resuming an unfinished one.

    Raises WrongUse, CompanionError, BridgeError, VisionError or OSError where something cannot be had.
    """
    asked = demo_table(options)
    info = load_game(options.game).info
    if options.detail not in (None, SCORE_ONLY, *info.details):
        raise WrongUse(f"all of {info.title} lies on the table; leave out --detail {options.detail}")
    if options.out.exists() and not options.out.is_dir():
        raise CompanionError(f"{options.out} is a file; --out must name a folder")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CompanionError(f"{options.out}: the folder cannot be made ({error.strerror})") from error
    with ExitStack() as stack:
        _occupy(options.out, stack)
        store, notices = open_store(options.out / STORE)
        stack.enter_context(store)
        session = open_session(store, options, asked)
        session.notices = tuple(dict.fromkeys((*notices, *session.notices)))
        for notice in session.notices:
            complain(notice)
        table = session.table
        look = session.game.appearance(session.state)
        camera = open_camera(table.board, look, options.seed) if options.camera else None
        boxes = open_boxes(len(table.players), options.seed, stack)
        eye = camera.eye if camera is not None else None
        cut_outs = cut_outs_beside(options.out / RECORD)
        if not session.entries:
            cut_outs.discard()
        loop = TableLoop(Presenter(session), eye, boxes.boxes, cut_outs)
        stack.callback(loop.close)
        pictures = Pictures(options.out, eye)
        director = Director(
            loop,
            camera.table if camera is not None else None,
            boxes.press,
            seed=options.seed,
            level=options.detail if options.detail == SCORE_ONLY else session.game.detail(session.state),
            actions=options.actions,
            on_refusal=pictures.refused,
            on_action=pictures.acted,
        )
        print(f"{boxes.summary}; camera: {eye.name if eye is not None else 'none'}", flush=True)
        if options.phones is not None:
            _serve_phones(loop, options.phones, options.out, stack)
        began = time.monotonic()
        loop.start()
        director.start()
        stack.callback(director.stop)
        if options.headless:
            run_headless(loop, director)
        else:
            run_in_window(loop, director, pictures, options.linger)
        return finish(options, session, director, pictures, boxes.boxes, time.monotonic() - began)


def _occupy(folder: Path, stack: ExitStack) -> None:
    """Keep other demos out of a folder until the stack is closed or this program ends.

    Raises CompanionError where one is at work there.
    """
    if not take(stack.enter_context((folder / LOCK).open("wb"))):
        raise CompanionError(f"{folder}: another demo is at work there; wait for its end, or name a folder with --out")


def _serve_phones(loop: TableLoop, address: str, folder: Path, stack: ExitStack) -> None:
    """Let phones come to the table, at this address ("" for the likeliest)."""
    service = PhoneService(folder)
    stack.callback(service.close)
    loop.serve_phones = service.tick
    service.open(address)
    print(f"phones: {service.url}", flush=True)


def demo_table(options: DemoOptions) -> Table:
    """The table that is asked for; a set-up outcome not given is the first possible one.

    Raises WrongUse.
    """
    game, board = load_game(options.game), print_and_play_board(options.game)
    count = game.info.seats[0] if options.players is None else options.players
    check_count(game, count)
    names = NAMES[:count]
    players = tuple(Player(name, colour) for name, colour in zip(names, board.palette, strict=False))
    bare = Table(options.game, players, game.rulebook.chosen({}), FrozenDict(), board)
    usual = {option.name: ",".join(option.names[: option.count]) for option in game.options(bare)}
    return new_table(options.game, names, {**usual, **options.set_up}, options.rulings)


def open_session(store: Store, options: DemoOptions, asked: Table) -> Session:
    """The unfinished demo game of the store, unless another table was asked for, or a new one."""
    unfinished = None if options.fresh else store.latest_unfinished(options.game)
    if unfinished is not None:
        session = Session.open(store, unfinished)
        level = session.game.detail(session.state)
        if _is_as_asked(session.table, options, asked) and options.detail in (None, level):
            print(f"resuming the demo at entry {len(session.entries)}", flush=True)
            return session
        print("the unfinished demo is at another table; beginning anew", flush=True)
    session = Session.create(store, asked)
    if options.detail in RECORDED and options.detail != session.game.detail(session.state):
        session.choose_detail(options.detail)
    return session


def _is_as_asked(table: Table, options: DemoOptions, asked: Table) -> bool:
    return (
        options.players in (None, len(table.players))
        and all(table.options.get(name) == asked.options[name] for name in options.set_up)
        and all(table.rulings.get(name) == asked.rulings[name] for name in options.rulings)
    )


def run_headless(loop: TableLoop, director: Director) -> None:
    """Tick until the simulated players are done, printing the log and every refusal."""
    shown, said = len(loop.presenter.session.entries), ""
    while not director.done.is_set():
        with suppress(NotRecorded):  # the log says so, and the simulated players wait until the database takes it in
            loop.tick()
        agree(loop.presenter)
        for line in loop.view.log:
            if line.number > shown:
                shown = line.number
                print(f"{line.number:4d}  {line.text}", flush=True)
        verdict = loop.view.verdict
        if verdict is not None and verdict.sentences and verdict.headline != said:
            said = verdict.headline
            print(f"      {said}: {verdict.sentences[0][0]} ({verdict.sentences[0][1]})", flush=True)
        time.sleep(PERIOD)
    with suppress(NotRecorded):
        loop.tick()


def agree(presenter: Presenter) -> None:
    """Answer what the table is asked with the first answer, which is yes: nobody stands at a demo without a window."""
    for name, question in presenter.questions.items():
        yes = next(choice.key for choice in answers_to({name: question}))
        presenter.on_choice(yes)


def run_in_window(loop: TableLoop, director: Director, pictures: Pictures, linger: float) -> None:
    """Show the table in the app's window until it is closed, or untouched for `linger` seconds after the demo's end."""
    from ui.simulated_table.demo_window import show

    show(loop, director, pictures, linger)


def finish(
    options: DemoOptions,
    session: Session,
    director: Director,
    pictures: Pictures,
    boxes: TableBoxes,
    seconds: float,
) -> int:
    """Write the reports and print a summary; return the exit code."""
    written = write_reports(session, options.out)
    tally = director.tally
    print(
        f"{len(session.entries)} entries in {seconds:.0f} s: {tally.seen} moves read by the camera, "
        f"{tally.pressed} ended by a box, {tally.touched} touched, {tally.refused} refused on purpose, "
        f"{tally.undone} touched by mistake and undone, {tally.helped} misread and mended; {boxes.presses} presses"
    )
    for path in (*written, *pictures.written):
        print(f"wrote {path}")
    if director.failure:
        complain(director.failure)
        return FAILED
    return 0 if session.is_over or options.actions is not None else 1
