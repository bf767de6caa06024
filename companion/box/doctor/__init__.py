"""Is the box well? `facts` come from the machine, `parts` and `system` make diagnoses of them without it."""
