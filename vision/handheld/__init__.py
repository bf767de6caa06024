"""Pictures taken by hand: registered with each other, so that a die seen in two is one."""
