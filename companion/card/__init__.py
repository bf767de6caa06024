"""`perudo card`: what a memory card needs for a first start that ends with the box. In the clone, not in the wheel."""
