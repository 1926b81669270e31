"""What stands before every request, asked without a server."""

import asyncio

import pytest

from ui.web.guard import Guard

OWN = "192.168.1.20:8324"
HOSTS = (OWN, "localhost:8324", "127.0.0.1:8324", "[::1]:8324", "127.example.org:8324")


async def _app(_scope, _receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


def _refuse(status: int, _sentence: str, _nonce: str):
    async def answer(_scope, _receive, send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})

    return answer


def _asked(method: str = "GET", **headers: str) -> dict[str, object]:
    """The beginning of the answer."""
    sent = []
    given = {"host": OWN} | headers
    scope = {
        "type": "http", "method": method, "raw_path": b"/", "query_string": b"", "client": ("192.168.1.30", 5),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip

    async def send(message) -> None:
        sent.append(message)

    guard = Guard(_app, frozenset(HOSTS), lambda _scope: "phone", _refuse)
    asyncio.run(guard(scope, None, send))
    return sent[0]


@pytest.mark.parametrize(("host", "is_sent"), zip(HOSTS, (False, True, True, True, False), strict=True))
def test_a_browser_is_sent_what_it_heeds_at_an_address_that_it_trusts_alone(host: str, is_sent: bool) -> None:
    headers = dict(_asked(host=host)["headers"])
    assert (headers.get(b"cross-origin-opener-policy") == b"same-origin") is is_sent
    assert headers[b"x-frame-options"] == b"DENY"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_behind_a_web_server_with_encryption_the_browser_says_whose_page_asks(method: str) -> None:
    def status(**headers: str) -> object:
        return _asked(method, **headers)["status"]

    front = "https://tables.example.org"
    assert status(origin=front, sec_fetch_site="same-origin") == 200
    assert status(origin=front, sec_fetch_site="cross-site") == 403
    assert status(origin=front, sec_fetch_site="none") == status(origin=front) == 403
    assert status(origin="http://tables.example.org", sec_fetch_site="same-origin") == 403
    assert status(origin=f"http://{OWN}", sec_fetch_site="same-origin") == 200
