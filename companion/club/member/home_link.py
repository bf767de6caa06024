"""What Home Assistant is told of a table on its broker."""

from __future__ import annotations

from importlib.metadata import version

from companion.club.broker.broker import Broker
from companion.club.home_assistant.buttons import button_command
from companion.club.home_assistant.discovery import discovery, removal
from companion.club.home_assistant.home_view import HomeView
from companion.club.payloads import PayloadError, TableState, encode
from companion.club.topics import TableTopics
from companion.table import Table


class HomeLink:
    """Publishes the home state and its events. For the publisher's thread."""

    def __init__(self, topics: TableTopics, name: str, *, commands: bool) -> None:
        """`name`: what people call the table. `commands`: whether Home Assistant has buttons."""
        self._topics, self._name, self._commands = topics, name, commands
        self._view = HomeView()
        self.command_topic = topics.command

    def begin(self, broker: Broker) -> None:
        """Say what there is, after each connection."""
        topic, payload = discovery(self._topics, self._name, version("perudo-companion"), commands=self._commands)
        broker.publish(topic, payload, qos=1, retain=True)
        if self._view.home is not None:
            broker.publish(self._topics.home, encode(self._view.home), retain=True)
        if self._commands:
            broker.subscribe(self.command_topic, retained=False)

    def end(self, broker: Broker) -> None:
        """Home Assistant forgets the table."""
        for topic, payload in removal(self._topics):
            broker.publish(topic, payload, qos=1, retain=True)

    def step(self, state: TableState, broker: Broker, *, up: bool) -> None:
        """The next state of the table. While the broker is away, what happens is not told later."""
        home, events = self._view.step(state)
        if up:
            if home is not None:
                broker.publish(self._topics.home, encode(home), retain=True)
            for event in events:
                broker.publish(self._topics.home_event, encode(event))

    def press(self, payload: bytes, table: Table) -> None:
        """A button was pressed in Home Assistant. Raises `PayloadError`."""
        command = button_command(payload) if self._commands else None
        if command is None:
            raise PayloadError(f"{payload[:40]!r} is no command")
        table.do_at_panel(command)
