"""Which buttons Home Assistant's MQTT discovery announces, and how to read them.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery. Without a client: configurations in, readers out. Where
an announced topic is that of a kind of device we have a record of, that record reads it, for it knows of counts and
copies, of which an announcement says nothing. A template is followed where it leads to one entry of the payload; what
cannot be followed is read as a guess, good for learning the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, decode_text, parse_json
from companion.wording.characters import is_plain_text
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.record_files import shipped_adapters
from firmware_bridge.adapters.records import (
    LONGEST_TOPIC,
    LONGEST_WORD,
    DeviceWord,
    Folding,
    Meaning,
    TopicReader,
)
from firmware_bridge.mqtt.home_assistant import ORIGIN
from firmware_bridge.protocol.messages import HIGHEST_NUMBER

ADAPTER = "homeassistant"
CONFIGURATIONS = ("homeassistant/+/+/config", "homeassistant/+/+/+/config")
LARGEST_CONFIGURATION = 4 * 1024 * 1024
MOST_COMPONENTS = 500
ZIGBEE2MQTT = "zigbee2mqtt"
ZIGBEE2MQTT_DEVICE = f"{ADAPTER}/{ZIGBEE2MQTT}_"
FIRST_PRESSES = (f"{ZIGBEE2MQTT}/+", f"{ZIGBEE2MQTT}/+/+")
"""Where a press is said that Zigbee2MQTT has not announced yet."""

_TOPIC = re.compile(r"homeassistant/(device|device_automation|event|binary_sensor|sensor)/(?:[^/]{1,64}/){1,2}config")
_QUOTED = r"(?:'[^'\]]{1,40}'|\"[^\"\]]{1,40}\")"
_ENTRY = rf"value_json((?:\.get\({_QUOTED}(?:,[^()]{{0,40}})?\)|\.\w{{1,40}}|\[(?:{_QUOTED}|\d{{1,3}})\]){{1,6}})"
_FILTERS = r"(?:\s*\|\s*(?:default\([^()]{0,40}\)|string|trim|lower|upper))*"
_TEMPLATE = re.compile(rf"\{{\{{-?\s*{_ENTRY}{_FILTERS}\s*-?\}}\}}")
_PLAIN = re.compile(r"\{\{-?\s*value(?:\s*\|\s*(?:string|trim|lower|upper))*\s*-?\}\}")
_ENTRIES = re.compile(_ENTRY)
_FOLDED = re.compile(r"\|\s*(lower|upper)\b")
_KEY = re.compile(r"\.get\(['\"]([^'\"]+)['\"][^)]*\)|\.(\w+)|\[['\"]([^'\"\]]+)['\"]\]|\[(\d+)\]")
_SHORT = {
    "atype": "automation_type", "dev": "device", "ids": "identifiers", "cns": "connections", "o": "origin",
    "cmps": "components", "p": "platform", "pl": "payload", "pl_on": "payload_on", "pl_off": "payload_off",
    "stat_t": "state_topic", "stype": "subtype", "t": "topic", "uniq_id": "unique_id", "val_tpl": "value_template",
    "evt_typ": "event_types", "dev_cla": "device_class", "avty_t": "availability_topic", "avty": "availability",
    "pl_avail": "payload_available", "pl_not_avail": "payload_not_available",
}  # fmt: skip
_MEANINGS = {
    Meaning.SINGLE: ("button_short_press", "press", "pressed", "single", "short", "click", "short_press",
                     "single_press", "single_click", "button_press", "single_push", "remote_button_short_press"),
    Meaning.DOUBLE: ("button_double_press", "double", "double_press", "double_click", "double_push",
                     "remote_button_double_press"),
    Meaning.LONG: ("button_long_press", "hold", "long", "long_press", "long_click", "long_push", "held",
                   "remote_button_long_press"),
    Meaning.END: ("button_short_release", "button_long_release", "release", "released", "short_release",
                  "long_release", "press_release", "hold_release", "remote_button_short_release",
                  "remote_button_long_release"),
    Meaning.BEGIN: ("initial_press",),
    Meaning.NOTHING: ("button_down", "button_up", "btn_down", "btn_up"),
}  # fmt: skip
_SHORT_RELEASES = frozenset({"button_short_release", "short_release", "remote_button_short_release"})
"""Ends of short presses alone; where nothing else of a button is announced that begins one, they are its presses."""
_BEGINNINGS = frozenset({Meaning.SINGLE, Meaning.BEGIN, Meaning.PRESS})
_TYPES = {word: meaning for meaning, words in _MEANINGS.items() for word in words}
_SUBTYPES = {
    "turn_on": 1, "turn_off": 2, "left": 1, "right": 2, "up": 1, "down": 2, "top": 1, "bottom": 2, "center": 3,
    "button": 1, "dim_up": 3, "dim_down": 4,
}  # fmt: skip
_GUESSES = (("action",), ("event_type",), ("event",), ("click",), ("button",), ("state",))
"""Entries that commonly hold the word."""


@dataclass(frozen=True, slots=True)
class Announced:
    """What one configuration announces; `mark` distinguishes its versions, `faults` are what does not hold in it."""

    mark: int
    devices: frozenset[str] = frozenset()
    readers: tuple[TopicReader, ...] = ()
    presence: tuple[PresenceReader, ...] = ()
    faults: tuple[str, ...] = ()
    short_releases: frozenset[TopicReader] = frozenset()
    """those of the readers that hear a button being let go after a short press"""


def readers_of(announcements: Iterable[Announced]) -> tuple[TopicReader, ...]:
    """The readers of all announcements. A button of which nothing is said but that it was let go after a short press is
    pressed by that.
    """
    announcements = tuple(announcements)
    readers = dict.fromkeys(reader for each in announcements for reader in each.readers)
    begun = {
        (reader.device, word.button) for reader in readers for word in reader.words if word.meaning in _BEGINNINGS
    }  # fmt: skip
    lone = {
        reader
        for each in announcements
        for reader in each.short_releases
        if not any((reader.device, word.button) in begun for word in reader.words)
    }
    return tuple(_pressed_by_release(reader) if reader in lone else reader for reader in readers)


def _pressed_by_release(reader: TopicReader) -> TopicReader:
    return replace(reader, words=tuple(replace(word, meaning=Meaning.SINGLE) for word in reader.words))


def is_configuration(topic: str) -> bool:
    """Whether a topic may announce a button."""
    return len(topic) <= LONGEST_TOPIC and bool(_TOPIC.fullmatch(topic))


def read_announcement(topic: str, payload: bytes, mark: int = 0) -> Announced:
    """The buttons in a configuration; none where it was withdrawn, is about something else or is our own.

    Raises InvalidDocument.
    """
    match = _TOPIC.fullmatch(topic)
    if match is None or not payload:
        return Announced(mark)
    if len(payload) > LARGEST_CONFIGURATION:
        raise InvalidDocument(topic, "", f"has a payload of {len(payload)} bytes; {LARGEST_CONFIGURATION} are read")
    table = _long_names(parse_json(decode_text(payload, topic), topic))
    if table.table("origin", optional=True).values.get("name") == ORIGIN:
        return Announced(mark)
    device = _device(table)
    components = [(topic.split("/")[-2], match[1], table)]
    faults: list[str] = []
    if match[1] == "device":
        entries = table.table("components")
        components = []
        for name in list(entries)[:MOST_COMPONENTS]:
            try:
                component = _long_names(entries.table(name))
                components.append((name, component.text("platform", "", 40), component))
            except InvalidDocument as error:
                faults.append(str(error))
    readers: dict[TopicReader, None] = {}
    presence: dict[PresenceReader, None] = {}
    devices: set[str] = set()
    short_releases: set[TopicReader] = set()
    for name, platform, component in components:
        if set(component.values) == {"platform"}:
            continue  # it was taken away
        try:
            found = list(_component(device, name, platform, component))
            found_presence = [one for reader in found for one in _presence_of(reader, table, component)]
        except InvalidDocument as error:
            faults.append(str(error))
            devices.add(device if platform == "device_automation" else f"{device}/{name}"[:100])
            continue
        readers.update(dict.fromkeys(found))
        if component.values.get("type") in _SHORT_RELEASES:
            short_releases.update(
                reader for reader in found if [word.meaning for word in reader.words] == [Meaning.END]
            )
        presence.update(dict.fromkeys(found_presence))
        devices |= {reader.device for reader in found}
    return Announced(
        mark, frozenset(devices), tuple(readers), tuple(presence), tuple(faults), frozenset(short_releases)
    )  # fmt: skip


def _component(device: str, name: str, platform: str, table: DocumentTable) -> Iterator[TopicReader]:
    """The readers of a component; those of a record where the topic is of a kind that one describes."""
    key, entity = "state_topic", f"{device}/{name}"[:100]
    if platform == "device_automation":
        if table.text("automation_type", "trigger", 40) != "trigger":
            return
        key, entity = "topic", device
    elif platform not in ("event", "binary_sensor", "sensor") or _is_no_button(platform, name, table):
        return
    topic = _topic(table, key)
    family = list(_family(topic, entity, device))
    if family:
        yield from family
        return
    path = _path(table)
    if path is None:
        yield from _guesses(topic, entity, table)
    elif platform == "device_automation":
        yield _trigger(entity, topic, table, path)
    elif platform == "binary_sensor":
        edges = (
            DeviceWord(_text(table, "payload_on", LONGEST_WORD, "ON"), 1, Meaning.PRESS),
            DeviceWord(_text(table, "payload_off", LONGEST_WORD, "OFF"), 1, Meaning.RELEASE),
        )
        yield TopicReader(ADAPTER, topic, path, edges, is_state=True, device=entity, folding=_folding(table))
    elif platform == "event":
        types = table.texts("event_types", longest=50)
        words = _words_of_types([word for word in types if word in _TYPES])
        path = path or ("event_type",)
        yield TopicReader(ADAPTER, topic, path, words, device=entity, folding=_folding(table))
    else:
        yield TopicReader(ADAPTER, topic, path, _zigbee2mqtt_words(), device=entity)


def _words_of_types(types: Sequence[str]) -> tuple[DeviceWord, ...]:
    """The words of an event that says its own type."""
    meanings = {word: _TYPES[word] for word in types}
    if not _BEGINNINGS.intersection(meanings.values()):
        meanings |= dict.fromkeys(_SHORT_RELEASES.intersection(types), Meaning.SINGLE)
    return tuple(DeviceWord(word, 1, meaning) for word, meaning in meanings.items())


def _is_no_button(platform: str, name: str, table: DocumentTable) -> bool:
    """Whether an entity is a detector or a meter: motion, a door, a temperature."""
    if platform == "sensor":
        return name not in ("action", "click") and not name.endswith("_action")
    return platform == "binary_sensor" and table.text("device_class", "", 40) != ""


def _family(topic: str, entity: str, device: str) -> Iterator[TopicReader]:
    """The readers of the record that knows this topic, for the announced device."""
    for adapter in shipped_adapters():
        is_zigbee2mqtt = adapter.id == ZIGBEE2MQTT and device.startswith(f"{ZIGBEE2MQTT}_")
        for reader in adapter.readers:
            if reader.named_only and not is_zigbee2mqtt:
                continue
            name = reader.device_in(topic)
            if name is None:
                continue
            name = name.removesuffix("/action") if is_zigbee2mqtt else name
            for other in adapter.readers:
                filled = other.topic_of(name)
                if filled is not None and other.named_only == reader.named_only:
                    yield replace(other, adapter=ADAPTER, topic=filled, device=entity, named_only=False)
            return


def _presence_of(reader: TopicReader, table: DocumentTable, component: DocumentTable) -> Iterator[PresenceReader]:
    """Where an announced device, or the bridge behind it, says that it is there."""
    for holder in (component, table):
        topics = [holder.text("availability_topic", "", LONGEST_TOPIC)]
        several = holder.values.get("availability")
        entries = [entry for entry in several if isinstance(entry, dict)] if isinstance(several, list) else []
        topics += [str(entry.get("topic", entry.get("t", ""))) for entry in entries]
        online = holder.text("payload_available", "", LONGEST_WORD)
        offline = holder.text("payload_not_available", "", LONGEST_WORD)
        for topic in filter(None, topics):
            if not set(topic) & set("+#{}~") and is_plain_text(topic):
                yield PresenceReader(
                    ADAPTER,
                    topic,
                    Scope.NODE,
                    5.0 if topic.endswith("/bridge/state") else 0.0,
                    (online,) if online else (),
                    (offline,) if offline else (),
                    reader.device,
                )
    if reader.topic.startswith(f"{ZIGBEE2MQTT}/"):
        yield PresenceReader(ADAPTER, f"{ZIGBEE2MQTT}/bridge/state", Scope.NODE, 5.0, device=reader.device)


def _trigger(device: str, topic: str, table: DocumentTable, path: tuple[str, ...]) -> TopicReader:
    kind, subtype = _text(table, "type", 60).lower(), _text(table, "subtype", 60).lower()
    said = _text(table, "payload", LONGEST_WORD, "")
    meaning, button = _TYPES.get(kind), _SUBTYPES.get(subtype, 0)
    if number := re.fullmatch(r"(?:button[_ ]?)?(\d{1,2})", subtype, re.ASCII):
        button = int(number[1])
    words: tuple[DeviceWord, ...] = ()
    if meaning is not None and 1 <= button <= HIGHEST_NUMBER:
        words = (DeviceWord(said, button, meaning),)
    elif kind == "action" and said != subtype and subtype in _TYPES:
        words = (DeviceWord(said, 1, _TYPES[subtype]),)
    elif kind == "action":
        words = _zigbee2mqtt_words()
    is_generic = said.lower() in _GENERIC
    return TopicReader(ADAPTER, topic, path, words, device=device, is_generic=is_generic, folding=_folding(table))


_GENERIC = frozenset({"", "press", "pressed", "on", "1", "true"})
"""Payloads that say nothing by themselves: which button and gesture is meant, only the topic says."""


def _guesses(topic: str, device: str, table: DocumentTable) -> Iterator[TopicReader]:
    """Where the word may be when the template cannot be followed."""
    entries = {_keys(found) for found in _ENTRIES.findall(table.text("value_template", "", 4000))}
    words = _zigbee2mqtt_words() if ("action",) in entries else ()
    for path in [*sorted(entries), *(path for path in _GUESSES if path not in entries)]:
        yield TopicReader(ADAPTER, topic, path, words, device=device, is_guess=True)
    yield TopicReader(ADAPTER, topic, (), (), device=device, is_guess=True)


def _zigbee2mqtt_words() -> tuple[DeviceWord, ...]:
    return next(adapter.readers[0].words for adapter in shipped_adapters() if adapter.id == ZIGBEE2MQTT)


def _text(table: DocumentTable, key: str, longest: int, default: str | None = None) -> str:
    """A text, which some write as a number."""
    value = table.values.get(key)
    return str(value) if type(value) is int else table.text(key, default, longest)


def _folding(table: DocumentTable) -> Folding:
    """What the template does to the word at last."""
    found = _FOLDED.findall(table.text("value_template", "", 4000))
    return Folding(found[-1]) if found else Folding.NONE


def _topic(table: DocumentTable, key: str) -> str:
    topic = table.text(key, longest=LONGEST_TOPIC)
    base = table.text("~", "", LONGEST_TOPIC)
    topic = topic.replace("~", base, 1) if base and (topic.startswith("~") or topic.endswith("~")) else topic
    if not topic or set(topic) & set("+#{}") or not is_plain_text(topic):
        raise table.invalid(key, "is no topic that can be listened to")
    return topic


def _path(table: DocumentTable) -> tuple[str, ...] | None:
    """The keys that the template leads to; None for a template that does more than that."""
    template = table.text("value_template", "", 4000).strip()
    if not template or _PLAIN.fullmatch(template):
        return ()
    match = _TEMPLATE.fullmatch(template)
    return None if match is None else _keys(match[1])


def _keys(entry: str) -> tuple[str, ...]:
    return tuple("".join(found) for found in _KEY.findall(entry))


def _device(table: DocumentTable) -> str:
    device = _long_names(table.table("device", optional=True))
    names = device.values.get("identifiers")
    name = names[0] if isinstance(names, list) and names else names
    connections = device.values.get("connections")
    if name is None and isinstance(connections, list) and connections and isinstance(connections[0], list):
        name = connections[0][-1] if connections[0] else None
    return re.sub(r"[^\w .:-]", "_", str(name))[:64] if isinstance(name, str | int) else "unnamed"


def _long_names(table: DocumentTable) -> DocumentTable:
    return DocumentTable(
        {_SHORT.get(key, key): value for key, value in table.values.items()}, table.source, table.entry
    )
