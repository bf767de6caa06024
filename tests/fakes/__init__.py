"""Every double that stands in for a real part."""
