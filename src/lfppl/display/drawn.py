"""The pictures of a model as its methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from lfppl.compiler import Model
    from lfppl.display.portrait import Portrait


class Drawn:
    """What `Model` can draw of itself; the packages for it are the extra `plots`."""

    @property
    def _model(self) -> Model:
        return cast("Model", self)

    @property
    def portrait(self) -> Portrait:
        """What reports say of the model."""
        from lfppl.display.portrait import Portrait

        return Portrait(self._model)

    def plot_graph(self) -> Any:
        """The paper's graph of the model as a matplotlib figure.

        Boxes are `sample` statements, those of discontinuous variables have a thick coloured edge;
        grey boxes are `observe` statements; diamonds are `if`s, reached by dashed arcs from the
        variables that decide them. An arc is dashed too where its source decides whether its target
        counts.

        >>> import lfppl
        >>> model = lfppl.compile("(let [x (sample (normal 0 1))] (if (< x 0) -1 1))")
        >>> type(model.plot_graph()).__name__
        'Figure'
        """
        from lfppl.display import sketch
        from lfppl.display.graph import drawing_of

        return sketch.figure_of(drawing_of(self._model.lir))

    def plot_density(
        self,
        *names: str,
        at: Any = None,
        ranges: Mapping[str, Any] | None = None,
        points: int | None = None,
    ) -> Any:
        """The density over one or two scalar variables, and where it jumps or a branch flips.

        All other variables keep their values at a point: `at` gives some or all of them by name, or
        is a fit, whose draw of the highest density is taken. Without it the best of some draws from
        the prior is taken. `ranges` gives the ends of the axes by name; other axes reach to where
        the density is a thousandth of its highest. `points` is how many points each axis has. Axes
        are natural values; an integer k covers [k, k + 1).

        >>> import lfppl
        >>> model = lfppl.compile("(let [x (sample (normal 0 1))] (factor (if (< x 0) -1 1)))")
        >>> figure = model.plot_density("x", ranges={"x": (-2, 2)})
        >>> [round(float(line.get_xdata()[0]), 6) for line in figure.axes[0].lines[1:]]
        [0.0]
        """
        from lfppl.display import terrain

        return terrain.figure_of(self._model, names, at, ranges or {}, points)

    def _repr_html_(self) -> str:
        from lfppl.display import card

        return card.of_model(self._model)
