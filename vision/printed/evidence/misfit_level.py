"""Limits the evidence for a foreign object by how badly the picture's own pieces fit: all of a kind, or of one label.

With a poor lens or odd light all pieces of a picture fit badly, and equally; a foreign object fits worse than they do.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

_SURE_LEAD = 8.0
"""Nats by which a label must beat nothing for a spot to be part of the reference."""
_LABEL_LEAD = 4.0
"""Nats by which it must beat the next label."""
_FEWEST = 6
"""Fewest spots that make a reference."""
_WORST = 5.0
"""Nats by which the median piece may fit worse than a foreign object."""
_WIDEST = 8.0
"""Largest standard deviation (nats) of the pieces' fits; more is no single population."""
_NARROWEST = 2.0
"""Smallest standard deviation (nats) that is assumed."""
_FOREIGN = -3.0
"""Log odds that what looks like a label is foreign."""
_RANGE = 60.0
"""Range (nats) over which the fit of a foreign object is spread."""


def beyond_misfit_level(nats: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Evidence (spots, labels + 1), the last for a foreign object, which is reduced to what sets a spot apart from the
    other pieces of its kind, or from those with its label: people may have painted the pieces of one colour otherwise.
    """
    if nats.shape[1] < 3:
        return nats
    ranked = np.sort(nats[:, :-1], axis=1)
    best, label = ranked[:, -1], nats[:, :-1].argmax(axis=1)
    telling = (best > _SURE_LEAD) & (best - ranked[:, -2] > _LABEL_LEAD)
    result = nats.copy()
    for chosen in (telling, *(telling & (label == each) for each in range(nats.shape[1] - 1))):
        odds = _odds_of_foreign((nats[:, -1] - best)[chosen])
        if odds is not None:
            result[chosen, -1] = np.minimum(result[chosen, -1], best[chosen] + odds)
    return result


def _odds_of_foreign(lead: npt.NDArray[np.floating]) -> npt.NDArray[np.floating] | None:
    """The log odds that each of some pieces, which fit so much worse (nats) than a foreign object, is one; None where
    they are no population that fits about equally well.
    """
    if len(lead) < _FEWEST:
        return None
    middle = float(np.median(lead))
    spread = max(1.4826 * float(np.median(np.abs(lead - middle))), _NARROWEST)
    if middle > _WORST or spread > _WIDEST:
        return None
    off = np.maximum(lead - middle, 0.0) / spread
    return np.asarray(_FOREIGN + 0.5 * off**2 + math.log(spread * math.sqrt(math.tau) / _RANGE))
