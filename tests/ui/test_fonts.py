"""The fonts of the screens have the letters of the three languages, and another font steps in for other names."""

import pytest
from babel.messages.pofile import read_po

from tests.test_architecture import ROOT
from ui.drawing import fonts
from ui.drawing.fonts import READING, WIDER, reading_font, signs_of


@pytest.mark.parametrize("path", [fonts.REGULAR, fonts.SEMI_BOLD, fonts.BOLD], ids=lambda path: path.stem)
def test_each_weight_has_the_letters_of_the_three_languages(path):
    wanted = "ABCXYZabcxyz0123456789 ÀÈÉÌÒÙàèéìòù ÄÖÜäöüß „“”‘’ ‹›«» – — … · € ( ) + / : ; ? !"
    assert signs_of(path) >= set(map(ord, wanted))


def test_names_with_other_letters_are_written_in_a_font_that_has_them():
    assert reading_font("Giulia") == READING
    assert reading_font("Jürgen è già qui") == READING
    for name in ("Łukasz", "Đorđe", "Ольга", "Şule"):
        assert reading_font(name) == WIDER
    assert reading_font("[font=data/fonts/DejaVuSans.ttf]✗[/font]  Nicht möglich") == READING


@pytest.mark.parametrize("language", ["it", "de"])
def test_what_the_program_says_needs_no_other_font(language):
    path = ROOT / "ui" / "locale" / language / "LC_MESSAGES" / "companion.po"
    with path.open("rb") as stream:
        catalogue = read_po(stream)
    said = [part for message in catalogue for part in _texts(message.string)]
    assert len(said) > 300
    strange = {sign for text in said for sign in text if ord(sign) not in signs_of(fonts.REGULAR)}
    assert strange <= {"→", "−", "\xa0", "✓", "✗"}


def _texts(string):
    return [string] if isinstance(string, str) else list(string)
