"""Reads any board spot by spot with what was taught from photographs, and says what changed between two of them.

There need be no patches of known colour: the light is told by the pieces and empty spots recognised so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.session.observation import Observation
from vision.camera.frames import CameraFrame
from vision.colour_flaws import COLOURLESS
from vision.colour_space import LINEAR
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.spots.light_field import LightField, Rows
from vision.spots.sketches import Halvings
from vision.spots.spot_features import colourfulness, describe, mean_light
from vision.spots.spot_light import MOST_GAIN, SpotLight
from vision.spots.spot_profile import SpotProfile
from vision.spots.taught_kind import KindJudgement, SpotView, TaughtKind

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_TELLING = 250
"""So many spots tell the light of all; where there are twice as many, not all are asked."""
_ROUNDS = 2
"""How often the light is taken anew from what was recognised."""
_PLAIN = 0.9
"""From this evidence on the light is taken to be about as it was when the pieces were taught."""
_EVEN, _BETTER = 0.99, 0.003
"""Edges of light are looked for below this evidence, and believed where they raise it by so much."""
_COLOURED, _GREY, _ALL = 0.2, 0.04, 0.98
"""How colourful what is taught must be to be told by colour, and the least that nearly all of a picture may be, lest it
is grey.
"""
_SAME_LIGHT = 0.03
"""Natural logarithm by which the light may still be off."""
_SURE = 0.8
"""Spots recognised so surely tell the light."""
_STRANGE = 0.75
"""Spots more strange than this show nothing that was taught: they count as covered."""
_CHANGED = 9.0
"""Grey levels by which a part of a patch must change for the spot to be judged again."""
_NEW_LIGHT = 0.06
"""Logarithm of pixel values by which all may become brighter before the light is taken anew."""
_UNSETTLED = 0.3
"""The share of all spots that may be judged anew before the light is."""
_GAMMA = 2.2
_SLACK = 0.5
"""Millimetres by which a piece may lie lower than the top of the one beneath it."""


@dataclass(frozen=True, slots=True)
class SpotReading:
    """A distribution for every spot but the covered ones: outside the picture, or under something never taught.

    `colours` is the light in which it was read.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    colours: SpotLight = field(compare=False)

    @property
    def gains(self) -> tuple[float, float, float]:
        """The natural logarithms by which blue, green and red were made brighter in the middle of the board."""
        blue, green, red = self.colours.at(np.zeros((1, 2)))[0].tolist()
        return blue, green, red

    def likeliest(self, spot: str) -> tuple[str, float]:
        """The likeliest label of a spot and its probability."""
        return max(self.posteriors[spot].items(), key=lambda item: item[1])

    def observation(self, board: Board, frame: CameraFrame) -> Observation:
        """The reading as the observation of a quiet frame."""
        return Observation(board.id, frame.id, frame.time, self.posteriors, self.covered, quiet=True)


@dataclass(frozen=True, slots=True)
class SpotChange:
    """A spot that shows another label than before: `probability` is that of any change."""

    spot: str
    before: str
    after: str
    probability: float


