"""Phones switched on at the tablet: the page with the code, and the same in the window."""

import http.client
import threading

import pytest

from companion.session.store import Store
from tests.session.evenings import new_session
from ui.forms.phones_form import PhonesForm
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell
from ui.view_models.form_view import Note, Picks, Tone
from ui.web.service import PhoneService


@pytest.fixture
def service(tmp_path):
    service = PhoneService(tmp_path)
    service.addresses = lambda: ("127.0.0.1",)
    yield service
    service.close()


def picks(form, key):
    return [pick for row in form.rows() if isinstance(row, Picks) and row.key == key for pick in row.picks]


def notes(form, tone=Tone.PLAIN):
    return [row.text for row in form.rows() if isinstance(row, Note) and row.tone is tone]


def test_one_touch_switches_phones_on_and_shows_the_code(service):
    service.addresses = lambda: ("127.0.0.1", "192.0.2.77")
    form = PhonesForm(service, tuple)
    assert form.picture() is None
    (only,) = picks(form, "on")
    assert (only.text, only.leads) == ("Switch on", True)
    assert picks(form, "elsewhere") == []
    form.touch("on", only.key)
    assert service.is_on
    assert any(service.url in note for note in notes(form))
    assert form.picture().image.shape[0] > 300
    form.touch("off", "")
    assert not service.is_on
    assert form.picture() is None


def test_another_network_can_be_chosen_while_phones_are_on(service):
    service.addresses = lambda: ("127.0.0.2", "::1", "127.0.0.1")
    form = PhonesForm(service, tuple)
    form.touch("on", "127.0.0.2")
    assert any("http://127.0.0.2:" in note for note in notes(form))
    assert picks(form, "on") == []
    form.touch("elsewhere", picks(form, "elsewhere")[0].key)
    assert [pick.key for pick in picks(form, "on")] == ["::1", "127.0.0.1"]
    assert form.back()
    assert not form.back()
    assert picks(form, "on") == []
    form.touch("on", "::1")
    assert service.address.startswith("[::1]:")
    assert any("http://[::1]:" in note for note in notes(form))
    form.touch("elsewhere", "")
    assert [pick.key for pick in picks(form, "on")] == ["127.0.0.2", "127.0.0.1"]


def test_the_code_that_is_shown_is_the_one_that_lets_in(service):
    form = PhonesForm(service, tuple)
    form.touch("on", "127.0.0.1")
    before, first = service.url, form.picture()
    assert form.picture() is first
    form.touch("renew", "")
    assert service.url != before
    assert form.picture().number == first.number + 1


def test_why_phones_cannot_be_served_is_said(service):
    service.addresses = lambda: ("192.0.2.77", "127.0.0.1")
    form = PhonesForm(service, tuple)
    form.touch("on", "192.0.2.77")
    assert not service.is_on
    form.touch("elsewhere", "")
    assert [pick.key for pick in picks(form, "on")] == ["", "127.0.0.1"]
    (problem,) = notes(form, Tone.BAD)
    assert problem.startswith("Phones cannot be served at 192.0.2.77: ")
    assert problem.endswith(".")


def test_a_phone_is_taken_its_seat_away(table):
    phone = table.phone(2)
    form = PhonesForm(table.service, lambda: ("Anna", "Bruno", "Clelia"))
    (seated,) = picks(form, "revoke")
    assert seated.text == "Bruno: phone 1"
    form.touch("revoke", seated.key)
    (asked,) = picks(form, "revoke")
    assert asked.detail == "take it away? touch again"
    form.touch("elsewhere", "")
    assert picks(form, "revoke")[0].detail == "take away"
    form.touch("revoke", seated.key)
    assert picks(form, "revoke"), "a touch too many takes no other phone away"
    form.touch("revoke", seated.key)
    table.tick()
    assert picks(form, "revoke") == []
    assert "No phone has a seat yet." in notes(form)
    assert phone.get().status == 403


def test_what_a_phone_asks_is_answered_on_the_page_with_the_code(table):
    first, second = table.phone(), table.phone()
    form = PhonesForm(table.service, lambda: ("Anna", "Bruno", "Clelia"))
    assert picks(form, "answer") == []
    first.post(seat="1")
    second.post(seat="2")
    shown = table.presenter.view().choices
    assert notes(form, Tone.ASKING) == [shown[0].group, shown[2].group]
    assert [(each.key, each.text) for each in picks(form, "answer")] == [(each.key, each.text) for each in shown[:4]]
    form.touch("answer", picks(form, "answer")[2].key)
    form.touch("answer", picks(form, "answer")[1].key)
    table.tick()
    assert picks(form, "answer") == []
    assert [seat.text for seat in picks(form, "revoke")] == ["Bruno: phone 2"]
    assert "The table said no." in first.get().text
    assert "Player 2 you" in second.get().text


def test_an_answer_to_a_question_that_is_open_no_more_does_nothing(table):
    phone = table.phone()
    form = PhonesForm(table.service, lambda: ("Anna", "Bruno", "Clelia"))
    phone.post(seat="1")
    late = picks(form, "answer")[0].key
    phone.post(seat="0")
    form.touch("answer", late)
    assert table.service.seated() == ()


