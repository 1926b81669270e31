"""The look of a set of pieces: pictures of the bare sheet and of every piece's face, in one file.

The file is a ZIP archive of `profile.json` and PNG pictures. `profile.json` holds: `format` 1, `board` and `digest`
(the definition it was taught on), `sheet` {file, scale} and `faces`, a list of {piece, label, file, mask, scale};
scales are pixels per millimetre. `second`, if any, is such a list, too: the faces of pieces that look different in the
second edition of the print. A face is seen from above, centred, in the orientation of
`vision.printed.pieces.patches`; its mask is white where the piece is. `networks`, if any, is a list of {piece, file}:
the numbers of a trained network (`vision.learned.network`) for each kind of piece that has one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from companion.board.layout import Board
from companion.files.documents import DocumentTable
from companion.wording.sentences import sentence
from vision.archives import Archive, archive_bytes, check_board, png_bytes, read_archive
from vision.colour.correction import Ceiling
from vision.colour.space import LINEAR
from vision.errors import InvalidProfile
from vision.learned.network import Network, network_of
from vision.pictures import Gray, Image

FORMAT = 1
_MAXIMUM_FACE_SIDE = 1024
_MAXIMUM_SHEET_SIDE = 4096


@dataclass(frozen=True, slots=True)
class FacePicture:
    """A piece from above: BGR picture and mask of the same size, pixels per millimetre."""

    image: Image
    mask: Gray
    scale: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The look of one board's sheet and pieces; `faces` maps (piece, label) to its face."""

    board: str
    digest: str
    sheet: Image
    sheet_scale: float
    faces: Mapping[tuple[str, str], FacePicture]
    networks: Mapping[str, Network] = field(default_factory=dict)
    """by kind of piece; none in a profile that somebody taught"""
    second: Mapping[tuple[str, str], FacePicture] = field(default_factory=dict)
    """the faces of the second edition of the print, of pieces that look different in it"""

    def has_second(self, piece: str) -> bool:
        """Whether a kind of piece looks different in the second edition."""
        return any(name == piece for name, _ in self.second)

    def face(self, piece: str, label: str, *, second: bool = False) -> FacePicture:
        """The face of a piece in the first or the second edition."""
        faces = self.second if second else self.faces
        return faces.get((piece, label), self.faces[piece, label])

    def clipped_at(self, ceiling: Ceiling) -> Profile:
        """The same as shown by a sensor that saturates at `ceiling`."""
        most = np.interp(ceiling, LINEAR, np.arange(256)).round().astype(np.uint8)
        first, second = (
            MappingProxyType({key: replace(face, image=np.minimum(face.image, most)) for key, face in faces.items()})
            for faces in (self.faces, self.second)
        )
        return replace(self, sheet=np.minimum(self.sheet, most), faces=first, second=second)

    def check(self, board: Board, source: str = "profile") -> None:
        """Check that this profile was taught on `board`.

        Raises InvalidProfile.
        """
        check_board(self.board, self.digest, board, source)
        _check_faces(self.faces, board, source)


def _check_faces(faces: Container[tuple[str, str]], board: Board, source: str) -> None:
    """Check that there is a face for every piece and label of a board.

    Raises InvalidProfile.
    """
    for piece in board.pieces.values():
        for label in piece.labels:
            if (piece.name, label) not in faces:
                raise InvalidProfile(source, "faces", f"lacks the {label} {piece.name}; teach it again")


_UNTAUGHT = sentence("comes with no taught profile; teach one and name it with --profile")

SHIPPED = Path(__file__).parents[1] / "profiles"
"""The folder of the profiles that come with this program."""


def profile_name(board: Board) -> str:
    """The file name of a board's profile."""
    return f"{board.id.replace('/', '-')}.zip"


def shipped_profile(board: Board) -> Path:
    """The file of the profile that comes with this program for a board.

    Raises InvalidProfile where there is none.
    """
    path = SHIPPED / profile_name(board)
    if not path.exists():
        raise InvalidProfile(board.id, "", _UNTAUGHT)
    return path


