"""The score screen, and how the app comes to it."""

from dataclasses import replace

import pytest

from tests.ui.tables import RecordingPresenter, final_view, play_view, state_after

pytestmark = pytest.mark.window


@pytest.fixture
def presenter():
    return RecordingPresenter(final_view())


@pytest.fixture
def ended(start, presenter):
    return start(presenter)


@pytest.fixture
def screen(ended):
    """The lines behind the end."""
    ended.app.screens.current_screen.show_lines()
    ended.frames()
    return ended


def test_the_end_shows_its_places_from_last_to_first_and_a_touch_shows_all(ended, presenter):
    from ui.widgets.end_page import PodiumStepBox

    page = ended.app.screens.current_screen.ids.event
    ranking = presenter.shown.score.ranking
    assert page.revealed < len(ranking)
    page.revealed = 1
    shown = [step for step in ended.all(PodiumStepBox) if step.is_shown]
    assert [step.points for step in shown] == [str(ranking[-1][2])]
    ended.tap(page)
    assert not page.is_revealing
    assert {step.name for step in ended.all(PodiumStepBox) if step.is_shown} == {
        name for _seat, name, _points, _rank in ranking
    }
    assert [step.is_first for step in ended.all(PodiumStepBox) if step.name == ranking[0][1]] == [True]


def test_each_of_four_steps_has_room_for_its_points(ended):
    from scripts.pictures.faults import faults
    from ui.widgets.end_page import PodiumStepBox

    screen = ended.app.screens.current_screen
    screen.ids.event.show_all()
    ended.frames()
    assert len([step for step in ended.all(PodiumStepBox) if step.is_shown]) == 4
    assert not [fault for fault in faults(screen) if fault.startswith("cut")]


def test_the_sheet_of_the_end_adds_up(ended, presenter):
    from ui.widgets.end_page import SheetLine

    page = ended.app.screens.current_screen.ids.event
    page.show_all()
    lines = [[cell.text for cell in reversed(line.ids.cells.children)] for line in ended.all(SheetLine)]
    columns = zip(*lines[1:-1], strict=True)
    sums = [sum(int(text) for text in column if text != "–") for column in columns]
    assert list(map(str, sums)) == lines[-1]
    assert lines[-1] == [str(points) for _seat, _name, points, _rank in presenter.shown.score.ranking]


def test_from_the_end_one_comes_to_the_lines_and_to_the_board(ended):
    ids = ended.app.screens.current_screen.ids
    ids.event.show_all()
    ended.frames()
    ended.tap(ids.event.ids.lines)
    assert not ended.app.screens.current_screen.is_event
    ended.tap(ids.back)
    assert ended.app.screens.current == "play"


def lines_of(screen):
    from ui.screens.score import ScoreLineButton

    return sorted((line for line in screen.all(ScoreLineButton)), key=lambda line: line.index)


def test_the_score_appears_when_it_is_final_and_only_then(start):
    playing = play_view(state_after(120))
    presenter = RecordingPresenter(playing)
    screen = start(presenter)
    running = replace(playing, score=replace(final_view().score, final=False))
    for view, shown in ((playing, "play"), (running, "play"), (final_view(), "score")):
        presenter.shown = view
        screen.app.refresh()
        assert screen.app.screens.current == shown


def test_the_running_score_can_be_looked_up_meanwhile(start):
    playing = play_view(state_after(120), score=replace(final_view().score, heading="Score so far", final=False))
    screen = start(RecordingPresenter(playing))
    screen.tap(screen.app.screens.current_screen.ids.score)
    assert screen.app.screens.current == "score"
    assert screen.app.screens.current_screen.ids.heading.text.startswith("Score so far")


def test_one_can_go_back_to_the_board_and_stays_there(screen, presenter):
    screen.tap(screen.app.screens.current_screen.ids.back)
    assert screen.app.screens.current == "play"
    screen.frames()
    assert screen.misdrawn_wards(presenter.shown) == []
    presenter.shown = replace(presenter.shown)
    screen.app.refresh()
    assert screen.app.screens.current == "play"


def test_a_key_leads_back_too(screen, presenter):
    screen.key(27)
    assert screen.app.screens.current == "play"
    assert presenter.asked == []


def test_the_ranking_is_shown_in_order_with_the_winner_marked(screen, presenter):
    from ui.screens.score import RankButton

    presses = list(screen.all(RankButton))
    ranking = presenter.shown.score.ranking
    assert [(press.seat, press.name, press.points) for press in presses] == [
        (seat, name, str(points)) for seat, name, points, _rank in ranking
    ]
    assert [press.strong for press in presses] == [rank == 1 for *_others, rank in ranking]


def test_lines_stand_under_their_rules(screen, presenter):
    score = presenter.shown.score
    titles = list(dict.fromkeys(line.title for line in score.lines))
    rows = screen.app.screens.current_screen.ids.lines.data
    assert [row["title"] for row in rows if "title" in row] == titles
    assert [row["index"] for row in rows if "index" in row] == list(range(len(score.lines)))
    first = lines_of(screen)[0]
    assert first.points == f"+{score.lines[0].points}"


def test_what_a_rule_gave_each_player_stands_beside_its_name(screen, presenter):
    score = presenter.shown.score
    heading = next(row for row in screen.app.screens.current_screen.ids.lines.data if "title" in row)
    lines = [line for line in score.lines if line.title == heading["title"]]
    sums = {seat: sum(line.points for line in lines if line.seat == seat) for seat in {line.seat for line in lines}}
    assert [points for _style, points in heading["totals"]] == [sums[seat] for seat in sorted(sums)]


def test_a_sheet_without_a_line_says_so(start):
    score = replace(final_view().score, lines=(), final=False)
    screen = start(RecordingPresenter(play_view(state_after(0), score=score)))
    screen.tap(screen.app.screens.current_screen.ids.score)
    screen.frames(2)
    ids = screen.app.screens.current_screen.ids
    assert ids.notes.text.splitlines()[0] == "Nothing has been scored yet."
    assert ids.board.width > 0.9 * screen.app.screens.width
    assert not list(ids.lines.data)


def test_touching_a_line_shows_its_pieces_and_tells_the_presenter(screen, presenter):
    line = lines_of(screen)[1]
    screen.tap(line)
    screen.until(lambda: bool(presenter.asked))
    assert presenter.asked == [("score line", 1)]
    verdict = screen.app.screens.current_screen.ids.board.showing.verdict
    assert verdict.sites == presenter.shown.score.lines[1].sites
    screen.frames()
    assert [line.index for line in lines_of(screen) if line.marked] == [1]


def test_a_new_answer_of_the_presenter_keeps_the_touched_line_marked(screen, presenter):
    presenter.answers["score line", 1] = replace(presenter.shown)
    screen.app.screens.current_screen.touch_line(1)
    verdict = screen.app.screens.current_screen.ids.board.showing.verdict
    assert verdict.sites == presenter.shown.score.lines[1].sites


def test_touching_a_player_shows_only_their_lines_and_once_more_all(screen, presenter):
    from ui.screens.score import RankButton

    score = presenter.shown.score
    press = next(screen.all(RankButton))
    rows = screen.app.screens.current_screen.ids.lines
    screen.tap(press)
    own = [index for index, line in enumerate(score.lines) if line.seat == press.seat]
    assert [row["index"] for row in rows.data if "index" in row] == own
    screen.tap(press)
    assert len([row for row in rows.data if "index" in row]) == len(score.lines)


def test_tie_notes_are_shown(screen, presenter):
    assert "Equal points are decided" in screen.app.screens.current_screen.ids.notes.text
