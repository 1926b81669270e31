"""What a table tells on a broker and what a hub answers: topics, signed envelopes and what is in them.

docs/formats/hub.md describes all of it. Nothing here opens a connection; `firmware_bridge.publishing` does.
"""
