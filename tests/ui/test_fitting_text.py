"""Texts that fit their place: as many lines as were measured, none of them cut."""

from __future__ import annotations

from itertools import product

import pytest

LONG = "Tibério 𝔄 very long name that goes on and on and on"
TEXTS = ("yellow, green", "Ward E8-E9, yellow", "Giulia · noch 1 Aktion", "Ödipus, Žofie", LONG)


@pytest.mark.parametrize("bold", [False, True], ids=["plain", "bold"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.usefixtures("prepared")
def test_no_line_of_a_text_is_cut_above_or_below(text: str, bold: bool) -> None:
    from ui.widgets.controls import FittingText

    cut = []
    for largest, width, height in product((13.0, 15.5, 22.0), range(60, 240, 3), (17, 22, 42)):
        label = FittingText(text=text, bold=bold, largest=largest, size=(width + 0.4, height))
        label._fit()
        label.text_size, (wide, _high) = (label.text_size[0], None), label.text_size
        label.texture_update()
        if label.texture_size[1] > height + 1 and not label.shorten:
            cut.append((largest, wide, height, label.font_size, label.texture_size))
    assert cut == []
