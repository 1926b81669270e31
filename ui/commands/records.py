"""Whole games: `check` and `simulate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from types import MappingProxyType
from uuid import UUID

from companion.engine import legal_actions
from companion.exports.report import check_document
from companion.files.documents import DocumentTable
from companion.position import bare_table, read_table
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.rejudging import verify
from companion.session.session import Session
from ui.commands.progress import progress
from ui.commands.table_options import (
    RULING,
    SET_UP,
    add_table_options,
    check_count,
    given_outcomes,
    given_rulings,
    pairs,
)
from ui.commands.terminal import DOES_NOT_HOLD, FINE, emit, emit_json, file_name, parser, say, whole_number
from ui.services.files import check_target, read_log, write_bytes

NOTHING: Mapping[str, str] = MappingProxyType({})
SIMULATED_ON = datetime(2000, 1, 1, tzinfo=UTC)
"""the date of simulated games, so that the same seed gives the same record"""


def check(words: Sequence[str]) -> int:
    """`companion check RECORD`: exit code 1 for a record that does not hold."""
    options = parser("check", "Judge every action of a record again and work out anew what follows from it.")
    options.add_argument("record", metavar="RECORD", help="a record file, or - for standard input")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    log = read_log(chosen.record)
    with progress("judging"):
        document = check_document(log, verify(log))
    if chosen.json:
        emit_json(document)
        return FINE if document["holds"] else DOES_NOT_HOLD
    for problem in document["problems"]:
        action = f" {problem['action']!r}" if problem["action"] else ""
        rules = f"{', '.join(problem['rules'])}: " if problem["rules"] else ""
        say(f"line {problem['line']}{action}: {rules}{problem['sentence']}")
    if document["overrides"]:
        say(f"against the rules, and recorded as such: entries {', '.join(map(str, document['overrides']))}")
    for sentence in document["words"]:
        say(sentence)
    say(f"{'holds' if document['holds'] else 'does not hold'}: {document['entries']} entries of {log.game.info.title}")
    return FINE if document["holds"] else DOES_NOT_HOLD


def simulate(words: Sequence[str]) -> int:
    """`companion simulate`: the record of a random legal game."""
    options = parser("simulate", "Play a random legal game and print its record; the same seed gives the same game.")
    options.add_argument("--game", required=True, choices=tuple(GAMES), metavar="G", help=", ".join(GAMES))
    options.add_argument("--players", type=whole_number, metavar="N", help="how many play (as few as can)")
    options.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="another number gives another game (1)"
    )
    add_table_options(options)
    options.add_argument("--out", type=file_name, metavar="FILE", help="where to write the record; else it is printed")
    chosen = options.parse_args(words)
    game = load_game(chosen.game)
    players = game.info.seats[0] if chosen.players is None else chosen.players
    check_count(game, players)
    if chosen.out is not None:
        check_target(chosen.out)
    set_up, rulings = dict(pairs(chosen.set_up, SET_UP)), dict(pairs(chosen.ruling, RULING))
    with progress("playing"):
        session = simulated(chosen.game, players, chosen.seed, set_up, rulings)
    if chosen.out is None:
        emit(session.export())
        return FINE
    write_bytes(chosen.out, session.export().encode())
    say(f"wrote {chosen.out}: {len(session.entries)} entries")
    return FINE


def simulated(
    game_id: str, players: int, seed: int, set_up: Mapping[str, str] = NOTHING, rulings: Mapping[str, str] = NOTHING
) -> Session:
    """A random legal game, played to its end; set-up outcomes not given are random, rulings not given are the defaults.

    Raises WrongUse.
    """
    random, game, board = Random(seed), load_game(game_id), print_and_play_board(game_id)
    bare = bare_table(game_id, board)
    outcomes = {option.name: random.sample(option.names, option.count) for option in game.options(bare)}
    outcomes |= {name: list(names) for name, names in given_outcomes(game, bare, set_up).items()}
    entries = {"game": game_id, "players": players, "rulings": dict(given_rulings(game, rulings))}
    table = read_table(DocumentTable(entries | outcomes, "simulate", ""), board)
    identity = UUID(int=random.getrandbits(128), version=4)
    session = Session.create(None, table, clock=lambda: SIMULATED_ON, game_id=str(identity))
    while actions := legal_actions(game, session.state):
        session.submit(random.choice(actions), source="simulation")
    return session
