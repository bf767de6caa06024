"""`perudo card`: writes a memory card whose first start sets up the box. In the clone, not in the wheel."""
