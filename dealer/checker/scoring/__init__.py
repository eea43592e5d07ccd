"""From what was found to points, and what probably caused each mistake."""
