"""The organiser's switch on the table: what it says in each state, and what the table tells through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.publishing.invitation import Invitation
from companion.publishing.kept import FILE
from companion.publishing.messages import COPIED, AssignedSeat, Assignment, HubMessage, JudgeWord
from companion.publishing.signing import new_code
from companion.session.intents import Intent, IntentKind, IntentResult
from companion.session.session import Session
from companion.session.store import Store
from firmware_bridge.mqtt.broker import OwnMosquitto
from firmware_bridge.mqtt.table_identity import claim_table
from tests.firmware_bridge.test_publishing import HubThread
from tests.firmware_bridge.waiting import eventually
from tests.session.evenings import new_session, play
from tests.ui.publishing.conftest import written
from tests.vision.test_qr_code import held_before_a_camera
from ui.forms.code_scanning import CodeScanning
from ui.forms.publishing_form import PublishingForm
from ui.menus.home import ASSIGNED, assigned_offer
from ui.menus.preferences import PUBLISHING, preference_questions
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.setup.wizard import Wizard
from ui.shell.publishing import TablePublishing, standing
from ui.shell.shell import Shell
from ui.shell.table_loop import TableLoop
from ui.table.presenter import Presenter
from ui.table.table_menu import TableMenu
from ui.view_models.form_view import Field, Note, Picks, Tone
from ui.view_models.setup_view import SetupStep

ASSIGNED_ROUND = Assignment("Club evening", 2, "city_of_marble", (AssignedSeat(1, "Ada"), AssignedSeat(2, "Bo")))


class Device:
    """A tablet's publishing with an open table, ticked by hand."""

    def __init__(self, folder: Path, broker: OwnMosquitto) -> None:
        self.folder, self.broker = folder, broker
        self.session: Session = new_session()
        self.loop = TableLoop(Presenter(self.session))
        self.publishing = TablePublishing(folder, lambda game: self.session.log)
        self.form = PublishingForm(self.publishing)

    def switch_on(self) -> None:
        self.form.touch("broker", written(self.broker.address))
        self.form.touch("on", "")

    def register(self, hub_thread: HubThread) -> None:
        self.switch_on()
        self.form.touch("code", hub_thread.hub.code.lower())
        eventually(lambda: self.publishing.view.status.registered)

    def tick(self) -> None:
        self.loop.tick()
        self.publishing.tick(self.loop)

    def until(self, condition) -> None:
        def is_so() -> bool:
            self.tick()
            return condition()

        eventually(is_so)

    def notes(self, tone: Tone) -> list[str]:
        return [row.text for row in self.form.rows() if isinstance(row, Note) and row.tone is tone]

    def fields(self) -> list[str]:
        return [row.key for row in self.form.rows() if isinstance(row, Field)]

    def offered(self) -> list[str]:
        return [row.key for row in self.form.rows() if isinstance(row, Picks)]


@pytest.fixture
def device(tmp_path: Path, mosquitto: OwnMosquitto) -> Iterator[Device]:
    found = Device(tmp_path, mosquitto)
    yield found
    found.publishing.close()


def test_nothing_is_published_until_it_is_switched_on(device: Device) -> None:
    device.tick()
    assert not device.publishing.view.is_on
    assert device.notes(Tone.PLAIN) == [
        "An organiser of many tables sees what this screen shows to everybody, never a closed hand."
    ]
    assert device.fields() == ["broker", "called"]
    assert device.offered() == ["names", "on"]


def test_a_table_is_registered_by_the_typed_code_and_tells_its_game(device: Device, hub_thread: HubThread) -> None:
    device.switch_on()
    device.until(lambda: device.publishing.view.connected)
    assert "Connected. Type the code that the organiser's page shows." in device.notes(Tone.ASKING)
    device.form.touch("code", "ABC")
    assert device.notes(Tone.BAD) == ["That is no code; it has twenty letters and digits, as ABCD-EFGH-IJKL-MNOP-QRST."]
    device.form.touch("code", new_code())
    device.until(lambda: device.publishing.view.status.refused == "code")
    assert device.notes(Tone.BAD) == ["The code does not hold, or holds no more; type the one that is shown now."]
    device.form.touch("code", hub_thread.hub.code)
    play(device.session, "draw red blue")
    device.until(lambda: device.publishing.view.status.behind == 0 and bool(hub_thread.hub.states))
    name = next(iter(hub_thread.hub.states))
    device.until(lambda: hub_thread.hub.states[name].entries == 1)
    assert device.notes(Tone.GOOD) == ["Registered; the organiser has everything."]
    assert "code" not in device.fields()
    assert device.offered() == ["names", "off"]
    assert name.startswith("table-")
    assert (device.folder / FILE).stat().st_mode & 0o777 == 0o600