def test_phones_that_are_switched_off_ask_nothing_any_more(table):
    phone = table.phone()
    phone.post(seat="1")
    form = PhonesForm(table.service, lambda: ("Anna", "Bruno", "Clelia"))
    form.touch("off", "")
    assert not table.presenter.questions
    assert picks(form, "answer") == []


def test_where_nothing_serves_phones_that_is_said():
    form = PhonesForm(None, tuple)
    assert notes(form, Tone.BAD) == ["Phones cannot come to this table."]
    form.touch("on", "127.0.0.1")


@pytest.mark.window
def test_the_start_screen_and_the_table_lead_to_phones(start, tmp_path, service):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        session = new_session(store, 2, "begun")
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        shell.phones = service
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        screen.app.open("phones")
        screen.app.screens.current_screen.form.touch("on", "127.0.0.1")
        screen.app.refresh()
        screen.frames(3)
        assert service.is_on
        assert screen.app.screens.current_screen.has_view
        screen.app.open_table(shell.resume(session.id))
        screen.app.open("table")
        screen.app.screens.current_screen.form.touch("phones", "")
        assert screen.app.screens.current == "phones"
        screen.frames(3)
    text.use_language("en")


@pytest.mark.window
def test_the_table_is_shown_when_the_last_seat_has_its_phone(start, tmp_path, service, monkeypatch):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        session = new_session(store, 2, "begun")
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        shell.phones = service
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        seated = [("first", 1, 1)]
        monkeypatch.setattr(service, "seated", lambda: tuple(seated))
        screen.app.open_table(shell.resume(session.id))
        screen.app.open("phones")
        screen.frames(3)
        assert screen.app.screens.current == "phones"
        seated.append(("second", 2, 2))
        screen.frames(3)
        screen.until(lambda: screen.app.screens.current == "play")
        screen.app.open("phones")  # to take a seat away, for instance
        screen.frames(5)
        assert screen.app.screens.current == "phones"
    text.use_language("en")


def test_a_visit_to_a_table_of_the_shell(tmp_path, service):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        session = new_session(store, 2, "begun")
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        shell.phones = service
        service.open("127.0.0.1", 0)
        shell.resume(session.id)
        shell.tick()
        assert service._phones.roster.board is session.table.board
        shell.leave_table()
        shell.tick()
        assert service._phones.roster.board is None
        shell.close()
        assert not service.is_on


def killed(service):
    """Leave all as it is when the program is killed: nothing is closed in order."""
    service._server.stop()


def test_phones_are_served_again_after_a_kill_and_only_then(service, tmp_path):
    assert PhoneService(tmp_path).resume() == ""
    service.open("127.0.0.1")
    address = service.address
    killed(service)
    again = PhoneService(tmp_path)
    assert again.resume() == ""
    assert again.address == address
    again.close()
    after = PhoneService(tmp_path)
    assert after.resume() == ""
    assert not after.is_on


def test_the_port_that_phones_know_is_waited_for_while_a_killed_program_holds_it(service, tmp_path):
    service.open("127.0.0.1")
    address = service.address
    freed = threading.Timer(0.5, killed, (service,))
    freed.start()
    again = PhoneService(tmp_path)
    assert again.resume() == ""
    assert again.address == address
    freed.join()
    again.close()


def test_phones_that_find_another_port_keep_their_keys_and_the_table_is_told(service, tmp_path, monkeypatch):
    monkeypatch.setattr("ui.web.service.HELD_UP", 0.2)
    service.open("127.0.0.1")
    key = service._phones.roster.admit(service._phones.roster.token)
    service.tick(None)
    port = service.address.rpartition(":")[2]
    again = PhoneService(tmp_path)
    told = again.resume()
    assert again.address != service.address
    assert told == f"Phones are at another address now ({again.address}): each scans the code once more."
    assert told in notes(PhonesForm(again, tuple), Tone.ASKING)
    connection = http.client.HTTPConnection(again.address, timeout=10)
    connection.request("GET", "/", headers={"Cookie": f"table-{port}={key}"})
    answer = {}
    asking = threading.Thread(target=lambda: answer.update(status=connection.getresponse().status))
    asking.start()
    while asking.is_alive():
        again.tick(None)
        asking.join(0.02)
    connection.close()
    assert answer == {"status": 200}
    killed(service)
    again.close()


def test_an_address_that_is_gone_after_a_kill_is_told(service, tmp_path):
    service.open("127.0.0.1")
    service._kept.serve("192.168.254.77:8323")
    killed(service)
    assert PhoneService(tmp_path).resume().startswith("Phones are not served any more: phones cannot be served at ")


def test_a_damaged_file_of_phones_is_told_beside_the_code(service, tmp_path):
    (tmp_path / "phones.sqlite3").write_bytes(b"rubbish" * 999)
    form = PhonesForm(service, tuple)
    form.touch("on", "127.0.0.1")
    (told,) = notes(form, Tone.BAD)
    assert told == (
        "phones.sqlite3 is damaged or cannot be written: the phones are not known again after the program ends."
    )
