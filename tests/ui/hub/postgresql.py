"""A PostgreSQL of the tests' own: an unprivileged user, a temporary folder, a socket in it, ended at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

PATIENCE = 30.0
USERS = ("postgres", "nobody")
"""one of which runs it where the tests are run by root, whom it refuses"""


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, Debian's newest or the one on the PATH; None where it is not installed."""
    debians = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    found = [*debians[-1:], *map(Path, filter(None, [shutil.which("initdb")]))]
    return found[0].parent if found else None


class OwnPostgresql:
    """Start it with `start`; `stop` ends it and `remove` takes its folder away."""

    def __init__(self) -> None:
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
        self._as: dict[str, int] = {}
        if os.geteuid() == 0:
            user = next(pwd.getpwnam(name) for name in USERS if _exists(name))
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", "hub", "-E", "UTF8", "--no-sync")

    @property
    def address(self) -> str:
        """As `--database` takes it."""
        return f"postgresql://hub@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [
            "-c",
            "listen_addresses=",
            "-c",
            f"unix_socket_directories={self.folder}",
            "-c",
            "max_connections=40",
        ]
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data"), *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=self.folder, start_new_session=True, **self._as,
        )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            psycopg.connect(host=str(self.folder), user="hub", dbname="postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: by SIGINT with all connections, by SIGQUIT at once as a crash would."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(how)
            process.wait(PATIENCE)

    def remove(self) -> None:
        """End it and take its folder away."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [str(self._programs / program), *words], check=True, capture_output=True, cwd=self.folder, **self._as
        )


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
