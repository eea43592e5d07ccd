"""What a check has found: the likely causes of mistakes, the rubric, and the points."""
