"""Pictures of pages, kept small, and how far a page is from its picture.

Letters look different in each version of a browser, so a picture is compared by the mean brightness of cells: 64 along
its longer side, 36 along the other. A part that is missing, or is elsewhere, changes many of them by much. Other fonts
change most of them by little. The browser itself draws, shrinks and reads the pictures.
"""

import base64
import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

FOLDER = Path(__file__).with_name("pictures")

#: Of a kept picture, in pixels.
WIDTH = 480

#: Where to begin to count a cell as different, from 0 (black) to 255 (white).
CELL_DIFFERENCE = 14

#: The share of cells that may be different.
CELLS = 0.04

NEW = "CASINO_NEW_PICTURES"

#: Shrinks a picture to a width, in grey; the mean brightness of its cells, and the shrunk picture.
SHRINK = """async ([url, width]) => {
  const picture = await createImageBitmap(await (await fetch(url)).blob());
  const height = Math.round((width * picture.height) / picture.width);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.filter = "grayscale(1)";
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  const [across, down] = width > height ? [64, 36] : [36, 64];
  const [sums, counts] = [Array(across * down).fill(0), Array(across * down).fill(0)];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const column = Math.floor(((pixel % width) * across) / width);
    const cell = Math.floor((Math.floor(pixel / width) * down) / height) * across + column;
    sums[cell] += data[4 * pixel];
    counts[cell] += 1;
  }
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return [sums.map((sum, cell) => sum / counts[cell]), btoa(String.fromCharCode(...bytes))];
}"""


def photographed(page: Page, reader: Page) -> tuple[list[float], bytes]:
    """The cells of the window of a page, and a small picture of it. ``reader`` is a blank page."""
    return _shrunk(reader, page.screenshot(animations="disabled", caret="hide"), "png")


def _shrunk(reader: Page, picture: bytes, kind: str) -> tuple[list[float], bytes]:
    url = f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    told: list[Any] = reader.evaluate(SHRINK, [url, WIDTH])
    return told[0], base64.b64decode(told[1])


def difference(page: Page, reader: Page, name: str) -> float:
    """The share of cells in which a page differs from the picture of that name, which is written anew if wanted."""
    cells, small = photographed(page, reader)
    path = FOLDER / f"{name}.webp"
    if NEW in os.environ:
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(small)
    kept, _ = _shrunk(reader, path.read_bytes(), "webp")
    differing = [abs(one - other) > CELL_DIFFERENCE for one, other in zip(cells, kept, strict=True)]
    return sum(differing) / len(differing)
