import lfppl


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    def parts():
        yield 1

    return parts()
