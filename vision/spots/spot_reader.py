"""Reads any board spot by spot with a profile taught from photographs, and compares two readings.

No patches of known colour are needed: the light is estimated from the pieces and empty spots recognised so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.session.observation import Observation
from vision.camera.frames import CameraFrame
from vision.colour.flaws import COLOURLESS
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.spots.light_field import LightField, Rows
from vision.spots.sheet_light import SheetLight
from vision.spots.sketches import Halvings
from vision.spots.spot_comparison import change_odds, misfit
from vision.spots.spot_features import is_grey, mean_light
from vision.spots.spot_light import MOST_GAIN, SpotLight
from vision.spots.spot_profile import SpotProfile
from vision.spots.taught_kind import KindJudgement, SpotsSeen, SpotView, TaughtKind

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_SAMPLED_SPOTS = 250
"""Number of spots that the light is estimated from, where a board has at least twice as many."""
_ROUNDS = 2
"""Times that the light is estimated anew from what was recognised."""
_PLAIN = 0.9
"""Evidence (`_evidence`) from which the light is assumed to be about that of teaching."""
_EVEN = 0.99
"""Evidence below which edges of light are looked for."""
_BETTER = 0.003
"""Increase of the evidence from which they are believed."""
_COLOURED = 0.2
"""Colourfulness that what is taught must have for colour to matter."""
_SAME_LIGHT = 0.03
"""Natural logarithm of light that counts as no difference."""
_SURE = 0.8
"""Probability from which a recognised spot is used to estimate the light."""
_STRANGE = 0.75
"""Strangeness above which a spot shows nothing that was taught: it counts as covered."""
_CHANGED = 9.0
"""Grey levels by which a part of a patch must change for the spot to be judged again."""
_NEW_LIGHT = 0.06
"""Natural logarithm of a common change of pixel values from which the light is estimated anew."""
_UNSETTLED = 0.3
"""Share of the spots that may be judged again before the light is estimated anew."""
_GAMMA = 2.2
"""Exponent from pixel values to light."""
_MOST_READ = 20.0
"""Most odds of a change by what two readings say, however sure: one and the same look misread is as sure as another."""
_SLACK = 0.5
"""Millimetres by which a piece's base may lie below the top of the one beneath it."""


