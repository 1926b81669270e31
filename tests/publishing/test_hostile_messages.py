"""Whatever arrives on the topics of tables and hubs is read or refused in a line; nothing else comes of it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InvalidDocument
from companion.publishing.envelope import read_envelope, signed
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import read_entry, read_hub_message, read_presence, read_registration
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.publishing.table_state import read_state
from companion.publishing.topics import TopicKind
from tests.session.evenings import eventful_session

HUB_TOPIC = "companion/hub/table-1"
SESSION = eventful_session()
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["eventful", "a b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NUMBERED = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(["eventful", "other"]),
        "number": st.integers(-2, 6000),
        "first": JSON,
        "last": JSON,
    },
)
SAID = st.fixed_dictionaries(
    {},
    optional={
        "acknowledged": st.lists(NUMBERED, max_size=3), "wanted": st.lists(NUMBERED, max_size=3), "registered": JSON,
        "refused": JSON, "assignment": JSON, "judge": JSON,
    },
)  # fmt: skip


@given(
    st.sampled_from([HUB_TOPIC, "companion/tables/table-1/state", "companion/tables/+/x", ""]), st.binary(max_size=200)
)
def test_bytes_are_an_envelope_or_refused(topic: str, payload: bytes) -> None:
    with suppress(InvalidDocument):
        read_envelope(topic, payload)


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(["schema", "version", "table", "number", "body", "mac"]), JSON))
def test_json_is_an_envelope_or_refused(document: dict[str, Any]) -> None:
    with suppress(InvalidDocument):
        read_envelope(HUB_TOPIC, json.dumps(document).encode())


@given(st.sampled_from([read_presence, read_registration, read_entry, read_state, read_hub_message]),
       st.dictionaries(st.sampled_from(["online", "connection", "games", "name", "game", "rules", "players", "pieces",
                                        "line", "number", "nonce", "key", "verdict"]), JSON))  # fmt: skip
def test_a_signed_body_is_read_or_refused(read: Any, document: dict[str, Any]) -> None:
    envelope = signed(
        b"k" * 32,
        TopicKind.HUB,
        "table-1",
        1,
        json.loads(json.dumps(document).replace("NaN", "0").replace("Infinity", "1")),
    )
    with suppress(InvalidDocument):
        read(envelope.document())


@settings(max_examples=40)
@given(st.lists(SAID, max_size=4))
def test_a_hub_gone_mad_makes_a_table_neither_fail_nor_forget(said: list[dict[str, Any]]) -> None:
    kept = KeptPublishing(None)
    table = PublishedTable("table-1", kept, {}.get)
    key = kept.identity("table-1").key
    kept.register("table-1")
    table.connect()
    table.show(PublishedNow(SESSION.log))
    for number, document in enumerate(said, 1):
        told = signed(key, TopicKind.HUB, "table-1", number, document)
        with suppress(InvalidDocument):
            table.receive(told.topic, told.payload(), 0.0)
        assert len(list(table.due(number * 100.0))) < 1000
    assert 0 <= table.status.behind <= len(SESSION.log.entries) + 1
    kept.close()
