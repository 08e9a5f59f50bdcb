from agents.history import MAX_CHARACTERS, MAX_TURNS, Turn, latest_turns


def test_latest_turns_are_kept_in_order() -> None:
    turns = [Turn(str(number), "") for number in range(MAX_TURNS + 2)]

    assert latest_turns(turns) == turns[2:]


def test_turns_that_do_not_fit_are_left_out_from_the_oldest_on() -> None:
    long = "x" * (MAX_CHARACTERS // 2 - 1)
    turns = [Turn("1", ""), Turn("2", long), Turn("3", long)]

    assert latest_turns(turns) == turns[1:]


def test_turn_that_is_too_long_alone_is_left_out() -> None:
    assert latest_turns([Turn("1", "x" * MAX_CHARACTERS)]) == []


def test_turns_fit_the_room_that_is_left() -> None:
    turns = [Turn("one", "x" * 10), Turn("two", "y" * 10)]

    assert latest_turns(turns, 13) == turns[1:]
    assert latest_turns(turns, 12) == []
