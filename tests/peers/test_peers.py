"""The harness of the benchmark against other systems; none of them is imported."""

import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from peers.clock import cpu_seconds, with_share
from peers.models import all_cases, change_point, heavy_tail, spike_and_slab_truth
from peers.pages import cells, first_answers, replaced, target_table
from peers.record import Run, Task, append, read, remaining
from peers.run import SYSTEMS, tasks
from peers.scores import effective, first_answer, r_hats, usable
from peers.summary import answer, ratios, row_of, summarise, verdict
from peers.systems.with_jags import read_coda, written

import lfppl

RNG = np.random.default_rng(7)


def run(system="lfppl", model="mixture 10", ess=1000.0, seconds=2.0, **others):
    facts = {"r_hat": 1.001, "error": 0.01, "error_z": 0.5, "answer_s": 3.0, "total_s": 5.0}
    named = {"precision": 64, "repetition": 1, **facts, **others}
    return Run(model, system, ess=ess, sample_s=seconds, **named)


# --- resuming -------------------------------------------------------------------------------------


def test_a_run_written_down_is_not_made_again(tmp_path):
    path = tmp_path / "folder" / "results.jsonl"
    wanted = tasks(["mixture 10"], ["lfppl", "jags"], repetitions=2, single=1)
    assert read(path) == [] and remaining(wanted, []) == wanted
    append(path, run("jags"))
    append(path, run("lfppl", repetition=2))
    left = [(task.system, task.repetition) for task in remaining(wanted, read(path))]
    assert left == [("lfppl", 1), ("jags", 2)]


def test_what_is_read_is_what_was_appended(tmp_path):
    path, made = tmp_path / "results.jsonl", run(versions={"jags": "4.3.1"}, status="stopped")
    append(path, made)
    assert read(path) == [made]


def test_rounds_go_through_all_models_before_the_next_and_float32_has_one():
    wanted = tasks(["mixture 10", "binomial"], ["numpyro nuts"], repetitions=2, single=1)
    assert [(task.model[0], task.precision, task.repetition) for task in wanted] == [
        ("m", 64, 1),
        ("m", 32, 1),
        ("b", 64, 1),
        ("b", 32, 1),
        ("m", 64, 2),
        ("b", 64, 2),
    ]


def test_a_system_without_a_version_is_not_run():
    assert tasks(["spike and slab"], ["stan", "nutpie"], 5, 1) == []


# --- scores ---------------------------------------------------------------------------------------


def test_independent_draws_are_usable_and_chains_apart_are_not():
    draws = RNG.normal(size=(4, 1000, 3))
    assert usable(draws) and effective(draws).min() > 3000
    apart = draws + np.arange(4)[:, None, None] * [0, 0, 1]
    assert not usable(apart) and r_hats(apart).argmax() == 2


def test_a_quantity_that_never_moves_has_no_effective_draws():
    draws = RNG.normal(size=(4, 100, 2))
    draws[:, :, 1] = 3.0
    assert effective(draws)[1] == 0 and r_hats(draws)[1] == np.inf and first_answer(draws) is None


def test_the_first_answer_comes_after_the_share_of_draws_that_suffices():
    share = first_answer(RNG.normal(size=(4, 4000, 1)))
    assert share is not None and 50 / 4000 < share < 300 / 4000


# --- verdicts and targets -------------------------------------------------------------------------


def test_a_fast_wrong_answer_is_called_wrong():
    right, apart = run(), run(r_hat=1.8)
    off, far_by_chance = run(error=0.5, error_z=9.0), run(error=0.5, error_z=1.0)
    assert verdict([right, far_by_chance]) == "right" and verdict([off]) == "wrong"
    assert verdict([right, apart, off]) == "wrong in 2 of 3" and verdict([]) == "failed"


def test_runs_without_an_answer_count_as_endless():
    early, never = run(answer_s=1.0), run(answer_s=None)
    assert answer([early, early, never]) == 1.0 and answer([early, never, never]) is None


