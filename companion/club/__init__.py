"""The club: many tables, one lobby, by MQTT. Nothing of it is imported by a box that has not joined a club."""
