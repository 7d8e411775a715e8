"""Run the command line as `python -m reviser`."""

from reviser.app.cli import main

if __name__ == "__main__":
    main()
