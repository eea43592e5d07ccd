"""Show the results of a check to people, scripts and graders."""
