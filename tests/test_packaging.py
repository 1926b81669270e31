"""What is handed out: a wheel and a source distribution that build from one another, and the Debian package's parts."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

from firmware_bridge.serving.discovery import likely_boards
from scripts.packages import PACKAGES
from scripts.release import debian_package
from scripts.release.distributions import PARTS, build_source, build_wheel, copy_project

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(ROOT, tmp_path_factory.mktemp("clone") / "project")


@pytest.fixture(scope="module")
def source(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the source distribution unpacks to."""
    built = tmp_path_factory.mktemp("source")
    with tarfile.open(build_source(clone, built)) as archive:
        archive.extractall(built, filter="data")
    (unpacked,) = (path for path in built.iterdir() if path.is_dir())
    return unpacked


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(build_wheel(clone, tmp_path_factory.mktemp("wheel")))


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def is_project_file(name: str) -> bool:
    return not name.endswith((".mo", ".pyc")) and ".egg-info/" not in name and not name.startswith("build/")


def test_clones_parts_are_what_the_repository_has() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the parts are compared with the repository's, and this is no clone or git is missing")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert {name.partition("/")[0] for name in listed.splitlines()} <= set(PARTS)


def test_wheel_holds_the_five_packages_with_their_data_and_nothing_else(clone: Path, wheel: zipfile.ZipFile) -> None:
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    expected = {
        f"{package}/{name}" for package in PACKAGES for name in files_below(clone / package) if is_project_file(name)
    }
    compiled = {name for name in packed if name.endswith(".mo")}
    assert packed - compiled == {name for name in expected if not name.endswith(".pot")}
    assert compiled == {name.removesuffix("po") + "mo" for name in expected if name.endswith(".po")}


def test_source_distribution_holds_all_a_clone_has(clone: Path, source: Path) -> None:
    unpacked = {name for name in files_below(source) if is_project_file(name)} - {"PKG-INFO", "setup.cfg"}
    assert unpacked == {name for name in files_below(clone) if is_project_file(name)}


def test_source_distribution_builds_the_same_wheel_and_itself(
    source: Path, wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    rebuilt = zipfile.ZipFile(build_wheel(source, tmp_path))
    assert {name: rebuilt.read(name) for name in rebuilt.namelist() if not name.endswith("/RECORD")} == {
        name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/RECORD")
    }
    with tarfile.open(build_source(source, tmp_path)) as again:
        names = {member.name.partition("/")[2] for member in again.getmembers() if member.isfile()}
    assert {name for name in names if is_project_file(name)} == {
        name for name in files_below(source) if is_project_file(name)
    }


def test_wheel_says_licence_version_and_what_it_is(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = BytesParser().parsebytes(wheel.read(name))
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Version"] == debian_package.project_version()
    assert "Roman Table Companion" in str(metadata.get_payload())
    licences = {name.partition(".dist-info/licenses/")[2] for name in wheel.namelist()} - {""}
    assert licences == {"LICENSE", "ui/fonts/OFL.txt", "ui/web/static/LICENSE.txt"}


def test_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == debian_package.project_version()


def test_version_stands_in_one_place() -> None:
    version = debian_package.project_version()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            assert f'"{version}"' not in path.read_text(encoding="utf-8"), path


def test_udev_rules_name_every_board_that_a_box_may_be() -> None:
    rules = debian_package.udev_rules()
    assert rules.count('TAG+="uaccess"') == len(likely_boards())
    assert 'SUBSYSTEM=="tty", ATTRS{idVendor}=="2341", ATTRS{idProduct}=="0043", TAG+="uaccess"' in rules
    assert 'SUBSYSTEM=="tty", ATTRS{idVendor}=="239a", TAG+="uaccess"' in rules  # every product of the vendor


def test_system_files_of_the_debian_package_have_the_units_and_enable_none(tmp_path: Path) -> None:
    debian_package._system_files(tmp_path)
    units = tmp_path / "usr" / "lib" / "systemd" / "user"
    assert {path.name for path in units.iterdir()} == {"companion-kiosk.service", "companion-hub.service"}
    assert "ExecStart=/usr/bin/companion hub" in (units / "companion-hub.service").read_text(encoding="utf-8")
    assert not list(tmp_path.rglob("*.wants"))
    if shutil.which("systemd-analyze") is not None:
        for unit in units.iterdir():
            command = ["systemd-analyze", "verify", "--man=no", "--user", unit]
            environment = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path)}
            run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            assert [
                line for line in run.stderr.splitlines() if unit.name in line and "not executable" not in line
            ] == []


def test_debian_package_without_dpkg_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["debian_package"])
    assert debian_package.main() == 1
    assert "dpkg-deb is missing" in capsys.readouterr().err


def test_desktop_file_is_valid() -> None:
    if shutil.which("desktop-file-validate") is None:
        pytest.skip("desktop-file-validate (package desktop-file-utils) is missing")
    entry = debian_package.TEMPLATES / "companion.desktop"
    checked = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")
