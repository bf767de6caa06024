"""The topics of a table that are only for Home Assistant.

perudo/v1/<club>/t/<table>/home          what it may know of the table: retained, QoS 0
perudo/v1/<club>/t/<table>/home/event    what happened: QoS 0, never retained, and not sent after a disconnection
perudo/v1/<club>/t/<table>/command       to the table: the name of a button; only with `commands = true`
"""

from __future__ import annotations

from companion.club.topics import TableTopics


def home_topic(topics: TableTopics) -> str:
    return f"{topics.base}/home"


def home_event_topic(topics: TableTopics) -> str:
    return f"{home_topic(topics)}/event"


def home_command_topic(topics: TableTopics) -> str:
    """Subscribe without retained messages: a press is for the moment it was made at."""
    return f"{topics.base}/command"
