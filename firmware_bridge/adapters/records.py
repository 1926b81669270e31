"""Buttons that others made, described by records: on which topics they speak, where the word is and what it means.

Nothing here knows an MQTT client or a clock: a topic and a payload go in, signals come out. The records themselves are
TOML files (`record_files.py`); `serving/button_device.py` decides which signals are presses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from companion.errors import InvalidDocument
from companion.files.documents import decode_text, parse_json
from firmware_bridge.adapters.payloads import BUTTON, MOST_EVENTS, at_path, found_at, json_value, whole_number
from firmware_bridge.protocol.addresses import DEVICE_LOCATION
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import HIGHEST_NUMBER

LONGEST_TOPIC = 256
LONGEST_WORD = 64
LARGEST_PAYLOAD = 65_536
"""Bytes of a message about a press: Zigbee2MQTT adds the release notes of an update, which are several thousand."""
MOST_LEVELS = 3
"""Levels that a device's name may have where devices are not known by name yet."""

ANY = "{any}"
PLACEHOLDER = re.compile(r"\{([a-z]+\+?)\}")


class Meaning(StrEnum):
    """What a word says of a button."""

    PRESS = "press"
    """it went down; gestures are recognised from the times of the edges"""
    RELEASE = "release"
    """it went up"""
    SINGLE = "single"
    DOUBLE = "double"
    LONG = "long"
    BEGIN = "begin"
    """it went down and further words follow; a single press where none does"""
    END = "end"
    """it was let go: the end of what a `begin` or a `long` began"""
    CONTACT = "contact"
    """it moved: no press by itself, but it proves that the event which follows is new"""
    NOTHING = "nothing"
    """never a press: rotation, presence, an empty word"""

    @property
    def gesture(self) -> Gesture | None:
        """The gesture that the device itself recognised, None where the word is none."""
        return Gesture(self.value) if self in (Meaning.SINGLE, Meaning.DOUBLE, Meaning.LONG) else None


class Repetition(StrEnum):
    """How a device repeats itself without being pressed."""

    NONE = "none"
    STATE = "state"
    """it repeats its last event for ever, with the same count: the first count heard may be an old press"""
    BEACON = "beacon"
    """it sends each press several times while or after the key is held, some with a new count each time"""


class Folding(StrEnum):
    """What is done to a word before it is compared."""

    NONE = "none"
    LOWER = "lower"
    UPPER = "upper"

    def of(self, word: str) -> str:
        """A word so folded."""
        return word if self is Folding.NONE else word.lower() if self is Folding.LOWER else word.upper()


@dataclass(frozen=True, slots=True)
class DeviceWord:
    """A word that a device says and what it means.

    `pattern` may hold `{button}`, a number, and `{key}`, one of the reader's names of keys; a `*` at its end is any
    text. An empty pattern is every word. `button` is 0 where word, topic or payload give the number. With `needs` the
    word means this only on a device that is known to say one of these other words, or to be one of these models.
    """

    pattern: str
    button: int
    meaning: Meaning
    needs: tuple[str, ...] = ()

    def button_in(self, said: str, keys: tuple[tuple[str, int], ...] = ()) -> int | None:
        """The button that a word is about, 0 if the word does not say; None if `said` is another word."""
        if "{" not in self.pattern and not self.pattern.endswith("*"):
            return self.button if said == self.pattern or not self.pattern else None
        match = _word_expression(self.pattern, tuple(name for name, _ in keys)).fullmatch(said)
        if match is None:
            return None
        found = match.groupdict()
        if "button" in found:
            return int(found["button"]) or None
        return dict(keys)[found["key"]] if "key" in found else self.button


@lru_cache(maxsize=2048)
def _word_expression(pattern: str, keys: tuple[str, ...]) -> re.Pattern[str]:
    expression = re.escape(pattern.removesuffix("*"))
    expression = expression.replace(re.escape(BUTTON), r"(?P<button>\d{1,2})")
    expression = expression.replace(re.escape("{key}"), f"(?P<key>{'|'.join(map(re.escape, keys)) or '(?!)'})")
    return re.compile(expression + (".*" if pattern.endswith("*") else ""), re.ASCII)


@dataclass(frozen=True, slots=True)
class ButtonSignal:
    """A device said a word.

    `location` names the device as a box address does (`adapter/device`). `button` is 0 and `meaning` None for a word
    that no record knows. `alternatives` are further meanings, each with the words or models it needs, first match
    first. `count` is the device's own number of the event, `stamp` its own time of it, `battery` percent; None where
    the device does not give them. With `is_state` the word is a state: only its changes count.
    """

    location: str
    word: str
    button: int
    meaning: Meaning | None
    is_state: bool = False
    count: int | None = None
    battery: int | None = None
    stamp: str | None = None
    repetition: Repetition = Repetition.NONE
    alternatives: tuple[tuple[tuple[str, ...], int, Meaning], ...] = ()
    channel: int = field(default=0, compare=False)
    """the button that topic or payload name, also for a word that no record knows"""
    place: int = field(default=0, compare=False)
    """where in its message it stands, in a list of events"""
    name: str = ""
    """a name by which an unknown word that says nothing by itself is known as well"""


