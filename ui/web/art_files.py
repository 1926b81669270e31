"""A board's printed pictures as the files that pages load, and where each face is in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ui.drawing.faces import Face, card_face
from ui.printed.extent import Extent, HeldCells


@dataclass(frozen=True, slots=True)
class BoardArt:
    """The pictures of one board: `files` (WebP) by the names under which they are served, which tell what is in them.

    `sheet`, `faces` and `chips` are names of files, `cards` those of the single cards; where a face is in its file is
    said by `pictures` and `held`.
    """

    pictures: Extent
    held: HeldCells
    sheet: str
    faces: str
    chips: str
    cards: Mapping[Face, str]
    files: Mapping[str, bytes]

    def card(self, game_id: str, name: str) -> str:
        """The file of a card by its name as a closed piece; "" where it has none."""
        face = card_face(game_id, name)
        return self.cards.get(face, "") if face is not None else ""
