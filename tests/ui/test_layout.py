"""Every screen, in windows of all shapes, in all languages and with texts of all sizes: nothing is cut or overlaps.

`python -m scripts.pictures all` looks at each scene in each language, shape and size of texts; here each is seen in the
narrowest and in two others.
"""

import pytest

from scripts.pictures.prepared import prepared
from ui import text
from ui.settings import Settings

pytestmark = pytest.mark.window

NARROWEST = ("de", (480, 800), 1.6)
SHAPES = [
    NARROWEST,
    ("it", (800, 480), 1.6),
    ("en", (1280, 800), 1.0),
    ("it", (480, 800), 1.0),
    ("de", (1280, 800), 1.6),
    ("de", (800, 480), 1.0),
    ("it", (800, 1280), 1.6),
    ("en", (1920, 1080), 1.6),
]
SLOW = ("cameras", "cameras-laid-over", "cameras-board", "rehearse-verdict")
"""scenes that wait for a process; what is special about them is their picture"""


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    with prepared(tmp_path_factory.mktemp("data"), whole=False) as there:
        yield there
    text.use_language("en")


@pytest.fixture
def visit(start, there, monkeypatch):
    from scripts.pictures.scenes import Visit
    from ui.widgets.scale import scale

    monkeypatch.setenv("XDG_PICTURES_DIR", str(there.photographs))
    there.shell.change_settings(Settings("en"))
    yield Visit(start(None, there.shell.tick, shell=there.shell).app, there)
    there.shell.leave_table()
    scale.reader = 1.0


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}-{shape[1][0]}x{shape[1][1]}-{shape[2]}")
def test_nothing_is_cut_small_or_in_the_way(shape, visit):
    from scripts.pictures.faults import faults
    from scripts.pictures.scenes import SCENES

    language, size, text_size = shape
    visit.speak(language)
    visit.resize(*size, text_size)
    scenes = [scene for scene in SCENES if scene not in SLOW]
    if shape != NARROWEST:
        others = len(SHAPES) - 1
        place = SHAPES.index(shape)
        scenes = [scene for number, scene in enumerate(scenes) if (number - place) % others in (0, others // 2)]
    found = {}
    for scene in scenes:
        visit.go(scene)
        found[scene] = faults(visit.screen)
    assert {scene: told for scene, told in found.items() if told} == {}
