"""Paper: `print`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.registry import GAMES, board_named, game_folder, load_game, print_and_play_board
from companion.wording.guide import game_guide
from ui.commands.progress import counted, progress
from ui.commands.terminal import FAILED, FINE, complain, file_name, parser, say
from ui.menus.rules_help import PLAY, RulesHelp, rule_legend
from ui.services.folders import data_folder
from ui.services.settings import SETTINGS_FILE, load_settings
from ui.services.text import LANGUAGES, _, language_in_use, use_language

if TYPE_CHECKING:
    from calibration.sheets import SheetSpec


def print_game(words: Sequence[str]) -> int:
    """`companion print`."""
    options = parser("print", "Write the board and everything to cut out, at exact millimetres, as PDF and PNG.")
    which = options.add_mutually_exclusive_group(required=True)
    which.add_argument("--game", choices=tuple(GAMES), metavar="G", help=", ".join(GAMES))
    which.add_argument("--board", type=file_name, metavar="B", help="the board file of another edition")
    options.add_argument("--out", required=True, type=file_name, metavar="DIR", help="folder to write to")
    options.add_argument("--paper", default="A4", choices=("A4", "A3", "A2"), help="size of paper (A4)")
    options.add_argument("--dpi", type=_resolution, metavar="N", help="resolution of the pictures; 0 leaves them out")
    options.add_argument(
        "--language", default="", choices=tuple(LANGUAGES), help="of the printed rules; else that of the settings"
    )
    options.add_argument("--edition", default="first", choices=("first", "second"), help="of the pieces' print (first)")
    options.add_argument("--manifest", action="store_true", help="write only manifest.json and the pictures it names")
    chosen = options.parse_args(words)
    from calibration.components import load_components
    from calibration.editions import Edition
    from calibration.errors import PrintError
    from calibration.manifest import write_manifest
    from calibration.printing import file_stem, pieces_paper, print_everything, write_file
    from calibration.sheets import piece_sheets

    try:
        board = board_named(str(chosen.board)) if chosen.board else print_and_play_board(chosen.game)
        components = load_components(game_folder(board.game) / "components.toml", board)
    except InvalidDocument as error:
        complain(str(error))
        return FAILED
    edition, before = Edition(chosen.edition), language_in_use()
    use_language(chosen.language or _preferred())
    try:
        with progress("laying out") as report:
            if chosen.manifest:
                written = write_manifest(board, components, chosen.out, progress=counted(report), edition=edition)
            else:
                written = print_everything(
                    board, components, chosen.out, chosen.paper, chosen.dpi, counted(report), edition
                )
                name = f"{file_stem(board.id)}-rules-{language_in_use()}.pdf"
                written.append(write_file(chosen.out / name, printed_rules(board.game)))
        for path in written:
            say(str(path))
        if not chosen.manifest:
            for line in _needed_pages(board, piece_sheets(board, components, pieces_paper(chosen.paper))):
                say(line)
    except PrintError as error:
        complain(str(error))
        return FAILED
    finally:
        use_language(before)
    return FINE


def _needed_pages(board: Board, sheets: Sequence[SheetSpec]) -> Iterator[str]:
    """Which of the piece sheets every table needs and which each colour."""
    from calibration.sheets import pages_for_players

    shared, owned = pages_for_players(board, sheets)
    if shared:
        yield _("pieces for every table: pages {pages}").format(pages=", ".join(map(str, shared)))
    if owned:
        each = "; ".join(f"{_(colour)} {', '.join(map(str, pages))}" for colour, pages in owned.items())
        yield _("pieces of the players, only those who play: {each}").format(each=each)


def printed_rules(game_id: str) -> bytes:
    """How a game is played, its set-up and its rules by topic, as a PDF in the language in use."""
    from calibration.rule_sheet import PrintedRule, Topic, rules_pdf

    rules, guide = RulesHelp(game_id), game_guide(game_id)
    opening = {_("How it is played"): guide.play, _("Set-up"): guide.setup}
    topics = [Topic(name, tuple(PrintedRule(_(text), "") for text in texts)) for name, texts in opening.items()]
    for topic in rules.view().topics:
        if topic.key == PLAY:
            continue
        rules.choose_topic(topic.key)
        found = rules.view().rules
        topics.append(
            Topic(topic.text, tuple(PrintedRule(f"{rule.title}: {rule.text}", rule.source) for rule in found))
        )
    topics.append(
        Topic(_("Sources"), (PrintedRule(f"{rule_legend()} {_('All sources are listed in docs/rules.md.')}", ""),))
    )
    return rules_pdf(load_game(game_id).info.title, topics)


def _preferred() -> str:
    """The language in the settings; "" if they name none."""
    try:
        return load_settings(data_folder() / SETTINGS_FILE).language
    except InvalidDocument:
        return ""


def _resolution(text: str) -> int:
    value = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else -1
    if value and not 10 <= value <= 1200:
        raise ArgumentTypeError(f"{text[:40]!r} is no resolution from 10 to 1200, nor 0")
    return value
