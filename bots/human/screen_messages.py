"""What other threads tell the screen, in the form in which textual carries it."""

from textual.message import Message

from bots.human.odds import Chances
from bots.human.updates import News, Spot


class Told(Message):
    """News from the thread that plays."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class Counted(Message):
    """The person's chances are counted."""

    def __init__(self, spot: Spot, chances: Chances) -> None:
        super().__init__()
        self.spot = spot
        self.chances = chances