@dataclass(frozen=True, slots=True)
class SpotReading:
    """The probabilities of the labels of every visible spot; covered ones are at least half outside the picture or show
    something untaught.

    `colours` is the light in which it was read, `picture` what was seen on the spots.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    colours: SpotLight = field(compare=False)
    picture: SpotsSeen = field(compare=False, repr=False)

    @property
    def gains(self) -> tuple[float, float, float]:
        """The natural logarithms of the gains of blue, green and red in the middle of the board."""
        blue, green, red = self.colours.at(np.zeros((1, 2)))[0].tolist()
        return blue, green, red

    def likeliest(self, spot: str) -> tuple[str, float]:
        """The most likely label of a spot and its probability."""
        return max(self.posteriors[spot].items(), key=lambda item: item[1])

    def observation(self, board: Board, frame: CameraFrame) -> Observation:
        """The reading as the observation of a quiet frame."""
        return Observation(board.id, frame.id, frame.time, self.posteriors, self.covered, quiet=True)


@dataclass(frozen=True, slots=True)
class SpotChange:
    """A spot that shows another label than before; `probability` is that of any change."""

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
        self._kinds = tuple(TaughtKind(board, name, taught) for name, taught in sorted(profile.pieces.items()))
        self._rows = [np.arange(len(kind.spots)) for kind in self._kinds]
        self._stacked = _stacked(self._kinds)
        self._field = LightField(self._kinds)
        self._sheet = SheetLight(board, profile.sheet) if profile.sheet is not None else None
        every = max(1, len(self.board.spots) // _SAMPLED_SPOTS)
        dice = np.random.default_rng(0)
        self._telling = [dice.permutation(rows)[::every] for rows in self._rows] if every > 1 else self._rows

    def colour_flaw(self, image: Image, pose: Projection) -> str:
        """The reason why a picture cannot be read by what was taught in colour (it is grey, as in night vision),
        or "".
        """
        if not self._kinds or max(kind.colourfulness for kind in self._kinds) < _COLOURED:
            return ""
        seen = np.concatenate([kind.sketcher.glance(image, pose) for kind in self._kinds])
        return COLOURLESS if is_grey(seen) else ""

    def read(self, image: Image, pose: Projection) -> SpotReading:
        """Read everything a picture shows under a pose."""
        views = [kind.look(image, pose) for kind in self._kinds]
        return self._reading_of(views, *self._settled(views, self._sheet_light(image, pose)))

    def read_in(self, light: SpotLight, image: Image, pose: Projection, spots: Iterable[str]) -> SpotReading:
        """Read some spots in a known light; the others count as covered."""
        posteriors: dict[str, Mapping[str, float]] = {}
        wanted = set(spots)
        views = [kind.look(image, pose) for kind in self._kinds]
        for kind, view in zip(self._kinds, views, strict=True):
            rows = np.array([k for k, spot in enumerate(kind.spots) if spot.name in wanted], np.intp)
            if len(rows):
                view.measure_blur(rows)
                table, strange = kind.judge(view, light, rows)
                for k, shares, is_strange in zip(rows, kind.cautious(view, table), strange > _STRANGE, strict=True):
                    if view.inside[k] and not is_strange:
                        posteriors[kind.spots[k].name] = dict(zip(kind.labels, map(float, shares), strict=True))
        seen = SpotsSeen(self._kinds, tuple(views))
        return SpotReading(posteriors, frozenset(self.board.spots.keys() - posteriors.keys()), light, seen)

    def _sheet_light(self, image: Image, pose: Projection) -> SpotLight | None:
        """The light of a picture by the bare board, where it tells."""
        return self._sheet.of(image, pose) if self._sheet is not None else None

    def _settled(self, views: list[SpotView], known: SpotLight | None) -> tuple[SpotLight, list[KindJudgement]]:
        """The light of the picture and the judgements of its spots; estimated from a sample of the spots where there
        are many, and from what the bare board tells of it.
        """
        gains, settled = self._settled_by(views, self._telling, SpotLight.even(np.zeros(3)), known)
        return gains, self._completed(views, gains, settled)

    def _completed(self, views: list[SpotView], gains: SpotLight, settled: list[KindJudgement]) -> list[KindJudgement]:
        """The judgements of all spots, where those used for the light have been judged already."""
        if self._telling is self._rows:
            return settled
        others = [np.setdiff1d(rows, some) for rows, some in zip(self._rows, self._telling, strict=True)]
        judged = []
        rest_judged = self._judged(views, gains, others)
        for some, first, rest, second in zip(self._telling, settled, others, rest_judged, strict=True):
            order = np.argsort(np.concatenate([some, rest]))
            table, strange = (np.concatenate(pair)[order] for pair in zip(first, second, strict=True))
            judged.append((table, strange))
        return judged

    def _settled_by(
        self, views: list[SpotView], rows: Rows, start: SpotLight, known: SpotLight | None
    ) -> tuple[SpotLight, list[KindJudgement]]:
        """The same from some rows of each kind only."""
        seen = [each[view.inside[each]] for each, view in zip(rows, views, strict=True)]
        for each, view in zip(seen, views, strict=True):
            view.measure_blur(each)
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

        if known is None:
            gains, judged = refined(*self._begun(views, rows, start, np.median(light, axis=0)))
        else:
            gains, judged = known, self._judged(views, known, rows)
        if (evidence := _evidence(judged)) < _EVEN:
            plain = replace(gains, edges=None)
            edged = replace(plain, edges=self._field.edges(views, plain, rows))
            if edged.edges is not gains.edges:
                other, settled = refined(edged, self._judged(views, edged, rows))
                if _evidence(settled) > evidence + _BETTER:
                    return other, settled
        return gains, judged

    def _begun(
        self, views: list[SpotView], rows: Rows, start: SpotLight, middle: Doubles
    ) -> tuple[SpotLight, list[KindJudgement]]:
        """A first estimate of the light, given the picture's median light (3,), and the judgements of spots in it."""
        gains, judged = start, self._judged(views, start, rows)
        if _evidence(judged) < _PLAIN:
            # Most spots may show any label, or none: then their light is assumed to be that of the bare board.
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

    def _reading_of(self, views: list[SpotView], gains: SpotLight, judged: list[KindJudgement]) -> SpotReading:
        """The judgements of all spots as a reading."""
        posteriors: dict[str, Mapping[str, float]] = {}
        covered = set(self.board.spots)
        above = [np.zeros(len(kind.spots)) for kind in self._kinds]
        for lower, upper, below, on_top in self._stacked:
            shown = np.where(views[upper].inside, judged[upper][1], 0.0)
            np.maximum.at(above[lower], below, shown[on_top])
        for kind, view, (table, own), hidden in zip(self._kinds, views, judged, above, strict=True):
            strange = np.maximum(own, hidden)
            doubt = np.maximum(hidden, (1.0 - view.shown) ** 2)[:, None]
            shares = (1.0 - doubt) * kind.cautious(view, table) + doubt / table.shape[1]
            seen = view.inside & (strange <= _STRANGE)
            for k in np.flatnonzero(seen):
                posteriors[kind.spots[k].name] = dict(zip(kind.labels, map(float, shares[k]), strict=True))
        seen_here = SpotsSeen(self._kinds, tuple(views))
        return SpotReading(posteriors, frozenset(covered - posteriors.keys()), gains, seen_here)

    def _judged(self, views: list[SpotView], gains: SpotLight, rows: Rows) -> list[KindJudgement]:
        return [kind.judge(view, gains, each) for kind, view, each in zip(self._kinds, views, rows, strict=True)]

    def _expected_light(
        self, views: list[SpotView], judged: list[KindJudgement], rows: Rows
    ) -> tuple[Doubles, Doubles]:
        """The light (n, 3) that visible spots should have given what they show, and the confidence in it (n,)."""
        expected, trust = [], []
        for kind, view, (table, strange), each in zip(self._kinds, views, judged, rows, strict=True):
            best, inside = table.argmax(axis=1), view.inside[each]
            expected.append(kind.label_light[best][inside])
            sure = (table.max(axis=1) > _SURE) & (strange < 0.5) & kind.light_known[best]
            trust.append(sure[inside].astype(np.float64))
        return np.concatenate(expected), np.concatenate(trust)


class SpotFollower(SpotReader):
    """Reads successive pictures of one table: spots that look as before are not judged again."""

    def __init__(self, board: Board, profile: SpotProfile) -> None:
        super().__init__(board, profile)
        self._memory: _Memory | None = None
        self._gains = SpotLight.even(np.zeros(3))

    def described(self, image: Image, pose: Projection, spots: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The descriptions (LENGTH,) of spots of the last picture, in the light and sharpness of teaching."""
        found: dict[str, npt.NDArray[np.float32]] = {}
        wanted = set(spots)
        blurs = self._memory.blurs if self._memory is not None else [0.0] * len(self._kinds)
        for kind, blur in zip(self._kinds, blurs, strict=True):
            rows = np.array([k for k, spot in enumerate(kind.spots) if spot.name in wanted], np.intp)
            if len(rows):
                view = kind.look(image, pose)
                view.blur = blur
                described = kind.described(view, self._gains, rows)
                found |= {kind.spots[k].name: each for k, each in zip(rows, described, strict=True)}
        return found

    def read(self, image: Image, pose: Projection) -> SpotReading:
        """Read everything a picture shows under a pose, which may differ from the last picture's."""
        views = [kind.look(image, pose) for kind in self._kinds]
        halvings = Halvings(image)
        small = [kind.sketcher.sketch(halvings, pose) for kind in self._kinds]
        memory = self._memory
        if memory is not None:
            for view, blur in zip(views, memory.blurs, strict=True):
                view.blur = blur
        if memory is None:
            gains, judged = self._settled(views, self._sheet_light(image, pose))
            return self._remembered(gains, judged, small, views)
        drift = _drift(memory.small, small)
        fresh = [
            np.flatnonzero(_differs(before, now, drift) | (was_inside != view.inside))
            for before, now, was_inside, view in zip(memory.small, small, memory.inside, views, strict=True)
        ]
        memory.unsettled += sum(map(len, fresh))
        gains = memory.gains.shifted(-_GAMMA * drift)
        if np.abs(drift).max() > _NEW_LIGHT or memory.unsettled > _UNSETTLED * len(self.board.spots):
            settled, judged = self._settled_by(views, self._telling, gains, self._sheet_light(image, pose))
            if settled is not gains:
                return self._remembered(settled, self._completed(views, settled, judged), small, views)
            # The light is the same, or has changed by the estimated factor.
            memory.rebase(gains, drift)
            drift = np.zeros(3)
        self._gains = gains
        for k, (kind, view, rows) in enumerate(zip(self._kinds, views, fresh, strict=True)):
            if len(rows):
                table, strange = kind.judge(view, gains, rows)
                memory.judged[k][0][rows], memory.judged[k][1][rows] = table, strange
                memory.small[k][rows] = small[k][rows] * np.exp(-drift)
                memory.inside[k][rows] = view.inside[rows]
        return self._reading_of(views, gains, memory.judged)

    def _remembered(
        self,
        gains: SpotLight,
        judged: list[KindJudgement],
        small: list[npt.NDArray[np.float32]],
        views: list[SpotView],
    ) -> SpotReading:
        """The reading of a picture that was judged as a whole; the next one is compared with it."""
        inside, blurs = [view.inside for view in views], [view.blur for view in views]
        self._memory, self._gains = _Memory(gains, judged, small, inside, blurs), gains
        return self._reading_of(views, gains, judged)


@dataclass(slots=True)
class _Memory:
    """The last sketches of each kind's spots, the light and blurs in which all were judged, and the judgements.

    `unsettled` counts the spots judged since the light was estimated.
    """

    gains: SpotLight
    judged: list[KindJudgement]
    small: list[npt.NDArray[np.float32]]
    inside: list[Flags]
    blurs: list[float]
    unsettled: int = 0

    def rebase(self, gains: SpotLight, drift: Doubles) -> None:
        """Convert it to a light brighter by `drift`, for which `gains` hold."""
        self.gains, self.unsettled = gains, 0
        self.small = [each * np.exp(drift).astype(np.float32) for each in self.small]


def _drift(before: list[npt.NDArray[np.float32]], now: list[npt.NDArray[np.float32]]) -> Doubles:
    """The common change of brightness (natural logarithm of pixel values, BGR) of most spots."""
    ratios = [
        np.log(np.maximum(b.mean(axis=(1, 2)), 1.0)) - np.log(np.maximum(a.mean(axis=(1, 2)), 1.0))
        for a, b in zip(before, now, strict=True)
    ]
    return np.asarray(np.median(np.concatenate(ratios), axis=0), np.float64)


def _differs(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32], drift: Doubles) -> Flags:
    """Which spots (n,) look different than before, apart from a common change of light."""
    off = np.abs(now - before * np.exp(drift).astype(np.float32))
    return np.asarray(off.max(axis=(1, 2, 3)) > _CHANGED)


