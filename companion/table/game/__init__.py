"""What happens at the table: decided purely, as events, and the position they make. No IO."""
