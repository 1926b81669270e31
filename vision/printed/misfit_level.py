"""Whether something foreign lies on a spot, going by how well this picture's own pieces fit.

Under a bad lens or odd light all pieces of a picture fit badly, and alike; what is foreign fits worse than they do.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

_TELLING, _APART = 8.0, 4.0
"""Nats by which a label must beat nothing, and the next label, for a spot to tell how pieces fit."""
_FEWEST = 6
_WORST, _WIDEST, _NARROWEST = 5.0, 8.0, 2.0
"""Nats by which half of the pieces may fit worse than something foreign, and standard deviations of one population."""
_FOREIGN, _RANGE = -3.0, 60.0
"""Log odds that what looks like a label is foreign all the same; nats over which its fit may then vary."""


def beyond_misfit_level(nats: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Evidence (spots, labels + 1), the last for something foreign, of which no more is left than what sets a spot
    apart from the others where pieces of one kind lie.
    """
    if nats.shape[1] < 3:
        return nats
    ranked = np.sort(nats[:, :-1], axis=1)
    best = ranked[:, -1]
    telling = (best > _TELLING) & (best - ranked[:, -2] > _APART)
    lead = (nats[:, -1] - best)[telling]
    if len(lead) < _FEWEST:
        return nats
    middle = float(np.median(lead))
    spread = max(1.4826 * float(np.median(np.abs(lead - middle))), _NARROWEST)
    if middle > _WORST or spread > _WIDEST:
        return nats
    off = np.maximum(lead - middle, 0.0) / spread
    odds = _FOREIGN + 0.5 * off**2 + math.log(spread * math.sqrt(math.tau) / _RANGE)
    result = nats.copy()
    result[telling, -1] = np.minimum(nats[telling, -1], best[telling] + odds)
    return result
