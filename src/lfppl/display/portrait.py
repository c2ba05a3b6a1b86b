"""What a report says of a model: its source, its variables and its graph as HTML.

Every fit has a portrait, and few are looked at: what draws is imported when it is asked for.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from lfppl.errors import ModelError

if TYPE_CHECKING:
    from lfppl.compiler import Model
    from lfppl.display.markup import Html


class Portrait:
    """A model as a report shows it; everything is made when it is asked for."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """What the model is called: after its file.

        >>> import lfppl
        >>> lfppl.compile("(sample (normal 0 1))").portrait.name
        'Model'
        """
        name = self._model.text.name
        return "Model" if name.startswith("<") else PurePath(name).stem.replace("-", " ")

    def source(self) -> Html:
        """The source with its marks."""
        from lfppl.display.source import source_of

        return source_of(self._model, bubbles=True)

    def variables(self) -> Html:
        """The table of the variables."""
        from lfppl.display import card

        return card.variables(self._model.analysis)

    def guarantee(self) -> Html:
        """What is known of the places where the density jumps, and of paths of zero density."""
        from lfppl.display.markup import prose, tag

        analysis = self._model.analysis
        verb = "have" if analysis.guarantee.holds else "may not have"
        sentences = [f"The jumps {verb} measure zero (Theorem 2 of the paper):"]
        sentences.append(f"{analysis.guarantee.text}.")
        if analysis.zero_density:
            sentences.append("Some paths have zero density.")
        return tag("p", prose(" ".join(sentences)), class_="lf-note")

    def graph(self) -> Html:
        """The graph as SVG, or why there is none."""
        from lfppl.display.graph import drawing_of
        from lfppl.display.markup import prose, tag
        from lfppl.display.svg import svg_of

        try:
            drawing = drawing_of(self._model.lir)
        except ModelError as error:
            return tag("p", prose(f"There is no picture: {error.message}."))
        return tag("div", svg_of(drawing), class_="lf-scroll", tabindex="0")
