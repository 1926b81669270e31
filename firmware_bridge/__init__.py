"""Button boxes over serial and MQTT: bytes to intents."""
