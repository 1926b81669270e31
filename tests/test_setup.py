"""Setting the project up from a fresh copy."""

import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "scripts" / "setup.sh"


def test_an_environment_behind_a_link_is_never_emptied(tmp_path: Path) -> None:
    project, other = tmp_path / "project", tmp_path / "other"
    (project / "scripts").mkdir(parents=True)
    (other / "bin").mkdir(parents=True)
    (other / "bin" / "tool").touch()
    shutil.copy(SCRIPT, project / "scripts")
    (project / "pyproject.toml").touch()
    (project / ".venv").symlink_to(other)

    done = subprocess.run([project / "scripts" / "setup.sh"], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == (
        f"setup: .venv is a link to {other}, whose environment is not this folder's: remove the link with 'rm .venv'\n"
    )
    assert (other / "bin" / "tool").exists()
