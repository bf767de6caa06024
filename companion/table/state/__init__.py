"""What is shown of the table: the public state, the signs of the panel, and who is told of them."""