def _stacked(kinds: Sequence[TaughtKind]) -> list[tuple[int, int, npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Which kind's pieces (number) may lie under which other's, and the rows of both.

    Something in the middle of such a spot that looks like nothing taught hides the piece beneath.
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
    """The spots that show another label than before, with a probability above `threshold` by both readings and by how
    much the picture itself differs there.
    """
    doubtful = [
        spot
        for spot in after.posteriors
        if spot in before.posteriors and before.likeliest(spot)[0] != after.likeliest(spot)[0]
    ]
    misfits = misfit(
        before.picture.patches(doubtful), after.picture.patches(doubtful),
        (before.picture.gains(doubtful, before.colours), after.picture.gains(doubtful, after.colours)),
    )  # fmt: skip
    found = []
    for spot, seen_odds in zip(doubtful, change_odds(misfits), strict=True):
        then, now = before.posteriors[spot], after.posteriors[spot]
        agreed = _agreement(then, now)
        odds = float(seen_odds) * min((1.0 - agreed) / max(agreed, 1e-12), _MOST_READ)
        if odds / (1.0 + odds) > threshold:
            old, new = before.likeliest(spot)[0], after.likeliest(spot)[0]
            found.append(SpotChange(spot, old, new, odds / (1.0 + odds)))
    return tuple(sorted(found, key=lambda change: -change.probability))


def _agreement(then: Mapping[str, float], now: Mapping[str, float]) -> float:
    """The probability that two independent readings of a spot mean the same label."""
    return sum(chance * then[label] for label, chance in now.items())


def _evidence(judged: list[KindJudgement]) -> float:
    """How well all spots look like something taught: the mean over spots, 0 to 1."""
    return float(np.mean(np.concatenate([table.max(axis=1) * (1.0 - strange) for table, strange in judged])))
