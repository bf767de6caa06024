"""A camera, a panel and a display without hardware."""
