"""Envelopes are believed by their signature alone, bounded, and understood between versions of the program."""

import json
import re
from typing import Any

import pytest

from companion.errors import InvalidDocument
from companion.publishing.envelope import Envelope, OtherSchema, read_envelope, signed
from companion.publishing.messages import Presence, Registration, read_presence, read_registration
from companion.publishing.signing import code_key, hidden, new_code, new_nonce, parse_code
from companion.publishing.topics import MAXIMUM_PAYLOAD, TopicKind, parse_topic, topic

KEY, OTHER = b"k" * 32, b"o" * 32
PRESENCE = Presence(online=True, connection=7, name="By the window")


def published(**changes: Any) -> bytes:
    envelope = signed(KEY, TopicKind.PRESENCE, "table-1", 9, PRESENCE.document(), "1.2")
    return json.dumps(json.loads(envelope.payload()) | changes).encode()


def received(**changes: Any) -> Envelope:
    return read_envelope("companion/tables/table-1/presence", published(**changes))


def test_a_message_arrives_as_it_was_signed() -> None:
    envelope = received()
    assert envelope.is_signed_with(KEY)
    assert not envelope.is_signed_with(OTHER)
    assert read_presence(envelope.document()) == PRESENCE
    assert (envelope.number, envelope.version) == (9, "1.2")


@pytest.mark.parametrize("changes", [{"number": 10}, {"body": '{"online":false,"connection":7}'}, {"mac": "0" * 64}])
def test_a_changed_message_bears_no_signature_of_the_table(changes: dict[str, Any]) -> None:
    assert not received(**changes).is_signed_with(KEY)


def test_a_message_cannot_stand_for_one_of_another_kind_or_table() -> None:
    entry = read_envelope("companion/tables/table-1/state", published())
    assert not entry.is_signed_with(KEY)
    with pytest.raises(InvalidDocument, match="table: is not the table of its topic"):
        read_envelope("companion/tables/table-2/presence", published())


@pytest.mark.parametrize("kind", TopicKind)
def test_a_topic_says_kind_and_table(kind: TopicKind) -> None:
    assert parse_topic(topic(kind, "table-1")) == (kind, "table-1")


@pytest.mark.parametrize(
    "text", ["companion/tables/a b/state", "companion/tables/a/other", "tabletop/a/state", "x" * 999]
)
def test_other_topics_are_refused(text: str) -> None:
    with pytest.raises(InvalidDocument, match="is no topic of a table or a hub"):
        parse_topic(text)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"\xff", "is not UTF-8"),
        (b"[]", "must be an object"),
        (published(mac="xyz"), "mac: must be 64 digits"),
        (published(number=0), "number: is 0"),
        (b'{"schema": 1, "number": 1, "body": "", "mac": ""}', "table: is missing"),
        (b" " * (MAXIMUM_PAYLOAD[TopicKind.PRESENCE] + 1), "has 16385 bytes; 16384 are allowed"),
    ],
    ids=("no text", "no object", "no signature", "no number", "no table", "too large"),
)
def test_what_is_no_envelope_is_refused_with_place_and_reason(payload: bytes, reason: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_envelope("companion/tables/table-1/presence", payload)
    assert reason in str(refused.value)
    assert str(refused.value).startswith("companion/tables/table-1/presence")


def test_what_is_too_large_is_not_sent() -> None:
    with pytest.raises(InvalidDocument, match="bytes; 16384 are allowed"):
        signed(KEY, TopicKind.PRESENCE, "table-1", 9, {"name": "x" * 20_000}).payload()


def test_a_newer_program_of_the_same_schema_is_understood_and_one_of_a_later_schema_named() -> None:
    newer = {**PRESENCE.document(), "battery": 80}
    envelope = signed(KEY, TopicKind.PRESENCE, "table-1", 9, newer, "9.0")
    assert read_presence(envelope.document()) == PRESENCE
    assert received(further="key").is_signed_with(KEY)
    with pytest.raises(OtherSchema, match=r"schema: is 2 \(version 9.0\); this program reads schema 1"):
        received(schema=2, version="9.0")


def test_an_older_program_leaves_out_what_it_does_not_know() -> None:
    envelope = signed(KEY, TopicKind.PRESENCE, "table-1", 9, {"online": True, "connection": 7}, "0.1")
    assert read_presence(envelope.document()) == Presence(online=True, connection=7)


def test_a_code_is_random_and_read_as_people_type_it() -> None:
    code = new_code()
    assert re.fullmatch(r"([A-Z2-7]{4}-){4}[A-Z2-7]{4}", code)
    assert new_code() != code
    assert parse_code(f" companion:{code.lower().replace('-', ' ')} ") == code
    assert parse_code("0188-ABCD-ABCD-ABCD-ABCD") == "OIBB-ABCD-ABCD-ABCD-ABCD"
    for wrong in ("", code[:-1], code + "A", code[:-1] + "!"):
        with pytest.raises(InvalidDocument, match="has 20 letters and digits"):
            parse_code(wrong)


def test_a_key_is_registered_by_who_knows_the_code_and_read_by_nobody_else() -> None:
    code, nonce = new_code(), new_nonce()
    sent = Registration(nonce, hidden(KEY, code, "table-1", nonce), "By the window")
    envelope = signed(code_key(code), TopicKind.REGISTER, "table-1", 3, sent.document())
    heard = read_envelope(envelope.topic, envelope.payload())
    assert KEY.hex() not in heard.payload().decode()
    assert code.replace("-", "") not in heard.payload().decode()
    assert heard.is_signed_with(code_key(code))
    assert not heard.is_signed_with(code_key(new_code()))
    registration = read_registration(heard.document())
    assert registration.key(code, "table-1") == KEY
    assert registration.key(new_code(), "table-1") != KEY
    assert registration.key(code, "table-2") != KEY


def test_the_same_key_is_hidden_otherwise_each_time() -> None:
    code = new_code()
    assert hidden(KEY, code, "table-1", new_nonce()) != hidden(KEY, code, "table-1", new_nonce())
