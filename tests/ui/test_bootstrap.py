"""Kivy is prepared before it is imported, and only then."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )


def prepared(tmp_path: Path, **environment: str) -> dict[str, str]:
    code = f"""
import json, sys
from pathlib import Path
from ui.application import bootstrap
assert "kivy" not in sys.modules
bootstrap.prepare(Path({str(tmp_path)!r}), size=(800, 480), offscreen=True)
from kivy.config import Config
values = {{f"{{s}}.{{o}}": Config.get(s, o) for s in ("graphics", "kivy", "input") for o in Config.options(s)}}
print(json.dumps(values | {{"window": str("kivy.core.window" in sys.modules)}}))
"""
    finished = run(code, **environment)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return json.loads(finished.stdout)


def test_preparing_sets_the_window_and_one_way_of_input(tmp_path):
    values = prepared(tmp_path, HOME=str(tmp_path))
    assert (values["graphics.width"], values["graphics.height"]) == ("800", "480")
    assert values["kivy.exit_on_escape"] == "0"
    assert {name for name in values if name.startswith("input.")} == {"input.mouse"}
    assert values["graphics.multisamples"] == "0"
    assert values["window"] == "False"
    assert list(tmp_path.iterdir()) == []


def test_the_user_may_choose_the_smoothing(tmp_path):
    assert prepared(tmp_path, KCFG_GRAPHICS_MULTISAMPLES="4")["graphics.multisamples"] == "4"


def test_preparing_too_late_is_refused(tmp_path):
    finished = run(
        "import kivy; from pathlib import Path; from ui.application import bootstrap; bootstrap.prepare(Path('x'))",
        KIVY_NO_ARGS="1", KIVY_HOME=str(tmp_path), KIVY_NO_FILELOG="1",
    )  # fmt: skip
    assert finished.returncode == 1
    assert "before it was prepared" in finished.stderr
