"""axe-core in a page of a test: what keeps people with a disability from using it, as far as a program can tell."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

#: Rules of WCAG 2.2, levels A and AA, and what else axe-core takes for good practice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """async (tags) => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  const found = violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
  }));
  return twice.length ? [...found, { id: "id", help: "Two elements have the same id.", nodes: twice }] : found;
}"""


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is now, and ids that are there twice.

    Each with the elements and what to do.
    """
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN, TAGS)
    return [f"{one['id']}: {one['help']}\n" + "\n".join(one["nodes"]) for one in found]