def has_profile(board: Board) -> bool:
    """Whether a profile comes with this program for each sheet of a board."""
    return all((SHIPPED / profile_name(sheet)).exists() for sheet in board.sheets)


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile; equal profiles give equal bytes."""
    files: dict[str, bytes] = {"sheet.png": png_bytes(profile.sheet)}
    listed: dict[str, list[dict[str, object]]] = {}
    for prefix, known in (("", profile.faces), ("second-", profile.second)):
        listed[prefix] = []
        for number, ((piece, label), face) in enumerate(sorted(known.items())):
            image, mask = (f"{prefix}{part}{number:03}.png" for part in ("face", "mask"))
            files[image], files[mask] = png_bytes(face.image), png_bytes(face.mask)
            listed[prefix].append({"piece": piece, "label": label, "scale": face.scale, "file": image, "mask": mask})
    networks = []
    for piece, network in sorted(profile.networks.items()):
        files[f"{piece}.network"] = network.data
        networks.append({"piece": piece, "file": f"{piece}.network"})
    header: dict[str, object] = {
        "format": FORMAT, "board": profile.board, "digest": profile.digest,
        "sheet": {"file": "sheet.png", "scale": profile.sheet_scale}, "faces": listed[""],
    }  # fmt: skip
    if profile.second:
        header["second"] = listed["second-"]
    if networks:
        header["networks"] = networks
    path.write_bytes(archive_bytes(header, files, indent=1))


def load_profile(path: Path, board: Board) -> Profile:
    """The profile in a file, checked against the board it is meant for.

    Raises InvalidProfile.
    """
    return read_archive(path, lambda archive: _parse(archive, board))


def load_profiles(board: Board, path: Path | None = None) -> Mapping[str, Profile]:
    """The profiles of a board and of the sheets next to it, by board id: the board's from a file or as shipped.

    A sheet next to the board without a shipped profile is left out. Raises InvalidProfile.
    """
    profiles = {board.id: load_profile(path or shipped_profile(board), board)}
    for sheet in board.beside.values():
        if (SHIPPED / profile_name(sheet)).exists():
            profiles[sheet.id] = load_profile(shipped_profile(sheet), sheet)
    return profiles


def _parse(archive: Archive, board: Board) -> Profile:
    """The profile in an archive: its board and the names of its faces are checked before any picture is decoded."""
    header = archive.header()
    if header.integer("format") != FORMAT:
        raise header.invalid("format", f"is {header.integer('format')}; this program reads format {FORMAT}")
    header.only("format", "board", "digest", "sheet", "faces", "second", "networks")
    name, digest = header.text("board", longest=100), header.text("digest", longest=64)
    check_board(name, digest, board, archive.source)
    sheet = header.table("sheet")
    sheet.only("file", "scale")
    first = _described(header.tables("faces", longest=1000), board)
    second = _described(header.tables("second", optional=True, longest=1000), board)
    _check_faces(first, board, archive.source)
    return Profile(
        name, digest, archive.picture(sheet, "file", _MAXIMUM_SHEET_SIDE), sheet.number("scale", 0.2, 10),
        _faces(archive, first), MappingProxyType(_networks(archive, header, board)), _faces(archive, second),
    )  # fmt: skip


def _described(tables: Iterable[DocumentTable], board: Board) -> dict[tuple[str, str], DocumentTable]:
    """What an archive says of faces, by piece and label of a board."""
    described: dict[tuple[str, str], DocumentTable] = {}
    for table in tables:
        table.only("piece", "label", "file", "mask", "scale")
        piece, label = table.text("piece", longest=40), table.text("label", longest=40)
        if piece not in board.pieces or label not in board.pieces[piece].labels:
            raise table.invalid("label", f"describes the {label} {piece}, which the board does not have")
        if (piece, label) in described:
            raise table.invalid("label", f"describes the {label} {piece} a second time")
        described[piece, label] = table
    return described


def _faces(
    archive: Archive, described: Mapping[tuple[str, str], DocumentTable]
) -> Mapping[tuple[str, str], FacePicture]:
    faces = {}
    for (piece, label), table in described.items():
        image = archive.picture(table, "file", _MAXIMUM_FACE_SIDE)
        mask = archive.picture(table, "mask", _MAXIMUM_FACE_SIDE)[:, :, 0]
        if mask.shape != image.shape[:2] or not (mask > 127).any():
            raise table.invalid("mask", f"does not fit the picture of the {label} {piece}")
        faces[piece, label] = FacePicture(image, np.ascontiguousarray(mask), table.number("scale", 0.5, 50))
    return MappingProxyType(faces)


def _networks(archive: Archive, header: DocumentTable, board: Board) -> dict[str, Network]:
    found = {}
    for table in header.tables("networks", optional=True, longest=40):
        table.only("piece", "file")
        piece = table.text("piece", longest=40)
        if piece not in board.pieces or piece in found:
            raise table.invalid("piece", f"is {piece!r}, which the board does not have, or a second time")
        data = archive.member(table.text("file", longest=100))
        try:
            found[piece] = network_of(board.pieces[piece].labels, data)
        except ValueError as error:
            raise table.invalid("file", f"is no network for the {piece}: it {error}") from error
    return found
