"""Drawing rounds: what any round must be, the exact draw against brute force, and counts known in closed form."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.event.bounds import repeats_at_least
from companion.event.exact_round import BestRound
from companion.event.history import PairingHistory, RoundSeats, history_of, pairs
from companion.event.pairing import Draw, Task, draw_round
from companion.event.planning import planned_rounds
from companion.event.round_cost import REPEAT, SPREAD, round_cost
from companion.event.round_search import searched_groups
from companion.event.table_sizes import table_sizes

Groups = tuple[tuple[int, ...], ...]


def every_division(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[frozenset[frozenset[int]]]:
    """Each way to divide players into groups of these sizes; those that differ in order come again."""
    if not sizes:
        yield frozenset()
        return
    for group in combinations(players, sizes[0]):
        rest = tuple(player for player in players if player not in group)
        for others in every_division(rest, sizes[1:]):
            yield others | {frozenset(group)}


def random_history(players: int, rounds: int, chance: Random, sizes: tuple[int, ...]) -> PairingHistory:
    seated = []
    for _ in range(rounds):
        order = chance.sample(range(players), players)
        ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
        seated.append(RoundSeats(tuple(tuple(order[end - size : end]) for end, size in zip(ends, sizes, strict=True))))
    return history_of(seated)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([(2, 2), (3, 2), (2, 2, 2), (3, 3), (4, 3), (2, 2, 2, 2), (3, 3, 2), (4, 4), (3, 2, 2)]),
    st.integers(0, 4),
    st.integers(),
    st.booleans(),
)
def test_the_exact_draw_is_that_of_brute_force(sizes: tuple[int, ...], rounds: int, seed: int, is_swiss: bool) -> None:
    chance, players = Random(seed), tuple(range(sum(sizes)))
    history = random_history(len(players), rounds, chance, sizes)
    points = {player: chance.randrange(5) for player in players} if is_swiss else {}
    cost = round_cost(history, points)
    costs = {
        division: sum(cost(tuple(sorted(group))) for group in division) for division in every_division(players, sizes)
    }
    least = min(costs.values())
    assert least // REPEAT >= repeats_at_least(history, players, sizes)
    best = BestRound(players, sizes, cost)
    assert (best.cost, best.count) == (least, list(costs.values()).count(least))
    assert costs[frozenset(map(frozenset, best.draw(chance)))] == least


def test_each_of_the_best_draws_has_the_same_chance() -> None:
    # 4 players at tables of 2: 3 draws; a chi-square of 16 with 2 degrees of freedom has a chance of 0.0003
    chance = Random(4)
    best = BestRound((1, 2, 3, 4), (2, 2), round_cost(PairingHistory(), {}))
    seen = Counter(frozenset(map(frozenset, best.draw(chance))) for _ in range(600))
    assert len(seen) == 3
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 16


@pytest.mark.parametrize(("players", "size", "count"), [(12, 3, 15_400), (12, 4, 5775), (10, 2, 945), (9, 3, 280)])
def test_how_many_draws_there_are(players: int, size: int, count: int) -> None:
    # n! / (size!^tables * tables!)
    assert BestRound(range(players), (size,) * (players // size), lambda _group: 0).count == count


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 17), st.integers(2, 4), st.integers(1, 9), st.integers(0, 3), st.booleans(),
    st.sampled_from([(2, 4), (3, 4), (2, 2), (4, 4), (3, 3)]), st.integers(0, 9),
)  # fmt: skip
def test_every_player_is_in_each_round_once(
    players: int, preferred: int, tables: int, rounds: int, is_swiss: bool, seats: tuple[int, int], seed: int
) -> None:
    numbers, earlier = tuple(range(1, players + 1)), []
    byes = Counter[int]()
    for number in range(rounds + 1):
        points = {player: player % 4 for player in numbers} if is_swiss else None
        task = Task(numbers, tuple(earlier), seats, preferred, tables, f"{seed} {number}", points)
        draw = draw_round(task)
        assert draw == draw_round(task)
        assert sorted([player for table in draw.tables for player in table] + list(draw.byes)) == list(numbers)
        assert len(draw.tables) <= tables
        assert all(seats[0] <= len(table) <= seats[1] for table in draw.tables)
        sizes = sorted(map(len, draw.tables))
        assert not sizes or sizes[-1] - sizes[0] <= 1
        assert draw.repeats == history_of(earlier).repeats(draw.tables) >= draw.at_least
        byes.update(draw.byes)
        if draw.byes:
            assert max(byes[player] for player in numbers) - min(byes[player] for player in numbers) <= 1
        earlier.append(draw.seats)


@pytest.mark.parametrize(
    ("players", "seats", "preferred", "tables", "sizes", "byes"),
    [
        (12, (2, 4), 3, 9, (3, 3, 3, 3), 0),
        (13, (2, 4), 3, 9, (4, 3, 3, 3), 0),
        (14, (2, 4), 4, 9, (4, 4, 3, 3), 0),
        (7, (2, 4), 4, 9, (4, 3), 0),
        (5, (2, 4), 4, 9, (3, 2), 0),
        (5, (2, 2), 2, 9, (2, 2), 1),
        (5, (4, 4), 4, 9, (4,), 1),
        (5, (3, 4), 3, 9, (4,), 1),
        (1, (2, 4), 3, 9, (), 1),
        (20, (2, 4), 3, 4, (4, 4, 4, 4), 4),
        (2000, (2, 4), 4, 500, (4,) * 500, 0),
    ],
)
def test_sizes_of_tables(
    players: int, seats: tuple[int, int], preferred: int, tables: int, sizes: tuple[int, ...], byes: int
) -> None:
    seating = table_sizes(players, seats, preferred, tables)
    assert (seating.sizes, seating.byes) == (sizes, byes)


def drawn_rounds(players: int, size: int, rounds: int, by_lot: int, seed: str = "ides") -> list[Draw]:
    numbers, draws = tuple(range(1, players + 1)), list[Draw]()
    points, chance = dict.fromkeys(numbers, 0), Random(seed)
    for number in range(rounds):
        swiss = points if number >= by_lot else None
        earlier = tuple(draw.seats for draw in draws)
        plan = draws[-1].plan if draws else ()
        task = Task(numbers, earlier, (2, 4), size, 99, f"{seed} {number}", swiss, rounds - number - 1, plan)
        draws.append(draw_round(task))
        for table in draws[-1].tables:
            for place, player in enumerate(chance.sample(table, len(table))):
                points[player] += 12 * (len(table) - 1 - place) // (len(table) - 1)
    return draws


@pytest.mark.parametrize(
    ("players", "size", "rounds", "by_lot"),
    [
        (12, 3, 4, 1), (12, 3, 4, 4), (9, 3, 4, 1), (9, 3, 4, 4), (16, 4, 5, 5), (15, 3, 7, 7), (4, 2, 3, 1),
        (6, 2, 5, 1), (6, 2, 5, 5), (8, 2, 7, 1), (10, 2, 9, 9), (20, 4, 4, 1),
    ],
)  # fmt: skip
def test_nobody_meets_twice_where_a_schedule_without_that_is_known(
    players: int, size: int, rounds: int, by_lot: int
) -> None:
    # 9: affine plane of order 3; 16: of order 4; 15: Kirkman's schoolgirls; at tables of 2 everybody meets everybody
    draws = drawn_rounds(players, size, rounds, by_lot)
    assert [draw.repeats for draw in draws] == [0] * rounds
    met = Counter(frozenset(pair) for draw in draws for table in draw.tables for pair in pairs(table))
    assert len(met) == rounds * players * (size - 1) // 2


def test_in_a_round_robin_everybody_begins_equally_often() -> None:
    for players in (4, 6, 8):
        starts = Counter(table[0] for draw in drawn_rounds(players, 2, players - 1, 99) for table in draw.tables)
        assert {starts[player] for player in range(1, players + 1)} <= {players // 2 - 1, players // 2}


def test_who_is_due_begins() -> None:
    # whoever begins has not begun more often than anybody else at the table had
    starts, seats = Counter[int](), {player: Counter[int]() for player in range(1, 13)}
    for draw in drawn_rounds(12, 3, 4, 99):
        for table in draw.tables:
            assert starts[table[0]] == min(starts[player] for player in table)
            for seat, player in enumerate(table, 1):
                seats[player][seat] += 1
        starts.update(table[0] for table in draw.tables)
    assert max(starts.values()) - min(starts[player] for player in range(1, 13)) <= 1
    assert all(max(counts.values()) <= 2 for counts in seats.values())


def test_players_with_like_points_meet_in_swiss_rounds() -> None:
    numbers = tuple(range(1, 13))
    points = {player: player // 4 * 4 for player in numbers}  # 1-3: 0, 4-7: 4, 8-11: 8, 12: 12
    draw = draw_round(Task(numbers, (), (2, 4), 4, 9, "", points))
    assert [{points[player] for player in table} for table in draw.tables] == [{8, 12}, {4, 8}, {0, 4}]
    assert 12 in draw.tables[0]


@pytest.mark.parametrize(("players", "size", "rounds"), [(32, 4, 5), (100, 3, 5), (61, 4, 4), (33, 2, 7)])
def test_many_players_do_not_meet_again_either(players: int, size: int, rounds: int) -> None:
    for draw in drawn_rounds(players, size, rounds, 1):
        assert draw.repeats == draw.at_least == 0
        assert draw.is_exact


def test_the_search_swaps_only_for_the_better() -> None:
    chance, players, sizes = Random(3), tuple(range(24)), (4,) * 6
    history = random_history(24, 6, chance, sizes)
    points = {player: chance.randrange(0, 60, 6) for player in players}
    cost = round_cost(history, points)
    costs = [sum(map(cost, searched_groups(players, sizes, cost, points, Random(seed)))) for seed in range(2)]
    by_points = sorted(players, key=lambda player: -points[player])
    cut = sum(cost(tuple(by_points[at : at + 4])) for at in range(0, 24, 4))
    assert all(each < cut for each in costs)
    assert all(each // REPEAT <= 3 for each in costs)


def test_costs_are_worth_more_in_their_order() -> None:
    history = history_of([RoundSeats(((1, 2),))])
    apart, together = round_cost(history, {1: 600})((1, 3)), round_cost(history, {})((1, 2))
    assert 1000 * SPREAD < apart < REPEAT < together


@pytest.mark.parametrize(
    ("players", "size", "rounds", "bound"), [(12, 3, 5, 0), (12, 3, 6, 6), (4, 4, 2, 6), (4, 2, 4, 2)]
)
def test_repeats_that_no_schedule_can_avoid(players: int, size: int, rounds: int, bound: int) -> None:
    sizes = (size,) * (players // size)
    assert repeats_at_least(PairingHistory(), range(players), sizes, rounds) == bound
    plan = planned_rounds(PairingHistory(), range(players), sizes, rounds, Random(1), 20_000)
    earlier = tuple(RoundSeats(groups) for groups in plan.rounds)
    counted = sum(history_of(earlier[:at]).repeats(groups) for at, groups in enumerate(plan.rounds))
    assert plan.repeats == counted >= bound


def test_five_rounds_of_twelve_at_tables_of_three_need_repeats() -> None:
    # there is no nearly Kirkman triple system of order 12
    plan = planned_rounds(PairingHistory(), range(12), (3,) * 4, 5, Random(1), 40_000)
    assert 1 <= plan.repeats <= 4


def test_byes_go_round() -> None:
    numbers, earlier = (1, 2, 3), list[RoundSeats]()
    for number in range(3):
        earlier.append(draw_round(Task(numbers, tuple(earlier), (2, 2), 2, 9, str(number), None, 2 - number)).seats)
    assert sorted(seats.byes[0] for seats in earlier) == [1, 2, 3]
    assert all(one.tables != other.tables for one, other in pairwise(earlier))