def test_that_there_is_a_copy_is_said_with_what_to_do_which_is_not_to_type_a_code(
    device: Device, hub_thread: HubThread
) -> None:
    device.switch_on()
    device.form.touch("code", hub_thread.hub.code)
    device.until(lambda: device.publishing.view.status.registered)
    (name,) = hub_thread.hub.keys
    hub_thread.outbox.append(hub_thread.hub.say(name, HubMessage(refused=COPIED)))
    device.until(lambda: device.publishing.view.status.refused == COPIED)
    (note,) = device.notes(Tone.BAD)
    assert "delete table.toml and publishing.sqlite3" in note
    assert {"table.toml", "publishing.sqlite3"} <= {path.name for path in device.folder.iterdir()}
    assert "code" not in device.fields()


def test_a_password_is_on_no_screen_and_kept_when_the_field_is_left_as_it_is(device: Device, tmp_path: Path) -> None:
    device.form.touch("broker", "mqtts://club:p@ss:w/rd@192.168.1.10:8883")
    field = next(row for row in device.form.rows() if isinstance(row, Field) and row.key == "broker")
    assert field.value == "mqtts://club:…@192.168.1.10:8883"
    device.form.touch("broker", field.value)
    assert device.publishing.preferences.broker == "mqtts://club:p@ss:w/rd@192.168.1.10:8883"
    device.form.touch("broker", "192.168.1.11")
    assert device.publishing.preferences.broker == "192.168.1.11"


def test_names_are_shown_only_once_that_is_chosen(device: Device, hub_thread: HubThread) -> None:
    device.register(hub_thread)
    device.form.touch("called", "By the window")
    device.until(lambda: bool(hub_thread.hub.states) and hub_thread.hub.presences[-1].name == "By the window")
    table = next(iter(hub_thread.hub.states))

    def names() -> list[str]:
        return [player.name for player in hub_thread.hub.states[table].players]

    device.until(lambda: names() == ["", ""])
    assert b"Player 1" not in hub_thread.heard
    device.form.touch("names", "yes")
    device.until(lambda: names() == ["Player 1", "Player 2"])


def test_a_refusal_on_the_screen_is_told_as_disputed_with_its_rule(device: Device, hub_thread: HubThread) -> None:
    device.register(hub_thread)
    device.until(lambda: bool(hub_thread.hub.states))
    table = next(iter(hub_thread.hub.states))
    device.loop.presenter.act(device.session.game.parse_action("end", device.session.state))
    device.until(lambda: hub_thread.hub.states[table].disputed)
    verdict = hub_thread.hub.states[table].verdict
    assert verdict is not None
    assert verdict.action == "end"
    device.loop.presenter.on_intent(Intent(IntentKind.NO))
    device.until(lambda: not hub_thread.hub.states[table].disputed)


def test_a_refusal_that_the_judge_is_called_for_is_shown_again_when_the_judge_has_spoken(
    device: Device, hub_thread: HubThread
) -> None:
    presenter = device.loop.presenter
    device.register(hub_thread)
    device.until(lambda: presenter.judge.is_reachable and bool(hub_thread.hub.states))
    table = next(iter(hub_thread.hub.states))
    presenter.act(device.session.game.parse_action("end", device.session.state))
    refused = presenter.view().verdict
    assert presenter.view().is_refusal
    presenter.on_intent(Intent(IntentKind.JUDGE))
    device.until(lambda: hub_thread.hub.states[table].help)
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord("Coming"))))
    device.until(lambda: presenter.view().verdict.headline == "The judge: Coming")
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord(answered=True))))
    device.until(lambda: presenter.view().verdict == refused)
    device.until(lambda: hub_thread.hub.states[table].disputed)
    presenter.on_intent(Intent(IntentKind.NO))
    assert not presenter.view().is_refusal


