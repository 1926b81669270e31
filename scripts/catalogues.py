"""The translators' files: `.po` catalogues in ui/locale, taken from the sources, and the `.mo` files made of them.

`python -m scripts.catalogues` updates both and prints what is missing; `--compile` makes only the `.mo` files.
Setting up and packaging compile them too (BuildWithCatalogues).
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "ui" / "locale"
LANGUAGES = ("it", "de")
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)
MARKED = {"_": (0,), "plural": (0, 1), "sentence": (0,), "translate": (0,), "MenuEntry": (1,), "Question": (1,)}
"""function -> indices of its arguments that are messages"""
GAMES = ROOT / "companion" / "games"

_IN_LAYOUT = re.compile(r'text\._\("((?:[^"\\]|\\.)*)"\)')


def companion_messages() -> Iterator[tuple[str | tuple[str, str], str]]:
    """The words of the screens, of cameras and boxes and of questions about photographs: (message, or forms; file)."""
    folders = ("ui/**", "firmware_bridge", "firmware_bridge/*", "vision/**", "calibration/**")
    sources = [path for folder in folders for path in ROOT.glob(f"{folder}/*.py")]
    sources += [
        *GAMES.glob("*/photograph.py"),
        *GAMES.glob("*/joining.py"),
        *(ROOT / "companion" / "photographs").glob("*.py"),
        *(ROOT / "companion" / "event").glob("*.py"),
        ROOT / "companion" / "errors.py",
        ROOT / "companion" / "position.py",
        *(ROOT / "companion" / "session").glob("*.py"),
        *(ROOT / "companion" / "publishing").glob("*.py"),
        *(ROOT / "companion" / "wording").glob("*.py"),
    ]
    for path in sorted(sources):
        for message in _marked(ast.parse(path.read_text(encoding="utf-8"))):
            yield message, str(path.relative_to(ROOT))
    for path in sorted(ROOT.glob("ui/**/*.kv")):
        for message in _IN_LAYOUT.findall(path.read_text(encoding="utf-8")):
            yield message, str(path.relative_to(ROOT))


def games_messages() -> Iterator[tuple[str, str]]:
    """The messages of the games: their `texts.toml` and `guide.toml`."""
    for path in sorted((*GAMES.glob("*/texts.toml"), *GAMES.glob("*/guide.toml"))):
        for text in _leaves(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield text, str(path.relative_to(ROOT))


def rules_messages() -> Iterator[tuple[str, str]]:
    """Titles and sentences of the rules, the rulings with their readings and reasons, and what headings say."""
    for path in sorted(GAMES.glob("*/rulebook.toml")):
        book = tomllib.loads(path.read_text(encoding="utf-8"))
        where = str(path.relative_to(ROOT))
        for rule in book["rule"]:
            more = (*rule.get("wordings", {}).values(), *rule.get("statements", {}).values())
            texts = rule["title"], rule["sentence"], rule.get("statement", rule["sentence"]), rule["source"], *more
            yield from ((text, where) for text in texts)
        for ruling in book.get("ruling", []):
            for text in (ruling["question"], *ruling["readings"].values(), ruling["source"]):
                yield text, where
        yield from ((said, where) for said in book.get("headings", {}).values())


def templates() -> dict[str, Catalog]:
    """Domain -> its messages without translations; a message belongs to the first domain that has it."""
    sources = {"companion": companion_messages, "games": games_messages, "rules": rules_messages}
    known: set[str] = set()
    found = {}
    for domain, messages in sources.items():
        catalogue = Catalog(project="Roman Table Companion", charset="utf-8")
        for message, where in messages():
            first = message if isinstance(message, str) else message[0]
            if first.strip() and first not in known:
                catalogue.add(message, locations=[(where, 0)])
        known |= {message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id}
        found[domain] = catalogue
    return found


def read_catalogue(language: str, domain: str) -> Catalog:
    """The catalogue of the repository; an empty one where there is none yet."""
    path = _po(language, domain)
    if not path.exists():
        return Catalog(locale=language, project="Roman Table Companion", charset="utf-8")
    with path.open("rb") as stream:
        return read_po(stream, locale=language, charset="utf-8")


def missing(catalogue: Catalog) -> list[str]:
    """The messages without a translation."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not (message.string if isinstance(message.string, str) else all(message.string))
    ]


def update_catalogues() -> None:
    """Add new messages to all catalogues and drop those that the sources no longer have."""
    for domain, template in templates().items():
        for language in LANGUAGES:
            catalogue = read_catalogue(language, domain)
            catalogue.update(template, no_fuzzy_matching=True)
            catalogue.header_comment = f"# {domain}: {language}"
            catalogue.creation_date = catalogue.revision_date = None
            path = _po(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as stream:
                write_po(stream, catalogue, width=120, ignore_obsolete=True, omit_header=False)
            _drop_dates(path)


def compile_catalogues() -> None:
    """Make a `.mo` file beside each `.po` file."""
    for path in LOCALE.glob("*/LC_MESSAGES/*.po"):
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=path.parts[-3], charset="utf-8")
        catalogue.creation_date = UNDATED  # else the minute in which it is compiled, and no two wheels are alike
        with path.with_suffix(".mo").open("wb") as stream:
            write_mo(stream, catalogue)


class BuildWithCatalogues(build_py):
    """Compiles the catalogues before the package is built or installed for development."""

    def run(self) -> None:
        """Compile, then build."""
        compile_catalogues()
        super().run()


def main() -> None:
    """Update and compile, and print how many messages lack a translation."""
    if "--compile" not in sys.argv:
        update_catalogues()
        for language in LANGUAGES:
            for domain in templates():
                left = missing(read_catalogue(language, domain))
                print(f"{language} {domain}: {len(left)} without a translation")
    compile_catalogues()


def _marked(tree: ast.AST) -> Iterator[str | tuple[str, str]]:
    """The messages handed to marked functions as they are written, f-strings included."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        places = MARKED.get(name, ())
        handed = [call.args[place] for place in places if place < len(call.args)]
        texts = [each.value for each in handed if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if places and len(texts) == len(places):
            yield texts[0] if len(texts) == 1 else (texts[0], texts[1])


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)


def _po(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def _drop_dates(path: Path) -> None:
    """Leave out the lines that would differ each time."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    dated = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Last-Translator', '"Language-Team')
    path.write_text("".join(line for line in lines if not line.startswith(dated)), encoding="utf-8")


if __name__ == "__main__":
    main()
