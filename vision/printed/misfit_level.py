"""Limits the evidence for a foreign object by how badly the picture's own pieces fit.

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
    other pieces of its kind.
    """
    if nats.shape[1] < 3:
        return nats
    ranked = np.sort(nats[:, :-1], axis=1)
    best = ranked[:, -1]
    telling = (best > _SURE_LEAD) & (best - ranked[:, -2] > _LABEL_LEAD)
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
