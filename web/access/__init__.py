"""Who may join, which phone is whose, and whose tap it is."""
