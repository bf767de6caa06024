"""Who may join, who uses which phone, and who sends a request."""
