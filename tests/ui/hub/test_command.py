"""`companion hub` as people start it, and what it says where something is missing."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import textwrap
import threading
from configparser import ConfigParser
from contextlib import suppress
from pathlib import Path

from firmware_bridge.protocol.addresses import BrokerAddress
from scripts.release.debian_package import TEMPLATES
from tests.ui.hub.publishing import until
from ui.command_line import main
from ui.hub.database import only_hub, open_database
from ui.hub.service import Hub, WantedService
from ui.web.readable import LETTERS


def test_a_missing_package_is_said_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr("ui.hub.command.find_spec", lambda _name: None)
    assert main(["hub"]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "pip install 'roman-table-companion[hub]'" in told


def test_the_command_imports_the_hubs_packages_only_when_it_runs():
    code = "import sys, ui.command_line, ui.hub.command; print({'sqlalchemy', 'alembic', 'psycopg'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_wrong_words_are_said(capsys):
    assert main(["hub", "--broker", "a b"]) == 2
    assert main(["hub", "--port", "99999"]) == 2
    assert main(["hub", "--language", "xx"]) == 2
    assert main(["hub", "--database", "mysql://x/y"]) == 3
    assert main(["hub", "--address", "8.8.8.8", "--database", "sqlite://"]) == 3
    assert "local network" in capsys.readouterr().err
    assert main(["hub", "--address", "10.254.253.252", "--database", "sqlite://"]) == 3
    assert "is no address of this machine, which has" in capsys.readouterr().err


def test_it_starts_a_broker_of_its_own_and_ends_it(tmp_path):
    words = ["hub", "--address", "127.0.0.1", "--port", "0", "--broker-port", "0", "--database", str(tmp_path / "hub")]
    command = [sys.executable, "-m", "ui.command_line", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        told = [run.stdout.readline() for _line in range(4)]
        run.send_signal(signal.SIGTERM)
        more = run.stdout.read()
    assert run.returncode == 0
    assert re.fullmatch(r"pages:  http://127\.0\.0\.1:\d+/\n", told[0])
    assert re.match(rf"broker: table:[{LETTERS}-]{{14}}@127\.0\.0\.1:\d+ ", told[1])  # as it is typed at tables
    assert "password to watch: " in told[2]
    assert "password to organise: " in told[3]
    assert more == ""


def test_a_start_that_is_ended_waits_for_no_broker(tmp_path, monkeypatch):
    monkeypatch.setattr("ui.hub.service.ANSWER", 60.0)
    database = open_database(str(tmp_path / "hub"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        broker = BrokerAddress("127.0.0.1", silent.getsockname()[1])
        hub = Hub(database, WantedService("127.0.0.1", 0, broker, draws=False))
        start = threading.Thread(target=hub.start, daemon=True)
        start.start()
        with silent.accept()[0]:  # it has connected, and waits to be answered
            hub.wait_no_more()
            start.join(20)
            assert (start.is_alive(), hub.is_connected) == (False, False)
            hub.stop()
    database.close()


def test_a_hub_that_is_ended_with_all_it_started_says_nothing_of_boards(tmp_path):
    words = ["hub", "--address", "127.0.0.1", "--port", "0", "--broker-port", "0", "--database", str(tmp_path / "hub")]
    command, environment = [sys.executable, "-m", "ui.command_line", *words], {"XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | environment,
    ) as run:  # fmt: skip
        assert run.stdout.readline().startswith("pages: ")
        drawing = Path(f"/proc/{run.pid}/task")
        until(lambda: any("board_pictures" in line for line in _started_by(drawing)), "it draws")
        os.killpg(run.pid, signal.SIGTERM)
        run.stdout.read()
        assert run.stderr.read() == ""
    assert run.returncode == 0


def _started_by(tasks: Path) -> list[str]:
    """The command lines of a process's children, whichever thread has started them."""
    found = []
    with suppress(OSError):  # one that has ended
        for task in tasks.iterdir():
            children = (task / "children").read_text().split()
            found += [Path(f"/proc/{child}/cmdline").read_text() for child in children]
    return found


