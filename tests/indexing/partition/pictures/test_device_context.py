import pytest

from indexing.partition.pictures.device_context import (
    BASELINE,
    BOTTOM,
    CENTER,
    MAX_CHARACTERS,
    MAX_RUNS,
    MAX_SAVED,
    MM_ANISOTROPIC,
    RIGHT,
    UPDATE_POSITION,
    DeviceContext,
    Font,
    MetafileUnreadable,
    Run,
    State,
)

MM_LOMETRIC = 2
QUARTER_TURN = (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)


def written(state: State, text: str = "lamp") -> Run:
    """Return the run of a text that was written at 100, 50, its letters 5 wide and 10 high."""
    state.font = Font(10, state.font.escapement)
    context = DeviceContext(state)
    context.write(text, (100, 50), [5] * len(text))
    return context.runs[0]


@pytest.mark.parametrize(
    ("align", "place"),
    [
        pytest.param(BASELINE, (100, 50), id="beginning of the baseline"),
        pytest.param(0, (100, 58), id="upper left corner"),
        pytest.param(BOTTOM, (100, 48), id="lower left corner"),
        pytest.param(BASELINE | RIGHT, (80, 50), id="end of the baseline"),
        pytest.param(BASELINE | CENTER, (90, 50), id="middle of the baseline"),
    ],
)
def test_the_place_of_a_text_is_where_its_baseline_begins(
    align: int, place: tuple[float, float]
) -> None:
    run = written(State(text_align=align))

    assert (run.x, run.y) == pytest.approx(place)
    assert (run.width, run.height, run.is_measured) == (20, 10, True)


@pytest.mark.parametrize(
    ("state", "place", "size", "angle"),
    [
        pytest.param(State(), (100, 50), (20, 10), 0, id="pixels"),
        pytest.param(State(map_mode=MM_LOMETRIC), (100, -50), (20, 10), 0, id="upwards"),
        pytest.param(
            State(
                map_mode=MM_ANISOTROPIC,
                window_origin=(10, 20),
                window_extent=(1000, 1000),
                viewport_origin=(7, 0),
                viewport_extent=(2000, 3000),
            ),
            (187, 90),
            (40, 30),
            0,
            id="of a window in a viewport",
        ),
        pytest.param(
            State(map_mode=MM_ANISOTROPIC, window_extent=(4000, -3000)),
            (100, -50),
            (20, 10),
            0,
            id="of a window that goes upwards",
        ),
        pytest.param(State(world=(2, 0, 0, 3, 1, 1)), (201, 151), (40, 30), 0, id="stretched"),
        pytest.param(State(world=QUARTER_TURN), (-50, 100), (20, 10), -90, id="turned"),
        pytest.param(State(font=Font(10, 90)), (100, 50), (20, 10), 90, id="writing upwards"),
    ],
)
def test_coordinates_become_places_on_the_device(
    state: State, place: tuple[float, float], size: tuple[float, float], angle: float
) -> None:
    state.text_align = BASELINE

    run = written(state)

    assert (run.x, run.y) == pytest.approx(place)
    assert (run.width, run.height) == pytest.approx(size)
    assert run.angle == pytest.approx(angle)


def test_a_turned_text_has_its_corner_turned_too() -> None:
    run = written(State(font=Font(10, 90)))

    assert (run.x, run.y) == pytest.approx((108, 50))


@pytest.mark.parametrize(
    ("is_first", "place"),
    [pytest.param(True, (300, 110), id="before"), pytest.param(False, (250, 105), id="behind")],
)
def test_a_shift_counts_before_a_stretch_or_behind_it(
    is_first: bool, place: tuple[float, float]
) -> None:
    context = DeviceContext(State(text_align=BASELINE, world=(2, 0, 0, 2, 0, 0)))

    context.transform((1, 0, 0, 1, 50, 5), is_first=is_first)
    context.write("lamp", (100, 50), [5] * 4)

    assert (context.runs[0].x, context.runs[0].y) == place


def test_the_pen_moves_on_behind_a_text() -> None:
    context = DeviceContext(State(text_align=BASELINE | UPDATE_POSITION, position=(30, 40)))
    context.write("deck ", (0, 0), [5] * 5)
    context.write("lamp", (0, 0), [5] * 4)

    assert [(run.x, run.y) for run in context.runs] == [(30, 40), (55, 40)]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        pytest.param("illicit", 2.0, id="narrow letters"),
        pytest.param("WOMBAT", 4.5, id="wide letters"),
        pytest.param("東京都", 3.0, id="square letters"),
    ],
)
def test_a_width_that_is_not_told_is_guessed(text: str, width: float) -> None:
    context = DeviceContext(State(font=Font(100)))
    context.write(text, (0, 0))

    assert context.runs[0].width / 100 == pytest.approx(width, rel=0.2)
    assert not context.runs[0].is_measured


@pytest.mark.parametrize(
    ("number", "map_modes_left"),
    [pytest.param(-1, 3, id="the last"), pytest.param(2, 2, id="by its number")],
)
def test_a_saved_state_comes_back(number: int, map_modes_left: int) -> None:
    context = DeviceContext()
    for map_mode in (1, 2, 3):
        context.state.map_mode = map_mode
        context.save()
    context.state.map_mode = 4

    context.restore(number)

    assert context.state.map_mode == map_modes_left


@pytest.mark.parametrize("number", [-(1 << 31), 0, 5, 1 << 30])
def test_no_number_goes_back_further_than_the_beginning(number: int) -> None:
    context = DeviceContext()
    for _ in range(MAX_SAVED + 5):
        context.save()

    context.restore(number)

    assert context.state == State()


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(State(world=(0, 0, 0, 0, 0, 0)), id="of no size"),
        pytest.param(State(world=(float("nan"), 0, 0, 1, 0, 0)), id="nowhere"),
        pytest.param(State(world=(1e38, 0, 0, 1e38, float("inf"), 0)), id="endlessly far"),
        pytest.param(State(font=Font(10, charset=2)), id="in a symbol font"),
        pytest.param(State(font=Font(10, face="Wingdings 2")), id="in a font of pictures"),
    ],
)
def test_other_texts_are_left_out(state: State) -> None:
    context = DeviceContext(state)

    context.write("lamp", (1, 1), [5] * 4)

    assert context.runs == []


def test_no_more_texts_are_kept_than_are_read() -> None:
    context = DeviceContext()

    with pytest.raises(MetafileUnreadable, match="more text"):
        context.write("m" * (MAX_CHARACTERS + 1), (0, 0))
    context = DeviceContext(runs=[written(State())] * MAX_RUNS)
    with pytest.raises(MetafileUnreadable, match="more text"):
        context.write("lamp", (0, 0))


@pytest.mark.parametrize(
    ("height", "em"),
    [
        pytest.param(-12, 12, id="of an em"),
        pytest.param(23, 20, id="of a line"),
        pytest.param(0, 12, id="not told"),
    ],
)
def test_the_height_of_a_font_is_that_of_its_em(height: int, em: float) -> None:
    font = Font.asked_for(height, 900, 204, "Arial\0rest")

    assert font.height == pytest.approx(em)
    assert (font.escapement, font.charset, font.face) == (90, 204, "Arial")


@pytest.mark.parametrize(
    ("charset", "code_page"),
    [pytest.param(0, "cp1252", id="Western"), pytest.param(204, "cp1251", id="Russian")],
)
def test_a_font_has_a_code_page(charset: int, code_page: str) -> None:
    assert Font(charset=charset).code_page == code_page
