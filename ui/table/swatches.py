"""Choices that lay a piece in one of several colours at a place, alone or with another piece on it: a swatch for each
colour, and a switch for the other piece. No Kivy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ui.view_models.play_view import ChoiceView

SWITCH = "with the other piece"
"""the key of the switch"""


def with_swatches(choices: Iterable[ChoiceView], confirms: str) -> tuple[ChoiceView, ...]:
    """The same; those with a swatch are chosen only by the primary button, which says `confirms`."""
    return tuple(replace(each, confirms=confirms) if each.swatch and each.ghost else each for each in choices)


def swatches_of(shown: Iterable[ChoiceView]) -> tuple[ChoiceView, ...]:
    """The choices of one place that differ in the colour of their lowest piece and in what may lie on it; none where
    they differ in more.
    """
    members = tuple(each for each in shown if each.swatch and each.confirms and each.ghost and not each.forbidden)
    looks = {(each.ghost[0].label, _others(each)) for each in members}
    is_one_place = len({(each.kind, each.ghost[0].spot) for each in members}) == 1
    on_it = {others for _label, others in looks if others}
    return members if is_one_place and len(looks) == len(members) > 1 and len(on_it) <= 1 else ()


def has_other(choice: ChoiceView) -> bool:
    """Whether another piece lies on the one in colour."""
    return len(choice.ghost) > 1


def colour_of(choice: ChoiceView) -> str:
    """The label of the piece in colour; "" for a choice without a swatch."""
    return choice.ghost[0].label if choice.swatch and choice.ghost else ""


def turned(members: Sequence[ChoiceView], chosen: ChoiceView | None) -> ChoiceView | None:
    """What is looked at once the switch is touched: the same colour with the other piece, or without it."""
    if chosen is None or chosen not in members:
        return next((each for each in members if has_other(each)), None)
    alike = (each for each in members if colour_of(each) == colour_of(chosen))
    return next((each for each in alike if has_other(each) != has_other(chosen)), None)


def laid_out(
    shown: Sequence[ChoiceView], members: Sequence[ChoiceView], chosen: ChoiceView | None
) -> tuple[ChoiceView, ...]:  # fmt: skip
    """What is shown, with one choice for each colour, which its swatch lays, and after them that of the switch."""
    if not members:
        return tuple(shown)
    is_on = chosen is not None and has_other(chosen)
    found: list[ChoiceView] = []
    for each in shown:
        if each not in members:
            found.append(each)
        elif each is members[0]:
            for colour in dict.fromkeys(map(colour_of, members)):
                alike = [member for member in members if colour_of(member) == colour]
                swatch = next((member for member in alike if has_other(member) == is_on), alike[0])
                found.append(replace(swatch, ghost=swatch.ghost[:1], looks=swatch.ghost[:1], brief=swatch.swatch))
            if len({has_other(member) for member in members}) > 1:
                found.append(_switch(next(member for member in members if has_other(member)), is_on=is_on))
    return tuple(found)


def _switch(example: ChoiceView, *, is_on: bool) -> ChoiceView:
    on_it = example.ghost[1:2]
    return ChoiceView(
        SWITCH, example.other, example.group, example.sites, is_meant=is_on, kind=example.kind, brief=example.other,
        looks=on_it, ghost=on_it, confirms=example.confirms,
    )  # fmt: skip


def _others(choice: ChoiceView) -> tuple[str, ...]:
    return tuple(piece.label for piece in choice.ghost[1:])
