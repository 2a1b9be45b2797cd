"""Studies whose results are kept: run with progress, stopped by Ctrl-C, gone on with by the same command."""

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from kakomi.farm import Farm
    from kakomi.study.kept import KeptStudy

Table = TypeVar("Table")


def studied(
    study: "KeptStudy[Any, Table]", farm: "Farm", folder: str, *, compiles: str, plural: str
) -> Table:
    """What a study tells, or after Ctrl-C what is there of it.

    Results are kept in a folder of the state folder. `compiles` says what may have to be compiled first,
    `plural` what its trials are called. Raises ClickException for what can't be done.
    """
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.core.system import state_folder
    from kakomi.farm import FarmError

    place = state_folder() / folder
    place.mkdir(parents=True, exist_ok=True)
    file = place / study.file_name
    with announced_compiling(compiles), patient_progress("Studying") as tell:

        def progress(done: int) -> None:
            tell(done / study.count, f"{done} of {study.count} {plural}")

        try:
            return study.run(farm, file, progress)
        except (FarmError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            if not study.trials:
                raise
    click.echo(f"kakomi: stopped; {plural} are kept in {file}: the same command goes on", err=True)
    return study.table()