def started(*words: str) -> list[str]:
    """What a hub says when it is started, and ended at once."""
    command = [sys.executable, "-m", "ui.command_line", "hub", "--address", "127.0.0.1", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        told = [run.stdout.readline(), run.stdout.readline()]
        run.send_signal(signal.SIGTERM)
        return [*told, *run.stdout]


def test_a_start_that_failed_keeps_no_password_that_nobody_saw(tmp_path, mosquitto):
    database, port = ["--database", str(tmp_path / "hub")], str(mosquitto.address.port)
    failed = started(*database, "--broker-port", port)
    assert failed[0].startswith(f"companion: 127.0.0.1:{port}: another program listens there")
    first = started(*database, "--broker-port", "0")
    assert any("password to organise: " in line for line in first)
    again = started(*database, "--broker-port", "0")
    assert not any("password to" in line for line in again)
    anew = started(*database, "--broker-port", "0", "--new-passwords")
    assert any("password to organise: " in line for line in anew)


def test_a_database_that_is_damaged_within_is_said_in_one_line(tmp_path, capsys):
    path = tmp_path / "hub"
    open_database(str(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE settings")
    assert main(["hub", "--address", "127.0.0.1", "--port", "0", "--broker-port", "0", "--database", str(path)]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith(f"companion: sqlite:///{path}: cannot be read (")
    assert told.endswith("; put a copy back, or name another database with --database\n")


def test_that_mosquitto_is_missing_is_said_with_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("firmware_bridge.mqtt.broker.shutil.which", lambda *_words, **_more: None)
    words = ["hub", "--address", "127.0.0.1", "--port", "0", "--database", str(tmp_path / "hub"), "--broker-port", "0"]
    assert main(words) == 3
    told = capsys.readouterr().err
    assert told == "companion: mosquitto is not installed: install it, or name an MQTT broker with --broker\n"


def test_how_a_database_that_cannot_be_opened_can_be_is_said(tmp_path, capsys):
    folder = tmp_path / "nowhere"
    for address, remedy in (
        (str(folder / "hub"), f"; make the folder {folder}, or name another database with --database\n"),
        ("postgresql://hub@127.0.0.1:1/hub", "; see that this server runs and lets us in, or name another database"),
    ):
        assert main(["hub", "--address", "127.0.0.1", "--port", "0", "--database", address]) == 3
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert remedy in told


def test_the_unit_in_the_organisers_page_starts_a_hub_again_whose_database_does_not_answer_yet(tmp_path, capsys):
    page = (Path(__file__).parents[3] / "docs" / "organisers.md").read_text(encoding="utf-8")
    text = re.search(r"^    \[Unit\]\n(?:(?:    .*)?\n)*?    WantedBy=.*\n", page, re.MULTILINE)[0]
    unit = ConfigParser(interpolation=None)
    unit.optionxform = str
    unit.read_string(textwrap.dedent(text))
    packed = ConfigParser(interpolation=None)
    packed.optionxform = str
    packed.read(TEMPLATES / "companion-hub.service")
    assert packed["Service"].pop("ExecStart") == unit["Service"]["ExecStart"].replace("PROGRAM", "/usr/bin/companion")
    del packed["Unit"]["Documentation"]
    assert {name: dict(packed[name]) for name in packed} == {
        name: {key: said for key, said in unit[name].items() if key != "ExecStart"} for name in unit
    }
    service = unit["Service"]
    assert service["Restart"] == "on-failure"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    program, *words = service["ExecStart"].split()
    given = re.search(r"^    OPTIONS=(.*)$", page, re.MULTILINE)[1]
    given = given.replace("PASSWORD@ADDRESS/hub", "x@127.0.0.1:1/hub").replace("ADDRESS", "127.0.0.1:1")
    assert (program, words[-1]) == ("PROGRAM", "$OPTIONS")
    ends = [main([*words[:-1], *options.split()]) for options in (given, f"{given} --port none")]
    assert "see that this server runs" in capsys.readouterr().err
    assert [str(code) == service["RestartPreventExitStatus"] for code in ends] == [False, True]
    if shutil.which("systemd-analyze") is not None:
        written = tmp_path / "companion-hub.service"
        written.write_text(textwrap.dedent(text).replace("PROGRAM", sys.executable), encoding="utf-8")
        check = ["systemd-analyze", "verify", "--man=no", "--user", str(written)]
        environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
        run = subprocess.run(check, capture_output=True, text=True, env=environment, check=False)
        assert "companion-hub.service" not in run.stderr


def test_a_database_that_another_hub_has_is_left_to_it(tmp_path, capsys):
    path = tmp_path / "hub"
    words = ["hub", "--address", "127.0.0.1", "--port", "0", "--broker-port", "0", "--database", str(path)]
    database = open_database(str(path))
    with only_hub(database):
        assert main(words) == 3
    database.close()
    told = capsys.readouterr().err
    assert told == f"companion: {path}: another hub has it; end that one, or let both have a PostgreSQL database\n"