class SpotReader:
    """Reads one board with one taught profile.

    Raises InvalidProfile if the profile was taught on another board.
    """

    def __init__(self, board: Board, profile: SpotProfile) -> None:
        profile.check(board)
        self.board = board
        self._kinds = tuple(
            TaughtKind(board, name, taught.classifier, taught.light) for name, taught in sorted(profile.pieces.items())
        )
        self._rows = [np.arange(len(kind.spots)) for kind in self._kinds]
        self._stacked = _stacked(self._kinds)
        self._field = LightField(self._kinds)
        every = max(1, len(self.board.spots) // _TELLING)
        dice = np.random.default_rng(0)
        self._telling = [dice.permutation(rows)[::every] for rows in self._rows] if every > 1 else self._rows

    def colour_flaw(self, image: Image, pose: Projection) -> str:
        """Why a picture tells nothing to what was taught in colour: it is grey, as by night sight; "" where it does."""
        if not self._kinds or max(kind.colourfulness for kind in self._kinds) < _COLOURED:
            return ""
        seen = np.concatenate([kind.sketcher.glance(image, pose) for kind in self._kinds])
        return COLOURLESS if colourfulness(LINEAR[seen], _ALL) < _GREY else ""

    def read(self, image: Image, pose: Projection) -> SpotReading:
        """Read everything a picture shows under a pose."""
        views = [kind.look(image, pose) for kind in self._kinds]
        return self._told(views, *self._settled(views, SpotLight.even(np.zeros(3))))

    def read_in(self, light: SpotLight, image: Image, pose: Projection, spots: Iterable[str]) -> SpotReading:
        """Read some spots in a light that is known; the others count as covered."""
        posteriors: dict[str, Mapping[str, float]] = {}
        wanted = set(spots)
        for kind in self._kinds:
            rows = np.array([k for k, spot in enumerate(kind.spots) if spot.name in wanted], np.intp)
            if len(rows):
                view = kind.look(image, pose)
                table, strange = kind.judge(view, light, rows)
                for k, shares, is_strange in zip(rows, table, strange > _STRANGE, strict=True):
                    if view.inside[k] and not is_strange:
                        posteriors[kind.spots[k].name] = dict(zip(kind.labels, map(float, shares), strict=True))
        return SpotReading(posteriors, frozenset(self.board.spots.keys() - posteriors.keys()), light)

    def _settled(self, views: list[SpotView], start: SpotLight) -> tuple[SpotLight, list[KindJudgement]]:
        """What the spots show, and the light that goes with it, told by a sample of them where there are many."""
        gains, told = self._settled_by(views, self._telling, start)
        return gains, self._completed(views, gains, told)

    def _completed(self, views: list[SpotView], gains: SpotLight, told: list[KindJudgement]) -> list[KindJudgement]:
        """What all spots show in a light, where those that tell it have been judged in it."""
        if self._telling is self._rows:
            return told
        others = [np.setdiff1d(rows, some) for rows, some in zip(self._rows, self._telling, strict=True)]
        judged = []
        rest_told = self._judged(views, gains, others)
        for some, first, rest, second in zip(self._telling, told, others, rest_told, strict=True):
            order = np.argsort(np.concatenate([some, rest]))
            table, strange = (np.concatenate(pair)[order] for pair in zip(first, second, strict=True))
            judged.append((table, strange))
        return judged

    def _settled_by(self, views: list[SpotView], rows: Rows, start: SpotLight) -> tuple[SpotLight, list[KindJudgement]]:
        """The same by some rows of each kind alone."""
        seen = [each[view.inside[each]] for each, view in zip(rows, views, strict=True)]
        light = np.concatenate([mean_light(view.patches(each)) for each, view in zip(seen, views, strict=True)])
        if not len(light):
            return start, self._judged(views, start, rows)
        places = np.concatenate([kind.places[each] for each, kind in zip(seen, self._kinds, strict=True)])

        def refined(gains: SpotLight, judged: list[KindJudgement]) -> tuple[SpotLight, list[KindJudgement]]:
            for _ in range(_ROUNDS):
                fresh = gains.after(places, light, *self._expected_light(views, judged, rows))
                if np.abs(fresh.at(places) - gains.at(places)).max() < _SAME_LIGHT:
                    break
                gains, judged = fresh, self._judged(views, fresh, rows)
            return gains, judged

        gains, judged = refined(*self._begun(views, rows, start, np.median(light, axis=0)))
        if (evidence := _evidence(judged)) < _EVEN:
            plain = replace(gains, edges=None)
            edged = replace(plain, edges=self._field.edges(views, plain, rows))
            if edged.edges is not gains.edges:
                other, told = refined(edged, self._judged(views, edged, rows))
                if _evidence(told) > evidence + _BETTER:
                    return other, told
        return gains, judged

    def _begun(
        self, views: list[SpotView], rows: Rows, start: SpotLight, middle: Doubles
    ) -> tuple[SpotLight, list[KindJudgement]]:
        """A light that a picture's median light (3,) may be in, and what spots show in it."""
        gains, judged = start, self._judged(views, start, rows)
        if _evidence(judged) < _PLAIN:
            # What most spots show may be any label, or none: their light is then that of the bare board.
            bare = [kind.label_light[:1] for kind in self._kinds if kind.light_known[0]]
            for usual in ([kind.usual_light for kind in self._kinds], bare):
                if not usual:
                    continue
                off = np.median(np.concatenate(usual), axis=0) - middle
                other = SpotLight.even(np.clip(off, -MOST_GAIN, MOST_GAIN))
                judged, gains = max(
                    ((judged, gains), (self._judged(views, other, rows), other)), key=lambda each: _evidence(each[0])
                )
        return gains, judged

    def _told(self, views: list[SpotView], gains: SpotLight, judged: list[KindJudgement]) -> SpotReading:
        posteriors: dict[str, Mapping[str, float]] = {}
        covered = set(self.board.spots)
        above = [np.zeros(len(kind.spots)) for kind in self._kinds]
        for lower, upper, below, on_top in self._stacked:
            shown = np.where(views[upper].inside, judged[upper][1], 0.0)
            np.maximum.at(above[lower], below, shown[on_top])
        for kind, view, (table, own), hidden in zip(self._kinds, views, judged, above, strict=True):
            strange = np.maximum(own, hidden)
            shares = (1.0 - hidden[:, None]) * table + hidden[:, None] / table.shape[1]
            seen = view.inside & (strange <= _STRANGE)
            for k in np.flatnonzero(seen):
                posteriors[kind.spots[k].name] = dict(zip(kind.labels, map(float, shares[k]), strict=True))
        return SpotReading(posteriors, frozenset(covered - posteriors.keys()), gains)

    def _judged(self, views: list[SpotView], gains: SpotLight, rows: Rows) -> list[KindJudgement]:
        return [kind.judge(view, gains, each) for kind, view, each in zip(self._kinds, views, rows, strict=True)]

    def _expected_light(
        self, views: list[SpotView], judged: list[KindJudgement], rows: Rows
    ) -> tuple[Doubles, Doubles]:
        """The light (n, 3) that spots in the picture should have by what they show, and how far to trust it (n,)."""
        expected, trust = [], []
        for kind, view, (table, strange), each in zip(self._kinds, views, judged, rows, strict=True):
            best, inside = table.argmax(axis=1), view.inside[each]
            expected.append(kind.label_light[best][inside])
            sure = (table.max(axis=1) > _SURE) & (strange < 0.5) & kind.light_known[best]
            trust.append(sure[inside].astype(np.float64))
        return np.concatenate(expected), np.concatenate(trust)


class SpotFollower(SpotReader):
    """Reads one picture after another of the same table: spots that look as they did are not judged again."""

    def __init__(self, board: Board, profile: SpotProfile) -> None:
        super().__init__(board, profile)
        self._memory: _Memory | None = None
        self._gains = SpotLight.even(np.zeros(3))

    def described(self, image: Image, pose: Projection, spots: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The descriptions (LENGTH,) of spots of the picture that was read last, in the light they are taught in."""
        found: dict[str, npt.NDArray[np.float32]] = {}
        wanted = set(spots)
        gains = self._gains
        for kind in self._kinds:
            rows = [k for k, spot in enumerate(kind.spots) if spot.name in wanted]
            if rows:
                patches = kind.look(image, pose).patches(np.array(rows, np.intp))
                described = describe(patches, gains.at(kind.places[rows]))
                found |= {kind.spots[k].name: each for k, each in zip(rows, described, strict=True)}
        return found

    def read(self, image: Image, pose: Projection) -> SpotReading:
        """Read everything a picture shows under a pose; the pose may change from picture to picture."""
        views = [kind.look(image, pose) for kind in self._kinds]
        halvings = Halvings(image)
        small = [kind.sketcher.sketch(halvings, pose) for kind in self._kinds]
        memory = self._memory
        if memory is None:
            gains, judged = self._settled(views, SpotLight.even(np.zeros(3)))
            self._memory, self._gains = _Memory(gains, judged, small, [view.inside for view in views]), gains
            return self._told(views, gains, judged)
        drift = _drift(memory.small, small)
        fresh = [
            np.flatnonzero(_differs(before, now, drift) | (was_inside != view.inside))
            for before, now, was_inside, view in zip(memory.small, small, memory.inside, views, strict=True)
        ]
        memory.unsettled += sum(map(len, fresh))
        gains = memory.gains.shifted(-_GAMMA * drift)
        if np.abs(drift).max() > _NEW_LIGHT or memory.unsettled > _UNSETTLED * len(self.board.spots):
            told, judged = self._settled_by(views, self._telling, gains)
            if told is not gains:
                judged = self._completed(views, told, judged)
                self._memory, self._gains = _Memory(told, judged, small, [view.inside for view in views]), told
                return self._told(views, told, judged)
            # It is the same light, or as much more of it as was thought.
            memory.rebase(gains, drift)
            drift = np.zeros(3)
        self._gains = gains
        for k, (kind, view, rows) in enumerate(zip(self._kinds, views, fresh, strict=True)):
            if len(rows):
                table, strange = kind.judge(view, gains, rows)
                memory.judged[k][0][rows], memory.judged[k][1][rows] = table, strange
                memory.small[k][rows] = small[k][rows] * np.exp(-drift)
                memory.inside[k][rows] = view.inside[rows]
        return self._told(views, gains, memory.judged)


@dataclass(slots=True)
class _Memory:
    """What was last seen of each kind's spots, in the light in which all were judged, and what was made of it.

    `unsettled` counts the spots that have been judged since.
    """

    gains: SpotLight
    judged: list[KindJudgement]
    small: list[npt.NDArray[np.float32]]
    inside: list[Flags]
    unsettled: int = 0

    def rebase(self, gains: SpotLight, drift: Doubles) -> None:
        """Take it as seen in a light brighter by `drift`, to which these gains belong."""
        self.gains, self.unsettled = gains, 0
        self.small = [each * np.exp(drift).astype(np.float32) for each in self.small]


def _drift(before: list[npt.NDArray[np.float32]], now: list[npt.NDArray[np.float32]]) -> Doubles:
    """By how much (natural logarithm of pixel values, BGR) most spots have become brighter."""
    ratios = [
        np.log(np.maximum(b.mean(axis=(1, 2)), 1.0)) - np.log(np.maximum(a.mean(axis=(1, 2)), 1.0))
        for a, b in zip(before, now, strict=True)
    ]
    return np.asarray(np.median(np.concatenate(ratios), axis=0), np.float64)


def _differs(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32], drift: Doubles) -> Flags:
    """Which spots (n,) look otherwise than before, a change of all light apart."""
    off = np.abs(now - before * np.exp(drift).astype(np.float32))
    return np.asarray(off.max(axis=(1, 2, 3)) > _CHANGED)


def _stacked(kinds: Sequence[TaughtKind]) -> list[tuple[int, int, npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Of which kind (number) pieces lie under which other's, and the rows of both: those in whose middle something
    stands that, if it looks like nothing taught, hides what they are.
    """
    found = []
    for lower, under in enumerate(kinds):
        tops = np.array([spot.base + spot.height for spot in under.spots])
        for upper, over in enumerate(kinds):
            if lower == upper or not under.spots or not over.spots:
                continue
            bases = np.array([spot.base for spot in over.spots])
            apart = np.linalg.norm(under.centres[:, None] - over.centres, axis=2)
            below, on_top = np.nonzero((apart < under.width / 2) & (bases >= tops[:, None] - _SLACK))
            if len(below):
                found.append((lower, upper, below, on_top))
    return found


def changes(before: SpotReading, after: SpotReading, threshold: float = 0.5) -> tuple[SpotChange, ...]:
    """The spots that, by both readings, more likely than `threshold` show another label after than before."""
    found = []
    for spot, now in after.posteriors.items():
        if spot not in before.posteriors:
            continue
        then = before.posteriors[spot]
        old, label = before.likeliest(spot)[0], after.likeliest(spot)[0]
        probability = 1.0 - sum(chance * then[each] for each, chance in now.items())
        if label != old and probability > threshold:
            found.append(SpotChange(spot, old, label, probability))
    return tuple(sorted(found, key=lambda change: -change.probability))


def _evidence(judged: list[KindJudgement]) -> float:
    """How well all spots look like something that was taught."""
    return float(np.mean(np.concatenate([table.max(axis=1) * (1.0 - strange) for table, strange in judged])))
