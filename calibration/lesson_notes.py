"""What people should know of photographs that taught a board: what is left out, does not fit, or should come next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from companion.board.layout import EMPTY, Piece
from companion.wording.sentences import Sentence, sentence
from vision.spots.kernel_classifier import Proof
from vision.spots.spot_sharpness import are_unlike

_MOST_NAMED = 8
"""Most spots that are named of a photograph."""
_FEW = 3
"""Fewest samples of a label, and fewest photographs with it, that are enough."""
_MOST_CONFUSED = 3
"""Most pairs of labels that are named as mistaken for each other."""
_LOWER, _HIGHER = sentence("lower"), sentence("higher")
_NOTHING = sentence("nothing")


def dropped_spots(dropped: Iterable[tuple[str, str]]) -> list[Sentence]:
    """The labelled spots (picture, spot) that lie beyond a picture's edge, by picture."""
    notes = []
    for picture, pairs in groupby(dropped, lambda pair: pair[0]):
        spots = [spot for _, spot in pairs]
        names = "; ".join(spots[:_MOST_NAMED])
        if len(spots) > _MOST_NAMED:
            more = len(spots) - _MOST_NAMED
            note = sentence(
                "{picture}: not learnt from, as they are out of the picture: {spots} and {more} more",
                picture=picture, spots=names, more=more,
            )  # fmt: skip
        else:
            note = sentence(
                "{picture}: not learnt from, as they are out of the picture: {spots}", picture=picture, spots=names
            )
        notes.append(note)
    return notes


def unlike_sharpness(blurs: Mapping[str, float]) -> list[Sentence]:
    """A warning where photographs (name -> blur of their spots) differ much in sharpness."""
    if len(blurs) < 2:
        return []
    softest, sharpest = max(blurs, key=blurs.__getitem__), min(blurs, key=blurs.__getitem__)
    if not are_unlike((blurs[softest], blurs[sharpest])):
        return []
    return [
        sentence(
            "the photographs are not equally sharp ({softest} shows the pieces {times} times as blurred as {sharpest});"
            " take them alike, as near and as sharp as those that are to be read",
            softest=softest, sharpest=sharpest, times=f"{blurs[softest] / blurs[sharpest]:.1f}",
        )
    ]  # fmt: skip


def wrong_height(piece: Piece, way: str) -> Sentence:
    """The note on a `height` of the board file that the photographs contradict; `way` is "higher" or "lower"."""
    return sentence(
        "{piece}: the tops lie {way} than the height of {height} mm in the board file says; measure it",
        piece=piece.name, way=_HIGHER if way == "higher" else _LOWER, height=f"{piece.height:g}",
    )  # fmt: skip


def to_show_next(name: str, samples: Sequence[tuple[str, int]], proofs: Sequence[Proof]) -> list[Sentence]:
    """What another photograph should show of a kind of piece, given each sample's label and picture."""
    notes = []
    pairs = [pair for proof in proofs for pair in proof.confused]
    for truth, read, count in sorted(pairs, key=lambda pair: -pair[2])[:_MOST_CONFUSED]:
        notes.append(
            sentence(
                "{piece}: show more of {label}; left out in turn it was taken for {other} (times: {count})",
                piece=name, label=truth or _NOTHING, other=read or _NOTHING, count=count,
            )
        )  # fmt: skip
    shown: dict[str, set[int]] = {}
    for label, picture in samples:
        shown.setdefault(label, set()).add(picture)
    counts = {label: sum(each == label for each, _ in samples) for label in shown}
    few = [label for label in shown if label != EMPTY and counts[label] < _FEW]
    if few:
        notes.append(
            sentence("{piece}: shown hardly ever, so read with doubt: {labels}", piece=name, labels=", ".join(few))
        )
    if len({picture for _, picture in samples}) == 1:
        notes.append(sentence("{piece}: shown in one photograph only; another light makes readings surer", piece=name))
    return notes
