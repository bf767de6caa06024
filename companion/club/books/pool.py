"""The club's rating pool: the players whom the club knows. Pure.

Ratings compare people who are linked by games. A single person can invent a link, or bring a closed group to the club,
such as a family who play at home. So the pool is a biconnected component of the players' graph, in which players of one
game are adjacent: without any single player, games would still link the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping


def pool_of(games: Iterable[frozenset[str]]) -> frozenset[str]:
    """The players of the pool that has played most, counting each game once for each of its players.

    `games`: the players of each. Games of fewer than two link nobody. Names decide between level pools.
    """
    played = Counter(each for each in games if len(each) > 1)
    met: dict[str, set[str]] = {}
    for players in played:
        for name in players:
            met.setdefault(name, set()).update(players)
    pools = {name: pool for pool, others in _components(met) for name in others}
    seats = Counter[frozenset[str]]()
    for players, times in played.items():
        seats[next(pools[name] for name in players if players <= pools.get(name, set()))] += len(players) * times
    return min(seats, key=lambda pool: (-seats[pool], sorted(pool)), default=frozenset())


def _components(met: Mapping[str, set[str]]) -> Iterator[tuple[frozenset[str], list[str]]]:
    """Each biconnected component, with its players except the one that links it to those found before.

    Hopcroft & Tarjan, "Algorithm 447", Communications of the ACM 16 (1973).
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    """The first player whom each one reaches other than through those on the path."""
    for first in met:
        if first in order:
            continue
        order[first] = lowest[first] = len(order)
        found, path = [first], [(first, iter(met[first]))]
        while path:
            here, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[here])
                    if lowest[here] >= order[before]:
                        start = found.index(here)
                        yield frozenset([before, *found[start:]]), found[start:]
                        del found[start:]
            elif other in order:
                lowest[here] = min(lowest[here], order[other])
            else:
                order[other] = lowest[other] = len(order)
                found.append(other)
                path.append((other, iter(met[other])))
