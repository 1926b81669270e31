"""A Debian as it is just after its installation, in a folder: debootstrap makes it, chroot works in it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shlex import join, quote

from scripts.release.debian_package import UNITS
from scripts.release.distributions import ROOT

MINUTES = 100
"""after which a step counts as failed"""


@dataclass(frozen=True, slots=True)
class Suite:
    """A Debian release: its number and the Python it brings."""

    name: str
    python: str


SUITES = {"bookworm": Suite("12", "3.11"), "trixie": Suite("13", "3.13")}
DISPLAY = ":77"
MOUNTS = ("proc", "sys", "dev", "dev/pts")
REACHING = ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt")
"""what says how this machine reaches package indexes, also through a proxy with a certificate of its own"""
NOT_OURS = ("/var/", "/etc/", "/run/", "/tmp/", "/home/", "/root/", "/usr/share/man", "/srv/")
"""where a package system and people write; a package of ours has nothing there"""


class StepFailed(Exception):
    """A program ended otherwise than wanted; the message is what it printed last."""


def run(words: list[Path | str], *, cwd: Path | None = None, wanted: int = 0, minutes: int = MINUTES) -> str:
    """Run a program; gives what it printed.

    Raises StepFailed where it ends with another code than `wanted`, or not within `minutes`.
    """
    try:
        done = subprocess.run(
            words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=60 * minutes, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise StepFailed(f"{words[0]} did not end within {minutes} minutes") from error
    if done.returncode != wanted:
        raise StepFailed(f"{words[0]} ended with {done.returncode} instead of {wanted}:\n{done.stdout}")
    return done.stdout


class FreshSystem:
    """One fresh system below `folder`, with a user `guest`; what debootstrap makes is kept there as an archive."""

    def __init__(self, suite: str, folder: Path) -> None:
        self._suite, self._folder = suite, folder
        self._root = (folder / suite).resolve()

    def make(self) -> None:
        """Make it; the first time that takes some minutes and a network."""
        if shutil.which("debootstrap") is None:
            raise StepFailed("debootstrap is missing: sudo apt install debootstrap")
        self.discard()
        self._folder.mkdir(parents=True, exist_ok=True)
        archive = self._folder / f"{self._suite}.tar"
        if not archive.exists():
            packages = "--include=ca-certificates,git,make,python3-venv"
            run(["debootstrap", "--variant=minbase", packages, self._suite, self._root])
            run(["tar", "-C", self._root, "-cf", archive.with_suffix(".part"), "."])
            archive.with_suffix(".part").rename(archive)
        else:
            self._root.mkdir()
            run(["tar", "-C", self._root, "-xf", archive])
        for name in REACHING:
            if Path("/", name).exists():
                shutil.copy(Path("/", name), self._root / name)
        self.as_root("useradd --create-home --shell /bin/bash guest")
        self.as_root("apt-get update -q")

    def discard(self) -> None:
        """Take it away, if it is there."""
        if self._root.exists():
            run(["rm", "-rf", "--one-file-system", self._root])

    def _chroot(self, words: list[str], network: bool) -> list[Path | str]:
        """The command that runs `words` in the system.

        What it needs of the machine is mounted in a namespace of its own, so that no mount outlives it: whoever
        deletes the folder deletes nothing of the machine.
        """
        mounts = [f"mount --bind /{name} {quote(f'{self._root}/{name}')}" for name in MOUNTS]
        mounts.append(f"mount -t tmpfs tmpfs {quote(f'{self._root}/dev/shm')}")
        if not network:
            mounts.append("ip link set lo up")
        script = " && ".join((*mounts, f"exec chroot {quote(str(self._root))} {join(words)}"))
        apart = ["--mount", "--propagation", "private", *([] if network else ["--net"])]
        return ["unshare", *apart, "/bin/sh", "-c", script]

    def as_root(self, command: str, *, wanted: int = 0) -> str:
        """Run a shell command in it; gives what it printed. Raises StepFailed."""
        return run(self._chroot(["/bin/bash", "-lc", command], network=True), wanted=wanted)

    def as_user(self, command: str, *, wanted: int = 0, network: bool = True) -> str:
        """Run a shell command in it as guest, with no network but the loopback if not `network`. Raises StepFailed."""
        return run(self._chroot(["su", "-l", "guest", "-c", command], network), wanted=wanted)

    def files(self) -> set[str]:
        """The paths of all that a package could bring, from the root of the system."""
        listed = run(["find", self._root, "-xdev", "(", "-type", "f", "-o", "-type", "l", ")"]).splitlines()
        paths = (line.removeprefix(str(self._root)) for line in listed)
        return {path for path in paths if not path.startswith(NOT_OURS) and "__pycache__" not in path}

    def install(self, package: Path) -> None:
        """Install a package and what it depends on and recommends."""
        shutil.copy(package, self._root / "root" / package.name)
        self.as_root(f"DEBIAN_FRONTEND=noninteractive apt-get install -q -y /root/{package.name}")

    def window(self, command: str) -> None:
        """Start an app on a display of its own as guest, and see its window come, stay and go."""
        self._apt_install("xvfb xdotool openbox")
        script = f"""
            Xvfb {DISPLAY} -screen 0 1280x800x24 >/dev/null 2>&1 & display=$!
            export DISPLAY={DISPLAY}; sleep 2
            openbox >/dev/null 2>&1 & sleep 1
            {command} >app.log 2>&1 & app=$!
            for second in $(seq 60); do
                window=$(xdotool search --onlyvisible --class roman-table-companion 2>/dev/null | head -n 1)
                [ -z "$window" ] || break
                kill -0 $app || break
                sleep 1
            done
            sleep 5
            kill -0 $app && [ -n "$window" ] && result=0 || result=1
            kill $app; wait $app 2>/dev/null; kill $display
            [ $result = 0 ] || cat app.log
            exit $result
        """
        self.as_user(script)

    def verify_system_files(self) -> None:
        """Have the system's own programs check the files that it reads."""
        self._apt_install("desktop-file-utils udev systemd")
        self.as_root("desktop-file-validate /usr/share/applications/roman-table-companion.desktop")
        for unit in UNITS:
            verify = f"systemd-analyze verify --man=no --user /usr/lib/systemd/user/{unit}"
            self.as_root(f"XDG_RUNTIME_DIR=/tmp {verify}")
        if SUITES[self._suite].name != "12":  # whose udevadm has no such check
            self.as_root("udevadm verify /usr/lib/udev/rules.d/60-roman-table-companion.rules")

    def _apt_install(self, packages: str) -> None:
        self.as_root(f"DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends {packages}")

    def remove(self, package: str, before: set[str]) -> None:
        """Remove a package; fails if anything stays that no other package brought since `before`."""
        self.as_root(f"DEBIAN_FRONTEND=noninteractive apt-get purge -q -y {package}")
        listed = self.as_root("cat /var/lib/dpkg/info/*.list").splitlines()
        owned = {str(Path("/") / line.lstrip("/")) for line in listed}
        left = sorted(path for path in self.files() - before - owned if "companion" in path)
        if left or (self._root / "opt" / package).exists():
            raise StepFailed(f"left behind: {', '.join(left[:5]) or f'/opt/{package}'}")

    def copy_clone(self, copy: Callable[[Path, Path], Path]) -> None:
        """Put a clone of the project into /srv/project, owned by guest."""
        copy(ROOT, self._root / "srv" / "project")
        self.as_root("chown -R guest: /srv/project")
