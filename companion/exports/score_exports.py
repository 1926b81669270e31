"""Score sheets for other programs: comma-separated values, and a link that hands a play to BG Stats."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

SOURCE_NAME = "Roman Table Companion"
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
BYTE_ORDER_MARK = "\ufeff"
"""before the text of a CSV file: without it spreadsheets take UTF-8 for the encoding of the machine"""
COLUMNS = ("seat", "player", "colour", "rule", "title", "counted", "pieces", "points")

_FORMULA = re.compile(r"[\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""What spreadsheets take for a formula: also after blanks and invisible characters, and with full-width signs."""


def score_csv(document: Mapping[str, Any]) -> str:
    """A score document as CSV: a row for each line, then one for each player's total (rule `total`)."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    players = {player["seat"]: player for player in document["players"]}
    for line in document["lines"]:
        player = players[line["seat"]]
        who = (line["seat"], player["name"], player["colour"])
        what = (line["rule"], line["title"], line["counted"], " ".join(line["sites"]), line["points"])
        writer.writerow(map(spreadsheet_cell, who + what))
    for seat, player in players.items():
        who = (seat, player["name"], player["colour"])
        has_rank = not document["ended_early"]
        rank = "left" if player["left"] else f"rank {player['rank']}" if has_rank else "no rank"
        writer.writerow(map(spreadsheet_cell, (*who, "total", rank, "", "", player["total"])))
    return stream.getvalue()


def spreadsheet_cell(value: str | int) -> str | int:
    """A text that a spreadsheet would take for a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula."""
    return _FORMULA.match(text) is not None


def bg_stats_link(document: Mapping[str, Any], title: str, play_id: str, created: str, ended: str) -> str:
    """The link that opens BG Stats with this play filled in; times as records write them.

    Only a game played to its end has ranks, and nobody who left it has one. Of a game that was joined under way it is
    not known who began it and how long it took.
    """
    begin, end = datetime.fromisoformat(created), datetime.fromisoformat(ended)
    slugs = [re.sub(r"\W+", "-", player["name"].casefold()).strip("-") for player in document["players"]]
    is_ranked = document["final"] and not document["ended_early"]
    comments = " ".join(_course(document))
    play = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": play_id,
        "playDate": begin.strftime("%Y-%m-%d %H:%M:%S"),
        **({} if document["joined"] else {"durationMin": max(0, round((end - begin).total_seconds() / 60))}),
        **({"comments": comments} if comments else {}),
        "game": {"name": title, "sourceGameId": document["game"], "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": player["name"],
                "sourcePlayerId": slug
                if slug and slugs.count(slug) == 1
                else f"{slug}-seat-{player['seat']}".strip("-"),
                "startPlayer": player["seat"] == 1 and not document["joined"],
                "winner": player["seat"] in document["winners"],
                "score": player["total"],
                **({"rank": player["rank"]} if is_ranked and not player["left"] else {}),
                "role": player["colour"],
            }
            for player, slug in zip(document["players"], slugs, strict=True)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _course(document: Mapping[str, Any]) -> Iterator[str]:
    """Whether the game was joined, left or ended early, in few words for a link."""
    if document["joined"]:
        yield "Joined under way."
    gone = [player["name"] for player in document["players"] if player["left"]]
    if gone:
        yield f"Left before the end: {', '.join(gone)}."
    if document["ended_early"]:
        yield "Ended early, without a winner."
