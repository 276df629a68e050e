"""The version, for those that tell of it: the package itself stands above them."""

__version__ = "0.1.0"
