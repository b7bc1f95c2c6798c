"""The manual as HTML: turns docs/*.md into the pages that the extension carries for F1.

Knows the Markdown that our pages use and no more: headings, paragraphs, lists, tables, code
blocks, emphasis, code, links and pictures. `python3 scripts/manual_pages.py FOLDER` writes the
pages to look at; build.py puts them into the zip.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from workshop.command_line import Parser, say, stop_with
from workshop.places import PROJECT

DOCS = PROJECT / "docs"
START = "index"

STYLE = """
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem; font: 1rem/1.55 system-ui, sans-serif;
       color: #22252b; background: #fbfaf7; }
nav { border-bottom: 1px solid #d8d6cf; padding-bottom: .5rem; }
nav a { margin-right: 1.2rem; }
a { color: #1f6695; }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 .5em; }
h1 { margin-top: .8em; }
img { max-width: 100%; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #d8d6cf; }
code { font-size: .92em; background: #eeece5; padding: .1em .3em; border-radius: 3px; }
pre { background: #eeece5; padding: .8rem; overflow-x: auto; border-radius: 4px; }
pre code { padding: 0; }
@media (prefers-color-scheme: dark) {
  body { color: #e3e3e0; background: #242528; }
  a { color: #7dbde8; }
  code, pre { background: #34363a; }
  nav, th, td { border-color: #45474c; }
}
"""

PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")
CODE = re.compile(r"(`[^`]+`)")
HEADING = re.compile(r"(#{1,4}) +(.+)")
ITEM = re.compile(r"(?:[-*]|(\d+)\.) +(.+)")
TABLE_RULE = re.compile(r"\|?(?:\s*:?-{3,}:?\s*\|?)+$")


def manual_files(docs: Path = DOCS) -> dict[str, bytes]:
    """Name and content of every file of the manual: the pages and the pictures they show."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(docs.glob("*.md"))}
    titles = {name: title_of(text, name) for name, text in texts.items()}
    files = {f"{name}.html": page(name, text, titles).encode() for name, text in texts.items()}
    shown = {match[2] for text in texts.values() for match in PICTURE.finditer(text)}
    return files | {name: (docs / name).read_bytes() for name in sorted(shown)}


def title_of(text: str, otherwise: str) -> str:
    """The first heading of a page."""
    first = next(filter(None, map(HEADING.match, text.splitlines())), None)
    return first[2] if first else otherwise


def page(name: str, text: str, titles: dict[str, str]) -> str:
    """A whole page with links to the others above it."""
    order = sorted(titles, key=lambda other: (other != START, titles[other]))
    links = "".join(f'<a href="{other}.html">{escape(titles[other])}</a>' for other in order)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(titles[name])}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<nav>{links}</nav>\n{to_html(text)}\n</body>\n</html>\n"
    )


def to_html(text: str) -> str:
    """The body of a page."""
    return "\n".join(_block(lines) for lines in _blocks(text.splitlines()))


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Lines that belong together: up to an empty line; code up to its end, headings alone."""
    block: list[str] = []
    in_code = False
    for line in lines:
        fence = line.startswith("```")
        alone = not in_code and HEADING.match(line) is not None
        if block and not in_code and (fence or alone or not line.strip()):
            yield block
            block = []
        if in_code or line.strip():
            block.append(line)
        if block and (alone or (in_code and fence)):
            yield block
            block = []
        in_code ^= fence
    if block:
        yield block


def _block(lines: list[str]) -> str:
    first = lines[0]
    if first.startswith("```"):
        end = -1 if len(lines) > 1 and lines[-1].startswith("```") else None
        code = "\n".join(lines[1:end])
        return f"<pre><code>{escape(code, quote=False)}</code></pre>"
    heading = HEADING.match(first)
    if heading:
        level = len(heading[1])
        return f'<h{level} id="{anchor(heading[2])}">{inline(heading[2])}</h{level}>'
    if len(lines) > 1 and TABLE_RULE.match(lines[1].strip()):
        return _table(lines)
    if ITEM.match(first):
        return _list(lines)
    return f"<p>{inline(' '.join(lines))}</p>"


def anchor(heading: str) -> str:
    """The name by which a heading is linked to, as code hosting sites make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _table(lines: list[str]) -> str:
    head, _rule, *rows = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines)
    parts = ["<tr>" + "".join(f"<th>{inline(cell)}</th>" for cell in head) + "</tr>"]
    parts += ["<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return "<table>\n" + "\n".join(parts) + "\n</table>"


def _list(lines: list[str]) -> str:
    """A list without lists inside; a line that starts no item goes on with the one before."""
    items: list[str] = []
    for line in lines:
        item = ITEM.match(line)
        if item:
            items.append(item[2])
        else:
            items[-1] += " " + line.strip()
    first = ITEM.match(lines[0])
    kind = "ol" if first and first[1] else "ul"
    return f"<{kind}>\n" + "\n".join(f"<li>{inline(item)}</li>" for item in items) + f"\n</{kind}>"


def inline(text: str) -> str:
    """Code, pictures, links and emphasis inside a line; nothing is looked for inside code."""
    parts = CODE.split(text)
    return "".join(
        f"<code>{escape(part[1:-1], quote=False)}</code>" if number % 2 else _emphasis(part)
        for number, part in enumerate(parts)
    )


def _emphasis(text: str) -> str:
    text = PICTURE.sub(r'<img src="\2" alt="\1">', escape(text, quote=False))
    text = LINK.sub(lambda match: f'<a href="{_to_page(match[2])}">{match[1]}</a>', text)
    return ITALIC.sub(r"<em>\1</em>", BOLD.sub(r"<strong>\1</strong>", text))


def _to_page(address: str) -> str:
    """Links between Markdown files lead to the pages made of them."""
    return re.sub(r"^([\w-]+)\.md(?=#|$)", r"\1.html", address)


def main() -> int:
    """Write the pages into a folder, to look at them."""
    parser = Parser(description="Write the manual's pages as HTML.")
    parser.add_argument("folder", type=Path, help="folder to write into; it is made if it is absent")
    folder = parser.parse_args().folder
    if folder.exists() and not folder.is_dir():
        stop_with(f"{folder} is a file, not a folder")
    files = manual_files()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    say(f"{len(files)} files in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
