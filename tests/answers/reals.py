"""Programs of counts, thresholds and real numbers: exact answers by sums and quadrature."""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, gammaln
from scipy.stats import norm

from answers.answer import Answer, Draws, Floats, normal_log_density, normalised


def binomial() -> Answer:
    """An unknown number of trials with an unknown probability; the probability integrated out."""
    y, n = np.array([8.0, 11.0, 7.0, 10.0]), np.arange(11, 61)
    a, b = 2 + y.sum(), 3 + len(y) * n - y.sum()
    chosen = gammaln(n[:, None] + 1) - gammaln(y + 1) - gammaln(n[:, None] - y + 1)
    share = normalised(chosen.sum(1) + betaln(a, b))
    expected = {
        "n": float(share @ n),
        "n squared": float(share @ n**2),
        "n below 20": float(share @ (n < 20)),
        "p": float(share @ (a / (a + b))),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        n = draws["n"].astype(float)
        return {"n": n, "n squared": n**2, "n below 20": (n < 20) * 1.0, "p": draws["p"]}

    source = """
    (let [n (sample (discrete-uniform 0 60))
          p (sample (beta 2 3))]
      (doseq [i (range (count y))] (observe (binomial n p) (get y i)))
      [n p])"""
    return Answer(source, {"y": y}, expected, measure, draws=20_000)


COUNTS = np.array([4, 5, 4, 1, 0, 4, 3, 4, 0, 6, 3, 3, 1, 0, 1, 0, 2, 1, 1, 0, 1, 0], float)


def change_point() -> Answer:
    """Poisson counts whose rate changes once; both rates by quadrature, in each of the years."""
    rate = np.linspace(0, 12, 4001)[1:]
    prior = np.log(rate) - rate

    def integrals(counts: Floats) -> tuple[float, float]:
        """log of the evidence of some counts, and the mean of their rate."""
        log_density = prior + counts.sum() * np.log(rate) - len(counts) * rate
        weights = np.exp(log_density - log_density.max())
        return float(np.log(weights.sum()) + log_density.max()), float(
            weights @ rate / weights.sum()
        )

    years = np.arange(len(COUNTS))
    before = np.array([integrals(COUNTS[: year + 1]) for year in years])
    after = np.array([integrals(COUNTS[year + 1 :]) for year in years])
    share = normalised(before[:, 0] + after[:, 0])
    expected = {
        "tau": float(share @ (years + 0.5)),
        "tau squared": float(share @ (years**2 + years + 1 / 3)),
        "early": float(share @ before[:, 1]),
        "late": float(share @ after[:, 1]),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        tau = draws["tau"]
        return {"tau": tau, "tau squared": tau**2, "early": draws["early"], "late": draws["late"]}

    source = """
    (let [tau (sample (uniform 0 (count counts)))
          early (sample (gamma 2 1))
          late (sample (gamma 2 1))]
      (doseq [t (range (count counts))]
        (observe (poisson (if (< t tau) early late)) (get counts t)))
      tau)"""
    return Answer(source, {"counts": COUNTS}, expected, measure, tolerance=1e-5, draws=10_000)


def figure_1() -> Answer:
    """Figure 1 of the paper: uniform on both sides of q, with the masses of the two branches."""
    q, y = 0.3, 0.4
    above, below = (1 - q) * norm.pdf(y, 1, 1), q * norm.pdf(y, 0, 1)
    share = above / (above + below)
    expected = {"above": share, "x": share * (1 + q) / 2 + (1 - share) * q / 2}
    source = """
    (let [x (sample (uniform 0 1))]
      (if (< (- q x) 0) (observe (normal 1 1) y) (observe (normal 0 1) y))
      (< (- q x) 0))"""

    def measure(draws: Draws) -> dict[str, Floats]:
        return {"above": (draws["x"] > q) * 1.0, "x": draws["x"]}

    return Answer(source, {"q": q, "y": y}, expected, measure, draws=10_000)


def truncated() -> Answer:
    """A normal cut off by a branch of density zero, in two coordinates, on a fine grid."""
    source = """
    (let [x (sample (normal 0 1))
          y (sample (normal x 0.5))]
      (if (< (+ x y) 0.5) (factor (log 0)) 0)
      x)"""

    def density(x: Floats, y: Floats) -> Floats:
        inside = normal_log_density(x, 0, 1) + normal_log_density(y, x, 0.5)
        return np.where(x + y < 0.5, -np.inf, inside)

    return on_a_grid(source, density, (-4.0, 6.0))


def islands() -> Answer:
    """Two islands with a strait between them that x must leap over, and unequal masses."""
    source = """
    (let [x (sample (uniform -2 3))
          y (sample (uniform -2 3))]
      (if (or (and (< x 0) (< y 1)) (and (> x 0.5) (> y 0)))
        (factor (* 0.5 (- x y)))
        (factor (log 0)))
      x)"""

    def density(x: Floats, y: Floats) -> Floats:
        inside = ((x < 0) & (y < 1)) | ((x > 0.5) & (y > 0))
        return np.where(inside, 0.5 * (x - y), -np.inf)

    return on_a_grid(source, density, (-2.0, 3.0))


def hole() -> Answer:
    """Correlated normals with a region of density zero in the middle."""
    source = """
    (let [x (sample (normal 0 1.5))
          y (sample (normal (* 0.6 x) 1))]
      (if (and (< (abs x) 0.8) (< (abs (- y 0.3)) 0.7)) (factor (log 0)) 0)
      x)"""

    def density(x: Floats, y: Floats) -> Floats:
        whole = normal_log_density(x, 0, 1.5) + normal_log_density(y, 0.6 * x, 1)
        return np.where((abs(x) < 0.8) & (abs(y - 0.3) < 0.7), -np.inf, whole)

    return on_a_grid(source, density, (-9.0, 9.0))


def on_a_grid(source: str, log_density: object, bounds: tuple[float, float]) -> Answer:
    """Moments of two coordinates by the midpoint rule on 3,000 x 3,000 points."""
    width = (bounds[1] - bounds[0]) / 3000
    line = bounds[0] + width * (np.arange(3000) + 0.5)
    x, y = np.meshgrid(line, line, indexing="ij")
    share = normalised(log_density(x, y))  # type: ignore[operator]

    def moments(x: Floats, y: Floats) -> dict[str, Floats]:
        return {"x": x, "y": y, "x x": x * x, "x y": x * y, "y y": y * y, "x < 0": (x < 0) * 1.0}

    expected = {name: float((share * value).sum()) for name, value in moments(x, y).items()}

    def measure(draws: Draws) -> dict[str, Floats]:
        return moments(draws["x"], draws["y"])

    return Answer(source, {}, expected, measure, tolerance=2e-3, draws=40_000)


def funnel() -> Answer:
    """Neal's funnel; the widths are lognormal, and known."""
    source = """
    (let [v (sample (normal 0 1.5))
          x (for [i (range 3)] (sample (normal 0 (exp (/ v 2)))))]
      v)"""
    tail = 2 * norm.cdf(-1.0)
    expected = {"v": 0.0, "v squared": 2.25, "narrow": 0.5, "small": 1 - tail}

    def measure(draws: Draws) -> dict[str, Floats]:
        v, x = draws["v"], draws["x"]
        small = np.abs(x[..., 0]) < np.exp(v / 2)
        return {"v": v, "v squared": v**2, "narrow": (v < 0) * 1.0, "small": small * 1.0}

    options = {"target_acceptance": 0.99}
    return Answer(source, {}, expected, measure, draws=20_000, options=options)


EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def eight_schools() -> Answer:
    """Eight schools (Rubin, 1981): the mean integrated out, the spread by quadrature."""
    tau = np.tan(np.linspace(0, np.pi / 2, 20_002)[1:-1]) * 5  # equal parts of the half-Cauchy
    variance = ERRORS**2 + tau[:, None] ** 2
    precision = 1 / 25 + (1 / variance).sum(1)
    centre = (EFFECTS / variance).sum(1) / precision
    log_weight = -0.5 * (np.log(variance) + EFFECTS**2 / variance).sum(1)
    share = normalised(log_weight + 0.5 * (precision * centre**2 - np.log(precision)))
    shrunk = tau[:, None] ** 2 / variance
    theta = shrunk * EFFECTS + (1 - shrunk) * centre[:, None]
    expected = {
        "mu": float(share @ centre),
        "mu squared": float(share @ (centre**2 + 1 / precision)),
        "log tau": float(share @ np.log(tau)),
        "theta[0]": float(share @ theta[:, 0]),
        "theta[7]": float(share @ theta[:, 7]),
    }
    source = """
    (let [mu (sample (normal 0 5))
          tau (sample (half-cauchy 5))
          eta (for [j (range (count y))] (sample (normal 0 1)))
          theta (for [j (range (count y))] (+ mu (* tau (get eta j))))]
      (doseq [j (range (count y))]
        (observe (normal (get theta j) (get s j)) (get y j)))
      theta)"""

    def measure(draws: Draws) -> dict[str, Floats]:
        mu, theta = draws["mu"], draws["return"]
        return {
            "mu": mu,
            "mu squared": mu**2,
            "log tau": np.log(draws["tau"]),
            "theta[0]": theta[..., 0],
            "theta[7]": theta[..., 7],
        }

    data = {"y": EFFECTS, "s": ERRORS}
    return Answer(source, data, expected, measure, tolerance=1e-3, draws=10_000)
