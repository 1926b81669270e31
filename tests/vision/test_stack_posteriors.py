"""Counts of stacks and what stands on them are told as marginals of one distribution, no surer than the view allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.registry import print_and_play_board
from vision.printed.stacks.forms import StackKind, StackPlace, stack_kind_of
from vision.printed.stacks.posteriors import DISTRUST, StackPosteriors
from vision.printed.stacks.scenes import Fit

HEIGHT = 600.0
NO_TILE = -1e3


@pytest.fixture(scope="module")
def kind() -> StackKind:
    kind = stack_kind_of(print_and_play_board("capitol"))
    assert kind is not None
    return kind


def told_from(kind: StackKind, tilt: float = 45.0) -> StackPosteriors:
    looks = [("", ""), *((rider.name, label) for rider in kind.riders for label in rider.labels)]
    return StackPosteriors(kind, looks, HEIGHT, tilt)


def place_of(kind: StackKind, apart: float) -> StackPlace:
    """A place where one piece more moves a stack's top by so many millimetres on the sheet."""
    away = apart * HEIGHT / kind.piece.height
    none = np.zeros(0, np.intp)
    return StackPlace(kind.spots[0], (0, 0), (40, 40), away, 1.0, np.eye(2), none)


def fit_of(kind: StackKind, scores: dict[tuple[int, tuple[str, str]], float]) -> Fit:
    looks = told_from(kind).looks
    table = np.full((len(kind.piece.labels), len(looks)), -80.0)
    for (count, look), nats in scores.items():
        table[count - 1, looks.index(look)] = nats
    return Fit(table, 0, 1, (0, 0), walls=3.0)


@pytest.mark.parametrize(("apart", "sure"), [(10.0, True), (2.0, False)])
def test_floors_are_as_sure_as_the_view_tells_them_apart(kind: StackKind, apart: float, sure: bool) -> None:
    fit = fit_of(kind, {(3, ("dome", "red")): 200.0})
    posteriors, taken = told_from(kind).of(place_of(kind, apart), fit, NO_TILE, 1.0)
    floors = posteriors[kind.spots[0].name]
    assert max(floors, key=floors.__getitem__) == "3"
    assert (floors["3"] > 0.9) is sure
    assert posteriors[f"dome {kind.spots[0].site}"]["red"] > 0.9
    assert taken > 0.99


def test_floors_look_alike_from_above_where_they_do_not_from_the_side(kind: StackKind) -> None:
    fit, place = fit_of(kind, {(3, ("dome", "red")): 200.0}), place_of(kind, 6.0)
    from_the_side, from_above = (
        told_from(kind, tilt).of(place, fit, NO_TILE, 1.0)[0][kind.spots[0].name]["3"] for tilt in (45.0, 0.0)
    )
    assert from_above < 0.9 < from_the_side


def test_no_roof_is_no_surer_than_the_stack_without_it(kind: StackKind) -> None:
    fit = replace(fit_of(kind, {(7, ("", "")): 60.0, (6, ("gable", "red")): 58.0}), look=0)
    site = kind.spots[0].site
    posteriors, _ = told_from(kind).of(place_of(kind, 10.0), fit, NO_TILE, 1.0)
    assert posteriors[f"gable {site}"][""] < 0.9
    posteriors, _ = told_from(kind).of(place_of(kind, 10.0), replace(fit, trust=DISTRUST), NO_TILE, 1.0)
    assert max(max(each.values()) for each in posteriors.values()) < 0.9


def test_a_roof_of_unsure_form_is_named_all_the_same(kind: StackKind) -> None:
    fit = fit_of(kind, {(2, ("gable", "yellow")): 120.1, (2, ("dome", "yellow")): 120.0})
    site = kind.spots[0].site
    posteriors, _ = told_from(kind).of(place_of(kind, 10.0), fit, NO_TILE, 1.0)
    best = {spot: max(shares, key=shares.__getitem__) for spot, shares in posteriors.items()}
    assert (best[f"gable {site}"], best[f"dome {site}"]) == ("yellow", "")
    assert all(max(posteriors[f"{rider} {site}"].values()) < 0.9 for rider in ("gable", "dome"))


def test_nothing_fitted_is_an_empty_place(kind: StackKind) -> None:
    posteriors, taken = told_from(kind).of(place_of(kind, 10.0), None, NO_TILE, 1.0)
    assert all(shares[""] > 0.99 for shares in posteriors.values())
    assert taken == 0.0
