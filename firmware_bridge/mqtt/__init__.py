"""Boxes on an MQTT broker: topics, connection, the broker itself, and how Home Assistant sees them."""
