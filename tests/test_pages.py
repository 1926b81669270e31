"""README and the pages of docs: each link leads somewhere, each command and option they name exists."""

import re
from pathlib import Path

import pytest

from benchmarks.__main__ import GROUPS
from ui.command_line import COMMANDS, main

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
NAMED = re.compile(r"(?:`|^ {4}|^\$ |^)(?:\.venv/bin/)?companion ([a-z-]+[^`\n]*)", re.MULTILINE)
MADE = re.compile(r"^(?:\d\. )?make ([a-z-]+)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(page: Path) -> list[list[str]]:
    """The `companion` commands of a page in words, without comments."""
    lines = (line.partition("  #")[0].partition(" > ")[0] for line in NAMED.findall(page.read_text(encoding="utf-8")))
    return [line.split() for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        linked = page.parent / target if target else page
        assert linked.exists(), f"{page.name} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors(linked), f"{page.name} links to {target}#{anchor}, and no heading is called so"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_and_their_options_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in named(page):
        if words[0].startswith("--"):
            continue
        assert words[0] in COMMANDS, f"{page.name} names the command {words[0]}"
        options = set(OPTION.findall(" ".join(words)))
        if not options:
            continue
        sub_command = [words[1]] if words[0] == "boxes" and len(words) > 1 and words[1].isalpha() else []
        if words[0] == "demo" and "--tables" in words:  # it has options of its own
            sub_command = ["--tables", "2"]
        assert main([words[0], *sub_command, "--help"]) == 0
        unknown = options - set(OPTION.findall(capsys.readouterr().out))
        assert not unknown, f"{page.name}: companion {words[0]} has no {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_is_made_has_a_recipe(page: Path) -> None:
    recipes = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    code = re.findall(r"```\w*\n(.*?)```|`([^`\n]+)`", page.read_text(encoding="utf-8"), re.DOTALL)
    for target in MADE.findall("\n".join(block or inline for block, inline in code)):
        assert target in recipes, f"{page.name} names make {target}"


def test_page_of_commands_names_every_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert not {name for name in COMMANDS if not re.search(rf"(companion|\|) {name}\b", page)}


def test_page_of_benchmarks_names_every_group_and_every_variable() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    sources = [each.read_text(encoding="utf-8") for each in (ROOT / "benchmarks").rglob("*.py")]
    variables = {name for source in sources for name in re.findall(r'"(COMPANION_[A-Z_]+)"', source)}
    assert len(variables) > 10
    assert not {name for name in variables if f"`{name}`" not in page}
    rows = set(re.findall(r"^\| (\w+) \| ", page, re.MULTILINE))
    assert not set(GROUPS) - rows


@pytest.mark.parametrize("name", ["architecture", "rooms", "adding_a_game"])
def test_modules_that_pages_for_developers_name_are_there(name: str) -> None:
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if ".venv" not in path.parts}
    told = set(re.findall(r"`([\w/]+\.py)`", (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")))
    missing = {module for module in told if not any(f"/{path}".endswith(f"/{module}") for path in there)}
    assert not missing


def test_readme_begins_with_what_it_is_one_picture_and_two_commands() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert first_screen.count("![") == 1
    assert re.findall(r"^(make \w+)", first_screen, re.MULTILINE) == ["make demo", "make test"]


def test_readme_and_the_page_for_organisers_start_many_tables_alike() -> None:
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/organisers.md")]
    options = [re.findall(r"companion demo (--tables 12 .*)", page) for page in pages]
    assert [len(found) for found in options] == [1, 1]
    assert len({tuple(re.findall(r"--[a-z-]+", found)) for (found,) in options}) == 1