def test_a_row_holds_medians_and_the_range():
    row = row_of([run(ess=ess) for ess in (100.0, 500.0, 200.0)], by_hand=False)
    assert (row.ess_per_s, row.ess_per_s_least, row.ess_per_s_most) == (100.0, 50.0, 250.0)
    assert row.ess_per_s_of_all == 40.0 and row.runs == 3


def test_compile_times_come_from_runs_with_empty_caches_only():
    row = row_of([run(compile_s=20.0), run(compile_s=0.1, fresh=False)], by_hand=True)
    assert row.compile_s == 20.0 and row.runs == 2


def test_ratios_are_to_the_best_right_one_of_each_kind():
    runs = [
        run("lfppl", ess=8000.0),
        run("pymc", ess=100.0),
        run("numpyro gibbs", ess=400.0),
        run("numpyro mixed", ess=9000.0, r_hat=1.7),
        run("nutpie", ess=16_000.0),
        run("jags", ess=1000.0),
    ]
    rows = summarise(runs)
    found = {kind: ratio for kind, (ratio, _) in ratios(rows, "mixture 10", smooth=False).items()}
    assert found == {"as written": 20.0, "JAGS": 8.0, "by hand": 0.5}
    table = target_table(rows)
    assert "NumPyro gibbs | 20 | 20 | yes" in table and "nutpie (by hand) | 0.50 | 1 |" in table


def test_the_page_says_where_another_system_answers_first():
    rows = summarise([run(answer_s=2.0), run("jags", answer_s=1.0)])
    assert "| mixture 10 | 2.0 | JAGS | 1.0 | **no** |" in first_answers(rows)


def test_a_failed_system_is_a_row_with_its_reason():
    row = row_of([run("stan", status="failed", reason="no compiler")], by_hand=True)
    assert cells(row)[2:5] == ("no compiler", "–", "failed")


def test_a_page_without_the_marks_stays_as_it_is():
    assert replaced("text", "targets", "table") == "text"


# --- models ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", all_cases().values(), ids=lambda case: case.name)
def test_every_system_has_a_version_or_a_reason(case):
    systems = {system for system, _ in SYSTEMS}
    assert set(case.versions) | set(case.without) == systems
    assert not set(case.versions) & set(case.without)


def test_every_model_of_lfppl_compiles_and_samples_what_is_kept():
    for case in all_cases().values():
        words = case.versions["lfppl"].build.replace("(", " ").replace(")", " ").split()
        data = {name: value for name, value in case.data.items() if name in words}
        model = lfppl.compile(case.versions["lfppl"].build, data)
        assert set(case.keep) & set(model.sampled), case.name


def test_the_radius_of_the_heavy_tail_is_that_of_a_plain_integral():
    def density(y, x):
        r = np.hypot(x, y)
        return np.exp(-r - (max(abs(x), abs(y)) > 3))

    def integral(f):
        edges = (-6, -3, 0, 3, 6)
        tiles = [(a, a + 3, b, b + 3) for a in edges[:-1] for b in edges[:-1]]
        return sum(dblquad(f, *tile, epsabs=1e-7)[0] for tile in tiles)

    radius = integral(lambda y, x: np.hypot(x, y) * density(y, x)) / integral(density)
    found = heavy_tail.truth(2)
    np.testing.assert_allclose(found.mean, [radius, 0, 0], atol=1e-5)
    second = integral(lambda y, x: x * x * density(y, x)) / integral(density)
    assert found.sd[1] == pytest.approx(np.sqrt(second), rel=1e-5)


def test_the_rates_of_the_change_point_are_those_of_a_plain_integral():
    counts, years = change_point.COUNTS, change_point.YEARS

    def part(power, n, total):
        # The integral of rate^(total + power) exp(-(n + 1) rate), scaled against overflow.
        peak = max(total, 1) / (n + 1)
        top = total * np.log(peak) - (n + 1) * peak
        value = quad(
            lambda r: np.exp(total * np.log(r) - (n + 1) * r - top) * r**power,
            1e-9,
            20,
            points=[peak],
            limit=200,
        )[0]
        return value, top

    weights, early = [], []
    for year in range(years):
        before, after = counts[:year].sum(), counts[year:].sum()
        (zero, first), (late, second) = part(0, year, before), part(0, years - year, after)
        weights.append(np.log(zero) + first + np.log(late) + second)
        early.append(part(1, year, before)[0] / zero)
    share = np.exp(np.array(weights) - max(weights))
    share /= share.sum()
    expected = [share @ np.arange(years), share @ np.array(early)]
    np.testing.assert_allclose(change_point.truth().mean[:2], expected, rtol=1e-6)


