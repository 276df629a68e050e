"""``python -m ginsim``."""

from ginsim.cli import main

if __name__ == "__main__":
    main()
