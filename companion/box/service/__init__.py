"""The box as an appliance: its systemd unit, how that is installed and removed, and what it tells systemd."""
