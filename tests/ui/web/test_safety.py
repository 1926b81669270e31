"""Who may come in, and what everybody else is answered: tried over real connections."""

import http.client
import json
import re
import socket
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from companion.errors import CompanionError
from companion.session.intents import Intent, IntentKind
from tests.ui.web.visiting import PATIENCE, Phone
from ui.web import streams
from ui.web.addresses import is_local, local_addresses, own_addresses, own_ipv6_addresses, usual_form
from ui.web.board_art import BoardArts
from ui.web.forms import LARGEST_FORM
from ui.web.guard import POSTS_AT_ONCE
from ui.web.kept import FILE, KeptPhones
from ui.web.presence import PhonePresence
from ui.web.roster import MOST_PHONES
from ui.web.service import PhoneService
from ui.web.serving import MOST_OF_AN_ADDRESS
from ui.web.streams import MOST_STREAMS, STREAMS_OF_A_PHONE, Streams


def test_nothing_listens_until_it_is_asked_for(tmp_path):
    service = PhoneService(tmp_path)
    assert not service.is_on
    assert service.url == service.address == ""
    assert not (tmp_path / FILE).exists()
    service.tick(None)
    service.close()


def test_phones_are_served_on_the_chosen_address_only(table):
    assert table.service.address == f"127.0.0.1:{table.port}"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", table.port), 5)


@pytest.mark.parametrize("address", ["0.0.0.0", "8.8.8.8", "example.org", "", "::"])
def test_no_other_than_a_local_address_is_served(address):
    assert not is_local(address)


def test_this_machine_has_a_local_address():
    assert all(map(is_local, local_addresses()))


def test_the_addresses_of_all_networks_are_found():
    routes = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 192.168.1.0
        /24 link UNICAST
     |-- 192.168.1.20
        /32 host LOCAL
     |-- 192.168.1.255
        /32 link BROADCAST
     |-- 10.42.0.1
        /32 host LOCAL
