"""Score sheets: `score`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from companion.exports.report import ruling_text, score_document, score_heading
from companion.exports.score_exports import bg_stats_link, score_csv
from companion.position import position_text
from companion.session.record import utc
from companion.session.rejudging import verify
from ui.commands.progress import progress
from ui.commands.terminal import DOES_NOT_HOLD, FINE, complain, emit, emit_json, parser, say
from ui.services.files import Game, read_game


def score(words: Sequence[str]) -> int:
    """`companion score RECORD|POSITION`: exit code 1 where the record does not hold."""
    options = parser("score", "Print the score sheet of a game, every line with the pieces it comes from.")
    options.add_argument("game", metavar="RECORD|POSITION", help="a record or position file, or - for standard input")
    form = options.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON document")
    form.add_argument("--csv", action="store_true", help="print comma-separated values for a spreadsheet")
    form.add_argument("--html", action="store_true", help="print a page for a browser or a printer")
    form.add_argument("--bgstats", action="store_true", help="print a link that hands the game to BG Stats")
    chosen = options.parse_args(words)
    game = read_game(chosen.game)
    with progress("judging"):
        problems = verify(game.log) if game.log is not None else []
    document = score_document(game.rules, game.state, game.record_status)
    if chosen.json:
        emit_json(document)
    elif chosen.csv:
        emit(score_csv(document))
    elif chosen.html:
        from ui.results.score_page import score_page

        played = game.log.header.created[:10] if game.log is not None else ""
        emit(score_page(game.rules, game.state, game.record_status, played=played))
    elif chosen.bgstats:
        emit(_bg_stats(game, document) + "\n")
    else:
        for line in score_lines(game.rules.info.title, document):
            say(line)
    if problems:
        complain(f"{chosen.game}: the record does not hold (places: {len(problems)}); see `companion check`")
    return DOES_NOT_HOLD if problems else FINE


def score_lines(title: str, document: Mapping[str, Any]) -> Iterator[str]:
    """A score document for people."""
    yield f"{title}: {score_heading(document).lower()}"
    for player in sorted(document["players"], key=lambda player: (player["rank"], player["seat"])):
        rank = "left" if player["left"] else "-" if document["ended_early"] else f"{player['rank']}."
        yield f"{rank} {player['name']} ({player['colour']}): {player['total']}"
        for line in document["lines"]:
            if line["seat"] == player["seat"]:
                counted = f": {line['counted']}" if line["counted"] else ""
                sites = f" [{', '.join(line['sites'])}]" if line["sites"] else ""
                yield f"   {line['points']:4d}  {line['title']}{counted}{sites} ({line['rule']})"
                if line["ruling"]:
                    yield f"         ruling {ruling_text(line['ruling'])}"
    yield from document["words"]


def _bg_stats(game: Game, document: Mapping[str, Any]) -> str:
    """The link for a record, or for a position as of now."""
    title = game.rules.info.title
    if game.log is None:
        now = utc(datetime.now(UTC))
        digest = hashlib.sha256(position_text(game.rules, game.state).encode()).digest()
        return bg_stats_link(document, title, str(UUID(bytes=digest[:16], version=4)), now, now)
    header, entries = game.log.header, game.log.entries
    return bg_stats_link(document, title, header.id, header.created, entries[-1].time if entries else header.created)