def test_help_is_called_from_the_menu_until_it_is_answered(device: Device, hub_thread: HubThread) -> None:
    presenter = device.loop.presenter
    assert presenter.on_intent(Intent(IntentKind.JUDGE)) is IntentResult.REFUSED
    device.register(hub_thread)
    device.until(lambda: presenter.judge.is_reachable and bool(hub_thread.hub.states))
    table = next(iter(hub_thread.hub.states))
    menu = TableMenu(presenter, lambda: None)
    menu.touch("judge", "")
    assert presenter.judge.is_called
    device.until(lambda: hub_thread.hub.states[table].help)
    menu.touch("judge", "")
    device.until(lambda: not hub_thread.hub.states[table].help)
    assert presenter.on_intent(Intent(IntentKind.JUDGE)) is IntentResult.ACCEPTED
    device.until(lambda: hub_thread.hub.states[table].help)
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord("Coming", answered=True))))
    device.until(lambda: not presenter.judge.is_called)
    assert presenter.view().verdict is not None
    assert presenter.view().verdict.headline == "The judge: Coming"
    device.until(lambda: not hub_thread.hub.states[table].help)
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord(answered=True))))
    device.until(lambda: presenter.view().verdict is None)
    menu.touch("judge", "")
    assert presenter.view().verdict.headline == "The judge is called."
    device.until(lambda: hub_thread.hub.states[table].help)
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord("", answered=True))))
    device.until(lambda: presenter.view().verdict is None)


def test_a_call_goes_on_at_the_next_game_and_ends_with_an_answer_without_words(
    device: Device, hub_thread: HubThread
) -> None:
    device.register(hub_thread)
    device.until(lambda: device.loop.presenter.judge.is_reachable and bool(hub_thread.hub.states))
    device.loop.presenter.on_intent(Intent(IntentKind.JUDGE))
    table = next(iter(hub_thread.hub.states))
    device.until(lambda: hub_thread.hub.states[table].help)
    device.loop = TableLoop(Presenter(device.session))
    device.tick()
    assert device.loop.presenter.judge.is_called
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(judge=JudgeWord(answered=True))))
    device.until(lambda: not device.loop.presenter.judge.is_called)
    device.until(lambda: not hub_thread.hub.states[table].help)


def test_what_was_on_is_on_again_under_the_same_name_and_key(device: Device, hub_thread: HubThread) -> None:
    device.register(hub_thread)
    keys = dict(hub_thread.hub.keys)
    device.publishing.close()
    again = TablePublishing(device.folder, lambda game: device.session.log)
    assert again.resume() == ""
    eventually(lambda: again.view.connected)
    assert again.view.status.registered
    play(device.session, "draw red blue")
    again.tick(device.loop)
    table = next(iter(keys))
    eventually(lambda: hub_thread.hub.unbroken(table, device.session.id) == 1)
    assert hub_thread.hub.keys == keys
    again.switch_off()
    eventually(lambda: hub_thread.hub.online[table] is False)
    again.close()
    device.publishing = TablePublishing(device.folder, lambda game: device.session.log)
    assert device.publishing.resume() == ""
    assert not device.publishing.view.is_on


def test_what_is_switched_on_for_one_evening_is_off_at_the_next(device: Device) -> None:
    chosen = replace(device.publishing.preferences, broker=written(device.broker.address))
    device.publishing.open(chosen, remembers=False)
    device.until(lambda: device.publishing.view.connected)
    device.publishing.close()
    device.publishing = TablePublishing(device.folder, lambda game: None)
    assert device.publishing.resume() == ""
    assert not device.publishing.view.is_on
    assert device.publishing.preferences.broker == ""


def test_a_broker_that_is_not_there_is_named_and_the_table_goes_on(device: Device) -> None:
    device.form.touch("broker", "127.0.0.1:1")
    device.form.touch("on", "")
    device.until(lambda: device.publishing.view.problem != "")
    assert device.notes(Tone.BAD) == ["No connection to the broker: Connection refused"]
    play(device.session, "draw red blue")
    device.tick()
    device.form.touch("broker", "no broker at all")
    assert "host:port" in device.notes(Tone.BAD)[0]


def test_a_file_that_is_none_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 200)
    publishing = TablePublishing(tmp_path, lambda game: None)
    assert FILE in publishing.resume()
    form = PublishingForm(publishing)
    assert any(isinstance(row, Note) and FILE in row.text and row.tone is Tone.BAD for row in form.rows())
    form.touch("on", "")
    publishing.close()


def test_button_boxes_and_publishing_call_the_table_the_same(tmp_path: Path, device: Device) -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        name = claim_table(device.folder, stack)
        device.switch_on()
        assert device.publishing._name == name


@pytest.fixture
def shell(tmp_path: Path, device: Device) -> Iterator[Shell]:
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        found = Shell(store, tmp_path, speaker=Speaker(None))
        found.publishing = device.publishing
        yield found
        found.close()
    text.use_language("en")


