"""Which printed faces stand for an action: the components its notation names. No Kivy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import MappingProxyType

from calibration.components import load_components
from companion.errors import InvalidDocument
from companion.registry import game_folder, known_games, print_and_play_board
from ui.drawing.board_drawing import ANY_OF, Building, drawing_of
from ui.view_models.play_view import ChipView

NEW = "new"
"""the word of a building that is begun"""


def faces_of_action(game_id: str, notation: str, colour: str) -> tuple[ChipView, ...]:
    """The faces that stand for an action of a player of a colour; none where the game's drawing names none."""
    told, labels = drawing_of(game_id).choices, labels_of(game_id)
    words = notation.split()
    for place, word in enumerate(words):
        two = " ".join(words[place : place + 2])
        if " " in two and two in told:
            return (ChipView("", told[two], "", 1),)
        component = told.get(word.partition("-")[0])
        if component is not None:
            building = drawing_of(game_id).building
            piles = _buildings(building, word, words[place + 1 :], labels) if building is not None else ()
            if piles and building is not None and word.partition("-")[0] == building.raised_by:
                return piles
            components = component.split(ANY_OF)
            if all(each not in labels for each in components) and (face := _face_named(component, labels)) is not None:
                return (face,)
            named = _labels_that_begin(" ".join(words[place + 1 :]), labels.get(components[0], ()))
            return (*(ChipView(label, each, label, 1) for each in components for label in named or (colour,)), *piles)
    return ()


def faces_of_rule(game_id: str, rule: str) -> tuple[ChipView, ...]:
    """The faces that stand beside the points of a rule; none where the game's drawing names none."""
    known = labels_of(game_id)
    faces = (_face_named(named, known) for named in drawing_of(game_id).scores.get(rule, ()))
    return tuple(face for face in faces if face is not None)


def _face_named(named: str, components: Mapping[str, tuple[str, ...]]) -> ChipView | None:
    """The face of a component that is named with its label, or alone; None where there is no such component."""
    name = max((each for each in components if f"{named} ".startswith(f"{each} ")), key=len, default="")
    return ChipView("", name, named.removeprefix(name).lstrip(), 1) if name else None


def building_face(building: Building, name: str, components: Mapping[str, tuple[str, ...]]) -> ChipView | None:
    """The face of a building that is named as "2" or "2-round"; None where the name is no building's."""
    found = re.fullmatch(r"(\d+)(?:-(.+))?", name)
    top = building.top.format(shape=found[2]) if found is not None and found[2] else ""
    if found is None or (top and top not in components):
        return None
    return ChipView(name, building.storey, found[1], 1, found[1], storeys=int(found[1]), top=top)


def brief_of(faces: Sequence[ChipView]) -> str:
    """What stands below the faces of buildings: how high they are; empty for others."""
    return " + ".join(str(face.storeys) for face in faces if face.storeys)


def _buildings(
    building: Building, word: str, following: Sequence[str], components: Mapping[str, tuple[str, ...]]
) -> tuple[ChipView, ...]:
    """The buildings that follow a word of an action's notation; none where something else follows."""
    if word.partition("-")[0] == building.raised_by:
        names = _raised(following)
    else:
        turned = f"{following[1]}-{following[0]}" if len(following) > 1 else ""
        told = (name for name in (turned, *following[:1]) if "-" in name)
        names = [name for name in told if building_face(building, name, components)][:1]
    faces = [building_face(building, name, components) for name in names]
    return tuple(face for face in faces if face is not None) if all(faces) else ()


def _raised(onto: Sequence[str]) -> list[str]:
    """The heights of the buildings that a floor on each of these makes; two in a row, such as `new 1`, make one,
    for then the second floor may always lie on the first.
    """
    heights = [int(each) if each.isdecimal() else 0 if each == NEW else None for each in onto]
    match heights:
        case [int(first), int(second)] if second == first + 1:
            return [str(second + 1)]
    return [name if height is None else str(height + 1) for name, height in zip(onto, heights, strict=True)]


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