@dataclass(frozen=True)
class TopicReader:
    """How to read one kind of topic.

    Levels of `topic` in braces are the device's name (`{name}` one level, `{name+}` one or more), `{button}` a
    button's number, `{any}` a level of no interest. `path` are the keys that lead to the word in a JSON payload, none
    where the payload is the word; a `*` among them is any key. With `list_path` the payload holds a list of events,
    each read by itself, and the other paths begin at an event. `where` are entries that must match, `requires` keys
    of the payload that must be there, `unless` such as must not say anything. `device` is set where the topic does
    not give the device's name. With `named_only` the topic is read only for devices whose name is known. A name whose
    first level is one of `not_devices` is none.
    """

    adapter: str
    topic: str
    path: tuple[str, ...]
    words: tuple[DeviceWord, ...]
    button_path: tuple[str, ...] = ()
    count_path: tuple[str, ...] = ()
    stamp_path: tuple[str, ...] = ()
    battery_path: tuple[str, ...] = ()
    list_path: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    requires: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    keys: tuple[tuple[str, int], ...] = ()
    first_button: int = 1
    is_state: bool = False
    repetition: Repetition = Repetition.NONE
    named_only: bool = False
    not_devices: tuple[str, ...] = ()
    device: str = ""
    folding: Folding = Folding.NONE
    is_generic: bool = False
    """whether the word says nothing by itself, so that one no record knows is called by the end of the topic too"""
    is_guess: bool = False
    """whether nothing says that the words are there: good for learning a button, not for calling it understood"""

    @property
    def subscriptions(self) -> list[str]:
        """The topic filters of all devices."""
        if self.named_only:
            return []
        levels = self.topic.split("/")
        many = [index for index, level in enumerate(levels) if level.endswith("+}")]
        if many and many[0] == len(levels) - 1:
            return ["/".join([*("+" if "{" in level else level for level in levels[:-1]), "#"])]
        plain = ["+" if "{" in level else level for level in levels]
        if not many:
            return ["/".join(plain)]
        at = many[0]
        return ["/".join(plain[:at] + ["+"] * count + plain[at + 1 :]) for count in range(1, MOST_LEVELS + 1)]

    def subscription_of(self, location: str) -> str | None:
        """The topic filter of one device, None for a device that this reader does not know."""
        adapter, _, device = location.partition("/")
        if adapter != self.adapter:
            return None
        if self.device:
            return as_filter(self.topic) if device == self.device else None
        topic = self.topic_of(device)
        return None if topic is None else as_filter(topic)

    def topic_of(self, device: str) -> str | None:
        """The topic with the names of a device filled in; None for a device that has too many or too few levels."""
        names = device.split("/")
        levels = self.topic.split("/")
        named = [level for level in levels if PLACEHOLDER.fullmatch(level) and level not in (BUTTON, ANY)]
        spare = len(names) - len(named)
        if spare < 0 or names[0] in self.not_devices or (spare and not any(one.endswith("+}") for one in named)):
            return None
        filled: list[str] = []
        for level in levels:
            if level in named:
                take = 1 + spare if level.endswith("+}") else 1
                filled += names[:take]
                names = names[take:]
            else:
                filled.append(level)
        return "/".join(filled)

    def device_in(self, topic: str) -> str | None:
        """The device whose topic this is, None for a topic of another kind."""
        matched = self._match(topic)
        return None if matched is None else matched[0]

    def read(self, topic: str, payload: bytes) -> list[ButtonSignal]:
        """What a publication on a topic of this kind says; nothing where it says no word.

        Raises InvalidDocument for a payload that is too large or no text.
        """
        matched = self._match(topic)
        if matched is None:
            return []
        if len(payload) > LARGEST_PAYLOAD:
            raise InvalidDocument(topic[:120], "", f"has a payload of {len(payload)} bytes; {LARGEST_PAYLOAD} are read")
        device, button = matched
        location = f"{self.adapter}/{device}"
        if not DEVICE_LOCATION.fullmatch(location):
            return []
        text = decode_text(payload, topic[:120])
        if not self.path and not self.list_path:
            return self._signals(location, button, text.strip(), {})
        values = self._values(text, topic)
        if any(key not in values for key in self.requires) or any(values.get(key) for key in self.unless):
            return []
        found: list[ButtonSignal] = []
        for place, event, numbered in self._events(values):
            for word, number in found_at(event, self.path):
                if isinstance(word, str | bool | int):
                    said = word if isinstance(word, str) else json.dumps(word)
                    known = next((one for one in (numbered, number, button) if one is not None), None)
                    read = self._signals(location, known, said.strip(), event)
                    found += [replace(signal, place=place) for signal in read] if place else read
        battery = self._battery(values)
        return [replace(signal, battery=battery) for signal in found] if battery is not None else found

    def _values(self, text: str, topic: str) -> Mapping[str, Any]:
        """The entries of a JSON payload, those of a list by their places where the path begins with one."""
        if text.lstrip().startswith("["):
            entries = json_value(text) if self.path and self.path[0].isdecimal() else None
            return {str(place): entry for place, entry in enumerate(entries or ())}
        return parse_json(text, topic[:120]).values if text.lstrip().startswith("{") else {}

    def battery_of(self, topic: str, payload: bytes) -> tuple[str, int] | None:
        """The device and the percent left in its battery, where a publication of this kind says so without a word."""
        matched = self._match(topic)
        if matched is None or not self.battery_path or len(payload) > LARGEST_PAYLOAD:
            return None
        value = json_value(payload)
        values = value if isinstance(value, dict) else {"value": value}
        battery = self._battery(values)
        return None if battery is None else (f"{self.adapter}/{matched[0]}", battery)

    def _events(self, values: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any], int | None]]:
        """The events of a payload, each with its place and the button that an entry of it gives."""
        events = at_path(values, self.list_path) if self.list_path else [values]
        for place, event in enumerate(events[:MOST_EVENTS] if isinstance(events, list) else ()):
            if not isinstance(event, Mapping):
                continue
            matches = [
                re.fullmatch(topic_expression(pattern), str(event.get(key, "")), re.ASCII)
                for key, pattern in self.where
            ]
            if all(matches):
                numbers = [int(match["button"]) for match in matches if match and "button" in match.groupdict()]
                at = whole_number(at_path(event, self.button_path))
                yield place, event, at if at is not None else numbers[0] if numbers else None

    def _signals(self, location: str, number: int | None, said: str, event: Mapping[str, Any]) -> list[ButtonSignal]:
        # Without a path there is the whole event, which is neither a number nor a time.
        count, stamp = whole_number(at_path(event, self.count_path)), at_path(event, self.stamp_path)
        said = self.folding.of(said)
        if any(not word.pattern for word in self.words):
            said = said[:LONGEST_WORD] if said.isprintable() else "message"
        sources = [str(event.get(key, ""))[:32] for key, _ in self.where]
        signal = ButtonSignal(
            location,
            said,
            0,
            None,
            self.is_state,
            count,
            stamp=None if stamp is None or isinstance(stamp, dict | list) else " ".join([*sources, str(stamp)[:64]]),
            repetition=self.repetition,
            name=self.topic.rsplit("/", 1)[-1][:LONGEST_WORD] if self.is_generic else "",
        )
        button = 1 if number is None else number - self.first_button + 1
        if number is not None and 1 <= button <= HIGHEST_NUMBER:
            signal = replace(signal, channel=button)
        if not said:
            # An empty word is no press, but it may carry a count that has begun again.
            empty = replace(signal, button=button, meaning=Meaning.NOTHING)
            return [empty] if count is not None and 1 <= button <= HIGHEST_NUMBER else []
        if len(said) > LONGEST_WORD or not said.isprintable():
            return []
        meanings = []
        for word in self.words:
            meant = word.button_in(said, self.keys)
            if meant is not None and 1 <= (meant or button) <= HIGHEST_NUMBER:
                meanings.append((word.needs, meant or button, word.meaning))
                if not word.needs:
                    break
        if not meanings:
            return [signal]
        if len(meanings) > 1 or meanings[0][0]:
            signal = replace(signal, alternatives=tuple(meanings))
        needs, button, meaning = meanings[-1]
        return [signal] if needs else [replace(signal, button=button, meaning=meaning)]

    def _battery(self, values: Mapping[str, Any]) -> int | None:
        left: object = at_path(values, self.battery_path)
        if isinstance(left, bool) or not isinstance(left, int | float) or not 0 <= left <= 100:
            return None
        return round(left)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile(topic_expression(self.topic), re.ASCII | re.DOTALL)

    def _match(self, topic: str) -> tuple[str, int | None] | None:
        """The device and the number in a topic, None for a topic of another kind."""
        if len(topic) > LONGEST_TOPIC:
            return None
        match = self._expression.fullmatch(topic)
        if match is None:
            return None
        groups = match.groupdict()
        number = groups.pop("button", None)
        device = self.device or "/".join(groups.values())
        if device.partition("/")[0] in self.not_devices:
            return None
        return device, None if number is None else int(number)


@lru_cache(maxsize=4096)
def topic_expression(pattern: str) -> str:
    """A topic with placeholders as a regular expression; names become groups, in their order."""
    parts: list[str] = []
    end = 0
    for placeholder in PLACEHOLDER.finditer(pattern):
        parts.append(re.escape(pattern[end : placeholder.start()]))
        name = placeholder[1]
        if name == "button":
            parts.append(r"(?P<button>\d{1,3})")
        elif name == "any":
            parts.append("[^/]+")
        elif name.endswith("+"):
            parts.append(f"(?P<{name[:-1]}>[^/]+(?:/[^/]+)*)")
        else:
            parts.append(f"(?P<{name}>[^/]+)")
        end = placeholder.end()
    return "".join((*parts, re.escape(pattern[end:])))


def as_filter(topic: str) -> str:
    """A topic with placeholders as an MQTT filter."""
    return "/".join("+" if "{" in level else level for level in topic.split("/"))
