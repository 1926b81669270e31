"""Pieces that share samples: what explains all of them together wins."""

from __future__ import annotations

import numpy as np

from companion.registry import print_and_play_board
from vision.printed.evidence.explaining import Claim, explaining

BOARD = print_and_play_board("city_of_marble")


def claim(spot: str, left: float, gains: list[float], distance: float) -> Claim:
    """Samples in a row from `left` on, ten pixels apart, within a silhouette as long as the row."""
    count = len(gains)
    pixels = np.column_stack([left + 5 + 10 * np.arange(count), np.full(count, 5)]).astype(np.float32)
    right = left + 10 * count
    outline = np.array([[left, 0], [right, 0], [right, 10], [left, 10]], np.float32)
    return Claim((BOARD.spots[spot],), np.array(gains), pixels, (outline,), distance)


def test_a_phantom_made_up_of_a_neighbour_loses_against_it() -> None:
    phantom = claim("magistrate E8-F8", 0, [-3, -3, 20, 20], 100)
    neighbour = claim("cube E8", 20, [20, 20], 140)
    assert explaining([phantom, neighbour]) == [1]


def test_what_only_a_rival_hides_is_no_evidence_against_either() -> None:
    before, behind = claim("magistrate E8-F8", 0, [9, 9, 9], 100), claim("cube E8", 20, [-5, 9, 9, 9], 140)
    assert sorted(explaining([before, behind])) == [0, 1]


def test_a_rival_behind_takes_no_samples_away() -> None:
    before, behind = claim("magistrate E8-F8", 0, [9, 9, 9], 100), claim("cube E8", 0, [9, 9, 9], 140)
    assert explaining([before, behind]) == [0]


def test_pieces_of_one_site_exclude_each_other() -> None:
    first, second = claim("magistrate E8-F8", 0, [9, 9], 100), claim("aqueduct E8-F8", 100, [20, 20], 100)
    assert explaining([first, second]) == [1]


def test_pieces_apart_stand_each_by_its_own_evidence() -> None:
    claims = [claim("cube E8", 0, [9], 100), claim("cube J6", 50, [0.5], 100), claim("cube F8", 90, [7], 100)]
    assert explaining(claims) == [0, 2]
    assert explaining([]) == []
