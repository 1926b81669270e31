"""The code that lets a phone in: scanned, typed, guessed, renewed."""

from __future__ import annotations

import re

import pytest

from tests.ui.web.visiting import Phone


@pytest.mark.parametrize("token", ["", "x", "x" * 500, "%00", "..%2f..%2fetc%2fpasswd"])
def test_a_guessed_code_opens_nothing(table, token):
    answer = Phone(table).get(f"/join/{token}")
    assert answer.status in (403, 404, 414)
    assert "set-cookie" not in answer.headers


def test_the_code_may_be_typed_as_people_type_it(table):
    code = table.service.url.rpartition("/")[2]
    assert re.fullmatch(r"[a-z2-9]{4}(-[a-z2-9]{4}){2}", code)
    assert "Or type the code" in Phone(table).get("/").text
    for typed in (code, code.upper(), code.replace("-", "+"), code.replace("-", "")):
        answer = Phone(table).get(f"/join?code={typed}")
        assert answer.status == 303, typed
        assert "set-cookie" in answer.headers
    refused = Phone(table).get(f"/join?code={code[:-1]}")
    assert refused.status == 403
    assert "Or type the code" in refused.text
    assert Phone(table).get("/join").status == 403


def test_a_renewed_code_replaces_the_one_before(table):
    old = table.service.url.partition(table.service.address)[2]
    phone = table.phone()
    table.service.renew_code()
    assert Phone(table).get(old).status == 403
    assert phone.get().status == 200


@pytest.mark.parametrize("path", ["/", "/rules", "/events"])
def test_a_phone_that_was_taken_away_is_told_so_and_what_to_do(table, path):
    phone, stranger = table.phone(1), Phone(table)
    table.service.revoke(table.service.seated()[0][0])
    told = phone.get(path)
    assert told.status == 403
    sentence = "The seat of this phone was taken back on the tablet: to sit down again, scan the code there."
    assert sentence in told.text
    assert "Or type the code" in told.text
    assert sentence not in stranger.get(path).text
    phone.get(table.service.url.partition(table.service.address)[2])
    table.tick()
    assert phone.get().status == 200
