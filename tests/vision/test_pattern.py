"""A face that differs from the sheet by little but its pattern is doubted, not surely called absent."""

import numpy as np

from companion.board.layout import Board
from vision.printed.evidence.classify import planned_kinds, taught_kinds
from vision.printed.evidence.pattern import with_pattern
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.canvas import Canvas


def empty_chances(board: Board, profile: Profile, laid: float, odd_light: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How empty each spot for a hill is called with the pattern looked at, and the nats of a hill before that.

    The first spot has a hill, pale as in the share `laid` of its face's colours; all colours are off by `odd_light`.
    """
    (kind,) = (kind for kind in taught_kinds(planned_kinds(board)[0], profile) if kind.piece.name == "hill")
    name, plan = kind.piece.name, kind.plan
    expected = Canvas(board, profile).expect(np.ascontiguousarray(plan.places[..., :2]))
    lab = expected.middle + odd_light
    inside = kind.looks.inside[0] > 0
    pale = laid * kind.looks.mean(0, 0) + (1 - laid) * expected.middle[0].mean(axis=0)
    lab[0, inside] = (pale + odd_light)[inside]
    weight = np.full(lab.shape[:2], 2.0, np.float32)
    evidence = Evidence({name: weight})
    evidence.compare([kind], {name: lab}, {name: expected.log_density(lab)}, {})
    nats = evidence.gains[name].weighed(evidence.weights[name])[:, 0]
    tables = {name: np.tile([0.99, 0.005, 0.005], (len(plan.spots), 1))}
    seen = {name: weight}
    found = with_pattern([kind], tables, evidence, {name: lab}, {name: expected.middle}, seen, seen)
    assert np.allclose(found[name].sum(axis=1), 1.0)
    return found[name][:, 0], nats


def test_a_face_of_nearly_the_colour_of_the_sheet_is_doubted(board: Board, profile: Profile) -> None:
    empty, nats = empty_chances(board, profile, 0.6, np.array([4.0, 3.0, 8.0], np.float32))
    assert -15.0 < nats[0] < 0.0
    assert empty[0] < 0.9
    assert min(empty[1:]) > 0.98


def test_a_bare_sheet_in_light_of_the_colour_of_a_face_is_not_doubted(board: Board, profile: Profile) -> None:
    """Colours alone take every bare spot for a face or nearly so: only the pattern tells."""
    empty, nats = empty_chances(board, profile, 1.0, np.array([-12.0, 4.0, 10.0], np.float32))
    assert min(nats[1:]) > -5.0
    assert min(empty[1:]) > 0.98
