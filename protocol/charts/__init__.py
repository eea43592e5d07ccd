"""Reports as HTML files that need no network: charts as values, one script that draws them, and the file's frame.

They lie under dealer and bots, because both write reports.
"""
