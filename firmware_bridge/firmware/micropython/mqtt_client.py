"""As much of an MQTT 3.1.1 client as a box needs. It never waits: buttons are read while a connection is being made.

Times are those of `time.ticks_ms`. Bounded: a packet from the broker of more than `LARGEST` bytes is skipped, and what
cannot be sent is refused.
"""

import errno
import select
import socket
import struct
import time

LARGEST = 1024
MOST_WAITING = 2048
KEEP_ALIVE_S = 5
CONNECT_MS, PING_MS, DEAD_MS = 8000, 2000, 6000
LARGEST_WRITE = 512

CONNACK, PUBLISH, SUBACK, PINGRESP = 0x20, 0x30, 0x90, 0xD0
CLOSED, CONNECTING, GREETING, SUBSCRIBING, READY = 0, 1, 2, 3, 4


def text(value: str) -> bytes:
    """A string as MQTT writes it."""
    data = value.encode()
    return struct.pack(">H", len(data)) + data


def packet(first: int, body: bytes) -> bytes:
    """A control packet."""
    length, size = len(body), bytearray()
    while True:
        size.append(length & 127 | (128 if length > 127 else 0))
        length >>= 7
        if not length:
            return bytes([first]) + bytes(size) + body


class MqttClient:
    """A connection to a broker; `state` is READY when messages can be published and heard."""

    def __init__(self, broker: dict, client_id: str, will_topic: str, subscriptions: tuple) -> None:
        self.broker, self.client_id, self.will_topic = broker, client_id, will_topic
        self.subscriptions = subscriptions
        self.state = CLOSED
        self.socket = self.stream = None
        self.poll = select.poll()
        self.reset(0)

    def reset(self, now: int) -> None:
        """Forget what was half sent and half heard."""
        self.outgoing, self.incoming = bytearray(), bytearray()
        self.writing = b""
        self.to_skip = 0
        self.last_id = 0
        self.since = self.heard_at = self.pinged_at = now

    def open(self, now: int) -> None:
        """Begin to connect; a failure shows as CLOSED."""
        self.reset(now)
        try:
            port = self.broker.get("port", 8883 if "ca" in self.broker else 1883)
            address = socket.getaddrinfo(self.broker["host"], port, 0, socket.SOCK_STREAM)[0][-1]
            self.socket = socket.socket()
            self.socket.setblocking(False)
            self.send_at_once()
            self.poll.register(self.socket, select.POLLIN | select.POLLOUT)
            self.state = CONNECTING
            self.socket.connect(address)
        except OSError as error:
            if self.socket is None or error.errno != errno.EINPROGRESS:
                self.close()

    def send_at_once(self) -> None:
        """Without this the second of two small packets may wait 40 ms for the other side's acknowledgement."""
        try:
            self.socket.setsockopt(6, 1, 1)  # IPPROTO_TCP, TCP_NODELAY
        except OSError:
            return  # older boards do not have it, and are only slower

    def close(self) -> None:
        """Drop the connection without a goodbye: the broker then publishes the last will."""
        if self.socket is not None:
            self.poll.unregister(self.socket)
            (self.stream or self.socket).close()
        self.socket = self.stream = None
        self.state = CLOSED

    def encrypted(self, plain):
        """The socket in TLS; the broker's certificate must be signed by the authority in the file `ca`."""
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.verify_mode = ssl.CERT_REQUIRED
        with open(self.broker["ca"], "rb") as file:
            context.load_verify_locations(cadata=file.read())
        return context.wrap_socket(plain, server_hostname=self.broker["host"], do_handshake_on_connect=False)

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool = False) -> bool:
        """Hand a message over; false if it cannot be sent now. Nobody waits for the broker's word on it."""
        if self.state != READY:
            return False
        identifier = b""
        if qos:
            self.last_id = self.last_id % 65535 + 1
            identifier = struct.pack(">H", self.last_id)
        data = packet(PUBLISH | qos << 1 | retain, text(topic) + identifier + payload)
        if len(self.outgoing) + len(data) > MOST_WAITING:
            return False
        self.outgoing.extend(data)
        self.flush()
        return True

    def serve(self, now: int) -> list:
        """Move bytes both ways; gives the messages (topic, payload, is retained) that have come."""
        if self.socket is None:
            return []
        events = 0
        for _, event in self.poll.poll(0):
            events |= event
        if self.state == CONNECTING and events & (select.POLLOUT | select.POLLERR | select.POLLHUP):
            self.state, self.since = GREETING, now
            self.poll.modify(self.socket, select.POLLIN)
            self.stream = self.encrypted(self.socket) if "ca" in self.broker else self.socket
            self.outgoing.extend(self.greeting())
        messages = []
        if self.state != CONNECTING:
            if self.stream is not self.socket or events & (select.POLLIN | select.POLLERR | select.POLLHUP):
                messages = self.hear(now)
            self.flush()
        self.watch(now)
        return messages

    def watch(self, now: int) -> None:
        """Ask whether the broker is still there, and give it up if it does not answer."""
        if self.state in (CONNECTING, GREETING, SUBSCRIBING):
            if time.ticks_diff(now, self.since) > CONNECT_MS:
                self.close()
        elif self.state == READY:
            silence = time.ticks_diff(now, self.heard_at)
            if silence > DEAD_MS:
                self.close()
            elif silence > PING_MS and time.ticks_diff(now, self.pinged_at) > PING_MS:
                self.pinged_at = now
                self.outgoing.extend(packet(0xC0, b""))

    def greeting(self) -> bytes:
        """The first packet, with the last will: a retained `offline`."""
        flags, ends = 0x2E, text(self.client_id) + text(self.will_topic) + text("offline")
        if "user" in self.broker:
            flags |= 0xC0
            ends += text(self.broker["user"]) + text(self.broker.get("password", ""))
        return packet(0x10, text("MQTT") + struct.pack(">BBH", 4, flags, KEEP_ALIVE_S) + ends)

    def flush(self) -> None:
        """Send as much as the socket takes."""
        if not self.outgoing or self.stream is None:
            return
        # What encryption has not taken it wants to be given again, and no longer than it was.
        self.writing = self.writing or bytes(self.outgoing[:LARGEST_WRITE])
        try:
            sent = self.stream.write(self.writing)
        except OSError:
            self.close()
            return
        if sent is not None:
            self.outgoing = self.outgoing[sent:]
            self.writing = b""

    def hear(self, now: int) -> list:
        """Read what has come."""
        try:
            data = self.stream.read(LARGEST)
        except OSError:
            self.close()
            return []
        if data is None:
            return []
        if not data:
            self.close()
            return []
        self.heard_at = now
        skipped = min(self.to_skip, len(data))
        self.to_skip -= skipped
        self.incoming.extend(data[skipped:])
        messages = []
        while self.socket is not None and self.take_packet(messages, now):
            pass
        return messages

    def take_packet(self, messages: list, now: int) -> bool:
        """Take one packet out of what has come; false if there is no whole one."""
        length = shift = 0
        at = 1
        while True:
            if at >= len(self.incoming):
                return False
            byte = self.incoming[at]
            length |= (byte & 127) << shift
            at += 1
            shift += 7
            if byte < 128:
                break
            if at > 4:
                self.close()
                return False
        if length > LARGEST:
            self.to_skip = max(0, at + length - len(self.incoming))
            self.incoming = self.incoming[at + length :]
            return True
        if len(self.incoming) < at + length:
            return False
        first, body = self.incoming[0], bytes(self.incoming[at : at + length])
        self.incoming = self.incoming[at + length :]
        self.obey(first, body, messages, now)
        return True

    def obey(self, first: int, body: bytes, messages: list, now: int) -> None:
        """Do what a packet asks for."""
        kind = first & 0xF0
        if kind == CONNACK and self.state == GREETING:
            if len(body) != 2 or body[1]:
                self.close()
                return
            self.state, self.since = SUBSCRIBING, now
            wanted = b"".join([text(topic) + b"\1" for topic in self.subscriptions])
            self.outgoing.extend(packet(0x82, struct.pack(">H", 1) + wanted))
            self.last_id = 1
        elif kind == SUBACK and self.state == SUBSCRIBING:
            self.state = READY
        elif kind == PUBLISH and len(body) >= 2:
            end = 2 + struct.unpack(">H", body)[0]
            qos = first >> 1 & 3
            start = end + 2 if qos else end
            if len(body) < start:
                return
            if qos == 1:
                self.outgoing.extend(packet(0x40, body[end:start]))
            messages.append((body[2:end], body[start:], bool(first & 1)))
