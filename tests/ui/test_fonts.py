"""The fonts of the screens have the letters of the three languages, and another font steps in for other names."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.session.store import Store
from tests.test_architecture import ROOT
from ui.drawing import fonts
from ui.drawing.fonts import READING, WIDER, WIDEST, installed_font, lacking, reading_font, signs_of
from ui.setup.setup_pages import compose_page
from ui.setup.wizard import Wizard
from ui.view_models.setup_view import SetupStep


@pytest.mark.parametrize("path", [fonts.REGULAR, fonts.SEMI_BOLD, fonts.BOLD], ids=lambda path: path.stem)
def test_each_weight_has_the_letters_of_the_three_languages(path):
    wanted = "ABCXYZabcxyz0123456789 ÀÈÉÌÒÙàèéìòù ÄÖÜäöüß „“”‘’ ‹›«» – — … · € ( ) + / : ; ? !"
    assert signs_of(path) >= set(map(ord, wanted))


def test_names_with_other_letters_are_written_in_a_font_that_has_them():
    assert reading_font("Giulia") == READING
    assert reading_font("Jürgen è già qui") == READING
    for name in ("Łukasz", "Đorđe", "Ольга", "Şule"):
        assert reading_font(name) == WIDER
    for name in ("مريم", "שרה", "⌫", "⇧", "⏎"):
        assert reading_font(name) == WIDEST
        assert lacking(name) == ""
    assert reading_font("[font=data/fonts/DejaVuSans.ttf]✗[/font]  Nicht möglich") == READING


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Has fontconfig know the fonts of one folder only."""

    def only(folder: Path) -> None:
        config = tmp_path / "fonts.conf"
        config.write_text(f"<fontconfig><dir>{folder}</dir><cachedir>{tmp_path}</cachedir></fontconfig>")
        monkeypatch.setenv("FONTCONFIG_FILE", str(config))
        installed_font.cache_clear()

    yield only
    installed_font.cache_clear()


@pytest.mark.skipif(not shutil.which("fc-list"), reason="needs fontconfig")
def test_an_installed_font_steps_in_where_it_has_all_letters(installed):
    installed(fonts.REGULAR.parent)
    assert installed_font(frozenset(map(ord, "Giulia"))) == str(fonts.REGULAR)
    assert installed_font(frozenset(map(ord, "Giulia 李"))) == ""


@pytest.mark.skipif(not shutil.which("fc-list"), reason="needs fontconfig")
def test_a_name_that_no_font_can_show_is_told_once_it_is_typed(installed, tmp_path):
    installed(fonts.REGULAR.parent)
    assert lacking("Anna 李雷") == "李雷"
    with Store(tmp_path / "games.sqlite3") as store:
        wizard = Wizard(store, tmp_path / "boards")
    wizard.go_to(SetupStep.PLAYERS)
    before = compose_page(wizard).explanation
    wizard.rename("李雷")
    told = compose_page(wizard)
    assert told.explanation != before
    assert "李雷" in told.explanation
    assert told.problem == ""
    wizard.rename("Lei")
    assert compose_page(wizard).explanation == before


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
