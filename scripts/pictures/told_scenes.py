"""Scenes of tables that tell less than everything of their game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.detail import ON_THE_TABLE
from companion.session.session import Session
from ui.table.presenter import Presenter

if TYPE_CHECKING:
    from scripts.pictures.visit import Visit


def told_less(game: str) -> Callable[[Visit], None]:
    """The table in the middle of a game of which only what lies on it is told from now on."""

    def show(visit: Visit) -> None:
        copy = Session.read(None, visit.play(game).session.export(), game)
        copy.choose_detail(ON_THE_TABLE)
        visit.app.open_table(Presenter(copy))

    return show


def count(visit: Visit) -> None:
    """The board is counted at the end."""
    visit.play("thurn_and_taxis")
    visit.app.open("photograph", counts=True)


def levels(visit: Visit) -> None:
    """The page of the table's menu on which it changes what it tells."""
    visit.play("capitol")
    visit.app.open("table")
    visit.touch(("page", "detail"))


TOLD_SCENES: dict[str, Callable[[Visit], None]] = {
    "table-detail": levels,
    "told-less": told_less("city_of_marble"),
    "told-less-capitol": told_less("capitol"),
    "count": count,
}
