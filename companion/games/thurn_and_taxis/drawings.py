"""How the printed edition writes names: with their umlauts, where everything else spells them in plain letters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PRINTED: Mapping[str, str] = MappingProxyType(
    {
        "Boehmen": "Böhmen", "Loerrach": "Lörrach", "Muenchen": "München", "Nuernberg": "Nürnberg",
        "Wuerttemberg": "Württemberg", "Wuerzburg": "Würzburg", "Zuerich": "Zürich",
    }
)  # fmt: skip
"""name -> the same with umlauts, for the names that have any"""


def printed(name: str) -> str:
    """A city's or province's name as it is printed."""
    return PRINTED.get(name, name)
