"""Is the box well? Each check looks at one part and gives a diagnosis: one line of the report."""
