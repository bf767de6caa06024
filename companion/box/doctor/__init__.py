"""Is the box well? Facts are gathered from the machine (`gather`), judged without it (`checks`), and told."""
