"""Every screen, in windows of all shapes, in all languages and with texts of all sizes: nothing is cut or overlaps.

`python -m scripts.pictures all` looks at each scene in each language, shape and size of texts; here each is seen in one
language, in a small window with the largest texts and in one other.
"""

import pytest

from scripts.pictures.prepared import prepared
from ui.services import text
from ui.services.settings import Settings

pytestmark = pytest.mark.window

LANGUAGES = ("en", "it", "de")
SMALLEST = [((480, 800), 1.6), ((800, 480), 1.6)]
OTHERS = [
    ((480, 800), 1.0), ((800, 480), 1.0), ((1280, 800), 1.0),
    ((1280, 800), 1.6), ((800, 1280), 1.6), ((1920, 1080), 1.6),
]  # fmt: skip
SLOW = ("cameras", "cameras-laid-over", "cameras-board", "photograph-players", "photograph-spots", "rehearse-verdict")
"""scenes that wait for a process; what is special about them is their picture"""


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    with prepared(tmp_path_factory.mktemp("data"), whole=False) as there:
        yield there
    text.use_language("en")


@pytest.fixture
def visit(start, there, monkeypatch):
    from scripts.pictures.visit import Visit
    from ui.widgets.scale import scale

    monkeypatch.setenv("XDG_PICTURES_DIR", str(there.photographs))
    there.shell.change_settings(Settings("en"))
    yield Visit(start(None, there.shell.tick, shell=there.shell).app, there)
    there.shell.leave_table()
    scale.reader = 1.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_small_or_in_the_way(language, visit):
    from scripts.pictures.faults import faults
    from scripts.pictures.scenes import SCENES

    visit.dress(language)
    scenes = [scene for scene in SCENES if scene not in SLOW][LANGUAGES.index(language) :: len(LANGUAGES)]
    found = []
    for number, scene in enumerate(scenes):
        sizes = SMALLEST[(number + 1) // 2 % len(SMALLEST)], OTHERS[number // 2 % len(OTHERS)]
        first, second = sizes if number % 2 == 0 else sizes[::-1]  # each begins in the window that the last one left
        visit.resize(*first)
        visit.go(SCENES[scene])
        found += [f"{scene} {first}: {fault}" for fault in faults(visit.screen)]
        visit.resize(*second)
        visit.lay_out()
        found += [f"{scene} {second}: {fault}" for fault in faults(visit.screen)]
    assert not found, "\n".join(found)
