"""What people write on the pages of the worked examples; all else on them is made."""

from __future__ import annotations

from dataclasses import dataclass

HISTOGRAM = "Posterior draws; the vertical lines are the exact means."
SERIES = "Above the counts, below the posterior of the changes."
LINES = "The data, and lines drawn from the posterior."


@dataclass(frozen=True)
class Prose:
    """The words of a page."""

    title: str
    data: str
    found: str
    figure: str = HISTOGRAM


PROSE = {
    "broken-line": Prose(
        "A line with a knee",
        "They are simulated with seed 6: a line of height 1 at its knee, 0.5, with slopes -0.5"
        " and 2 and noise of 0.3.",
        "`knee` is in Γ because an `if` compares it with data. The line itself is continuous"
        " there, so the density bends at a datum and does not jump: Γ holds more than it must,"
        " which costs some speed and no correctness. Ordinary NUTS manages this model too; the"
        " [regression with a threshold](regression-threshold.md) is the one it cannot do.",
        LINES,
    ),
    "capture-recapture": Prose(
        "Capture and recapture",
        "24 animals were caught and marked, later 21, of which 9 had a mark.",
        "`unseen` is a count, so it is in Γ. The probability `p` to be caught stays smooth: it"
        " enters the density through logarithms only. Stan would need the sum over `unseen`"
        " written by hand, up to a bound.",
    ),
    "censored": Prose(
        "Censored life times",
        "The three readings of 4.1 are the instrument's highest; they are made up.",
        "Each `if` compares a reading with `limit`, and the two branches give it a density and a"
        " probability: `limit` is in Γ, `mu` and `sd` are not, since no `if` reads them.",
    ),
    "change-point": Prose(
        "A change point",
        "Eighty counts.",
        "`tau` decides which rate a count has. As it moves between two times nothing changes, and"
        " as it passes one the density jumps: its gradient is zero everywhere, and NUTS would"
        " never move it for a reason.",
        SERIES,
    ),
    "change-points": Prose(
        "Two change points",
        "They are simulated with seed 2: sixty counts of rate 2, from time 20 on of rate 6, from"
        " time 45 on of rate 1.",
        "Both changes are in Γ, by their own comparison each. That the prior of the second begins"
        " at the first is no jump: `uniform` with random ends is sampled as a position between"
        " them. The warning about zero density is about a first change at the very end.",
        SERIES,
    ),
    "coal-mining": Prose(
        "Coal mining disasters",
        "It holds the yearly numbers of explosions in British coal mines that killed ten or more"
        " men, 1851 to 1962, 191 in all: R. G. Jarrett, A note on the intervals between coal-"
        "mining disasters, Biometrika 66 (1979), 191–193, counted by calendar year. The series"
        " begins in March 1851 and ends in March 1962; both are kept as whole years.",
        "`change` decides for every year which rate it has.",
        SERIES,
    ),
    "eight-schools": Prose(
        "Eight schools",
        "The estimated effects of coaching in eight schools and their standard errors: D. B."
        " Rubin, Estimation in parallel randomized experiments, Journal of Educational Statistics"
        " 6 (1981), 377–401.",
        "Nothing jumps, so the default engine is ordinary NUTS. For models like this one Stan is"
        " as good.",
    ),
    "figure-1": Prose(
        "Figure 1 of the paper",
        "The two numbers are made up.",
        "The predicate reads `x` through a difference, and the analysis follows it there. The"
        " value of the program is the predicate itself, and may be read off without making a jump.",
        "Posterior draws of x; the density jumps where x is 0.4.",
    ),
    "heavy-tail": Prose(
        "A heavy tail with a shell",
        "The matrix of five dimensions; any other may be given.",
        "`max` and `abs` are sugar for branches, and all five coordinates reach the predicate. A"
        " coordinate that moves updates `A x` by one column and the maximum by one path of a tree.",
        "Posterior draws of three coordinates; the density is less beyond -3 and 3.",
    ),
    "hidden-markov": Prose(
        "A hidden Markov model",
        "Twenty made-up readings around -2, 0 and 3.",
        "States are discrete, so they are all in Γ; they pick the next transition and the"
        " emission out of vectors of distributions. With forward-backward at hand, as here, it is"
        " the better tool: sampling is for models in which the states do something that no table"
        " of sums has.",
        "Above the readings, below how likely each state is.",
    ),
    "ising": Prose(
        "An Ising ring",
        "The coupling, and a field for each of eight spins.",
        "The spins are discrete. `factor` ties neighbours together without any observation:"
        " models without a direction can be written so.",
    ),
    "jolly-seber": Prose(
        "An open population",
        "Female black-kneed capsids (Blepharidopterus angulatus) on the second"
        " to the twelfth of thirteen days: G. M. Jolly, Explicit estimates from capture-recapture"
        " data with both death and immigration, Biometrika 52 (1965), 225–247. The statistics are"
        " those that Nishimura, Dunson and Lu (Biometrika 107, 2020, 365–380) use for DHMC; they"
        " fulfil missed[t + 1] = missed[t] + again[t] - marked[t + 1].",
        "The numbers `unmarked` are counts and in Γ; the probabilities are smooth. A large number"
        " is as likely as a small one if fewer of them are caught, so numbers and probabilities"
        " depend on each other strongly, and move together. The probability to be caught is given"
        " by its logit: written as a quotient the compiler would have to assume a pole.",
    ),
    "mixture": Prose(
        "A mixture of two normals",
        "Ten points, those of section 6.1 of the paper.",
        "The labels `z` are discrete and in Γ. The centres `mu` are not: a label picks one of"
        " them, and at a fixed label the density is smooth in both. The two clusters may swap"
        " names, and each chain stays with the names it began with; that is what the warning is"
        " about. The smaller and the larger centre have no names, and all chains agree in them.",
    ),
    "mixture-dirichlet": Prose(
        "A mixture with unknown weights",
        "Ten made-up points in three groups.",
        "Labels with random weights would be branches on those weights in the paper's reading,"
        " and the weights in Γ. Embedded by unit cells the weights are factors of a smooth"
        " density, and only the labels `z` jump.",
    ),
    "mixture-four": Prose(
        "A mixture of four normals",
        "They are simulated with seed 4: twelve points around -3, 0, 1.5 and 4, with weights 0.4,"
        " 0.3, 0.2 and 0.1.",
        "As with two clusters only the labels jump. Unequal weights name the clusters in"
        " principle, but twelve points cannot tell them apart: there are as many modes as orders"
        " of the clusters, and chains disagree about names.",
    ),
    "ordered-probit": Prose(
        "Ordered answers",
        "Seven people, what they were asked, and their answers: 0, 1 or 2.",
        "The comparisons with both thresholds read `utility`, `cut` and `gap`, so all three are"
        " in Γ; `slope` shifts the mean of a normal and stays smooth. A wrong answer costs 3, so"
        " that people may err.",
    ),
    "regression": Prose(
        "A straight line with outliers",
        "A line of slope 1.5 with noise, and one outlier; made up.",
        "Nothing jumps: heavy tails are smooth. The default engine is then ordinary NUTS.",
        LINES,
    ),
    "regression-threshold": Prose(
        "Regression with a threshold",
        "A line through the origin whose slope changes at 0.5; made up.",
        "`threshold` decides for each datum which slope it has. Unlike the [broken line](broken-"
        "line.md) this one jumps where the slopes do not meet.",
        LINES,
    ),
    "serial-numbers": Prose(
        "Serial numbers",
        "Five serial numbers, made up. The question is known as the German tank problem.",
        "`total` is a count, and the end of the interval that a serial number may lie in: below"
        " the largest number seen the density is zero.",
    ),
    "spike-and-slab": Prose(
        "Spike and slab",
        "Fifteen rows of four predictors; the first and the third matter. Made up.",
        "The switches `on` are discrete. The slopes are not: a switch multiplies one, and at"
        " fixed switches the density is smooth in it. A slope that is switched off is free to be"
        " anything its prior allows and narrow when it is on, which asks for small steps; the"
        " warm-up aims at a higher acceptance where trajectories diverge.",
    ),
    "thermostat": Prose(
        "A thermostat",
        "Ten hourly readings, made up.",
        "The thermostat compares temperatures, and every temperature is made from `heater`, `loss`"
        " and `start`: all three are in Γ, through ten rounds of a loop. Solvers of hybrid systems"
        " jump the same way. A wrong pattern of switching is a trap of hardly any mass that a"
        " chain seldom leaves: of 720 chains begun at random 3 were in one after the warm-up, and"
        " R-hat tells (2026-11-20). Those shown begin at a guess read off the readings: the room"
        " loses 0.9 degrees an hour at 19, so `loss` is about 0.095, and gains 0.8 while heated, so"
        " `heater` is about 1.7. Of 320 chains begun there none was in a trap.",
    ),
    "truncated": Prose(
        "Truncated readings",
        "They are simulated with seed 3: forty normal readings of mean 2 and standard deviation"
        " 2, of which those above 1.5 are kept. Few of them lie far from the limit, and the"
        " posterior of `mu` is wide.",
        "No `if` is written here. The jump is an edge of the distribution itself: a limit above a"
        " reading gives it density zero. The paper's rules do not see it; ours do (see the"
        " [errata](../errata.md)).",
    ),
    "zero-inflated": Prose(
        "Counts with too many zeros",
        "They are simulated with seed 5: thirty days, of which three in ten are idle; 1.5 are"
        " caught on the others.",
        "The label of every empty day is discrete. `share` is a weight and stays smooth.",
    ),
    "zero-one-loss": Prose(
        "A classifier by its errors",
        "They are simulated with seed 1: forty labels of a plane, a tenth of them wrong.",
        "Every coefficient reaches the predicate of every point. Between two jumps the likelihood"
        " is constant, so its gradient is zero wherever it is defined. Nishimura, Dunson and Lu"
        " (Biometrika 107, 2020, 365–380) use this loss to show what DHMC is for.",
    ),
}
"""By the name of the example."""
