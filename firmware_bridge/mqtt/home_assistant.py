"""What our own boxes are to Home Assistant: its MQTT discovery shows each button as an event and as a trigger.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery. Which other buttons it knows of: announced_buttons.py.
"""

from __future__ import annotations

import json
from typing import Any

from firmware_bridge.mqtt.codec import PREFIX, Publication
from firmware_bridge.protocol.messages import Hello

ORIGIN = "roman-table-companion"


def announcement(box: str, hello: Hello) -> Publication:
    """What lets Home Assistant show a box of ours: an event and a trigger for each button, retained."""
    components: dict[str, Any] = {}
    for button in range(1, hello.buttons + 1):
        topic = f"{PREFIX}/{box}/event/button_{button}"
        components[f"button_{button}"] = {
            "p": "event",
            "unique_id": f"{PREFIX}_{box}_button_{button}",
            "name": f"Button {button}",
            "device_class": "button",
            "event_types": ["press", "release"],
            "state_topic": topic,
        }
        components[f"trigger_{button}"] = {
            "p": "device_automation",
            "automation_type": "trigger",
            "type": "button_short_press",
            "subtype": f"button_{button}",
            "topic": topic,
            "value_template": "{{ value_json.event_type }}",
            "payload": "press",
        }
    configuration = {
        "device": {
            "identifiers": [f"{PREFIX}_{box}"],
            "name": f"Button box {box}",
            "sw_version": f"{hello.firmware >> 8}.{hello.firmware & 0xFF}",
        },
        "origin": {"name": ORIGIN},
        "availability_topic": f"{PREFIX}/{box}/state",
        "components": components,
        "qos": 1,
    }
    payload = json.dumps(configuration, separators=(",", ":")).encode()
    return Publication(f"homeassistant/device/{PREFIX}_{box}/config", payload, retain=True)
