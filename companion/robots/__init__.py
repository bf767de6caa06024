"""Robots that play Perudo, and games among them. Pure: no input or output, no clock; randomness is an argument.

A `Robot` gets a `PlayerView`, everything that a player knows, and returns a bid or a call. `ROBOTS` holds the three
that the demo offers. `play` plays a game of robots to its end.
"""

from companion.robots.robot import PlayerView, Robot
from companion.robots.self_play import PlayedGame, play
from companion.robots.strength import ROBOTS, Strength

__all__ = ["ROBOTS", "PlayedGame", "PlayerView", "Robot", "Strength", "play"]
