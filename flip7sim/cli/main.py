"""The group of all commands, and how every command ends.

Commands are imported when they are called, so that help is there at once. Exit status: 0, 1 (ran, but a check failed),
2 (bad usage or input), 130 (interrupted).
"""

import importlib
import sys
from collections.abc import Sequence

import click

from flip7sim.errors import Flip7Error

__all__ = ["cli", "main"]

#: Each command with the first line of its help, so that the list needs no import.
COMMANDS = {
    "tournament": "Play strategies against each other and rank them.",
    "sweep": "Play a strategy for every value of a parameter or two.",
    "best-response": "Find the parameters that win most against a field.",
    "run": "Run an experiment: a command with the options that stand in a file.",
    "merge": "Merge runs of one experiment with different seeds.",
    "replay": "Play replay files and check what must come of them.",
    "strategies": "List, show and check strategies.",
    "rules": "List the rule sets and their options, or show one in full.",
    "odds": "Work out the odds of the next card, exactly, and whether to hit.",
    "exact": "Work out exactly what strategies make of a round played alone.",
    "solve": "Find the best expected score of a round played alone.",
    "verify": "Check Monte Carlo against the exact solver.",
    "plot": "Draw every picture that a result allows, as PNG and SVG.",
    "report": "Write a result as one HTML page that needs no network.",
    "notebook": "Open the notebooks in Jupyter.",
    "bench": "Measure how fast games are played.",
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of the same name, with underscores for dashes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"flip7sim.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="flip7sim")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Simulate the card game Flip 7: strategies, odds and tournaments by the letter of the rules.

    Every command works without any option; add --help to see what it takes.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and exit with its status."""
    try:
        status = cli.main(args=arguments, prog_name="flip7sim", standalone_mode=False)
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "flip7sim"
        _fail(f"{error.format_message()} (see {path} --help)")
    except click.ClickException as error:
        _fail(error.format_message())
    except Flip7Error as error:
        _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo("flip7sim: interrupted", err=True)
        sys.exit(130)
    except SystemExit:
        # In this mode click itself exits for one reason only: the reader of stdout has gone, which is its right.
        sys.exit(0)
    except OSError as error:
        _fail(f"output cannot be written: {error.strerror or error}")
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> None:
    click.echo("flip7sim: error: " + " ".join(message.split()), err=True)
    sys.exit(2)
