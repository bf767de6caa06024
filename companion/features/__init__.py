"""The features of the box: one folder each, with a service, its endpoints and its part of the page's state."""
