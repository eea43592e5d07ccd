"""Why a report cannot be written."""


class ReportError(Exception):
    """A report that cannot be written; the text says why, and what to do."""
