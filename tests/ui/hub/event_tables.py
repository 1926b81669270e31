"""Tables that play what an event assigns, and an organiser without script."""

import threading
from random import Random

from companion.files.documents import DocumentTable
from companion.position import read_table
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import Assignment
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.registry import print_and_play_board
from companion.session.log import Log
from companion.session.session import Session
from firmware_bridge.publishing.publisher import TablePublisher
from tests.ui.hub.visiting import Visitor

PLAYERS = (
    "Adriano", "Bruna", "Claudia", "Dario", "Emilia", "Flavia", "Giulia", "Marco", "Ottavia", "Silvia", "Tiberio",
    "Ugo",
)  # fmt: skip


class AssignedTables:
    """Real tables on one connection that play at once what an event assigns, until `close`."""

    def __init__(self, address, names, code: str) -> None:
        kept, self._random, self._stop = KeptPublishing(None), Random(5), threading.Event()
        self.tables = [
            PublishedTable(name, kept, lambda _game: None, called=name.title(), shows_names=True) for name in names
        ]
        self.logs = dict[tuple[str, str, int], Log]()
        """by table, event and round"""
        for table in self.tables:
            table.register(code)
        self._publisher = TablePublisher(address, self.tables)
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def registered(self) -> bool:
        return all(table.status.registered for table in self.tables)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._publisher.close()

    def _play(self) -> None:
        while not self._stop.wait(0.02):
            for table in self.tables:
                assignment = table.status.assignment
                if assignment is not None:
                    key = table.name, assignment.event, assignment.round
                    if key not in self.logs:
                        self.logs[key] = self._game(table.name, assignment)
                        table.show(PublishedNow(self.logs[key]))

    def _game(self, name: str, assignment: Assignment):
        names = [{"name": seat.player} for seat in assignment.seats]
        board = print_and_play_board(assignment.game)
        table = read_table(DocumentTable({"game": assignment.game, "players": names}, "event", ""), board)
        session = Session.create(None, table, game_id=f"{name}-{assignment.round}")
        while not session.is_over:
            session.submit(self._random.choice(session.legal_actions()))
        return session.log


class Organiser(Visitor):
    """Posts forms with files, as a browser does."""

    def post_form(self, path: str, file: tuple[str, bytes] | None = None, **fields: object):
        boundary, parts = "7d1-ides-of-march", []
        for name, value in fields.items():
            parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
        if file is not None:
            head = (
                f'Content-Disposition: form-data; name="file"; filename="{file[0]}"\r\nContent-Type: text/csv\r\n\r\n'
            )
            parts.append(head.encode() + file[1] + b"\r\n")
        mark = f"--{boundary}".encode()
        body = b"".join(mark + b"\r\n" + part for part in parts) + mark + b"--\r\n"
        headers = {"Origin": f"http://{self.address}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self._ask("POST", path, body, headers)

    def new_event(self, **fields: object) -> str:
        """The address of a new event."""
        usual = {
            "name": "Ides of March", "game": "aqua_romana", "preferred": 3, "tables": 4, "rounds": 3, "by_lot": 1
        }  # fmt: skip
        return self.post_form("/event/create", **usual | fields).headers["location"]


def event_at(hub, address: str):
    return hub.events.store.event(address.removeprefix("/event/"), newest=True)
