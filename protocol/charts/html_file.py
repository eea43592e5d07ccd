"""HTML files that load nothing: a template filled in, with the styles, the scripts and the charts that it needs.

Autoescape makes text of every value, so that what a player or the author of a bot wrote cannot become HTML.
"""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any


def missing() -> str | None:
    """Words that name what is not installed and a report needs; None if all is there."""
    if find_spec("jinja2") is None:
        return "a report needs jinja2: pip install '.[report]' in the folder of Casino Day"
    return None


def render(package: str, template: str, styles: Sequence[str] = (), scripts: Sequence[str] = (), **values: Any) -> str:
    """The text of a file, from a template in the folder ``templates`` of a package.

    The template finds in ``style`` and ``script`` the text of these files of its folder and what draws charts, and in
    ``policy`` a content security policy that lets a browser use those alone.
    """
    folder, charts = files(package).joinpath("templates"), files("protocol.charts")
    style = _texts([*(folder.joinpath(name) for name in styles), charts.joinpath("charts.css")])
    script = _texts([*(folder.joinpath(name) for name in scripts), charts.joinpath("charts.js")])
    page: str = (
        _environment(package)
        .get_template(template)
        .render(style=style, script=script, policy=policy(style, script), **values)
    )
    return page


def policy(style: str, *scripts: str) -> str:
    """A browser may load and run this style and these scripts, and nothing from elsewhere."""
    allowed = " ".join(_hash(script) for script in scripts)
    return f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_hash(style)}; script-src {allowed}"


def _hash(text: str) -> str:
    """The name of a script or style in a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _texts(paths: Sequence[Any]) -> str:
    return "".join(path.read_text("utf-8") for path in paths)


@cache  # to compile a template takes longer than to fill it in
def _environment(package: str) -> Any:
    jinja2 = import_module("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,  # a misspelt value is an error, not a gap in the page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment
