"""The environment of every test: the user's own files are left alone, no window appears, nothing is random in CI."""

import atexit
import gc
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

import vision  # noqa: F401  # tells NumPy to compute in one thread, before a test imports it

if TYPE_CHECKING:
    from firmware_bridge.mqtt.broker import OwnMosquitto

ROOT = Path(__file__).resolve().parent.parent

# Kivy reads its environment when it is first imported, so this happens before any test module is.
_SANDBOX = Path(tempfile.mkdtemp(prefix="companion-tests-"))
atexit.register(shutil.rmtree, _SANDBOX, ignore_errors=True)
for _variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "KIVY_HOME"):
    _folder = _SANDBOX / _variable.lower()
    _folder.mkdir()
    os.environ[_variable] = str(_folder)
# The tests start hundreds of processes, which would each compile the program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Boards are drawn and shaders compiled once for all processes of a run: what is kept is named by what it is made from.
os.environ["XDG_CACHE_HOME"] = os.environ.setdefault("COMPANION_TESTS_CACHE", os.environ["XDG_CACHE_HOME"])
os.environ |= {
    "KIVY_LOG_MODE": "PYTHON",
    "KIVY_NO_ARGS": "1",
    "KIVY_NO_FILELOG": "1",
    "SDL_VIDEODRIVER": "offscreen",
}

LONGEST = (
    "test_following.py", "test_layout.py", "test_clicked_route_games.py", "test_types.py", "test_scenes.py",
    "test_engine.py", "test_photographing.py", "test_spot_reader.py", "test_box_edition.py",
    "test_clicked_building_games.py", "test_traced_tables.py", "test_play_screen.py", "test_window_managers.py",
    "test_shell_screens.py", "test_camera_evening.py", "test_photographs.py", "test_cutouts.py", "test_start_screen.py",
    "test_demo.py", "test_table_flows.py", "test_play_cards.py",
)  # fmt: skip
"""files that take longest, the longest first: begun at the end, one of them would run alone"""

MEMORY_EACH = 2_500_000_000
"""bytes that a process of tests may come to need, with the programs that it starts"""

gc.disable()  # what is imported stays: nobody looks for rings in it before all is collected
settings.register_profile("companion", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("companion")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of all test modules, let each process of a run import another share first, and keep it compiled for the others.

    All would compile every module at the same time otherwise.
    """
    told: dict[str, Any] = getattr(session.config, "workerinput", {})
    if session.config.args != session.config.getini("testpaths") or not told:
        return
    modules = sorted((ROOT / "tests").rglob("test_*.py"))
    for path in modules[int(told["workerid"].removeprefix("gw")) :: told["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # told as it is collected
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; all others stay in their order."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_collection_finish() -> None:
    """Spare the garbage collector thousands of tests and all modules, which stay to the end; let it look for rings of
    widgets less often, or a sixth of the time of tests with windows goes into it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """With `-n auto` one more than there are cores, for where one test waits another works; fewer in little memory."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else MEMORY_EACH
    return max(1, min(cores + 1, memory // MEMORY_EACH))


@pytest.fixture(scope="session", autouse=True)
def looks_kept() -> None:
    """What readers of boards work out of the faces of pieces, one keeps for the next."""
    from tests.kept_looks import keep_looks

    keep_looks()


@pytest.fixture(scope="session")
def photographs() -> Path:
    """The folder of photographs of real boards that COMPANION_PHOTOS names; they are too large to ship."""
    folder = os.environ.get("COMPANION_PHOTOS")
    if folder is None:
        pytest.skip("COMPANION_PHOTOS names no folder of photographs")
    path = Path(folder)
    assert path.is_dir(), f"COMPANION_PHOTOS: {folder} is not a folder"
    return path


@pytest.fixture
def mosquitto() -> Iterator["OwnMosquitto"]:
    """A real mosquitto, which keeps nothing of the tests before."""
    from tests.brokers import running_mosquitto

    with running_mosquitto() as broker:
        yield broker
