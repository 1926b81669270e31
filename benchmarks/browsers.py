"""Whole games by four real browsers as phones: all tapped, hands told, a photograph, a phone that drops out."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from companion.registry import GAMES, usual_table
from companion.session.session import Session
from companion.session.store import Store
from tests.ui.chromium import Chromium
from tests.ui.web.browsing import Browser, TappingPlayers
from tests.ui.web.visiting import PhoneTable

SEATS = 4
REFUSED_AT, DROPPED_AT, PHOTOGRAPHED_AT = 6, 10, range(14, 400, 6)
"""entries after which these happen"""
GAMES_PLAYED = os.environ.get("COMPANION_GAMES", " ".join(GAMES)).split()


@dataclass(slots=True)
class Seen:
    """What was noticed while a game was played."""

    taps: int = 0
    again: int = 0
    """taps that had to be made once more"""
    photographs: int = 0
    refused: str = ""
    told: str = ""
    scores: list[list[int]] = field(default_factory=list)


def measure() -> Iterator[Figure]:
    """What came of one whole game of each kind."""
    for game in GAMES_PLAYED:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.sqlite3") as store:
            table = PhoneTable(
                Path(folder), session=Session.create(store, usual_table(game, SEATS)), live=True, art=True
            )
            try:
                yield from _played(game, table)
            finally:
                table.close()


def _played(game: str, table: PhoneTable) -> Iterator[Figure]:
    seen, began = Seen(), time.perf_counter()

    def play(shown: Any) -> list[str]:
        browser = Browser(table, shown)
        _play(TappingPlayers(browser, 1), seen)
        return browser.complaints

    chromium = Chromium()
    try:
        complaints = table.during(chromium.run, play)
    finally:
        chromium.close()
    seconds = time.perf_counter() - began
    totals = sorted(player.points for player in table.presenter.view().players)
    entries = [entry for entry in table.session.entries if entry.action]
    own = sum(entry.source == "phone" for entry in entries)
    note = f"{len(entries)} actions, {own} tapped as such; {seen.taps} taps in {seconds:.0f} s, {seen.again} again"
    shown, refused = seen.scores.count(totals), bool(seen.refused)
    yield Figure(f"{game}: phones with the final score", shown, f"of {SEATS}", SEATS, at_least=True, note=note)
    yield Figure(f"{game}: illegal move refused on its phone", refused, "", 1, at_least=True, note=seen.refused)
    yield Figure(f"{game}: moves recorded from a photograph", seen.photographs, "", 1, at_least=True, note=seen.told)
    yield Figure(f"{game}: complaints of the browsers", len(complaints), "", 0, note="; ".join(complaints)[:200])


def _play(players: TappingPlayers, seen: Seen) -> None:
    """A whole game; whatever goes wrong is an exception."""
    session = players.session
    while session.actors:
        at = len(session.entries)
        if at >= REFUSED_AT and not seen.refused:
            seen.refused = players.refused()
        if at == DROPPED_AT:
            players.drop_out(session.table.seats[-1])
        if not (at in PHOTOGRAPHED_AT and not seen.photographs and players.photographed()):
            players.turn()
        else:
            seen.photographs += 1
    seen.taps, seen.again, seen.told = players.taps, players.again, players.told
    for page in players.pages.values():
        page.locator(f'input[name=at][value="{session.state_id}"]').first.wait_for(state="attached")
        seen.scores.append(sorted(map(int, page.locator(".podium b").all_inner_texts())))
