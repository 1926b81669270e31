"""Which printed faces stand for an action: the components its notation names. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from types import MappingProxyType

from calibration.components import load_components
from companion.errors import InvalidDocument
from companion.registry import game_folder, known_games, print_and_play_board
from ui.drawing.board_drawing import told_choices
from ui.view_models.play_view import ChipView


def faces_of_action(game_id: str, notation: str, colour: str) -> tuple[ChipView, ...]:
    """The faces that stand for an action of a player of a colour; none where the game's drawing names none."""
    told, labels = told_choices(game_id), labels_of(game_id)
    words = notation.split()
    for place, word in enumerate(words):
        two = " ".join(words[place : place + 2])
        if two in told:
            return (ChipView("", told[two], "", 1),)
        component = told.get(word.partition("-")[0])
        if component is not None:
            named = _labels_that_begin(" ".join(words[place + 1 :]), labels.get(component, ()))
            return tuple(ChipView(label, component, label, 1) for label in named or (colour,))
    return ()


def _labels_that_begin(text: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The labels with which a text begins, one after the other."""
    found: list[str] = []
    while label := next((each for each in labels if f"{text} ".startswith(f"{each} ")), ""):
        found.append(label)
        text = text[len(label) :].lstrip()
    return tuple(found)


@cache
def labels_of(game_id: str) -> Mapping[str, tuple[str, ...]]:
    """Component -> its labels, the longest first."""
    path = game_folder(game_id) / "components.toml" if game_id in known_games() else None
    found: dict[str, tuple[str, ...]] = {}
    if path is not None and path.exists():
        with suppress(InvalidDocument):
            for component in load_components(path, print_and_play_board(game_id)):
                found[component.name] = tuple(sorted(component.piece.labels, key=len, reverse=True))
    return MappingProxyType(found)
