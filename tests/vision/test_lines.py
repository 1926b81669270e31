"""Bars that lie in lines are read together: what continues a line is believed, what lies alone is doubted."""

from collections.abc import Collection, Mapping

import pytest

from companion.board.layout import EMPTY, Board
from companion.registry import GAMES, print_and_play_board
from vision.printed.evidence.lines import Lines, lines_of

LABELS = ("grey", "brown", "white")


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("city_of_marble")


@pytest.fixture(scope="module")
def lines(board: Board) -> Lines:
    (found,) = lines_of(board)
    return found


def way_from(board: Board, label: str, length: int) -> list[str]:
    """The edges of a line from a label's source on that goes as far from it as it can."""
    lattice, source = board.lattice, board.features["source"][label]
    at, edges = source, []
    for _ in range(length):
        farther = {end: edge for edge in lattice.vertex_edges[at] for end in lattice.edge_ends[edge] if end != at}
        x, y = lattice.places[source]
        at = max(farther, key=lambda end: (lattice.places[end][0] - x) ** 2 + (lattice.places[end][1] - y) ** 2)
        edges.append(farther[at])
    return edges


def read(board: Board, bars: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """What single spots tell: these edges so, nothing anywhere else."""
    bare = {EMPTY: 0.999, **dict.fromkeys(LABELS, 0.001 / 3)}
    found = {spot.name: bare for spot in board.spots.values() if spot.piece == "aqueduct"}
    return found | {
        f"aqueduct {edge}": dict.fromkeys((EMPTY, *LABELS), 0.0) | dict(shares) for edge, shares in bars.items()
    }


def best(shares: Mapping[str, float]) -> tuple[str, float]:
    label = max(shares, key=shares.__getitem__)
    return label, shares[label]


Looks = Mapping[str, float]
WHITE: Looks = {"white": 0.95, EMPTY: 0.05}


def all_like(edges: Collection[str], looks: Looks) -> dict[str, Looks]:
    return dict.fromkeys(edges, looks)


def test_bar_missed_amid_a_line_is_told_but_not_surely(board: Board, lines: Lines) -> None:
    way = way_from(board, "white", 6)
    bars = all_like(way, WHITE)
    bars[way[2]] = {EMPTY: 0.8, "white": 0.15, "grey": 0.05}
    label, share = best(lines.along(read(board, bars), ())[f"aqueduct {way[2]}"])
    assert label == "white"
    assert 0.5 < share < 0.9


def test_bars_half_seen_all_along_a_line_are_told_but_not_surely(board: Board, lines: Lines) -> None:
    """White bars beside white paper: that most spots are bare, which each of them tells anew, does not add up."""
    way = way_from(board, "white", 6)
    found = lines.along(read(board, all_like(way, {EMPTY: 0.7, "white": 0.3}) | {way[5]: WHITE}), ())
    for edge in way[:5]:
        label, share = best(found[f"aqueduct {edge}"])
        assert label == "white"
        assert 0.5 < share < 0.9


def test_bars_half_seen_where_none_of_their_line_is_seen_are_not_imagined(board: Board, lines: Lines) -> None:
    """So the edge of a resting hand looks."""
    way = way_from(board, "white", 6)
    found = lines.along(read(board, all_like(way[:3], {EMPTY: 0.7, "white": 0.3})), ())
    assert {best(found[f"aqueduct {edge}"])[0] for edge in way} == {EMPTY}


def test_bar_in_a_line_of_another_colour_is_of_the_lines_colour(board: Board, lines: Lines) -> None:
    way = way_from(board, "white", 6)
    bars = all_like(way, WHITE)
    bars[way[3]] = {"grey": 0.7, "white": 0.28, EMPTY: 0.02}
    assert best(lines.along(read(board, bars), ())[f"aqueduct {way[3]}"])[0] == "white"


def test_what_continues_a_line_becomes_surer(board: Board, lines: Lines) -> None:
    way = way_from(board, "brown", 4)
    bars = all_like(way, {"brown": 0.8, "grey": 0.15, EMPTY: 0.05})
    found = lines.along(read(board, bars), ())
    assert all(found[f"aqueduct {edge}"]["brown"] > 0.9 for edge in way[:-1])


def test_doubtful_bar_off_all_lines_is_nothing(board: Board, lines: Lines) -> None:
    way = way_from(board, "white", 8)
    found = lines.along(read(board, {way[6]: {"white": 0.7, EMPTY: 0.3}}), ())
    assert best(found[f"aqueduct {way[6]}"])[0] == EMPTY


def test_no_line_proves_no_bare_spot(board: Board, lines: Lines) -> None:
    way = way_from(board, "white", 8)
    found = lines.along(read(board, {way[6]: {"white": 0.5, EMPTY: 0.5}}), ())
    assert 0.5 < found[f"aqueduct {way[6]}"][EMPTY] < 0.9


@pytest.mark.parametrize("some", [slice(6, 7), slice(4, 8)])
def test_bars_laid_wrongly_are_seen_where_they_look_so(board: Board, lines: Lines, some: slice) -> None:
    way = way_from(board, "white", 8)[some]
    found = lines.along(read(board, all_like(way, {"grey": 0.999, EMPTY: 0.001})), ())
    assert all(best(found[f"aqueduct {edge}"])[0] == "grey" for edge in way)


def covered(edges: Collection[str]) -> set[str]:
    return {f"aqueduct {edge}" for edge in edges}


def test_line_goes_on_beyond_what_is_covered(board: Board, lines: Lines) -> None:
    way = way_from(board, "grey", 6)
    bars = all_like(way, {"grey": 0.75, "white": 0.2, EMPTY: 0.05})
    found = lines.along(read(board, bars), covered(way[2:4]))
    assert not found.keys() & covered(way[2:4])
    assert best(found[f"aqueduct {way[4]}"])[0] == "grey"
    assert found[f"aqueduct {way[4]}"]["grey"] > 0.75


def test_no_line_touches_another(board: Board, lines: Lines) -> None:
    """A bar that would join two lines belongs to one at most."""
    way = way_from(board, "white", 6)
    bars = all_like(way, {"white": 0.99, EMPTY: 0.01})
    source = board.features["source"]["white"]
    beside = next(edge for edge in board.lattice.vertex_edges[source] if edge not in way)
    bars[beside] = {"brown": 0.6, EMPTY: 0.4}
    assert best(lines.along(read(board, bars), ())[f"aqueduct {beside}"])[0] == EMPTY


def test_probabilities_stay_probabilities(board: Board, lines: Lines) -> None:
    way = way_from(board, "white", 6)
    found = lines.along(read(board, all_like(way, {"grey": 0.4, "white": 0.4, EMPTY: 0.2})), ())
    assert all(sum(shares.values()) == pytest.approx(1.0) for shares in found.values())
    assert all(0.0 <= share <= 1.0 for shares in found.values() for share in shares.values())


def test_nothing_is_told_of_a_bare_board(board: Board, lines: Lines) -> None:
    assert lines.along(read(board, {}), ()) == {}


def test_other_games_have_no_lines() -> None:
    having = {game for game in GAMES for sheet in print_and_play_board(game).sheets if lines_of(sheet)}
    assert having == {"city_of_marble"}
