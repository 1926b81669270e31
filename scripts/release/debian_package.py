"""The Debian package: `python -m scripts.release.debian_package [--python 3.13] [--machine aarch64] [--out dist]`.

It holds a virtual environment in /opt with every Python package: nothing is fetched when it is installed or run. Such
an environment belongs to one version of Python: there is one package for Debian 12 (3.11), one for Ubuntu 24.04 (3.12)
and one for Debian 13 (3.13). Any of them can be built on any Linux, since all that is packed are wheels.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from firmware_bridge.serving.discovery import likely_boards
from scripts.release.distributions import build_wheel, copy_project

ROOT = Path(__file__).parent.parent.parent
TEMPLATES = Path(__file__).parent / "debian"
NAME = "roman-table-companion"
FOLDER = Path("/opt") / NAME
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
UNITS = ("companion-kiosk.service", "companion-hub.service")
"""what people may let systemd start for them; none is enabled"""
PYTHONS = ("3.11", "3.12", "3.13")
NEWEST_GLIBC = 36
"""minor version of the C library of Debian 12, the oldest system a package is built for"""

START = """import sys

from ui.command_line import main

if __name__ == "__main__":  # the reader's processes import this again
    sys.exit(main())
"""


def project_version() -> str:
    """The version that pyproject.toml names, the only place where it stands."""
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return version


def build(python: str, machine: str, out: Path) -> Path:
    """Build the package of a Python version ("3.13") and machine ("x86_64") in the folder `out`; gives its path.

    Raises CalledProcessError when a wheel is missing or a program fails; the program has said why.
    """
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        _environment(tree, python, machine, Path(scratch))
        _system_files(tree)
        _control(tree, python, ARCHITECTURES[machine])
        out.mkdir(parents=True, exist_ok=True)
        package = out / f"{NAME}_{_debian_version(python)}_{ARCHITECTURES[machine]}.deb"
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", tree, package], check=True)
    return package


def _debian_version(python: str) -> str:
    return f"{project_version()}+python{python}"


def _environment(tree: Path, python: str, machine: str, scratch: Path) -> None:
    """Put a virtual environment at FOLDER below `tree`, with all packages, those of the hub, too, and the program that
    starts them.
    """
    home = tree / FOLDER.relative_to("/")
    packages = home / "lib" / f"python{python}" / "site-packages"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    wheel = build_wheel(copy_project(ROOT, scratch / "project"), scratch)
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, 4, -1)]
    platforms = [word for tag in (*tags, f"manylinux2014_{machine}") for word in ("--platform", tag)]
    target = ["--target", packages, "--only-binary=:all:", "--python-version", python, "--implementation", "cp"]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", *target, *platforms, f"{wheel}[hub]"], check=True)
    shutil.rmtree(packages / "bin", ignore_errors=True)
    shutil.rmtree(packages / "share", ignore_errors=True)  # Kivy's examples
    programs = home / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(f"/usr/bin/python{python}")
    (home / "pyvenv.cfg").write_text(f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {python}\n")
    start = programs / "companion"
    start.write_text(f"#!{FOLDER}/bin/python\n{START}", encoding="utf-8")
    start.chmod(0o755)


def _system_files(tree: Path) -> None:
    shared = tree / "usr" / "share"
    _install(TEMPLATES / "companion.desktop", shared / "applications" / f"{NAME}.desktop")
    icons = shared / "icons" / "hicolor"
    drawn = ROOT / "ui" / "drawing" / "icon"
    _install(drawn / "companion.svg", icons / "scalable" / "apps" / f"{NAME}.svg")
    _install(drawn / "companion.png", icons / "256x256" / "apps" / f"{NAME}.png")
    system = tree / "usr" / "lib"
    for unit in UNITS:
        _install(TEMPLATES / unit, system / "systemd" / "user" / unit)
    rules = system / "udev" / "rules.d" / f"60-{NAME}.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text(udev_rules(), encoding="utf-8")
    programs = tree / "usr" / "bin"
    programs.mkdir()
    (programs / "companion").symlink_to(FOLDER / "bin" / "companion")
    documents = shared / "doc" / NAME
    shutil.copytree(ROOT / "docs", documents, ignore=shutil.ignore_patterns("pictures"))
    shutil.copy(ROOT / "README.md", documents)
    with (documents / "changelog.gz").open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write((ROOT / "CHANGELOG.md").read_bytes())
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").partition("\n\n")[2]
    indented = "\n".join(f" {line}" if line else " ." for line in licence.splitlines())
    text = _filled("copyright", LICENSE=indented, FOLDER=str(FOLDER).lstrip("/"))
    (documents / "copyright").write_text(text, encoding="utf-8")


def udev_rules() -> str:
    """Let whoever sits at the machine open the ports of boards that boxes are built on (`likely_ports.toml`)."""
    lines = ["# Boards of button boxes: whoever sits at this machine may open them. The list: likely_ports.toml"]
    for board in likely_boards():
        product = "" if board.pid is None else f', ATTRS{{idProduct}}=="{board.pid:04x}"'
        lines += [f"# {board.name}", f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{board.vid:04x}"{product}, TAG+="uaccess"']
    return "\n".join(lines) + "\n"


def _control(tree: Path, python: str, architecture: str) -> None:
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
    folder = tree / "DEBIAN"
    folder.mkdir()
    size = sum(path.stat().st_size for path in files) // 1024
    values = {
        "VERSION": _debian_version(python), "ARCHITECTURE": architecture, "SIZE": str(size),
        "PYTHON": f"python{python}", "FOLDER": str(FOLDER),
    }  # fmt: skip
    (folder / "control").write_text(_filled("control", **values), encoding="utf-8")
    for name in ("postinst", "prerm"):
        (folder / name).write_text(_filled(name, **values), encoding="utf-8")
        (folder / name).chmod(0o755)
    sums = (f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in sorted(files))
    (folder / "md5sums").write_text("".join(sums), encoding="utf-8")


def _filled(template: str, **values: str) -> str:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@", lambda found: values[found[1]], text)


def _install(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def main() -> int:
    """Build the package that the arguments name."""
    parser = argparse.ArgumentParser(prog="scripts.release.debian_package", description=__doc__.splitlines()[0])
    parser.add_argument("--python", choices=PYTHONS, default=f"{sys.version_info[0]}.{sys.version_info[1]}")
    parser.add_argument("--machine", choices=sorted(ARCHITECTURES), default="x86_64")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    arguments = parser.parse_args()
    if shutil.which("dpkg-deb") is None:
        print("dpkg-deb is missing, the program that packs Debian packages: sudo apt install dpkg", file=sys.stderr)
        return 1
    try:
        print(build(arguments.python, arguments.machine, arguments.out))
    except subprocess.CalledProcessError as error:
        print(f"no package was built: {Path(str(error.cmd[0])).name} ended with {error.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
