"""Reports as HTML files that need no network: charts as values, one script that draws them, and the file's frame.

They lie here because dealer and bots never import each other, and both write reports.
"""
