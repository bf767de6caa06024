"""The club: many tables and one lobby, connected by MQTT. A table imports nothing from here."""
