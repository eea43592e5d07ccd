"""``python idioms.py <idiom> <host> <port>``: a student's program without a mistake, in one of the ways to talk."""

import asyncio
import queue
import select
import socket
import sys
import threading
import time

_, idiom, host, port = sys.argv


def reply(text: str) -> str | None:
    """The reply to a message; None if it needs none."""
    return "ada-l:Ada" if text == "login" else f"bet:{text.split(':')[3]}" if text.startswith("bet") else None


async def with_streams() -> None:
    """Play with asyncio."""
    reader, writer = await asyncio.open_connection(host, int(port))

    async def read() -> str:
        size = await reader.readexactly(2)
        return (await reader.readexactly(int.from_bytes(size, "big"))).decode()

    while not (text := await read()).startswith("done"):
        if answer := reply(text):
            writer.write(len(answer).to_bytes(2, "big") + answer.encode())
            await writer.drain()
    writer.close()


class Player:
    """Play with a socket."""

    def __init__(self) -> None:
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(idiom != "polling")
        self.buffer = b""
        self.out = self.socket.makefile("wb")
        self.messages: queue.Queue[str] = queue.Queue()

    def take(self, size: int) -> bytes:
        while len(self.buffer) < size:
            if idiom == "select":
                select.select([self.socket], [], [])
            try:
                self.buffer += self.socket.recv(1 if idiom == "bytes" else 4096)
            except BlockingIOError:
                time.sleep(0.001)
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def read(self) -> str:
        return self.take(int.from_bytes(self.take(2), "big")).decode()

    def write(self, text: str) -> None:
        size, data = len(text).to_bytes(2, "big"), text.encode()
        if idiom == "buffered":
            self.out.write(size)
            self.out.write(data)
            self.out.flush()
        elif idiom == "two-writes":
            self.socket.sendall(size)
            self.socket.sendall(data)
        elif idiom == "bytes":
            for byte in size + data:
                self.socket.send(bytes([byte]))
        else:
            self.socket.sendall(size + data)

    def read_all(self) -> None:
        while not (text := self.read()).startswith("done"):
            self.messages.put(text)
        self.messages.put(text)

    def play(self) -> None:
        if idiom == "thread":
            threading.Thread(target=self.read_all, daemon=True).start()
        while not (text := self.messages.get() if idiom == "thread" else self.read()).startswith("done"):
            if answer := reply(text):
                self.write(answer)
        if idiom == "half-close":
            self.socket.shutdown(socket.SHUT_WR)
            self.socket.recv(1)
        if idiom != "no-close":
            self.socket.close()


if idiom == "asyncio":
    asyncio.run(with_streams())
else:
    Player().play()
