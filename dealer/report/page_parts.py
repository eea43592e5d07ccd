"""What a page is put together from."""

from html import escape

from dealer.report.figures import fragment


def section(title: str, note: str, body: str) -> str:
    """One part of the page; ``title`` and ``note`` are text, ``body`` is HTML."""
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{told}{body}</section>"


def figure(drawn: object, name: str) -> str:
    """A figure with its place on the page."""
    return f'<div class="figure">{fragment(drawn, name)}</div>'