def test_sums_over_subsets_are_those_of_every_regression_by_itself():
    design, noise, odds = RNG.normal(size=(12, 3)), 0.7, 0.4
    y = design @ [1.0, 0.0, -0.6] + noise * RNG.normal(size=12)
    total, first, second = -np.inf, np.zeros(3), np.zeros(3)
    weights, means, squares = [], [], []
    for subset in range(8):
        chosen = [j for j in range(3) if subset >> j & 1]
        x = design[:, chosen]
        covariance = noise**2 * np.eye(12) + x @ x.T
        fit = y @ np.linalg.solve(covariance, y)
        log_weight = -0.5 * (np.linalg.slogdet(covariance)[1] + fit) + len(chosen) * np.log(odds)
        spread = np.linalg.inv(np.eye(len(chosen)) + x.T @ x / noise**2)
        mean, square = np.zeros(3), np.zeros(3)
        mean[chosen] = spread @ x.T @ y / noise**2
        square[chosen] = mean[chosen] ** 2 + np.diag(spread)
        weights.append(log_weight), means.append(mean), squares.append(square)
    share = np.exp(np.array(weights) - max(weights))
    total = max(weights) + np.log(share.sum())
    share /= share.sum()
    gram, cross = design.T @ design, design.T @ y
    log_sum, first, second = spike_and_slab_truth.every_subset.py_func(
        gram, cross, noise, np.log(odds)
    )
    np.testing.assert_allclose(first, share @ np.array(means), rtol=1e-10)
    np.testing.assert_allclose(second, share @ np.array(squares), rtol=1e-10)
    constant = 0.5 * (y @ y) / noise**2 + 12 * np.log(noise)
    assert log_sum == pytest.approx(total + constant, rel=1e-10)


# --- the clock ------------------------------------------------------------------------------------


def test_waiting_costs_no_processor_time_and_work_does():
    _, waiting = with_share(lambda: time.sleep(0.2))
    _, working = with_share(lambda: [sum(range(1000)) for _ in range(5000)])
    assert waiting < 0.5 and 0 < working <= 1.0


def test_a_child_counts_while_it_lives_and_afterwards():
    before = cpu_seconds()
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", work], stdin=PIPE, stdout=PIPE, text=True)
    child.stdout.readline()
    alive = cpu_seconds() - before
    child.communicate("\n")
    assert alive > 0.25 and cpu_seconds() - before > 0.25


# --- files of JAGS --------------------------------------------------------------------------------


def test_a_matrix_is_written_by_columns():
    assert written(np.array([[1, 2], [3, 4]])) == "structure(c(1, 3, 2, 4), .Dim = c(2, 2))"
    assert (written(np.array([0.5, 1])), written(np.array(3))) == ("c(0.5, 1.0)", "3")


def test_draws_of_jags_are_read_by_name_chain_and_index(tmp_path):
    (tmp_path / "CODAindex.txt").write_text("tau 1 2\nmu[1] 3 4\nmu[2] 5 6\n")
    for chain in (1, 2):
        rows = [f"{i} {10 * chain + i}" for i in range(1, 7)]
        (tmp_path / f"CODAchain{chain}.txt").write_text("\n".join(rows))
    found = read_coda(tmp_path, 2)
    assert found["tau"].tolist() == [[11, 12], [21, 22]]
    assert found["mu"].shape == (2, 2, 2) and found["mu"][1].tolist() == [[23, 25], [24, 26]]


def test_a_task_is_what_a_run_answers():
    assert run(repetition=3).task == Task("mixture 10", "lfppl", 64, 3)