"""
    assert list(own_addresses(routes)) == ["192.168.1.20", "10.42.0.1"]
    interfaces = (
        "fd000000000000000000000000000002 04 40 00 82 eth0\n"
        "fe8000000000000000fc00fffe000001 04 40 20 80 eth0\n"
        "00000000000000000000000000000001 01 80 10 80 lo\n"
    )
    assert list(own_ipv6_addresses(interfaces)) == ["fd00::2", "::1"]


def test_phones_come_by_ipv6_as_well(tmp_path):
    service = PhoneService(tmp_path, arts=BoardArts(None))
    service.open("::1", 0)
    try:
        port = int(service.address.rpartition(":")[2])
        assert service.url.startswith(f"http://[::1]:{port}/join/")
        for host, status in ((f"[::1]:{port}", 403), (f"localhost:{port}", 403), (f"127.0.0.1:{port}", 421)):
            connection = http.client.HTTPConnection("::1", port, timeout=PATIENCE)
            connection.request("GET", "/", headers={"Host": host})
            assert connection.getresponse().status == status
            connection.close()
    finally:
        service.close()


def test_an_address_of_the_internet_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(CompanionError, match=r"^8\.8\.8\.8 is no address of a local network; phones are served on no"):
        PhoneService(tmp_path).open("8.8.8.8")


def test_a_taken_port_is_refused_in_one_sentence(table, tmp_path):
    with pytest.raises(CompanionError, match=r"^phones cannot be served at 127\.0\.0\.1: "):
        PhoneService(tmp_path).open("127.0.0.1", table.port)


def test_who_has_not_scanned_the_code_sees_nothing(table):
    stranger = Phone(table)
    for path in ("/", "/events", "/art/x.webp"):
        answer = stranger.get(path)
        assert answer.status == 403
        assert "Scan the code on the tablet" in answer.text
        assert "Player 1" not in answer.text
    assert stranger.send("number=1&at=0&button=done").status == 403
    assert not table.session.entries


@pytest.mark.parametrize("cookie", ["", "x" * 43, "x" * 9000, "a=b", "\x7f" * 30])
def test_a_forged_cookie_opens_nothing(table, cookie):
    assert Phone(table, f"table-{table.port}={cookie}").get().status in (400, 403)


def test_the_key_is_kept_from_scripts_and_other_sites(table):
    phone = Phone(table)
    answer = phone.get(table.service.url.partition(table.service.address)[2])
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    given = answer.headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite=strict" in given


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""])
def test_another_name_for_this_machine_is_refused(table, host):
    phone = table.phone(1)
    assert phone.get(Host=host).status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1"])
def test_a_post_from_another_page_does_nothing(table, origin):
    phone = table.phone(1)
    page = phone.get()
    answer = phone.send(f"number={page.field('number')}&at={page.field('at')}&button=done", Origin=origin)
    assert answer.status == 403
    assert not table.session.entries


def test_a_read_by_another_page_is_refused(table):
    phone = table.phone(1)
    assert phone.get(Origin="http://evil.example").status == 403
    assert phone.get(Sec_Fetch_Site="cross-site").status == 403


def test_every_answer_forbids_what_is_not_its_own(table):
    for answer in (table.phone(1).get(), Phone(table).get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'nonce-")
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"


def test_pages_have_no_inline_script_no_inline_style_and_nothing_from_elsewhere(table):
    body = table.phone(1).get().body
    assert not re.search(r"<script(?![^>]* src=\"/static/)", body)
    assert not re.search(r" on[a-z]+=| style=|javascript:", body)
    assert set(re.findall(r"https?://[^\"' ]*", body)) <= {"http://www.w3.org/2000/svg"}


def test_a_nonce_serves_one_answer_only(table):
    phone = table.phone()
    nonces = {re.search(r"nonce-([^']*)'", phone.get().headers["content-security-policy"])[1] for _again in range(3)}
    assert len(nonces) == 3


@pytest.mark.parametrize(
    "path",
    ["/static/../site.py", "/static/..%2fsite.py", "/static/phone.css", "/board/..%2f..%2fphones.sqlite3",
     "/etc/passwd", "/do", "//", "/join", "/?site=" + "x" * 3000, "/%ff", "/events/../"],
)  # fmt: skip
def test_tricks_with_paths_find_nothing(table, path):
    answer = table.phone(1).get(path)
    assert answer.status in (303, 400, 403, 404, 405, 414, 307)
    assert "import" not in answer.body
    assert "Traceback" not in answer.body


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ("", {}),
        ("number=1", {}),
        ("number=1&at=0", {}),
        ("number=1&at=x&button=done", {}),
        ("number=1&at=-1&button=done", {}),
        ("number=1&at=0&button=done&choose=pass", {}),
        ("number=1&number=2&at=0&button=done", {}),
        ("number=1&at=0&choose=" + "x" * 300, {}),
        ("number=" + "1" * 60 + "&at=0&button=done", {}),
        ("number=1&at=0&button=done&" + "&".join(f"a{n}=1" for n in range(100)), {}),
        ("number=1&at=0&button=%ff", {}),
        ("\xff\xfe", {}),
        ("number=1&at=0&button=done", {"Content_Type": "multipart/form-data; boundary=x"}),
        ("number=1&at=0&button=done", {"Content_Type": ""}),
        ('{"button": "done"}', {"Content_Type": "application/json"}),
    ],
)
def test_a_damaged_post_is_refused_in_one_sentence(table, body, headers):
    phone = table.phone(1)
    answer = phone.send(body, Content_Length=str(len(body.encode())), **headers)
    assert answer.status == 400
    assert "The request is damaged: load the page once more." in answer.text
    assert not table.session.entries


def test_a_huge_post_is_refused_before_it_is_read(table):
    phone = table.phone(1)
    answer = phone.send("x=", Content_Length=str(10**12))
    assert answer.status == 400
    large = "number=1&at=0&button=done&x=" + "y" * LARGEST_FORM
    assert phone.send(large).status == 400


def test_an_unknown_button_does_nothing(table):
    phone = table.phone(1)
    assert phone.post(button="explode").status == 200
    assert phone.post(button="undo").status == 200
    assert not table.session.entries


def test_a_phone_that_posts_without_end_is_slowed_and_others_are_not(table):
    busy, other = table.phone(1), table.phone(2)
    page = busy.get()
    form = f"number=x&at={page.field('at')}&button=help"
    statuses = [busy.send(form).status for _again in range(int(POSTS_AT_ONCE) * 2)]
    assert 429 in statuses
    assert other.post(button="help").status == 200


def test_guesses_from_one_address_are_slowed(table):
    stranger = Phone(table)
    statuses = [stranger.get(f"/join/{number}").status for number in range(60)]
    assert set(statuses) == {403, 429}


def test_who_asks_without_end_and_without_a_key_is_shut_out_and_no_phone_is(table):
    phone = table.phone(1)
    stream = phone.stream()
    stream.event()
    stranger = Phone(table)

    def ask() -> bool:
        try:
            return stranger.get("/", source="127.0.0.5").status in (403, 429)
        except (ConnectionError, OSError):
            return False

    answered = [ask() for _again in range(120)]
    assert answered[0]
    assert not all(answered)
    phone.post(button="help")
    assert "Play a permit" in stream.event()[1]
    stream.close()


def test_a_phone_opens_few_streams_and_the_oldest_ends(table):
    phone = table.phone(1)
    streams = [phone.stream() for _again in range(STREAMS_OF_A_PHONE + 1)]
    first = streams[0]
    first.event()
    with pytest.raises(EOFError):
        first.event()
    assert all(stream.event()[1] for stream in streams[1:])
    for stream in streams:
        stream.close()


def test_a_table_that_closes_its_pages_tells_them_so(table):
    stream = table.phone(1).stream()
    stream.event()
    table.service.close()
    assert stream.event() == ("", "The table has closed its phones' page.")
    with pytest.raises(EOFError):
        stream.event()
    stream.close()


def test_a_full_table_takes_nothing_from_a_phone_and_lets_it_change_its_pages(monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", STREAMS_OF_A_PHONE + 1)
    pages = Streams(PhonePresence())
    own = [pages.opened("a") for _page in range(STREAMS_OF_A_PHONE)]
    (other,) = [pages.opened("b")]
    assert pages.opened("b") is None
    assert not other.is_over
    assert pages.opened("c") is None
    newest = pages.opened("a")
    assert newest is not None
    assert [page.is_over for page in own] == [True, False, False]
    assert len(pages) == STREAMS_OF_A_PHONE + 1
    for page in (*own, other, newest):
        pages.closed(page)
    assert len(pages) == 0
    assert pages.opened("c") is not None


def test_a_page_that_takes_nothing_in_is_closed_and_the_others_are_told(table, monkeypatch):
    monkeypatch.setattr(streams, "PATIENCE", 0.2)
    slow, quick = table.phone(1), table.phone(2)
    heard = quick.stream()
    heard.event()
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", table.port))
    head = f"GET /events HTTP/1.1\r\nHost: {table.service.address}\r\nCookie: {slow.cookie}\r\n\r\n"
    deaf.sendall(head.encode())
    opened = table.service._server._streams
    until = time.monotonic() + 60
    while len(opened) < 2 and time.monotonic() < until:
        table.tick()
    taps = 0
    while len(opened) > 1 and time.monotonic() < until:
        table.presenter.on_intent(Intent(IntentKind.HELP))
        table.tick()
        heard.event()
        taps += 1
    assert len(opened) == 1
    assert taps > 1
    assert quick.get().status == 200
    deaf.close()
    heard.close()


def test_more_connections_than_can_be_are_closed_and_seats_stay(table):
    phone = table.phone(1)
    stream = phone.stream()
    stream.event()
    place, elsewhere = ("127.0.0.1", table.port), ("127.0.0.3", 0)
    silent = [socket.create_connection(place, 5, elsewhere) for _again in range(MOST_OF_AN_ADDRESS + 30)]
    refused = 0
    for each in silent:
        each.settimeout(0.05)
        try:
            refused += each.recv(1) == b""
        except TimeoutError:
            continue
        except ConnectionError:
            refused += 1
    assert refused >= 30
    phone.post(button="help")
    assert "Play a permit" in stream.event()[1]
    for each in silent:
        each.close()
    stream.close()


def test_rubbish_that_is_no_request_is_answered_and_nothing_stops(table, capfd):
    def send(data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", table.port), 5) as connection:
            connection.sendall(data)
            connection.settimeout(5)
            return connection.recv(100)

    assert table.during(send, b"\x16\x03\x01\x02\x00rubbish\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert table.during(send, b"GET / HTTP/1.1\r\nX: " + b"y" * 40_000 + b"\r\n").startswith(b"HTTP/1.1 4")
    assert table.phone().get().status == 200
    assert "Traceback" not in capfd.readouterr().err


def test_a_websocket_or_another_method_is_refused(table):
    phone = table.phone(1)
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        assert phone.request(method, "/").status == 405
    answer = phone.get(Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Key="x", Sec_WebSocket_Version="13")
    assert answer.status in (200, 400, 403)


def test_there_are_only_so_many_phones(table):
    seated, spectator = table.phone(1), table.phone()
    token = table.service.url.rpartition("/")[2]
    roster = table.service._phones.roster
    keys = {roster.admit(token) for _again in range(MOST_PHONES + 5)}
    table.tick()
    assert None not in keys
    assert len(roster.numbers()) == len(set(roster.numbers().values())) == MOST_PHONES
    assert len(table.service._phones._phones) == MOST_PHONES
    assert seated.get().status == 200
    assert spectator.get().status == 403


def test_a_revoked_phone_is_a_stranger_and_its_page_ends(table):
    phone = table.phone(1)
    stream = phone.stream()
    stream.event()
    ((key, number, seat),) = table.service.seated()
    assert (number, seat) == (1, 1)
    table.service.revoke(key)
    table.tick()
    with pytest.raises(EOFError):
        stream.event()
    stream.close()
    assert phone.get().status == 403
    assert table.service.seated() == ()


def test_what_is_kept_only_its_user_may_read(table, tmp_path):
    table.phone(1)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    key = re.sub("^[^=]*=", "", table.phone(2).cookie)
    assert key.encode() not in (tmp_path / FILE).read_bytes()


@pytest.mark.parametrize("content", [b"", b"rubbish" * 100, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_file_of_phones_stops_nothing(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    kept = KeptPhones(tmp_path / FILE)
    kept.add("a", 1)
    kept.sit("game", "a", 2)
    assert kept.seats("game") == {"a": 2}
    kept.close()


def test_names_are_text_everywhere(table_with_phones):
    from companion.session.session import Session
    from companion.table import Player, Table
    from tests.tables import table_of

    plain = table_of("capitol", 2)
    names = "<script>alert(1)</script>", '" onload="x'
    players = tuple(Player(name, each.colour) for name, each in zip(names, plain.players, strict=True))
    session = Session.create(None, Table(plain.game, players, plain.rulings, plain.options, plain.board))
    table = table_with_phones(session=session)
    phone = table.phone(1)
    stream = phone.stream()
    body = phone.get().body + stream.event()[1]
    stream.close()
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body
    assert 'onload="x' not in body


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Fd00::2", "fd00::2"), ("[FD00:0:0::2]", "fd00::2"), (" 10.0.0.7", "10.0.0.7"), ("tablet", "tablet"), ("", "")],
)
def test_an_address_is_served_as_browsers_write_it_however_it_was_typed(typed, meant):
    assert usual_form(typed) == meant


def visitors(work: dict) -> dict:
    """What came of work done by a process of its own."""
    command = [sys.executable, "-m", "benchmarks.phone_visitors"]
    done = subprocess.run(command, input=json.dumps(work), capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def test_a_thousand_streams_are_asked_for_and_who_plays_reads_and_acts(table):
    phone = table.phone(1)
    stream = phone.stream()
    stream.event()
    keys = [table.phone().cookie for _spectator in range(40)]
    work = {
        "do": "crowd", "address": table.service.address, "streams": 1000, "seconds": 3.0,
        "phones": [*keys, "x=y"], "sources": [f"127.0.0.{number}" for number in range(2, 7)],
    }  # fmt: skip
    with ThreadPoolExecutor(1) as others:
        crowd = others.submit(visitors, work)
        opened, most, read = table.service._server._streams, 0, 0
        while not crowd.done():
            table.tick()
            most = max(most, len(opened))
            if most > 100:
                with suppress(OSError, http.client.HTTPException):  # in the rush, not every connection is taken
                    read += phone.get().status == 200
            time.sleep(0.05)
        found = crowd.result()
    assert sum(found["statuses"].values()) == 1000
    assert 100 < most <= MOST_STREAMS
    assert 0 < found["open"] < most
    assert read
    phone.post(button="help")
    assert "Play a permit" in stream.event()[1]
    stream.close()


def test_a_file_of_phones_whose_schema_is_no_text_stops_nothing(tmp_path):
    KeptPhones(tmp_path / FILE).close()
    (tmp_path / FILE).write_bytes((tmp_path / FILE).read_bytes().replace(b"address TEXT", b"address\x9eTEXT"))
    kept = KeptPhones(tmp_path / FILE)
    assert not kept.remembers
    kept.add("phone", 1)
    assert kept.phones() == {"phone": 1}
    kept.close()
