"""Every relative link and picture of every Markdown page leads to something, and every anchor to a heading."""

import re
from pathlib import Path

from tests.docs.pages import ROOT, all_pages

#: Addresses of other machines are not followed.
_ELSEWHERE = ("http://", "https://", "mailto:")


def links(text: str) -> list[str]:
    """The targets of links and pictures, outside code."""
    without_blocks = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    without_code = re.sub(r"`[^`\n]*`", "", without_blocks)
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code) + re.findall(r'(?:src|href|srcset)="([^"]+)"', without_code)
    return [target for target in targets if not target.startswith(_ELSEWHERE)]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    for page in all_pages():
        for link in links(page.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            assert target.is_relative_to(ROOT), (page, link)
            assert target.exists(), (page, link)
            assert not anchor or anchor in anchors(target), (page, link)
