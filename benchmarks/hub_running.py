"""Hubs in processes of their own, for the measurements of `benchmarks.hub` and `benchmarks.hub_load`."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from firmware_bridge.mqtt.broker import OwnMosquitto


class RunningHub:
    """`companion hub` in a process of its own."""

    def __init__(self, folder: Path, broker: str, database: str, port: int = 0) -> None:
        self._folder, self._broker, self._database = folder, broker, database
        self.port, self.passwords = port, {}
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        words = ["hub", "--address", "127.0.0.1", "--port", str(self.port), "--broker", self._broker]
        words += ["--database", self._database, "--language", "en"]
        environment = os.environ | {"XDG_DATA_HOME": str(self._folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ui.command_line", *words], stdout=subprocess.PIPE, text=True, env=environment
        )  # fmt: skip
        for line in self.process.stdout:
            if found := re.match(r"pages:  http://[^:]+:(\d+)/", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self._read_more, args=(self.process.stdout,), daemon=True).start()

    def _read_more(self, lines: Iterator[str]) -> None:
        for line in lines:
            if found := re.match(r"password to (\w+): (\S+)", line):
                self.passwords[found[1]] = found[2]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def cookie(self, password: str) -> str:
        connection = http.client.HTTPConnection(self.address, timeout=20)
        headers = {"Origin": f"http://{self.address}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/enter", urlencode({"password": password}), headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.headers["set-cookie"].partition(";")[0]

    def page(self, path: str, cookie: str) -> tuple[str, float]:
        began = time.monotonic()
        connection = http.client.HTTPConnection(self.address, timeout=30)
        connection.request("GET", path, headers={"Cookie": cookie})
        text = connection.getresponse().read().decode()
        connection.close()
        return text, time.monotonic() - began


def full(broker: OwnMosquitto) -> str:
    """The broker's address with user and password."""
    return f"{broker.address.username}:{broker.address.password}@{broker.address}"


def wait_for_password(hub: RunningHub) -> str:
    until = time.monotonic() + 10
    while "organise" not in hub.passwords and time.monotonic() < until:
        time.sleep(0.05)
    return hub.passwords["organise"]
