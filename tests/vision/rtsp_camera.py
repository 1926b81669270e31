"""A camera that is asked by RTSP: what ffmpeg sends by RTP and RTCP is handed on over the connection of who asks."""

from __future__ import annotations

import select
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

SOURCE = ("-loglevel", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=10")
CODING = ("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10", "-bf", "0")
HANG = 30.0


class RtspCamera:
    """Serves one reader at `address`, over the connection itself (interleaved), until it is closed."""

    def __init__(self, ffmpeg: str, folder: Path) -> None:
        self._ffmpeg, self._description = ffmpeg, folder / "camera.sdp"
        self._media = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _channel in range(2)]
        for each in self._media:
            each.bind(("127.0.0.1", 0))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self._listener.getsockname()[1]}/live"
        self._sender: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._serve, name="RTSP camera", daemon=True).start()

    def close(self) -> None:
        """End the sender and all sockets."""
        if self._sender is not None:
            self._sender.kill()
            self._sender.wait()
        for each in (self._listener, *self._media):
            each.close()

    def _serve(self) -> None:
        try:
            while True:
                connection, _address = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()
        except OSError:
            return  # closed

    def _send(self) -> None:
        rtp, rtcp = (each.getsockname()[1] for each in self._media)
        target = f"rtp://127.0.0.1:{rtp}?rtcpport={rtcp}"
        words = [self._ffmpeg, *SOURCE, *CODING, "-f", "rtp", "-sdp_file", str(self._description), target]
        self._sender = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _described(self) -> bytes:
        if self._sender is None:
            self._send()
        until = time.monotonic() + HANG
        while not self._description.exists() or b"m=video" not in self._description.read_bytes():
            assert time.monotonic() < until, "ffmpeg writes no description"
            time.sleep(0.05)
        text = self._description.read_text(encoding="ascii")
        lines = ["m=video 0 RTP/AVP 96" if line.startswith("m=video") else line for line in text.splitlines()]
        return ("\r\n".join([*lines, "a=control:video"]) + "\r\n").encode()

    def _answer(self, connection: socket.socket) -> None:
        plays = False
        try:
            while True:
                ready, _w, _x = select.select([connection, *(self._media if plays else ())], [], [])
                for channel, media in enumerate(self._media):
                    if media in ready:
                        packet = media.recv(65_536)
                        connection.sendall(struct.pack(">cBH", b"$", channel, len(packet)) + packet)
                if connection in ready:
                    asked = connection.recv(65_536)
                    if not asked:
                        return
                    if asked[:1] != b"$":  # else the reader's own RTCP
                        plays |= asked.startswith(b"PLAY")
                        connection.sendall(self._reply(asked.decode("utf-8", "replace")))
        except (OSError, ValueError):
            return  # one of both has hung up

    def _reply(self, asked: str) -> bytes:
        lines = asked.splitlines()
        method = lines[0].split()[0]
        number = next(line.partition(":")[2].strip() for line in lines if line.lower().startswith("cseq"))
        body = self._described() if method == "DESCRIBE" else b""
        head = [f"CSeq: {number}", "Session: 1"]
        if method == "OPTIONS":
            head.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
        elif method == "DESCRIBE":
            head += ["Content-Type: application/sdp", f"Content-Base: {self.address}/", f"Content-Length: {len(body)}"]
        elif method == "SETUP":
            head.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
        return ("RTSP/1.0 200 OK\r\n" + "\r\n".join(head) + "\r\n\r\n").encode() + body
