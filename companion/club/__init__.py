"""The club: many tables, one lobby, by MQTT. A table imports none of it."""
