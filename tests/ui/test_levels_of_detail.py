"""A table chooses how much of its game it tells: when it sets up, and in its menu; the score only is a count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.detail import EVERYTHING, ON_THE_TABLE, SCORE_ONLY
from companion.registry import GAMES, load_game, usual_table
from companion.session.store import Store
from tests.ui.test_presenter import WatchedTable
from ui.menus.home import is_unplayed
from ui.photographs.count_form import CountForm
from ui.screens.play_primary import primary_of
from ui.setup.setup_pages import DETAIL, compose_page
from ui.setup.wizard import Wizard
from ui.shell.shell import Shell
from ui.table.picking import CardView, Picking
from ui.table.table_menu import WAYS, TableMenu
from ui.view_models.form_view import Picks
from ui.view_models.play_view import VerdictKind
from ui.view_models.setup_view import SetupStep


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield Shell(store, tmp_path)


def keys(menu: TableMenu, name: str) -> list[str]:
    return [pick.key for row in menu.rows() if isinstance(row, Picks) and row.key == name for pick in row.picks]


def told_less(game_id: str = "city_of_marble") -> WatchedTable:
    """A table that tells only what lies on it."""
    table = WatchedTable(game_id)
    table.presenter.on_change(lambda changes: changes.choose_detail(ON_THE_TABLE))
    return table


@pytest.mark.parametrize("game_id", GAMES)
def test_the_set_up_asks_how_much_will_be_told(game_id: str, shell: Shell) -> None:
    wizard = Wizard(shell.store, shell.boards_folder)
    wizard.choose_game(game_id)
    wizard.step = SetupStep.OPTIONS
    for option in wizard.draft.options:
        if wizard.outcome_problem(option):
            wizard.draw_outcome(option.name)
    wizard.step = SetupStep.BOARD
    question = next(each for each in compose_page(wizard).questions if each.key == DETAIL)
    levels = [*load_game(game_id).info.details, SCORE_ONLY]
    assert [pick.key for pick in question.picks] == levels
    assert [pick.key for pick in question.picks if pick.chosen] == [EVERYTHING]
    wizard.choose_detail(levels[-2])
    assert wizard.detail == levels[-2]
    assert compose_page(wizard).next_text == "Begin the game"
    wizard.choose_detail(SCORE_ONLY)
    assert compose_page(wizard).next_text == "Count the board"


def test_the_level_is_recorded_and_offered_first_at_the_next_table(shell: Shell) -> None:
    presenter = shell.begin(usual_table("capitol", 2), ON_THE_TABLE)
    assert presenter.session.game.detail(presenter.session.state) == ON_THE_TABLE
    assert Shell(shell.store, shell.folder).settings.detail == ON_THE_TABLE
    assert is_unplayed(shell, shell.store.games()[0])  # the level alone is nothing played
    wizard = Wizard(shell.store, shell.boards_folder, detail=shell.settings.detail)
    assert wizard.detail == ON_THE_TABLE
    wizard.choose_game("aqua_romana")  # where all of it lies on the table
    assert wizard.detail == EVERYTHING
    shell.leave_table()


def test_the_menu_changes_the_level_while_it_is_played() -> None:
    table = WatchedTable("thurn_and_taxis")
    menu = TableMenu(table.presenter, lambda: None)
    menu.touch("page", "detail")
    assert keys(menu, "detail") == [ON_THE_TABLE]
    menu.touch("detail", ON_THE_TABLE)
    assert table.presenter.session.game.detail(table.presenter.session.state) == ON_THE_TABLE
    assert table.view.log[0].told == "told: what lies on the table"
    assert table.view.undo == "Undo: told: what lies on the table"
    menu = TableMenu(table.presenter, lambda: None)
    menu.touch("page", "detail")
    assert keys(menu, "detail") == [EVERYTHING]


def test_where_all_lies_on_the_table_there_is_no_level_to_choose_but_the_count() -> None:
    table = WatchedTable("aqua_romana")
    ways = keys(TableMenu(table.presenter, lambda: None), WAYS)
    assert "page history" in ways
    assert "page detail" not in ways
    counted: list[bool] = []
    menu = TableMenu(table.presenter, lambda: None, count=lambda: counted.append(True))
    menu.touch("page", "detail")
    assert keys(menu, "detail") == []
    menu.touch("count", "")
    assert counted


def test_what_is_not_told_is_recorded_without_a_word_of_doubt() -> None:
    table = told_less()
    table.presenter.on_choice("ward C10-D10 red")
    assert table.view.verdict is not None
    assert table.view.verdict.kind is VerdictKind.ACCEPTED
    assert table.view.verdict.sentences == ()
    assert table.presenter.session.entries[-1].unchecked == ("COM-WARD-4",)  # type: ignore[attr-defined]


def test_a_card_that_is_played_may_end_the_turn_with_the_same_touch() -> None:
    table = told_less("thurn_and_taxis")
    table.presenter.on_site("city/Ulm")
    picking = Picking()
    picking.take(table.view.choices)
    primary = primary_of(table.view, picking, picking.cards(60))
    assert isinstance(primary, CardView)
    assert primary.key == "and end the turn: play Ulm new"
    table.presenter.on_choice(primary.key)
    assert [move.action for move in table.presenter.session.moves[-2:]] == ["play Ulm new", "end"]


def test_a_table_that_told_nothing_is_counted_by_touch_and_kept(shell: Shell) -> None:
    table, ended = usual_table("thurn_and_taxis", 2), []
    form = CountForm(table, shell.set_up(table), ended.append)
    form.touch("way", "touch")
    form.touch("way", "next")
    form.touch("way", "next")
    (end,) = ended
    presenter = shell.count(table, end)
    assert presenter.session.is_over
    assert presenter.session.table == table
    assert presenter.session.scores().final
    assert shell.store.games()[0].over
    shell.leave_table()
    again = shell.resume(presenter.session.id)
    assert again.session.state == presenter.session.state
    shell.leave_table()


def test_an_open_table_is_counted_whatever_was_told_before() -> None:
    table, ended = told_less("thurn_and_taxis"), []
    presenter = table.presenter
    presenter.on_choice("play Ulm new")
    look = presenter.session.game.appearance(presenter.session.state)
    form = CountForm(presenter.session.table, look, ended.append)
    for way in ("touch", "next", "next"):
        form.touch("way", way)
    presenter.on_change(lambda changes: changes.count_up(ended[0]))
    assert presenter.session.is_over
    presenter.session.undo()
    assert not presenter.session.is_over
