"""The messages as topics and JSON on a broker, and the Wi-Fi on the way to it."""

import binascii
import json
import time

from box import CONTENT, TYPE
from mqtt_client import CLOSED, READY, MqttClient

LARGEST_PAYLOAD = 512
FIRST_RETRY_MS, LAST_RETRY_MS = 250, 2000
WIFI_PATIENCE_MS = 15000
PROBLEMS = (None, "version", "type", "content", "refused")


def whole(table: dict, key: str, highest: int) -> int:
    """A number from 0 in a JSON object; ValueError for anything else."""
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
        raise ValueError(key)
    return value


def boot_of(table: dict) -> int:
    """The start of a box, written as 4 hexadecimal digits."""
    digits = table.get("boot")
    if not isinstance(digits, str) or len(digits) != 4:
        raise ValueError("boot")
    return int(digits, 16)


class MqttWire:
    """A box by its name on a broker. Its Wi-Fi and its broker may come and go."""

    retry_ms = 500

    def __init__(self, settings: dict) -> None:
        self.prefix = f"tabletop/{settings['box']}/"
        self.wifi = Wifi(settings["wifi"]) if "wifi" in settings else None
        topics = tuple(self.prefix + topic for topic in ("ack", "cmd/+", "cmd/led/+"))
        self.client = MqttClient(settings["broker"], f"box-{settings['box']}", self.prefix + "state", topics)
        self.try_at, self.pause_ms = time.ticks_ms(), FIRST_RETRY_MS
        self.was_ready = False

    def is_new(self) -> bool:
        """Whether a connection has just been made, on which the box has to introduce itself."""
        is_ready = self.client.state == READY
        is_new = is_ready and not self.was_ready
        self.was_ready = is_ready
        if is_new:
            self.pause_ms = FIRST_RETRY_MS
            self.client.publish(self.prefix + "state", b"online", 1, True)
        return is_new

    def wait(self, milliseconds: int) -> None:
        """Rest until something comes, at most so long."""
        if self.client.state == READY:
            self.client.poll.poll(milliseconds)
        else:
            time.sleep_ms(milliseconds)

    def receive(self) -> list:
        """What the host has said to this box; connects first where there is no connection."""
        now = time.ticks_ms()
        if self.client.state == CLOSED and time.ticks_diff(now, self.try_at) >= 0:
            self.try_at = time.ticks_add(now, self.pause_ms)
            self.pause_ms = min(2 * self.pause_ms, LAST_RETRY_MS)
            if self.wifi is None or self.wifi.is_connected(now):
                self.client.open(now)
        heard = [self.message(*publication) for publication in self.client.serve(now)]
        return [message for message in heard if message is not None]

    def send(self, name: str, seq: int, values: tuple) -> bool:
        """Publish a message; false if it cannot be sent now."""
        qos = 1
        if name == "hello":
            keys = ("firmware", "buttons", "leds", "capabilities", "reset_cause", "boot", "oldest", "uptime_ms", "uid")
            table = dict(zip(keys, values[2:]))
            table["protocol"] = values[:2]
            table["uid"] = binascii.hexlify(values[-1]).decode()
            topic = "hello"
        elif name == "beat":
            keys = ("boot", "uptime_ms", "pressed", "lit", "oldest", "pending", "overruns")
            table, topic, qos = dict(zip(keys, values)), "beat", 0
        elif name == "button":
            boot, oldest, button, pressed, t_ms = values
            table = {"event_type": "press" if pressed else "release", "seq": seq, "boot": boot, "oldest": oldest}
            table["t_ms"] = t_ms
            topic = f"event/button_{button}"
        else:
            table, topic = {"seq": seq, "boot": values[0]}, "result"
            if name == "nak":
                table["problem"] = PROBLEMS[values[1]]
        table["boot"] = f"{table['boot']:04x}"
        return self.client.publish(self.prefix + topic, json.dumps(table).encode(), qos)

    def message(self, topic: bytes, payload: bytes, retained: bool):
        """What a publication says: (name, seq, values), ("foreign", seq, (problem,)), or None for nothing."""
        if retained or len(payload) > LARGEST_PAYLOAD:
            return None
        rest = topic[len(self.prefix) :].decode()
        try:
            table = json.loads(payload)
            seq = whole(table, "seq", 0xFFFF) if isinstance(table, dict) and "seq" in table else 0
        except (ValueError, TypeError):
            return None
        if not isinstance(table, dict):
            return None
        try:
            return self.understood(rest, seq, table)
        except (ValueError, TypeError):
            return None if rest == "ack" else ("foreign", seq, (CONTENT,))

    def understood(self, topic: str, seq: int, table: dict) -> tuple:
        """A message that holds; ValueError for another."""
        if topic == "ack":
            return "ack", seq, (boot_of(table),)
        if topic == "cmd/hello":
            oldest, newest = table.get("protocol")
            return "host hello", seq, (oldest, newest, whole(table, "session", 0xFFFF))
        if topic == "cmd/beat":
            return "host beat", seq, ()
        if topic == "cmd/buzzer":
            return "buzz", seq, (whole(table, "hertz", 0xFFFF), whole(table, "ms", 0xFFFF))
        if topic.startswith("cmd/led/"):
            if not isinstance(table.get("on"), bool):
                raise ValueError("on")
            return "led", seq, (int(topic[8:]), int(table["on"]))
        return "foreign", seq, (TYPE,)


class Wifi:
    """The board's Wi-Fi, joined again whenever it is lost."""

    def __init__(self, settings: dict) -> None:
        import network

        self.settings = settings
        self.station = network.WLAN(network.STA_IF)
        self.station.active(True)
        if hasattr(self.station, "PM_NONE"):
            self.station.config(pm=self.station.PM_NONE)  # asleep, a station hears a tenth of a second late
        self.joined_at = None

    def is_connected(self, now: int) -> bool:
        """Whether there is a network; asks for it if not."""
        if self.station.isconnected():
            return True
        if self.joined_at is None or time.ticks_diff(now, self.joined_at) > WIFI_PATIENCE_MS:
            self.joined_at = now
            self.station.connect(self.settings["name"], self.settings["password"])
        return False
