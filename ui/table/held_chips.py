"""What is held as chips to look at: each kind by the face of a component, buildings by their storeys. No Kivy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from companion.amounts import NOT_TOLD, Amount, Holding
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import drawing_of
from ui.services.text import _
from ui.table.choice_faces import building_face, labels_of
from ui.view_models.play_view import ChipView

UNKNOWN = "?"
"""what stands beside a face where nobody has told how many there are"""


def chips_of(held: Iterable[Holding], texts: GameTexts, game_id: str) -> tuple[ChipView, ...]:
    """Each kind of what is held by itself; a bare number and kinds that the game's drawing tells also where there is
    none of it, so that places do not jump.
    """
    chips: list[ChipView] = []
    drawing, held = drawing_of(game_id), tuple(held)
    together = kinds_together(held, texts, game_id)
    added = {name for name, beside in drawing.added.items() if beside in together}
    for holding in held:
        if holding.name in together:
            chips += together[holding.name]
            continue
        if holding.name in added:
            continue
        component = drawing.holdings.get(holding.name, "")
        if not component:
            if buildings := building_chips(holding, texts, game_id):
                chips += buildings
            elif not holding.is_empty:
                amounts = texts.amounts(holding.amounts)
                short = amounts if all(amount.kind for amount in holding.amounts) else ""
                told = tuple(
                    (texts.amounts((Amount(each.kind),)), str(each.value))
                    for each in holding.amounts
                    if each.kind and each.value is not None
                )
                told = told if len(told) == len(holding.amounts) > 1 else ()
                chips.append(ChipView(f"{_(holding.name)} {amounts}", short=short, told=told))
            continue
        if heights := _heights(holding, component, game_id):
            for height, count in sorted(heights.items()):
                words = f"{_(holding.name)} {texts.amounts((Amount(value=height),) * count)}"
                chips.append(ChipView(words, component, str(height), count, storeys=height))
            continue
        if holding.amounts and all(amount.value is not None and not amount.kind for amount in holding.amounts):
            numbers, first = texts.amounts(holding.amounts), str(holding.amounts[0].value)
            words = f"{_(holding.name)} {numbers}"
            chips.append(ChipView(words, component, first, len(holding.amounts), numbers))
            continue
        if any(amount.kind == NOT_TOLD for amount in holding.amounts):
            chips.append(ChipView(f"{_(holding.name)} {texts.amounts(holding.amounts)}", component, numbers=UNKNOWN))
            continue
        if holding.amounts and all(amount.value is not None for amount in holding.amounts):
            for each in holding.amounts:
                words = f"{_(holding.name)} {texts.amounts((each,))}"
                label = _label(component, each.kind, game_id)
                chips.append(ChipView(words, component, label, numbers=str(each.value)))
            continue
        for kind, alike in groupby(holding.amounts, key=lambda amount: amount.kind):
            counts = [1 if amount.count is None else amount.count for amount in alike]
            words = f"{_(holding.name)} {texts.amounts((Amount(kind, sum(counts)),))}"
            chips.append(ChipView(words, component.format(kind=kind), kind, sum(counts)))
    return tuple(chips)


def kinds_together(held: Sequence[Holding], texts: GameTexts, game_id: str) -> Mapping[str, tuple[ChipView, ...]]:
    """The chips of the holdings whose kinds the game's drawing tells, by name, each with what is added to it.

    Without those that have other kinds, such as wards of which nobody has told the colour.
    """
    drawing, found = drawing_of(game_id), {}
    for name, kinds in drawing.kinds.items():
        holding = next((each for each in held if each.name == name), None)
        others = [each for each in held if drawing.added.get(each.name) == name]
        if holding is None or not {amount.kind for each in (holding, *others) for amount in each.amounts} <= {*kinds}:
            continue
        chips = []
        for kind in kinds:
            count, more = (_count_of(kind, each) for each in ((holding,), others))
            words = [f"{_(name)} {texts.amounts((Amount(kind, count),))}"]
            words += [
                f"{_(each.name)} {texts.amounts((Amount(kind, apart),))}"
                for each in others
                if (apart := _count_of(kind, (each,)))
            ]
            face = drawing.holdings[name].format(kind=kind)
            chips.append(ChipView(", ".join(words), face, kind, count, added=more if others else None))
        found[name] = tuple(chips)
    return found


def _count_of(kind: str, held: Iterable[Holding]) -> int:
    return sum(amount.count or 0 for each in held for amount in each.amounts if amount.kind == kind)


def _label(component: str, kind: str, game_id: str) -> str:
    """The label of a component that a kind means: its own name, or what follows its hyphen ("route-5")."""
    known, short = labels_of(game_id).get(component, ()), kind.partition("-")[2]
    return short if short in known and kind not in known else kind


def _heights(holding: Holding, component: str, game_id: str) -> Mapping[int, int]:
    """How many of the buildings held have how many storeys; empty for what is no buildings without a top."""
    building = drawing_of(game_id).building
    if building is None or component != building.storey:
        return {}
    return Counter(amount.value for amount in holding.amounts if amount.value is not None and not amount.kind)


def building_chips(holding: Holding, texts: GameTexts, game_id: str) -> tuple[ChipView, ...]:
    """Buildings that are held, alike ones together; nothing where not all that is held are buildings."""
    building, counts = drawing_of(game_id).building, Counter(amount.kind for amount in holding.amounts)
    if building is None:
        return ()
    chips = []
    for kind, count in counts.items():
        face = building_face(building, kind, labels_of(game_id))
        if face is None or not face.top:
            return ()
        words = f"{_(holding.name)} {texts.amounts((Amount(kind, count),))}"
        chips.append(replace(face, words=words, kind=kind, count=count))
    return tuple(chips)
