"""The one step that pyproject.toml cannot say: the examples go into the package as data."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

EXAMPLES = Path(__file__).parent / "examples"


class BuildWithExamples(build_py):
    """Copies examples/ to lfppl/examples; an editable install finds them where they are."""

    def run(self) -> None:
        """Build the package, then put the examples beside its modules."""
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib) / "lfppl" / "examples"
        self.mkpath(str(folder))
        for file in sorted(path for path in EXAMPLES.iterdir() if path.is_file()):
            self.copy_file(str(file), str(folder / file.name))


setup(cmdclass={"build_py": BuildWithExamples})