def test_a_code_held_before_the_camera_switches_on_and_registers(
    shell: Shell, device: Device, hub_thread: HubThread, tmp_path: Path
) -> None:
    shown = Invitation(hub_thread.hub.code, written(device.broker.address)).text
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number, told_by in enumerate(("https://example.org/menu", shown)):
        cv2.imwrite(str(pictures / f"{number}.png"), held_before_a_camera(told_by, 420, 0.3))
    form = device.form = PublishingForm(device.publishing, CodeScanning(shell))
    assert "scan" not in device.offered()
    shell.devices.use_camera(str(pictures))
    assert "scan" in device.offered()
    form.touch("scan", "")
    told: list[str] = []

    def is_registered() -> bool:
        form.tick()
        told.extend(device.notes(Tone.BAD))
        return device.publishing.view.status.registered

    eventually(is_registered)
    assert form.picture() is None
    assert any("another code" in each for each in told)
    assert "scan" not in device.offered()
    assert next(iter(hub_thread.hub.keys)) == device.publishing._name


def test_scanning_is_ended_and_a_camera_that_is_not_there_is_named(
    shell: Shell, device: Device, tmp_path: Path
) -> None:
    shell.devices.use_camera(str(tmp_path / "nothing"))
    form = device.form = PublishingForm(device.publishing, CodeScanning(shell))
    form.touch("scan", "")

    def is_told() -> bool:
        form.tick()
        return bool(device.notes(Tone.BAD))

    eventually(is_told)
    form.touch("scan", "stop")
    assert device.notes(Tone.BAD) == []
    form.close()


def test_the_settings_say_how_it_stands_and_an_assigned_round_is_offered_with_its_people(
    shell: Shell, device: Device, hub_thread: HubThread
) -> None:
    def asked() -> str:
        return next(each.picks[0].text for each in preference_questions(shell) if each.key == PUBLISHING)

    assert asked() == standing(device.publishing.view) == "Off"
    assert assigned_offer(shell) is None
    device.register(hub_thread)
    eventually(lambda: asked() == "registered")
    table = next(iter(hub_thread.hub.keys))
    hub_thread.outbox.append(hub_thread.hub.say(table, HubMessage(assignment=ASSIGNED_ROUND)))
    eventually(lambda: assigned_offer(shell) is not None)
    offer = assigned_offer(shell)
    assert (offer.key, offer.title) == (f"{ASSIGNED} city_of_marble", "Play now · Club evening, round 2: Ada, Bo")
    assert [note for note in device.notes(Tone.PLAIN) if ". " in note][-2:] == ["1. Ada", "2. Bo"]
    wizard = Wizard(shell.store, shell.boards_folder)
    wizard.seat_people("city_of_marble", [each.player for each in ASSIGNED_ROUND.seats])
    assert (wizard.draft.names, wizard.step) == (("Ada", "Bo"), SetupStep.PLAYERS)
    wizard.draw_outcome("hills")
    shell.begin(wizard.table())
    assert assigned_offer(shell) is None


def test_the_same_people_are_offered_their_game_again_in_a_later_round(
    shell: Shell, device: Device, hub_thread: HubThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin_at(time: str) -> None:
        monkeypatch.setattr("companion.session.session.utc", lambda _moment: time)
        wizard = Wizard(shell.store, shell.boards_folder)
        wizard.seat_people("city_of_marble", [each.player for each in ASSIGNED_ROUND.seats])
        wizard.draw_outcome("hills")
        shell.begin(wizard.table())

    device.register(hub_thread)
    table = next(iter(hub_thread.hub.keys))
    for number, (assigned, begun) in enumerate((("10:00", "10:01"), ("11:00", "11:01")), 1):
        monkeypatch.setattr("ui.shell.publishing.utc", lambda _moment, at=assigned: f"2026-11-27T{at}:00Z")
        hub_thread.outbox.append(
            hub_thread.hub.say(table, HubMessage(assignment=replace(ASSIGNED_ROUND, round=number)))
        )
        eventually(lambda number=number: getattr(device.publishing.assignment, "round", 0) == number)
        assert assigned_offer(shell) is not None
        begin_at(f"2026-11-27T{begun}:00Z")
        assert assigned_offer(shell) is None


def test_the_menu_of_a_table_leads_to_the_organisers_switch(device: Device) -> None:
    went: list[str] = []
    menu = TableMenu(device.loop.presenter, lambda: None, organiser=lambda: went.append("organiser"))
    assert "organiser" in [way.key for row in menu.rows() if isinstance(row, Picks) for way in row.picks]
    menu.touch("organiser", "")
    assert went == ["organiser"]
